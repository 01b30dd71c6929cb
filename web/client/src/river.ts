// The entries on the page: main#river and its articles.

import { anchored } from "./anchor.js";
import { arrange } from "./arrange.js";
import type { Show } from "./follow.js";
import { withLine } from "./leftoff.js";
import { morph, own } from "./morph.js";
import type { Known, PostID } from "./protocol.js";
import { beingWritten, keepingFocus } from "./typing.js";
import { words } from "./words.js";

/** The river on this page that is kept up to date, if there is one. */
export function liveRiver(): River | undefined {
	const main = document.querySelector<HTMLElement>("main#river[data-river]");
	return main?.dataset["live"] === "true" ? new River(main) : undefined;
}

/** For how long what is new looks so. */
const newness = 2000;

/** What somebody wants to know of a change of the river. */
export interface Watcher {
	/** Entries came, which were not there. */
	came(articles: Element[]): void;
	/** The page shows something else than before. */
	changed(): void;
}

/** A River is the element with the entries. */
export class River {
	readonly name: string;
	readonly page: string;
	readonly viewer: string;
	/** Whether new posts belong at the top of this page. */
	readonly top: boolean;
	/** Whether it is kept how far somebody has seen this page. */
	readonly keeps: boolean;

	constructor(readonly element: HTMLElement) {
		this.name = element.dataset["river"] ?? "";
		this.page = element.dataset["page"] ?? "";
		this.viewer = element.dataset["viewer"] ?? "";
		this.top = element.querySelector(":scope > nav a[rel=prev]") === null;
		this.keeps = this.element.dataset["keeps"] === "true";
	}

	/** What the page shows as it was loaded. */
	known(): Known {
		const { epoch = "", counter = "0", position = "0" } = this.element.dataset;
		return {
			epoch,
			counter: Number(counter),
			position: Number(position),
			have: this.articles().map((article): [PostID, string] => [postOf(article), article.dataset["tag"] ?? ""]),
		};
	}

	/** Writes on the page up to where it has heard. */
	note(epoch: string, counter: number, position: number): void {
		Object.assign(this.element.dataset, { epoch, counter: String(counter), position: String(position) });
	}

	/** The entries, without those that were left for what is being written there. */
	private articles(): HTMLElement[] {
		return [...this.element.querySelectorAll<HTMLElement>(":scope > article:not(.is-left)")];
	}

	/** The entry of a post, if it is on the page. */
	article(post: PostID): HTMLElement | null {
		return this.element.querySelector<HTMLElement>(`:scope > article[data-post-id="${post}"]`);
	}

	/** Says above the entry how many are here; undefined: nothing. */
	crowd(text: string | undefined): void {
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

	/** Shows what a frame or an answer led to. */
	show(show: Show, watcher: Watcher): void {
		const came: Element[] = [];
		keepingFocus(() =>
			anchored(this.element, () => {
				const wanted = new Set(show.order);
				for (const article of this.articles()) {
					if (!wanted.has(postOf(article))) {
						leave(article);
					}
				}
				const articles: HTMLElement[] = [];
				for (const post of show.order) {
					const article = this.drawn(post, show.draw.get(post), came);
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
			watcher.came(came);
		}
		this.age();
	}

	/** The entry as it is to look; new ones are noted in `came`. */
	private drawn(post: PostID, html: string | undefined, came: Element[]): HTMLElement | undefined {
		const there = this.article(post) ?? undefined;
		const fresh = html === undefined ? undefined : parse(html);
		if (!fresh) {
			return there;
		}
		if (there) {
			comeBack(there);
			morph(there, fresh);
			return there;
		}
		fresh.classList.add("is-new");
		came.push(fresh);
		return fresh;
	}

	/** What is new looks so only for a moment. */
	private age(): void {
		const fresh = this.element.querySelectorAll(".is-new");
		if (fresh.length > 0) {
			setTimeout(() => fresh.forEach((element) => element.classList.remove("is-new")), newness);
		}
	}
}

/** The post that an entry is of. */
export function postOf(article: HTMLElement): PostID {
	return Number(article.dataset["postId"]);
}

/** Makes elements of an entry's HTML, which is the server's. */
export function parse(html: string): HTMLElement | undefined {
	const template = document.createElement("template");
	template.innerHTML = html;
	const article = document.importNode(template.content, true).firstElementChild;
	return article instanceof HTMLElement ? article : undefined;
}

/**
 * Takes an entry off the page. Where somebody is writing a comment, only what
 * was written stays, until it is sent or taken back.
 */
function leave(article: HTMLElement): void {
	const form = article.querySelector<HTMLElement>(":scope > form[data-part=form]");
	if (!form || !beingWritten(form)) {
		article.remove();
		return;
	}
	article.classList.add("is-left");
	delete article.dataset["tag"];
	for (const part of [...article.children]) {
		if (part !== form) {
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

/** An entry that was left is on the page again. */
function comeBack(article: HTMLElement): void {
	if (article.classList.contains("is-left")) {
		article.classList.remove("is-left");
		article.querySelectorAll(`:scope > [${own}]`).forEach((hint) => hint.remove());
	}
}
