import assert from "node:assert/strict";
import { test } from "node:test";

import { partOf } from "../build/crop.js";

const close = (got, want) => {
	for (const key of ["x", "y", "width"]) {
		assert.ok(Math.abs(got[key] - want[key]) < 1e-9, `${key} is ${got[key]}, want ${want[key]}`);
	}
};

test("a part of a wide picture, square and in the middle, has its whole height", () => {
	close(partOf({ width: 400, height: 200 }, 1, 1, { x: 0.5, y: 0.5 }), { x: 0.25, y: 0, width: 0.5 });
});

test("a part of a high picture, four times as wide as high, has its whole width", () => {
	close(partOf({ width: 100, height: 400 }, 0.25, 1, { x: 0.5, y: 0.5 }), { x: 0, y: 0.46875, width: 1 });
});

test("zoom makes the part smaller around its middle", () => {
	close(partOf({ width: 200, height: 200 }, 1, 4, { x: 0.5, y: 0.25 }), { x: 0.375, y: 0.125, width: 0.25 });
});

test("a part beyond the edges stays within", () => {
	close(partOf({ width: 200, height: 100 }, 1, 1, { x: 7, y: -3 }), { x: 0.5, y: 0, width: 0.5 });
});
