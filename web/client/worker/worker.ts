// The service worker: shows recently visited pages while there is no connection. With a connection
// it changes nothing, and every page comes from the server. Shows notices, too, that the server sends to this device.

import { Kept } from "./kept.js";
import { clear, open, renew, show, type Message } from "./push.js";

declare const self: ServiceWorkerGlobalScope;

const kept = new Kept();

self.addEventListener("install", () => void self.skipWaiting());

self.addEventListener("activate", (event) => {
	event.waitUntil(
		(async () => {
			await kept.deleteForeign();
			await self.registration.navigationPreload?.enable(); // a page need not wait for the worker's start
			await self.clients.claim();
			await keepOpenPages();
		})(),
	);
});

/** Keeps the pages that were opened before the worker existed. */
async function keepOpenPages(): Promise<void> {
	for (const { url } of await self.clients.matchAll({ type: "window" })) {
		const moment = kept.moment;
		await kept.answered(moment, withoutFragment(url), await fetch(url)).catch(() => undefined);
	}
}

self.addEventListener("fetch", (event) => {
	const { request } = event;
	const { origin, pathname } = new URL(request.url);
	if (origin !== location.origin) {
		return;
	}
	if (request.mode === "navigate") {
		event.respondWith(request.method === "GET" ? read(event) : write(event));
	} else if (request.method === "GET" && pathname.startsWith("/static/")) {
		event.respondWith(readFile(request, pathname));
	}
});

// A page sends a message when its viewer may no longer see it.
self.addEventListener("message", (event) => event.waitUntil(kept.forget()));

self.addEventListener("push", (event) => event.waitUntil(show(event.data!.json() as Message)));

self.addEventListener("notificationclick", (event) => event.waitUntil(open(event.notification)));

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event.oldSubscription)));

/** Answers with a page of the server, and keeps the page. Without a connection answers with a kept page. */
async function read(event: FetchEvent): Promise<Response> {
	const moment = kept.moment;
	const url = withoutFragment(event.request.url);
	let answer: Response;
	try {
		answer = (await preloaded(event)) ?? (await fetch(event.request));
	} catch {
		return kept.page(url);
	}
	event.waitUntil(kept.answered(moment, url, answer.clone()).catch(() => undefined));
	return answer;
}

/** For how many milliseconds a request that the browser sent ahead may last and still be sent again after it failed. */
const failsWithin = 3000;

/**
 * Waits for the answer to the request that the browser sent ahead. The answer is undefined if the browser sent none, and if it
 * gave the request up, as it may with a connection: then the page is requested again, and an older copy is not shown.
 */
async function preloaded(event: FetchEvent): Promise<Response | undefined> {
	const begun = performance.now();
	try {
		return (await event.preloadResponse) as Response | undefined;
	} catch (failure) {
		if (performance.now() - begun > failsWithin) {
			throw failure;
		}
		return undefined;
	}
}

/**
 * Sends a form that leads to another page, such as the form for signing out, and forgets the
 * pages: before, so that the pages are gone even without a connection, and after, because pages may
 * be requested in between. The form for signing out closes the notifications, too.
 */
async function write(event: FetchEvent): Promise<Response> {
	await kept.forget();
	try {
		return await fetch(event.request);
	} finally {
		await kept.forget();
		if (new URL(event.request.url).pathname === "/users/sign_out") {
			await clear();
		}
	}
}

/** Answers with a file that pages need. */
async function readFile(request: Request, path: string): Promise<Response> {
	try {
		return await fetch(request);
	} catch (failure) {
		const file = await kept.file(path);
		if (!file) {
			throw failure;
		}
		return file;
	}
}

function withoutFragment(url: string): string {
	return url.split("#", 1)[0]!;
}
