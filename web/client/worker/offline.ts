// The HTML of pages that are shown without a connection.

/** A Listing is a kept page in the list of them. */
export interface Listing {
	url: string;
	html: string;
	at: Date;
}

/**
 * Returns the part of a page's HTML before its body. People's texts are escaped there, as
 * everywhere.
 */
function head(html: string): string {
	return html.slice(0, html.indexOf("</head>"));
}

/** Returns the notice for the time without a connection, as HTML; undefined: the page may not be kept. */
function noticeOf(html: string): string | undefined {
	return /<meta name="offline" content="([^"]*)"/.exec(head(html))?.[1];
}

/** Reports whether a page may be kept: the server gives only such pages a notice. */
export function mayKeep(html: string): boolean {
	return noticeOf(html) !== undefined;
}

/** Returns the paths of the stylesheet, the script and the icons of a page. */
export function filesOf(html: string): string[] {
	const found = head(html).matchAll(/ (?:href|src)="(\/static\/[\w.-]+)"/g);
	return [...new Set([...found].map((match) => match[1]!))];
}

/** Returns a page with a notice of the page's time, and with forms that can't be used. */
export function offlinePage(html: string, at: Date, now: Date): string {
	const notice = (noticeOf(html) ?? "").replace("{at}", () => timeOf(html, at, now));
	return disconnected(html).replace(/<main [^>]*id="content"[^>]*>/, (start) => {
		return `${start}<p class="notice offline" role="status">${notice}</p>`;
	});
}

/** Returns the page shown in place of pages that are not kept, with links to the kept ones. */
export function offlineShell(html: string, listings: Listing[], now: Date): string {
	const shell = disconnected(html);
	if (listings.length === 0) {
		return shell;
	}
	const items = listings.map(({ url, html: page, at }) => {
		const title = /<title>(?:\(\d+\+?\) )?([^<]*?)( · Amstel)?<\/title>/.exec(page)?.[1] ?? "";
		const { pathname, search } = new URL(url);
		const time = timeOf(html, at, now);
		return `<li><a href="${escaped(pathname + search)}">${title}</a> <time class="hint">${time}</time></li>`;
	});
	return shell.replace(
		/(<section id="kept") hidden([^]*?<ul>)/,
		(_, start: string, list: string) => start + list + items.join(""),
	);
}

/** Returns a page that is marked as offline for its script, and whose forms can't be used. */
function disconnected(html: string): string {
	return html
		.replace("<html ", "<html data-offline ")
		.replaceAll("<form ", "<form inert ")
		.replace(/<button (?=[^>]* form=)/g, "<button inert ");
}

/** Returns a moment in the language of a page, as HTML: the time, and the day if it is another than today. */
function timeOf(html: string, at: Date, now: Date): string {
	const day = at.toDateString() === now.toDateString() ? {} : ({ day: "numeric", month: "short" } as const);
	const language = /<html [^>]*lang="([\w-]+)"/.exec(html)?.[1];
	const format = new Intl.DateTimeFormat(language, { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
	return escaped(format.format(at));
}

function escaped(text: string): string {
	return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
