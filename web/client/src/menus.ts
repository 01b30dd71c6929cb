// Closes menus when the viewer does something else. Without the script a menu stays open
// until its button is pressed again.

/** Makes the open menus of the page close by Escape and by a click elsewhere. */
export function startMenus(): void {
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

const openMenus = (): NodeListOf<HTMLDetailsElement> => document.querySelectorAll("details.menu[open]");
