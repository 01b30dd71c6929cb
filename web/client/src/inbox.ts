// Frames as they come, in the order in which they came: unpacking one takes a
// moment, in which the next may arrive.

import type { Frame } from "./protocol.js";
import { readFrame } from "./read.js";

/** An Inbox reads messages and hands their frames on, one after the other. */
export class Inbox {
	private last: Promise<void> = Promise.resolve();
	private broken = false;

	/**
	 * What `take` is given is undefined where its type is not known. Of a message
	 * that can't be read, or whose frame `take` can't take, `failed` is told;
	 * nothing that came after it is taken.
	 */
	constructor(
		private readonly take: (frame: Frame | undefined) => void,
		private readonly failed: (error: unknown) => void,
	) {}

	/** Takes a message: JSON, or the same packed (deflate-raw). */
	put(message: string | ArrayBuffer): void {
		this.last = this.last.then(() => this.read(message));
	}

	private async read(message: string | ArrayBuffer): Promise<void> {
		if (this.broken) {
			return;
		}
		try {
			this.take(readFrame(typeof message === "string" ? message : await unpacked(message)));
		} catch (error) {
			this.broken = true;
			this.failed(error);
		}
	}

	/** Does something after all that has come so far. */
	then(act: () => void): void {
		this.last = this.last.then(act);
	}
}

function unpacked(message: ArrayBuffer): Promise<string> {
	const stream = new Blob([message]).stream().pipeThrough(unpacker());
	return new Response(stream).text();
}

const unpacker = () => new DecompressionStream("deflate-raw");

/** Whether packed messages can be read: browsers from before 2023 may not know how. */
export function unpacks(): boolean {
	try {
		unpacker();
		return true;
	} catch {
		return false;
	}
}
