// The connection itself: the socket, the polls and the timers that the Link
// asks for, and the way of frames to the page.

import type { Follower, Verdict } from "./follow.js";
import { Inbox, unpacks } from "./inbox.js";
import { Link, type Effect, type Event, type Standing, type Timer } from "./link.js";
import { Pace } from "./pace.js";
import { subprotocol, type Frame, type Hello, type Known, type RiverFrame } from "./protocol.js";
import { readFrame } from "./read.js";
import { language } from "./words.js";

/** Under 32 KB, which is what a server reads. */
const longestSub = 30_000;
/** For how many milliseconds to wait for the answer to a poll: less than there are between two. */
const patience = 14_000;

/** What the wire tells of. */
export interface Listener {
	/** A frame came to something. */
	verdict(verdict: Verdict): void;
	standing(standing: Standing): void;
	/** The page is connected and follows; the server's build is this. */
	greeted(build: string): void;
	/** So many notices are not read. */
	unread(count: number): void;
	/** So many have the post's page open; 0: it is not said. */
	present(count: number): void;
	/** What comes is so many milliseconds apart. */
	pace(ms: number): void;
	/** Whether the server can't follow what happens just now. */
	behind(behind: boolean): void;
	/** The connection is gone; it may be back in no time. */
	parted(): void;
}

/** A Wire keeps one page connected. */
export class Wire {
	private readonly link = new Link(() => performance.now(), Math.random, Date.now);
	private readonly timers = new Map<Timer, number>();
	private readonly unpacks = unpacks();
	private socket: WebSocket | undefined;
	private sent = new Pace();
	private subDue = false;
	private helloDue = false; // a sub was sent
	private vis: boolean | undefined; // to be told
	private sending: number | undefined; // the timer until more may be sent
	private asked: AbortController | undefined; // the poll under way

	constructor(
		private readonly river: string,
		private readonly page: string,
		private readonly follower: Follower,
		private readonly listener: Listener,
	) {}

	start(): void {
		const shown = () => this.step({ on: document.hidden ? "hidden" : "shown" });
		const left = () => this.step({ on: "left" });
		document.addEventListener("visibilitychange", shown);
		// A page with an open socket is not kept for the way back, nor let sleep in peace.
		addEventListener("pagehide", left);
		document.addEventListener("freeze", left);
		addEventListener("pageshow", (event) => {
			if (event.persisted) {
				shown();
			}
		});
		document.addEventListener("resume", shown);
		addEventListener("online", () => this.step({ on: "online" }));
		addEventListener("focus", () => this.step({ on: "stirred" }));
		this.step({ on: "start", hidden: document.hidden });
	}

	/** Has the page subscribe again. */
	again(): void {
		this.step({ on: "again" });
	}

	private step(event: Event): void {
		for (const effect of this.link.step(event)) {
			this.act(effect);
		}
	}

	private act(effect: Effect): void {
		switch (effect.do) {
			case "open":
				return this.open();
			case "close":
				return this.close();
			case "sub":
				this.subDue = !this.helloDue; // which will tell as much
				return this.send();
			case "vis":
				this.vis = effect.hidden;
				return this.send();
			case "poll":
				void this.poll();
				return;
			case "set":
				this.clear(effect.timer);
				this.timers.set(
					effect.timer,
					setTimeout(() => this.rang(effect.timer), effect.ms),
				);
				return;
			case "clear":
				return this.clear(effect.timer);
			case "tell":
				return this.listener.standing(effect.standing);
		}
	}

	private rang(timer: Timer): void {
		this.timers.delete(timer);
		this.step({ on: "rang", timer });
	}

	private clear(timer: Timer): void {
		clearTimeout(this.timers.get(timer));
		this.timers.delete(timer);
	}

	private open(): void {
		this.hangUp();
		const socket = this.dial();
		this.socket = socket;
		if (!socket) {
			queueMicrotask(() => this.step({ on: "closed", code: 1006 }));
			return;
		}
		this.sent = new Pace();
		/** Does something if this socket is still the one. */
		const on = (act: () => void) => () => {
			if (this.socket === socket) {
				act();
			}
		};
		const inbox = new Inbox(
			(frame) => on(() => this.take(frame))(),
			(error) => on(() => this.garbled(error))(),
		);
		socket.onopen = on(() => {
			this.drop(); // a poll that is under way tells less than what will come
			this.step({ on: "opened" });
		});
		socket.onmessage = (event) => inbox.put(event.data as string | ArrayBuffer);
		socket.onclose = (event) =>
			inbox.then(
				on(() => {
					this.hangUp();
					this.step({ on: "closed", code: event.code });
				}),
			);
	}

	/** A new socket, where this browser has one that is of use. */
	private dial(): WebSocket | undefined {
		if (!this.unpacks) {
			// Servers pack what is large for all who speak the protocol. Who can't
			// unpack it polls, as where no socket gets through.
			return undefined;
		}
		const address = new URL("/live", location.href);
		address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
		try {
			const socket = new WebSocket(address, subprotocol);
			socket.binaryType = "arraybuffer";
			return socket;
		} catch (error) {
			console.error("amstel:", error); // it is not allowed here
			return undefined;
		}
	}

	/** Lets go of the socket and of a poll that is under way. */
	private close(): void {
		this.drop();
		this.hangUp();
	}

	private hangUp(): void {
		const { socket } = this;
		this.socket = undefined;
		this.subDue = false;
		this.helloDue = false;
		this.vis = undefined;
		clearTimeout(this.sending);
		this.sending = undefined;
		this.follower.lost();
		if (socket) {
			socket.close();
			this.listener.parted();
		}
	}

	private drop(): void {
		this.asked?.abort();
		this.asked = undefined;
	}

	/** Sends what is due, as soon as it may be: nothing while a hello is, so that frames can't bunch up on a bad way. */
	private send(): void {
		const { socket } = this;
		const due = this.subDue || this.vis !== undefined;
		if (socket?.readyState !== WebSocket.OPEN || this.sending !== undefined || this.helloDue || !due) {
			return;
		}
		const wait = this.sent.wait(performance.now());
		if (wait > 0) {
			this.sending = setTimeout(() => {
				this.sending = undefined;
				this.send();
			}, wait);
			return;
		}
		this.sent.note(performance.now());
		if (this.subDue) {
			this.subDue = false;
			this.helloDue = true;
			socket.send(this.sub());
		} else {
			socket.send(JSON.stringify({ type: "vis", hidden: this.vis }));
			this.vis = undefined;
		}
		this.send();
	}

	private sub(): string {
		const frame = (known: Known) =>
			JSON.stringify({ type: "sub", river: this.river, page: this.page, ...known, as: "html", lang: language });
		const known = this.follower.sub();
		const whole = frame(known);
		// Who can't tell all he has is not told what became of it: better a reset.
		return whole.length <= longestSub ? whole : frame({ ...known, epoch: "", counter: 0, have: [] });
	}

	private take(frame: Frame | undefined): void {
		this.step({ on: "heard" });
		if (!frame) {
			return; // of a later day
		}
		switch (frame.type) {
			case "unread": // of the reader, not of the river
				return this.listener.unread(frame.count);
			case "present":
				return this.listener.present(frame.count);
			case "pace":
				return this.listener.pace(frame.ms);
			case "behind":
				return this.listener.behind(frame.behind);
			case "bye":
				return this.step({ on: "bye", within: frame.within_ms });
			case "hello":
				return this.greeted(frame);
			default:
				return this.follow(frame);
		}
	}

	private greeted(hello: Hello): void {
		this.helloDue = false;
		this.step({ on: "hello", beat: hello.beat });
		this.follow(hello);
		this.listener.greeted(hello.build);
		this.listener.pace(hello.pace ?? 0);
		this.listener.present(hello.present ?? 0);
		this.listener.behind(hello.behind ?? false);
		this.send();
	}

	private follow(frame: RiverFrame): void {
		if (frame.unread !== undefined) {
			this.listener.unread(frame.unread);
		}
		const verdict = this.follower.take(frame);
		this.listener.verdict(verdict);
		if (verdict.again) {
			this.again();
		}
	}

	/** What came can't be read, or not be shown: what the page shows by now nobody knows. */
	private garbled(error: unknown): void {
		console.error("amstel:", error);
		this.follower.forget();
		this.step({ on: "garbled" });
	}

	/** Asks for what a socket would have brought. */
	private async poll(): Promise<void> {
		this.drop();
		const asked = (this.asked = new AbortController());
		const timer = setTimeout(() => asked.abort(), patience);
		const answer = await this.ask(asked.signal);
		clearTimeout(timer);
		if (this.asked !== asked) {
			return; // something else tells more by now
		}
		this.asked = undefined;
		this.step({ on: "polled", status: this.answered(answer) });
	}

	private async ask(signal: AbortSignal): Promise<{ status: number; body: string }> {
		const { epoch, counter, position } = this.follower.poll();
		const query = new URLSearchParams({
			river: this.river,
			page: this.page,
			epoch,
			counter: String(counter),
			position: String(position),
			as: "html",
			lang: language,
		});
		try {
			const response = await fetch(`/live/changes?${query}`, { cache: "no-store", redirect: "error", signal });
			return { status: response.status, body: await response.text() };
		} catch {
			return { status: 0, body: "" }; // nobody answered, or not to the end
		}
	}

	/** Takes what a poll brought, and says with what status: that of others than our server counts for nothing. */
	private answered({ status, body }: { status: number; body: string }): number {
		if (!this.link.polls) {
			return 0;
		}
		try {
			if (status === 200) {
				this.polled(readFrame(body));
				return status;
			}
			return status !== 0 && (JSON.parse(body) as { code?: unknown }).code ? status : 0;
		} catch {
			return 0;
		}
	}

	private polled(frame: Frame | undefined): void {
		if (!frame || (frame.type !== "beat" && frame.type !== "patch" && frame.type !== "reset")) {
			throw new TypeError("no answer to a poll");
		}
		try {
			this.follow(frame);
		} catch (error) {
			console.error("amstel:", error);
			this.follower.forget();
			throw error;
		}
		this.listener.behind(frame.behind ?? false);
	}
}
