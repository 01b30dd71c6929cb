// A model of a river, like internal/livetest's: it remembers every state of each of its entries, so
// changes between two counters are looked up, not computed. It also models the server's side of a
// page that follows the river.

const tooMany = 60; // ops, which are a reset

export class River {
	constructor(generation = 1) {
		this.counter = 1;
		this.purged = 0;
		this.generation = generation;
		this.entries = new Map(); // post: [{counter, version, fresh}], version 0: it is not there
		this.versions = new Map(); // which outlive what is forgotten
		this.clock = 0;
		this.last = 0; // post
	}
	get epoch() {
		return `epoch ${this.generation}`;
	}
	/** The next state of a post; with a rise it goes to the top. */
	put(post, rise) {
		const states = this.entries.get(post) ?? [];
		const before = states.findLast((state) => state.version > 0);
		const fresh = rise || !before ? ++this.clock : before.fresh;
		this.versions.set(post, (this.versions.get(post) ?? 0) + 1);
		states.push({ counter: ++this.counter, post, version: this.versions.get(post), fresh });
		this.entries.set(post, states);
		return states.at(-1);
	}
	write() {
		return this.put(++this.last, true);
	}
	remove(post) {
		if (this.newest(post).version > 0) {
			this.entries.get(post).push({ counter: ++this.counter, post, version: 0, fresh: 0 });
		}
	}
	purge() {
		this.purged = this.counter;
	}
	/** The river is made anew; its counter goes on. */
	rebuild() {
		const now = this.now();
		this.generation++;
		this.counter++;
		this.entries = new Map(now.map((state) => [state.post, [{ ...state, counter: this.counter }]]));
		this.purged = this.counter;
	}
	newest(post) {
		return this.entries.get(post)?.at(-1) ?? { post, version: 0, fresh: 0, counter: 0 };
	}
	/**
	 * Returns the entries in a window, top first; the window goes down to a state (none: to the
	 * bottom).
	 */
	now(low) {
		return [...this.entries.values()]
			.map((states) => states.at(-1))
			.filter((state) => within(state, low))
			.sort(higher);
	}
	/** Returns the state down to which a page with these posts shows the river. */
	window(count, have) {
		const all = this.now();
		const has = new Set(have.map(([post]) => post));
		const lowest = all.findLastIndex((state) => has.has(state.post));
		if (lowest >= 0) {
			return lowest < all.length - 1 ? all[lowest] : undefined;
		}
		return count < all.length ? all[count - 1] : undefined;
	}
	/**
	 * Returns the lower end of a window after it was filled with as many entries as its page asked
	 * for.
	 */
	fill(low, count) {
		if (!low || this.now(low).length >= count) {
			return low;
		}
		const all = this.now();
		return count < all.length ? all[count - 1] : undefined;
	}
	/**
	 * Returns the ops that turn a page with these posts into the window; `differs` tells which
	 * entries are outdated.
	 */
	ops(low, differs, shown) {
		const now = this.now(low);
		const is = new Set(now.map((state) => state.post));
		const gone = [...shown].filter((post) => !is.has(post)).map((post) => ({ post, gone: true }));
		const ops = [];
		now.forEach((state, i) => {
			if (differs(state)) {
				ops.push({ post: state.post, after: now[i - 1]?.post ?? null, tag: tagOf(state), html: htmlOf(state) });
			}
		});
		return [...gone, ...ops];
	}
	/** Entries below `was`, the window's end before it was filled, are new. */
	since(from, have, was, low) {
		const shown = new Set(have.map(([post]) => post));
		for (const [post, states] of this.entries) {
			const then = states.findLast((state) => state.counter <= from);
			if ((then && within(then, was)) || states.some((state) => state.counter > from && within(state, was))) {
				shown.add(post);
			}
		}
		return this.ops(low, (state) => state.counter > from || !within(state, was), shown);
	}
	unlike(have, low) {
		const tags = new Map(have);
		const rest = have.map(([post]) => post).filter((post) => within(this.newest(post), low));
		return this.ops(
			low,
			(state) => {
				const i = rest.indexOf(state.post);
				if (i >= 0) {
					rest.splice(i, 1);
				}
				return i !== 0 || tags.get(state.post) !== tagOf(state);
			},
			new Set(tags.keys()),
		);
	}
	/** Returns the answer to a page that resumes with this state, and the page's new window. */
	resume(known, count) {
		const epoch = known.counter > 0 ? known.epoch : "";
		let was = this.window(count, known.have ?? []);
		let low = this.fill(was, count);
		let ops;
		if (epoch === this.epoch && known.counter >= this.purged && known.counter <= this.counter) {
			const polls = known.have === undefined;
			was = polls || known.have.length > 0 ? was : nothing;
			ops = this.since(known.counter, known.have ?? [], was, low);
			ops = polls && ops.some((op) => op.gone) ? undefined : ops; // what else the page has is not known
		} else if (known.have?.length > 0) {
			ops = this.unlike(known.have, low);
		}
		if (ops && ops.length <= tooMany) {
			const from = epoch === this.epoch && known.counter < this.counter ? known.counter : 0;
			return { low, from, frame: { type: "patch", epoch: this.epoch, from, to: this.counter, ops } };
		}
		const entries = this.now()
			.slice(0, count)
			.map((state) => ({ post: state.post, tag: tagOf(state), html: htmlOf(state) }));
		low = this.window(
			count,
			entries.map(({ post, tag }) => [post, tag]),
		);
		return { low, from: 0, frame: { type: "reset", epoch: this.epoch, counter: this.counter, entries } };
	}
}

const higher = (a, b) => b.fresh - a.fresh || b.post - a.post;
/** The end of a window that has nothing. */
const nothing = { fresh: Infinity, post: 0 };
const within = (state, low) => state.version > 0 && (!low || higher(state, low) <= 0);
export const tagOf = (state) => `t${state.version}`;
export const htmlOf = (state) => `${state.post}:${state.version}`;
/** Returns the answer to a POST by any person that made this state, or that removed the post. */
export const answerOf = (river, post) => {
	const state = river.newest(post);
	const shown = state.version > 0 ? { tag: tagOf(state), content: htmlOf(state) } : {};
	return { post, epoch: river.epoch, counter: river.counter, ...shown };
};

/** A Socket is the server's side of a page: a counter and a window, never a queue. */
export class Socket {
	constructor(river, count, send) {
		Object.assign(this, { river, count, send, place: undefined });
	}
	sub(known) {
		const { low, from, frame } = this.river.resume(known, this.count);
		const missed = frame.type === "reset" || frame.ops.length > 0;
		const counter = missed ? from : this.river.counter;
		this.send({ type: "hello", epoch: this.river.epoch, counter, beat: 25_000, build: "b" });
		this.place = { epoch: this.river.epoch, counter, low };
		if (missed) {
			this.deliver(frame);
		}
	}
	deliver(frame) {
		this.place.counter = frame.type === "reset" ? frame.counter : frame.to;
		this.send(frame);
	}
	/** The river changed. */
	look() {
		if (!this.place) {
			return;
		}
		const { river, place } = this;
		if (place.epoch !== river.epoch || place.counter < river.purged) {
			const { low, frame } = river.resume({ epoch: "", counter: 0 }, this.count);
			this.place = { epoch: river.epoch, counter: 0, low };
			this.deliver(frame);
			return;
		}
		const low = river.fill(place.low, this.count);
		const ops = river.since(place.counter, [], place.low, low);
		if (ops.length > 0) {
			place.low = low;
			this.deliver({ type: "patch", epoch: river.epoch, from: place.counter, to: river.counter, ops });
		}
	}
	beat() {
		if (this.place) {
			this.send({ type: "beat", counter: this.place.counter });
		}
	}
}
