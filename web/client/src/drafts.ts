// Keeps typed but unsent text as long as the tab lives: through a reload, a crash, a visit to
// another page. With the text of a post it keeps the chosen places, so that a text for few people
// does not come back as a post for all.

import { addPlaces } from "./ondemand.js";
import { commentForm } from "./writing.js";

/** Drafts are the texts of one viewer in this tab. */
export class Drafts {
	constructor(private readonly viewer: string) {}

	start(): void {
		document.addEventListener("input", (event) => {
			if (event.target instanceof HTMLTextAreaElement) {
				this.save(event.target);
			}
		});
		document.addEventListener("change", (event) => {
			const field = event.target instanceof HTMLInputElement && event.target.form?.querySelector("textarea");
			if (field) {
				this.save(field);
			}
		});
		this.restore(document);
	}

	/** Puts kept texts back into the empty forms under an element. */
	restore(root: ParentNode): void {
		for (const article of root.querySelectorAll<HTMLElement>("article[data-post-id]")) {
			if (withStorage((texts) => texts.getItem(this.keyFor(article.dataset["postId"]!)))) {
				commentForm(article);
			}
		}
		for (const field of root.querySelectorAll("textarea")) {
			const key = this.keyOf(field);
			const text = key === undefined ? null : withStorage((texts) => texts.getItem(key));
			if (text && field.value === "") {
				field.value = text;
				const chosen = withStorage((texts) => texts.getItem(key + places));
				if (chosen) {
					choose(field.form!, JSON.parse(chosen) as string[]);
				}
			}
		}
	}

	/** Keeps the text of a field, or forgets it if the field is empty. */
	save(field: HTMLTextAreaElement): void {
		const key = this.keyOf(field);
		if (key === undefined) {
			return;
		}
		const text = field.value;
		withStorage((texts) => {
			if (text.trim() === "") {
				texts.removeItem(key);
				texts.removeItem(key + places);
				return;
			}
			// First the places: if there is no room for them, the text is not kept without them.
			const chosen = placesOf(field.form!).filter((box) => box.checked);
			texts.setItem(key + places, JSON.stringify(chosen.map((box) => box.value)));
			texts.setItem(key, text);
		});
	}

	/** Returns the key of a field's text: by post for a comment, on any page; by page for a new post. */
	private keyOf(field: HTMLTextAreaElement): string | undefined {
		const post = field.closest<HTMLElement>("article[data-post-id]")?.dataset["postId"];
		const form = field.form;
		if (form === null || (form.id !== "post-form" && !form.classList.contains("comment-form"))) {
			return undefined;
		}
		return this.keyFor(post ?? location.pathname);
	}

	private keyFor(subject: string): string {
		return `amstel draft ${this.viewer} ${subject}`;
	}
}

/** The end of the key of the places. */
const places = " places";

const placesOf = (form: HTMLFormElement): HTMLInputElement[] => [
	...form.querySelectorAll<HTMLInputElement>("input[type=checkbox][name='post[timelines][]']"),
];

/**
 * Checks these places of a form, and no others. While the form lacks one of the places, none is checked,
 * and the form gets all places of the viewer.
 */
function choose(form: HTMLFormElement, chosen: readonly string[]): void {
	const boxes = placesOf(form);
	const lacks =
		chosen.some((value) => !boxes.some((box) => box.value === value)) && form.querySelector("[data-places]");
	boxes.forEach((box) => (box.checked = !lacks && chosen.includes(box.value)));
	boxes[0]?.dispatchEvent(new Event("change", { bubbles: true }));
	if (lacks) {
		addPlaces(form).then(
			() => choose(form, chosen),
			() => undefined, // without a connection none stays checked
		);
	}
}

/** Calls `use` with the tab's storage. If the storage is switched off or full, nothing is kept. */
function withStorage<T>(use: (texts: Storage) => T): T | null {
	try {
		return use(sessionStorage);
	} catch {
		return null;
	}
}
