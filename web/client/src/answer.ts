// The answer to a write, as web/http_effect.go and web/http_error.go send it.

import type { Answered } from "./follow.js";
import type { PostID } from "./protocol.js";
import { words } from "./words.js";

/** The answer to a write that succeeded. */
export interface Answer {
	epoch?: string;
	counter?: number;
	/** The HTML of changed entries, by the post's number. */
	html?: Record<string, string>;
	/** Posts that are not in the page's river. */
	gone?: PostID[];
	/** The post that was created. */
	post?: { id: PostID; url?: string };
}

/** A Refusal is an error whose message tells the viewer why their write failed. */
export class Refusal extends Error {}

/** Returns the entries of an answer. */
export function entriesOf(answer: Answer, tagOf: (html: string) => string): Answered[] {
	const as = answer.counter && answer.epoch ? { epoch: answer.epoch, counter: answer.counter } : {};
	const shown = Object.entries(answer.html ?? {}).map(([post, html]) => ({
		post: Number(post),
		content: html,
		tag: tagOf(html),
		...as,
	}));
	return [...shown, ...(answer.gone ?? []).map((post) => ({ post, ...as }))];
}

/** Reads the answer to a write; throws a Refusal if the write failed. */
export async function readAnswer(response: Response): Promise<Answer> {
	const text = await response.text().catch(() => "");
	if (response.ok) {
		return objectOf(text) as Answer;
	}
	throw new Refusal([readError(text), wait(response)].filter(Boolean).join(" "));
}

/** Returns the sentence of an answer to a write that failed. */
export function readError(text: string): string {
	return (objectOf(text) as { error?: string }).error || words.failed;
}

function objectOf(text: string): object {
	try {
		return (JSON.parse(text) as object | null) ?? {};
	} catch {
		return {};
	}
}

/** Returns the sentence how long to wait, if the server asks to. */
function wait(response: Response): string {
	const seconds = Number(response.headers.get("Retry-After"));
	if (!(seconds > 0) || (response.status !== 503 && response.status !== 429)) {
		return "";
	}
	return words.wait(seconds);
}
