// Decides when a page connects, waits, polls, sleeps and gives up. A Link is a state
// machine without sockets or timers: events go in, effects come out.

/** The timers that a Link asks for. */
export type Timer =
	| "retry" // until the next try to connect
	| "silence" // until a silent server counts as gone
	| "sleep" // until a hidden page disconnects
	| "report" // until the server is told that the page is hidden
	| "banner" // until the page shows that there is no connection
	| "poll"
	| "clock"; // until the next look at the time of day: has the machine slept?

/** The state of the connection as the page shows it. */
export type Standing = "here" | "away" | "signed out" | "forbidden" | "too many" | "refused";

export type Event =
	| { on: "start"; hidden: boolean }
	| { on: "opened" }
	| { on: "frame" } // any frame
	| { on: "hello"; beat: number }
	| { on: "bye"; within: number }
	| { on: "resubscribe" } // the page has to subscribe again
	| { on: "unreadable" } // a frame could not be read, or not be shown
	| { on: "closed"; code: number }
	| { on: "polled"; status: number } // 0: no answer
	| { on: "expired"; timer: Timer }
	| { on: "hidden" }
	| { on: "shown" }
	| { on: "online" }
	| { on: "focused" } // the window has the focus: the time of day is checked
	| { on: "suspended" }; // the browser freezes the page or puts it into its back-forward cache

export type Effect =
	| { do: "open" }
	| { do: "close" }
	| { do: "sub" }
	| { do: "vis"; hidden: boolean }
	| { do: "poll" }
	| { do: "set"; timer: Timer; ms: number }
	| { do: "clear"; timer: Timer }
	| { do: "standing"; standing: Standing };

const second = 1000;
const minute = 60 * second;
const timers: readonly Timer[] = ["retry", "silence", "sleep", "report", "banner", "poll", "clock"];

/** Codes after which a page does not come back; see realtime/code.go. */
const finalCodes = new Map<number, Standing>([
	[4400, "refused"],
	[4401, "signed out"],
	[4403, "forbidden"],
	[4429, "too many"],
]);
/** Codes by which the server asks a page to connect again; see realtime/code.go. */
const reconnectCodes = new Set([1012, 1013, 4008, 4011]);
/** The code of a connection that ended without a close frame. */
const abnormalCode = 1006;

/** After so many failed upgrades in a row a page begins to poll. */
const upgradesBeforePolling = 3;
/** A connection that has lasted for so many milliseconds is stable. */
const stableAfter = 30 * second;
/** How long to wait for a connection, for the hello after a sub, and for the hello of a server that may be gone. */
const openTimeout = 10 * second;
const helloTimeout = 20 * second;
const probeTimeout = 5 * second;
/** How often the time of day is checked. If it went ahead by sleepGap or more since the last event, the machine has slept. */
const wakeCheckEvery = 10 * second;
const sleepGap = 25 * second;
/** The least time between two tries to connect, even if the page is shown or the network is back. */
const retrySpacing = second;
/**
 * A page may subscribe again only so many times within this time. Then it drops the connection and
 * makes a new one.
 */
const resubscribeLimit = 4;
const resubscribeSpan = 10 * second;

type Phase = "idle" | "opening" | "open" | "waiting" | "asleep" | "ended";

function between(least: number, n: number, most: number): number {
	return Math.min(Math.max(least, n), most);
}

/** A Link decides what to do with the connection of one page. */
export class Link {
	private phase: Phase = "idle";
	private hidden = false;
	private reportedHidden = false; // the server was told that the page is hidden
	private bannerShown = false; // the page shows that there is no connection
	private bannerPending = false; // the page will show so when the timer ends
	private tries = 0; // since the last stable connection
	private failedUpgrades = 0; // in a row
	private polling = false;
	private pollAnswered = false; // by the server: so only sockets do not get through
	private hadHello = false; // on this connection
	private awaitingHello = false; // a sub was sent
	private openedAt = 0;
	private triedAt = -Infinity;
	private retryAt = 0;
	private silenceEndsAt = 0;
	private polledAt = -Infinity;
	private resubscribedAt: number[] = []; // within the last resubscribeSpan
	private beat = 30 * second;
	private restartWithin: number | undefined; // from the server's bye, before a restart
	private lastDay: number; // the time of day at the last event

	/**
	 * `now` is a clock that never goes back, and that may stand still while the
	 * machine sleeps. `day` is the time of day, by which a Link detects such a sleep.
	 */
	constructor(
		private readonly now: () => number,
		private readonly random: () => number,
		private readonly day: () => number = now,
	) {
		this.lastDay = day();
	}

	/** Whether the answers to polls count: no socket is open. */
	get polls(): boolean {
		return this.polling && this.phase !== "open";
	}

	step(event: Event): Effect[] {
		if (this.phase === "ended") {
			return [];
		}
		const woken = this.detectSleep();
		if (event.on === "expired" && woken.some((effect) => effect.do === "set" && effect.timer === event.timer)) {
			return woken; // the timer was set anew
		}
		return [...woken, ...this.handle(event)];
	}

	private handle(event: Event): Effect[] {
		switch (event.on) {
			case "start":
				this.hidden = event.hidden;
				return this.startUp();
			case "opened":
				return this.onOpened();
			case "frame":
				return this.phase === "open" && !this.awaitingHello ? [this.awaitBeat()] : [];
			case "hello":
				return this.onHello(event.beat);
			case "bye":
				return this.onBye(event.within);
			case "resubscribe":
				return this.resubscribe();
			case "unreadable":
				return this.dropConnection();
			case "closed":
				return this.onClosed(event.code);
			case "polled":
				return this.onPolled(event.status);
			case "expired":
				return this.onExpired(event.timer);
			case "hidden":
				return this.onHidden();
			case "shown":
				return this.onShown();
			case "online":
				return this.verifyConnection();
			case "focused":
				return [];
			case "suspended":
				return this.sleep();
		}
	}

	/** Connects a page that has just been loaded or has slept. */
	private startUp(): Effect[] {
		this.lastDay = this.day();
		this.polling = this.failedUpgrades >= upgradesBeforePolling; // as before the sleep
		return [
			...this.connectSoon(),
			this.scheduleBanner(),
			{ do: "set", timer: "clock", ms: wakeCheckEvery },
			...this.scheduleSleep(),
		];
	}

	private connect(): Effect[] {
		this.phase = "opening";
		this.triedAt = this.now();
		this.hadHello = this.reportedHidden = false;
		return [{ do: "clear", timer: "retry" }, { do: "open" }, this.awaitServer(openTimeout)];
	}

	/** Connects now, because the viewer waits; but at most once in retrySpacing. */
	private connectSoon(): Effect[] {
		const now = this.now();
		const wait = Math.max(0, this.triedAt + retrySpacing - now);
		const effects: Effect[] = [];
		if (wait === 0) {
			effects.push(...this.connect());
		} else if (this.phase !== "waiting" || this.retryAt > now + wait) {
			this.phase = "waiting";
			effects.push(this.retryIn(wait));
		}
		if (this.polling) {
			effects.push(...(this.polledAt + probeTimeout <= now ? this.poll() : [this.schedulePoll()]));
		}
		return effects;
	}

	private retryIn(ms: number): Effect {
		this.retryAt = this.now() + ms;
		return { do: "set", timer: "retry", ms };
	}

	/** Tests the connection if the time of day has jumped: the machine slept, or the page was frozen. */
	private detectSleep(): Effect[] {
		const day = this.day();
		const slept = day - this.lastDay >= sleepGap;
		this.lastDay = day;
		return slept ? this.verifyConnection() : [];
	}

	/** Tests an open connection, or retries to open a closed one. */
	private verifyConnection(): Effect[] {
		switch (this.phase) {
			case "open":
				return this.awaitingHello ? this.awaitServerLess() : this.subscribe(probeTimeout);
			case "opening":
				return this.awaitServerLess();
			case "waiting":
				return [...this.connectSoon(), ...(this.bannerPending ? [this.scheduleBanner()] : [])];
			default:
				return [];
		}
	}

	/** Subscribes, and waits for the server's hello. */
	private subscribe(within: number): Effect[] {
		this.awaitingHello = true;
		return [{ do: "sub" }, this.awaitServer(within)];
	}

	private awaitServer(ms: number): Effect {
		this.silenceEndsAt = this.now() + ms;
		return { do: "set", timer: "silence", ms };
	}

	/** Shortens the wait for the server, which may be gone. */
	private awaitServerLess(): Effect[] {
		return this.now() + probeTimeout < this.silenceEndsAt ? [this.awaitServer(probeTimeout)] : [];
	}

	private onOpened(): Effect[] {
		if (this.phase !== "opening") {
			return [];
		}
		this.phase = "open";
		this.openedAt = this.now();
		this.restartWithin = undefined;
		this.resubscribedAt = [];
		return [...this.subscribe(helloTimeout), ...this.scheduleReport()];
	}

	private awaitBeat(): Effect {
		return this.awaitServer(this.restartWithin === undefined ? 2 * this.beat : this.restartWithin + probeTimeout);
	}

	private onHello(beat: number): Effect[] {
		if (this.phase !== "open") {
			return [];
		}
		if (beat > 0) {
			this.beat = between(probeTimeout, beat, 10 * minute);
		}
		this.hadHello = true;
		this.awaitingHello = false;
		return [...this.stopPolling(), this.awaitBeat(), ...this.clearBanner()];
	}

	/**
	 * Notes that the server restarts soon, and the time over which its pages should spread their
	 * return.
	 */
	private onBye(within: number): Effect[] {
		if (this.phase !== "open") {
			return [];
		}
		this.restartWithin = between(0, within, minute);
		return [this.awaitBeat()];
	}

	/** Subscribes again, or drops the connection if that has not helped. */
	private resubscribe(): Effect[] {
		if (this.phase !== "open") {
			return [];
		}
		const now = this.now();
		this.resubscribedAt = this.resubscribedAt.filter((at) => now - at < resubscribeSpan);
		if (this.resubscribedAt.push(now) > resubscribeLimit) {
			return this.dropConnection();
		}
		return this.awaitingHello ? [] : this.subscribe(helloTimeout);
	}

	/** Drops a useless connection. The next one is made after a pause. */
	private dropConnection(): Effect[] {
		return this.phase === "open" || this.phase === "opening" ? [{ do: "close" }, ...this.onClosed(abnormalCode)] : [];
	}

	/** Removes the banner: the page is up to date, or will be in a moment. */
	private clearBanner(): Effect[] {
		const effects: Effect[] = this.bannerPending ? [{ do: "clear", timer: "banner" }] : [];
		if (this.bannerShown) {
			effects.push({ do: "standing", standing: "here" });
		}
		this.bannerPending = this.bannerShown = false;
		return effects;
	}

	private onClosed(code: number): Effect[] {
		if (this.phase !== "open" && this.phase !== "opening") {
			return [];
		}
		const standing = finalCodes.get(code);
		if (standing !== undefined) {
			return this.end(standing);
		}
		this.noteEnd();
		this.phase = "waiting";
		const effects: Effect[] = [
			{ do: "clear", timer: "silence" },
			{ do: "clear", timer: "report" },
		];
		if (reconnectCodes.has(code)) {
			effects.push(...this.stopPolling());
		} else if (!this.hadHello) {
			this.failedUpgrades++;
		}
		if (!this.bannerPending && !this.bannerShown && !(this.polling && this.pollAnswered)) {
			effects.push(this.scheduleBanner(this.restartWithin));
		}
		effects.push(this.retryIn(this.retryDelay()));
		if (this.failedUpgrades >= upgradesBeforePolling && !this.polling) {
			this.polling = true;
			this.pollAnswered = false;
			effects.push({ do: "set", timer: "poll", ms: this.random() * probeTimeout });
		}
		return effects;
	}

	/** Stops polling, because sockets get through. */
	private stopPolling(): Effect[] {
		this.failedUpgrades = 0;
		const polled = this.polling;
		this.polling = this.pollAnswered = false;
		return polled ? [{ do: "clear", timer: "poll" }] : [];
	}

	/** Notes the end of a connection. After a stable one the pauses between tries begin small again. */
	private noteEnd(): void {
		if (this.phase === "open" && this.hadHello && this.now() - this.openedAt >= stableAfter) {
			this.tries = 0;
		}
		this.awaitingHello = false;
	}

	/**
	 * Returns the pause before the next try, with full jitter, so that not all pages come back at the same moment: Marc
	 * Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015.
	 */
	private retryDelay(): number {
		if (this.restartWithin !== undefined) {
			const { restartWithin: within } = this;
			this.restartWithin = undefined;
			return this.random() * within;
		}
		if (this.polling && this.pollAnswered) {
			return (1 + 4 * this.random()) * minute; // something between the browser and the server blocks sockets
		}
		const most = Math.min(30 * second, 0.5 * second * 2 ** this.tries);
		this.tries++;
		return this.random() * most;
	}

	/** Delays the banner: a short interruption is not shown. */
	private scheduleBanner(more = 0): Effect {
		this.bannerPending = true;
		return { do: "set", timer: "banner", ms: 10 * second + more };
	}

	private poll(): Effect[] {
		this.polledAt = this.now();
		return [{ do: "poll" }, this.schedulePoll()];
	}

	private schedulePoll(): Effect {
		return { do: "set", timer: "poll", ms: (15 + 15 * this.random()) * second };
	}

	private onPolled(status: number): Effect[] {
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
			effects.push(...this.clearBanner());
		} else if (!this.bannerPending && !this.bannerShown) {
			effects.push(this.scheduleBanner());
		}
		const news = reached !== this.pollAnswered;
		this.pollAnswered = reached;
		if (news && this.phase === "waiting") {
			// The server has just come back or gone, so a socket is worth a try.
			effects.push(this.retryIn(reached ? this.random() * 2 * second : this.retryDelay()));
		}
		return effects;
	}

	private onExpired(timer: Timer): Effect[] {
		switch (timer) {
			case "retry":
				return this.phase === "waiting" ? this.connect() : [];
			case "silence":
				return this.dropConnection();
			case "sleep":
				return this.hidden && this.active ? this.sleep() : [];
			case "report":
				return this.reportVisibility(true);
			case "banner":
				return this.showBanner();
			case "poll":
				return this.polls ? this.poll() : this.polling ? [this.schedulePoll()] : [];
			case "clock":
				return this.active ? [{ do: "set", timer: "clock", ms: wakeCheckEvery }] : [];
		}
	}

	private showBanner(): Effect[] {
		if (!this.bannerPending) {
			return [];
		}
		this.bannerPending = false;
		this.bannerShown = true;
		return [{ do: "standing", standing: "away" }];
	}

	private get active(): boolean {
		return this.phase === "opening" || this.phase === "open" || this.phase === "waiting";
	}

	private onHidden(): Effect[] {
		if (this.hidden) {
			return [];
		}
		this.hidden = true;
		return [...this.scheduleReport(), ...this.scheduleSleep()];
	}

	private onShown(): Effect[] {
		this.hidden = false;
		if (this.phase === "asleep") {
			return this.startUp();
		}
		const effects: Effect[] = [
			{ do: "clear", timer: "sleep" },
			{ do: "clear", timer: "report" },
		];
		return [...effects, ...(this.phase === "waiting" ? this.connectSoon() : this.reportVisibility(false))];
	}

	/** Delays the report that the page is hidden: the viewer may come back at once, and a page may send few frames. */
	private scheduleReport(): Effect[] {
		return this.hidden && this.phase === "open" ? [{ do: "set", timer: "report", ms: probeTimeout }] : [];
	}

	private reportVisibility(hidden: boolean): Effect[] {
		if (this.phase !== "open" || this.hidden !== hidden || this.reportedHidden === hidden) {
			return [];
		}
		this.reportedHidden = hidden;
		return [{ do: "vis", hidden }];
	}

	private scheduleSleep(): Effect[] {
		return this.hidden && this.active ? [{ do: "set", timer: "sleep", ms: minute }] : [];
	}

	private sleep(): Effect[] {
		this.noteEnd();
		this.phase = "asleep";
		this.restartWithin = undefined;
		return [...this.releaseAll(), ...this.clearBanner()];
	}

	private end(standing: Standing): Effect[] {
		this.phase = "ended";
		return [...this.releaseAll(), { do: "standing", standing }];
	}

	/** Closes the socket and stops all timers. */
	private releaseAll(): Effect[] {
		this.polling = this.bannerPending = this.pollAnswered = false;
		return [{ do: "close" }, ...timers.map((timer): Effect => ({ do: "clear", timer }))];
	}
}
