// Shows how far the viewer's export is. Without the script a link loads the page again.

/** How long the page waits between two requests, in milliseconds. */
const pause = 1500;

/** Keeps the section of the settings up to date while an export is being made. */
export function startExport(): void {
	const section = document.querySelector<HTMLElement>("section[aria-labelledby=export]");
	if (section?.querySelector("[data-state=queued]")) {
		setTimeout(() => void look(section), pause);
	}
}

/** Looks at the server how far the export is. */
async function look(section: HTMLElement): Promise<void> {
	await renew(section);
	startExport();
}

/** Replaces a section by the one of the page as the server has it now. */
export async function renew(section: HTMLElement): Promise<void> {
	try {
		const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
		const page = new DOMParser().parseFromString(await answer.text(), "text/html");
		const now = page.querySelector<HTMLElement>(`section[aria-labelledby=${section.getAttribute("aria-labelledby")}]`);
		if (answer.ok && now) {
			section.replaceChildren(...now.childNodes);
		}
	} catch {
		// The server is away: the next request may reach it.
	}
}
