// A live page: what it shows, what it hears, and what is sent from it.

import { anchored } from "./anchor.js";
import { entriesOf, type Answer } from "./answer.js";
import { Drafts } from "./drafts.js";
import { Follower, type Verdict } from "./follow.js";
import type { Standing } from "./link.js";
import { Notices, type Line } from "./notices.js";
import { parse, type River, type Watcher } from "./river.js";
import { Sender, type Sent } from "./submit.js";
import { Seen } from "./seen.js";
import type { Times } from "./times.js";
import type { Unread } from "./unread.js";
import { Wire, type Listener } from "./wire.js";
import { beingWritten } from "./typing.js";
import { closeForm } from "./writing.js";
import { words } from "./words.js";

/** What comes no further apart than so many milliseconds comes at once, to a reader. */
const unnoticed = 2000;

/** A Page brings the river, the wire and the forms together. */
export class Page implements Listener, Sent, Watcher {
	private readonly follower: Follower;
	private readonly wire: Wire;
	private readonly drafts: Drafts;
	private readonly notices = new Notices();
	private readonly seen: Seen;
	private build: string | undefined;
	private takenOut = false; // of what the browser had put away

	constructor(
		private readonly river: River,
		private readonly times: Times,
		private readonly notified: Unread,
	) {
		this.follower = new Follower(river.known());
		this.wire = new Wire(river.name, river.page, this.follower, this);
		this.drafts = new Drafts(river.viewer);
		this.seen = new Seen(river);
	}

	start(): void {
		this.drafts.start();
		this.seen.start();
		new Sender(this.river.name, this).start();
		addEventListener("pageshow", (event) => (this.takenOut ||= event.persisted));
		this.wire.start();
	}

	verdict({ show }: Verdict): void {
		if (show) {
			this.river.show(show, this);
		}
		const { epoch, counter, position } = this.follower;
		this.river.note(epoch, counter, position);
	}

	changed(): void {
		this.times.refresh(this.river.element);
		this.drafts.restore(this.river.element);
		this.seen.changed();
	}

	came(articles: Element[]): void {
		this.notices.came(articles);
	}

	standing(standing: Standing): void {
		this.notices.say("standing", this.about(standing));
		if (standing !== "here") {
			this.notices.say("pace", undefined);
		}
		// Who comes back to what was put away may be another than who left it there.
		if (standing === "forbidden" || (standing === "signed out" && this.takenOut)) {
			this.empty();
		}
	}

	/** What the page shows may not be seen any more, nor what it is called; what is being written stays. */
	private empty(): void {
		this.river.show({ order: [], draw: new Map() }, this);
		for (const element of document.querySelectorAll("#content > *, #river > *")) {
			if (!element.matches("#river, #banner, .foot, .is-left") && !beingWritten(element)) {
				element.remove();
			}
		}
		document.title = "Amstel";
	}

	private about(standing: Standing): Line | undefined {
		switch (standing) {
			case "here":
				return undefined;
			case "away":
				return { text: words.away };
			case "signed out":
				return {
					text: words.signedOut,
					link: { text: words.signIn, href: `/users/sign_in?return_to=${encodeURIComponent(this.river.page)}` },
				};
			case "forbidden":
				return { text: words.forbidden, link: { text: words.home, href: "/" } };
			case "too many":
				return {
					text: words.tooMany,
					link: { text: words.reload, href: this.river.page },
				};
			case "refused":
				return { text: words.refused, link: { text: words.reload, href: this.river.page } };
		}
	}

	unread(count: number): void {
		this.notified.told(count);
	}

	parted(): void {
		this.river.element.dataset["connected"] = "false";
	}

	greeted(build: string): void {
		this.river.element.dataset["connected"] = "true";
		this.build ??= build;
		const other = { text: words.newer, link: { text: words.reload, href: this.river.page } };
		this.notices.say("build", build === this.build ? undefined : other);
	}

	present(count: number): void {
		this.river.crowd(count > 1 ? words.present(count) : undefined);
	}

	pace(ms: number): void {
		const seconds = Math.round(ms / 1000);
		const line = { text: words.pace(seconds) };
		this.notices.say("pace", ms < unnoticed ? undefined : line);
	}

	behind(behind: boolean): void {
		const banner = document.getElementById("banner");
		if (!banner || banner.hidden === !behind) {
			return;
		}
		anchored(this.river.element, () => {
			banner.hidden = !behind;
			return new Set();
		});
	}

	sending(): number {
		return this.follower.moment;
	}

	done(form: HTMLFormElement, answer: Answer, sent: number): void {
		const before = form.closest<HTMLElement>("article");
		const home = before?.querySelector<HTMLAnchorElement>("a.author")?.href;
		for (const entry of entriesOf(answer, tagOf)) {
			const verdict = this.follower.answer(entry, this.river.top && form.id === "post-form", sent);
			this.verdict(verdict);
			if (verdict.again) {
				this.wire.again();
			}
		}
		if (form.id === "post-form") {
			this.posted(answer);
		} else if (before?.classList.contains("entry-single") && !before.isConnected && home) {
			location.assign(home); // the page's post was deleted
		}
	}

	/** A post that does not belong on this page is somewhere else. */
	private posted({ post }: Answer): void {
		if (!post || this.follower.has(post.id)) {
			this.notices.say("posted", undefined);
			return;
		}
		const href = post.url ?? `/${this.river.viewer}/${post.id}`;
		this.notices.say("posted", { text: words.posted, link: { text: words.read, href } });
	}

	emptied(form: HTMLFormElement, field: HTMLTextAreaElement): void {
		this.drafts.save(field);
		if (form.id === "post-form") {
			field.blur();
		} else {
			closeForm(form);
			form.closest("article.is-left")?.remove();
		}
	}
}

function tagOf(html: string): string {
	return parse(html)?.dataset["tag"] ?? "";
}
