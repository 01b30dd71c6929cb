// The script of every page. Without it all works, only by loading pages.

import { startAudience } from "./audience.js";
import { startMenus } from "./menus.js";
import { Page } from "./page.js";
import { liveRiver } from "./river.js";
import { Times } from "./times.js";
import { startWriting } from "./writing.js";

const times = new Times();
times.start();
startWriting();
startMenus();
startAudience();
const river = liveRiver();
if (river) {
	new Page(river, times).start();
}
