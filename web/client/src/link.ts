// When a page connects, waits, polls, sleeps and gives up, as a machine without
// sockets or clocks of its own: events go in, effects come out.

/** What can be waited for. */
export type Timer =
	| "retry" // to connect again
	| "silence" // for the server to say anything
	| "sleep" // until nobody has looked at the page for long
	| "look" // until the server is told that nobody looks
	| "doubt" // until the reader is told that there is no connection
	| "poll"
	| "clock"; // to see whether it went on without this page

/** What the page has to tell its reader of the connection. */
export type Standing = "here" | "away" | "signed out" | "forbidden" | "too many" | "refused";

export type Event =
	| { on: "start"; hidden: boolean }
	| { on: "opened" }
	| { on: "heard" } // any frame
	| { on: "hello"; beat: number }
	| { on: "bye"; within: number }
	| { on: "again" } // the page has to subscribe again
	| { on: "garbled" } // a frame could not be read, or not be shown
	| { on: "closed"; code: number }
	| { on: "polled"; status: number } // 0: nobody answered
	| { on: "rang"; timer: Timer }
	| { on: "hidden" }
	| { on: "shown" }
	| { on: "online" }
	| { on: "stirred" } // somebody is there: a moment to look at the clock
	| { on: "left" }; // the browser puts the page away, perhaps to take it out again

export type Effect =
	| { do: "open" }
	| { do: "close" }
	| { do: "sub" }
	| { do: "vis"; hidden: boolean }
	| { do: "poll" }
	| { do: "set"; timer: Timer; ms: number }
	| { do: "clear"; timer: Timer }
	| { do: "tell"; standing: Standing };

const second = 1000;
const minute = 60 * second;
const timers: readonly Timer[] = ["retry", "silence", "sleep", "look", "doubt", "poll", "clock"];

/** Codes after which a page does not come back; see realtime/code.go. */
const final = new Map<number, Standing>([
	[4400, "refused"],
	[4401, "signed out"],
	[4403, "forbidden"],
	[4429, "too many"],
]);
/** Codes by which a server that speaks the protocol has a page come back. */
const spoken = new Set([1012, 1013, 4008, 4011]);
/** What is wrong where nobody says it. */
const abnormal = 1006;

/** After so many failed upgrades in a row a page polls. */
const enoughRefusals = 3;
/** A connection that has lasted for so long is stable. */
const stable = 30 * second;
/** For how long to wait for a connection, for the answer to a sub, and for that of a server that may not be there. */
const opening = 10 * second;
const late = 20 * second;
const soon = 5 * second;
/** How often the clock is looked at, and what it may not go ahead by between two looks. */
const tick = 10 * second;
const jump = 25 * second;
/** No try is made sooner after another because somebody looks, or the network is back. */
const hurried = second;
/** A page subscribes again so often within that time; one that has to more often begins anew. */
const muddles = 4;
const muddled = 10 * second;

type Phase = "idle" | "opening" | "open" | "waiting" | "asleep" | "ended";

function between(least: number, n: number, most: number): number {
	return Math.min(Math.max(least, n), most);
}

/** A Link decides what to do about the connection. */
export class Link {
	private phase: Phase = "idle";
	private hidden = false;
	private toldHidden = false; // and the server knows
	private away = false; // and the reader knows
	private doubting = false; // and the reader will know
	private tries = 0; // since the last stable connection
	private refusals = 0; // upgrades in a row that came to nothing
	private polling = false;
	private reached = false; // the last poll was answered: the server is there, its sockets are not
	private met = false; // this connection has had a hello
	private awaiting = false; // a hello is due
	private openedAt = 0;
	private triedAt = -Infinity;
	private retryAt = 0;
	private silentAt = 0;
	private polledAt = -Infinity;
	private askedAgain: number[] = []; // when, of late
	private beat = 30 * second;
	private within: number | undefined; // what the server said before a restart
	private seen: number; // the time of day at the last event

	/**
	 * A Link goes by a clock that never goes back, which may stand while the
	 * machine sleeps, and looks at the time of day to see that it slept.
	 */
	constructor(
		private readonly now: () => number,
		private readonly random: () => number,
		private readonly day: () => number = now,
	) {
		this.seen = day();
	}

	/** Whether what a poll brings is news: no socket tells more. */
	get polls(): boolean {
		return this.polling && this.phase !== "open";
	}

	step(event: Event): Effect[] {
		if (this.phase === "ended") {
			return [];
		}
		const woken = this.woken();
		if (event.on === "rang" && woken.some((effect) => effect.do === "set" && effect.timer === event.timer)) {
			return woken; // what it was set for begins anew
		}
		return [...woken, ...this.take(event)];
	}

	private take(event: Event): Effect[] {
		switch (event.on) {
			case "start":
				this.hidden = event.hidden;
				return this.begin();
			case "opened":
				return this.opened();
			case "heard":
				return this.phase === "open" && !this.awaiting ? [this.listen()] : [];
			case "hello":
				return this.greeted(event.beat);
			case "bye":
				return this.warned(event.within);
			case "again":
				return this.again();
			case "garbled":
				return this.broken();
			case "closed":
				return this.closed(event.code);
			case "polled":
				return this.polled(event.status);
			case "rang":
				return this.rang(event.timer);
			case "hidden":
				return this.unseen();
			case "shown":
				return this.shown();
			case "online":
				return this.verify();
			case "stirred":
				return [];
			case "left":
				return this.sleep();
		}
	}

	/** Connects a page that had let go of everything, or had nothing yet. */
	private begin(): Effect[] {
		this.seen = this.day();
		this.polling = this.refusals >= enoughRefusals; // as before it slept
		return [...this.hurry(), this.doubt(), { do: "set", timer: "clock", ms: tick }, ...this.doze()];
	}

	private connect(): Effect[] {
		this.phase = "opening";
		this.triedAt = this.now();
		this.met = this.toldHidden = false;
		return [{ do: "clear", timer: "retry" }, { do: "open" }, this.silence(opening)];
	}

	/** Connects without waiting, for somebody does, but not again and again. */
	private hurry(): Effect[] {
		const now = this.now();
		const wait = Math.max(0, this.triedAt + hurried - now);
		const effects: Effect[] = [];
		if (wait === 0) {
			effects.push(...this.connect());
		} else if (this.phase !== "waiting" || this.retryAt > now + wait) {
			this.phase = "waiting";
			effects.push(this.retryIn(wait));
		}
		if (this.polling) {
			effects.push(...(this.polledAt + soon <= now ? this.poll() : [this.pollLater()]));
		}
		return effects;
	}

	private retryIn(ms: number): Effect {
		this.retryAt = this.now() + ms;
		return { do: "set", timer: "retry", ms };
	}

	/** The time of day went on without this page: the machine slept, or the page was frozen. */
	private woken(): Effect[] {
		const day = this.day();
		const slept = day - this.seen >= jump;
		this.seen = day;
		return slept ? this.verify() : [];
	}

	/** There may be no connection where there was one, or one to be had where there was none. */
	private verify(): Effect[] {
		switch (this.phase) {
			case "open":
				return this.awaiting ? this.sooner() : this.ask(soon);
			case "opening":
				return this.sooner();
			case "waiting":
				return [...this.hurry(), ...(this.doubting ? [this.doubt()] : [])];
			default:
				return [];
		}
	}

	/** Subscribes, which a server that is there answers by a hello. */
	private ask(within: number): Effect[] {
		this.awaiting = true;
		return [{ do: "sub" }, this.silence(within)];
	}

	private silence(ms: number): Effect {
		this.silentAt = this.now() + ms;
		return { do: "set", timer: "silence", ms };
	}

	/** Waits for the server no longer than for one that may not be there. */
	private sooner(): Effect[] {
		return this.now() + soon < this.silentAt ? [this.silence(soon)] : [];
	}

	private opened(): Effect[] {
		if (this.phase !== "opening") {
			return [];
		}
		this.phase = "open";
		this.openedAt = this.now();
		this.within = undefined;
		this.askedAgain = [];
		return [...this.ask(late), ...this.look()];
	}

	private listen(): Effect {
		return this.silence(this.within === undefined ? 2 * this.beat : this.within + soon);
	}

	private greeted(beat: number): Effect[] {
		if (this.phase !== "open") {
			return [];
		}
		if (beat > 0) {
			this.beat = between(soon, beat, 10 * minute);
		}
		this.met = true;
		this.awaiting = false;
		return [...this.heed(), this.listen(), ...this.back()];
	}

	/** The server is about to go, and says for how long the pages are to spread over coming back. */
	private warned(within: number): Effect[] {
		if (this.phase !== "open") {
			return [];
		}
		this.within = between(0, within, minute);
		return [this.listen()];
	}

	/** Subscribes again, if that leads anywhere. */
	private again(): Effect[] {
		if (this.phase !== "open") {
			return [];
		}
		const now = this.now();
		this.askedAgain = this.askedAgain.filter((at) => now - at < muddled);
		if (this.askedAgain.push(now) > muddles) {
			return this.broken();
		}
		return this.awaiting ? [] : this.ask(late);
	}

	/** What comes by this connection is of no use: another may do better, though not at once. */
	private broken(): Effect[] {
		return this.phase === "open" || this.phase === "opening" ? [{ do: "close" }, ...this.closed(abnormal)] : [];
	}

	/** The page is up to date, or will be at once. */
	private back(): Effect[] {
		const effects: Effect[] = this.doubting ? [{ do: "clear", timer: "doubt" }] : [];
		if (this.away) {
			effects.push({ do: "tell", standing: "here" });
		}
		this.doubting = this.away = false;
		return effects;
	}

	private closed(code: number): Effect[] {
		if (this.phase !== "open" && this.phase !== "opening") {
			return [];
		}
		const standing = final.get(code);
		if (standing !== undefined) {
			return this.end(standing);
		}
		this.part();
		this.phase = "waiting";
		const effects: Effect[] = [
			{ do: "clear", timer: "silence" },
			{ do: "clear", timer: "look" },
		];
		if (spoken.has(code)) {
			effects.push(...this.heed());
		} else if (!this.met) {
			this.refusals++;
		}
		if (!this.doubting && !this.away && !(this.polling && this.reached)) {
			effects.push(this.doubt(this.within));
		}
		effects.push(this.retryIn(this.pause()));
		if (this.refusals >= enoughRefusals && !this.polling) {
			this.polling = true;
			this.reached = false;
			effects.push({ do: "set", timer: "poll", ms: this.random() * soon });
		}
		return effects;
	}

	/** Sockets do get through, so there is no need to poll. */
	private heed(): Effect[] {
		this.refusals = 0;
		const polled = this.polling;
		this.polling = this.reached = false;
		return polled ? [{ do: "clear", timer: "poll" }] : [];
	}

	/** Notes the end of a connection. */
	private part(): void {
		if (this.phase === "open" && this.met && this.now() - this.openedAt >= stable) {
			this.tries = 0;
		}
		this.awaiting = false;
	}

	/** For how long to wait before the next try: full jitter, so that pages don't come back all at once. */
	private pause(): number {
		if (this.within !== undefined) {
			const { within } = this;
			this.within = undefined;
			return this.random() * within;
		}
		if (this.polling && this.reached) {
			return (1 + 4 * this.random()) * minute; // something between here and there lets no sockets through
		}
		const most = Math.min(30 * second, 0.5 * second * 2 ** this.tries);
		this.tries++;
		return this.random() * most;
	}

	/** The reader is not told of what is over soon. */
	private doubt(more = 0): Effect {
		this.doubting = true;
		return { do: "set", timer: "doubt", ms: 10 * second + more };
	}

	private poll(): Effect[] {
		this.polledAt = this.now();
		return [{ do: "poll" }, this.pollLater()];
	}

	private pollLater(): Effect {
		return { do: "set", timer: "poll", ms: (15 + 15 * this.random()) * second };
	}

	private polled(status: number): Effect[] {
		if (!this.polls) {
			return [];
		}
		switch (status) {
			case 401:
				return this.end("signed out");
			case 403:
				return this.end("forbidden");
			case 422:
				return this.end("refused");
		}
		const reached = status === 200;
		const effects: Effect[] = [];
		if (reached) {
			effects.push(...this.back());
		} else if (!this.doubting && !this.away) {
			effects.push(this.doubt());
		}
		const news = reached !== this.reached;
		this.reached = reached;
		if (news && this.phase === "waiting") {
			// The server is there again, or is not: either way sockets are worth a try.
			effects.push(this.retryIn(reached ? this.random() * 2 * second : this.pause()));
		}
		return effects;
	}

	private rang(timer: Timer): Effect[] {
		switch (timer) {
			case "retry":
				return this.phase === "waiting" ? this.connect() : [];
			case "silence":
				return this.broken();
			case "sleep":
				return this.hidden && this.awake ? this.sleep() : [];
			case "look":
				return this.tellLook(true);
			case "doubt":
				return this.told();
			case "poll":
				return this.polls ? this.poll() : this.polling ? [this.pollLater()] : [];
			case "clock":
				return this.awake ? [{ do: "set", timer: "clock", ms: tick }] : [];
		}
	}

	private told(): Effect[] {
		if (!this.doubting) {
			return [];
		}
		this.doubting = false;
		this.away = true;
		return [{ do: "tell", standing: "away" }];
	}

	private get awake(): boolean {
		return this.phase === "opening" || this.phase === "open" || this.phase === "waiting";
	}

	private unseen(): Effect[] {
		if (this.hidden) {
			return [];
		}
		this.hidden = true;
		return [...this.look(), ...this.doze()];
	}

	private shown(): Effect[] {
		this.hidden = false;
		if (this.phase === "asleep") {
			return this.begin();
		}
		const effects: Effect[] = [
			{ do: "clear", timer: "sleep" },
			{ do: "clear", timer: "look" },
		];
		return [...effects, ...(this.phase === "waiting" ? this.hurry() : this.tellLook(false))];
	}

	/** Who only glances at another page is taken to look at this one: frames are few. */
	private look(): Effect[] {
		return this.hidden && this.phase === "open" ? [{ do: "set", timer: "look", ms: soon }] : [];
	}

	private tellLook(hidden: boolean): Effect[] {
		if (this.phase !== "open" || this.hidden !== hidden || this.toldHidden === hidden) {
			return [];
		}
		this.toldHidden = hidden;
		return [{ do: "vis", hidden }];
	}

	private doze(): Effect[] {
		return this.hidden && this.awake ? [{ do: "set", timer: "sleep", ms: minute }] : [];
	}

	private sleep(): Effect[] {
		this.part();
		this.phase = "asleep";
		this.within = undefined;
		return [...this.rest(), ...this.back()];
	}

	private end(standing: Standing): Effect[] {
		this.phase = "ended";
		return [...this.rest(), { do: "tell", standing }];
	}

	/** Lets go of the socket and of all that was waited for. */
	private rest(): Effect[] {
		this.polling = this.doubting = this.reached = false;
		return [{ do: "close" }, ...timers.map((timer): Effect => ({ do: "clear", timer }))];
	}
}
