// What the script says, in the language of the pages that it is bundled for
// (internal/bundle).

import { en } from "./words/en.js";
import { ru } from "./words/ru.js";

declare const LANGUAGE: string;

/** The code of the language; what is not bundled, as in tests, speaks English. */
export const language: string = typeof LANGUAGE === "undefined" ? "en" : LANGUAGE;

/** The sentences of one language. */
export type Words = typeof en;

export const words: Words = typeof LANGUAGE !== "undefined" && LANGUAGE === "ru" ? ru : en;
