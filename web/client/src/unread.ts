// Shows the number of unread notices in the head of every page. On the page of a post it also
// reports to the server that the viewer has read the notices about this post.

import type { PostID } from "./protocol.js";

/** How often a page without a connection asks for the number. */
const pause = 60_000;

/** Returns the text of the badge for a count. */
export function badge(count: number): string {
	return count > 99 ? "99+" : String(count);
}

/** A ReadDecision decides when the notices about the page's post have been read: when the page is visible and the count has risen. */
export class ReadDecision {
	private count = 0;
	private due = false;

	/** Takes the new count, and returns whether the notices about the post are now read. */
	setCount(count: number, hidden: boolean): boolean {
		this.due ||= count > this.count;
		this.count = count;
		return this.setHidden(hidden);
	}

	/** Notes whether the page is hidden, and returns whether the notices about the post are now read. */
	setHidden(hidden: boolean): boolean {
		if (hidden || !this.due || this.count === 0) {
			return false;
		}
		this.due = false;
		return true;
	}
}

/** UnreadBadge is the number in the head of the page. On a page of a viewer who is not signed in there is no badge, and UnreadBadge does nothing. */
export class UnreadBadge {
	private readonly element = document.getElementById("notices");
	private readonly reading = new ReadDecision();
	private readonly post: PostID | undefined;
	private asked = Date.now();
	private over = false; // the viewer has been signed out

	constructor() {
		const single = document.querySelector<HTMLElement>("#river > article.entry-single");
		this.post = single ? Number(single.dataset["postId"]) : undefined;
	}

	/** Shows the count that the page was loaded with. A page without a connection asks for later counts. */
	start(connected: boolean): void {
		if (!this.element) {
			return;
		}
		this.receive(Number(this.element.dataset["unread"]));
		document.addEventListener("visibilitychange", () => {
			if (this.reading.setHidden(document.hidden)) {
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

	/** Shows a count from the server. */
	receive(count: number): void {
		this.show(count);
		if (this.element && this.reading.setCount(count, document.hidden)) {
			void this.read();
		}
	}

	private show(count: number): void {
		if (this.element) {
			this.element.dataset["unread"] = String(count);
			this.element.textContent = badge(count);
			this.element.hidden = count === 0;
			const title = document.title.replace(/^\(\d+\+?\) /, "");
			document.title = count === 0 ? title : `(${badge(count)}) ${title}`;
		}
	}

	/** Tells the server that the notices about the page's post are read; the answer has the new count. */
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

	/** Shows the count of an answer; without an answer the count stays. */
	private async count(address: string, request: RequestInit): Promise<void> {
		try {
			const response = await fetch(address, { ...request, signal: AbortSignal.timeout?.(20_000) ?? null });
			this.over = response.status === 401;
			if (response.ok) {
				this.receive(((await response.json()) as { unread: number }).unread);
			}
		} catch {
			// No answer: the next request will get one.
		}
	}
}
