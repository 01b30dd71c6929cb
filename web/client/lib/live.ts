// A page that stays up to date, in a program. The rule, the connection and the frames are those of
// the site's own pages (../src); only the form of the entries differs.

import { Follower, type Verdict } from "../src/follow.js";
import type { Event, Standing } from "../src/link.js";
import { subprotocol, type Frame } from "../src/protocol.js";
import { fields, readerOf } from "../src/read.js";
import { Wire, type Listener, type Site } from "../src/wire.js";
import type { Options } from "./amstel.js";
import { Failure } from "./failure.js";
import type { Entry, Group, Page, PostID, User } from "./types.js";

/** An entry in a patch. */
interface InPatch {
	entry: Entry;
}

const object = fields({});
const readJSON = readerOf<Frame<InPatch, Entry> & { users?: Page["users"]; groups?: Page["groups"] }>(
	{ entry: object },
	{},
);

/** What has changed on a page. */
export interface Change {
	/** The entries that are new on the page, from the top. */
	added: Entry[];
	/** The entries that were there and are different. */
	changed: Entry[];
	/** The posts whose entries have left the page. */
	gone: PostID[];
}

/** A Watcher is told what happens to a LiveRiver. Its functions are called one after the other, in order. */
export interface Watcher {
	/** Entries have come, changed or gone. */
	changed?(change: Change, river: LiveRiver): void | Promise<void>;
	/** The connection has been gone for more than a moment, or is back. The river catches up by itself. */
	away?(away: boolean): void;
	/** The river is no longer followed: the token ended, the right to read the page, or the server refuses. */
	ended?(why: "signed out" | "forbidden" | "too many" | "refused"): void;
	/** The number of unread notices has changed. */
	unread?(count: number): void;
	/** The number of the page's viewers has changed; 0: it is not shown. */
	present?(count: number): void;
	/** A function of the watcher has thrown; by default the error is written to the console. */
	failed?(error: unknown): void;
}

/** A LiveRiver holds the entries of a page, and follows it until `stop`, over any number of connections. */
export class LiveRiver {
	/** All people and groups that the entries have named, by number. */
	readonly users: Record<string, User>;
	readonly groups: Record<string, Group>;
	private readonly shown = new Map<PostID, Entry>();
	private order: PostID[];
	private readonly follower: Follower<Entry, InPatch, Entry>;
	private readonly wire: Wire<Entry, InPatch, Entry>;
	private last: Promise<void> = Promise.resolve();

	/** Amstel.follow makes a LiveRiver and starts it. */
	constructor(
		address: URL,
		options: Options,
		path: string,
		page: Page,
		private readonly watcher: Watcher,
	) {
		const { river, entries } = page;
		if (!river.live) {
			throw new Failure(
				422,
				"not_live",
				"This page is not kept up to date: follow one that begins with the newest entries.",
			);
		}
		this.users = { ...page.users };
		this.groups = { ...page.groups };
		entries.forEach((entry) => this.shown.set(entry.id, entry));
		this.order = entries.map(({ id }) => id);
		this.follower = new Follower(
			{
				epoch: river.epoch,
				counter: river.counter,
				position: river.position,
				have: entries.map(({ id, tag }) => [id, tag]),
			},
			(carrier) => ("entry" in carrier ? carrier.entry : carrier),
		);
		this.wire = new Wire(this.site(address, options), river.uuid, path, this.follower, this.listener());
	}

	/** The entries of the page, from the top. */
	get entries(): Entry[] {
		return this.order.map((post) => this.shown.get(post)!);
	}

	/** Begins to follow the page. */
	start(): void {
		this.wire.start();
	}

	/** Ends following. The entries stay as they are. */
	stop(): void {
		this.wire.stop();
	}

	private site(
		address: URL,
		{ token, WebSocket: Socket = globalThis.WebSocket, fetch: send = fetch }: Options,
	): Site<InPatch, Entry> {
		const live = new URL("/live", address);
		return {
			as: "json",
			language: "",
			read: (source) => {
				const frame = readJSON(source);
				Object.assign(this.users, frame?.users);
				Object.assign(this.groups, frame?.groups);
				return frame;
			},
			connect: () => {
				const at = new URL(live);
				at.protocol = at.protocol === "https:" ? "wss:" : "ws:";
				// A WebSocket of a browser sends no headers of the caller's, so the token is the name of a second protocol.
				return new Socket(at, token === undefined ? [subprotocol] : [subprotocol, `amstel.token.${token}`]);
			},
			poll: (query, signal) =>
				send(new URL(`/live/changes?${query}`, live), {
					cache: "no-store",
					redirect: "error",
					credentials: "omit",
					signal,
					headers: token === undefined ? {} : { "X-API-Token": token },
				}),
			hidden: () => false,
			watch: (step: (event: Event) => void, signal) => {
				globalThis.addEventListener?.("online", () => step({ on: "online" }), { signal });
			},
		};
	}

	private listener(): Listener<Entry> {
		const nothing = () => undefined;
		return {
			verdict: (verdict) => this.apply(verdict),
			standing: (standing) => this.stand(standing),
			unread: (count) => this.tell(() => this.watcher.unread?.(count)),
			present: (count) => this.tell(() => this.watcher.present?.(count)),
			connected: nothing,
			pace: nothing,
			behind: nothing,
			disconnected: nothing,
		};
	}

	private apply({ show }: Verdict<Entry>): void {
		if (!show) {
			return;
		}
		const change: Change = { added: [], changed: [], gone: this.order.filter((post) => !show.order.includes(post)) };
		for (const post of show.order) {
			const entry = show.draw.get(post);
			const before = this.shown.get(post);
			if (entry && (before === undefined || before.tag !== entry.tag)) {
				(before ? change.changed : change.added).push(entry);
			}
			if (entry) {
				this.shown.set(post, entry);
			}
		}
		change.gone.forEach((post) => this.shown.delete(post));
		this.order = show.order;
		if (change.added.length + change.changed.length + change.gone.length > 0) {
			this.tell(() => this.watcher.changed?.(change, this));
		}
	}

	private stand(standing: Standing): void {
		if (standing === "here" || standing === "away") {
			this.tell(() => this.watcher.away?.(standing === "away"));
			return;
		}
		this.tell(() => this.watcher.ended?.(standing));
	}

	/** Calls a function of the watcher after the calls before it are over. */
	private tell(call: () => void | Promise<void>): void {
		const failed = (error: unknown) => (this.watcher.failed ?? ((e) => console.error("amstel:", e)))(error);
		this.last = this.last.then(call).catch(failed);
	}
}
