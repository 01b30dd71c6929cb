import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { query, sentence } from "../build/audience.js";
import { ru } from "../build/words/ru.js";

test("an audience, written as a sentence, is the server's sentence", () => {
	const cases = JSON.parse(readFileSync(new URL("../../page/testdata/audience.json", import.meta.url), "utf8"));
	assert.ok(cases.length > 10);
	for (const { about, says, ru: russian, ...audience } of cases) {
		assert.equal(sentence(about, audience), says);
		assert.equal(sentence(about, audience, ru), russian);
	}
});

test("a form's choices make the query for its audience", () => {
	const fields = (...pairs) => {
		const data = new FormData();
		pairs.forEach(([name, value]) => data.append(name, value));
		return data;
	};
	const places = fields(
		["post[timelines][]", ""],
		["post[timelines][]", "user"],
		["post[timelines][]", "group:cooks"],
		["post[text]", "x"],
	);
	assert.equal(String(query("post", places, {})), "timelines=user%2Cgroup%3Acooks");
	assert.equal(String(query("move", places, { audiencePost: "12" })), "timelines=user%2Cgroup%3Acooks&post=12");
	assert.equal(query("post", fields(["post[timelines][]", ""]), {}), undefined);
	assert.equal(String(query("feed", fields(["user[status]", "private"]), {})), "status=private");
	assert.equal(
		String(query("group", fields(["group[status]", "public"]), { audienceGroup: "cooks" })),
		"status=public&group=cooks",
	);
});
