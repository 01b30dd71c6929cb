// The addresses of pages.

/** Returns the path of a page as JSON: "/anna?count=2" becomes "/anna.json?count=2", and "/" "/index.json". */
export function jsonPath(path: string): string {
	const { pathname, search } = new URL(path, "http://site");
	return `${pathname === "/" ? "/index" : pathname.replace(/\.json$/, "")}.json${search}`;
}
