// Reads the feeds in the files of a folder with feedsmith, and prints of each file the ids of its items.
import { readFileSync, readdirSync } from "node:fs";
import { parseFeed } from "feedsmith";

const folder = process.argv[1];
const ids = {};
for (const name of readdirSync(folder)) {
	const { format, feed } = parseFeed(readFileSync(`${folder}/${name}`, "utf8"));
	const items = feed.items ?? feed.entries ?? [];
	ids[name] = [format, ...items.map((item) => item.guid?.value ?? item.id)];
}
console.log(JSON.stringify(ids));
