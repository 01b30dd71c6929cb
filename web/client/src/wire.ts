// Opens the socket, polls and sets timers as the Link asks, and hands frames to the page.

import type { Follower, Verdict } from "./follow.js";
import { Inbox, unpacks } from "./inbox.js";
import { Link, type Effect, type Event, type Standing, type Timer } from "./link.js";
import { RateLimit } from "./rate.js";
import type { AsHTML, Frame, Hello, Known, RiverFrame } from "./protocol.js";
import type { Reader } from "./read.js";

/** Longest sub in characters: the server reads frames of up to 32 KB. */
const maxSub = 30_000;
/** Milliseconds to wait for the answer to a poll: less than the pause between two polls. */
const pollTimeout = 14_000;

/** The readyState of an open WebSocket. */
const isOpen = 1;

/** A Site is where a Wire connects to: the server of the page, or of a program. */
export interface Site<In = AsHTML, Whole = AsHTML> {
	/** The form in which the entries of frames come. */
	readonly as: "html" | "json";
	/** The code of the language of the HTML. */
	readonly language: string;
	/** Parses a frame whose entries have that form. */
	readonly read: Reader<Frame<In, Whole>>;
	/** Returns a new socket to /live; throws if sockets can't be used here. */
	connect(): WebSocket;
	/** Asks /live/changes for what a socket would have brought. */
	poll(query: URLSearchParams, signal: AbortSignal): Promise<Response>;
	/** Reports whether the page is hidden. */
	hidden(): boolean;
	/** Passes on that the page is hidden, shown, suspended or focused, or that the network is back, until the signal. */
	watch(step: (event: Event) => void, signal: AbortSignal): void;
}

/** A Listener gets the news of a Wire. */
export interface Listener<Content = string> {
	/** A frame was applied. */
	verdict(verdict: Verdict<Content>): void;
	standing(standing: Standing): void;
	/** The page is connected to a server of this build. */
	connected(build: string): void;
	/** The viewer has so many unread notices, and so many directs with unread notices. */
	unread(count: number, directs?: number): void;
	/** So many viewers have the post's page open; 0: unknown. */
	present(count: number): void;
	/** Updates come at most once in so many milliseconds. */
	pace(ms: number): void;
	/** The server is behind with its updates, or no longer behind. */
	behind(behind: boolean): void;
	/** The connection is gone, perhaps for a moment only. */
	disconnected(): void;
}

/** A Wire keeps one page connected. */
export class Wire<Content = string, In = AsHTML, Whole = AsHTML> {
	private readonly link = new Link(() => performance.now(), Math.random, Date.now);
	private readonly timers = new Map<Timer, number>();
	private readonly unpacks = unpacks();
	private socket: WebSocket | undefined;
	private rate = new RateLimit();
	private subDue = false;
	private helloDue = false; // a sub was sent
	private hiddenDue: boolean | undefined; // to be sent to the server
	private rateTimer: number | undefined; // runs until the rate allows the next frame
	private pollInFlight: AbortController | undefined; // cancels the poll in flight
	private readonly stopped = new AbortController();

	constructor(
		private readonly site: Site<In, Whole>,
		private readonly river: string,
		private readonly page: string,
		private readonly follower: Follower<Content, In, Whole>,
		private readonly listener: Listener<Content>,
	) {}

	start(): void {
		this.site.watch((event) => this.step(event), this.stopped.signal);
		this.step({ on: "start", hidden: this.site.hidden() });
	}

	/** Ends the connection for good. */
	stop(): void {
		this.stopped.abort();
		for (const timer of [...this.timers.keys()]) {
			this.clear(timer);
		}
		this.close();
	}

	/** Makes the page subscribe again. */
	resubscribe(): void {
		this.step({ on: "resubscribe" });
	}

	private step(event: Event): void {
		if (this.stopped.signal.aborted) {
			return;
		}
		for (const effect of this.link.step(event)) {
			this.perform(effect);
		}
	}

	private perform(effect: Effect): void {
		switch (effect.do) {
			case "open":
				return this.open();
			case "close":
				return this.close();
			case "sub":
				this.subDue = !this.helloDue; // the sub that was sent names the same entries
				return this.send();
			case "vis":
				this.hiddenDue = effect.hidden;
				return this.send();
			case "poll":
				void this.poll();
				return;
			case "set":
				this.clear(effect.timer);
				this.timers.set(
					effect.timer,
					setTimeout(() => this.expire(effect.timer), effect.ms),
				);
				return;
			case "clear":
				return this.clear(effect.timer);
			case "standing":
				return this.listener.standing(effect.standing);
		}
	}

	private expire(timer: Timer): void {
		this.timers.delete(timer);
		this.step({ on: "expired", timer });
	}

	private clear(timer: Timer): void {
		clearTimeout(this.timers.get(timer));
		this.timers.delete(timer);
	}

	private open(): void {
		this.dropSocket();
		const socket = this.newSocket();
		this.socket = socket;
		if (!socket) {
			queueMicrotask(() => this.step({ on: "closed", code: 1006 }));
			return;
		}
		this.rate = new RateLimit();
		/** Wraps a function so that it runs only while this socket is the current one. */
		const on = (act: () => void) => () => {
			if (this.socket === socket) {
				act();
			}
		};
		const inbox = new Inbox(
			this.site.read,
			(frame) => on(() => this.handle(frame))(),
			(error) => on(() => this.handleUnreadable(error))(),
		);
		socket.onopen = on(() => {
			this.cancelPoll(); // the hello and its patch will have more than the poll in flight
			this.step({ on: "opened" });
		});
		socket.onmessage = (event) => inbox.put(event.data as string | ArrayBuffer);
		socket.onclose = (event) =>
			inbox.then(
				on(() => {
					this.dropSocket();
					this.step({ on: "closed", code: event.code });
				}),
			);
	}

	/** Returns a new socket, or undefined if this browser or program can't use one. */
	private newSocket(): WebSocket | undefined {
		if (!this.unpacks) {
			// Servers pack large frames for every client. A browser that can't unpack
			// them polls, as if no socket got through.
			return undefined;
		}
		try {
			const socket = this.site.connect();
			socket.binaryType = "arraybuffer";
			return socket;
		} catch (error) {
			console.error("amstel:", error); // the page's policy may forbid sockets
			return undefined;
		}
	}

	/** Drops the socket and the poll in flight. */
	private close(): void {
		this.cancelPoll();
		this.dropSocket();
	}

	private dropSocket(): void {
		const { socket } = this;
		this.socket = undefined;
		this.subDue = false;
		this.helloDue = false;
		this.hiddenDue = undefined;
		clearTimeout(this.rateTimer);
		this.rateTimer = undefined;
		this.follower.lost();
		if (socket) {
			socket.close();
			this.listener.disconnected();
		}
	}

	private cancelPoll(): void {
		this.pollInFlight?.abort();
		this.pollInFlight = undefined;
	}

	/** Sends the frame that is due, as soon as the rate allows. While a hello is due, no frame is sent, so that frames can't pile up on a bad connection. */
	private send(): void {
		const { socket } = this;
		const due = this.subDue || this.hiddenDue !== undefined;
		if (socket?.readyState !== isOpen || this.rateTimer !== undefined || this.helloDue || !due) {
			return;
		}
		const wait = this.rate.wait(performance.now());
		if (wait > 0) {
			this.rateTimer = setTimeout(() => {
				this.rateTimer = undefined;
				this.send();
			}, wait);
			return;
		}
		this.rate.record(performance.now());
		if (this.subDue) {
			this.subDue = false;
			this.helloDue = true;
			socket.send(this.sub());
		} else {
			socket.send(JSON.stringify({ type: "vis", hidden: this.hiddenDue }));
			this.hiddenDue = undefined;
		}
		this.send();
	}

	private sub(): string {
		const { as, language: lang } = this.site;
		const frame = (known: Known) =>
			JSON.stringify({ type: "sub", river: this.river, page: this.page, ...known, as, lang });
		const known = this.follower.sub();
		const whole = frame(known);
		// A sub that can't name all entries asks for a reset: the server could not report the other
		// entries' changes.
		return whole.length <= maxSub ? whole : frame({ ...known, epoch: "", counter: 0, have: [] });
	}

	private handle(frame: Frame<In, Whole> | undefined): void {
		this.step({ on: "frame" });
		if (!frame) {
			return; // of a type that a newer server knows
		}
		switch (frame.type) {
			case "unread": // of the viewer, not of the river
				return this.listener.unread(frame.count, frame.directs);
			case "present":
				return this.listener.present(frame.count);
			case "pace":
				return this.listener.pace(frame.ms);
			case "behind":
				return this.listener.behind(frame.behind);
			case "bye":
				return this.step({ on: "bye", within: frame.within_ms });
			case "hello":
				return this.handleHello(frame);
			default:
				return this.handleRiverFrame(frame);
		}
	}

	private handleHello(hello: Hello): void {
		this.helloDue = false;
		this.step({ on: "hello", beat: hello.beat });
		this.handleRiverFrame(hello);
		this.listener.connected(hello.build);
		this.listener.pace(hello.pace ?? 0);
		this.listener.present(hello.present ?? 0);
		this.listener.behind(hello.behind ?? false);
		this.send();
	}

	private handleRiverFrame(frame: RiverFrame<In, Whole>): void {
		if (frame.unread !== undefined) {
			this.listener.unread(frame.unread, frame.directs);
		}
		const verdict = this.follower.take(frame);
		this.listener.verdict(verdict);
		if (verdict.resubscribe) {
			this.resubscribe();
		}
	}

	/** Asks for a reset after a frame that can't be read or shown: the page may show anything by now. */
	private handleUnreadable(error: unknown): void {
		console.error("amstel:", error);
		this.follower.forget();
		this.step({ on: "unreadable" });
	}

	/** Asks the server for the changes that a socket would have brought. */
	private async poll(): Promise<void> {
		this.cancelPoll();
		const asked = (this.pollInFlight = new AbortController());
		const timer = setTimeout(() => asked.abort(), pollTimeout);
		const answer = await this.fetchChanges(asked.signal);
		clearTimeout(timer);
		if (this.pollInFlight !== asked) {
			return; // a socket or a newer poll has taken its place
		}
		this.pollInFlight = undefined;
		this.step({ on: "polled", status: this.handlePollAnswer(answer) });
	}

	private async fetchChanges(signal: AbortSignal): Promise<{ status: number; body: string }> {
		const { epoch, counter, position } = this.follower.poll();
		const query = new URLSearchParams({
			river: this.river,
			page: this.page,
			epoch,
			counter: String(counter),
			position: String(position),
			as: this.site.as,
			lang: this.site.language,
		});
		try {
			const response = await this.site.poll(query, signal);
			return { status: response.status, body: await response.text() };
		} catch {
			return { status: 0, body: "" }; // no answer, or only a part of one
		}
	}

	/** Applies the answer to a poll, and returns its status; 0 if the answer is not from our server, or no longer wanted. */
	private handlePollAnswer({ status, body }: { status: number; body: string }): number {
		if (!this.link.polls) {
			return 0;
		}
		try {
			if (status === 200) {
				this.applyPollAnswer(this.site.read(body));
				return status;
			}
			return status !== 0 && (JSON.parse(body) as { code?: unknown }).code ? status : 0;
		} catch {
			return 0;
		}
	}

	private applyPollAnswer(frame: Frame<In, Whole> | undefined): void {
		if (!frame || (frame.type !== "beat" && frame.type !== "patch" && frame.type !== "reset")) {
			throw new TypeError("no answer to a poll");
		}
		try {
			this.handleRiverFrame(frame);
		} catch (error) {
			console.error("amstel:", error);
			this.follower.forget();
			throw error;
		}
		this.listener.behind(frame.behind ?? false);
	}
}
