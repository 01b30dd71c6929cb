// Adds to the form for a post the groups that it does not offer at once, and a field to find a
// group. Without the script a link leads to a page with all groups.

import { loadPage } from "./load.js";

/**
 * Replaces the link to all places of a form by these places. Returns the field that finds one of them;
 * undefined if the form has all places. Throws if the page with them can't be loaded.
 */
export async function addPlaces(form: HTMLFormElement): Promise<HTMLInputElement | undefined> {
	const link = form.querySelector<HTMLAnchorElement>("a[data-places]");
	if (!link) {
		return undefined;
	}
	const page = await loadPage(link.href);
	const all = form.querySelector(".post-to > fieldset");
	if (!all || !link.isConnected) {
		return undefined; // another call was faster
	}
	const there = new Set(boxesOf(form).map((box) => box.value));
	for (const box of boxesOf(page)) {
		const label = box.closest("label");
		if (label && !there.has(box.value)) {
			const added = document.importNode(label, true);
			added.querySelector("input")!.defaultChecked = false;
			all.append(added);
		}
	}
	const field = document.createElement("input");
	field.type = "search";
	field.placeholder = link.dataset["places"] ?? "";
	field.setAttribute("aria-label", field.placeholder);
	field.addEventListener("input", () => find(form, field.value));
	field.addEventListener("keydown", (event) => {
		if (event.key === "Enter") {
			event.preventDefault(); // the form is not sent from here
		}
	});
	link.remove();
	all.before(field);
	return field;
}

const boxesOf = (root: ParentNode): HTMLInputElement[] => [
	...root.querySelectorAll<HTMLInputElement>("input[type=checkbox][name='post[timelines][]']"),
];

/** Hides the places whose names do not have the text, except chosen ones. */
function find(form: HTMLFormElement, text: string): void {
	const wanted = text.trim().toLocaleLowerCase();
	for (const box of boxesOf(form)) {
		const label = box.closest("label")!;
		label.hidden = !box.checked && !label.textContent.toLocaleLowerCase().includes(wanted);
	}
}
