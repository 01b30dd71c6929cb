import assert from "node:assert/strict";
import { test } from "node:test";
import { badge, ReadDecision } from "../build/unread.js";

test("a badge shows at most two digits", () => {
	assert.deepEqual([0, 7, 99, 100].map(badge), ["0", "7", "99", "99+"]);
});

test("the notices of a page's post are read when the page is visible, once for each rise of the count", () => {
	const reading = new ReadDecision();
	assert.equal(reading.setCount(0, false), false, "there are none");
	assert.equal(reading.setCount(2, false), true, "two come while the page is visible");
	assert.equal(reading.setCount(2, false), false, "the same again");
	assert.equal(reading.setCount(1, false), false, "less is nothing new");
	assert.equal(reading.setCount(2, true), false, "the page is hidden");
	assert.equal(reading.setCount(2, true), false);
	assert.equal(reading.setHidden(false), true, "now it is visible");
	assert.equal(reading.setHidden(false), false);
	assert.equal(reading.setCount(3, true), false);
	assert.equal(reading.setCount(0, true), false, "they were read elsewhere");
	assert.equal(reading.setHidden(false), false);
});
