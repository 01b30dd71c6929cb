import assert from "node:assert/strict";
import { test } from "node:test";
import { entriesOf, readAnswer, Refusal } from "../build/answer.js";
import { Pace } from "../build/pace.js";
import { common, staying } from "../build/sequence.js";
import { ago } from "../build/times.js";
import { seeds } from "./random.js";

test("as few as possible are moved", () => {
	for (const [places, stay] of [
		[[], []],
		[
			[0, 1, 2],
			[0, 1, 2],
		],
		[
			[1, 2, 0],
			[1, 2],
		], // the last goes to the top
		[
			[2, 0, 1],
			[0, 1],
		], // the first goes to the end
		[
			[0, 4, 1, 2, 3],
			[0, 1, 2, 3],
		],
	]) {
		assert.deepEqual([...staying(places)].sort(), stay);
	}
});

test("what two sequences have in common is found in order", () => {
	assert.deepEqual(common([..."abcd"], [..."acxd"]), [
		[0, 0],
		[2, 1],
		[3, 3],
	]);
	assert.deepEqual(common([], ["a"]), []);
});

test("no more than two frames are sent in a second", () => {
	const pace = new Pace();
	const times = [];
	for (let i = 0, now = 0; i < 5; i++) {
		now += pace.wait(now);
		pace.note(now);
		times.push(now);
	}
	assert.deepEqual(times, [0, 0, 1500, 1500, 3000]);
});

test("however somebody hurries, never more than two frames are in a second and a half", () => {
	seeds(200, ({ random, below }) => {
		const pace = new Pace();
		const times = [];
		for (let now = 0; times.length < 50; now += random() * [1, 100, 2000][below(3)]) {
			if (pace.wait(now) === 0) {
				pace.note(now);
				times.push(now);
			}
		}
		times.forEach((time, i) => assert.ok(i < 2 || time - times[i - 2] >= 1500, `${times}`));
	});
});

test("times are in words for a week", () => {
	const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
	for (const [seconds, want] of [
		[-5, "now"],
		[59, "now"],
		[60, "1 minute ago"],
		[3599, "59 minutes ago"],
		[3600, "1 hour ago"],
		[86_400, "yesterday"],
		[3 * 86_400, "3 days ago"],
		[7 * 86_400, undefined],
	]) {
		assert.equal(ago(seconds, words), want);
	}
});

test("an answer tells of entries", () => {
	const tag = (html) => html.toUpperCase();
	assert.deepEqual(entriesOf({ epoch: "E", counter: 3, html: { 7: "a" }, gone: [8] }, tag), [
		{ post: 7, html: "a", tag: "A", epoch: "E", counter: 3 },
		{ post: 8, epoch: "E", counter: 3 },
	]);
	assert.deepEqual(entriesOf({ html: { 7: "a" } }, tag), [{ post: 7, html: "a", tag: "A" }]);
	assert.deepEqual(entriesOf({}, tag), []);
});

test("a refusal says why, and for how long", async () => {
	const refused = (status, body, headers) => readAnswer(new Response(body, { status, headers }));
	await assert.rejects(refused(422, '{"error":"Text is empty."}'), new Refusal("Text is empty."));
	await assert.rejects(refused(503, '{"error":"Away."}', { "Retry-After": "5" }), new Refusal("Away. (In 5 seconds.)"));
	await assert.rejects(refused(502, "<html>"), Refusal);
	assert.deepEqual(await readAnswer(new Response('{"result":"liked"}')), { result: "liked" });
});
