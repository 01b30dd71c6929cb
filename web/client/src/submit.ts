// Sends the forms of the river, and the form of a new post, without leaving the page. The
// text stays in the form until the server has it.

import { Refusal, readAnswer, type Answer } from "./answer.js";
import { filesOf, forget } from "./files.js";
import { own } from "./morph.js";
import { language, words } from "./words.js";

/** A FormListener follows the forms that are sent. */
export interface FormListener {
	/** Called before a form is sent. Returns the moment, which `done` gets with the answer. */
	sending(): number;
	/** Shows the answer to a form, or to a button in an element. The form still holds the text that was sent. */
	done(at: HTMLElement, answer: Answer, sent: number): void;
	/** The form was emptied. */
	emptied(form: HTMLFormElement, field: HTMLTextAreaElement): void;
}

/** A Sender sends forms; each form once at a time. */
export class Sender {
	/** The contents being sent, by form, or by button if the button has an address of its own. */
	private readonly busy = new WeakMap<Element, string>();
	/** The id with which a form's content was sent, so that the server acts only once. */
	private readonly requestIDs = new WeakMap<HTMLFormElement, { uuid: string; content: string }>();

	constructor(
		private readonly river: string,
		private readonly listener: FormListener,
	) {}

	start(): void {
		document.addEventListener("submit", (event) => {
			const form = event.target;
			if (
				event.defaultPrevented ||
				!(form instanceof HTMLFormElement) ||
				!isOurs(form, addressOf(form, event.submitter))
			) {
				return;
			}
			event.preventDefault();
			void this.send(form, event.submitter);
		});
	}

	private async send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
		const field = form.querySelector("textarea");
		const text = field?.value;
		const body = this.bodyOf(form, submitter, field !== null && !form.querySelector("[name=_method]"));
		const files = filesOf(form);
		// The buttons of entries share a form, so the message about a button stands beside the
		// button. A change that arrives before the answer may turn the button into its opposite.
		const alone = submitter?.hasAttribute("formaction") ?? false;
		const [acts, what] = alone ? [submitter!, body.toString()] : [form, ""];
		const at = form.id === "act" ? submitter!.parentElement! : form;
		if (this.busy.get(acts) === what) {
			return;
		}
		this.busy.set(acts, what);
		acts.setAttribute("aria-busy", "true");
		showProblem(at, undefined);
		try {
			const moment = this.listener.sending();
			const answer = await post(addressOf(form, submitter), body, {
				"X-River-Signature": this.river,
				"X-Amstel-As": "html",
			});
			this.requestIDs.delete(form);
			this.listener.done(at, answer, moment);
			files.forEach((file) => forget(form, file));
			if (field && field.value === text) {
				emptyForm(form, field);
				this.listener.emptied(form, field);
			} else if (!field) {
				closeMenu(at);
			}
		} catch (error) {
			if (!(error instanceof Refusal)) {
				throw error;
			}
			showProblem(at, error.message);
		} finally {
			if (this.busy.get(acts) === what) {
				this.busy.delete(acts);
				acts.removeAttribute("aria-busy");
			}
		}
	}

	private bodyOf(form: HTMLFormElement, submitter: HTMLElement | null, named: boolean): URLSearchParams {
		const body = new URLSearchParams();
		for (const [name, value] of new FormData(form, submitter)) {
			if (typeof value === "string" && name !== "_uuid" && name !== "return_to") {
				body.append(name, value);
			}
		}
		if (named) {
			body.append("_uuid", this.requestID(form, body.toString()));
		}
		return body;
	}

	/**
	 * Returns the id of a request. Unchanged content sent again keeps its id, so that the server
	 * acts only once.
	 */
	private requestID(form: HTMLFormElement, content: string): string {
		const before = this.requestIDs.get(form);
		if (before?.content === content) {
			return before.uuid;
		}
		const name = { uuid: newUUID(), content };
		this.requestIDs.set(form, name);
		return name.uuid;
	}
}

/** Returns the address that a form is sent to. */
function addressOf(form: HTMLFormElement, submitter: HTMLElement | null): string {
	const own = submitter?.getAttribute("formaction") ?? form.querySelector<HTMLInputElement>("[name=_action]")?.value;
	return own ? new URL(own, location.href).href : form.action;
}

/** Sends a form. Throws a Refusal if the write failed, or if there is no connection. */
export async function post(address: string, body: BodyInit, more: Record<string, string> = {}): Promise<Answer> {
	const headers = { Accept: "application/json", "X-Amstel-Language": language, ...more };
	let response: Response;
	try {
		response = await fetch(address, { method: "POST", body, headers, redirect: "error" });
	} catch {
		throw new Refusal(words.offline);
	}
	return readAnswer(response);
}

/** Reports whether the script sends the form. The browser sends forms that lead to another page. */
function isOurs(form: HTMLFormElement, address: string): boolean {
	const ours = form.matches("#post-form, #act, #river form");
	const undoes = form.closest(".why") !== null; // undoes a reason why an entry is here, such as a subscription
	const path = new URL(address).pathname;
	const written = ["/api/v1/posts", "/api/v1/attachments"].some((start) => path.startsWith(start));
	return ours && form.method === "post" && (undoes || written);
}

function emptyForm(form: HTMLFormElement, field: HTMLTextAreaElement): void {
	form.reset();
	field.value = "";
}

/** Empties a form of a menu, and closes the menu. */
function closeMenu(at: HTMLElement): void {
	if (at instanceof HTMLFormElement) {
		at.reset();
	}
	at.closest("details.menu")?.removeAttribute("open");
}

/** Shows in a form, or beside a button in an element, what is wrong; undefined removes the sentence. */
export function showProblem(at: HTMLElement, sentence: string | undefined): void {
	const within = at instanceof HTMLFormElement ? "" : ":scope > ";
	at.querySelectorAll(`${within}.problem, ${within}.problems`).forEach((problem) => problem.remove());
	at.querySelector(`${within}textarea`)?.removeAttribute("aria-invalid");
	if (sentence === undefined) {
		return;
	}
	const problem = document.createElement("p");
	problem.className = "problem";
	problem.setAttribute(own, "");
	problem.setAttribute("role", "alert");
	problem.textContent = sentence;
	if (sentence === words.offline) {
		problem.dataset["unsent"] = "";
	}
	at.append(problem);
}

/** Removes the problems of forms that could not be sent, as there is a connection again. */
export function forgetUnsent(): void {
	document.querySelectorAll(".problem[data-unsent]").forEach((problem) => problem.remove());
}

/** Returns a random UUID. Browsers have crypto.randomUUID only on pages that came by HTTPS. */
export function newUUID(): string {
	if (typeof crypto.randomUUID === "function") {
		return crypto.randomUUID();
	}
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	bytes[6] = (bytes[6]! & 0x0f) | 0x40;
	bytes[8] = (bytes[8]! & 0x3f) | 0x80;
	const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
	return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
