import assert from "node:assert/strict";
import { test } from "node:test";
import { Link } from "../build/link.js";
import { seeds } from "./random.js";

const second = 1000;
const minute = 60 * second;
const beat = 25 * second;

/** A world around a link: clocks, a network, a server and somebody at the page. */
class World {
	constructor(luck) {
		this.luck = luck;
		this.now = 0; // the steady clock
		this.day = 1e12;
		this.due = []; // what the world does: {at, do, socket}
		this.timers = new Map();
		this.socket = undefined; // the page's: {id, open}
		this.sockets = 0;
		this.weather = "up";
		this.opens = [];
		this.polls = [];
		this.subs = [];
		this.told = "here";
		this.right = false; // the page has all there is
		this.hiddenSince = undefined;
		this.away = false; // put away by the browser
		this.ended = false;
		this.link = new Link(
			() => this.now,
			luck.random,
			() => this.day,
		);
	}
	later(ms, act) {
		this.due.push({ at: this.now + ms, act });
	}
	/** The page is hidden for so long that the link does nothing once it has noticed. */
	get unseen() {
		return this.hiddenSince !== undefined && this.now - this.hiddenSince > minute - 1 && !this.timers.has("sleep");
	}
	/** A delayed act of a socket, if the socket still exists. */
	on(socket, ms, act) {
		this.later(ms, () => this.socket === socket && !socket.dead && act());
	}
	step(event) {
		const over = this.ended;
		const effects = this.link.step(event);
		assert.ok(!over || effects.length === 0, `${JSON.stringify(effects)} after the end`);
		effects.forEach((effect) => this.act(effect));
		if (this.away || this.unseen || this.ended) {
			assert.equal(this.timers.size, 0, `it waits for ${[...this.timers.keys()]} though nothing can come of it`);
			assert.equal(this.socket, undefined, "it has a socket though nothing can come of it");
		}
		const well = this.socket !== undefined || this.timers.has("retry") || this.away || this.unseen || this.ended;
		assert.ok(well, `after ${JSON.stringify(event)} it neither has a socket nor waits for one`);
	}
	act(effect) {
		switch (effect.do) {
			case "open":
				assert.equal(this.socket, undefined, "two sockets at once");
				assert.ok(!this.ended, "a socket after the end");
				this.opens.push(this.now);
				this.socket = { id: ++this.sockets, open: false };
				return this.dial(this.socket);
			case "close":
				this.socket = undefined;
				return;
			case "sub":
				assert.ok(this.socket?.open, "a sub without a socket");
				this.subs.push(this.now);
				return this.answer(this.socket);
			case "vis":
				assert.ok(this.socket?.open, "a word without a socket");
				assert.equal(effect.hidden, this.hiddenSince !== undefined, "what it says of who looks");
				return;
			case "poll":
				this.polls.push(this.now);
				return this.later(this.luck.below(2000), () => this.polled());
			case "set":
				assert.ok(effect.ms >= 0 && effect.ms <= 30 * minute, `${effect.timer} in ${effect.ms} ms`);
				this.timers.set(effect.timer, this.now + effect.ms);
				return;
			case "clear":
				this.timers.delete(effect.timer);
				return;
			case "standing":
				assert.notEqual(effect.standing, this.told, "told twice");
				this.told = effect.standing;
				this.ended ||= effect.standing !== "here" && effect.standing !== "away";
		}
	}
	closed(socket, code) {
		if (this.socket === socket) {
			this.socket = undefined;
			this.right = false;
			this.step({ on: "closed", code });
		}
	}
	dial(socket) {
		const { luck } = this;
		switch (this.weather) {
			case "silent":
				return;
			case "down":
			case "refusing":
				return this.on(socket, luck.below(300), () => this.closed(socket, 1006));
			default:
				this.on(socket, luck.below(500), () => {
					socket.open = true;
					this.step({ on: "opened" });
				});
		}
	}
	answer(socket) {
		const { luck } = this;
		const hello = (then) =>
			this.on(socket, luck.below(800), () => {
				this.step({ on: "frame" });
				this.step({ on: "hello", beat });
				if (this.socket === socket) {
					then?.();
				}
			});
		if (socket.dead) {
			return;
		}
		socket.ill ||= this.weather !== "up";
		switch (this.weather) {
			case "up":
				return hello(() => {
					this.right = true;
					this.beat(socket);
				});
			case "busy":
				return this.on(socket, luck.below(800), () => this.closed(socket, luck.pick([1012, 1013, 4008, 4011])));
			case "garbage":
				return this.on(socket, luck.below(800), () => this.step({ on: "unreadable" }));
			case "muddle":
				return hello(() => this.on(socket, luck.below(800), () => this.step({ on: "resubscribe" })));
			case "cutting":
				return hello(() => this.on(socket, luck.below(40) * second, () => this.closed(socket, 1006)));
			case "restarting":
				return hello(() => {
					this.step({ on: "bye", within: 5000 });
					this.on(socket, 2000, () => this.closed(socket, 1012));
				});
		}
	}
	beat(socket) {
		this.on(socket, beat * (0.8 + 0.4 * this.luck.random()), () => {
			this.step({ on: "frame" });
			this.beat(socket);
		});
	}
	polled() {
		const there = this.weather === "up" || this.weather === "refusing" || this.weather === "silent";
		this.right ||= there && this.link.polls;
		this.step({ on: "polled", status: there ? 200 : this.luck.pick([0, 0, 503, 404]) });
	}
	/** Lets time pass, with all events in it. */
	pass(ms) {
		const end = this.now + ms;
		for (;;) {
			const next = this.due.reduce((a, b) => (b.at < (a?.at ?? Infinity) ? b : a), undefined);
			const [timer, at] = [...this.timers].reduce((a, b) => (b[1] < a[1] ? b : a), [undefined, Infinity]);
			const then = Math.min(next?.at ?? Infinity, at, end);
			this.day += Math.max(0, then - this.now);
			this.now = Math.max(this.now, then);
			if (then === end && (next?.at ?? Infinity) > end && at > end) {
				return;
			}
			if (at <= (next?.at ?? Infinity)) {
				this.timers.delete(timer);
				this.step({ on: "expired", timer });
			} else {
				this.due.splice(this.due.indexOf(next), 1);
				next.act();
			}
			this.watch();
		}
	}
	watch() {
		assert.ok(within(this.opens, this.now, 10 * second) <= 16, "more than 16 tries in ten seconds");
		assert.ok(within(this.polls, this.now, minute) <= 13, "more than 13 polls in a minute");
		assert.ok(within(this.subs, this.now, 10 * second) <= 30, "more than 30 subs in ten seconds");
	}
	/** The machine sleeps: the network forgets its connections, or keeps them. */
	sleep() {
		const ms = this.luck.below(10) * 3600 * second + this.luck.below(60) * second;
		this.day += ms;
		if (this.luck.chance(50)) {
			this.now += ms;
		}
		if (this.socket && this.luck.chance(70)) {
			this.socket.dead = true;
			this.right = false;
		}
	}
	hide() {
		this.hiddenSince ??= this.now;
		this.step({ on: "hidden" });
	}
	show() {
		this.hiddenSince = undefined;
		this.away = false;
		this.step({ on: "shown" });
	}
	leave() {
		this.away = true;
		this.step({ on: "suspended" });
	}
}

const within = (times, now, span) => {
	while (times.length > 0 && now - times[0] > span) {
		times.shift();
	}
	return times.length;
};

/** What may befall a page. */
const faults = ["down", "down", "silent", "refusing", "busy", "garbage", "muddle", "cutting", "restarting", "up", "up"];

function live(world, luck, happened) {
	const note = (what) => (happened[what] = (happened[what] ?? 0) + 1);
	for (let i = 0; i < 60; i++) {
		switch (luck.below(12)) {
			case 0:
			case 1:
			case 2:
				world.weather = luck.pick(faults);
				note(world.weather);
				break;
			case 3:
				if (world.socket?.open) {
					note("cut");
					world.closed(world.socket, luck.pick([1000, 1001, 1006, 4008]));
				}
				break;
			case 4:
				world.hide();
				break;
			case 5:
				note("slept");
				world.sleep();
				world.step({ on: luck.pick(["online", "focused", "frame"]) });
				break;
			case 6:
				world.leave();
				note("suspended");
				world.pass(luck.below(10) * minute);
				if (luck.chance(50)) {
					world.hide(); // as browsers do on the way
				}
				world.show();
				break;
			case 7:
				if (world.socket && luck.chance(50)) {
					world.socket.dead = true; // and nobody says so
					world.right = false;
				}
				break;
			case 8:
				world.step({ on: "online" });
				break;
			default:
				if (world.hiddenSince !== undefined && luck.chance(60)) {
					world.show();
				}
		}
		world.pass(luck.pick([10, 100, second, 5 * second, 40 * second, 3 * minute]) * luck.random());
		if (world.hiddenSince !== undefined && world.now - world.hiddenSince > minute) {
			note("dozed");
		}
	}
}

test("a link, after random faults, keeps its rules and is up to date soon after the last fault", () => {
	const happened = {};
	const one = (luck) => {
		const world = new World(luck);
		world.step({ on: "start", hidden: false });
		live(world, luck, happened);
		// Then all is well, and stays so.
		world.weather = "up";
		const from = world.now;
		world.show();
		if (world.socket?.ill) {
			world.closed(world.socket, 1006);
		}
		while (!world.right) {
			world.pass(100);
			assert.ok(world.now - from < 75 * second, "it is not up to date after 75 seconds of calm");
		}
		while (!world.socket?.open) {
			world.pass(second);
			assert.ok(world.now - from < 6 * minute, "it has no socket after six minutes of calm");
		}
		world.pass(15 * second);
		assert.ok(world.right && world.told === "here", `it says ${world.told}`);
		const { id } = world.socket;
		world.pass(30 * minute);
		assert.equal(world.socket?.id, id, "it drops a connection that is good");
		assert.equal(within(world.polls, world.now, 20 * minute), 0, "it polls beside it");
	};
	seeds(Number(process.env.RUNS ?? 500), one);
	for (const what of [...faults, "cut", "slept", "suspended", "dozed"]) {
		assert.ok(process.env.SEED || happened[what] > 0, `no ${what}`);
	}
});

test("a link whose server is gone tries no more often than the jitter allows", () => {
	for (const weather of ["down", "silent", "refusing", "busy", "garbage", "muddle"]) {
		seeds(25, (luck) => {
			const world = new World(luck);
			world.weather = weather;
			world.step({ on: "start", hidden: false });
			world.pass(2 * minute);
			world.opens.length = world.polls.length = world.subs.length = 0;
			world.watch = () => undefined;
			world.pass(60 * minute);
			// 15 s on the average, and the time that an attempt takes.
			assert.ok(world.opens.length <= 300, `${weather}: ${world.opens.length} tries in an hour`);
			assert.ok(world.polls.length <= 240, `${weather}: ${world.polls.length} polls in an hour`);
			assert.ok(world.subs.length <= 300 * 4, `${weather}: ${world.subs.length} subs in an hour`);
			assert.ok(world.opens.length >= 10, `${weather}: only ${world.opens.length} tries in an hour`);
		});
	}
});

test("a final code ends a link for good", () => {
	seeds(100, (luck) => {
		const world = new World(luck);
		world.step({ on: "start", hidden: false });
		live(world, luck, {});
		world.weather = "up";
		world.show();
		for (let i = 0; !world.socket?.open; i++) {
			world.pass(second);
			assert.ok(i < 400);
		}
		world.closed(world.socket, luck.pick([4400, 4401, 4403, 4429]));
		assert.ok(world.ended);
		const { sockets } = world;
		live(world, luck, {});
		assert.equal(world.sockets, sockets);
	});
});
