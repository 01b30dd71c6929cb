// Forms of the river and the form to write posts with, sent without leaving the
// page. What was written stays in the form until the server has it.

import { Refusal, readAnswer, type Answer } from "./answer.js";
import { own } from "./morph.js";
import { language, words } from "./words.js";

/** What is done with what was sent. */
export interface Sent {
	/** Something is about to be sent: the moment, to be told with its answer. */
	sending(): number;
	/** Shows what it did; the form still holds what was sent. */
	done(form: HTMLFormElement, answer: Answer, sent: number): void;
	/** The form was emptied. */
	emptied(form: HTMLFormElement, field: HTMLTextAreaElement): void;
}

/** A Sender sends forms, each one at a time. */
export class Sender {
	private readonly busy = new WeakSet<HTMLFormElement>();
	/** The name under which what stands in a form was sent, so that it is not done twice. */
	private readonly names = new WeakMap<HTMLFormElement, { uuid: string; content: string }>();

	constructor(
		private readonly river: string,
		private readonly sent: Sent,
	) {}

	start(): void {
		document.addEventListener("submit", (event) => {
			const form = event.target;
			if (
				event.defaultPrevented ||
				!(form instanceof HTMLFormElement) ||
				!isOurs(form) ||
				event.submitter?.hasAttribute("formaction")
			) {
				return;
			}
			event.preventDefault();
			void this.send(form, event.submitter);
		});
		// By the second of two clicks what was done may be there to be undone.
		document.addEventListener("click", (event) => {
			if (event.detail > 1 && event.target instanceof Element && event.target.closest("#river form.act button")) {
				event.preventDefault();
			}
		});
	}

	private async send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
		if (this.busy.has(form)) {
			return;
		}
		const field = form.querySelector("textarea");
		const text = field?.value;
		const body = this.bodyOf(form, submitter, field !== null);
		this.busy.add(form);
		form.setAttribute("aria-busy", "true");
		complain(form, undefined);
		try {
			const moment = this.sent.sending();
			const answer = await this.post(form.action, body);
			this.names.delete(form);
			this.sent.done(form, answer, moment);
			if (field && field.value === text) {
				empty(form, field);
				this.sent.emptied(form, field);
			} else if (!field) {
				putAway(form);
			}
		} catch (error) {
			if (!(error instanceof Refusal)) {
				throw error;
			}
			complain(form, error.message);
		} finally {
			this.busy.delete(form);
			form.removeAttribute("aria-busy");
		}
	}

	private async post(address: string, body: URLSearchParams): Promise<Answer> {
		const headers = {
			Accept: "application/json",
			"X-River-Signature": this.river,
			"X-Amstel-As": "html",
			"X-Amstel-Language": language,
		};
		let response: Response;
		try {
			response = await fetch(address, { method: "POST", body, headers, redirect: "error" });
		} catch {
			throw new Refusal(words.offline);
		}
		return readAnswer(response);
	}

	private bodyOf(form: HTMLFormElement, submitter: HTMLElement | null, named: boolean): URLSearchParams {
		const body = new URLSearchParams();
		for (const [name, value] of new FormData(form, submitter)) {
			if (typeof value === "string" && name !== "_uuid" && name !== "return_to") {
				body.append(name, value);
			}
		}
		if (named) {
			body.append("_uuid", this.nameOf(form, body.toString()));
		}
		return body;
	}

	/** What is sent again unchanged has the same name, and is done once. */
	private nameOf(form: HTMLFormElement, content: string): string {
		const before = this.names.get(form);
		if (before?.content === content) {
			return before.uuid;
		}
		const name = { uuid: newUUID(), content };
		this.names.set(form, name);
		return name.uuid;
	}
}

/** Forms that lead elsewhere are the browser's. */
function isOurs(form: HTMLFormElement): boolean {
	const ours = form.id === "post-form" || form.closest("#river") !== null;
	const undoes = form.closest(".why") !== null; // a reason why an entry is here, whosever it is
	return ours && form.method === "post" && (undoes || new URL(form.action).pathname.startsWith("/api/v1/posts"));
}

function empty(form: HTMLFormElement, field: HTMLTextAreaElement): void {
	form.reset();
	field.value = "";
}

/** What was done in a menu is done: the menu closes, and its fields are empty. */
function putAway(form: HTMLFormElement): void {
	form.reset();
	form.closest("details.menu")?.removeAttribute("open");
}

/** Says in the form what is wrong with it, or nothing any more. */
function complain(form: HTMLFormElement, sentence: string | undefined): void {
	form.querySelectorAll(`.problem, .problems`).forEach((problem) => problem.remove());
	const field = form.querySelector("textarea");
	field?.removeAttribute("aria-invalid");
	if (sentence === undefined) {
		return;
	}
	const problem = document.createElement("p");
	problem.className = "problem";
	problem.setAttribute(own, "");
	problem.setAttribute("role", "alert");
	problem.textContent = sentence;
	form.append(problem);
}

/** crypto.randomUUID is only there where the page came over a safe connection. */
function newUUID(): string {
	if (typeof crypto.randomUUID === "function") {
		return crypto.randomUUID();
	}
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	bytes[6] = (bytes[6]! & 0x0f) | 0x40;
	bytes[8] = (bytes[8]! & 0x3f) | 0x80;
	const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
	return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
