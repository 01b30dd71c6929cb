// A live page: it shows the entries, follows the server, and sends the forms.

import { anchored } from "./anchor.js";
import { entriesOf, type Answer } from "./answer.js";
import { Drafts } from "./drafts.js";
import { closeEditing, isEditing } from "./edit.js";
import { Follower, type Verdict } from "./follow.js";
import type { Standing } from "./link.js";
import { Notices, type Line } from "./notices.js";
import { forgetPages } from "./offline.js";
import { parse, type River, type Watcher } from "./river.js";
import { forgetUnsent, Sender, type FormListener } from "./submit.js";
import { ReadMark } from "./readmark.js";
import { htmlOf, site } from "./site.js";
import type { Times } from "./times.js";
import type { UnreadBadge } from "./unread.js";
import { Wire, type Listener } from "./wire.js";
import { beingWritten } from "./typing.js";
import { closeForm } from "./writing.js";
import { words } from "./words.js";

/** Updates at most so many milliseconds apart seem immediate to a reader. */
const unnoticedPause = 2000;

/** A Page connects the river, the wire and the forms. */
export class Page implements Listener, FormListener, Watcher {
	private readonly follower: Follower;
	private readonly wire: Wire;
	private readonly drafts: Drafts;
	private readonly notices = new Notices();
	private readonly readMark: ReadMark;
	private build: string | undefined;
	private restored = false; // from the browser's back-forward cache

	constructor(
		private readonly river: River,
		private readonly times: Times,
		private readonly unreadBadge: UnreadBadge,
	) {
		this.follower = new Follower(river.known(), htmlOf);
		this.wire = new Wire(site, river.name, river.page, this.follower, this);
		this.drafts = new Drafts(river.viewer);
		this.readMark = new ReadMark(river);
	}

	start(): void {
		this.drafts.start();
		this.readMark.start();
		new Sender(this.river.name, this).start();
		addEventListener("pageshow", (event) => (this.restored ||= event.persisted));
		this.wire.start();
	}

	verdict({ show }: Verdict): void {
		if (show) {
			this.river.show(show, this);
		}
		const { epoch, counter, position } = this.follower;
		this.river.recordPosition(epoch, counter, position);
	}

	changed(): void {
		this.times.refresh(this.river.element);
		this.drafts.restore(this.river.element);
		this.readMark.changed();
	}

	added(articles: Element[]): void {
		this.notices.came(articles);
	}

	standing(standing: Standing): void {
		this.notices.setLine("standing", this.lineFor(standing));
		if (standing !== "here") {
			this.notices.setLine("pace", undefined);
		}
		if (standing === "forbidden" || standing === "signed out") {
			forgetPages();
		}
		// Another person may use the browser when it restores a page from its cache.
		if (standing === "forbidden" || (standing === "signed out" && this.restored)) {
			this.empty();
		}
	}

	/**
	 * Removes the entries, the head and the title, which the viewer may no longer see. Text being
	 * written stays.
	 */
	private empty(): void {
		this.river.show({ order: [], draw: new Map() }, this);
		for (const element of document.querySelectorAll("#content > *, #river > *")) {
			if (!element.matches("#river, #banner, .foot, .is-left") && !beingWritten(element)) {
				element.remove();
			}
		}
		document.title = "Amstel";
	}

	private lineFor(standing: Standing): Line | undefined {
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

	unread(count: number, directs?: number): void {
		this.unreadBadge.receive(count, directs);
	}

	disconnected(): void {
		this.river.element.dataset["connected"] = "false";
	}

	connected(build: string): void {
		this.river.element.dataset["connected"] = "true";
		forgetUnsent();
		this.build ??= build;
		const other = { text: words.newer, link: { text: words.reload, href: this.river.page } };
		this.notices.setLine("build", build === this.build ? undefined : other);
	}

	present(count: number): void {
		this.river.showPresence(count > 1 ? words.present(count) : undefined);
	}

	pace(ms: number): void {
		const seconds = Math.round(ms / 1000);
		const line = { text: words.pace(seconds) };
		this.notices.setLine("pace", ms < unnoticedPause ? undefined : line);
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

	done(form: HTMLElement, answer: Answer, sent: number): void {
		const before = form.closest<HTMLElement>("article");
		const home = before?.querySelector<HTMLAnchorElement>("header a")?.href;
		for (const entry of entriesOf(answer, tagOf)) {
			const verdict = this.follower.answer(entry, this.river.top && form.id === "post-form", sent);
			this.verdict(verdict);
			if (verdict.resubscribe) {
				this.wire.resubscribe();
			}
		}
		if (form.id === "post-form") {
			this.reportPost(answer);
		} else if (before?.classList.contains("entry-single") && !before.isConnected && home) {
			location.assign(home); // the page's post was deleted
		}
	}

	/** Links to the new post if the post does not belong on this page. */
	private reportPost({ post }: Answer): void {
		if (!post || this.follower.has(post.id)) {
			this.notices.setLine("posted", undefined);
			return;
		}
		const href = post.url ?? `/${this.river.viewer}/${post.id}`;
		this.notices.setLine("posted", { text: words.posted, link: { text: words.read, href } });
	}

	emptied(form: HTMLFormElement, field: HTMLTextAreaElement): void {
		if (isEditing(form)) {
			const left = form.closest("article.is-left");
			closeEditing(form);
			left?.remove();
			return;
		}
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
