// Shows all comments of a post in its entry, on a page of many posts. The river of that page has
// only some of the comments, so the script also follows the post's own page, in an element outside
// this page, and copies the comments from there.

import { anchored } from "./anchor.js";
import { commentsOf, markUnfolded } from "./comments.js";
import { Follower, type Verdict } from "./follow.js";
import type { Standing } from "./link.js";
import { loadPage } from "./load.js";
import { morph } from "./morph.js";
import { River } from "./river.js";
import { htmlOf, site } from "./site.js";
import { Wire, type Listener } from "./wire.js";

/** How many threads are followed. One more ends following the oldest, which the next change of its entry folds. */
const most = 8;

/** For how many milliseconds a new comment is highlighted. */
const newFor = 2000;

/** Makes the links to folded comments of a page's river show them in the entry. */
export function startUnfolding(page: River): void {
	const threads: Thread[] = [];
	document.addEventListener("click", (event) => {
		const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(".comment-more a") : null;
		const article = link?.closest<HTMLElement>("#river > article");
		if (!link || !article || event.ctrlKey || event.metaKey || event.shiftKey) {
			return;
		}
		event.preventDefault();
		if (!link.hasAttribute("aria-busy")) {
			link.setAttribute("aria-busy", "true");
			unfold(page, article, link.href).then(
				(thread) => {
					threads.push(thread);
					threads.splice(0, threads.length - most).forEach((old) => old.stop());
				},
				() => location.assign(link.href),
			);
		}
	});
}

/** Shows all comments of an entry, and returns their thread; throws if the page of the post can't be loaded. */
async function unfold(page: River, article: HTMLElement, address: string): Promise<Thread> {
	const main = (await loadPage(address)).querySelector<HTMLElement>("#river[data-live=true]");
	if (!main) {
		throw new Error(`${address} is not followed`);
	}
	const thread = new Thread(page, article, new River(document.importNode(main, true)));
	thread.start();
	return thread;
}

/** A Thread keeps the comments of an entry equal to those of the post's own page. */
class Thread implements Listener {
	private readonly wire: Wire;

	constructor(
		private readonly page: River,
		private readonly article: HTMLElement,
		private readonly river: River,
	) {
		this.wire = new Wire(site, river.name, river.page, new Follower(river.known(), htmlOf), this);
	}

	start(): void {
		markUnfolded(this.article, true);
		this.draw();
		this.article
			.querySelectorAll(".bem-post__comments .is-new")
			.forEach((comment) => comment.classList.remove("is-new"));
		if (document.activeElement === document.body) {
			// The link that had the focus is gone.
			this.article
				.querySelector<HTMLElement>(".comments-earlier > summary, .comment a.author")
				?.focus({ preventScroll: true });
		}
		this.wire.start();
	}

	stop(): void {
		markUnfolded(this.article, false);
		this.wire.stop();
	}

	private draw(): void {
		const part = commentsOf(this.article);
		const all = this.river.element.querySelector("article .bem-post__comments")?.cloneNode(true);
		if (!part || !(all instanceof HTMLElement)) {
			return;
		}
		all.querySelector(".comments-earlier")?.setAttribute("open", "");
		anchored(this.page.element, () => {
			morph(part, all);
			return new Set();
		});
		const fresh = part.querySelectorAll(".is-new");
		setTimeout(() => fresh.forEach((comment) => comment.classList.remove("is-new")), newFor);
	}

	verdict({ show }: Verdict): void {
		if (!this.article.isConnected) {
			this.stop();
		} else if (show) {
			this.river.show(show, { added: () => undefined, changed: () => undefined });
			this.draw();
		}
	}

	standing(standing: Standing): void {
		if (standing !== "here" && standing !== "away") {
			this.stop();
		}
	}

	// The page's own wire tells all of this.
	connected(): void {}
	unread(): void {}
	present(): void {}
	pace(): void {}
	behind(): void {}
	disconnected(): void {}
}
