// The second script. Pages load it when a key, a field or a picture first needs it (ondemand.ts). It contains
// no sentences, so that one file serves all languages.

import { Completer } from "./complete.js";
import { startCounting } from "./count.js";
import { showKeys } from "./keys.js";
import { showPicture } from "./lightbox.js";
import { addPlaces } from "./places.js";
import type { Words } from "./words.js";

export { startCrop } from "./crop.js";
export { startExport } from "./export.js";
export { press, watchKeySwitch } from "./keys.js";
export { addPlaces } from "./places.js";
export { startPush } from "./push.js";

/**
 * Shows on this page the target of a link: a picture, the list of keys, or all places of the form
 * around the link.
 */
export async function follow(link: HTMLAnchorElement, words: Words): Promise<void> {
	const form = link.closest("form");
	if (link.closest(".pictures")) {
		showPicture(link, words);
	} else if (form) {
		(await addPlaces(form))?.focus();
	} else {
		await showKeys(link.href, words);
	}
}

/** Offers completions, and counts characters, from now on. */
export function helpWriting(words: Words): void {
	const completer = new Completer(words);
	completer.start();
	startCounting(words);
	completer.typed(document.activeElement); // typed while this script came
}
