// Shows the pictures of a post large, one after another, by keys, swipes and buttons. Without the
// script the link of a picture leads to its file.

import type { Words } from "./words.js";

/** How far a finger moves across the screen to the next picture, in pixels. */
const swipe = 40;

/** Shows a picture large, by the link of it, and lets the viewer go on to the other pictures of its post. */
export function showPicture(first: HTMLAnchorElement, words: Words): void {
	const links = [...first.closest(".pictures")!.querySelectorAll("a")];
	const dialog = document.createElement("dialog");
	dialog.className = "lightbox";
	const figure = document.createElement("figure");
	const caption = document.createElement("figcaption");
	caption.setAttribute("aria-live", "polite");
	let at = 0;
	const show = (to: number): void => {
		at = (to + links.length) % links.length;
		const small = links[at]!.querySelector("img");
		// A new element, so that the previous picture does not stay until this one is loaded.
		const image = document.createElement("img");
		image.alt = small?.alt ?? "";
		image.src = links[at]!.href;
		caption.textContent = links.length > 1 ? `${image.alt} (${at + 1}/${links.length})` : image.alt;
		dialog.setAttribute("aria-label", image.alt);
		figure.replaceChildren(image, caption);
	};
	const button = (text: string, label: string, name: string, act: () => void): HTMLButtonElement => {
		const made = document.createElement("button");
		made.type = "button";
		made.className = name;
		made.textContent = text;
		made.setAttribute("aria-label", label);
		made.addEventListener("click", act);
		return made;
	};
	dialog.append(
		button("×", words.lightboxClose, "lightbox-close", () => dialog.close()),
		figure,
	);
	if (links.length > 1) {
		dialog.append(
			button("‹", words.lightboxBefore, "lightbox-before", () => show(at - 1)),
			button("›", words.lightboxNext, "lightbox-next", () => show(at + 1)),
		);
	}
	dialog.addEventListener("keydown", (event) => {
		if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
			event.preventDefault();
			show(at + (event.key === "ArrowRight" ? 1 : -1));
		}
	});
	let began = 0;
	dialog.addEventListener("touchstart", (event) => (began = event.changedTouches[0]!.clientX), { passive: true });
	dialog.addEventListener("touchend", (event) => {
		const moved = event.changedTouches[0]!.clientX - began;
		if (Math.abs(moved) >= swipe) {
			show(at + (moved < 0 ? 1 : -1));
		}
	});
	dialog.addEventListener("click", (event) => {
		if (event.target === dialog || event.target === figure) {
			dialog.close();
		}
	});
	dialog.addEventListener("close", () => {
		dialog.remove();
		links[at]!.focus();
	});
	show(links.indexOf(first));
	document.body.append(dialog);
	dialog.showModal();
}
