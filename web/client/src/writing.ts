// Comment forms open in place, also for answers to a comment. Ctrl+Enter sends a form, and Escape
// closes an empty one. A page of many posts has one comment form, as a template; an entry gets its
// form when it is opened.

import { own } from "./morph.js";
import { newUUID } from "./submit.js";
import { beingWritten, filled } from "./typing.js";

/** The links to the form for a comment, in an entry. */
const links = ":is(.actions, .bem-post__comment-rest) > a[href$='#f']";

/** Makes the comment forms of the page open by a click, and send and close by keys. */
export function startWriting(): void {
	openTarget();
	addEventListener("hashchange", openTarget);
	document.addEventListener("click", (event) => {
		const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(links) : null;
		const article = link?.closest("article");
		if (event.target instanceof Element && event.target.closest("a.nav-write") && focusPost()) {
			event.preventDefault();
		}
		const form = article && !event.ctrlKey && !event.metaKey && !event.shiftKey && commentForm(article);
		if (!form) {
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

/**
 * Returns the comment form of an entry, which may get it now, or null if the viewer can't comment
 * there.
 */
export function commentForm(article: HTMLElement): HTMLFormElement | null {
	const there = article.querySelector<HTMLFormElement>(":scope > form.comment-form");
	const template = document.querySelector<HTMLTemplateElement>("template#comment");
	const link = article.querySelector<HTMLAnchorElement>(links);
	if (there || !template || !link) {
		return there;
	}
	const form = document.importNode(template.content, true).querySelector("form")!;
	form.setAttribute(own, "");
	form.id = `f${article.dataset["postId"]}`;
	form.action = link.pathname;
	form.querySelector<HTMLInputElement>("[name=_action]")!.value =
		`/api/v1/posts/${article.dataset["postId"]}/comments.json`;
	const once = document.createElement("input");
	Object.assign(once, { type: "hidden", name: "_uuid", value: newUUID() });
	const field = form.querySelector("textarea")!;
	const author = article.querySelector("header a")!.textContent;
	field.setAttribute(
		"aria-label",
		field.getAttribute("aria-label")!.replace("{name}", () => author),
	);
	form.append(once);
	article.append(form);
	return form;
}

/**
 * Removes the form that an entry got if the viewer can no longer comment there and is writing
 * nothing.
 */
export function withdrawForm(article: HTMLElement): void {
	const form = article.querySelector(`:scope > form[${own}]`);
	if (form && !beingWritten(form) && !article.querySelector(links)) {
		form.remove();
	}
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
	for (const other of document.querySelectorAll(`article > form[${own}]`)) {
		if (other !== form && !filled(other)) {
			other.remove();
		}
	}
	const field = form.querySelector("textarea");
	field?.focus({ preventScroll: true });
	field?.scrollIntoView({ block: "nearest", behavior: "instant" });
}

/**
 * Closes a comment form. If the form had the focus, the focus moves to the link that opens the
 * form.
 */
export function closeForm(form: HTMLFormElement): void {
	const link = form.contains(document.activeElement) && form.closest("article")?.querySelector<HTMLElement>(links);
	if (form.hasAttribute(own)) {
		form.remove();
	} else {
		form.querySelector("textarea")?.blur();
	}
	if (link) {
		link.focus({ preventScroll: true });
	}
}
