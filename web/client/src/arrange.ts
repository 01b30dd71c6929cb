// Children in a new order, with as few of them moved as possible: what moves
// may lose focus, and pulls the page along.

import { staying } from "./sequence.js";

type Mover = ParentNode & { moveBefore?(node: Node, child: Node | null): void };

/**
 * Puts the wanted children, new ones among them, in this order in front of
 * `end` (null: at the end). Others stay where they are. Returns those that were
 * moved or put in.
 */
export function arrange(parent: Element, wanted: readonly Element[], end: Node | null): Set<Element> {
	const place = new Map(wanted.map((node, i) => [node as Node, i]));
	const places: number[] = [];
	for (const child of parent.children) {
		const i = place.get(child);
		if (i !== undefined) {
			places.push(i);
		}
	}
	const stay = staying(places);
	const moved = new Set<Element>();
	let next = end;
	for (let i = wanted.length - 1; i >= 0; i--) {
		const node = wanted[i]!;
		if (!stay.has(i)) {
			moveBefore(parent, node, next);
			moved.add(node);
		}
		next = node;
	}
	return moved;
}

/** Moves a child with all that the browser knows of it, where it can. */
function moveBefore(parent: Element, node: Element, next: Node | null): void {
	const mover = parent as Mover;
	if (node.parentNode === parent && mover.moveBefore) {
		mover.moveBefore(node, next);
		return;
	}
	parent.insertBefore(node, next);
}
