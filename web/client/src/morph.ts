// Makes an element on the page equal to a new one by changing only the differences, so
// that focus, selections, opened details and half-typed text stay.

import { arrange } from "./arrange.js";
import { longestCommon } from "./sequence.js";
import { beingWritten } from "./typing.js";

/** The attribute of elements that the script has put into an entry, and the server does not know. */
export const own = "data-client";

/** Makes `old` look like `fresh`, and takes nodes out of `fresh`. */
export function morph(old: Element, fresh: Element): void {
	if (old.isEqualNode(fresh)) {
		return;
	}
	if (old.localName === "time" && old.getAttribute("datetime") === fresh.getAttribute("datetime")) {
		return; // times.ts keeps its words relative to now
	}
	morphAttributes(old, fresh);
	if (old instanceof HTMLTextAreaElement && old.value !== old.defaultValue) {
		return;
	}
	if (keyed(old, fresh)) {
		morphKeyed(old, fresh);
	} else {
		morphSequence(old, fresh);
	}
}

/** Attributes that only the script gives an element. */
const ofTheScript = new Set([
	"aria-busy",
	"tabindex",
	"aria-activedescendant",
	"aria-autocomplete",
	"aria-controls",
	"aria-expanded",
	"role",
]);

/** Reports whether the attribute is a state that the viewer or the script has given the element, such as an opened menu. */
function kept(element: Element, name: string): boolean {
	return ofTheScript.has(name) || (name === "open" && element.localName === "details");
}

function morphAttributes(old: Element, fresh: Element): void {
	for (const name of old.getAttributeNames()) {
		if (!fresh.hasAttribute(name) && !kept(old, name) && name !== "class") {
			old.removeAttribute(name);
		}
	}
	for (const name of fresh.getAttributeNames()) {
		const value = fresh.getAttribute(name) ?? "";
		if (name !== "class" && !kept(old, name) && old.getAttribute(name) !== value) {
			old.setAttribute(name, value);
		}
	}
	const classes = [...fresh.classList, ...[...old.classList].filter((name) => name.startsWith("is-"))].join(" ");
	if (classes !== old.className && (classes !== "" || old.hasAttribute("class"))) {
		old.setAttribute("class", classes);
	}
}

/** Returns the key of an element among its siblings: the parts of an entry have their first class as key. */
const keyOf = (element: Element): string | null =>
	element.getAttribute("data-key") ??
	(isComment(element) ? element.id : isPart(element) ? (element.classList[0] ?? null) : null);

const isPart = (element: Element): boolean => element.parentElement?.localName === "article";

const isComment = (element: Element): boolean => element.classList.contains("comment");

/** Reports whether all children have keys, as the parts of an entry and the comments of a post have. */
function keyed(old: Element, fresh: Element): boolean {
	const all = [...old.children, ...fresh.children].filter((child) => !child.hasAttribute(own));
	return all.length > 0 && all.every((child) => keyOf(child) !== null);
}

function morphKeyed(old: Element, fresh: Element): void {
	const there = new Map<string, Element>();
	for (const child of [...old.children]) {
		const key = keyOf(child);
		if (key !== null && !child.hasAttribute(own)) {
			there.set(key, child);
		}
	}
	const wanted: Element[] = [];
	for (const child of [...fresh.children]) {
		const key = keyOf(child)!;
		const before = there.get(key);
		there.delete(key);
		if (before && before.localName === child.localName) {
			morph(before, child);
			wanted.push(before);
		} else if (before && beingWritten(before)) {
			wanted.push(before); // if it may no longer be sent, the server will say so
		} else {
			before?.remove();
			wanted.push(child);
			if (old.isConnected && (isComment(child) || child.hasAttribute("data-key"))) {
				child.classList.add("is-new");
			}
		}
	}
	for (const child of there.values()) {
		if (!beingWritten(child)) {
			child.remove();
		}
	}
	arrange(old, wanted, old.querySelector(`:scope > form[${own}]`)); // the form for a comment is the last
}

/** Hidden fields that only a loaded page has, for use without the script. */
const ofThePage = new Set(["return_to", "_uuid"]);

function compared(node: Node): boolean {
	if (!(node instanceof Element)) {
		return node.nodeType === Node.TEXT_NODE;
	}
	return (
		!node.hasAttribute(own) && !(node instanceof HTMLInputElement && node.type === "hidden" && ofThePage.has(node.name))
	);
}

/**
 * Returns a text that is equal for two nodes that stand for the same thing, even if they look
 * different.
 */
function identity(node: Node): string {
	if (!(node instanceof Element)) {
		return "#text";
	}
	// A button that turned into its opposite stays the same button: it keeps the focus.
	const about = ["id", node.localName === "button" ? "formaction" : "name", "href", "action", "data-action"].map(
		(name) => node.getAttribute(name) ?? "",
	);
	return [node.localName, [...node.classList].find((name) => !name.startsWith("is-")) ?? "", ...about].join("\n");
}

function morphSequence(old: Element, fresh: Element): void {
	const before = [...old.childNodes].filter(compared);
	const after = [...fresh.childNodes].filter(compared);
	const pairs = longestCommon(before.map(identity), after.map(identity));
	const matches = new Map(pairs.map(([i, j]) => [after[j]!, before[i]!]));
	const staying = new Set(matches.values());
	for (const node of before) {
		if (!staying.has(node)) {
			(node as ChildNode).remove();
		}
	}
	let last: Node | undefined; // the last node in its right place
	for (const node of after) {
		const match = matches.get(node);
		if (match) {
			morphNode(match, node);
			last = match;
			continue;
		}
		old.insertBefore(node, last ? last.nextSibling : firstOf(old, staying));
		last = node;
	}
}

/** Returns the child that new first children are inserted before. */
function firstOf(parent: Element, staying: ReadonlySet<Node>): Node | null {
	for (const child of parent.childNodes) {
		if (staying.has(child) || !(child instanceof HTMLInputElement)) {
			return child;
		}
	}
	return null;
}

function morphNode(old: Node, fresh: Node): void {
	if (old instanceof Element && fresh instanceof Element) {
		morph(old, fresh);
	} else if (old.nodeValue !== fresh.nodeValue) {
		old.nodeValue = fresh.nodeValue;
	}
}
