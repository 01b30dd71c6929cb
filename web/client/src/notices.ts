// The messages in the corner of the page: no connection, or new posts above.

import { words } from "./words.js";

/** A line of text, with a link if the viewer can do something about it. */
export interface Line {
	text: string;
	link?: { text: string; href: string };
}

/** Notices are the lines and the button in the corner of the page. */
export class Notices {
	private readonly lines = new Map<string, { line: Line; element: HTMLElement }>();
	private readonly box: HTMLElement;
	private readonly button = document.createElement("button");
	private unseenEntries = 0;
	private readonly faces = new Map<string, Node>(); // of the authors of unseen entries, by address

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
				if (this.unseenEntries > 0 && scrollY < innerHeight / 4) {
					this.seen();
				}
			},
			{ passive: true },
		);
	}

	/** Sets the line about a subject; undefined removes it. */
	setLine(subject: string, line: Line | undefined): void {
		const before = this.lines.get(subject);
		if (line && before?.line.text === line.text && before.line.link?.href === line.link?.href) {
			return; // so that a screen reader does not read it again
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

	/** Counts the new entries above the visible part of the page. */
	came(articles: Element[]): void {
		const above = articles.filter((article) => article.isConnected && article.getBoundingClientRect().bottom <= 0);
		if (above.length === 0) {
			return;
		}
		this.unseenEntries += above.length;
		for (const face of above.map((article) => article.querySelector("img"))) {
			if (face) {
				this.faces.set(face.src, face.cloneNode());
			}
		}
		this.button.replaceChildren(...[...this.faces.values()].slice(-3), words.newPosts(this.unseenEntries));
		this.button.hidden = false;
	}

	private seen(): void {
		this.unseenEntries = 0;
		this.faces.clear();
		this.button.hidden = true;
	}
}
