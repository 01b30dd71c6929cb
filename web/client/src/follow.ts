// Decides what a page shows after each frame and each answer, by the rule of
// docs/wire.md#the-rule-of-a-client. Drawing and connecting are elsewhere.

import type { AsHTML, Beat, Hello, Known, Op, Patch, PostID, Reset, RiverFrame } from "./protocol.js";

/** What the page is to show after a frame or an answer. */
export interface Show<Content = string> {
	/** All entries of the page, from the top. */
	order: PostID[];
	/** The content of the entries that are new or have changed: HTML, on a page. */
	draw: Map<PostID, Content>;
}

/** The result of a frame or an answer. */
export interface Verdict<Content = string> {
	show?: Show<Content>;
	/** The page has to subscribe again, because the frame can't bring it up to date. */
	resubscribe?: boolean;
}

/** A post's entry in the answer to a POST; without content the entry is gone. */
export interface Answered<Content = string> {
	post: PostID;
	/**
	 * The state of the river in which the entry was read; without it the entry came from the
	 * primary.
	 */
	epoch?: string;
	counter?: number;
	tag?: string;
	content?: Content;
}

const unchanged = {};

/**
 * A Follower knows what a page shows, and which state of the river that is. `In` and `Whole` are
 * what an entry has in a patch and in a reset, besides its post and tag.
 */
export class Follower<Content = string, In = AsHTML, Whole = AsHTML> {
	epoch: string;
	counter: number;
	position: number;
	private order: PostID[] = [];
	/** The number of entries when the page was loaded or reset. */
	private builtLength: number;
	private tags = new Map<PostID, string>();
	/** The highest counter of an entry on the page. `counter` may be lower: 0, if a hello says so. */
	private shownCounter: number;
	/** The entries that an answer made newer than the page, with the answer's counter. */
	private readonly answered = new Map<PostID, { counter: number; gone: boolean }>();

	/** A count of the frames and answers so far; its values at the last hello, and at the river's last news of each entry. */
	private clock = 0;
	private helloAt = 0;
	private readonly toldAt = new Map<PostID, number>();

	/** A sub was sent and its hello has not come. Frames before the hello answer an earlier sub, and are ignored. */
	private awaitingHello = false;
	/** The next frame is the answer to a sub or a poll. */
	private awaitingAnswer = false;
	/** The page may show anything: the next sub names no entries, so the server answers with a reset. */
	private needsReset = false;
	/** The page shows entries of two states: the next sub names all of them without a counter, so the server compares them. */
	private needsComparison = false;
	/** An answer has changed the page since the last sub, so the sub was out of date: the page has to send another. */
	private answerOutdated = false;

	/** `contentOf` returns the content of an entry of a frame. */
	constructor(
		known: Known,
		private readonly contentOf: (entry: In | Whole) => Content,
	) {
		this.epoch = known.epoch;
		this.counter = this.shownCounter = known.counter;
		this.position = known.position;
		for (const [post, tag] of known.have) {
			this.order.push(post);
			this.tags.set(post, tag);
		}
		this.builtLength = this.order.length;
	}

	/** Returns the page's content, for a sub that the caller sends now. */
	sub(): Known {
		this.awaitingHello = true;
		this.answerOutdated = false;
		return this.known();
	}

	/**
	 * Returns the same for a poll, which is answered without a hello. A poll does not
	 * name the page's entries, so the server answers for a page as long as it was when
	 * loaded. A page that has grown since asks for a reset: without one the entries at
	 * its end would get no more news.
	 */
	poll(): Known {
		this.awaitingHello = false;
		this.awaitingAnswer = true;
		return this.order.length > this.builtLength || this.needsComparison ? this.knownNothing() : this.known();
	}

	/** Makes the next sub ask for a reset, because the page may show anything. */
	forget(): void {
		this.needsReset = true;
	}

	/** Notes that the connection is gone, and its pending answers with it. */
	lost(): void {
		this.awaitingHello = false;
		this.awaitingAnswer = false;
	}

	private known(): Known {
		if (this.needsReset) {
			return this.knownNothing();
		}
		const have = this.order.map((post): [PostID, string] => [post, this.tags.get(post) ?? ""]);
		if (this.needsComparison) {
			return { epoch: "", counter: 0, position: this.position, have };
		}
		return { epoch: this.epoch, counter: this.counter, position: this.position, have };
	}

	private knownNothing(): Known {
		return { epoch: "", counter: 0, position: this.position, have: [] };
	}

	/** Applies a frame, and returns what the page is to show and do. */
	take(frame: RiverFrame<In, Whole>): Verdict<Content> {
		if (frame.type === "hello") {
			this.applyHello(frame);
			return unchanged;
		}
		if (this.awaitingHello) {
			return unchanged;
		}
		this.clock++;
		const verdict = this.applyNews(frame);
		if (this.answerOutdated && !verdict.resubscribe) {
			this.answerOutdated = false;
			return { ...verdict, resubscribe: true };
		}
		return verdict;
	}

	private applyHello(hello: Hello): void {
		if (!this.awaitingHello) {
			return;
		}
		this.awaitingHello = this.needsComparison = false;
		this.awaitingAnswer = true;
		this.helloAt = ++this.clock;
		this.moveTo(hello.epoch, hello.counter);
	}

	private applyNews(frame: Beat | Patch<In> | Reset<Whole>): Verdict<Content> {
		const fresh = this.awaitingAnswer;
		this.awaitingAnswer = false;
		switch (frame.type) {
			case "beat":
				return frame.counter > this.counter ? { resubscribe: true } : unchanged;
			case "reset":
				this.needsReset = false;
				return this.applyReset(frame);
			case "patch": {
				const verdict = this.applyPatch(frame);
				this.needsReset ||=
					fresh && verdict.resubscribe === true && frame.epoch === this.epoch && frame.from <= this.counter;
				return verdict;
			}
		}
	}

	private applyPatch(patch: Patch<In>): Verdict<Content> {
		if (patch.epoch !== this.epoch) {
			return { resubscribe: true };
		}
		if (patch.to <= this.counter) {
			return unchanged;
		}
		if (patch.from > this.counter) {
			return { resubscribe: true };
		}
		const order = this.orderAfter(patch);
		if (order === undefined) {
			return { resubscribe: true };
		}
		const draw = new Map<PostID, Content>();
		for (const op of patch.ops) {
			if (this.isNewer(op.post, patch.to)) {
				continue;
			}
			this.answered.delete(op.post);
			this.toldAt.set(op.post, this.clock);
			if (op.gone) {
				this.tags.delete(op.post);
				continue;
			}
			this.tags.set(op.post, op.tag);
			draw.set(op.post, this.contentOf(op));
		}
		this.order = order;
		this.moveTo(patch.epoch, patch.to, patch.position);
		return { show: { order: [...order], draw } };
	}

	/** Returns the order of the entries after a patch; undefined if the patch does not fit the page. */
	private orderAfter(patch: Patch<In>): PostID[] | undefined {
		const order = [...this.order];
		for (const op of patch.ops) {
			const gone = this.isNewer(op.post, patch.to) ? this.answered.get(op.post)?.gone : undefined;
			if (gone === true || (gone === false && op.gone)) {
				// The newer answer decides whether the entry is on the page. If the answer brought
				// the entry back, the server does not know that this page has the entry.
				this.answerOutdated ||= !gone;
				continue;
			}
			if (!applyOp(order, op)) {
				return undefined;
			}
		}
		return order;
	}

	/** Reports whether an answer has made the entry newer than a frame with that counter. */
	private isNewer(post: PostID, to: number): boolean {
		const answered = this.answered.get(post);
		return answered !== undefined && to <= answered.counter;
	}

	private applyReset(reset: Reset<Whole>): Verdict<Content> {
		if (reset.epoch !== this.epoch) {
			this.answered.clear();
		}
		const draw = new Map<PostID, Content>();
		const tags = new Map<PostID, string>();
		for (const entry of reset.entries) {
			const { post, tag } = entry;
			const newer = this.isNewer(post, reset.counter);
			if (newer && this.answered.get(post)?.gone) {
				continue;
			}
			const shown = newer ? this.tags.get(post) : undefined;
			tags.set(post, shown ?? tag);
			if (shown === undefined) {
				draw.set(post, this.contentOf(entry));
				this.toldAt.set(post, this.clock);
			}
		}
		const order = [...tags.keys()];
		this.builtLength = order.length;
		this.order = [...this.answeredAfter(reset.counter, tags), ...order];
		this.tags = tags;
		this.moveTo(reset.epoch, reset.counter, reset.position);
		return { show: { order: [...this.order], draw } };
	}

	/** Returns the entries that answers brought after the state of a reset, and adds their tags to `tags`. */
	private answeredAfter(counter: number, tags: Map<PostID, string>): PostID[] {
		const posts = this.order.filter((post) => !tags.has(post) && this.isNewer(post, counter));
		posts.forEach((post) => tags.set(post, this.tags.get(post) ?? ""));
		if (posts.length > 0) {
			this.needsComparison = this.answerOutdated = true; // the server does not know that the page has them
		}
		return posts;
	}

	/**
	 * Moves the page to a state, and drops answers that this state includes, and answers of
	 * another epoch.
	 */
	private moveTo(epoch: string, counter: number, position = 0): void {
		for (const [post, answered] of this.answered) {
			if (epoch !== this.epoch || answered.counter <= counter) {
				this.answered.delete(post);
			}
		}
		this.shownCounter = epoch === this.epoch ? Math.max(this.shownCounter, counter) : counter;
		this.epoch = epoch;
		this.counter = counter;
		this.position = Math.max(this.position, position);
	}

	/** The moment to pass to `answer` later, for a POST that the caller sends now. */
	get moment(): number {
		return this.clock;
	}

	/**
	 * Applies the answer to a POST that was sent at the moment `sent`. The entry is shown
	 * at once, in its place, or first on the page if it is new and `top` is true. The
	 * page's counter stays, because the river's frames are still to come.
	 */
	answer(answer: Answered<Content>, top = true, sent = this.moment): Verdict<Content> {
		const { post, epoch, counter, tag, content } = answer;
		if (counter === undefined ? this.toldSince(post, sent) : this.isOld(post, epoch, counter)) {
			return unchanged; // the page has the entry already, or the socket will bring it
		}
		const there = this.order.includes(post);
		if (!there && (content === undefined || !top)) {
			return unchanged;
		}
		this.answerOutdated ||= this.awaitingHello || this.awaitingAnswer;
		if (counter !== undefined) {
			this.toldAt.set(post, ++this.clock);
		}
		const of = counter ?? this.answered.get(post)?.counter;
		if (of !== undefined) {
			this.answered.set(post, { counter: of, gone: content === undefined });
		}
		const draw = new Map<PostID, Content>();
		if (content === undefined) {
			this.order = this.order.filter((other) => other !== post);
			this.tags.delete(post);
		} else {
			if (!there) {
				this.order.unshift(post);
			}
			this.tags.set(post, tag ?? "");
			draw.set(post, content);
		}
		return { show: { order: [...this.order], draw } };
	}

	/** Reports whether the page is as new as an answer with that counter, or the answer is of another epoch. */
	private isOld(post: PostID, epoch: string | undefined, counter: number): boolean {
		return epoch !== this.epoch || counter <= this.shownCounter || counter <= (this.answered.get(post)?.counter ?? 0);
	}

	/** Reports whether the river has sent the entry, or a hello, since that moment. After a hello the entry may be gone. */
	private toldSince(post: PostID, sent: number): boolean {
		return Math.max(this.toldAt.get(post) ?? 0, this.helloAt) > sent;
	}

	/** Reports whether the entry is on the page. */
	has(post: PostID): boolean {
		return this.tags.has(post);
	}
}

/** Applies an op to an order; returns false if the entry above is missing. */
function applyOp(order: PostID[], op: Op<unknown>): boolean {
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
