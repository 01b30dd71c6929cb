// What somebody saw come while the page was open is told to the server, so that
// nothing of it is news to him on the next visit, here or on another device.

import { above, readPlace, type Place } from "./leftoff.js";
import type { River } from "./river.js";

const second = 1000;
/** For how long somebody who does nothing is taken to look on. */
const attention = 60 * second;
/** How often it is told that somebody still looks, where nothing new came. */
const stillThere = 5 * 60 * second;

/** Seen keeps in mind how far somebody has seen a river's page. */
export class Seen {
	private newest: Place | undefined;
	private told: Place | undefined;
	private toldAt = performance.now();
	private active = performance.now();

	constructor(private readonly river: River) {}

	start(): void {
		if (!this.river.keeps) {
			return;
		}
		this.look();
		this.told = this.newest; // the server showed it
		for (const event of ["scroll", "pointermove", "pointerdown", "keydown"]) {
			addEventListener(event, () => this.stir(), { passive: true });
		}
		document.addEventListener("visibilitychange", () => (document.hidden ? this.tell() : this.stir()));
		addEventListener("pagehide", () => this.tell());
		setInterval(() => this.tell(), attention);
	}

	/** The page shows something else. */
	changed(): void {
		if (this.river.keeps && performance.now() - this.active < attention) {
			this.look();
		}
	}

	/** Somebody is there. */
	private stir(): void {
		const now = performance.now();
		if (document.hidden || now - this.active < second / 4) {
			return;
		}
		this.active = now;
		this.look();
	}

	/** Notes the uppermost entry, if it is in sight. */
	private look(): void {
		const first = this.river.element.querySelector<HTMLElement>(":scope > article[data-place]");
		const place = readPlace(first?.dataset["place"]);
		if (!first || !place || document.hidden) {
			return;
		}
		const box = first.getBoundingClientRect();
		if (box.bottom > 0 && box.top < innerHeight && (!this.newest || above(place, this.newest))) {
			this.newest = place;
		}
	}

	/** Tells it, if there is anything to tell. */
	private tell(): void {
		if (!this.newest) {
			return;
		}
		const news = !this.told || above(this.newest, this.told);
		if (!news && (this.active <= this.toldAt || performance.now() - this.toldAt < stillThere)) {
			return;
		}
		this.told = this.newest;
		this.toldAt = performance.now();
		const [fresh, post] = this.newest;
		const { page, name } = this.river;
		const body = new URLSearchParams({
			page,
			river: name,
			fresh_at: new Date(fresh).toISOString(),
			post: String(post),
		});
		// Nobody waits for it, and no harm is done where it does not arrive.
		fetch("/api/v1/catch_up", { method: "POST", body, headers: { Accept: "application/json" }, keepalive: true }).catch(
			() => undefined,
		);
	}
}
