// Comment forms open in place, also to answer a comment, Ctrl+Enter sends a form, and Escape closes an empty one.

import { filled } from "./typing.js";

const opened = "is-open";

/** Makes the comment forms of the page open by a click, and send and close by keys. */
export function startWriting(): void {
	openTarget();
	addEventListener("hashchange", openTarget);
	document.addEventListener("click", (event) => {
		const link =
			event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("#river a[href^='#f']") : null;
		const form = link && document.getElementById(link.hash.slice(1));
		if (event.target instanceof Element && event.target.closest("a.nav-write") && focusPost()) {
			event.preventDefault();
		}
		if (!(form instanceof HTMLFormElement) || event.ctrlKey || event.metaKey || event.shiftKey) {
			return;
		}
		event.preventDefault();
		openForm(form);
		answer(form, link?.closest(".comment") ?? null);
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

/** Begins the text of a form with the name of the person whose comment is answered. */
function answer(form: HTMLFormElement, comment: Element | null): void {
	const field = form.querySelector("textarea");
	const name = comment?.querySelector<HTMLAnchorElement>("a.author")?.pathname.slice(1);
	if (!field || !name || field.value.includes(`@${name} `)) {
		return;
	}
	field.setRangeText(`@${name} `, 0, 0, field.value === "" ? "end" : "preserve");
	field.dispatchEvent(new Event("input", { bubbles: true })); // so that the draft is kept
}

/** Opens the folded comments around the comment that the address names. */
function openTarget(): void {
	if (location.hash === "#post-form") {
		focusPost();
	}
	const comment = /^#c\d+$/.test(location.hash) ? document.getElementById(location.hash.slice(1)) : null;
	const folded = comment?.parentElement?.closest("details:not([open])");
	if (folded) {
		folded.setAttribute("open", "");
		comment?.scrollIntoView({ block: "start", behavior: "instant" });
	}
}

/** Moves the focus to the form for a post; reports whether the page has one. */
function focusPost(): boolean {
	const field = document.querySelector<HTMLTextAreaElement>("#post-form textarea");
	field?.focus();
	return field !== null;
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
