// A bot that answers those who mention it, in a comment below. It asks the server what it has
// answered already, so it can be stopped and started at any time.
//
//	AMSTEL_TOKEN=… node bot.js https://amstel.example

import { Amstel, uuidOf } from "amstel-client";

const amstel = new Amstel(process.argv[2], { token: process.env.AMSTEL_TOKEN });
const me = await amstel.whoami();
const mention = new RegExp(`(^|[^\\w-])@${me.name}(?![\\w-])`, "i");

/** Returns the answer to a text. */
function answerTo(text) {
	return text.includes("?") ? "I am a bot, and do not know." : "At your service.";
}

/** Answers what mentions the bot in a thread and has no answer yet. */
async function answer(entry) {
	const { entries, users } = await amstel.thread(entry);
	for (const { id, comments, ...post } of entries.filter((one) => one.can_comment)) {
		const told = comments.filter((comment) => comment.user_id === me.id).map((comment) => comment.text);
		for (const said of [{ id, ...post }, ...comments]) {
			const reply = `@${users[said.user_id].name}: ${answerTo(said.text)}`;
			const before = told.indexOf(reply);
			if (said.user_id === me.id || !mention.test(said.text)) {
				continue;
			}
			if (before >= 0) {
				told.splice(before, 1); // this text has its answer
				continue;
			}
			await amstel.comment(id, reply, await uuidOf(`answer to ${said.id}`));
			console.log(`answered ${said.url}`);
		}
	}
}

const river = await amstel.follow("/filter/mentions", {
	changed: async ({ added, changed }) => {
		for (const entry of [...added, ...changed]) {
			await answer(entry);
		}
	},
	ended: (why) => console.error(`The bot is ${why}.`),
});
for (const entry of river.entries) {
	await answer(entry);
}
console.log(`${me.name} is listening`);
