// Holds the text that the viewer reads in its place: if the page grows above the text,
// the page is scrolled by as much.

/**
 * How far the page is from where it was held. Browsers scroll by whole pixels only, and heights have
 * fractions of a pixel, so the next change makes up for what is left: else many changes would move the page far.
 */
let drift = 0;

/**
 * Makes a change of the river, and holds the page still meanwhile. The change returns the
 * elements that it moved or inserted. A form or an open menu that has the focus is held
 * first; otherwise the first visible part of an entry. At the very top of the page, without
 * such a focus, nothing is held: new entries push the others down.
 */
export function anchored(river: HTMLElement, change: () => ReadonlySet<Element>): void {
	const focused = document.activeElement;
	const held = focused && river.contains(focused) && isInUse(focused) && visible(focused) ? [focused] : [];
	const candidates = [...held, ...(scrollY > 0 ? visibleParts(river) : [])];
	const tops = new Map(candidates.map((element) => [element, element.getBoundingClientRect().top]));
	const moved = change();
	const isMoved = (element: Element): boolean => {
		const article = element.closest("article");
		return article !== null && moved.has(article);
	};
	const anchor = candidates.find(
		(element) => element.getClientRects().length > 0 && (held.includes(element) || !isMoved(element)),
	);
	if (!anchor) {
		return;
	}
	const off = (): number => anchor.getBoundingClientRect().top - tops.get(anchor)! + drift;
	if (Math.abs(off()) >= 0.5) {
		scrollBy({ top: Math.round(off()), behavior: "instant" });
	}
	const left = off();
	drift = Math.abs(left) < 1 ? left : 0; // more is left at the ends of the page, and stays
}

/** Reports whether the element is part of a form with text, or of an open menu. (Some browsers have no `:has`.) */
function isInUse(element: Element): boolean {
	return (
		element.matches("textarea, details.confirm[open] *, details.menu[open] *") ||
		!!element.closest("form")?.querySelector("textarea")
	);
}

/** Returns the visible parts of entries, those whose beginning is visible first. */
function visibleParts(river: HTMLElement): Element[] {
	const seen = [...river.querySelectorAll("article, article > *, .comment, [data-key]")].filter(visible);
	const whole = seen.filter((element) => element.getBoundingClientRect().top >= 0);
	return [...whole, ...seen.filter((element) => !whole.includes(element)).reverse()];
}

function visible(element: Element): boolean {
	const box = element.getBoundingClientRect();
	return box.height > 0 && box.bottom > 0 && box.top < innerHeight;
}
