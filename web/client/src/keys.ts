// Moves among the entries of a page by keys, and acts on the selected one. The selected item has
// the focus, so screen readers announce it, and it stays selected when the page changes.

import { loadPage } from "./load.js";
import type { Words } from "./words.js";

/** The pages to which g and a letter lead. */
const places: Record<string, string> = {
	h: "/",
	d: "/filter/discussions",
	m: "/filter/directs",
	n: "/notifications",
};

/** How many milliseconds after g its letter may come. */
const together = 2000;

let wentAt = -Infinity; // when g was pressed

/** Carries out the shortcut of a key, which was pressed at a moment. */
export function press(key: string, at: number, words: Words): void {
	const place = at - wentAt < together ? places[key] : undefined;
	wentAt = key === "g" ? at : -Infinity;
	if (place) {
		location.assign(place);
		return;
	}
	switch (key) {
		case "j":
		case "k":
			move(key === "j" ? 1 : -1);
			break;
		case "?":
			void showKeys("/about/keys", words).catch(() => undefined);
			break;
		default:
			act(key);
	}
}

/**
 * Returns the selectable items: the entries and the link to older ones; on the page of one post
 * the comments too.
 */
function items(): HTMLElement[] {
	const all = [...document.querySelectorAll<HTMLElement>("#river > article:not(.is-left)")];
	const comments = [...document.querySelectorAll<HTMLElement>("#river > .entry-single .comment")];
	return [
		...all,
		...comments.filter((comment) => !comment.parentElement?.closest("details:not([open])")),
		...document.querySelectorAll<HTMLElement>("#river > nav a[rel=next]"),
	];
}

/**
 * Returns the item with the focus, or the last item around it, if a part of the item is on the
 * screen.
 */
function selected(all: HTMLElement[]): HTMLElement | undefined {
	const item = all.filter((one) => one.contains(document.activeElement)).at(-1);
	const box = item?.getBoundingClientRect();
	return box && box.bottom > 0 && box.top < innerHeight ? item : undefined;
}

/** How many pixels of the screen above an item stay free, as under a header. */
const above = (item: HTMLElement): number => parseFloat(getComputedStyle(item).scrollMarginTop) || 0;

/**
 * Returns the item being read: the first that begins on the screen, or else the one that fills the
 * screen.
 */
function read(all: HTMLElement[]): HTMLElement | undefined {
	const top = (item: HTMLElement): number => item.getBoundingClientRect().top;
	return (
		all.find((item) => top(item) >= above(item) - 1 && top(item) < innerHeight) ??
		all.filter((item) => top(item) < innerHeight).at(-1)
	);
}

function move(by: number): void {
	const all = items();
	const before = selected(all);
	select(before ? all[all.indexOf(before) + by] : read(all));
}

/** Focuses an item, and scrolls to its beginning if a part of it is off the screen. */
function select(item: HTMLElement | undefined): void {
	if (!item) {
		return;
	}
	if (!item.matches("a")) {
		item.tabIndex = -1;
	}
	item.focus({ preventScroll: true });
	const { top, bottom } = item.getBoundingClientRect();
	if (top < above(item) || bottom > innerHeight) {
		item.scrollIntoView({ block: "start", behavior: "instant" });
	}
}

/**
 * Acts on the selected item. If no item is selected, selects the item being read, and does nothing
 * else.
 */
function act(key: string): void {
	const all = items();
	const single = document.querySelector<HTMLElement>("#river > .entry-single");
	const item = selected(all) ?? single;
	if (!item) {
		select(read(all));
		return;
	}
	const entry = item.closest("article");
	const comment = document.activeElement?.closest(".comment") ?? null;
	const press = (within: Element | null | undefined, what: string): void => {
		within?.querySelector<HTMLElement>(what)?.click();
	};
	const write = "a[href$='#f']";
	switch (key) {
		case "o":
		case "Enter":
			if (!single) {
				press(entry, "a.bem-post__timestamp-link");
			}
			break;
		case "l":
			press(comment ?? entry, comment ? "button[formaction*='/clike/']" : "button[formaction*='/likes.json']");
			break;
		case "c":
			press(entry, `${write}:not(.comment *)`);
			break;
		case "r":
			press(comment ?? [...(entry?.querySelectorAll(`.comment ${write}`) ?? [])].at(-1)?.parentElement ?? entry, write);
			break;
	}
}

/** Shows the page that lists the keys as a dialog; throws if it can't be loaded. */
export async function showKeys(address: string, words: Words): Promise<void> {
	const page = (await loadPage(address)).querySelector("main > .sheet");
	if (!page || document.querySelector("dialog[open]")) {
		return;
	}
	const dialog = document.createElement("dialog");
	dialog.className = "keys";
	dialog.setAttribute("aria-labelledby", page.querySelector("h1")?.id ?? "");
	const close = document.createElement("button");
	close.type = "button";
	close.textContent = "×";
	close.setAttribute("aria-label", words.lightboxClose);
	close.addEventListener("click", () => dialog.close());
	dialog.append(close, ...document.importNode(page, true).childNodes);
	dialog.addEventListener("click", (event) => {
		if (event.target === dialog) {
			dialog.close();
		}
	});
	dialog.addEventListener("close", () => dialog.remove());
	document.body.append(dialog);
	watchKeySwitch(dialog);
	dialog.showModal();
}

/** Makes the switch for the keys say whether they are on, and switch them. */
export function watchKeySwitch(root: ParentNode): void {
	const off = "amstel keys off"; // as in ondemand.ts
	const box = root.querySelector<HTMLInputElement>(".keys-switch input");
	if (!box) {
		return;
	}
	try {
		box.checked = localStorage.getItem(off) === null;
	} catch {
		box.disabled = true; // the browser keeps nothing for this site
	}
	box.addEventListener("change", () => {
		if (box.checked) {
			localStorage.removeItem(off);
		} else {
			localStorage.setItem(off, "");
		}
	});
}
