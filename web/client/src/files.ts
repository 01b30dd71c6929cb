// Uploads files as soon as they are chosen, pasted or dropped. The form is sent with their ids,
// when all of them are uploaded.

import { readError } from "./answer.js";
import { own } from "./morph.js";
import { language, words } from "./words.js";

const uploadAddress = "/api/v1/attachments.json";

/** An Upload is a file of a form, shown as a row of the form. */
export interface Upload {
	row: HTMLElement;
	request: XMLHttpRequest;
	/** Resolves when the upload has ended in any way. */
	ended: Promise<void>;
}

const uploads = new WeakMap<HTMLFormElement, Upload[]>();

/** Makes the forms of the page take files by choice, paste and drop. */
export function startFiles(): void {
	document.addEventListener("change", (event) => {
		const input = event.target;
		if (input instanceof HTMLInputElement && input.form && input.files && input === fieldOf(input.form)) {
			add(input.form, [...input.files]);
			input.value = "";
		}
	});
	document.addEventListener("paste", (event) => {
		const form = event.target instanceof Element ? event.target.closest("form") : null;
		// Some programs add a picture of the text that is copied.
		if (!event.clipboardData?.types.includes("text/plain")) {
			take(event, form, event.clipboardData);
		}
	});
	for (const kind of ["dragover", "drop"] as const) {
		document.addEventListener(kind, (event) => {
			const form = event.target instanceof Element ? event.target.closest("form") : null;
			const other = document.getElementById("post-form");
			const to = form && fieldOf(form) ? form : other;
			if (event.dataTransfer?.types.includes("Files") && to instanceof HTMLFormElement) {
				event.preventDefault(); // the browser would leave the page for the file
				take(event, to, event.dataTransfer);
			}
		});
	}
	// Before the listener that sends the form.
	document.addEventListener("submit", (event) => void submitted(event), { capture: true });
}

/** Waits for the form's uploads before sending it. A form with a refused file is not sent. */
async function submitted(event: SubmitEvent): Promise<void> {
	const form = event.target as HTMLFormElement;
	const uploaded = (): boolean => filesOf(form).every(({ row }) => row.dataset["id"]);
	if (uploaded() || event.submitter?.hasAttribute("formaction")) {
		return;
	}
	event.preventDefault();
	event.stopImmediatePropagation();
	if (form.hasAttribute("data-uploading")) {
		return;
	}
	form.setAttribute("data-uploading", "");
	await Promise.all(filesOf(form).map(({ ended }) => ended));
	form.removeAttribute("data-uploading");
	if (uploaded()) {
		form.requestSubmit(event.submitter);
	} else {
		form.querySelector<HTMLElement>(".file-rows .problem ~ button")?.focus();
	}
}

/** Returns the files of a form. */
export function filesOf(form: HTMLFormElement): Upload[] {
	return uploads.get(form) ?? [];
}

/** Returns the field of a form with which files of a post or comment are chosen; null if the form has none. */
function fieldOf(form: HTMLFormElement): HTMLInputElement | null {
	return form.querySelector<HTMLInputElement>('input[type=file][name$="[files][]"]');
}

function take(event: Event, form: HTMLFormElement | null, from: DataTransfer | null): void {
	const files = [...(from?.files ?? [])];
	if (form && fieldOf(form) && files.length > 0) {
		event.preventDefault();
		add(form, files);
	}
}

function add(form: HTMLFormElement, files: File[]): void {
	const field = fieldOf(form);
	if (!field) {
		return;
	}
	let list = form.querySelector<HTMLElement>(".file-rows");
	if (!list) {
		list = make("ul", "file-rows");
		list.setAttribute(own, "");
		field.closest("label")?.after(list);
	}
	const part = field.name.replace("[files][]", "");
	for (const file of files) {
		const upload = begin(form, file, part);
		list.append(upload.row);
		uploads.set(form, [...filesOf(form), upload]);
	}
}

/** Begins to upload a file, and returns the upload with its row. */
function begin(form: HTMLFormElement, file: File, part: string): Upload {
	const row = make("li", "");
	const name = make("bdi", "");
	name.textContent = file.name;
	const progress = document.createElement("progress");
	progress.setAttribute("aria-label", file.name);
	progress.value = 0;
	const up = button("↑", words.fileUp(file.name));
	up.setAttribute("data-up", "");
	const remove = button("×", words.fileRemove(file.name));
	row.append(name, progress, up, remove);

	const request = new XMLHttpRequest();
	const ended = new Promise<void>((resolve) => {
		const fail = (sentence: string): void => {
			refuse(row, sentence);
			resolve();
		};
		request.upload.addEventListener("progress", (event) => {
			if (event.lengthComputable) {
				progress.value = event.loaded / event.total;
			}
		});
		request.addEventListener("load", () => {
			const id = idIn(request);
			if (id === undefined) {
				fail(readError(request.responseText));
				return;
			}
			row.dataset["id"] = id;
			progress.replaceWith(...fields(part, id));
			resolve();
			void watch(row);
		});
		request.addEventListener("error", () => fail(words.offline));
		request.addEventListener("abort", () => resolve()); // the file was taken out of the form
	});
	const upload = { row, request, ended };
	remove.addEventListener("click", () => {
		if (row.dataset["id"]) {
			void fetch(`/api/v1/attachments/${row.dataset["id"]}.json`, { method: "DELETE" }).catch(() => undefined);
		}
		forget(form, upload);
		fieldOf(form)?.focus();
	});
	up.addEventListener("click", () => {
		row.previousElementSibling?.before(row);
		up.focus();
	});

	const body = new FormData();
	body.append("attachment[attachment][]", file);
	request.open("POST", uploadAddress);
	request.setRequestHeader("Accept", "application/json");
	request.setRequestHeader("X-Amstel-Language", language);
	request.send(body);
	return upload;
}

/** Says in the row of a file why it is not sent with the form. */
function refuse(row: HTMLElement, sentence: string): void {
	row.querySelectorAll("progress, input, button[data-up]").forEach((element) => element.remove());
	const problem = make("p", "problem");
	problem.setAttribute("role", "alert");
	problem.textContent = sentence;
	row.querySelector("bdi")?.after(problem);
}

/**
 * How long a form waits before it asks about an uploaded file, in milliseconds; twice as long each
 * time.
 */
const [firstLook, longestLook] = [500, 30_000];

/** Asks for the state of an uploaded file, until it is ready, refused, or no longer in the form. */
async function watch(row: HTMLElement): Promise<void> {
	const is = (file: { id: number }): boolean => file.id === Number(row.dataset["id"]);
	for (let wait = firstLook; ; wait = Math.min(2 * wait, longestLook)) {
		await new Promise((resolve) => setTimeout(resolve, wait));
		if (!row.isConnected) {
			return;
		}
		const all = await uploaded();
		const refused = all?.attachments_refused.find(is);
		if (refused) {
			delete row.dataset["id"];
			refuse(row, refused.reason);
		}
		if (all && !all.attachments_queued.some(is)) {
			return;
		}
	}
}

/** The files of the viewer that are in no post or comment, as GET /api/v1/attachments answers. */
interface Uploaded {
	attachments_queued: { id: number }[];
	attachments_refused: { id: number; reason: string }[];
}

async function uploaded(): Promise<Uploaded | undefined> {
	try {
		const response = await fetch(uploadAddress, {
			headers: { Accept: "application/json", "X-Amstel-Language": language },
		});
		return response.ok ? ((await response.json()) as Uploaded) : undefined;
	} catch {
		return undefined;
	}
}

/** Returns the id of the attachment that an upload became; undefined if the file was refused. */
function idIn(request: XMLHttpRequest): string | undefined {
	if (request.status !== 200) {
		return undefined;
	}
	// An id may have more digits than a number of JavaScript.
	return /"id":(\d+)/.exec(request.responseText)?.[1];
}

/** Returns the fields of an uploaded file: its id, and its description. */
function fields(part: string, id: string): HTMLElement[] {
	const ids = document.createElement("input");
	ids.type = "hidden";
	ids.name = `${part}[attachment_ids][]`;
	ids.value = id;
	const alt = document.createElement("input");
	alt.name = `${part}[attachment_alts][${id}]`;
	alt.maxLength = 1000;
	alt.placeholder = words.fileAlt;
	alt.setAttribute("aria-label", words.fileAlt);
	return [ids, alt];
}

/** Takes a file out of a form. */
export function forget(form: HTMLFormElement, upload: Upload): void {
	uploads.set(
		form,
		filesOf(form).filter((other) => other !== upload),
	);
	upload.request.abort();
	upload.row.remove();
}

function make(tag: string, name: string): HTMLElement {
	const element = document.createElement(tag);
	if (name !== "") {
		element.className = name;
	}
	return element;
}

function button(text: string, label: string): HTMLButtonElement {
	const made = document.createElement("button");
	made.type = "button";
	made.className = "link";
	made.textContent = text;
	made.setAttribute("aria-label", label);
	made.title = label;
	return made;
}
