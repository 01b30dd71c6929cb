// Keeps text that was typed and not sent for as long as the tab lives: through a reload, a
// crash, a visit to another page.

/** Drafts are the texts of one viewer in this tab. */
export class Drafts {
	constructor(private readonly viewer: string) {}

	start(): void {
		document.addEventListener("input", (event) => {
			if (event.target instanceof HTMLTextAreaElement) {
				this.save(event.target);
			}
		});
		this.restore(document);
	}

	/** Puts kept texts back into the empty forms under an element. */
	restore(root: ParentNode): void {
		for (const field of root.querySelectorAll("textarea")) {
			const key = this.keyOf(field);
			const text = key === undefined ? null : withStorage((texts) => texts.getItem(key));
			if (text && field.value === "") {
				field.value = text;
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
		withStorage((texts) => (text.trim() === "" ? texts.removeItem(key) : texts.setItem(key, text)));
	}

	/** Returns the key of a field's text: by post for a comment, on any page; by page for a new post. */
	private keyOf(field: HTMLTextAreaElement): string | undefined {
		const post = field.closest<HTMLElement>("article[data-post-id]")?.dataset["postId"];
		const form = field.form;
		if (form === null || (form.id !== "post-form" && form.dataset["part"] !== "form")) {
			return undefined;
		}
		return `amstel draft ${this.viewer} ${post ?? location.pathname}`;
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
