// Times in words that depend on when they are read, which pages therefore don't
// hold: "3 minutes ago". After a week the date says more.

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;

/** The words for a moment so many seconds ago; undefined where its date says more. */
export function ago(seconds: number, words: Intl.RelativeTimeFormat): string | undefined {
	if (seconds >= week) {
		return undefined;
	}
	if (seconds < minute) {
		return words.format(0, "second"); // and so is what a fast clock puts into the future
	}
	if (seconds < hour) {
		return words.format(-Math.floor(seconds / minute), "minute");
	}
	if (seconds < day) {
		return words.format(-Math.floor(seconds / hour), "hour");
	}
	return words.format(-Math.floor(seconds / day), "day");
}

/** Times keeps the time elements of the page in words. */
export class Times {
	private readonly words = new Intl.RelativeTimeFormat(document.documentElement.lang || "en", { numeric: "auto" });
	/** The words that the server has for a moment, by its datetime. */
	private readonly dates = new WeakMap<Element, { moment: string; date: string; shown: string }>();

	start(): void {
		this.refresh(document);
		setInterval(() => this.refresh(document), minute * 1000);
		document.addEventListener("visibilitychange", () => {
			if (!document.hidden) {
				this.refresh(document);
			}
		});
	}

	/** Brings the words of all times under an element up to date. */
	refresh(root: ParentNode): void {
		const now = Date.now();
		for (const time of root.querySelectorAll("time[datetime]")) {
			const moment = time.getAttribute("datetime") ?? "";
			const text = time.textContent ?? "";
			let known = this.dates.get(time);
			if (known?.moment !== moment || known.shown !== text) {
				known = { moment, date: text, shown: text };
			}
			const seconds = (now - Date.parse(moment)) / 1000;
			known.shown = (Number.isNaN(seconds) ? undefined : ago(seconds, this.words)) ?? known.date;
			if (known.shown !== text) {
				time.textContent = known.shown;
			}
			this.dates.set(time, known);
		}
	}
}
