// Passes frames on in the order of their arrival. Unpacking a frame takes a moment, and the next
// frame may arrive in the meantime.

import type { Reader } from "./read.js";

/** An Inbox reads messages, and hands their frames on one after the other. */
export class Inbox<Frame> {
	private last: Promise<void> = Promise.resolve();
	private broken = false;

	/**
	 * `read` parses a frame. `take` gets each frame, or undefined for a frame of an unknown type. `failed` gets
	 * the error if a message can't be read or `take` throws; later messages are ignored.
	 */
	constructor(
		private readonly read: Reader<Frame>,
		private readonly take: (frame: Frame | undefined) => void,
		private readonly failed: (error: unknown) => void,
	) {}

	/** Adds a message: JSON, or JSON packed with deflate-raw. */
	put(message: string | ArrayBuffer): void {
		this.last = this.last.then(() => this.receive(message));
	}

	private async receive(message: string | ArrayBuffer): Promise<void> {
		if (this.broken) {
			return;
		}
		try {
			this.take(this.read(typeof message === "string" ? message : await unpacked(message)));
		} catch (error) {
			this.broken = true;
			this.failed(error);
		}
	}

	/** Calls `act` after all messages that have arrived so far. */
	then(act: () => void): void {
		this.last = this.last.then(act);
	}
}

function unpacked(message: ArrayBuffer): Promise<string> {
	const stream = new Blob([message]).stream().pipeThrough(unpacker());
	return new Response(stream).text();
}

const unpacker = () => new DecompressionStream("deflate-raw");

/** Reports whether the browser can unpack messages; browsers from before 2023 may not. */
export function unpacks(): boolean {
	try {
		unpacker();
		return true;
	} catch {
		return false;
	}
}
