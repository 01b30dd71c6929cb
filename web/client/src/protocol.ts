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
	/** How many milliseconds this river's frames are apart at least. */
	pace?: number;
	/** The server can't follow what happens just now. */
	behind?: boolean;
	/** How many have this page of a post open, where the site says that. */
	present?: number;
}

/** That this is another number now. */
export interface Unread {
	type: "unread";
	count: number;
}

/** That so many have the post's page open now; 0: it is not said any more. */
export interface Present {
	type: "present";
	count: number;
}

/** That they are so far apart from now on. */
export interface Stretch {
	type: "pace";
	ms: number;
}

/** That it can't, or can again. */
export interface Behind {
	type: "behind";
	behind: boolean;
}

/** What a frame says besides where it answers a poll. */
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

/** An entry that is on the page as of a patch, or is not any more. */
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

/** What is told of the river. */
export type RiverFrame = Hello | Beat | Patch | Reset;

export type Frame = RiverFrame | Bye | Unread | Present | Stretch | Behind;

/** What a page tells of itself when it asks to be kept up to date. */
export interface Known {
	epoch: string;
	counter: number;
	position: number;
	have: [PostID, string][];
}
