// Times in words that change while the page is open, such as "3 minutes ago". Times older than
// a week are dates, in the reader's zone: the one that the account sets, else the browser's.

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

/** Returns a format of dates in a zone; in the browser's zone if the browser does not know that zone. */
export function formatIn(
	timeZone: string | undefined,
	locale: string,
	parts: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
	try {
		return new Intl.DateTimeFormat(locale, { ...parts, timeZone });
	} catch {
		return new Intl.DateTimeFormat(locale, parts);
	}
}

/** Returns the locale of dates: the first of the browser's that is of the page's language. */
export function localeOf(language: string, browsers: readonly string[]): string {
	return browsers.find((one) => one.split("-")[0] === language) ?? language;
}

/** Times keeps the words of the page's time elements up to date. */
export class Times {
	private readonly locale = localeOf(document.documentElement.lang || "en", navigator.languages);
	private readonly zone = document.documentElement.dataset["zone"];
	private readonly words = new Intl.RelativeTimeFormat(this.locale, { numeric: "auto" });
	private readonly date = formatIn(this.zone, this.locale, { dateStyle: "medium", timeStyle: "short" });
	private readonly whole = formatIn(this.zone, this.locale, { dateStyle: "full", timeStyle: "long" });

	start(): void {
		this.refresh(document);
		setInterval(() => this.refresh(document), minute * 1000);
		document.addEventListener("visibilitychange", () => {
			if (!document.hidden) {
				this.refresh(document);
			}
		});
		document.querySelector("[data-own-zone]")?.append(` (${Intl.DateTimeFormat().resolvedOptions().timeZone})`);
	}

	/** Updates the words of all times under an element. */
	refresh(root: ParentNode): void {
		const now = Date.now();
		for (const time of root.querySelectorAll("time")) {
			const moment = Date.parse(time.dateTime);
			if (Number.isNaN(moment)) {
				continue;
			}
			const shown = ago((now - moment) / 1000, this.words) ?? this.date.format(moment);
			if (time.textContent !== shown) {
				time.textContent = shown;
			}
			const whole = this.whole.format(moment);
			if (time.title !== whole) {
				time.title = whole;
			}
		}
	}
}
