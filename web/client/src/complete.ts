// Offers names and hashtags while they are typed: a list below the caret, from which arrows and Enter, Tab, a click
// or a touch choose. As long as nothing in the list is chosen, all keys do what they do without the list.

import type { Words } from "./words.js";

/** An offer of the list: the text to insert, and the text beside it. */
interface Offer {
	text: string;
	name?: string;
	avatar?: string;
}

/**
 * The names that a field takes, from its data-complete: names of people among other text, or one
 * name of a person, or of a person or group.
 */
type List = "people" | "person" | "feed";

/** The piece of a field's text being typed, from its first character to the caret. */
interface Piece {
	from: number;
	typed: string;
	kind: "name" | "tag" | List;
}

/** How long after a key the server is asked, in milliseconds. */
const askDelay = 120;

/** The attributes that tie a field to its list. */
const tied = ["aria-controls", "aria-activedescendant", "aria-expanded"];

type Field = HTMLTextAreaElement | HTMLInputElement;

/** Returns the piece of a field's text that can be completed at the caret. */
export function pieceOf(text: string, caret: number, list: List | undefined): Piece | undefined {
	const before = text.slice(0, caret);
	if (list) {
		// Names of a list are separated by commas and spaces; display names have spaces, too.
		const from = list === "people" ? before.lastIndexOf(",") + 1 : 0;
		const typed = before.slice(from).trimStart();
		return typed === "" ? undefined : { from: caret - typed.length, typed, kind: list };
	}
	const sign = /(?:^|[\s([{«"'“‘„,;:!?—–>*`])([@#])([\p{L}\p{N}\p{M}_-]{1,50})$/u.exec(before);
	if (!sign) {
		return undefined;
	}
	return { from: caret - sign[2]!.length - 1, typed: sign[2]!, kind: sign[1] === "#" ? "tag" : "name" };
}

/** A Completer completes in one field at a time. */
export class Completer {
	private field: Field | undefined;
	private piece: Piece | undefined;
	private list: HTMLElement | undefined;
	private offers: Offer[] = [];
	private chosen = -1;
	private timer: number | undefined;
	private asked = 0;
	private readonly answers = new Map<string, Promise<Offer[]>>();

	constructor(private readonly words: Words) {}

	start(): void {
		document.addEventListener("input", (event) => {
			this.typed(event.target); // also while an input method composes, as phones do with each word
		});
		document.addEventListener("focusout", () => this.close());
		document.addEventListener("selectionchange", () => this.moved());
		// Before the listeners that send and close the form.
		document.addEventListener("keydown", (event) => this.key(event), { capture: true });
	}

	/** Offers what completes the text before the caret of a field. */
	typed(target: EventTarget | null): void {
		if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) || !completes(target)) {
			return;
		}
		const piece = pieceOf(target.value, target.selectionStart ?? 0, target.dataset["complete"] as List | undefined);
		clearTimeout(this.timer);
		const mine = ++this.asked;
		if (!piece) {
			this.close();
			return;
		}
		this.timer = setTimeout(() => {
			void this.ask(piece).then((offers) => {
				if (mine === this.asked && target === document.activeElement) {
					this.show(target, piece, offers);
				}
			});
		}, askDelay);
	}

	private async ask(piece: Piece): Promise<Offer[]> {
		const query = (piece.kind === "tag" ? "#" : "") + piece.typed.toLowerCase();
		let answer = this.answers.get(piece.kind + query);
		if (!answer) {
			answer = askServer(query, piece.kind);
			this.answers.set(piece.kind + query, answer);
		}
		const offers = await answer.catch(() => {
			this.answers.delete(piece.kind + query);
			return [];
		});
		return piece.kind === "tag" ? withTagsOfPage(offers, piece.typed) : offers;
	}

	private show(field: Field, piece: Piece, offers: Offer[]): void {
		offers = offers.filter((offer) => offer.text !== piece.typed);
		if (offers.length === 0) {
			this.close();
			return;
		}
		if (this.field !== field || !this.list?.isConnected) {
			this.close();
			this.open(field);
		}
		this.piece = piece;
		this.offers = offers;
		const list = this.list!;
		list.replaceChildren(...offers.map((offer, i) => this.option(offer, i)));
		this.choose(-1);
		place(list, field, piece.from);
		this.announce(this.words.offers(offers.length));
	}

	private open(field: Field): void {
		const box = field.parentElement!;
		const list = document.createElement("ul");
		list.id = "completions";
		list.className = "completions";
		list.setAttribute("role", "listbox");
		list.setAttribute("aria-label", this.words.offersLabel);
		list.setAttribute("data-client", "");
		const status = document.createElement("p");
		status.className = "sr-only";
		status.setAttribute("role", "status");
		status.setAttribute("data-client", "");
		box.classList.add("is-completing");
		box.append(list, status);
		this.list = list;
		this.field = field;
		field.setAttribute("aria-autocomplete", "list");
		field.setAttribute("aria-controls", list.id);
		if (field instanceof HTMLInputElement) {
			field.setAttribute("role", "combobox"); // a text area may have no other role
			field.setAttribute("aria-expanded", "true");
		}
	}

	private option(offer: Offer, i: number): HTMLElement {
		const option = document.createElement("li");
		option.id = `completion-${i}`;
		option.setAttribute("role", "option");
		if (offer.avatar) {
			const avatar = document.createElement("img");
			avatar.className = "avatar avatar-s";
			avatar.alt = "";
			avatar.src = offer.avatar;
			option.append(avatar);
		}
		const text = document.createElement("bdi");
		text.textContent = offer.name ?? offer.text;
		option.append(text);
		if (offer.name !== undefined) {
			const at = document.createElement("small");
			at.textContent = `@${offer.text}`;
			option.append(at);
		}
		option.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
		option.addEventListener("mousedown", (event) => event.preventDefault());
		option.addEventListener("click", () => this.accept(i));
		return option;
	}

	private announce(text: string): void {
		const status = this.list?.nextElementSibling;
		if (status && status.textContent !== text) {
			status.textContent = text;
		}
	}

	/** Marks an offer as chosen; none is -1. */
	private choose(at: number): void {
		this.chosen = at;
		const options = [...(this.list?.children ?? [])];
		options.forEach((option, i) => option.setAttribute("aria-selected", String(i === at)));
		const option = options[at];
		if (option) {
			this.field?.setAttribute("aria-activedescendant", option.id);
			option.scrollIntoView({ block: "nearest", behavior: "instant" });
		} else {
			this.field?.removeAttribute("aria-activedescendant");
		}
	}

	private key(event: KeyboardEvent): void {
		if (!this.list?.isConnected || event.target !== this.field || event.isComposing) {
			return;
		}
		if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
			return;
		}
		const n = this.offers.length;
		switch (event.key) {
			case "ArrowDown":
				this.choose(this.chosen + 1 < n ? this.chosen + 1 : -1);
				break;
			case "ArrowUp":
				this.choose(this.chosen < 0 ? n - 1 : this.chosen - 1);
				break;
			case "Enter":
			case "Tab":
				if (this.chosen < 0) {
					return;
				}
				this.accept(this.chosen);
				break;
			case "Escape":
				this.close();
				break;
			default:
				return;
		}
		event.preventDefault();
		event.stopImmediatePropagation();
	}

	private accept(at: number): void {
		const { field, piece } = this;
		const offer = this.offers[at];
		this.close();
		if (!field || !piece || !offer) {
			return;
		}
		const sign = piece.kind === "name" ? "@" : piece.kind === "tag" ? "#" : "";
		const after = sign !== "" ? " " : piece.kind === "people" ? ", " : "";
		const end = piece.from + piece.typed.length + sign.length;
		const rest = field.value.slice(end);
		const gap = after !== "" && rest.startsWith(after[0]!) ? "" : after;
		field.setRangeText(sign + offer.text + gap, piece.from, end, "end");
		field.dispatchEvent(new Event("input", { bubbles: true })); // so that drafts and counters follow
		clearTimeout(this.timer);
		this.asked++;
	}

	/** Closes the list when the caret has left the piece. */
	private moved(): void {
		const { field, piece } = this;
		const caret = field?.selectionStart ?? 0;
		if (field && piece && (caret < piece.from || field.selectionEnd !== caret)) {
			this.close();
		}
	}

	private close(): void {
		clearTimeout(this.timer);
		this.asked++;
		const { field, list } = this;
		list?.nextElementSibling?.remove();
		list?.remove();
		if (field) {
			field.parentElement?.classList.remove("is-completing");
			tied.forEach((name) => field.removeAttribute(name));
			if (field instanceof HTMLInputElement) {
				field.setAttribute("aria-expanded", "false");
			}
		}
		this.field = this.list = this.piece = undefined;
		this.offers = [];
		this.chosen = -1;
	}
}

/** Reports whether names are completed in a field. */
function completes(field: Field): boolean {
	return (
		field.dataset["complete"] !== undefined || (field instanceof HTMLTextAreaElement && field.name.endsWith("[text]"))
	);
}

interface Named {
	name: string;
	display_name: string;
	avatar_url: string;
}

async function askServer(query: string, kind: Piece["kind"]): Promise<Offer[]> {
	if (!/[\p{L}\p{N}]/u.test(query)) {
		return [];
	}
	const response = await fetch(`/api/v1/completions?${new URLSearchParams({ q: query })}`, {
		headers: { Accept: "application/json" },
	});
	if (!response.ok) {
		throw new Error(`${response.status}`);
	}
	const {
		people = [],
		groups = [],
		tags = [],
	} = (await response.json()) as {
		people?: Named[];
		groups?: Named[];
		tags?: string[];
	};
	const named =
		kind === "people" || kind === "person"
			? people
			: [...people.slice(0, groups.length > 2 ? 6 : 8), ...groups].slice(0, 8);
	return [
		...named.map((one) => ({ text: one.name, name: one.display_name, avatar: one.avatar_url })),
		...tags.map((text) => ({ text })),
	];
}

/** Adds the hashtags of the entries on the page that begin with a text. */
function withTagsOfPage(offers: Offer[], typed: string): Offer[] {
	const all = new Set(offers.map((offer) => offer.text));
	for (const link of document.querySelectorAll<HTMLAnchorElement>("#river .text a[href^='/s?q=%23']")) {
		const tag = (new URL(link.href).searchParams.get("q") ?? "").slice(1).toLowerCase();
		if (tag.startsWith(typed.toLowerCase())) {
			all.add(tag);
		}
	}
	return [...all].slice(0, 8).map((text) => ({ text }));
}

/** Puts a list below the line of a field in which a piece of its text begins; above the line if there is no room below. */
function place(list: HTMLElement, field: Field, from: number): void {
	const box = field.getBoundingClientRect();
	const around = field.parentElement!.getBoundingClientRect();
	let x = 0;
	let y = box.height;
	let line = y;
	if (field instanceof HTMLTextAreaElement) {
		const style = getComputedStyle(field);
		const copy = document.createElement("div");
		for (const name of [
			"font",
			"letterSpacing",
			"padding",
			"border",
			"boxSizing",
			"lineHeight",
			"direction",
		] as const) {
			copy.style[name] = style[name];
		}
		copy.style.cssText += `;position:absolute;visibility:hidden;top:0;left:0;white-space:pre-wrap;overflow-wrap:anywhere;width:${box.width}px`;
		const caret = document.createElement("span");
		caret.textContent = "@";
		copy.append(field.value.slice(0, from), caret);
		document.body.append(copy);
		x = caret.offsetLeft;
		line = caret.offsetHeight;
		y = Math.min(caret.offsetTop + caret.offsetHeight - field.scrollTop, box.height);
		copy.remove();
	}
	const gap = 4;
	const height = list.offsetHeight;
	const lower = box.top + y + gap;
	const upper = lower - line - height - 2 * gap;
	const above = upper > 0 && lower + height > (visualViewport?.height ?? innerHeight);
	list.style.top = `${(above ? upper : lower) - around.top}px`;
	list.style.left = `${Math.max(0, Math.min(box.left - around.left + x, around.width - list.offsetWidth))}px`;
}
