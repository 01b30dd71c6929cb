// The script of the page about the API: it lets the viewer run the examples. All sentences are in a
// template of the page, in the page's language, so that one file serves all languages.

/** An example as the viewer has filled it in: the parameters by their names, and the body. */
export interface Filled {
	method: string;
	path: string;
	parameters: { name: string; in: string; value: string }[];
	body: string | undefined;
	token: string;
}

/** Returns the request of an example. Parameters of a query and headers that are empty are left out. */
export function requestOf(filled: Filled): { address: string; init: RequestInit } {
	let address = filled.path;
	const query = new URLSearchParams();
	const headers: Record<string, string> = { Accept: "application/json, */*" };
	for (const one of filled.parameters) {
		if (one.in === "path") {
			address = address.replace(`{${one.name}}`, encodeURIComponent(one.value));
		} else if (one.value && one.in === "query") {
			query.append(one.name, one.value);
		} else if (one.value) {
			headers[one.name] = one.value;
		}
	}
	if (filled.token) {
		headers["X-API-Token"] = filled.token;
	}
	const init: RequestInit = { method: filled.method, headers, credentials: filled.token ? "omit" : "same-origin" };
	if (filled.body !== undefined) {
		headers["Content-Type"] = "application/json";
		init.body = filled.body;
	}
	return { address: query.size ? `${address}?${query}` : address, init };
}

/** Returns JSON on several lines, and any other text as it is. */
function readable(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}

let lastToken = "";

/** Adds to an operation the form that runs its example. */
function prepare(operation: HTMLElement, template: HTMLTemplateElement): void {
	const form = (template.content.cloneNode(true) as DocumentFragment).querySelector("form")!;
	const tokenLabel = form.querySelector<HTMLElement>("[data-token]")!;
	const token = tokenLabel.querySelector("input")!;
	const [status, shown] = [form.querySelector<HTMLElement>("[role=status]")!, form.querySelector("pre")!];
	token.value = lastToken;
	const fields: { name: string; in: string; field: HTMLInputElement }[] = [];
	for (const row of operation.querySelectorAll<HTMLElement>("[data-name]")) {
		const label = tokenLabel.cloneNode(true) as HTMLElement;
		const field = label.querySelector("input")!;
		label.firstChild!.textContent = row.dataset["name"]!;
		field.value = row.dataset["example"]!;
		form.insertBefore(label, tokenLabel);
		fields.push({ name: row.dataset["name"]!, in: row.dataset["in"]!, field });
	}
	const body = operation.querySelector<HTMLElement>("[data-body]");
	if (body) {
		body.contentEditable = "plaintext-only";
		body.spellcheck = false;
	}
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		lastToken = token.value.trim();
		const { address, init } = requestOf({
			method: operation.dataset["method"]!,
			path: operation.dataset["path"]!,
			parameters: fields.map((one) => ({ name: one.name, in: one.in, value: one.field.value.trim() })),
			body: body?.innerText,
			token: lastToken,
		});
		status.textContent = `${init.method} ${address}`;
		void run(address, init, status, shown);
	});
	operation.append(form);
}

/** Sends a request, and shows its answer. */
async function run(address: string, init: RequestInit, status: HTMLElement, shown: HTMLElement): Promise<void> {
	let said: string;
	try {
		const answer = await fetch(address, init);
		said = readable(await answer.text());
		status.textContent += ` → ${answer.status} ${answer.statusText}`;
	} catch (error) {
		said = String(error);
	}
	shown.textContent = said;
	shown.hidden = false;
}

/** Opens the details that the fragment of the address names. */
function openNamed(): void {
	const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
	if (named instanceof HTMLDetailsElement) {
		named.open = true;
		named.scrollIntoView();
	}
}

/** Lets the viewer run the example of each operation that is opened. */
function start(): void {
	const template = document.querySelector<HTMLTemplateElement>("template#try");
	if (!template) {
		return;
	}
	const ready = new WeakSet<Element>();
	document.addEventListener(
		"toggle",
		(event) => {
			const at = event.target;
			if (at instanceof HTMLDetailsElement && at.dataset["path"] && !ready.has(at)) {
				ready.add(at);
				prepare(at, template);
			}
		},
		true,
	);
	addEventListener("hashchange", openNamed);
	openNamed();
}

if (typeof document !== "undefined") {
	start();
}
