// Frames as they come, in the order in which they came: unpacking one takes a
// moment, in which the next may arrive.

import type { Frame } from "./protocol.js";

/** An Inbox reads messages and hands their frames on, one after the other. */
export class Inbox {
	private last: Promise<void> = Promise.resolve();

	constructor(private readonly take: (frame: Frame) => void) {}

	/** Takes a message: JSON, or the same packed (deflate-raw). */
	put(message: string | ArrayBuffer): void {
		this.then(async () => {
			const text = typeof message === "string" ? message : await unpacked(message);
			this.take(JSON.parse(text) as Frame);
		});
	}

	/** Does something after all that has come so far. */
	then(act: () => void | Promise<void>): void {
		this.last = this.last.then(act).catch((error: unknown) => console.error("amstel:", error));
	}
}

function unpacked(message: ArrayBuffer): Promise<string> {
	const stream = new Blob([message]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
	return new Response(stream).text();
}
