// Shows the numbers of unread notices and directs in the head of every page. On the page of a post,
// and on that of the directs, it also tells the server that the viewer has read the notices about
// what the page shows.

import type { PostID } from "./protocol.js";

/** How often a page without a connection asks for the numbers. */
const pause = 60_000;

/** Returns the text of the badge for a count. */
export function badge(count: number): string {
	return count > 99 ? "99+" : String(count);
}

/** A ReadDecision decides when the notices about what the page shows have been read: when the page is visible and the count has risen. */
export class ReadDecision {
	private count = 0;
	private due = false;

	/** Takes the new count, and returns whether the notices are now read. */
	setCount(count: number, hidden: boolean): boolean {
		this.due ||= count > this.count;
		this.count = count;
		return this.setHidden(hidden);
	}

	/** Notes whether the page is hidden, and returns whether the notices are now read. */
	setHidden(hidden: boolean): boolean {
		if (hidden || !this.due || this.count === 0) {
			return false;
		}
		this.due = false;
		return true;
	}
}

/** UnreadBadge is the numbers in the head of the page. On a page of a viewer who is not signed in there are none, and UnreadBadge does nothing. */
export class UnreadBadge {
	private readonly notices = document.getElementById("notices");
	private readonly directs = document.getElementById("directs");
	private readonly reading = new ReadDecision();
	private readonly post: PostID | undefined;
	private readonly readsDirects = this.directs?.closest("a")?.ariaCurrent === "page";
	private asked = Date.now();
	private over = false; // the viewer has been signed out

	constructor() {
		const single = document.querySelector<HTMLElement>("#river > article.entry-single");
		this.post = single ? Number(single.dataset["postId"]) : undefined;
	}

	/** Shows the counts that the page was loaded with. A page without a connection asks for later counts. */
	start(connected: boolean): void {
		if (!this.notices) {
			return;
		}
		this.receive(Number(this.notices.dataset["unread"]), Number(this.directs?.dataset["unread"]));
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

	/** Shows counts from the server. */
	receive(count: number, directs = 0): void {
		show(this.notices, count);
		show(this.directs, directs);
		const title = document.title.replace(/^\(\d+\+?\) /, "");
		document.title = this.notices && count > 0 ? `(${badge(count)}) ${title}` : title;
		if (this.notices && this.reading.setCount(this.readsDirects ? directs : count, document.hidden)) {
			void this.read();
		}
	}

	/** Tells the server that the notices about what the page shows are read; the answer has the new counts. */
	private async read(): Promise<void> {
		if (this.post || this.readsDirects) {
			await this.count("/api/v1/notifications/read.json", {
				method: "POST",
				headers: { "Content-Type": "application/json", Accept: "application/json" },
				body: JSON.stringify(this.readsDirects ? { directs: true } : { post: this.post }),
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

	/** Shows the counts of an answer; without an answer the counts stay. */
	private async count(address: string, request: RequestInit): Promise<void> {
		try {
			const response = await fetch(address, { ...request, signal: AbortSignal.timeout?.(20_000) ?? null });
			this.over = response.status === 401;
			if (response.ok) {
				const { unread, directs } = (await response.json()) as { unread: number; directs: number };
				this.receive(unread, directs);
			}
		} catch {
			// No answer: the next request will get one.
		}
	}
}

function show(element: HTMLElement | null, count: number): void {
	if (element) {
		element.dataset["unread"] = String(count);
		element.textContent = badge(count);
		element.hidden = count === 0;
	}
}
