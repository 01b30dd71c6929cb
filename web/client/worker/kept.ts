// The pages that were visited lately, for the time without a connection. They are kept for
// one reader, and deleted when another reader comes. See docs/sharing.md.

import { filesOf, mayKeep, offlinePage, offlineShell, type Listing } from "./offline.js";

/** The names of caches. A worker that keeps something in another form uses another name. */
const files = "files 1";
const pagesOf = (reader: string): string => `pages 1 ${reader}`;
const isPages = (name: string): boolean => name.startsWith("pages ");

/** The page shown in place of pages that are not kept. */
const shellPath = "/about/offline";
/** Kept besides the pages when one of them was shown without a connection. */
const shownMark = "/about/offline?shown";
const mostPages = 12;
/** For how many milliseconds a page is kept. */
const longest = 24 * 60 * 60 * 1000;

/**
 * The header of an answer that tells readers apart: a name of the session, or one name for all
 * readers without a session.
 */
const readerHeader = "Amstel-Reader";
/** The header of a kept page with its time of arrival. */
const timeHeader = "Amstel-Kept-At";
/** The headers of an answer that its kept page has too. */
const keptHeaders = [
	"Content-Type",
	"Content-Language",
	"Content-Security-Policy",
	"Cross-Origin-Opener-Policy",
	"Referrer-Policy",
	"X-Content-Type-Options",
];

/** Kept holds the kept pages, and the files that they need. */
export class Kept {
	private generation = 0;
	private queue: Promise<void> = Promise.resolve();

	/**
	 * The moment at which a request begins. An answer to a request from before the last change of
	 * readers may be for the reader before, and is not kept.
	 */
	get moment(): number {
		return this.generation;
	}

	/** Deletes all pages. */
	async forget(): Promise<void> {
		this.generation++;
		await this.deletePages(isPages);
	}

	private async deletePages(which: (name: string) => boolean): Promise<void> {
		for (const name of await caches.keys()) {
			if (which(name)) {
				await caches.delete(name);
			}
		}
	}

	/** Deletes caches that only another version of the worker can read. */
	async deleteForeign(): Promise<void> {
		for (const name of await caches.keys()) {
			if (name !== files && !name.startsWith(pagesOf(""))) {
				await caches.delete(name);
			}
		}
	}

	/** Takes the server's answer to a request for a page, and keeps the page if it may. Reads the answer's body. */
	async answered(moment: number, url: string, answer: Response): Promise<void> {
		const reader = answer.headers.get(readerHeader);
		if (reader === null || answer.status >= 500) {
			return; // a redirect, a file, the answer of a proxy, or of a server that can't tell its readers apart now
		}
		const html = await answer.text();
		const step = this.queue.then(() => this.take(moment, url, reader, answer, html));
		this.queue = step.catch(() => undefined);
		await step;
	}

	private async take(moment: number, url: string, reader: string, answer: Response, html: string): Promise<void> {
		if (moment !== this.generation) {
			return;
		}
		const name = pagesOf(reader);
		const own = await caches.has(name);
		if ((await caches.keys()).some((other) => isPages(other) && other !== name)) {
			moment = ++this.generation; // another reader
			await this.deletePages((other) => isPages(other) && other !== name);
		}
		// The readers' rights can have changed while there was no connection.
		if (own && (await (await caches.open(name)).match(shownMark))) {
			await caches.delete(name);
		}
		const keeps = answer.status === 200 && mayKeep(html);
		if (keeps) {
			await this.keepFiles(html);
		}
		if (moment !== this.generation) {
			return;
		}
		const pages = await caches.open(name);
		await pages.delete(url);
		if (keeps) {
			await pages.put(url, copyOf(answer, html));
			const kept = await pages.keys(); // the oldest first
			await Promise.all(kept.slice(0, -mostPages).map((old) => pages.delete(old)));
		}
	}

	/**
	 * Keeps the files that a page needs. A page with files that are not kept yet is the first
	 * of a new version of the site, or in another language. Then the page that stands in for all others is
	 * fetched again, too, and the files that no page needs are deleted.
	 */
	private async keepFiles(html: string): Promise<void> {
		const cache = await caches.open(files);
		const held = new Set((await cache.keys()).map((request) => new URL(request.url).pathname));
		if (held.has(shellPath) && filesOf(html).every((path) => held.has(path))) {
			return;
		}
		const shell = await fetch(shellPath);
		const shellHTML = await shell.clone().text();
		const needed = new Set([...filesOf(html), ...filesOf(shellHTML)]);
		for (const path of needed) {
			if (held.has(path)) {
				continue;
			}
			const file = await fetch(path);
			if (!file.headers.get("Cache-Control")?.includes("immutable")) {
				throw new Error(`${path} is not of this version`); // while servers of two versions run
			}
			await cache.put(path, file);
		}
		if (shell.status === 200) {
			await cache.put(shellPath, copyOf(shell, shellHTML));
		}
		for (const page of await this.listings()) {
			filesOf(page.html).forEach((path) => needed.add(path));
		}
		for (const path of held) {
			if (path !== shellPath && !needed.has(path)) {
				await cache.delete(path);
			}
		}
	}

	/** Returns a kept file that pages need, or undefined. */
	async file(path: string): Promise<Response | undefined> {
		return (await caches.open(files)).match(path);
	}

	/** Returns the page to show without a connection. */
	async page(url: string): Promise<Response> {
		const now = new Date();
		const listings = await this.listings();
		const found = listings.find((page) => page.url === url);
		for (const name of (await caches.keys()).filter(isPages)) {
			await (await caches.open(name)).put(shownMark, new Response());
		}
		if (found) {
			return new Response(offlinePage(found.html, found.at, now), { headers: found.headers });
		}
		const shell = await this.file(shellPath);
		return shell
			? new Response(offlineShell(await shell.text(), listings, now), { headers: shell.headers })
			: Response.error();
	}

	/** Returns the kept pages, the newest first. */
	private async listings(): Promise<(Listing & { headers: Headers })[]> {
		const found: (Listing & { headers: Headers })[] = [];
		for (const name of (await caches.keys()).filter(isPages)) {
			const pages = await caches.open(name);
			for (const request of await pages.keys()) {
				const page = await pages.match(request);
				const at = Number(page?.headers.get(timeHeader));
				if (page && at > Date.now() - longest && at <= Date.now()) {
					found.unshift({ url: request.url, html: await page.text(), at: new Date(at), headers: page.headers });
				}
			}
		}
		return found;
	}
}

/** Returns an answer with its time and the headers that pages need. */
function copyOf(answer: Response, html: string): Response {
	const headers = new Headers({ [timeHeader]: String(Date.now()) });
	for (const name of keptHeaders) {
		const value = answer.headers.get(name);
		if (value !== null) {
			headers.set(name, value);
		}
	}
	return new Response(html, { headers });
}
