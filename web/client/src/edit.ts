// Edits posts and comments in their entry, with the form of the page for editing. If that page
// can't be loaded, the browser goes there.

import { loadPage } from "./load.js";
import { own } from "./morph.js";

const editing = "is-editing";
let opened = 0; // how many forms were opened; each gets ids of its own

/** Makes the links for editing open their form in the entry. */
export function startEditing(): void {
	document.addEventListener("click", (event) => {
		const at = event.target instanceof Element ? event.target : undefined;
		const link = at?.closest<HTMLAnchorElement>("#river a[data-edit]");
		const cancel = at?.closest<HTMLAnchorElement>("form.in-place .form-acts a");
		if (event.ctrlKey || event.metaKey || event.shiftKey || (!link && !cancel)) {
			return;
		}
		event.preventDefault();
		if (link) {
			void edit(link);
		} else {
			closeEditing(cancel!.closest("form")!);
		}
	});
	document.addEventListener("keydown", (event) => {
		const field = event.target;
		if (
			event.key === "Escape" &&
			field instanceof HTMLTextAreaElement &&
			field.value === field.defaultValue &&
			isEditing(field.form)
		) {
			closeEditing(field.form!);
		}
	});
}

/** Reports whether the form edits a post or comment in its entry. */
export function isEditing(form: HTMLFormElement | null): boolean {
	return form?.classList.contains("in-place") ?? false;
}

/** Removes the form, and shows the text again. If the focus was in the form, it moves to the link that opens the form. */
export function closeEditing(form: HTMLFormElement): void {
	const place = form.parentElement;
	const focused = form.contains(document.activeElement);
	form.remove();
	place?.classList.remove(editing);
	if (focused) {
		const link = place?.closest(".comment")?.querySelector<HTMLElement>("a[data-edit]");
		const menu = place?.closest("article")?.querySelector<HTMLElement>(".actions > .menu > summary");
		(link ?? menu)?.focus({ preventScroll: true });
	}
}

async function edit(link: HTMLAnchorElement): Promise<void> {
	const place =
		link.closest<HTMLElement>(".comment-in, .comment") ??
		link.closest("article")?.querySelector<HTMLElement>(":scope > .bem-post__text");
	if (!place || link.hasAttribute("aria-busy") || place.classList.contains(editing)) {
		return;
	}
	link.setAttribute("aria-busy", "true");
	const form = await formOf(link.href).catch(() => undefined);
	link.removeAttribute("aria-busy");
	if (!form) {
		location.assign(link.href);
		return;
	}
	if (!place.isConnected) {
		return; // the text was deleted meanwhile
	}
	link.closest("details")?.removeAttribute("open");
	place.classList.add(editing);
	place.append(form);
	const field = form.querySelector("textarea");
	field?.focus({ preventScroll: true });
	field?.setSelectionRange(field.value.length, field.value.length);
	form.scrollIntoView({ block: "nearest", behavior: "instant" });
}

/** Returns the form of a page for editing, ready for an entry; undefined if the page has none, as after a sign-out. */
async function formOf(address: string): Promise<HTMLFormElement | undefined> {
	const found = (await loadPage(address)).querySelector<HTMLFormElement>("main form[enctype]");
	if (!found) {
		return undefined;
	}
	const form = document.importNode(found, true);
	form.setAttribute(own, "");
	form.classList.add("in-place");
	form.querySelector("details")?.removeAttribute("open");
	opened++;
	for (const name of ["id", "for", "aria-describedby"]) {
		form
			.querySelectorAll(`[${name}]`)
			.forEach((element) => element.setAttribute(name, `${element.getAttribute(name)}-${opened}`));
	}
	return form;
}
