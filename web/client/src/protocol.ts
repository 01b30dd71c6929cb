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
}

export interface Beat {
	type: "beat";
	counter: number;
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
}

export interface Reset {
	type: "reset";
	epoch: string;
	counter: number;
	position?: number;
	entries: { post: PostID; tag: string; html: string }[];
}

export type Frame = Hello | Beat | Bye | Patch | Reset;

/** What a page tells of itself when it asks to be kept up to date. */
export interface Known {
	epoch: string;
	counter: number;
	position: number;
	have: [PostID, string][];
}
