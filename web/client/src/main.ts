// The script of every page. Without the script everything works too, by loading pages.

import { startAudience } from "./audience.js";
import { startChoosing } from "./choose.js";
import { startEditing } from "./edit.js";
import { startExport } from "./export.js";
import { startFiles } from "./files.js";
import { startLightbox } from "./lightbox.js";
import { startMenus } from "./menus.js";
import { awaitServer, isOffline, startWorker } from "./offline.js";
import { startHelp, startKeys, startPictures } from "./ondemand.js";
import { Page } from "./page.js";
import { liveRiver } from "./river.js";
import { Times } from "./times.js";
import { startUnfolding } from "./unfold.js";
import { UnreadBadge } from "./unread.js";
import { startWriting } from "./writing.js";

const times = new Times();
times.start();
startMenus();
startLightbox();
if (isOffline()) {
	awaitServer();
} else {
	startWorker();
	startFiles();
	startWriting();
	startEditing();
	startAudience();
	startPictures();
	startExport();
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
