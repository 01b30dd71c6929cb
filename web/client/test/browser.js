// As much of a browser as a Wire needs: a clock that a test sets, a window, a
// document, sockets and fetch, of which the test is the other end.

/** A Browser replaces the browser's objects in this process. */
export class Browser {
	constructor(random = () => 0.5) {
		this.now = 0;
		this.day = 1e12;
		this.timers = new Map(); // {at, act}
		this.named = 0;
		this.sockets = [];
		this.asked = []; // polls: {url, answer}
		const window = new EventTarget();
		this.window = window;
		this.document = Object.assign(new EventTarget(), { hidden: false });
		const browser = this;
		Object.assign(globalThis, {
			document: this.document,
			location: new URL("https://site.test/page"),
			addEventListener: window.addEventListener.bind(window),
			setTimeout: (act, ms) => {
				const name = ++this.named;
				this.timers.set(name, { at: this.now + Math.max(0, ms), act });
				return name;
			},
			clearTimeout: (name) => this.timers.delete(name),
			WebSocket: class extends Socket {
				constructor(address, protocol) {
					super(browser, address, protocol);
				}
			},
			fetch: (url, { signal }) => this.fetch(url, signal),
		});
		globalThis.performance = { now: () => this.now };
		Date.now = () => this.day;
		Math.random = random;
		console.error = () => undefined; // which frames are bad is no news here
	}
	/** The one socket that is not closed, if any. */
	get socket() {
		const living = this.sockets.filter((socket) => socket.readyState < 2);
		if (living.length > 1) {
			throw new Error("two sockets at once");
		}
		return living[0];
	}
	fetch(url, signal) {
		return new Promise((answer, fail) => {
			const poll = { url: new URL(url, "https://site.test"), over: false };
			poll.answer = (status, body) => {
				poll.over = true;
				answer({ status, text: async () => (typeof body === "string" ? body : JSON.stringify(body)) });
			};
			poll.fail = () => {
				poll.over = true;
				fail(new TypeError("network"));
			};
			signal.addEventListener("abort", poll.fail);
			this.asked.push(poll);
		});
	}
	/** Has all that is under way arrive. */
	async settle(turns = 1) {
		for (let i = 0; i < turns; i++) {
			await new Promise((done) => setImmediate(done));
		}
	}
	/** Lets time go by, and what is waited for happen. */
	async pass(ms) {
		const end = this.now + ms;
		for (;;) {
			await this.settle();
			const [name, next] = [...this.timers].reduce((a, b) => (b[1].at < a[1].at ? b : a), [0, { at: Infinity }]);
			const then = Math.min(next.at, end);
			this.day += then - this.now;
			this.now = then;
			if (next.at > end) {
				return this.settle();
			}
			this.timers.delete(name);
			next.act();
		}
	}
	event(target, type, more = {}) {
		target.dispatchEvent(Object.assign(new Event(type), more));
	}
	/** Shows the page or hides it. */
	look(shown) {
		if (this.document.hidden === shown) {
			this.document.hidden = !shown;
			this.event(this.document, "visibilitychange");
		}
	}
}

/** A WebSocket whose other end is a test. */
class Socket {
	static OPEN = 1;
	readyState = 0;
	sent = [];
	constructor(browser, address, protocol) {
		Object.assign(this, { browser, address, protocol, closedBy: undefined });
		browser.sockets.push(this);
		browser.socket; // there is one at most
	}
	open() {
		this.readyState = 1;
		this.onopen?.();
	}
	send(text) {
		if (this.readyState !== 1) {
			throw new Error("a frame by a socket that is not open");
		}
		this.sent.push(JSON.parse(text));
		this.heard?.(JSON.parse(text));
	}
	/** Delivers a message of the server: a frame, or raw bytes. */
	say(message) {
		if (this.readyState === 1) {
			this.onmessage?.({
				data: typeof message === "string" || message instanceof ArrayBuffer ? message : JSON.stringify(message),
			});
		}
	}
	close() {
		this.readyState = Math.max(this.readyState, 2);
		this.closedBy ??= "page";
	}
	/** The connection ends, by the server or on the way. */
	end(code = 1006) {
		if (this.readyState < 3) {
			this.readyState = 3;
			this.closedBy ??= "server";
			this.onclose?.({ code });
		}
	}
}

/** A Listener that records its calls. */
export function listening(more = {}) {
	const heard = [];
	const note =
		(name) =>
		(...told) =>
			void heard.push([name, ...told]);
	const names = ["standing", "connected", "unread", "pace", "present", "behind", "disconnected"];
	const all = Object.fromEntries(names.map((name) => [name, note(name)]));
	return {
		heard,
		of: (name) =>
			heard
				.filter((told) => told[0] === name)
				.map(([, first, ...more]) => (more.length > 0 ? [first, ...more] : first)),
		verdict() {},
		...all,
		...more,
	};
}
