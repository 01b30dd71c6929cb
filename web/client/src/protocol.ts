// The frames that a server sends by the subprotocol amstel.v1; see docs/wire.md.

/** The name of the protocol, which a page names when it opens the socket. */
export const subprotocol = "amstel.v1";

/** The id of a post, and so of its entry. */
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
	/** The directs with unread notices. */
	directs?: number;
	/** The least number of milliseconds between two frames of this river. */
	pace?: number;
	/** The server is behind with its updates. */
	behind?: boolean;
	/** How many viewers have this post's page open; absent if the site does not show the number. */
	present?: number;
}

/** The number of unread notices, or of directs with unread notices, has changed. */
export interface Unread {
	type: "unread";
	count: number;
	directs?: number;
}

/** The number of viewers of the post's page has changed; 0: it is no longer shown. */
export interface Present {
	type: "present";
	count: number;
}

/** The pace of frames has changed. */
export interface Pace {
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
	directs?: number;
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

/** The content of an entry in the frames of a page, which asks for HTML. */
export interface AsHTML {
	html: string;
}

/** An entry that a patch puts on the page, changes, or removes. `In` has the content of an entry in a patch. */
export type Op<In = AsHTML> =
	{ post: PostID; gone: true } | ({ post: PostID; gone?: false; tag: string; after: PostID | null } & In);

export interface Patch<In = AsHTML> extends Polled {
	type: "patch";
	epoch: string;
	from: number;
	to: number;
	position?: number;
	ops: Op<In>[];
}

/** `Whole` has the content of an entry in a reset. */
export interface Reset<Whole = AsHTML> extends Polled {
	type: "reset";
	epoch: string;
	counter: number;
	position?: number;
	entries: ({ post: PostID; tag: string } & Whole)[];
}

/** The frames about the entries of the river. */
export type RiverFrame<In = AsHTML, Whole = AsHTML> = Hello | Beat | Patch<In> | Reset<Whole>;

export type Frame<In = AsHTML, Whole = AsHTML> = RiverFrame<In, Whole> | Bye | Unread | Present | Pace | Behind;

/** The content of a page and the state that it shows, as a sub tells the server. */
export interface Known {
	epoch: string;
	counter: number;
	position: number;
	have: [PostID, string][];
}
