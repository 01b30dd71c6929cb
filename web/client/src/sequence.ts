// Two algorithms on sequences: the longest increasing and the longest common subsequence.

/**
 * Returns a longest increasing subsequence: the numbers that can stay where they are when
 * all are put into ascending order by moving as few as possible. For example, of
 * 0 4 1 2 3 the numbers 0 1 2 3 stay, and only 4 is moved.
 */
export function longestIncreasing(places: readonly number[]): Set<number> {
	const ends: number[] = []; // by length, less one: the index of the smallest number that ends such a subsequence
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

/**
 * Returns a longest common subsequence, as pairs of indices in a and b. For example, abcd
 * and acxd have a, c and d in common: [0, 0], [2, 1], [3, 3].
 */
export function longestCommon(a: readonly string[], b: readonly string[]): [number, number][] {
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
