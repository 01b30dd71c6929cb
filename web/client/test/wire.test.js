import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { Follower } from "../build/follow.js";
import { htmlOf, site } from "../build/site.js";
import { Wire } from "../build/wire.js";
import { Browser, listening } from "./browser.js";
import { unpacking } from "./unpacking.js";

const hello = (more = {}) => ({ type: "hello", epoch: "E", counter: 10, beat: 25_000, build: "b", ...more });
const patch = (from, to, ...ops) => ({ type: "patch", epoch: "E", from, to, ops });
const entry = (post, after = null) => ({ post, tag: "n", after, html: `<article ${post}>` });
const packed = (frame) => {
	const { buffer, byteOffset, byteLength } = deflateRawSync(JSON.stringify(frame));
	return buffer.slice(byteOffset, byteOffset + byteLength);
};

/** A page with a wire, in a browser of its own. */
function wired({
	random,
	have = [
		[3, "t3"],
		[2, "t2"],
	],
	listener = listening(),
	unpacks = true,
} = {}) {
	unpacking();
	if (!unpacks) {
		delete globalThis.DecompressionStream;
	}
	const browser = new Browser(random);
	const follower = new Follower({ epoch: "E", counter: 10, position: 100, have }, htmlOf);
	const shown = [];
	const told = { ...listener, verdict: (verdict) => void (verdict.show && shown.push(verdict.show.order)) };
	const wire = new Wire(site, "uuid", "/page", follower, listener.verdictOf?.(told) ?? told);
	wire.start();
	/** A connection that comes about. */
	const meet = async (more) => {
		browser.socket.open();
		await browser.settle();
		browser.socket.say(hello(more));
		await browser.settle(3);
	};
	return { browser, follower, wire, shown, meet, ...listener };
}

test("a page sends what it shows, and shows what it receives", async () => {
	const { browser, shown, meet, of } = wired();
	assert.equal(String(browser.socket.address), "wss://site.test/live");
	assert.equal(browser.socket.protocol, "amstel.v1");
	await meet();
	assert.deepEqual(browser.socket.sent, [
		{
			type: "sub",
			river: "uuid",
			page: "/page",
			epoch: "E",
			counter: 10,
			position: 100,
			have: [
				[3, "t3"],
				[2, "t2"],
			],
			as: "html",
			lang: "en",
		},
	]);
	browser.socket.say(packed(patch(10, 11, entry(4))));
	browser.socket.say(patch(11, 12, entry(2)));
	await browser.settle(20);
	assert.deepEqual(shown, [
		[4, 3, 2],
		[2, 4, 3],
	]);
	assert.deepEqual(of("connected"), ["b"]);
});

test("frames about other things reach the listener", async () => {
	for (const [frame, name, want] of [
		[{ type: "unread", count: 3, directs: 1 }, "unread", [[3, 1]]],
		[{ type: "unread", count: 0 }, "unread", [[0, undefined]]],
		[hello({ unread: 2, directs: 2 }), "unread", [[2, 2]]],
		[hello(), "unread", []],
		[{ type: "bye", within_ms: 5 }, "unread", []],
		[{ type: "pace", ms: 4000 }, "pace", [4000]],
		[hello({ pace: 3000 }), "pace", [3000]],
		[hello(), "pace", [0]],
		[{ type: "behind", behind: true }, "behind", [true]],
		[hello({ behind: true }), "behind", [true]],
		[hello(), "behind", [false]],
		[patch(10, 11, entry(4)), "behind", []],
		[{ type: "later", count: 3 }, "behind", []],
		[{ type: "present", count: 3 }, "present", [3]],
		[hello({ present: 4 }), "present", [4]],
		[hello(), "present", [0]],
	]) {
		const { browser, of, meet, heard } = wired();
		await meet();
		heard.length = 0;
		browser.socket.say(frame);
		await browser.settle(3);
		assert.deepEqual(of(name), want, JSON.stringify(frame));
	}
});

test("a page whose sub would be too long asks for a reset", async () => {
	const { browser, meet } = wired({ have: Array.from({ length: 2000 }, (_, i) => [1e15 + i, "0123456789ab"]) });
	await meet();
	const [sub] = browser.socket.sent;
	assert.deepEqual([sub.epoch, sub.counter, sub.have, sub.position], ["", 0, [], 100]);
});

test("a page in the browser's cache has no socket, and subscribes with its state when it is restored", async () => {
	const { browser, meet } = wired();
	await meet();
	browser.socket.say(patch(10, 11, entry(4)));
	await browser.settle(3);
	browser.event(browser.window, "pagehide", { persisted: true });
	browser.look(false);
	assert.equal(browser.socket, undefined);
	assert.equal(browser.timers.size, 0, "it waits for something");
	browser.now += 1; // its time stands, but not the day
	browser.day += 8 * 3600_000;
	browser.look(true);
	browser.event(browser.window, "pageshow", { persisted: true });
	await browser.pass(2000);
	assert.equal(browser.sockets.length, 2);
	await meet({ counter: 11 });
	const { epoch, counter, have } = browser.socket.sent[0];
	assert.deepEqual(
		[epoch, counter, have],
		[
			"E",
			11,
			[
				[4, "n"],
				[3, "t3"],
				[2, "t2"],
			],
		],
	);
	assert.equal(browser.socket.sent.length, 1, "one exchange");
});

test("a pageshow event of a first load has no effect", async () => {
	const { browser } = wired();
	browser.event(browser.window, "pageshow", { persisted: false });
	await browser.pass(100);
	assert.equal(browser.sockets.length, 1);
});

test("a frozen page has no socket, and has one again when it is shown", async () => {
	const { browser, meet } = wired();
	await meet();
	browser.look(false);
	browser.event(browser.document, "freeze");
	assert.equal(browser.socket, undefined);
	browser.day += 3600_000;
	browser.event(browser.document, "resume");
	await browser.pass(100_000);
	assert.equal(browser.socket, undefined, "nobody looks");
	browser.look(true);
	assert.ok(browser.socket);
});

test("a page hidden for a minute has no socket, and opens one at once when it is shown", async () => {
	const { browser, meet } = wired();
	await meet();
	browser.look(false);
	await browser.pass(6000);
	assert.deepEqual(browser.socket.sent.at(-1), { type: "vis", hidden: true });
	await browser.pass(55_000);
	assert.equal(browser.socket, undefined);
	assert.equal(browser.timers.size, 0);
	browser.look(true);
	assert.ok(browser.socket);
});

test("a dead connection is found at once after a sleep of the machine", async () => {
	const { browser, meet } = wired();
	await meet();
	const dead = browser.socket;
	browser.day += 8 * 3600_000;
	browser.event(browser.window, "focus");
	assert.equal(dead.sent.length, 2);
	assert.equal(dead.sent[1].type, "sub");
	await browser.pass(6000);
	assert.equal(dead.closedBy, "page");
	assert.notEqual(browser.socket, dead);
	await meet();
});

test("a connection that survived a sleep of the machine goes on", async () => {
	const { browser, meet, shown } = wired();
	await meet();
	browser.day += 8 * 3600_000;
	browser.event(browser.window, "online");
	browser.socket.say(hello());
	browser.socket.say(patch(10, 200, entry(4)));
	await browser.pass(30_000);
	assert.equal(browser.sockets.length, 1);
	assert.deepEqual(shown, [[4, 3, 2]]);
});

test("while a hello is due no frame is sent, and then only the last one that matters", async () => {
	const { browser, wire } = wired();
	browser.socket.open();
	wire.resubscribe();
	browser.look(false);
	await browser.pass(5500);
	assert.equal(browser.socket.sent.length, 1);
	browser.socket.say(hello());
	await browser.settle(3);
	assert.deepEqual(browser.socket.sent.slice(1), [{ type: "vis", hidden: true }]);
	browser.look(true);
	wire.resubscribe();
	browser.event(browser.window, "online");
	await browser.pass(2000);
	assert.deepEqual(
		browser.socket.sent.slice(2).map(({ type }) => type),
		["vis", "sub"],
	);
	browser.socket.say(hello());
	await browser.pass(2000);
	assert.equal(browser.socket.sent.length, 4);
});

test("a message that can't be read ends the connection, and the next one asks for a reset", async () => {
	for (const bad of [
		"{",
		'{"type":"patch","epoch":"E"}',
		new Uint8Array([255, 0, 1]).buffer,
		packed(patch(10, 11, entry(4))).slice(0, 9),
	]) {
		const { browser, meet, shown } = wired();
		await meet();
		const first = browser.socket;
		first.say(bad);
		first.say(patch(10, 11, entry(4)));
		await browser.settle(20);
		assert.equal(first.closedBy, "page");
		assert.deepEqual(shown, [], "what came after it is not to be trusted");
		await browser.pass(30_000);
		await meet({ counter: 0 });
		assert.deepEqual(browser.socket.sent[0].have, []);
		browser.socket.say({ type: "reset", epoch: "E", counter: 12, entries: [{ post: 9, tag: "n", html: "<nine>" }] });
		await browser.settle(3);
		assert.deepEqual(shown, [[9]]);
	}
});

test("a frame that can't be shown ends the connection, with longer and longer pauses", async () => {
	const { browser, meet } = wired({
		random: () => 1,
		listener: listening({
			verdictOf: (listener) => ({ ...listener, verdict: ({ show }) => assert.ok(!show, "the page is full") }),
		}),
	});
	const times = [];
	for (let i = 0; i < 6; i++) {
		await meet({ counter: 0 });
		times.push(browser.now);
		browser.socket.say({ type: "reset", epoch: "E", counter: 12, entries: [] });
		await browser.settle(3);
		assert.equal(browser.socket, undefined);
		while (!browser.socket) {
			await browser.pass(100);
		}
	}
	assert.deepEqual(
		times.slice(1).map((time, i) => time - times[i]),
		[500, 1000, 2000, 4000, 8000],
	);
});

test("frames of a dropped connection are ignored", async () => {
	const { browser, meet, shown } = wired();
	await meet();
	const first = browser.socket;
	browser.event(browser.window, "pagehide");
	first.onmessage({ data: JSON.stringify(patch(10, 11, entry(4))) });
	first.onopen();
	first.onclose({ code: 4403 });
	await browser.settle(5);
	assert.deepEqual(shown, []);
	browser.event(browser.window, "pageshow", { persisted: true });
	await browser.pass(1100);
	await meet();
});

test("the last frames of a connection are applied before its end", async () => {
	const { browser, meet, shown, of } = wired();
	unpacking(() => 10);
	await meet();
	browser.socket.say(packed(patch(10, 11, entry(4))));
	browser.socket.end(4403);
	await browser.settle(30);
	assert.deepEqual(shown, [[4, 3, 2]]);
	assert.deepEqual(of("standing"), ["forbidden"]);
});

/** Has three upgrades fail. */
async function refuse(browser) {
	for (let i = 0; i < 3; i++) {
		browser.socket.end();
		while (i < 2 && !browser.socket) {
			await browser.pass(100);
		}
	}
	while (browser.asked.length === 0) {
		await browser.pass(100);
		browser.socket?.end();
	}
}

test("a page without a socket polls for the changes", async () => {
	const { browser, shown, of, heard } = wired();
	await refuse(browser);
	const [poll] = browser.asked;
	assert.equal(poll.url.pathname, "/live/changes");
	assert.deepEqual(Object.fromEntries(poll.url.searchParams), {
		river: "uuid",
		page: "/page",
		epoch: "E",
		counter: "10",
		position: "100",
		as: "html",
		lang: "en",
	});
	poll.answer(200, { ...patch(10, 12, entry(2)), unread: 5, directs: 4, behind: true });
	await browser.pass(100);
	assert.deepEqual(shown, [[2, 3]]);
	assert.deepEqual([of("unread"), of("behind")], [[[5, 4]], [true]]);
	assert.ok(!heard.some(([name]) => name === "standing"));
	await browser.pass(31_000);
	assert.equal(browser.asked[1].url.searchParams.get("counter"), "12");
	browser.asked[1].answer(200, { type: "beat", counter: 12 });
	await browser.pass(100);
	assert.deepEqual(of("behind"), [true, false]);
});

test("a poll refused by the server ends the wire, and a poll refused by a proxy does not", async () => {
	for (const [status, body, standing] of [
		[403, { error: "no", code: "forbidden" }, ["forbidden"]],
		[401, { error: "no", code: "unauthorized" }, ["signed out"]],
		[403, "<html>a portal</html>", ["away"]],
		[403, { error: "a proxy" }, ["away"]],
		[403, "null", ["away"]],
		[200, "<html>a portal</html>", ["away"]],
		[200, '{"type":"hello"}', ["away"]],
		[200, hello(), ["away"]],
		[503, { error: "no", code: "unavailable" }, ["away"]],
	]) {
		const { browser, of, shown } = wired();
		await refuse(browser);
		browser.asked[0].answer(status, body);
		await browser.pass(14_000);
		assert.deepEqual(of("standing"), standing, `${status} ${JSON.stringify(body)}`);
		assert.deepEqual(shown, []);
	}
});

test("the answer to a poll is ignored once a socket is open", async () => {
	const reset = { type: "reset", epoch: "E", counter: 9, entries: [] };
	const { browser, shown, meet } = wired();
	await refuse(browser);
	const [first] = browser.asked;
	while (!browser.socket) {
		await browser.pass(100);
	}
	await meet();
	browser.socket.say(patch(10, 11, entry(4)));
	await browser.settle(3);
	first.answer(200, reset);
	await browser.settle(3);
	assert.deepEqual(shown, [[4, 3, 2]]);
});

test("a poll without an answer does not stop the next one", async () => {
	const { browser } = wired();
	await refuse(browser);
	for (let i = 0; i < 1000; i++) {
		await browser.pass(100);
		browser.socket?.end();
	}
	assert.ok(browser.asked.length >= 3);
	assert.ok(browser.asked.slice(0, -1).every((poll) => poll.over));
});

test("a browser that can't unpack polls", async () => {
	const { browser, of } = wired({ unpacks: false });
	while (browser.asked.length === 0) {
		await browser.pass(100);
		assert.ok(browser.now < 10_000);
	}
	browser.asked[0].answer(200, { type: "beat", counter: 10 });
	await browser.pass(14_000);
	assert.deepEqual(of("standing"), []);
	assert.equal(browser.sockets.length, 0);
});
