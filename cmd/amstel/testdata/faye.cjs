// Listens to a river with the client of Faye, and writes what it is told: one line of JSON for each message.
const [folder, site, uuid, transport] = process.argv.slice(2);
const faye = require(folder);

const client = new faye.Client(site + "/faye", { retry: 1 });
if (transport === "long-polling") client.disable("websocket");
client.subscribe("/rivers/" + uuid, (data) => console.log(JSON.stringify(data))).then(() => console.log('"subscribed"'));
