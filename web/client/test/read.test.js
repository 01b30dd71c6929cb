import assert from "node:assert/strict";
import { test } from "node:test";
import { readFrame } from "../build/read.js";
import { seeds } from "./random.js";

const entry = { post: 7, tag: "t", html: "<article>" };
const frames = [
	{ type: "hello", epoch: "E", counter: 1, beat: 25_000, build: "b" },
	{ type: "hello", epoch: "E", counter: 0, beat: 25_000, build: "b", unread: 2, directs: 1, pace: 250, behind: true },
	{
		type: "patch",
		epoch: "E",
		from: 1,
		to: 2,
		ops: [
			{ ...entry, after: null },
			{ ...entry, after: 7 },
			{ post: 7, gone: true },
		],
	},
	{ type: "patch", epoch: "E", from: 1, to: 2, position: 9, ops: [], unread: 0, directs: 0, behind: false },
	{ type: "reset", epoch: "E", counter: 3, position: 9, entries: [entry] },
	{ type: "reset", epoch: "E", counter: 3, entries: [] },
	{ type: "beat", counter: 1 },
	{ type: "beat", counter: 1, unread: 0, behind: true },
	{ type: "bye", within_ms: 5000 },
	{ type: "unread", count: 3, directs: 1 },
	{ type: "present", count: 3 },
	{ type: "pace", ms: 4000 },
	{ type: "behind", behind: false },
];
const thrown = (value) => assert.throws(() => readFrame(JSON.stringify(value)), TypeError, JSON.stringify(value));

test("a valid frame is read with all its fields", () => {
	for (const frame of frames) {
		assert.deepEqual(readFrame(JSON.stringify(frame)), frame);
		assert.deepEqual(readFrame(JSON.stringify({ ...frame, new: [1] })), { ...frame, new: [1] });
	}
});

test("a frame with a missing or wrong field is rejected", () => {
	const needed = (name) => !["unread", "directs", "pace", "present", "behind", "position", "type"].includes(name);
	for (const frame of frames) {
		for (const name of Object.keys(frame)) {
			if (name === "type") {
				continue;
			}
			for (const wrong of [null, "7", -1, 1.5, 1e300, [], {}, true, [null], [{}], [{ post: "7" }]]) {
				if (typeof wrong !== typeof frame[name] || typeof wrong === "object" || typeof wrong === "number") {
					if (
						JSON.stringify(wrong) !== JSON.stringify(frame[name]) &&
						!(Array.isArray(frame[name]) && wrong?.length === 0)
					) {
						thrown({ ...frame, [name]: wrong });
					}
				}
			}
			if (needed(name) || (frame.type === "behind" && name === "behind")) {
				thrown({ ...frame, [name]: undefined });
			}
		}
	}
	for (const op of [
		{ post: 0, gone: true },
		{ ...entry },
		{ ...entry, after: "7" },
		{ ...entry, after: null, html: null },
		{ post: 7, gone: false },
		"7",
	]) {
		thrown({ type: "patch", epoch: "E", from: 1, to: 2, ops: [op] });
	}
	for (const value of [null, 7, "beat", [], ["beat"], {}, { type: 7 }, { type: null }]) {
		thrown(value);
	}
});

test("a frame of an unknown type is undefined, whatever its name", () => {
	for (const type of ["later", "", "constructor", "__proto__", "toString"]) {
		assert.equal(readFrame(JSON.stringify({ type })), undefined);
	}
});

test("a frame with random changes is either read or rejected", () => {
	seeds(3000, (luck) => {
		let text = JSON.stringify(luck.pick(frames));
		for (let n = luck.below(4); n >= 0; n--) {
			const at = luck.below(text.length);
			const much = luck.below(6);
			text = luck.pick([
				() => text.slice(0, at), // cut short
				() => text.slice(0, at) + text.slice(at + much),
				() =>
					text.slice(0, at) +
					luck.pick(['"', "{", "}", "[", "]", ",", ":", "0", "-", "e9", "null", "\u0000", "\ud800"]) +
					text.slice(at),
				() => text.slice(0, at) + text.slice(at, at + much) + text.slice(at),
			])();
		}
		let frame;
		try {
			frame = readFrame(text);
		} catch (error) {
			assert.ok(error instanceof TypeError || error instanceof SyntaxError, String(error));
			return;
		}
		assert.ok(frame === undefined || frames.some(({ type }) => type === frame.type), text);
		if (frame?.type === "patch") {
			assert.ok(
				frame.ops.every((op) => op.gone === true || typeof op.html === "string"),
				text,
			);
		}
	});
});
