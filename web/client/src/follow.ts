// What a page does with what it is sent: the rule of docs/wire.md#the-rule-of-a-client, and
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
	/** How many entries it had when it was made. */
	private length: number;
	private tags = new Map<PostID, string>();
	/** The counter of what is shown; that of the page may be 0, where a hello says so. */
	private highest: number;
	/** Entries that an answer made newer than the page, by the answer's counter. */
	private readonly answered = new Map<PostID, { counter: number; gone: boolean }>();

	/** How often the page was told of something, and when it was last told of an entry by its river. */
	private told = 0;
	private greetedAt = 0;
	private readonly touched = new Map<PostID, number>();

	/** A sub was sent and its hello has not come: what comes until then was meant for the page as it was before. */
	private waiting = false;
	/** The next frame is the answer to a sub or a poll. */
	private fresh = false;
	/** That answer could not be applied: the next sub tells nothing, and so gets a reset. */
	private blind = false;
	/** What the page shows is of two states: the next sub has it compared. */
	private mixed = false;
	/** An answer was taken while a sub was under way, so what that told is not true any more. */
	private outdated = false;

	constructor(known: Known) {
		this.epoch = known.epoch;
		this.counter = this.highest = known.counter;
		this.position = known.position;
		for (const [post, tag] of known.have) {
			this.order.push(post);
			this.tags.set(post, tag);
		}
		this.length = this.order.length;
	}

	/** What the page shows, for a sub that is about to be sent. */
	sub(): Known {
		this.waiting = true;
		this.outdated = false;
		return this.known();
	}

	/**
	 * The same for a poll, whose body is an answer without a hello. It does not
	 * tell what the page has, so it is answered for a page as long as it was made:
	 * one that has grown since is made anew, or its end would be told nothing more.
	 */
	poll(): Known {
		this.waiting = false;
		this.fresh = true;
		return this.order.length > this.length || this.mixed ? this.nothing() : this.known();
	}

	/** What the page shows is not known any more: the next sub tells nothing, and so gets a reset. */
	forget(): void {
		this.blind = true;
	}

	/** The connection is gone, and with it what was under way. */
	lost(): void {
		this.waiting = false;
		this.fresh = false;
	}

	private known(): Known {
		if (this.blind) {
			return this.nothing();
		}
		const have = this.order.map((post): [PostID, string] => [post, this.tags.get(post) ?? ""]);
		if (this.mixed) {
			return { epoch: "", counter: 0, position: this.position, have };
		}
		return { epoch: this.epoch, counter: this.counter, position: this.position, have };
	}

	private nothing(): Known {
		return { epoch: "", counter: 0, position: this.position, have: [] };
	}

	/** Takes a frame. */
	take(frame: RiverFrame): Verdict {
		if (frame.type === "hello") {
			this.greeted(frame);
			return nothing;
		}
		if (this.waiting) {
			return nothing;
		}
		this.told++;
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
		this.waiting = this.mixed = false;
		this.fresh = true;
		this.greetedAt = ++this.told;
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
				this.blind ||= fresh && verdict.again === true && frame.epoch === this.epoch && frame.from <= this.counter;
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
			this.touched.set(op.post, this.told);
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
		if (reset.epoch !== this.epoch) {
			this.answered.clear();
		}
		const draw = new Map<PostID, string>();
		const tags = new Map<PostID, string>();
		for (const { post, tag, html } of reset.entries) {
			const newer = this.isNewer(post, reset.counter);
			if (newer && this.answered.get(post)?.gone) {
				continue;
			}
			const shown = newer ? this.tags.get(post) : undefined;
			tags.set(post, shown ?? tag);
			if (shown === undefined) {
				draw.set(post, html);
				this.touched.set(post, this.told);
			}
		}
		const order = [...tags.keys()];
		this.length = order.length;
		this.order = [...this.unheard(reset.counter, tags), ...order];
		this.tags = tags;
		this.moveTo(reset.epoch, reset.counter, reset.position);
		return { show: { order: [...this.order], draw } };
	}

	/** Entries that answers brought after what a reset tells of; their tags are put to the others. */
	private unheard(counter: number, tags: Map<PostID, string>): PostID[] {
		const posts = this.order.filter((post) => !tags.has(post) && this.isNewer(post, counter));
		posts.forEach((post) => tags.set(post, this.tags.get(post) ?? ""));
		if (posts.length > 0) {
			this.mixed = this.outdated = true; // nobody knows the page to have them
		}
		return posts;
	}

	/** Answers that the page has caught up with, or that are of another river's life, count no more. */
	private moveTo(epoch: string, counter: number, position = 0): void {
		for (const [post, answered] of this.answered) {
			if (epoch !== this.epoch || answered.counter <= counter) {
				this.answered.delete(post);
			}
		}
		this.highest = epoch === this.epoch ? Math.max(this.highest, counter) : counter;
		this.epoch = epoch;
		this.counter = counter;
		this.position = Math.max(this.position, position);
	}

	/** Something is about to be sent: what to tell with its answer. */
	get moment(): number {
		return this.told;
	}

	/**
	 * Takes the answer to a POST that was sent at a moment. Its entry is shown at
	 * once, in its place or else, where `top` allows it, as the first. The page's
	 * counter stays.
	 */
	answer(answer: Answered, top = true, sent = this.moment): Verdict {
		const { post, epoch, counter, tag, html } = answer;
		if (counter === undefined ? this.toldSince(post, sent) : this.knows(post, epoch, counter)) {
			return nothing; // the page has it, or the socket will bring it
		}
		const there = this.order.includes(post);
		if (!there && (html === undefined || !top)) {
			return nothing;
		}
		this.outdated ||= this.waiting || this.fresh;
		if (counter !== undefined) {
			this.touched.set(post, ++this.told);
		}
		const of = counter ?? this.answered.get(post)?.counter;
		if (of !== undefined) {
			this.answered.set(post, { counter: of, gone: html === undefined });
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

	/** Whether an answer of that counter is no news, or of another life of the river. */
	private knows(post: PostID, epoch: string | undefined, counter: number): boolean {
		return epoch !== this.epoch || counter <= this.highest || counter <= (this.answered.get(post)?.counter ?? 0);
	}

	/** Whether the page was told of the entry since then, or of all that it had missed, by which it may not be there at all. */
	private toldSince(post: PostID, sent: number): boolean {
		return Math.max(this.touched.get(post) ?? 0, this.greetedAt) > sent;
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
