// Tells the server how far the viewer has read, so that entries that they saw arrive are
// not marked as new on their next visit, here or on another device.

import { above, placeOf, type Place } from "./leftoff.js";
import type { River } from "./river.js";

const second = 1000;
/** For how long a viewer without any activity counts as reading. */
const attentiveFor = 60 * second;
/** How often the server is told that the viewer still reads, if nothing new came. */
const reportEvery = 5 * 60 * second;

/** A ReadMark knows the newest entry of a page that the viewer has seen. */
export class ReadMark {
	private newest: Place | undefined;
	private reported: Place | undefined;
	private reportedAt = performance.now();
	private activeAt = performance.now();

	constructor(private readonly river: River) {}

	start(): void {
		if (!this.river.remembersReading) {
			return;
		}
		this.noteNewest();
		this.reported = this.newest; // the server knows, as it rendered the page
		for (const event of ["scroll", "pointermove", "pointerdown", "keydown"]) {
			addEventListener(event, () => this.noteActivity(), { passive: true });
		}
		document.addEventListener("visibilitychange", () => (document.hidden ? this.report() : this.noteActivity()));
		addEventListener("pagehide", () => this.report());
		setInterval(() => this.report(), attentiveFor);
	}

	/** Notes that the page has changed. */
	changed(): void {
		if (this.river.remembersReading && performance.now() - this.activeAt < attentiveFor) {
			this.noteNewest();
		}
	}

	/** Notes that the viewer is active. */
	private noteActivity(): void {
		const now = performance.now();
		if (document.hidden || now - this.activeAt < second / 4) {
			return;
		}
		this.activeAt = now;
		this.noteNewest();
	}

	/** Notes the first entry, if it is in sight. */
	private noteNewest(): void {
		const first = this.river.element.querySelector<HTMLElement>(":scope > article[data-place]");
		const place = first && placeOf(first);
		if (!first || !place || document.hidden) {
			return;
		}
		const box = first.getBoundingClientRect();
		if (box.bottom > 0 && box.top < innerHeight && (!this.newest || above(place, this.newest))) {
			this.newest = place;
		}
	}

	/** Sends the mark to the server, if it is new or due. */
	private report(): void {
		if (!this.newest) {
			return;
		}
		const news = !this.reported || above(this.newest, this.reported);
		if (!news && (this.activeAt <= this.reportedAt || performance.now() - this.reportedAt < reportEvery)) {
			return;
		}
		this.reported = this.newest;
		this.reportedAt = performance.now();
		const [fresh, post] = this.newest;
		const { page, name } = this.river;
		const body = new URLSearchParams({
			page,
			river: name,
			fresh_at: new Date(fresh).toISOString(),
			post: String(post),
		});
		// A lost request does no harm: the next one has the same mark or a newer one.
		fetch("/api/v1/catch_up", { method: "POST", body, headers: { Accept: "application/json" }, keepalive: true }).catch(
			() => undefined,
		);
	}
}
