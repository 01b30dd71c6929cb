// Starts the service worker, which shows pages without a connection (web/client/worker), and
// reloads pages shown by the service worker.

/** How often a page that is shown without a connection looks for the server, in milliseconds. */
const pause = 10_000;

/** Reports whether the service worker shows this page, for lack of a connection. */
export function isOffline(): boolean {
	return document.documentElement.dataset["offline"] !== undefined;
}

/** Starts the service worker once the page is loaded. Does nothing in a browser without service workers. */
export function startWorker(): void {
	if ("serviceWorker" in navigator) {
		addEventListener("load", () => void navigator.serviceWorker.register("/service-worker.js").catch(() => undefined));
	}
}

/** Makes the service worker forget all pages, because the viewer may no longer see one of them. */
export function forgetPages(): void {
	if ("serviceWorker" in navigator) {
		navigator.serviceWorker.controller?.postMessage("forget");
	}
}

/** Loads the page again when the server answers. */
export function awaitServer(): void {
	const look = async () => {
		const answer = document.hidden ? undefined : await fetch(location.href, { method: "HEAD" }).catch(() => undefined);
		if (answer && answer.status < 500) {
			location.reload();
			return;
		}
	};
	const again = () => void setTimeout(() => void look().then(again), pause);
	again();
	addEventListener("online", () => void look());
	document.addEventListener("visibilitychange", () => void look());
}
