// The script's sentences, in the language of its bundle (internal/bundle).

import { en } from "./words/en.js";
import { ru } from "./words/ru.js";

declare const LANGUAGE: string;

/** The code of the language: English if the script is not bundled, as in tests. */
export const language: string = typeof LANGUAGE === "undefined" ? "en" : LANGUAGE;

/** The sentences of one language. */
export type Words = typeof en;

export const words: Words = typeof LANGUAGE !== "undefined" && LANGUAGE === "ru" ? ru : en;
