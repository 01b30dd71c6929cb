import assert from "node:assert/strict";
import { test } from "node:test";
import { Amstel, Failure, uuidOf } from "../build/package/lib/index.js";
import { jsonPath } from "../build/package/lib/path.js";
import { Browser } from "./browser.js";
import { unpacking } from "./unpacking.js";

const entry = (id, tag, user = 1) => ({ id, tag, user_id: user, text: `${id} ${tag}` });
const page = (more = {}) => ({
	entries: [entry(3, "t3"), entry(2, "t2")],
	river: { uuid: "uuid", epoch: "E", counter: 10, position: 100, live: true, ...more },
	users: { 1: { id: 1, name: "anna" } },
	groups: {},
});
const hello = { type: "hello", epoch: "E", counter: 10, beat: 25_000, build: "b" };
const put = (id, tag, after = null) => ({ post: id, tag, after, entry: entry(id, tag) });
const patch = (from, to, ops, more = {}) => ({
	type: "patch",
	epoch: "E",
	from,
	to,
	ops,
	users: {},
	groups: {},
	...more,
});

/** A server that answers each request with what `answer` returns, and the requests that it got. */
function server(answer) {
	const asked = [];
	const send = async (url, { method, headers, body }) => {
		asked.push({ url: String(url), method, headers, body });
		const { status = 200, body: said = {}, headers: of } = answer(String(url), method) ?? {};
		return new Response(typeof said === "string" ? said : JSON.stringify(said), { status, headers: of });
	};
	return { asked, amstel: new Amstel("https://site.test", { token: "ab-12", fetch: send }) };
}

/** A followed page whose socket is open, and what its watcher was told. */
async function followed(watcher = {}) {
	unpacking();
	const browser = new Browser();
	const { amstel, asked } = server(() => ({ body: page() }));
	const told = [];
	const note = (change) =>
		void told.push(Object.fromEntries(Object.entries(change).map(([k, v]) => [k, v.map((one) => one.id ?? one)])));
	const river = await amstel.follow("/anna?count=2", {
		changed: note,
		ended: (why) => void told.push(why),
		...watcher,
	});
	const { socket } = browser;
	socket.open();
	await browser.settle();
	socket.say(hello);
	await browser.settle(3);
	return { browser, river, told, asked, socket };
}

test("a followed page names the token as a protocol and subscribes with its entries", async () => {
	const { socket, asked, river } = await followed();
	assert.equal(asked[0].url, "https://site.test/anna.json?count=2");
	assert.equal(String(socket.address), "wss://site.test/live");
	assert.deepEqual(socket.protocol, ["amstel.v1", "amstel.token.ab-12"]);
	assert.deepEqual(socket.sent[0].have, [
		[3, "t3"],
		[2, "t2"],
	]);
	assert.deepEqual([socket.sent[0].as, socket.sent[0].page], ["json", "/anna?count=2"]);
	river.stop();
	assert.equal(socket.closedBy, "page");
});

test("patches and resets change the entries, and the watcher is told the difference", async () => {
	const { browser, river, told, socket } = await followed();
	socket.say(
		patch(10, 11, [put(4, "t4"), put(2, "new", 4), { post: 3, gone: true }], {
			users: { 7: { id: 7, name: "boris" } },
		}),
	);
	await browser.settle(5);
	assert.deepEqual(told.pop(), { added: [4], changed: [2], gone: [3] });
	assert.deepEqual(
		river.entries.map(({ text }) => text),
		["4 t4", "2 new"],
	);
	assert.deepEqual(Object.keys(river.users), ["1", "7"]);
	const { id, tag, ...rest } = entry(9, "t9");
	socket.say({
		type: "reset",
		epoch: "F",
		counter: 3,
		entries: [
			{ post: id, tag, id, ...rest },
			{ post: 2, ...entry(2, "new") },
		],
		users: {},
		groups: {},
	});
	await browser.settle(5);
	assert.deepEqual(told.pop(), { added: [9], changed: [], gone: [4] });
	socket.say({ type: "beat", counter: 3 });
	await browser.settle(5);
	assert.equal(told.length, 0);
});

test("a watcher that throws is reported, and the river goes on", async () => {
	const failed = [];
	const { browser, river, socket } = await followed({
		changed: async () => {
			throw new Error("the bot fell over");
		},
		failed: (error) => void failed.push(error.message),
	});
	socket.say(patch(10, 11, [put(4, "t4")]));
	socket.say(patch(11, 12, [put(5, "t5")]));
	await browser.settle(10);
	assert.deepEqual(failed, ["the bot fell over", "the bot fell over"]);
	assert.deepEqual(
		river.entries.map(({ id }) => id),
		[5, 4, 3, 2],
	);
});

test("a river whose token ended tells the watcher so", async () => {
	const { browser, told, socket } = await followed();
	socket.end(4401);
	await browser.settle(5);
	assert.deepEqual(told, ["signed out"]);
});

test("a page that is not live can't be followed", async () => {
	const { amstel } = server(() => ({ body: page({ live: false }) }));
	await assert.rejects(amstel.follow("/anna?page=9"), { name: "Failure", code: "not_live" });
});

test("a request that may be sent twice is sent again until the server answers", async () => {
	const browser = new Browser();
	for (const [name, send, tries] of [
		["a page", (amstel) => amstel.page("/"), 4],
		["a comment with a uuid", (amstel) => amstel.comment(7, "Hi", "u"), 4],
		["a comment without one", (amstel) => amstel.comment(7, "Hi"), 1],
	]) {
		const statuses = [503, 502, 429];
		const { amstel, asked } = server(() => ({
			status: statuses.shift() ?? 200,
			body: {},
			headers: { "Retry-After": "5" },
		}));
		let over = false;
		const sent = send(amstel).then(
			() => (over = "answered"),
			() => (over = "failed"),
		);
		while (!over) {
			await browser.pass(1000);
		}
		await sent;
		assert.deepEqual([asked.length, over], [tries, tries > 1 ? "answered" : "failed"], name);
	}
});

test("a request has the token and its body, and a refusal is a Failure", async () => {
	const { amstel, asked } = server((url) =>
		url.endsWith("/posts")
			? { status: 429, body: { error: "Too many.", code: "throttled" }, headers: { "Retry-After": "7" } }
			: { status: 502, body: "<html>" },
	);
	await assert.rejects(amstel.post({ text: "Hello" }), (error) => {
		assert.ok(error instanceof Failure);
		assert.deepEqual([error.status, error.code, error.message, error.retryAfter], [429, "throttled", "Too many.", 7]);
		return true;
	});
	assert.equal(asked[0].headers["X-API-Token"], "ab-12");
	assert.deepEqual(JSON.parse(asked[0].body), { post: { timelines: ["user"], text: "Hello" } });
	await assert.rejects(amstel.like(7), { status: 502, code: "" });
});

test("the UUID of a name is valid and always the same", async () => {
	assert.match(await uuidOf("one"), /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
	assert.equal(await uuidOf("one"), "7692c3ad-3540-8b80-bc02-0b3aee66cd88"); // as the Go package has it
	assert.notEqual(await uuidOf("one"), await uuidOf("two"));
});

test("the path of a page as JSON", () => {
	for (const [path, want] of [
		["/", "/index.json"],
		["/anna", "/anna.json"],
		["/s?q=a b", "/s.json?q=a%20b"],
		["/anna/7.json", "/anna/7.json"],
	]) {
		assert.equal(jsonPath(path), want);
	}
});
