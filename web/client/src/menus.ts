// Opens the menu of an entry in the entry, with the content of the menu's page, and closes menus when
// the viewer does something else. Without the script a link leads to the menu's page, and other menus
// stay open until their button is pressed again.

import { loadPage } from "./load.js";
import { own } from "./morph.js";
import { words } from "./words.js";

/** Fills the menus of entries, and makes the open menus of the page close by Escape and by a click elsewhere. */
export function startMenus(): void {
	// The event does not bubble.
	document.addEventListener("toggle", (event) => void fill(event.target as HTMLDetailsElement), true);
	document.addEventListener("click", (event) => void copy(event));
	document.addEventListener("click", (event) => {
		for (const menu of openMenus()) {
			if (event.target instanceof Node && !menu.contains(event.target) && event.target.isConnected) {
				menu.open = false;
			}
		}
	});
	document.addEventListener("click", open); // after the menus that were open are closed
	document.addEventListener("keydown", (event) => {
		if (event.key !== "Escape") {
			return;
		}
		openMenus().forEach(shut);
	});
}

/** Closes a menu. If the menu had the focus, the focus moves to the word that opens the menu. */
function shut(menu: HTMLDetailsElement): void {
	const within = menu.contains(document.activeElement);
	menu.open = false;
	if (within) {
		menu.querySelector("summary")?.focus();
	}
}

/** The links of an entry to its menu, and to the question whether to delete a comment. */
const menuLink = "article a:is([href$='/menu'], [href$='/delete'])";

const openMenus = (): NodeListOf<HTMLDetailsElement> =>
	document.querySelectorAll("details.menu[open], details.nav-more[open]");

/** Opens the menu that a link leads to in the place of the link; closes a menu by the link in it that closes it. */
function open(event: MouseEvent): void {
	const close = event.target instanceof Element ? event.target.closest(".menu [data-close]") : null;
	if (close) {
		event.preventDefault();
		shut(close.closest<HTMLDetailsElement>(".menu")!);
	}
	const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(menuLink) : null;
	if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
		return;
	}
	event.preventDefault();
	const menu = document.createElement("details");
	menu.className = "menu";
	menu.setAttribute(own, "");
	const summary = document.createElement("summary");
	summary.textContent = link.textContent;
	menu.append(summary);
	menu.open = true;
	link.after(menu);
	link.classList.add("is-open");
	summary.focus();
}

/**
 * Shows in the menu of an entry the present content of the menu's page. If the page can't be
 * loaded, the browser goes there.
 */
async function fill(menu: HTMLDetailsElement): Promise<void> {
	const link = menu.previousElementSibling as HTMLAnchorElement | null;
	if (!menu.open || !link?.matches(menuLink)) {
		return;
	}
	const box = await loadPage(link.href).then(
		(page) => page.querySelector("main .menu-box"),
		() => undefined,
	);
	menu.querySelector(".menu-box")?.remove();
	if (!box) {
		menu.open = false;
		location.assign(link.href);
	} else if (menu.isConnected) {
		menu.append(document.importNode(box, true));
		menu.lastElementChild!.scrollIntoView({ block: "nearest", behavior: "instant" });
	}
}

/** Copies the address of a link made for copying. If copying fails, follows the link. */
async function copy(event: MouseEvent): Promise<void> {
	const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-copy]") : null;
	if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
		return;
	}
	event.preventDefault();
	try {
		await navigator.clipboard.writeText(link.href);
		link.setAttribute("role", "status");
		link.textContent = words.copied;
	} catch {
		location.assign(link.href);
	}
}
