// Loads another page of the site, to show a part of it on this one.

/** Returns a page; throws if the server does not answer with it. */
export async function loadPage(address: string): Promise<Document> {
	const response = await fetch(address, { headers: { Accept: "text/html" } });
	if (!response.ok) {
		throw new Error(`${address}: ${response.status}`);
	}
	return new DOMParser().parseFromString(await response.text(), "text/html");
}
