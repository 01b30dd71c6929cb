import assert from "node:assert/strict";
import { test } from "node:test";
import { entriesOf, readAnswer, Refusal } from "../build/answer.js";
import { RateLimit } from "../build/rate.js";
import { longestCommon, longestIncreasing } from "../build/sequence.js";
import { ago } from "../build/times.js";
import { seeds } from "./random.js";

test("a longest increasing subsequence stays", () => {
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
		assert.deepEqual([...longestIncreasing(places)].sort(), stay);
	}
});

test("a longest common subsequence is found in order", () => {
	assert.deepEqual(longestCommon([..."abcd"], [..."acxd"]), [
		[0, 0],
		[2, 1],
		[3, 3],
	]);
	assert.deepEqual(longestCommon([], ["a"]), []);
});

test("the rate limit allows two frames in a second and a half", () => {
	const rate = new RateLimit();
	const times = [];
	for (let i = 0, now = 0; i < 5; i++) {
		now += rate.wait(now);
		rate.record(now);
		times.push(now);
	}
	assert.deepEqual(times, [0, 0, 1500, 1500, 3000]);
});

test("the rate limit, asked at random times, never allows three frames in a second and a half", () => {
	seeds(200, ({ random, below }) => {
		const rate = new RateLimit();
		const times = [];
		for (let now = 0; times.length < 50; now += random() * [1, 100, 2000][below(3)]) {
			if (rate.wait(now) === 0) {
				rate.record(now);
				times.push(now);
			}
		}
		times.forEach((time, i) => assert.ok(i < 2 || time - times[i - 2] >= 1500, `${times}`));
	});
});

test("times are relative for a week", () => {
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

test("an answer lists its entries", () => {
	const tag = (html) => html.toUpperCase();
	assert.deepEqual(entriesOf({ epoch: "E", counter: 3, html: { 7: "a" }, gone: [8] }, tag), [
		{ post: 7, content: "a", tag: "A", epoch: "E", counter: 3 },
		{ post: 8, epoch: "E", counter: 3 },
	]);
	assert.deepEqual(entriesOf({ html: { 7: "a" } }, tag), [{ post: 7, content: "a", tag: "A" }]);
	assert.deepEqual(entriesOf({}, tag), []);
});

test("a refusal has the reason and the time to wait", async () => {
	const refused = (status, body, headers) => readAnswer(new Response(body, { status, headers }));
	await assert.rejects(refused(422, '{"error":"Text is empty."}'), new Refusal("Text is empty."));
	await assert.rejects(refused(503, '{"error":"Away."}', { "Retry-After": "5" }), new Refusal("Away. (In 5 seconds.)"));
	await assert.rejects(refused(502, "<html>"), Refusal);
	assert.deepEqual(await readAnswer(new Response('{"result":"liked"}')), { result: "liked" });
});
