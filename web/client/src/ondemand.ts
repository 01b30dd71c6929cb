// Loads the second script when a part of it is first used, and passes on the keys pressed in the
// meantime.

import { words } from "./words.js";

type Extra = typeof import("./extra.js");

let loading: Promise<Extra> | undefined;

/** Loads the second script. */
function extra(): Promise<Extra> {
	const address = document.querySelector<HTMLElement>("script[data-extra]")?.dataset["extra"];
	loading ??= address
		? (import(address) as Promise<Extra>)
		: Promise.reject(new Error("the page names no second script"));
	loading.catch(() => (loading = undefined));
	return loading;
}

/** Makes keys move in the page and act on its entries, and some links show their target on this page. */
export function startKeys(): void {
	document.addEventListener("keydown", (event) => {
		const key = shortcut(event);
		if (key === undefined || areKeysOff()) {
			return;
		}
		event.preventDefault();
		if (key === "/") {
			search(); // at once, because the next letters are for the field
			return;
		}
		void extra().then(
			(loaded) => loaded.press(key, event.timeStamp, words),
			() => undefined, // without a connection
		);
	});
	document.addEventListener("click", (event) => {
		const at = event.target instanceof Element ? event.target : null;
		const link = at?.closest<HTMLAnchorElement>("a[data-keys], a[data-places], .pictures a");
		if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
			event.preventDefault();
			extra()
				.then((loaded) => loaded.follow(link, words))
				.catch(() => location.assign(link.href));
		}
	});
	if (document.querySelector("main .keys-switch")) {
		void extra().then((loaded) => loaded.watchKeySwitch(document));
	}
}

function search(): void {
	const field = document.querySelector<HTMLInputElement>("form[role=search] input[type=search]");
	if (field && field.getClientRects().length > 0) {
		field.select();
	} else {
		location.assign("/s");
	}
}

/** Loads the completions and the counting of characters once a text field is used. */
export function startHelp(): void {
	const help = (event: Event | undefined): void => {
		const at = event?.target ?? document.activeElement;
		if (at instanceof Element && at.matches("textarea[data-most], [data-complete]")) {
			document.removeEventListener("focusin", help);
			void extra().then(
				(loaded) => loaded.helpWriting(words),
				() => document.addEventListener("focusin", help),
			);
		}
	};
	document.addEventListener("focusin", help);
	help(undefined);
}

/**
 * Makes the forms of avatars and covers show the chosen part of the picture, and the page of an export how far it is. Shows the
 * button for notices on this device.
 */
export function startSettings(): void {
	if (document.querySelector("form[data-crop], [data-state=queued], [data-push]")) {
		void extra().then(
			(loaded) => {
				loaded.startCrop();
				loaded.startExport();
				loaded.startPush();
			},
			() => undefined, // the server keeps the middle, and a link loads the page again
		);
	}
}

/** The key in the storage for "the viewer has switched the keys off". */
const switchedOff = "amstel keys off";

/** Reports whether the viewer has switched the keys off in this browser. */
function areKeysOff(): boolean {
	try {
		return localStorage.getItem(switchedOff) !== null;
	} catch {
		return false;
	}
}

/** Puts all places to which the viewer can post into a form. */
export async function addPlaces(form: HTMLFormElement): Promise<void> {
	await (await extra()).addPlaces(form);
}

/** A field in which letters are text. */
const field = "input:not([type=checkbox], [type=radio], [type=file]), textarea, select, [contenteditable]";

/**
 * Returns the letter or sign of a key on which the page must act, or "Enter" for a selected entry
 * or comment. On a keyboard of another alphabet, the key's letter on a Latin keyboard counts.
 */
function shortcut(event: KeyboardEvent): string | undefined {
	const at = event.target;
	if (
		event.defaultPrevented ||
		event.isComposing ||
		event.ctrlKey ||
		event.metaKey ||
		event.altKey ||
		!(at instanceof Element) ||
		at.closest(field) ||
		document.querySelector("dialog[open]")
	) {
		return undefined;
	}
	const key = event.key;
	if (key === "Enter") {
		return !event.repeat && at.matches("#river article, #river .comment") ? key : undefined;
	}
	if (key === "?" || key === "/") {
		return key;
	}
	const letter = /^[a-z]$/i.test(key)
		? key.toLowerCase()
		: /^\p{L}$/u.test(key)
			? event.code.slice(3).toLowerCase()
			: "";
	const again = letter === "j" || letter === "k";
	return !event.shiftKey && /^[jkolcrghdnm]$/.test(letter) && (again || !event.repeat) ? letter : undefined;
}
