// When a page connects, waits, polls, sleeps and gives up, as a machine without
// sockets or clocks of its own: events go in, effects come out.

/** What can be waited for. */
export type Timer =
	| "retry" // to connect again
	| "silence" // for the server to say anything
	| "sleep" // until nobody has looked at the page for long
	| "doubt" // until the reader is told that there is no connection
	| "poll";

/** What the page has to tell its reader of the connection. */
export type Standing = "here" | "away" | "signed out" | "forbidden" | "refused";

export type Event =
	| { on: "start"; hidden: boolean }
	| { on: "opened" }
	| { on: "heard" } // any frame
	| { on: "hello"; beat: number }
	| { on: "bye"; within: number }
	| { on: "again" } // the page has to subscribe again
	| { on: "closed"; code: number }
	| { on: "polled"; status: number } // 0: nobody answered
	| { on: "rang"; timer: Timer }
	| { on: "hidden" }
	| { on: "shown" }
	| { on: "online" }
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

/** Codes after which a page does not come back; see realtime/code.go. */
const final = new Set([4400, 4401, 4403, 4429]);
const standings = new Map<number, Standing>([[4401, "signed out"], [4403, "forbidden"]]);

/** After so many failed upgrades in a row a page polls. */
const enoughRefusals = 3;

type Phase = "idle" | "opening" | "open" | "waiting" | "asleep" | "ended";

/** A Link decides what to do about the connection. */
export class Link {
	private phase: Phase = "idle";
	private hidden = false;
	private away = false; // and the reader knows
	private doubting = false; // and the reader will know
	private tries = 0; // since the last stable connection
	private refusals = 0; // upgrades that failed in a row
	private polling = false;
	private reached = false; // the last poll was answered: the server is there, its sockets are not
	private openedAt = 0;
	private beat = 30 * second;
	private within: number | undefined; // what the server said before a restart

	constructor(
		private readonly now: () => number,
		private readonly random: () => number,
	) {}

	/** Whether a socket is open. */
	get open(): boolean {
		return this.phase === "open";
	}

	step(event: Event): Effect[] {
		if (this.phase === "ended") {
			return [];
		}
		switch (event.on) {
			case "start":
				this.hidden = event.hidden;
				return [...this.connect(), ...this.doze()];
			case "opened":
				return this.opened();
			case "heard":
				return this.phase === "open" ? [this.listen()] : [];
			case "hello":
				return this.greeted(event.beat);
			case "bye":
				this.within = event.within;
				return [];
			case "again":
				return this.phase === "open" ? [{ do: "sub" }] : [];
			case "closed":
				return this.closed(event.code);
			case "polled":
				return this.polled(event.status);
			case "rang":
				return this.rang(event.timer);
			case "hidden":
				this.hidden = true;
				return [...this.look(), ...this.doze()];
			case "shown":
				return this.shown();
			case "online":
				return this.phase === "waiting" ? this.connect() : [];
			case "left":
				return this.sleep();
		}
	}

	private connect(): Effect[] {
		this.phase = "opening";
		return [{ do: "clear", timer: "retry" }, { do: "open" }, { do: "set", timer: "silence", ms: 20 * second }];
	}

	private opened(): Effect[] {
		if (this.phase !== "opening") {
			return [];
		}
		this.phase = "open";
		this.openedAt = this.now();
		this.refusals = 0;
		this.reached = false;
		this.within = undefined;
		this.polling = false;
		return [{ do: "clear", timer: "poll" }, { do: "sub" }, ...(this.hidden ? this.look() : []), this.listen()];
	}

	private listen(): Effect {
		return { do: "set", timer: "silence", ms: 2 * this.beat };
	}

	private greeted(beat: number): Effect[] {
		if (beat > 0) {
			this.beat = beat;
		}
		return this.phase === "open" ? [this.listen(), ...this.back()] : [];
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
		if (final.has(code)) {
			return this.end(standings.get(code) ?? "refused");
		}
		if (this.phase === "opening") {
			this.refusals++;
		} else if (this.now() - this.openedAt >= 30 * second) {
			this.tries = 0;
		}
		this.phase = "waiting";
		const effects: Effect[] = [{ do: "clear", timer: "silence" }, { do: "set", timer: "retry", ms: this.pause() }];
		if (!this.doubting && !this.away) {
			this.doubting = true;
			effects.push({ do: "set", timer: "doubt", ms: 10 * second });
		}
		if (this.refusals >= enoughRefusals && !this.polling) {
			this.polling = true;
			effects.push(this.pollLater());
		}
		return effects;
	}

	/** For how long to wait before the next try: full jitter, so that pages don't come back all at once. */
	private pause(): number {
		if (this.within !== undefined) {
			const { within } = this;
			this.within = undefined;
			return this.random() * within;
		}
		if (this.refusals > enoughRefusals && this.reached) {
			return (1 + 4 * this.random()) * minute; // something between here and there lets no sockets through
		}
		const most = Math.min(30 * second, 0.5 * second * 2 ** this.tries);
		this.tries++;
		return this.random() * most;
	}

	private pollLater(): Effect {
		return { do: "set", timer: "poll", ms: (15 + 15 * this.random()) * second };
	}

	private polled(status: number): Effect[] {
		if (!this.polling) {
			return [];
		}
		if (status === 401) {
			return this.end("signed out");
		}
		if (status === 403 || status === 404) {
			return this.end("forbidden");
		}
		if (status === 422) {
			return this.end("refused");
		}
		const effects: Effect[] = [this.pollLater()];
		const reached = status === 200;
		if (reached) {
			effects.push(...this.back());
		}
		if (reached !== this.reached && this.phase === "waiting") {
			// The server is there again, or is not: either way sockets are worth a try.
			this.tries = 0;
			effects.push({ do: "set", timer: "retry", ms: this.random() * 2 * second });
		}
		this.reached = reached;
		return effects;
	}

	private rang(timer: Timer): Effect[] {
		switch (timer) {
			case "retry":
				return this.phase === "waiting" ? this.connect() : [];
			case "silence":
				return [{ do: "close" }, ...this.closed(1006)];
			case "sleep":
				return this.hidden ? this.sleep() : [];
			case "doubt":
				this.doubting = false;
				this.away = true;
				return [{ do: "tell", standing: "away" }];
			case "poll":
				return this.polling ? [{ do: "poll" }] : [];
		}
	}

	private shown(): Effect[] {
		this.hidden = false;
		const effects: Effect[] = [{ do: "clear", timer: "sleep" }];
		if (this.phase === "asleep" || this.phase === "waiting") {
			return [...effects, ...this.connect()]; // somebody looks: no time to lose
		}
		return [...effects, ...this.look()];
	}

	private look(): Effect[] {
		return this.phase === "open" ? [{ do: "vis", hidden: this.hidden }] : [];
	}

	private doze(): Effect[] {
		return this.hidden ? [{ do: "set", timer: "sleep", ms: minute }] : [];
	}

	private sleep(): Effect[] {
		this.phase = "asleep";
		return [...this.rest(), ...this.back()];
	}

	private end(standing: Standing): Effect[] {
		this.phase = "ended";
		return [...this.rest(), { do: "tell", standing }];
	}

	/** Lets go of the socket and of all that was waited for. */
	private rest(): Effect[] {
		this.polling = this.doubting = false;
		const timers: Timer[] = ["retry", "silence", "sleep", "doubt", "poll"];
		return [{ do: "close" }, ...timers.map((timer): Effect => ({ do: "clear", timer }))];
	}
}
