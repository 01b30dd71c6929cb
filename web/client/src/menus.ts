// Shows in the menu of an entry what the entry's menu page has, and closes menus when the viewer
// does something else. Without the script a menu stays open until its button is pressed again,
// and the menu of an entry has a link to its page.

import { loadPage } from "./load.js";
import { own } from "./morph.js";
import { words } from "./words.js";

/** Fills the menus of entries, and makes the open menus of the page close by Escape and by a click elsewhere. */
export function startMenus(): void {
	// The event does not bubble.
	document.addEventListener("toggle", (event) => void fill(event.target), true);
	document.addEventListener("click", (event) => void copy(event));
	document.addEventListener("click", (event) => {
		for (const menu of openMenus()) {
			if (event.target instanceof Node && !menu.contains(event.target) && event.target.isConnected) {
				menu.open = false;
			}
		}
	});
	document.addEventListener("keydown", (event) => {
		if (event.key !== "Escape") {
			return;
		}
		for (const menu of openMenus()) {
			const within = menu.contains(document.activeElement);
			menu.open = false;
			if (within) {
				menu.querySelector("summary")?.focus();
			}
		}
	});
}

const openMenus = (): NodeListOf<HTMLDetailsElement> =>
	document.querySelectorAll("details.menu[open], details.nav-more[open]");

/** Shows in the menu of an entry what its page has now. If the page can't be loaded, the link to it stays. */
async function fill(menu: EventTarget | null): Promise<void> {
	if (!(menu instanceof HTMLDetailsElement) || !menu.matches("[data-menu]") || !menu.open) {
		return;
	}
	const link = menu.querySelector<HTMLAnchorElement>("a.menu-all")!;
	const box = await loadPage(link.href).then(
		(page) => page.querySelector("main .menu-box"),
		() => undefined,
	);
	menu.querySelector(`:scope > [${own}]`)?.remove();
	if (box && menu.isConnected) {
		const list = document.importNode(box, true);
		list.setAttribute(own, "");
		menu.append(list);
		list.scrollIntoView({ block: "nearest", behavior: "instant" });
	}
}

/** Copies the address of a link that is there to be copied. Where that fails, the link is followed. */
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
