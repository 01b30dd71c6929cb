// The line that says where somebody left off: between what is newer than that
// and what is not, whatever comes and goes around it.

/** A place in a river's order: when a post was fresh, in milliseconds, and its number. */
export type Place = readonly [fresh: number, post: number];

/** Reads a place as elements carry it: "FRESH_MS,ID". */
export function readPlace(text: string | undefined): Place | undefined {
	const [fresh, post] = (text ?? "").split(",").map(Number);
	return fresh !== undefined && post !== undefined && fresh > 0 && post > 0 ? [fresh, post] : undefined;
}

/** Whether what is at a place stands above what is at another. */
export function above(place: Place, other: Place): boolean {
	return place[0] !== other[0] ? place[0] > other[0] : place[1] > other[1];
}

/** Above which of the entries, by their places from the top, the line stands; all are newer: their number. */
export function lineAbove(places: readonly (Place | undefined)[], line: Place): number {
	const first = places.findIndex((place) => place !== undefined && !above(place, line));
	return first < 0 ? places.length : first;
}

/**
 * The entries with the line between them, as they are to stand in the river. It
 * is out of sight where it would part nothing: at the top of the river, and
 * below all that the page has.
 */
export function withLine(river: Element, articles: readonly HTMLElement[], top: boolean): HTMLElement[] {
	const line = river.querySelector<HTMLElement>(":scope > #left-off");
	const place = readPlace(line?.dataset["place"]);
	if (!line || !place) {
		return [...articles];
	}
	const at = lineAbove(
		articles.map((article) => readPlace(article.dataset["place"])),
		place,
	);
	line.hidden = (at === 0 && top) || at === articles.length;
	return [...articles.slice(0, at), line, ...articles.slice(at)];
}
