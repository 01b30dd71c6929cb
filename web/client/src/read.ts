// Reads frames, and rejects everything other than a frame of the protocol, so that the page never
// shows anything that the server did not send.

import type { Frame } from "./protocol.js";

/** A Test reports whether a field may have a value. */
export type Test = (value: unknown) => boolean;

export const text: Test = (value) => typeof value === "string";
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
export const fields =
	(tests: Record<string, Test>): Test =>
	(value) =>
		isObject(value) && Object.entries(tests).every(([name, test]) => test(value[name]));

const polled = { unread: perhaps(count), directs: perhaps(count), behind: perhaps(flag) };
const gone = fields({ post, gone: is(true) });

/** Returns the test of each type of frame; `content` tests what an entry has in a patch and in a reset, besides its post and tag. */
const framesWith = (content: { patch: Record<string, Test>; reset: Record<string, Test> }) =>
	new Map<unknown, Test>([
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
				ops: list(
					either(
						gone,
						fields({ post, gone: perhaps(is(false)), tag: text, after: either(nothing, post), ...content.patch }),
					),
				),
				...polled,
			}),
		],
		[
			"reset",
			fields({
				epoch: text,
				counter: count,
				position: perhaps(count),
				entries: list(fields({ post, tag: text, ...content.reset })),
				...polled,
			}),
		],
		["beat", fields({ counter: count, ...polled })],
		["bye", fields({ within_ms: count })],
		["unread", fields({ count, directs: perhaps(count) })],
		["present", fields({ count })],
		["pace", fields({ ms: count })],
		["behind", fields({ behind: flag })],
	]);

/**
 * A Reader parses a frame. A Reader returns undefined for an unknown type, which a newer server
 * may send, and throws if the text is no frame.
 */
export type Reader<F> = (source: string) => F | undefined;

/** Returns the Reader of frames whose entries have that content in patches and in resets. */
export function readerOf<F>(patch: Record<string, Test>, reset: Record<string, Test>): Reader<F> {
	const frames = framesWith({ patch, reset });
	return (source) => {
		const value: unknown = JSON.parse(source);
		const type = isObject(value) ? value["type"] : undefined;
		const test = frames.get(type);
		if (typeof type !== "string" || (test && !test(value))) {
			throw new TypeError(`no frame: ${source.slice(0, 80)}`);
		}
		return test && (value as F);
	};
}

/** Parses a frame of a page, with HTML. */
export const readFrame: Reader<Frame> = readerOf({ html: text }, { html: text });

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
