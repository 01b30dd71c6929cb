// The site for the Wire of a page: how the browser connects and polls, and how the page is hidden and shown.

import { subprotocol } from "./protocol.js";
import { readFrame } from "./read.js";
import { language } from "./words.js";
import type { Site } from "./wire.js";

/** The site that the page is from. Frames come as HTML. */
export const site: Site = {
	as: "html",
	language,
	read: readFrame,
	connect() {
		const address = new URL("/live", location.href);
		address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
		return new WebSocket(address, subprotocol);
	},
	poll: (query, signal) => fetch(`/live/changes?${query}`, { cache: "no-store", redirect: "error", signal }),
	hidden: () => document.hidden,
	watch(step, signal) {
		const shown = () => step({ on: document.hidden ? "hidden" : "shown" });
		const left = () => step({ on: "suspended" });
		document.addEventListener("visibilitychange", shown, { signal });
		// A browser keeps no page with an open socket in its back-forward cache, and lets none sleep.
		addEventListener("pagehide", left, { signal });
		document.addEventListener("freeze", left, { signal });
		addEventListener("pageshow", (event) => event.persisted && shown(), { signal });
		document.addEventListener("resume", shown, { signal });
		addEventListener("online", () => step({ on: "online" }), { signal });
		addEventListener("focus", () => step({ on: "focused" }), { signal });
	},
};

/** Returns the content of an entry of a frame: its HTML. */
export const htmlOf = (entry: { html: string }): string => entry.html;
