// The second script. Pages load it when a key or a field first needs it (ondemand.ts). It has no
// sentences of its own, so that one file serves all languages.

export { press, showKeys, watchKeySwitch } from "./keys.js";
