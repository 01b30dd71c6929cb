// The script of every page. Without the script everything works too, by loading pages.

import { startAudience } from "./audience.js";
import { startChoosing } from "./choose.js";
import { startEditing } from "./edit.js";
import { startFiles } from "./files.js";
import { startMenus } from "./menus.js";
import { awaitServer, isOffline, startWorker } from "./offline.js";
import { startHelp, startKeys, startSettings } from "./ondemand.js";
import { Page } from "./page.js";
import { liveRiver } from "./river.js";
import { Times } from "./times.js";
import { startUnfolding } from "./unfold.js";
import { UnreadBadge } from "./unread.js";
import { startWriting } from "./writing.js";

const times = new Times();
times.start();
startMenus();
if (isOffline()) {
	awaitServer();
} else {
	startWorker();
	startFiles();
	startWriting();
	startEditing();
	startAudience();
	startSettings();
	startKeys();
	startHelp();
	startChoosing();
	const river = liveRiver();
	const unread = new UnreadBadge();
	unread.start(river !== undefined);
	if (river) {
		startUnfolding(river);
		new Page(river, times, unread).start();
	}
}
