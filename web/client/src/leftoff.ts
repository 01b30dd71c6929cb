// The line that shows where the viewer left off: between the entries newer than the last visit and
// the others, while entries come and go around it.

/** A place in a river's order: when a post was fresh, in milliseconds, and its number. */
export type Place = readonly [fresh: number, post: number];

/** Parses the place of an element, "FRESH_MS,ID". */
export function readPlace(text: string | undefined): Place | undefined {
	const [fresh, post] = (text ?? "").split(",").map(Number);
	return fresh !== undefined && post !== undefined && fresh > 0 && post > 0 ? [fresh, post] : undefined;
}

/** Returns the place of an entry. The id of its post is separate. */
export function placeOf(article: HTMLElement): Place | undefined {
	return readPlace(`${article.dataset["place"]},${article.dataset["postId"]}`);
}

/** Reports whether an entry at one place stands above an entry at the other. */
export function above(place: Place, other: Place): boolean {
	return place[0] !== other[0] ? place[0] > other[0] : place[1] > other[1];
}

/** Returns the index of the entry that the line stands above; the number of entries if all are newer. */
export function lineAbove(places: readonly (Place | undefined)[], line: Place): number {
	const first = places.findIndex((place) => place !== undefined && !above(place, line));
	return first < 0 ? places.length : first;
}

/**
 * Returns the entries with the line between them. The line is hidden where it would
 * separate nothing: at the top of the river, and below the last entry of the page.
 */
export function withLine(river: Element, articles: readonly HTMLElement[], top: boolean): HTMLElement[] {
	const line = river.querySelector<HTMLElement>(":scope > #left-off");
	const place = readPlace(line?.dataset["place"]);
	if (!line || !place) {
		return [...articles];
	}
	const at = lineAbove(articles.map(placeOf), place);
	line.hidden = (at === 0 && top) || at === articles.length;
	return [...articles.slice(0, at), line, ...articles.slice(at)];
}
