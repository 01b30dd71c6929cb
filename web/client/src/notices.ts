// What the page has to say of itself, in a corner: that it is not connected, that
// something new is above.

import { words } from "./words.js";

/** A line of text, with a link where something can be done about it. */
export interface Line {
	text: string;
	link?: { text: string; href: string };
}

/** Notices are the lines and the button that stand over the page. */
export class Notices {
	private readonly lines = new Map<string, { line: Line; element: HTMLElement }>();
	private readonly box: HTMLElement;
	private readonly button = document.createElement("button");
	private unseen = 0;

	constructor() {
		this.box = document.createElement("div");
		this.box.className = "live";
		this.box.setAttribute("role", "status"); // polite
		this.button.type = "button";
		this.button.className = "live-new";
		this.button.hidden = true;
		this.button.addEventListener("click", () => {
			scrollTo({ top: 0 });
			this.seen();
		});
		this.box.append(this.button);
		document.body.append(this.box);
		addEventListener(
			"scroll",
			() => {
				if (this.unseen > 0 && scrollY < innerHeight / 4) {
					this.seen();
				}
			},
			{ passive: true },
		);
	}

	/** Says something about a subject, in place of what was said of it; undefined: nothing any more. */
	say(subject: string, line: Line | undefined): void {
		const before = this.lines.get(subject);
		if (line && before?.line.text === line.text && before.line.link?.href === line.link?.href) {
			return; // nor is it read out once more
		}
		before?.element.remove();
		this.lines.delete(subject);
		if (!line) {
			return;
		}
		const element = document.createElement("p");
		element.className = `live-line live-${subject}`;
		element.append(line.text);
		if (line.link) {
			const link = document.createElement("a");
			link.href = line.link.href;
			link.textContent = line.link.text;
			element.append(" ", link);
		}
		this.lines.set(subject, { line, element });
		this.box.append(element);
	}

	/** Counts entries that came, if they are above what is in sight. */
	came(articles: Element[]): void {
		const above = articles.filter((article) => article.isConnected && article.getBoundingClientRect().bottom <= 0);
		if (above.length === 0) {
			return;
		}
		this.unseen += above.length;
		this.button.textContent = words.newPosts(this.unseen);
		this.button.hidden = false;
	}

	private seen(): void {
		this.unseen = 0;
		this.button.hidden = true;
	}
}
