import assert from "node:assert/strict";
import { test } from "node:test";
import { above, lineAbove, readPlace, withLine } from "../build/leftoff.js";

test("a place is parsed from the text on an entry", () => {
	assert.deepEqual(readPlace("1700000000000,2251799813685249"), [1_700_000_000_000, 2_251_799_813_685_249]);
	for (const text of [undefined, "", "x", "5", ",5", "5,", "a,b", "0,5"]) {
		assert.equal(readPlace(text), undefined, text);
	}
});

test("a fresher entry stands above, and at the same time the newer post", () => {
	assert.ok(above([2, 1], [1, 9]));
	assert.ok(!above([1, 9], [2, 1]));
	assert.ok(above([2, 2], [2, 1]));
	assert.ok(!above([2, 1], [2, 1]));
});

// An element as far as the line needs it: its children, and their texts.
const article = (fresh) => ({ dataset: { place: `${fresh},1` } });
const riverWith = (line) => ({ querySelector: () => line });
const lineOf = (fresh, hidden) => ({ dataset: { place: `${fresh},1` }, hidden });
const shown = (order, line, top = true) => {
	const articles = order.map(article);
	const all = withLine(riverWith(line), articles, top);
	return {
		at: all.indexOf(line),
		hidden: line.hidden,
		all: all.map((e) => (e === line ? "line" : Number.parseInt(e.dataset.place))),
	};
};

test("the line stays between newer entries and the others", () => {
	for (const [name, order, top, want] of [
		["nothing is newer: it parts nothing", [50, 40], true, { at: 0, hidden: true }],
		["something came above", [60, 50, 40], true, { at: 1, hidden: false }],
		["what was below rose above it", [70, 60, 50], true, { at: 2, hidden: false }],
		["the uppermost below it left", [60, 40], true, { at: 1, hidden: false }],
		["all above it left", [50], true, { at: 0, hidden: true }],
		["all of the page is newer", [70, 60], true, { at: 2, hidden: true }],
		["nothing is left", [], true, { at: 0, hidden: true }],
		["farther down it stands where the page above ended", [50, 40], false, { at: 0, hidden: false }],
	]) {
		const { at, hidden } = shown(order, lineOf(50, at0(order)), top);
		assert.deepEqual({ at, hidden }, want, name);
	}
	function at0(order) {
		return order[0] <= 50;
	}
});

test("the line appears with the first newer entry, and disappears with the last", () => {
	const line = lineOf(50, true);
	assert.deepEqual(shown([60, 50], line), { at: 1, hidden: false, all: [60, "line", 50] });
	assert.deepEqual(shown([50, 40], line), { at: 0, hidden: true, all: ["line", 50, 40] });
});

test("a page without the line stays as it is", () => {
	const articles = [article(60), article(50)];
	assert.deepEqual(withLine(riverWith(null), articles, true), articles);
	assert.equal(lineAbove([undefined, [60, 1], [40, 1]], [50, 1]), 2);
});
