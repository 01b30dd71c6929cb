// What a page does with what it is sent: the client rule of API.md §7, and
// nothing of how things look or travel.

import type { Beat, Hello, Known, Op, Patch, PostID, Reset, RiverFrame } from "./protocol.js";

/** What is to be shown after a frame or an answer. */
export interface Show {
	/** All entries of the page, from the top. */
	order: PostID[];
	/** The HTML of those that are new or look different. */
	draw: Map<PostID, string>;
}

/** What a frame or an answer comes to. */
export interface Verdict {
	show?: Show;
	/** The page has to subscribe again: it can't be brought right by what came. */
	again?: boolean;
}

/** A post's entry as the answer to a POST has it; without html it is gone. */
export interface Answered {
	post: PostID;
	/** The river as of which the entry looks so; none: read from the primary. */
	epoch?: string;
	counter?: number;
	tag?: string;
	html?: string;
}

const nothing: Verdict = {};

/** A Follower knows what a page shows, and up to where it has heard. */
export class Follower {
	epoch: string;
	counter: number;
	position: number;
	private order: PostID[] = [];
	private readonly tags = new Map<PostID, string>();
	/** Entries that an answer made newer than the page, by the answer's counter. */
	private readonly answered = new Map<PostID, { counter: number; gone: boolean }>();

	/** A sub was sent and its hello has not come: what comes until then was meant for the page as it was before. */
	private waiting = false;
	/** The next frame is the answer to a sub or a poll. */
	private fresh = false;
	/** That answer could not be applied: the next sub tells nothing, and so gets a reset. */
	private blind = false;
	/** An answer was taken while a sub was under way, so what that told is not true any more. */
	private outdated = false;

	constructor(known: Known) {
		this.epoch = known.epoch;
		this.counter = known.counter;
		this.position = known.position;
		for (const [post, tag] of known.have) {
			this.order.push(post);
			this.tags.set(post, tag);
		}
	}

	/** What the page shows, for a sub that is about to be sent. */
	sub(): Known {
		this.waiting = true;
		this.outdated = false;
		return this.known();
	}

	/** The same for a poll, whose body is an answer without a hello. */
	poll(): Known {
		this.waiting = false;
		this.fresh = true;
		return this.known();
	}

	/** The connection is gone, and with it what was under way. */
	lost(): void {
		this.waiting = false;
		this.fresh = false;
	}

	private known(): Known {
		if (this.blind) {
			return { epoch: "", counter: 0, position: this.position, have: [] };
		}
		const have = this.order.map((post): [PostID, string] => [post, this.tags.get(post) ?? ""]);
		return { epoch: this.epoch, counter: this.counter, position: this.position, have };
	}

	/** Takes a frame. */
	take(frame: RiverFrame): Verdict {
		if (frame.type === "hello") {
			this.greeted(frame);
			return nothing;
		}
		if (frame.type === "bye" || this.waiting) {
			return nothing;
		}
		const verdict = this.follow(frame);
		if (this.outdated && !verdict.again) {
			this.outdated = false;
			return { ...verdict, again: true };
		}
		return verdict;
	}

	private greeted(hello: Hello): void {
		if (!this.waiting) {
			return;
		}
		this.waiting = false;
		this.fresh = true;
		this.moveTo(hello.epoch, hello.counter);
	}

	private follow(frame: Beat | Patch | Reset): Verdict {
		const fresh = this.fresh;
		this.fresh = false;
		switch (frame.type) {
			case "beat":
				return frame.counter > this.counter ? { again: true } : nothing;
			case "reset":
				this.blind = false;
				return this.reset(frame);
			case "patch": {
				const verdict = this.patch(frame);
				this.blind = fresh && verdict.again === true && frame.epoch === this.epoch && frame.from <= this.counter;
				return verdict;
			}
		}
	}

	private patch(patch: Patch): Verdict {
		if (patch.epoch !== this.epoch) {
			return { again: true };
		}
		if (patch.to <= this.counter) {
			return nothing;
		}
		if (patch.from > this.counter) {
			return { again: true };
		}
		const order = this.arrange(patch);
		if (order === undefined) {
			return { again: true };
		}
		const draw = new Map<PostID, string>();
		for (const op of patch.ops) {
			if (this.isNewer(op.post, patch.to)) {
				continue;
			}
			this.answered.delete(op.post);
			if (op.gone) {
				this.tags.delete(op.post);
				continue;
			}
			this.tags.set(op.post, op.tag);
			draw.set(op.post, op.html);
		}
		this.order = order;
		this.moveTo(patch.epoch, patch.to, patch.position);
		return { show: { order: [...order], draw } };
	}

	/** The order that a patch leads to; undefined if it does not fit the page, of which it then changes nothing. */
	private arrange(patch: Patch): PostID[] | undefined {
		const order = [...this.order];
		for (const op of patch.ops) {
			const gone = this.isNewer(op.post, patch.to) ? this.answered.get(op.post)?.gone : undefined;
			if (gone === true || (gone === false && op.gone)) {
				// What an answer says of its being there counts. An entry that came
				// back is one that the server does not know this page to have.
				this.outdated ||= !gone;
				continue;
			}
			if (!move(order, op)) {
				return undefined;
			}
		}
		return order;
	}

	/** Whether an answer has made the entry newer than a patch to that counter would. */
	private isNewer(post: PostID, to: number): boolean {
		const answered = this.answered.get(post);
		return answered !== undefined && to <= answered.counter;
	}

	private reset(reset: Reset): Verdict {
		const draw = new Map<PostID, string>();
		const order: PostID[] = [];
		const before = new Map(this.tags);
		const same = reset.epoch === this.epoch;
		this.tags.clear();
		for (const entry of reset.entries) {
			order.push(entry.post);
			const tag = before.get(entry.post);
			if (same && tag !== undefined && this.isNewer(entry.post, reset.counter)) {
				this.tags.set(entry.post, tag);
				continue;
			}
			this.tags.set(entry.post, entry.tag);
			draw.set(entry.post, entry.html);
		}
		this.order = order;
		this.moveTo(reset.epoch, reset.counter, reset.position);
		return { show: { order: [...order], draw } };
	}

	/** Answers that the page has caught up with, or that are of another river's life, count no more. */
	private moveTo(epoch: string, counter: number, position = 0): void {
		for (const [post, answered] of this.answered) {
			if (epoch !== this.epoch || answered.counter <= counter) {
				this.answered.delete(post);
			}
		}
		this.epoch = epoch;
		this.counter = counter;
		this.position = Math.max(this.position, position);
	}

	/**
	 * Takes the answer to a POST. Its entry is shown at once, in its place or
	 * else, where `top` allows it, as the first. The page's counter stays.
	 */
	answer(answer: Answered, top = true): Verdict {
		const { post, epoch, counter, tag, html } = answer;
		if (counter !== undefined && (epoch !== this.epoch || counter <= this.counter)) {
			return nothing; // the page has it, or the socket will bring it
		}
		const there = this.order.includes(post);
		if (!there && (html === undefined || !top)) {
			return nothing;
		}
		this.outdated ||= this.waiting || this.fresh;
		if (counter !== undefined) {
			this.answered.set(post, { counter, gone: html === undefined });
		}
		const draw = new Map<PostID, string>();
		if (html === undefined) {
			this.order = this.order.filter((other) => other !== post);
			this.tags.delete(post);
		} else {
			if (!there) {
				this.order.unshift(post);
			}
			this.tags.set(post, tag ?? "");
			draw.set(post, html);
		}
		return { show: { order: [...this.order], draw } };
	}

	/** Whether the entry is on the page. */
	has(post: PostID): boolean {
		return this.tags.has(post);
	}
}

/** Does an op to an order; false where what it is to stand below is not there. */
function move(order: PostID[], op: Op): boolean {
	const at = order.indexOf(op.post);
	if (at >= 0) {
		order.splice(at, 1);
	}
	if (op.gone) {
		return true;
	}
	if (op.after === null) {
		order.unshift(op.post);
		return true;
	}
	const above = order.indexOf(op.after);
	if (above < 0) {
		return false;
	}
	order.splice(above + 1, 0, op.post);
	return true;
}
