// Puts children into a new order by moving as few of them as possible. An element that
// is moved may lose the focus, and the page may scroll with it.

import { longestIncreasing } from "./sequence.js";

type Mover = ParentNode & { moveBefore?(node: Node, child: Node | null): void };

/**
 * Puts the wanted children, old and new, in this order before `end` (null: at the end).
 * Other children stay where they are. Returns the children that were moved or inserted.
 */
export function arrange(parent: Element, wanted: readonly Element[], end: Node | null): Set<Element> {
	const wantedIndex = new Map(wanted.map((node, i) => [node as Node, i]));
	const places: number[] = [];
	for (const child of parent.children) {
		const i = wantedIndex.get(child);
		if (i !== undefined) {
			places.push(i);
		}
	}
	const stay = longestIncreasing(places);
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

/** Moves a child. If the browser has moveBefore, the child keeps its focus and state. */
function moveBefore(parent: Element, node: Element, next: Node | null): void {
	const mover = parent as Mover;
	if (node.parentNode === parent && mover.moveBefore) {
		mover.moveBefore(node, next);
		return;
	}
	parent.insertBefore(node, next);
}
