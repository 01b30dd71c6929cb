// What somebody reads stays under their eyes: when things change above it, the
// page is scrolled by as much as they grew.

/**
 * Does a change of the river, which returns the elements that it moved or put
 * in, and holds the page still meanwhile. Whoever writes, or is asked whether to
 * delete something, is held by that; else, at the very top of the page, the
 * river simply moves on.
 */
export function anchored(river: HTMLElement, change: () => ReadonlySet<Element>): void {
	const focused = document.activeElement;
	const held = focused && river.contains(focused) && inHand(focused) && visible(focused) ? [focused] : [];
	const candidates = [...held, ...(scrollY > 0 ? readable(river) : [])];
	const tops = new Map(candidates.map((element) => [element, element.getBoundingClientRect().top]));
	const moved = change();
	const pulled = (element: Element): boolean => {
		const article = element.closest("article");
		return article !== null && moved.has(article);
	};
	const anchor = candidates.find(
		(element) => element.getClientRects().length > 0 && (held.includes(element) || !pulled(element)),
	);
	if (!anchor) {
		return;
	}
	const by = anchor.getBoundingClientRect().top - tops.get(anchor)!;
	if (Math.abs(by) >= 1) {
		scrollBy({ top: by, behavior: "instant" });
	}
}

/** Whether somebody is about to do something with it. (Some browsers know no `:has`.) */
function inHand(element: Element): boolean {
	return (
		element.matches("textarea, details.confirm[open] *, details.menu[open] *") ||
		!!element.closest("form")?.querySelector("textarea")
	);
}

/** What can be read now, with what begins in sight first. */
function readable(river: HTMLElement): Element[] {
	const seen = [...river.querySelectorAll("article, [data-part], [data-key]")].filter(visible);
	const whole = seen.filter((element) => element.getBoundingClientRect().top >= 0);
	return [...whole, ...seen.filter((element) => !whole.includes(element)).reverse()];
}

function visible(element: Element): boolean {
	const box = element.getBoundingClientRect();
	return box.height > 0 && box.bottom > 0 && box.top < innerHeight;
}
