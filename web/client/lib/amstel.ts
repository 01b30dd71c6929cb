// The API of a server, for one person or for a visitor.

import { Failure, failureOf } from "./failure.js";
import { LiveRiver, type Watcher } from "./live.js";
import { jsonPath } from "./path.js";
import type { Attachment, Cards, Comment, Entry, Notice, Page, PostID, User } from "./types.js";

/** The options of an Amstel. */
export interface Options {
	/** A token, made in the settings or by `amstel user token`; without one, requests are a visitor's. */
	token?: string;
	/** Takes the place of the global fetch. */
	fetch?: typeof fetch;
	/** Takes the place of the global WebSocket, which Node.js has from version 22 on. Without any, rivers are polled. */
	WebSocket?: typeof WebSocket;
}

/** A new post. */
export interface NewPost {
	text: string;
	/** Where it goes: "user" (the default), "user_private", "user_fyeo", "group:NAME", "direct:NAME". */
	timelines?: string[];
	/** The numbers of uploads. */
	attachment_ids?: number[];
	comments_disabled?: boolean;
	nsfw?: boolean;
	lang?: string;
	/** A UUID of the caller's: a post that is sent twice with it is made once. */
	uuid?: string;
}

/** The statuses of failures whose cause may be gone in a moment; 0: no answer. */
const passing = [0, 429, 502, 503, 504];
/** In milliseconds: the first pause between two tries, the longest, and how long a request is sent again. */
const firstPause = 500;
const longestPause = 30_000;
const retryFor = 120_000;

/** An Amstel sends requests to one server. */
export class Amstel {
	private readonly address: URL;

	/** `address` is the server's, such as "https://amstel.example". */
	constructor(
		address: string | URL,
		private readonly options: Options = {},
	) {
		this.address = new URL(address);
	}

	/**
	 * Sends a request, with a body as JSON or a form, and returns the answer's JSON; throws a Failure.
	 *
	 * A request that may be sent twice is sent again for up to two minutes while the server can't be
	 * reached, restarts, or asks to wait: each GET, and a body with a `_uuid`.
	 */
	async request<Answer>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
		const began = Date.now();
		for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
			try {
				return await this.send<Answer>(method, path, body, signal);
			} catch (error) {
				const { retryAfter = 0, status = -1 } = error instanceof Failure ? error : {};
				const wait = Math.max(Math.random() * pause, 1000 * retryAfter);
				const repeatable = method === "GET" || (body !== undefined && "_uuid" in body);
				if (!repeatable || !passing.includes(status) || Date.now() - began + wait > retryFor) {
					throw error;
				}
				await new Promise((done) => setTimeout(done, wait));
				signal?.throwIfAborted();
			}
		}
	}

	private async send<Answer>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
		const headers: Record<string, string> = { Accept: "application/json, */*;q=0.1" };
		const form = body instanceof FormData;
		if (this.options.token !== undefined) {
			headers["X-API-Token"] = this.options.token;
		}
		if (body && !form) {
			headers["Content-Type"] = "application/json";
		}
		const fetcher = this.options.fetch ?? fetch;
		let response: Response;
		try {
			response = await fetcher(new URL(path, this.address), {
				method,
				headers,
				redirect: "error",
				credentials: "omit",
				...(body ? { body: form ? body : JSON.stringify(body) } : {}),
				...(signal ? { signal } : {}),
			});
		} catch (cause) {
			signal?.throwIfAborted();
			throw new Failure(0, "", "The server could not be reached.", {}, undefined, { cause });
		}
		if (!response.ok) {
			throw await failureOf(response);
		}
		return (await response.json()) as Answer;
	}

	/** Returns the person whose token this is. */
	async whoami(): Promise<User> {
		return (await this.request<{ user: User }>("GET", "/api/v1/whoami")).user;
	}

	/** Returns a page by its path, such as "/", "/anna", "/filter/mentions" or "/s?q=bridge". */
	page(path: string): Promise<Page> {
		return this.request("GET", jsonPath(path));
	}

	/** Returns the page of a post, with all its comments. `of` is its entry, or another object with its url. */
	thread(of: { url: string }): Promise<Page> {
		return this.page(of.url);
	}

	/** Follows a page: the answer holds its entries and stays up to date. Throws a Failure if the page can't be loaded. */
	async follow(path: string, watcher: Watcher = {}): Promise<LiveRiver> {
		const river = new LiveRiver(this.address, this.options, path, await this.page(path), watcher);
		river.start();
		return river;
	}

	/** Makes a post. */
	post(post: NewPost): Promise<{ post: { id: PostID; url: string } } & Cards> {
		const { uuid, timelines = ["user"], ...rest } = post;
		return this.request("POST", "/api/v1/posts", withUUID({ post: { timelines, ...rest } }, uuid));
	}

	/** Changes the text of a post. */
	editPost(post: PostID, text: string): Promise<unknown> {
		return this.request("PATCH", `/api/v1/posts/${post}`, { post: { text } });
	}

	/** Deletes a post. */
	deletePost(post: PostID): Promise<unknown> {
		return this.request("DELETE", `/api/v1/posts/${post}`);
	}

	/** Writes a comment. One that is sent twice with the same uuid is written once. */
	comment(post: PostID, text: string, uuid?: string): Promise<Comment> {
		return this.request("POST", `/api/v1/posts/${post}/comments`, withUUID({ comment: { text } }, uuid));
	}

	/** Changes the text of a comment. */
	editComment(post: PostID, comment: number, text: string): Promise<Comment> {
		return this.request("PATCH", `/api/v1/posts/${post}/comments/${comment}`, { comment: { text } });
	}

	/** Deletes a comment. */
	deleteComment(post: PostID, comment: number): Promise<unknown> {
		return this.request("DELETE", `/api/v1/posts/${post}/comments/${comment}`);
	}

	/** Likes a post, or takes the like back. */
	like(post: PostID, on = true): Promise<unknown> {
		return this.request(on ? "POST" : "DELETE", `/api/v1/posts/${post}/likes`);
	}

	/** Likes a comment, or takes the like back. */
	likeComment(post: PostID, comment: number, on = true): Promise<unknown> {
		return this.request(on ? "POST" : "DELETE", `/api/v1/posts/${post}/clike/${comment}`);
	}

	/** Adds a post to the favourites, or takes it out of them. */
	favourite(post: PostID, on = true): Promise<unknown> {
		return this.request(on ? "POST" : "DELETE", `/api/v1/posts/${post}/favs`);
	}

	/** Subscribes to a person, or ends that. The result is "subscribed", "requested" or "unsubscribed". */
	async subscribe(name: string, on = true): Promise<string> {
		return this.subscription("users", name, on);
	}

	/** Joins a group, or leaves it. The result is "subscribed", "requested" or "unsubscribed". */
	async join(name: string, on = true): Promise<string> {
		return this.subscription("groups", name, on);
	}

	private async subscription(what: "users" | "groups", name: string, on: boolean): Promise<string> {
		const path = `/api/v1/${what}/${encodeURIComponent(name)}/subscribers`;
		return (await this.request<{ result: string }>(on ? "POST" : "DELETE", path)).result;
	}

	/** Returns the newest notices, up to `count`, which is 100 at most. */
	notices(count = 25): Promise<{ notifications: Notice[]; unread: number } & Cards> {
		return this.request("GET", `/api/v1/notifications?count=${count}`);
	}

	/** Marks all notices up to one as read. */
	readNotices(upto: number): Promise<unknown> {
		return this.request("POST", "/api/v1/notifications/read", { upto });
	}

	/** Uploads a file, whose id a new post names among its attachment_ids. */
	async upload(file: Blob, name: string): Promise<Attachment> {
		const form = new FormData();
		form.append("file", file, name);
		return this.request("POST", "/api/v1/attachments", form);
	}
}

function withUUID(body: object, uuid: string | undefined): object {
	return uuid === undefined ? body : { ...body, _uuid: uuid };
}

/** Returns the UUID of a name: always the same for the same name (RFC 9562, version 8, by SHA-256). */
export async function uuidOf(name: string): Promise<string> {
	const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name))).slice(0, 16);
	hash[6] = (hash[6]! & 0x0f) | 0x80;
	hash[8] = (hash[8]! & 0x3f) | 0x80;
	const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
	return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export type { Entry };
