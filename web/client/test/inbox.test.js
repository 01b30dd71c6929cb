import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { Inbox, unpacks } from "../build/inbox.js";
import { readFrame } from "../build/read.js";
import { seeds } from "./random.js";
import { unpacking } from "./unpacking.js";

const packed = (text) => {
	const { buffer, byteOffset, byteLength } = deflateRawSync(text);
	return buffer.slice(byteOffset, byteOffset + byteLength);
};
const beat = (counter) => JSON.stringify({ type: "beat", counter });
const over = (inbox) => new Promise((done) => inbox.then(done));

/** The result of messages: the counters of their frames, and the number of failures. */
async function read(messages, take = () => undefined) {
	const got = [];
	let failed = 0;
	const inbox = new Inbox(
		readFrame,
		(frame) => {
			take(frame);
			got.push(frame === undefined ? "unknown" : frame.counter);
		},
		() => failed++,
	);
	messages.forEach((message) => inbox.put(message));
	await over(inbox);
	return { got, failed };
}

test("frames, packed or not, keep their order however long they take to unpack", async () => {
	const runs = [];
	seeds(100, (luck, seed) => {
		runs.push(async () => {
			unpacking(() => luck.below(20));
			const counters = Array.from({ length: 20 }, (_, i) => i);
			const { got, failed } = await read(counters.map((i) => (luck.chance(50) ? packed(beat(i)) : beat(i))));
			assert.deepEqual([got, failed], [counters, 0], `seed ${seed}`);
		});
	});
	for (const run of runs) {
		await run();
	}
});

test("a frame of an unknown type is undefined", async () => {
	unpacking();
	const { got, failed } = await read([
		'{"type":"later","count":3}',
		packed('{"type":"?"}'),
		beat(1),
		'{"type":"constructor"}',
	]);
	assert.deepEqual([got, failed], [["unknown", "unknown", 1, "unknown"], 0]);
});

test("after a message that can't be read later messages are ignored", async () => {
	unpacking(() => 3);
	const bytes = packed(beat(2));
	for (const [name, bad] of [
		["no JSON", "{"],
		["text", "hello"],
		["nothing", ""],
		["an empty message", new ArrayBuffer(0)],
		["noise", new Uint8Array([255, 254, 253, 1, 2, 3, 4]).buffer],
		["a message cut short", bytes.slice(0, bytes.byteLength - 3)],
		["packed noise", packed("\u0000\u0001")],
		["a beat without a counter", '{"type":"beat"}'],
	]) {
		const { got, failed } = await read([beat(1), bad, beat(3), bad]);
		assert.deepEqual([got, failed], [[1], 1], name);
	}
});

test("after a frame that can't be shown later messages are ignored", async () => {
	const take = (frame) => {
		if (frame.counter === 2) {
			throw new Error("no place for it");
		}
	};
	const { got, failed } = await read([beat(1), beat(2), beat(3)], take);
	assert.deepEqual([got, failed], [[1], 1]);
});

test("a browser without DecompressionStream can't unpack", () => {
	unpacking();
	assert.equal(unpacks(), true);
	globalThis.DecompressionStream = class {
		constructor() {
			throw new TypeError("deflate-raw is of a later day");
		}
	};
	assert.equal(unpacks(), false);
	delete globalThis.DecompressionStream;
	assert.equal(unpacks(), false);
});
