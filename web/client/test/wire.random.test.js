import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { Follower } from "../build/follow.js";
import { htmlOf as contentOf, site } from "../build/site.js";
import { Wire } from "../build/wire.js";
import { Browser, listening } from "./browser.js";
import { lucky } from "./random.js";
import { htmlOf, River, Socket, tagOf } from "./river.js";
import { unpacking } from "./unpacking.js";

const second = 1000;

/** A page, its browser, its server, and the link between them. */
class Site {
	constructor(luck, happened) {
		Object.assign(this, { luck, happened, weather: "up", calm: false });
		unpacking(() => luck.below(3));
		this.browser = new Browser(luck.random);
		this.river = new River();
		for (let i = 0; i < 30; i++) {
			this.river.write();
		}
		this.count = luck.pick([5, 25]);
		const there = this.river.now().slice(0, this.count);
		this.shown = there.map(htmlOf);
		const html = new Map(there.map((state) => [state.post, htmlOf(state)]));
		const listener = listening({
			verdict: ({ show }) => {
				show?.draw.forEach((text, post) => html.set(post, text));
				this.shown = show?.order.map((post) => html.get(post)) ?? this.shown;
				if (show && luck.chance(this.calm ? 0 : 2)) {
					this.note("not shown");
					throw new Error("the page fell over");
				}
			},
		});
		const have = there.map((state) => [state.post, tagOf(state)]);
		this.follower = new Follower(
			{ epoch: this.river.epoch, counter: this.river.counter, position: 0, have },
			contentOf,
		);
		this.listener = listener;
		this.wire = new Wire(site, "uuid", "/page", this.follower, listener);
		this.wire.start();
	}
	note(what) {
		this.happened[what] = (this.happened[what] ?? 0) + 1;
	}
	/** Serves what the page has under way: new sockets, and polls. */
	serve() {
		const { luck } = this;
		const { socket } = this.browser;
		if (socket && socket.readyState === 0 && luck.chance(60)) {
			if (this.weather === "up") {
				this.accept(socket);
			} else if (this.weather !== "silent") {
				this.note("refused");
				socket.end();
			}
		}
		for (const poll of this.browser.asked.filter(({ over }) => !over)) {
			this.answer(poll);
		}
	}
	accept(socket) {
		const far = new Socket(this.river, this.count, (frame) => this.send(socket, frame));
		socket.far = far;
		socket.heard = (frame) => {
			if (frame.type === "sub" && !socket.dead) {
				far.sub(frame);
			}
		};
		socket.open();
	}
	send(socket, frame) {
		const text = JSON.stringify(frame);
		if (!socket.dead) {
			const { buffer, byteOffset, byteLength } = deflateRawSync(text);
			socket.say(this.luck.chance(50) ? text : buffer.slice(byteOffset, byteOffset + byteLength));
		}
	}
	answer(poll) {
		if (this.weather === "down") {
			return poll.fail();
		}
		if (this.weather === "silent") {
			return;
		}
		const { searchParams } = poll.url;
		const known = { epoch: searchParams.get("epoch"), counter: Number(searchParams.get("counter")) };
		const { frame } = this.river.resume(known, this.count);
		this.note("polled");
		const nothing = frame.type === "patch" && frame.ops.length === 0;
		poll.answer(200, nothing ? { type: "beat", counter: known.counter } : frame);
	}
	/** Something happens to the river. */
	change() {
		const { luck, river } = this;
		const post = Math.max(1, river.last - luck.below(20));
		const n = luck.below(100);
		if (n < 40) {
			river.put(post, luck.chance(50));
		} else if (n < 70) {
			river.write();
		} else if (n < 85) {
			river.remove(post);
		} else if (n < 90) {
			river.purge();
		} else if (n < 95) {
			river.rebuild();
		}
		this.look();
	}
	look() {
		const { socket } = this.browser;
		if (socket?.readyState === 1) {
			socket.far.look();
			socket.far.beat();
		}
	}
	/** Something happens to the page. */
	async befall() {
		const { luck, browser } = this;
		const { socket } = browser;
		const open = socket?.readyState === 1;
		switch (luck.below(12)) {
			case 0:
				this.weather = luck.pick(["up", "up", "down", "silent", "refusing"]);
				return;
			case 1:
				return open && socket.end(luck.pick([1001, 1006, 1012, 1013, 4008, 4011]));
			case 2:
				if (open) {
					this.note("unreadable");
					socket.say(luck.pick(["{", "", '{"type":"patch"}', new Uint8Array([1, 2, 3]).buffer, new ArrayBuffer(0)]));
				}
				return;
			case 3:
				return browser.look(false);
			case 4:
			case 5:
				return browser.look(true);
			case 6:
				this.note("put away");
				browser.event(browser.window, "pagehide", { persisted: true });
				await browser.settle(2);
				assert.equal(browser.timers.size, 0, "it waits for something");
				browser.day += luck.below(10) * 3600 * second;
				return browser.event(browser.window, "pageshow", { persisted: true });
			case 7:
				this.note("slept");
				browser.day += luck.below(10) * 3600 * second;
				if (socket && luck.chance(50)) {
					socket.dead = true;
				}
				return browser.event(browser.window, luck.pick(["online", "focus"]));
			case 8:
				return open && socket.say({ type: luck.pick(["present", "later"]), count: 3 });
			default:
				return undefined;
		}
	}
	/** Whether the page is as its river. */
	get right() {
		const now = this.river.now().slice(0, this.shown.length).map(htmlOf);
		return this.shown.length > 0 && JSON.stringify(now) === JSON.stringify(this.shown);
	}
}

test("a page, after random faults of its connection, ends like its river", async () => {
	const happened = {};
	const only = process.env.SEED;
	for (let seed = only ? Number(only) : 1; seed <= (only ? Number(only) : Number(process.env.RUNS ?? 20)); seed++) {
		const luck = lucky(seed * 104729);
		const site = new Site(luck, happened);
		for (let i = 0; i < 120; i++) {
			luck.chance(60) ? site.change() : await site.befall();
			site.serve();
			await site.browser.pass(luck.pick([10, 300, 2000, 20_000]) * luck.random());
		}
		site.weather = "up";
		site.calm = true;
		site.browser.look(true);
		const from = site.browser.now;
		while (!site.right || site.browser.socket?.readyState !== 1) {
			assert.ok(
				site.browser.now - from < 360 * second,
				`seed ${seed}: after six minutes of calm: ${site.shown.slice(0, 5)}, not ${site.river.now().slice(0, 5).map(htmlOf)}`,
			);
			site.serve();
			site.look();
			await site.browser.pass(200);
		}
		const standings = site.listener.of("standing");
		assert.ok(["here", undefined].includes(standings.at(-1)), `seed ${seed}: it says ${standings.at(-1)}`);
		const { socket } = site.browser;
		for (let i = 0; i < 60; i++) {
			// and so it stays
			site.look();
			await site.browser.pass(10 * second);
		}
		assert.equal(site.browser.socket, socket, `seed ${seed}: a good connection is dropped`);
		assert.ok(site.right, `seed ${seed}`);
		assert.equal(site.browser.asked.filter(({ over }) => !over).length, 0, `seed ${seed}: a poll is under way`);
		site.browser.event(site.browser.window, "pagehide");
	}
	for (const what of ["refused", "polled", "unreadable", "put away", "slept", "not shown"]) {
		assert.ok(only || happened[what] > 0, `no ${what}`);
	}
});
