// Limits how fast a page sends frames: the server closes a socket that sends more than
// two in a second.

const maxFrames = 2;
const windowMs = 1500; // more than the server's second, because frames may arrive closer together than they were sent

/** A RateLimit decides when the next frame may be sent. */
export class RateLimit {
	private readonly sent: number[] = [];

	/** Returns the milliseconds to wait before the next frame. */
	wait(now: number): number {
		const oldest = this.sent[this.sent.length - maxFrames];
		return oldest === undefined ? 0 : Math.max(0, oldest + windowMs - now);
	}

	/** Records a frame that was sent. */
	record(now: number): void {
		this.sent.push(now);
		this.sent.splice(0, this.sent.length - maxFrames);
	}
}
