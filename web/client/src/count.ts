// Counts the characters of a text that is nearly, or already, longer than the server takes.

import { own } from "./morph.js";
import type { Words } from "./words.js";

/** With so many characters left or fewer the viewer is told. */
const tight = 200;

/** Returns how many characters the server counts in a text: code points, composed, without space at the end. */
export function length(text: string): number {
	return [...text.normalize("NFC").trimEnd()].length;
}

/** Makes fields say how many characters are left, or too many. */
export function startCounting(words: Words): void {
	document.addEventListener("input", (event) => {
		if (event.target instanceof HTMLTextAreaElement) {
			count(event.target, words);
		}
	});
	document.addEventListener("reset", (event) => {
		(event.target as Element).querySelectorAll(".left").forEach((line) => line.remove());
	});
	if (document.activeElement instanceof HTMLTextAreaElement) {
		count(document.activeElement, words);
	}
}

function count(field: HTMLTextAreaElement, words: Words): void {
	const most = Number(field.dataset["most"]);
	const left = most - length(field.value);
	let line = field.parentElement?.querySelector<HTMLElement>(":scope > .left") ?? undefined;
	if (!most || left > tight) {
		line?.remove();
		return;
	}
	if (!line) {
		line = document.createElement("p");
		line.className = "left hint";
		line.setAttribute(own, "");
		field.after(line);
	}
	// A screen reader is told when it begins, each fifty characters, and when the text becomes too long.
	line.setAttribute("aria-live", left % 50 === 0 || left < 0 !== line.classList.contains("is-over") ? "polite" : "off");
	line.classList.toggle("is-over", left < 0);
	line.textContent = left < 0 ? words.tooLong(-left) : words.left(left);
}
