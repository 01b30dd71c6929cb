// Makes an element on the page equal to a new one by changing only what differs,
// so that focus, selections, opened details and half-typed text stay.

import { arrange } from "./arrange.js";
import { common } from "./sequence.js";
import { beingWritten } from "./typing.js";

/** Marks elements that the client has put into an entry, which the server knows nothing of. */
export const own = "data-client";

/** Makes `old` look like `fresh`, which is used up. */
export function morph(old: Element, fresh: Element): void {
	if (old.isEqualNode(fresh)) {
		return;
	}
	if (old.localName === "time" && old.getAttribute("datetime") === fresh.getAttribute("datetime")) {
		return; // its words are relative, and kept so elsewhere
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

/** Attributes that say how somebody has the element now, not what it is. */
function kept(element: Element, name: string): boolean {
	return name === "aria-busy" || (name === "open" && element.localName === "details");
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

const keyOf = (element: Element): string | null =>
	element.getAttribute("data-key") ?? element.getAttribute("data-part");

/** Whether the children are told apart by keys: the parts of an entry, the comments of a post. */
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
			wanted.push(before); // it may not be writable any more, which sending it will tell
		} else {
			before?.remove();
			wanted.push(child);
			if (old.isConnected && child.hasAttribute("data-key")) {
				child.classList.add("is-new");
			}
		}
	}
	for (const child of there.values()) {
		if (!beingWritten(child)) {
			child.remove();
		}
	}
	arrange(old, wanted, null);
}

/** Hidden fields that only a page as it was loaded has, for use without script. */
const ofThePage = new Set(["return_to", "_uuid"]);

function compared(node: Node): boolean {
	if (!(node instanceof Element)) {
		return node.nodeType === Node.TEXT_NODE;
	}
	return (
		!node.hasAttribute(own) && !(node instanceof HTMLInputElement && node.type === "hidden" && ofThePage.has(node.name))
	);
}

/** What makes two nodes the same thing, which may look different now. */
function identity(node: Node): string {
	if (!(node instanceof Element)) {
		return "#text";
	}
	const about = ["id", "name", "href", "action", "data-deed"].map((name) => node.getAttribute(name) ?? "");
	return [node.localName, [...node.classList].find((name) => !name.startsWith("is-")) ?? "", ...about].join("\n");
}

function morphSequence(old: Element, fresh: Element): void {
	const before = [...old.childNodes].filter(compared);
	const after = [...fresh.childNodes].filter(compared);
	const pairs = common(before.map(identity), after.map(identity));
	const matches = new Map(pairs.map(([i, j]) => [after[j]!, before[i]!]));
	const staying = new Set(matches.values());
	for (const node of before) {
		if (!staying.has(node)) {
			(node as ChildNode).remove();
		}
	}
	let last: Node | undefined; // that is right
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

/** The child that new ones at the beginning go in front of. */
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
