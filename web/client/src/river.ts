// The entries on the page: #river and its articles.

import { anchored } from "./anchor.js";
import { arrange } from "./arrange.js";
import { keepUnfolded } from "./comments.js";
import type { Show } from "./follow.js";
import { withLine } from "./leftoff.js";
import { morph, own } from "./morph.js";
import type { Known, PostID } from "./protocol.js";
import { beingWritten, keepingFocus } from "./typing.js";
import { words } from "./words.js";
import { withdrawForm } from "./writing.js";

/** Returns the page's river if the server keeps it up to date. */
export function liveRiver(): River | undefined {
	const main = document.querySelector<HTMLElement>("#river[data-river]");
	return main?.dataset["live"] === "true" ? new River(main) : undefined;
}

/** For how many milliseconds a new entry is highlighted. */
const newFor = 2000;

/** A Watcher is called after a change of the river. */
export interface Watcher {
	/** These entries were not on the page before. */
	added(articles: Element[]): void;
	/** The page has changed. */
	changed(): void;
}

/** A River is the element that holds the entries. */
export class River {
	readonly name: string;
	readonly page: string;
	readonly viewer: string;
	/** Whether new posts belong at the top of this page. */
	readonly top: boolean;
	/** Whether the server remembers how far the viewer has read this page. */
	readonly remembersReading: boolean;

	constructor(readonly element: HTMLElement) {
		this.name = element.dataset["river"] ?? "";
		this.page = element.dataset["page"] ?? "";
		this.viewer = element.dataset["viewer"] ?? "";
		this.top = element.querySelector(":scope > nav a[rel=prev]") === null;
		this.remembersReading = this.element.dataset["keeps"] === "true";
	}

	/** Returns the content of the page at its loading. */
	known(): Known {
		const { epoch = "", counter = "0", position = "0" } = this.element.dataset;
		return {
			epoch,
			counter: Number(counter),
			position: Number(position),
			have: this.articles().map((article): [PostID, string] => [postOf(article), article.dataset["tag"] ?? ""]),
		};
	}

	/** Writes into the page which state of the river it shows. */
	recordPosition(epoch: string, counter: number, position: number): void {
		Object.assign(this.element.dataset, { epoch, counter: String(counter), position: String(position) });
	}

	/** Returns the entries, except entries that stay only because of an unfinished comment. */
	private articles(): HTMLElement[] {
		return [...this.element.querySelectorAll<HTMLElement>(":scope > article:not(.is-left)")];
	}

	/** Returns the entry of a post, or null if the page does not have it. */
	article(post: PostID): HTMLElement | null {
		return this.element.querySelector<HTMLElement>(`:scope > article[data-post-id="${post}"]`);
	}

	/** Shows above the entry how many viewers have the page open; undefined removes the line. */
	showPresence(text: string | undefined): void {
		let line = this.element.querySelector<HTMLElement>(":scope > .crowd");
		if (line?.textContent === text || (!line && text === undefined)) {
			return;
		}
		anchored(this.element, () => {
			if (text === undefined) {
				line?.remove();
			} else {
				if (!line) {
					line = document.createElement("p");
					line.className = "hint crowd";
					this.element.querySelector(":scope > article")?.before(line);
				}
				line.textContent = text;
			}
			return new Set();
		});
	}

	/** Shows the entries that a frame or an answer led to. */
	show(show: Show, watcher: Watcher): void {
		const came: Element[] = [];
		keepingFocus(() =>
			anchored(this.element, () => {
				const wanted = new Set(show.order);
				for (const article of this.articles()) {
					if (!wanted.has(postOf(article))) {
						removeEntry(article);
					}
				}
				const articles: HTMLElement[] = [];
				for (const post of show.order) {
					const article = this.rendered(post, show.draw.get(post), came);
					if (article) {
						articles.push(article);
					}
				}
				const end = this.element.querySelector(":scope > .empty, :scope > nav");
				const moved = arrange(this.element, withLine(this.element, articles, this.top), end);
				watcher.changed();
				return moved;
			}),
		);
		if (came.length > 0) {
			watcher.added(came);
		}
		this.expireNew();
	}

	/** Returns the entry of a post as the page is to show it, and adds a new entry to `came`. */
	private rendered(post: PostID, html: string | undefined, came: Element[]): HTMLElement | undefined {
		const there = this.article(post) ?? undefined;
		const fresh = html === undefined ? undefined : parse(html);
		if (!fresh) {
			return there;
		}
		if (there) {
			restoreEntry(there);
			keepUnfolded(there, fresh);
			morph(there, fresh);
			withdrawForm(there);
			return there;
		}
		fresh.classList.add("is-new");
		came.push(fresh);
		return fresh;
	}

	/** Ends the highlight of new entries after a moment. */
	private expireNew(): void {
		const fresh = this.element.querySelectorAll(".is-new");
		if (fresh.length > 0) {
			setTimeout(() => fresh.forEach((element) => element.classList.remove("is-new")), newFor);
		}
	}
}

/** Returns the number of an entry's post. */
export function postOf(article: HTMLElement): PostID {
	return Number(article.dataset["postId"]);
}

/** Parses an entry's HTML, which comes from the server. */
export function parse(html: string): HTMLElement | undefined {
	const template = document.createElement("template");
	template.innerHTML = html;
	const article = document.importNode(template.content, true).firstElementChild;
	return article instanceof HTMLElement ? article : undefined;
}

/**
 * Removes an entry from the page. If the viewer is writing a comment or editing there,
 * the form stays until it is sent or emptied.
 */
function removeEntry(article: HTMLElement): void {
	const form = [...article.querySelectorAll("form")].find(beingWritten);
	if (!form) {
		article.remove();
		return;
	}
	article.classList.add("is-left");
	delete article.dataset["tag"];
	for (const part of [...article.children]) {
		if (!part.contains(form)) {
			part.remove();
		}
	}
	const hint = document.createElement("p");
	hint.className = "hint";
	hint.setAttribute(own, "");
	hint.textContent = words.gone;
	article.prepend(hint);
	form.addEventListener("focusout", () => {
		if (article.classList.contains("is-left") && !beingWritten(form)) {
			article.remove();
		}
	});
}

/** Restores an entry that had stayed only for its comment form. */
function restoreEntry(article: HTMLElement): void {
	if (article.classList.contains("is-left")) {
		article.classList.remove("is-left");
		article.querySelectorAll(`:scope > .hint[${own}]`).forEach((hint) => hint.remove());
	}
}
