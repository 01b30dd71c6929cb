// Comment forms open in place, Ctrl+Enter sends a form, and Escape closes an empty one.

import { filled } from "./typing.js";

const opened = "is-open";

/** Makes the comment forms of the page open by a click, and send and close by keys. */
export function startWriting(): void {
	document.addEventListener("click", (event) => {
		const link =
			event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("#river a[href^='#f']") : null;
		const form = link && document.getElementById(link.hash.slice(1));
		if (!(form instanceof HTMLFormElement) || event.ctrlKey || event.metaKey || event.shiftKey) {
			return;
		}
		event.preventDefault();
		openForm(form);
	});
	document.addEventListener("keydown", (event) => {
		const field = event.target;
		if (!(field instanceof HTMLTextAreaElement) || !field.form || event.isComposing) {
			return;
		}
		if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			field.form.requestSubmit();
		} else if (event.key === "Escape" && !filled(field.form)) {
			closeForm(field.form);
		}
	});
}

function openForm(form: HTMLFormElement): void {
	for (const other of document.querySelectorAll(`form.${opened}`)) {
		if (other !== form) {
			other.classList.remove(opened);
		}
	}
	form.classList.add(opened);
	const field = form.querySelector("textarea");
	field?.focus({ preventScroll: true });
	field?.scrollIntoView({ block: "nearest", behavior: "instant" });
}

/** Closes a comment form. If the focus was in the form, it moves to the link that opens the form. */
export function closeForm(form: HTMLFormElement): void {
	form.classList.remove(opened);
	if (!form.contains(document.activeElement)) {
		return;
	}
	(document.activeElement as HTMLElement).blur();
	document.querySelector<HTMLElement>(`#river a[href="#${CSS.escape(form.id)}"]`)?.focus({ preventScroll: true });
}
