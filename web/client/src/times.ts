// Times in words that change while the page is open, such as "3 minutes ago". The server
// sends dates; for times older than a week the date stays.

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;

/** Returns the words for a moment so many seconds ago; undefined after a week. */
export function ago(seconds: number, words: Intl.RelativeTimeFormat): string | undefined {
	if (seconds >= week) {
		return undefined;
	}
	if (seconds < minute) {
		return words.format(0, "second"); // also for a moment in the future, by a wrong clock
	}
	if (seconds < hour) {
		return words.format(-Math.floor(seconds / minute), "minute");
	}
	if (seconds < day) {
		return words.format(-Math.floor(seconds / hour), "hour");
	}
	return words.format(-Math.floor(seconds / day), "day");
}

/** Times keeps the words of the page's time elements up to date. */
export class Times {
	private readonly words = new Intl.RelativeTimeFormat(document.documentElement.lang || "en", { numeric: "auto" });
	/** The server's words of each element, with their datetime and the words shown now. */
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

	/** Updates the words of all times under an element. */
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
