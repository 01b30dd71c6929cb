// The answer of a write, as web/http_effect.go and web/http_error.go have it.

import type { Answered } from "./follow.js";
import type { PostID } from "./protocol.js";
import { words } from "./words.js";

/** What a write that was done tells of what it changed. */
export interface Answer {
	epoch?: string;
	counter?: number;
	/** The entry as it looks now, by the post's number. */
	html?: Record<string, string>;
	/** Posts that are not in the river on the page. */
	gone?: PostID[];
	/** Of a post that was made. */
	post?: { id: PostID; url?: string };
}

/** A Refusal is why something was not done, in words for whoever wanted it. */
export class Refusal extends Error {}

/** The entries that an answer tells of. */
export function entriesOf(answer: Answer, tagOf: (html: string) => string): Answered[] {
	const as = answer.counter && answer.epoch ? { epoch: answer.epoch, counter: answer.counter } : {};
	const shown = Object.entries(answer.html ?? {}).map(([post, html]) => ({
		post: Number(post),
		html,
		tag: tagOf(html),
		...as,
	}));
	return [...shown, ...(answer.gone ?? []).map((post) => ({ post, ...as }))];
}

/** Reads the answer to a write; throws a Refusal. */
export async function readAnswer(response: Response): Promise<Answer> {
	const body: unknown = await response.json().catch(() => undefined);
	if (response.ok) {
		return (body ?? {}) as Answer;
	}
	const { error } = (body ?? {}) as { error?: string };
	const sentence = error || words.failed;
	throw new Refusal([sentence, wait(response)].filter(Boolean).join(" "));
}

/** How long to wait, where the server says so. */
function wait(response: Response): string {
	const seconds = Number(response.headers.get("Retry-After"));
	if (!(seconds > 0) || (response.status !== 503 && response.status !== 429)) {
		return "";
	}
	return words.wait(seconds);
}
