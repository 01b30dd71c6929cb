// The frames of the subprotocol amstel.v1, as a server sends them.

/** The name that the socket is opened with. */
export const subprotocol = "amstel.v1";

/** A post's number, which is also its entry's. */
export type PostID = number;

export interface Hello {
	type: "hello";
	epoch: string;
	counter: number;
	/** After how many milliseconds of silence the server says something. */
	beat: number;
	build: string;
	/** How many notices are not read; nobody who is not signed in has any. */
	unread?: number;
}

/** That this is another number now. */
export interface Unread {
	type: "unread";
	count: number;
}

export interface Beat {
	type: "beat";
	counter: number;
	unread?: number; // where this answers a poll
}

export interface Bye {
	type: "bye";
	within_ms: number;
}

/** An entry that is on the page as of a patch, or is not any more. */
export type Op =
	| { post: PostID; gone: true }
	| { post: PostID; gone?: false; tag: string; after: PostID | null; html: string };

export interface Patch {
	type: "patch";
	epoch: string;
	from: number;
	to: number;
	position?: number;
	ops: Op[];
	unread?: number; // where this answers a poll
}

export interface Reset {
	type: "reset";
	epoch: string;
	counter: number;
	position?: number;
	entries: { post: PostID; tag: string; html: string }[];
	unread?: number; // where this answers a poll
}

/** What is told of the river. */
export type RiverFrame = Hello | Beat | Bye | Patch | Reset;

export type Frame = RiverFrame | Unread;

/** How many notices are not read, where a frame tells that. */
export function unreadIn(frame: Frame): number | undefined {
	switch (frame.type) {
		case "unread":
			return frame.count;
		case "bye":
			return undefined;
		default:
			return frame.unread;
	}
}

/** What a page tells of itself when it asks to be kept up to date. */
export interface Known {
	epoch: string;
	counter: number;
	position: number;
	have: [PostID, string][];
}
