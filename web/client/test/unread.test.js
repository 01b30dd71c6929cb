import assert from "node:assert/strict";
import { test } from "node:test";
import { unreadIn } from "../build/protocol.js";
import { badge, Reading } from "../build/unread.js";

test("a badge has room for two digits", () => {
	assert.deepEqual([0, 7, 99, 100].map(badge), ["0", "7", "99", "99+"]);
});

test("frames tell how many notices are not read, or nothing of it", () => {
	for (const [frame, want] of [
		[{ type: "unread", count: 3 }, 3],
		[{ type: "unread", count: 0 }, 0],
		[{ type: "hello", epoch: "E", counter: 1, beat: 1, build: "b", unread: 2 }, 2],
		[{ type: "hello", epoch: "E", counter: 1, beat: 1, build: "b" }, undefined],
		[{ type: "beat", counter: 1, unread: 4 }, 4],
		[{ type: "patch", epoch: "E", from: 1, to: 2, ops: [], unread: 5 }, 5],
		[{ type: "bye", within_ms: 5 }, undefined],
	]) {
		assert.equal(unreadIn(frame), want, JSON.stringify(frame));
	}
});

test("the notices of a page's post are read when somebody looks, once for each that is new", () => {
	const reading = new Reading();
	assert.equal(reading.told(0, false), false, "there are none");
	assert.equal(reading.told(2, false), true, "two come while he looks");
	assert.equal(reading.told(2, false), false, "the same again");
	assert.equal(reading.told(1, false), false, "less is nothing new");
	assert.equal(reading.told(2, true), false, "nobody looks");
	assert.equal(reading.told(2, true), false);
	assert.equal(reading.looked(false), true, "now he does");
	assert.equal(reading.looked(false), false);
	assert.equal(reading.told(3, true), false);
	assert.equal(reading.told(0, true), false, "they were read elsewhere");
	assert.equal(reading.looked(false), false);
});
