// The frames that a server sends by the subprotocol amstel.v1; see docs/wire.md.

/** The name of the protocol, which a page names when it opens the socket. */
export const subprotocol = "amstel.v1";

/** A post's number, which is also the number of its entry. */
export type PostID = number;

export interface Hello {
	type: "hello";
	epoch: string;
	counter: number;
	/** The server sends a beat after so many milliseconds of silence. */
	beat: number;
	build: string;
	/** The viewer's unread notices; absent if the viewer is not signed in. */
	unread?: number;
	/** The least number of milliseconds between two frames of this river. */
	pace?: number;
	/** The server is behind with its updates. */
	behind?: boolean;
	/** How many viewers have this post's page open; absent if the site does not show that. */
	present?: number;
}

/** The number of unread notices has changed. */
export interface Unread {
	type: "unread";
	count: number;
}

/** The number of viewers of the post's page has changed; 0: it is no longer shown. */
export interface Present {
	type: "present";
	count: number;
}

/** The pace of frames has changed. */
export interface Stretch {
	type: "pace";
	ms: number;
}

/** The server has fallen behind, or has caught up. */
export interface Behind {
	type: "behind";
	behind: boolean;
}

/** Further fields of a frame that answers a poll. */
interface Polled {
	unread?: number;
	behind?: boolean;
}

export interface Beat extends Polled {
	type: "beat";
	counter: number;
}

export interface Bye {
	type: "bye";
	within_ms: number;
}

/** An entry that a patch puts on the page, changes, or removes. */
export type Op =
	{ post: PostID; gone: true } | { post: PostID; gone?: false; tag: string; after: PostID | null; html: string };

export interface Patch extends Polled {
	type: "patch";
	epoch: string;
	from: number;
	to: number;
	position?: number;
	ops: Op[];
}

export interface Reset extends Polled {
	type: "reset";
	epoch: string;
	counter: number;
	position?: number;
	entries: { post: PostID; tag: string; html: string }[];
}

/** The frames about the entries of the river. */
export type RiverFrame = Hello | Beat | Patch | Reset;

export type Frame = RiverFrame | Bye | Unread | Present | Stretch | Behind;

/** What a page has, as a sub tells the server. */
export interface Known {
	epoch: string;
	counter: number;
	position: number;
	have: [PostID, string][];
}
