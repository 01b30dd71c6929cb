// Repeatable random numbers: a failed random test prints its seed.

/** Numbers from 0 to 1, the same ones for the same seed. */
export function lucky(seed) {
	let state = seed >>> 0;
	const random = () => {
		state = (state + 0x6d2b79f5) | 0; // mulberry32
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
	return {
		random,
		/** A whole number below n. */
		below: (n) => Math.floor(random() * n),
		/** Whether something happens that does in so many cases of a hundred. */
		chance: (percent) => random() * 100 < percent,
		pick: (list) => list[Math.floor(random() * list.length)],
	};
}

/** Runs a function for many seeds; a failure prints the seed. SEED=n runs that seed alone. */
export function seeds(n, run) {
	const only = process.env.SEED;
	for (let seed = only ? Number(only) : 1; seed <= (only ? Number(only) : n); seed++) {
		try {
			run(lucky(seed * 7919), seed);
		} catch (error) {
			error.message = `seed ${seed}: ${error.message}`;
			throw error;
		}
	}
}
