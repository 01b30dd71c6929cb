// Two small questions about sequences.

/**
 * Which of these numbers can stay where they are when all are put in ascending
 * order by moving as few as possible: a longest increasing subsequence.
 */
export function staying(places: readonly number[]): Set<number> {
	const ends: number[] = []; // by length: the index of the least number that such a run ends with
	const before: (number | undefined)[] = [];
	places.forEach((place, i) => {
		let low = 0;
		let high = ends.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (places[ends[middle]!]! < place) {
				low = middle + 1;
			} else {
				high = middle;
			}
		}
		before[i] = ends[low - 1];
		ends[low] = i;
	});
	const stay = new Set<number>();
	for (let i = ends.at(-1); i !== undefined; i = before[i]) {
		stay.add(places[i]!);
	}
	return stay;
}

/** Pairs of indices of what is the same in both, in order, as many as possible. */
export function common(a: readonly string[], b: readonly string[]): [number, number][] {
	const width = b.length + 1;
	const longest = new Uint16Array((a.length + 1) * width);
	for (let i = a.length - 1; i >= 0; i--) {
		for (let j = b.length - 1; j >= 0; j--) {
			longest[i * width + j] =
				a[i] === b[j]
					? longest[(i + 1) * width + j + 1]! + 1
					: Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
		}
	}
	const pairs: [number, number][] = [];
	for (let i = 0, j = 0; i < a.length && j < b.length;) {
		if (a[i] === b[j]) {
			pairs.push([i++, j++]);
		} else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) {
			i++;
		} else {
			j++;
		}
	}
	return pairs;
}
