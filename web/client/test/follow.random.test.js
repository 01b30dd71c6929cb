import assert from "node:assert/strict";
import { test } from "node:test";
import { Follower } from "../build/follow.js";
import { htmlOf as contentOf } from "../build/site.js";
import { seeds } from "./random.js";
import { answerOf, htmlOf, River, Socket, tagOf } from "./river.js";

/** A page without a browser: the entries that its follower makes it show. */
class Shown {
	constructor(river, count) {
		const have = river
			.now()
			.slice(0, count)
			.map((state) => [state.post, tagOf(state)]);
		this.follower = new Follower({ epoch: river.epoch, counter: river.counter, position: 0, have }, contentOf);
		this.html = new Map(
			river
				.now()
				.slice(0, count)
				.map((state) => [state.post, htmlOf(state)]),
		);
		this.order = have.map(([post]) => post);
		this.newest = new Map(); // the version that a post was shown in at last
		this.loose = new Set(); // posts that were shown as the primary has them, which rivers may be behind
	}
	show(verdict, what) {
		if (!verdict.show) {
			return;
		}
		const { order, draw } = verdict.show;
		assert.equal(new Set(order).size, order.length, `${what}: an entry is there twice`);
		const html = new Map();
		for (const post of order) {
			const now = draw.get(post) ?? this.html.get(post);
			assert.notEqual(now, undefined, `${what}: the entry of ${post} is nowhere to be had`);
			html.set(post, now);
		}
		for (const [post, now] of html) {
			const version = Number(now.split(":")[1]);
			const before = this.newest.get(post) ?? 0;
			assert.ok(
				version >= before || this.loose.has(post),
				`${what}: ${post} went from version ${before} back to ${version}`,
			);
			this.newest.set(post, version);
		}
		[this.html, this.order] = [html, order];
	}
}

/** The link from a socket to a page. It loses, doubles and reorders frames until it is calm. */
class Way {
	constructor(luck, happened) {
		Object.assign(this, { luck, happened, calm: false, queue: [], held: undefined, broken: false });
	}
	send(frame) {
		// A frame sent before a hello or a reset arrives before it, or not at all.
		const border = frame.type === "hello" || frame.type === "reset";
		const note = (what) => (this.happened[what] = (this.happened[what] ?? 0) + 1);
		if (border) {
			this.held = undefined;
		}
		const n = this.calm ? 100 : this.luck.below(100);
		if (frame.type !== "hello" && n < 5) {
			return note("lost");
		}
		if (!border && n < 10 && !this.held) {
			this.held = frame;
			return;
		}
		this.queue.push(frame);
		if (this.held) {
			note("reordered");
			this.queue.push(this.held);
			this.held = undefined;
		}
		if (!border && n < 15) {
			note("doubled");
			this.queue.push(frame);
		} else if (n < 18) {
			note("broken");
			this.broken = true;
		}
	}
}

/** Runs one page and one river, and counts the events. */
function run(luck, happened) {
	const count = luck.pick([5, 25, 1000]);
	const river = new River();
	const note = (what) => (happened[what] = (happened[what] ?? 0) + 1);
	for (let i = 0; i < 10 + luck.below(40); i++) {
		river.write();
	}
	const page = new Shown(river, count);
	let way,
		socket,
		calm = false,
		subDue = false,
		polled = false;
	const answers = [];
	const connect = () => {
		page.follower.lost();
		way = new Way(luck, happened);
		way.calm = calm;
		socket = new Socket(river, count, (frame) => way.send(frame));
		subDue = true;
	};
	const any = () => Math.max(1, river.last - Math.floor(-Math.log(1 - luck.random()) * 8));
	const alter = (post, rise) => (river.newest(post).version > 0 || luck.chance(20) ? river.put(post, rise) : undefined);
	/** Takes a frame to the page, and the page's requests back. */
	const take = (frame) => {
		const verdict = page.follower.take(frame);
		page.show(verdict, JSON.stringify(frame).slice(0, 200));
		note(verdict.resubscribe ? "resubscriptions" : frame.type);
		subDue ||= verdict.resubscribe === true;
	};
	const change = () => {
		const n = luck.below(100);
		if (n < 25) {
			alter(any(), false);
		} else if (n < 45) {
			alter(any(), true);
		} else if (n < 60) {
			river.write();
		} else if (n < 70) {
			river.remove(any());
			note("removed");
		} else if (n < 85) {
			// by who looks at the page; the answer comes when it comes
			const sent = page.follower.moment;
			const top = luck.chance(40); // a new post
			const post = top ? river.write().post : any();
			if (luck.chance(25)) {
				river.remove(post);
			} else {
				alter(post, luck.chance(50));
			}
			const answer = answerOf(river, post);
			if (luck.chance(15)) {
				(delete answer.epoch, delete answer.counter);
				page.loose.add(post);
			}
			answers.push({ answer, sent, top });
			note("answers");
		} else if (n < 88) {
			for (let i = 0; i < 80; i++) {
				river.write();
			}
		} else if (n < 92) {
			river.purge();
			note("purged");
		} else if (n < 95) {
			river.rebuild();
			note("rebuilt");
		}
	};
	const poll = () => {
		// a page whose socket is gone asks instead
		page.follower.lost();
		const { frame } = river.resume({ ...page.follower.poll(), have: undefined }, count);
		polled = true;
		note("polls");
		take(frame.type === "patch" && frame.ops.length === 0 ? { type: "beat", counter: page.follower.counter } : frame);
	};
	const step = () => {
		switch (luck.below(calm ? 4 : 9)) {
			case 0:
			case 1:
			case 2:
				if (way.queue.length > 0) {
					return take(way.queue.shift());
				}
				if (way.broken) {
					return connect();
				}
				return;
			case 3:
				if (subDue && !page.follower.waiting) {
					subDue = false;
					socket.sub(page.follower.sub());
				} else if (answers.length > 0) {
					const { answer, sent, top } = answers.splice(luck.below(answers.length), 1)[0];
					const verdict = page.follower.answer(answer, top, sent);
					page.show(verdict, JSON.stringify(answer));
					subDue ||= verdict.resubscribe === true;
				} else {
					socket.look();
				}
				return;
			case 4:
			case 5:
				change();
				return socket.look();
			case 6:
				return luck.chance(30) ? socket.beat() : undefined;
			case 7:
				return change(); // and the hub waits a little
			case 8:
				if (luck.chance(5) && count === 1000) {
					poll();
					connect();
				}
		}
	};
	connect();
	for (let i = 0; i < 400; i++) {
		step();
	}
	calm = way.calm = true;
	way.broken ||= polled && luck.chance(50);
	for (let i = 0; i < 400; i++) {
		step();
		if (i % 20 === 0) {
			socket.look();
			socket.beat();
		}
	}
	const now = river.now();
	const want = now.slice(0, page.order.length);
	const all = way.queue.length === 0 && answers.length === 0 && !subDue;
	assert.ok(all, "it does not come to rest");
	assert.deepEqual(
		page.order.map((post) => page.html.get(post)),
		want.map(htmlOf),
		"the page is not as its river",
	);
	assert.ok(page.order.length >= Math.min(count, now.length), "the page is not filled");
	assert.equal(page.follower.epoch, river.epoch);
}

test("a page, after frames that were lost, doubled or reordered, ends like its river and never goes back", () => {
	const happened = {};
	seeds(Number(process.env.RUNS ?? 120), (luck) => run(luck, happened));
	for (const what of [
		"lost",
		"doubled",
		"reordered",
		"broken",
		"removed",
		"answers",
		"purged",
		"rebuilt",
		"polls",
		"resubscriptions",
		"patch",
		"reset",
		"hello",
		"beat",
	]) {
		assert.ok(process.env.SEED || happened[what] > 0, `no ${what}`);
	}
	console.log(JSON.stringify(happened));
});
