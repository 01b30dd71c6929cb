// How many notices the reader has not read, in the head of every page; and that
// he has, where the page itself is what they are about.

import type { PostID } from "./protocol.js";

/** How often a page that is not connected asks. */
const pause = 60_000;

/** The count in the space of a badge, which has none for nothing. */
export function badge(count: number): string {
	return count > 99 ? "99+" : String(count);
}

/** A Reading decides when what a page's post was told of has been read: when somebody looks, and there is something new. */
export class Reading {
	private count = 0;
	private due = false;

	/** The count is this now; answers whether to say that the notices of the post are read. */
	told(count: number, hidden: boolean): boolean {
		this.due ||= count > this.count;
		this.count = count;
		return this.looked(hidden);
	}

	/** Somebody looks at the page, or not any more. */
	looked(hidden: boolean): boolean {
		if (hidden || !this.due || this.count === 0) {
			return false;
		}
		this.due = false;
		return true;
	}
}

/** Unread is the badge; a page for nobody has none, and then it does nothing. */
export class Unread {
	private readonly element = document.getElementById("notices");
	private readonly reading = new Reading();
	private readonly post: PostID | undefined;
	private asked = Date.now();
	private over = false; // nobody is signed in any more

	constructor() {
		const single = document.querySelector<HTMLElement>("main#river > article.entry-single");
		this.post = single ? Number(single.dataset["postId"]) : undefined;
	}

	/** Begins with the count that the page came with; one that is not connected asks how it goes on. */
	start(connected: boolean): void {
		if (!this.element) {
			return;
		}
		this.told(Number(this.element.dataset["unread"]));
		document.addEventListener("visibilitychange", () => {
			if (this.reading.looked(document.hidden)) {
				void this.read();
			}
			if (!connected) {
				void this.ask();
			}
		});
		if (!connected) {
			setInterval(() => void this.ask(), pause);
		}
	}

	/** Shows a count that the server told. */
	told(count: number): void {
		this.show(count);
		if (this.element && this.reading.told(count, document.hidden)) {
			void this.read();
		}
	}

	private show(count: number): void {
		if (this.element) {
			this.element.dataset["unread"] = String(count);
			this.element.textContent = badge(count);
			this.element.hidden = count === 0;
		}
	}

	/** Says that what the page's post was told of is read; the count that this leaves comes back. */
	private async read(): Promise<void> {
		if (this.post) {
			await this.count("/api/v1/notifications/read.json", {
				method: "POST",
				headers: { "Content-Type": "application/json", Accept: "application/json" },
				body: JSON.stringify({ post: this.post }),
			});
		}
	}

	private async ask(): Promise<void> {
		const now = Date.now();
		if (!document.hidden && !this.over && now - this.asked >= pause / 2) {
			this.asked = now;
			await this.count("/api/v1/notifications/unread.json", { cache: "no-store" });
		}
	}

	/** Shows what is answered; without an answer the count stays what it was. */
	private async count(address: string, request: RequestInit): Promise<void> {
		try {
			const response = await fetch(address, { ...request, signal: AbortSignal.timeout?.(20_000) ?? null });
			this.over = response.status === 401;
			if (response.ok) {
				this.told(((await response.json()) as { unread: number }).unread);
			}
		} catch {
			// Nobody answered: the next one will.
		}
	}
}
