// How fast a page may send: a server closes a socket that sends more than two
// frames in a second.

const frames = 2;
const span = 1500; // ms; more than the server's second, as frames may bunch up on their way

/** A Pace says when the next frame may be sent. */
export class Pace {
	private readonly sent: number[] = [];

	/** For how many milliseconds to wait. */
	wait(now: number): number {
		const oldest = this.sent[this.sent.length - frames];
		return oldest === undefined ? 0 : Math.max(0, oldest + span - now);
	}

	/** Notes a frame that was sent. */
	note(now: number): void {
		this.sent.push(now);
		this.sent.splice(0, this.sent.length - frames);
	}
}
