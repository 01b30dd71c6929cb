// What was typed and not sent, kept while the tab lives: through a reload, a
// crash, a way there and back.

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

	/** Puts texts back into the forms under an element. */
	restore(root: ParentNode): void {
		for (const field of root.querySelectorAll("textarea")) {
			const key = this.keyOf(field);
			const text = key === undefined ? null : stored((texts) => texts.getItem(key));
			if (text && field.value === "") {
				field.value = text;
			}
		}
	}

	/** Keeps what a field holds, which may be nothing. */
	save(field: HTMLTextAreaElement): void {
		const key = this.keyOf(field);
		if (key === undefined) {
			return;
		}
		const text = field.value;
		stored((texts) => (text.trim() === "" ? texts.removeItem(key) : texts.setItem(key, text)));
	}

	/** A comment's text goes with its post, wherever that is shown; a post's with its page. */
	private keyOf(field: HTMLTextAreaElement): string | undefined {
		const post = field.closest<HTMLElement>("article[data-post-id]")?.dataset["postId"];
		const form = field.form;
		if (form === null || (post === undefined && form.id !== "post-form")) {
			return undefined;
		}
		return `amstel draft ${this.viewer} ${post ?? location.pathname}`;
	}
}

/** The tab's storage, which may be switched off or full: then nothing is kept. */
function stored<T>(use: (texts: Storage) => T): T | null {
	try {
		return use(sessionStorage);
	} catch {
		return null;
	}
}
