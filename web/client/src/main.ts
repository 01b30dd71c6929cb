// The script of every page. Without it all works, only by loading pages.

import { Page } from "./page.js";
import { liveRiver } from "./river.js";
import { Times } from "./times.js";

const times = new Times();
times.start();
const river = liveRiver();
if (river) {
	new Page(river, times).start();
}
