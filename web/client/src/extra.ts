// The second script. Pages load it when a key or a field first needs it (ondemand.ts). It has no
// sentences of its own, so that one file serves all languages.

import { Completer } from "./complete.js";
import { startCounting } from "./count.js";
import type { Words } from "./words.js";

export { press, showKeys, watchKeySwitch } from "./keys.js";

/** Helps with what is typed from now on. */
export function helpWriting(words: Words): void {
	const completer = new Completer(words);
	completer.start();
	startCounting(words);
	completer.typed(document.activeElement); // typed while this script came
}
