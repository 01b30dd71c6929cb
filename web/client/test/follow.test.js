import assert from "node:assert/strict";
import { test } from "node:test";
import { Follower } from "../build/follow.js";
import { htmlOf } from "../build/site.js";

const page = (order = [3, 2, 1], counter = 10) =>
	new Follower({ epoch: "E", counter, position: 100, have: order.map((post) => [post, "t" + post]) }, htmlOf);
const entry = (post, after, tag = "new") => ({ post, tag, after, html: `<article ${post} ${tag}>` });
const gone = (post) => ({ post, gone: true });
const patch = (from, to, ...ops) => ({ type: "patch", epoch: "E", from, to, ops });
const hello = (counter, epoch = "E") => ({ type: "hello", epoch, counter, beat: 25000, build: "b" });
const order = (verdict) => verdict.show?.order;
const drawn = (verdict) => [...(verdict.show?.draw.keys() ?? [])];

test("a patch applies iff the epoch is the same and from ≤ counter < to", () => {
	for (const [name, from, to, epoch, want] of [
		["the next one", 10, 11, "E", "show"],
		["one that overlaps", 4, 11, "E", "show"],
		["an old one", 4, 9, "E", "nothing"],
		["one that ends where the page is", 4, 10, "E", "nothing"],
		["one after a gap", 11, 12, "E", "again"],
		["one of another epoch", 10, 11, "F", "again"],
	]) {
		const follower = page();
		const verdict = follower.take({ ...patch(from, to, entry(4, null)), epoch });
		const got = verdict.resubscribe ? "again" : verdict.show ? "show" : "nothing";
		assert.equal(got, want, name);
		assert.equal(follower.counter, want === "show" ? to : 10, name);
	}
});

test("ops put entries below the entry that they name, one after the other", () => {
	const verdict = page().take(patch(10, 12, entry(1, null), entry(4, 1), gone(2), entry(5, 3)));
	assert.deepEqual(order(verdict), [1, 4, 3, 5]);
	assert.deepEqual(drawn(verdict), [1, 4, 5]);
});

test("a patch that does not fit changes nothing and makes the page subscribe again", () => {
	const follower = page();
	assert.deepEqual(follower.take(patch(10, 12, gone(1), entry(4, 99))), { resubscribe: true });
	assert.equal(follower.counter, 10);
	assert.deepEqual(follower.sub().have, [
		[3, "t3"],
		[2, "t2"],
		[1, "t1"],
	]);
});

test("frames between a sub and its hello are ignored", () => {
	const follower = page();
	follower.sub();
	assert.deepEqual(follower.take(patch(10, 11, entry(4, null))), {});
	follower.take(hello(10));
	assert.deepEqual(order(follower.take(patch(10, 11, entry(4, null)))), [4, 3, 2, 1]);
});

test("a hello moves the page to another epoch", () => {
	const follower = page();
	follower.sub();
	follower.take(hello(0, "F"));
	assert.equal(follower.epoch, "F");
	const verdict = follower.take({ ...patch(0, 3, gone(2)), epoch: "F" });
	assert.deepEqual(order(verdict), [3, 1]);
	assert.equal(follower.counter, 3);
});

test("a patch that does not fit after a hello makes the next sub ask for a reset", () => {
	const follower = page();
	follower.sub();
	follower.take(hello(10));
	assert.equal(follower.take(patch(10, 12, entry(4, 99))).resubscribe, true);
	assert.deepEqual(follower.sub(), { epoch: "", counter: 0, position: 100, have: [] });
	follower.take(hello(0, "F"));
	const verdict = follower.take({
		type: "reset",
		epoch: "F",
		counter: 7,
		position: 120,
		entries: [{ post: 9, tag: "n", html: "<nine>" }],
	});
	assert.deepEqual(order(verdict), [9]);
	assert.deepEqual(follower.sub(), { epoch: "F", counter: 7, position: 120, have: [[9, "n"]] });
});

test("a beat ahead of the page makes it subscribe again", () => {
	assert.deepEqual(page().take({ type: "beat", counter: 10 }), {});
	assert.deepEqual(page().take({ type: "beat", counter: 11 }), { resubscribe: true });
});

test("an answer is shown iff its epoch is the page's and its counter is higher", () => {
	for (const [name, epoch, counter, shown] of [
		["newer", "E", 12, true],
		["what the page has", "E", 10, false],
		["older", "E", 9, false],
		["of another epoch", "F", 12, false],
		["read from the primary", undefined, undefined, true],
	]) {
		const follower = page();
		const verdict = follower.answer({ post: 2, epoch, counter, tag: "a", content: "<a>" });
		assert.equal(verdict.show !== undefined, shown, name);
		assert.equal(follower.counter, 10, name);
	}
});

test("until the page has caught up with an answer, patches move its entry but don't draw it", () => {
	const follower = page();
	follower.answer({ post: 2, epoch: "E", counter: 13, tag: "a", content: "<a>" });
	const early = follower.take(patch(10, 12, entry(2, null, "old"), entry(1, 2)));
	assert.deepEqual(order(early), [2, 1, 3]);
	assert.deepEqual(drawn(early), [1]);
	assert.deepEqual(drawn(follower.take(patch(12, 14, entry(2, null, "newest")))), [2]);
});

test("an answer from the primary is replaced by any later op", () => {
	const follower = page();
	follower.answer({ post: 2, tag: "a", content: "<a>" });
	assert.deepEqual(drawn(follower.take(patch(10, 11, entry(2, null)))), [2]);
});

test("an entry that an answer removed is not brought back by older frames", () => {
	const follower = page();
	assert.deepEqual(order(follower.answer({ post: 2, epoch: "E", counter: 12 })), [3, 1]);
	assert.deepEqual(order(follower.take(patch(10, 11, entry(2, null)))), [3, 1]);
	assert.deepEqual(order(follower.take(patch(11, 12, gone(2)))), [3, 1]);
	assert.deepEqual(order(follower.take(patch(12, 13, entry(2, null)))), [2, 3, 1]);
});

test("an entry that an answer brought back makes the page subscribe again, as the server does not know of it", () => {
	const follower = page();
	follower.answer({ post: 2, epoch: "E", counter: 12, tag: "a", content: "<a>" });
	const verdict = follower.take(patch(10, 11, gone(2)));
	assert.deepEqual(order(verdict), [3, 2, 1]);
	assert.equal(verdict.resubscribe, true);
});

test("an answer between a sub and its hello makes the page subscribe once more", () => {
	const follower = page();
	follower.sub();
	follower.answer({ post: 4, epoch: "E", counter: 12, tag: "a", content: "<a>" });
	follower.take(hello(10));
	const verdict = follower.take(patch(10, 11, gone(1)));
	assert.deepEqual(order(verdict), [4, 3, 2]);
	assert.equal(verdict.resubscribe, true);
	follower.sub();
	follower.take(hello(11));
	assert.equal(follower.take(patch(11, 12, gone(3))).resubscribe, undefined);
});

test("a new post stands first only on a page that begins at the top", () => {
	const made = { post: 9, epoch: "E", counter: 12, tag: "a", content: "<a>" };
	assert.deepEqual(order(page().answer(made, true)), [9, 3, 2, 1]);
	assert.deepEqual(page().answer(made, false), {});
});

test("a reset does not undo a newer answer", () => {
	const follower = page();
	follower.answer({ post: 2, epoch: "E", counter: 13, tag: "a", content: "<a>" });
	const entries = [2, 1].map((post) => ({ post, tag: "r", html: "<r>" }));
	assert.deepEqual(drawn(follower.take({ type: "reset", epoch: "E", counter: 12, entries })), [1]);
});

test("a reset keeps entries that newer answers brought, and makes the next sub ask for a comparison", () => {
	const follower = page();
	follower.answer({ post: 9, epoch: "E", counter: 13, tag: "a", content: "<nine>" });
	const reset = { type: "reset", epoch: "E", counter: 12, entries: [{ post: 3, tag: "r", html: "<r>" }] };
	const verdict = follower.take(reset);
	assert.deepEqual(order(verdict), [9, 3]);
	assert.equal(verdict.resubscribe, true);
	assert.deepEqual(follower.sub(), {
		epoch: "",
		counter: 0,
		position: 100,
		have: [
			[9, "a"],
			[3, "r"],
		],
	});
	follower.take(hello(12));
	assert.equal(follower.sub().epoch, "E");
});

test("a reset does not bring back an entry that a newer answer removed", () => {
	const follower = page();
	follower.answer({ post: 2, epoch: "E", counter: 13 });
	const entries = [3, 2, 1].map((post) => ({ post, tag: "r", html: "<r>" }));
	assert.deepEqual(order(follower.take({ type: "reset", epoch: "E", counter: 12, entries })), [3, 1]);
});

test("answers that arrive in another order leave the newest entry", () => {
	const follower = page();
	follower.answer({ post: 2, epoch: "E", counter: 14, tag: "b", content: "<b>" });
	assert.deepEqual(follower.answer({ post: 2, epoch: "E", counter: 12, tag: "a", content: "<a>" }), {});
});

test("an answer from the primary is ignored if the river has sent the entry meanwhile", () => {
	const follower = page();
	const sent = follower.moment;
	follower.take(patch(10, 11, entry(2, null)));
	assert.deepEqual(follower.answer({ post: 2, tag: "a", content: "<a>" }, true, sent), {});
	assert.deepEqual(drawn(follower.answer({ post: 1, tag: "a", content: "<a>" }, true, sent)), [1]);
	follower.sub();
	follower.take(hello(11)); // by which there may be no such entry
	assert.deepEqual(follower.answer({ post: 1, tag: "a", content: "<a>" }, true, sent), {});
});

test("an answer from before a hello is ignored after it", () => {
	const follower = page();
	follower.sub();
	follower.take(hello(0));
	assert.deepEqual(follower.answer({ post: 2, epoch: "E", counter: 9, tag: "a", content: "<a>" }), {});
	assert.deepEqual(drawn(follower.answer({ post: 2, epoch: "E", counter: 11, tag: "a", content: "<a>" })), [2]);
});

test("a page that may show anything names no entries until a reset", () => {
	const follower = page();
	follower.forget();
	assert.deepEqual(follower.sub().have, []);
	follower.take(hello(0));
	follower.take({ type: "beat", counter: 0 });
	assert.deepEqual(follower.sub().have, []);
	follower.take(hello(0));
	follower.take({ type: "reset", epoch: "E", counter: 12, entries: [{ post: 3, tag: "r", html: "<r>" }] });
	assert.deepEqual(follower.sub().have, [[3, "r"]]);
});

test("a page that has grown asks for a reset when it polls", () => {
	const follower = page();
	assert.equal(follower.poll().counter, 10);
	follower.take(patch(10, 11, entry(4, null), gone(1)));
	assert.equal(follower.poll().counter, 11);
	follower.take(patch(11, 12, entry(5, null)));
	assert.deepEqual(follower.poll(), { epoch: "", counter: 0, position: 100, have: [] });
	follower.take({
		type: "reset",
		epoch: "E",
		counter: 12,
		entries: [5, 4, 3].map((post) => ({ post, tag: "r", html: "<r>" })),
	});
	assert.equal(follower.poll().counter, 12);
});
