import assert from "node:assert/strict";
import { test } from "node:test";
import { badge, Reading } from "../build/unread.js";

test("a badge has room for two digits", () => {
	assert.deepEqual([0, 7, 99, 100].map(badge), ["0", "7", "99", "99+"]);
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
