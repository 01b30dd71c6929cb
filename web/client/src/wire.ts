// The connection itself: the socket, the polls and the timers that the Link
// asks for, and the way of frames to the page.

import type { Follower, Verdict } from "./follow.js";
import { Inbox } from "./inbox.js";
import { Link, type Effect, type Event, type Standing, type Timer } from "./link.js";
import { Pace } from "./pace.js";
import { subprotocol, unreadIn, type Frame, type Known } from "./protocol.js";

/** Under 32 KB, which is what a server reads. */
const longestSub = 30_000;

/** What the wire tells of. */
export interface Listener {
	/** A frame came to something. */
	verdict(verdict: Verdict): void;
	standing(standing: Standing): void;
	/** The page is connected and follows; the server's build is this. */
	greeted(build: string): void;
	/** So many notices are not read. */
	unread(count: number): void;
	/** The connection is gone; it may be back in no time. */
	parted(): void;
}

/** A Wire keeps one page connected. */
export class Wire {
	private readonly link = new Link(() => performance.now(), Math.random);
	private readonly timers = new Map<Timer, number>();
	private socket: WebSocket | undefined;
	private pace = new Pace();
	private subDue = false;
	private vis: boolean | undefined; // to be told
	private sending: number | undefined; // the timer until more may be sent

	constructor(
		private readonly river: string,
		private readonly page: string,
		private readonly follower: Follower,
		private readonly listener: Listener,
	) {}

	start(): void {
		document.addEventListener("visibilitychange", () => this.step({ on: document.hidden ? "hidden" : "shown" }));
		addEventListener("online", () => this.step({ on: "online" }));
		// A page with an open socket is not kept for the way back.
		addEventListener("pagehide", () => this.step({ on: "left" }));
		addEventListener("pageshow", (event) => {
			if (event.persisted) {
				this.step({ on: "shown" });
			}
		});
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
				this.subDue = true;
				return this.send();
			case "vis":
				this.vis = effect.hidden;
				return this.send();
			case "poll":
				void this.poll();
				return;
			case "set":
				this.clear(effect.timer);
				this.timers.set(effect.timer, setTimeout(() => this.step({ on: "rang", timer: effect.timer }), effect.ms));
				return;
			case "clear":
				return this.clear(effect.timer);
			case "tell":
				return this.listener.standing(effect.standing);
		}
	}

	private clear(timer: Timer): void {
		clearTimeout(this.timers.get(timer));
		this.timers.delete(timer);
	}

	private open(): void {
		this.close();
		const address = new URL("/live", location.href);
		address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
		const socket = new WebSocket(address, subprotocol);
		socket.binaryType = "arraybuffer";
		this.socket = socket;
		this.pace = new Pace();
		const inbox = new Inbox((frame) => {
			if (this.socket === socket) {
				this.take(frame);
			}
		});
		socket.onopen = () => this.step({ on: "opened" });
		socket.onmessage = (event) => inbox.put(event.data as string | ArrayBuffer);
		socket.onclose = (event) =>
			inbox.then(() => {
				if (this.socket === socket) {
					this.close();
					this.step({ on: "closed", code: event.code });
				}
			});
	}

	private close(): void {
		const { socket } = this;
		this.socket = undefined;
		this.subDue = false;
		this.vis = undefined;
		clearTimeout(this.sending);
		this.sending = undefined;
		this.follower.lost();
		if (socket) {
			socket.close();
			this.listener.parted();
		}
	}

	/** Sends what is due, as soon as it may be. */
	private send(): void {
		const { socket } = this;
		if (socket?.readyState !== WebSocket.OPEN || this.sending !== undefined || (!this.subDue && this.vis === undefined)) {
			return;
		}
		const wait = this.pace.wait(performance.now());
		if (wait > 0) {
			this.sending = setTimeout(() => {
				this.sending = undefined;
				this.send();
			}, wait);
			return;
		}
		this.pace.note(performance.now());
		if (this.subDue) {
			this.subDue = false;
			socket.send(this.sub());
		} else {
			socket.send(JSON.stringify({ type: "vis", hidden: this.vis }));
			this.vis = undefined;
		}
		this.send();
	}

	private sub(): string {
		const frame = (known: Known) => JSON.stringify({ type: "sub", river: this.river, page: this.page, ...known, as: "html" });
		const known = this.follower.sub();
		const whole = frame(known);
		return whole.length <= longestSub ? whole : frame({ ...known, have: [] });
	}

	private take(frame: Frame): void {
		this.step({ on: "heard" });
		if (frame.type === "hello") {
			this.step({ on: "hello", beat: frame.beat });
		} else if (frame.type === "bye") {
			this.step({ on: "bye", within: frame.within_ms });
		}
		this.follow(frame);
		if (frame.type === "hello") {
			this.listener.greeted(frame.build);
		}
	}

	private follow(frame: Frame): void {
		const unread = unreadIn(frame);
		if (unread !== undefined) {
			this.listener.unread(unread);
		}
		if (frame.type === "unread") {
			return; // of the reader, not of the river
		}
		const verdict = this.follower.take(frame);
		this.listener.verdict(verdict);
		if (verdict.again) {
			this.again();
		}
	}

	/** Asks for what a socket would have brought. */
	private async poll(): Promise<void> {
		const { epoch, counter, position } = this.follower.poll();
		const query = new URLSearchParams({
			river: this.river, page: this.page, epoch, counter: String(counter), position: String(position), as: "html",
		});
		let status = 0;
		try {
			const response = await fetch(`/live/changes?${query}`, { cache: "no-store", signal: AbortSignal.timeout(20_000) });
			status = response.status;
			const frame = status === 200 ? ((await response.json()) as Frame) : undefined;
			if (frame && !this.link.open) {
				this.follow(frame);
			}
		} catch {
			status = 0; // nobody answered, or not to the end
		}
		this.step({ on: "polled", status });
	}
}
