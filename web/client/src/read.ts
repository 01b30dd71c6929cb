// Reads frames, and rejects everything that is not a frame of the protocol, so that the
// page never shows what the server did not send.

import type { Frame } from "./protocol.js";

type Test = (value: unknown) => boolean;

const text: Test = (value) => typeof value === "string";
const flag: Test = (value) => typeof value === "boolean";
const count: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const post: Test = (value) => Number.isSafeInteger(value) && (value as number) > 0;
const nothing: Test = (value) => value === null;
const either =
	(...tests: Test[]): Test =>
	(value) =>
		tests.some((test) => test(value));
const perhaps =
	(test: Test): Test =>
	(value) =>
		value === undefined || test(value);
const is =
	(wanted: unknown): Test =>
	(value) =>
		value === wanted;
const list =
	(test: Test): Test =>
	(value) =>
		Array.isArray(value) && value.every(test);
const fields =
	(tests: Record<string, Test>): Test =>
	(value) =>
		isObject(value) && Object.entries(tests).every(([name, test]) => test(value[name]));

const polled = { unread: perhaps(count), behind: perhaps(flag) };
const gone = fields({ post, gone: is(true) });
const shown = fields({ post, gone: perhaps(is(false)), tag: text, after: either(nothing, post), html: text });

/** The test of each type of frame. */
const frames = new Map<unknown, Test>([
	[
		"hello",
		fields({
			epoch: text,
			counter: count,
			beat: count,
			build: text,
			pace: perhaps(count),
			present: perhaps(count),
			...polled,
		}),
	],
	[
		"patch",
		fields({
			epoch: text,
			from: count,
			to: count,
			position: perhaps(count),
			ops: list(either(gone, shown)),
			...polled,
		}),
	],
	[
		"reset",
		fields({
			epoch: text,
			counter: count,
			position: perhaps(count),
			entries: list(fields({ post, tag: text, html: text })),
			...polled,
		}),
	],
	["beat", fields({ counter: count, ...polled })],
	["bye", fields({ within_ms: count })],
	["unread", fields({ count })],
	["present", fields({ count })],
	["pace", fields({ ms: count })],
	["behind", fields({ behind: flag })],
]);

/** Parses a frame. Returns undefined for an unknown type, which a newer server may send; throws if the text is no frame. */
export function readFrame(source: string): Frame | undefined {
	const value: unknown = JSON.parse(source);
	if (!isObject(value) || typeof value["type"] !== "string") {
		throw new TypeError(`no frame: ${source.slice(0, 80)}`);
	}
	const test = frames.get(value["type"]);
	if (test && !test(value)) {
		throw new TypeError(`no ${value["type"]}: ${source.slice(0, 80)}`);
	}
	return test && (value as unknown as Frame);
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
