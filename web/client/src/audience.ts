// Shows in a form how many people will see the post, feed or group, while the viewer
// chooses timelines or a status. Without the script a button asks for the same sentence.

import { language, words as own, type Words } from "./words.js";

/** The audience of a post, feed or group, as GET /api/v1/audience answers. */
export interface Audience {
	everybody?: boolean;
	people?: number;
	gain?: number;
	lose?: number;
	opens?: boolean;
	closes?: boolean;
}

/** The subject of a form, from its data-audience. */
export type Subject = "post" | "move" | "feed" | "group";

/** Returns the sentence for an audience; web/page/audience.go returns the same one. */
export function sentence(about: Subject, audience: Audience, words: Words = own): string {
	const whole = audienceSentence(about, audience, words);
	return about === "post" ? whole : [whole, ...changeSentences(audience, words)].join(" ");
}

function audienceSentence(about: Subject, { everybody, people = 0 }: Audience, words: Words): string {
	const [everyone, alone, some] =
		about === "feed"
			? ([words.audienceEveryoneFeed, words.audienceAloneFeed, words.audiencePeopleFeed] as const)
			: about === "group"
				? ([words.audienceEveryoneGroup, words.audienceAloneGroup, words.audiencePeopleGroup] as const)
				: ([words.audienceEveryonePost, words.audienceAlonePost, words.audiencePeoplePost] as const);
	return everybody ? everyone : people === 0 ? alone : some(people);
}

function changeSentences({ gain = 0, lose = 0, opens = false, closes = false }: Audience, words: Words): string[] {
	const all: string[] = [];
	if (gain > 0) {
		all.push(opens ? words.audienceGainOpen(gain) : words.audienceGain(gain));
	} else if (opens) {
		all.push(words.audienceOpen);
	}
	if (lose > 0) {
		all.push(closes ? words.audienceLoseClose(lose) : words.audienceLose(lose));
	} else if (closes) {
		all.push(words.audienceClose);
	}
	return all.length > 0 ? all : [words.audienceSame];
}

/** Milliseconds between a choice and the question: long enough for a second click, short enough to seem immediate. */
const askDelay = 250;

/** Makes the forms of the page show their audience. */
export function startAudience(): void {
	for (const form of document.querySelectorAll<HTMLFormElement>("form[data-audience]")) {
		watchForm(form);
	}
	for (const line of document.querySelectorAll<HTMLElement>(".readers[data-for]")) {
		watchNames(line, line.closest("form")!);
	}
}

/** Keeps the sentence about the readers of a direct up to date with the names that are typed. */
function watchNames(line: HTMLElement, form: HTMLFormElement): void {
	const say = (): void => {
		const names = form.querySelector<HTMLInputElement>("[name='post[to]']")!.value.split(/[\s,;]+/);
		line.textContent = own.audienceForSome([...names, line.dataset["for"]].filter(Boolean).join(", "));
	};
	addEventListener("pageshow", say); // the browser may have kept other names
	form.addEventListener("input", say);
	form.addEventListener("reset", () => setTimeout(say)); // once the form is reset
}

function watchForm(form: HTMLFormElement): void {
	let timer: number | undefined;
	let asked = 0;
	const ask = async (): Promise<void> => {
		const mine = ++asked;
		const says = await askServer(form);
		if (mine === asked) {
			showSentence(form, says);
		}
	};
	const places = form.querySelector(".post-to > summary");
	const sayReaders = (): void => {
		const chosen = [...form.querySelectorAll<HTMLInputElement>("input[name='post[timelines][]']:checked")];
		const line = form.querySelector(".readers");
		if (places && line) {
			line.textContent = readers(chosen.map((box) => box.dataset));
			const labels = chosen.map((box) => box.closest("label")!.textContent.trim());
			places.textContent = labels.length > 0 ? own.audienceGoesTo(labels.join(", ")) : own.chooseWhere.slice(0, -1);
		}
	};
	addEventListener("pageshow", sayReaders); // the browser may have kept other choices
	form.addEventListener("reset", () => setTimeout(sayReaders)); // once the form is reset
	form.addEventListener("change", (event) => {
		if (!(event.target instanceof HTMLInputElement) || !decidesAudience(event.target)) {
			return;
		}
		uncheckOthers(form, event.target);
		sayReaders();
		clearTimeout(timer);
		timer = setTimeout(() => void ask(), askDelay);
	});
	form.addEventListener("click", (event) => {
		if (event.target instanceof Element && event.target.closest(".seen-by-ask")) {
			event.preventDefault();
			void ask();
		}
	});
	form.addEventListener("reset", () => showSentence(form, ""));
}

/** Returns in words who can read a post in these places; page.PostForm of the server has the same function. */
function readers(places: DOMStringMap[]): string {
	const open = places.map((place) => place["open"]);
	if (open.includes("all")) {
		return own.audienceForAll;
	}
	if (open.includes("signed in")) {
		return own.audienceForSignedIn;
	}
	return places.length === 0 ? own.chooseWhere : own.audienceForSome(places.map((place) => place["for"]).join(", "));
}

/** Reports whether a field decides the audience. */
function decidesAudience(field: HTMLInputElement): boolean {
	return field.name === "post[timelines][]" || field.name.endsWith("[status]");
}

/** Unchecks the timelines that can't be combined with the chosen one. */
function uncheckOthers(form: HTMLFormElement, chosen: HTMLInputElement): void {
	if (!chosen.checked || chosen.type !== "checkbox") {
		return;
	}
	for (const other of form.querySelectorAll<HTMLInputElement>("input[type=checkbox][name='post[timelines][]']")) {
		if (other !== chosen && other.hasAttribute("data-alone") !== chosen.hasAttribute("data-alone")) {
			other.checked = false;
		}
	}
}

/** Returns the query for the choices of a form; undefined if no timeline is chosen. */
export function query(about: Subject, fields: FormData, dataset: DOMStringMap): URLSearchParams | undefined {
	const asks = new URLSearchParams();
	if (about === "post" || about === "move") {
		const places = fields.getAll("post[timelines][]").filter((place) => place !== "");
		if (places.length === 0) {
			return undefined;
		}
		asks.set("timelines", places.join(","));
		if (dataset["audiencePost"]) {
			asks.set("post", dataset["audiencePost"]);
		}
		return asks;
	}
	asks.set("status", String(fields.get("user[status]") ?? fields.get("group[status]") ?? ""));
	if (dataset["audienceGroup"]) {
		asks.set("group", dataset["audienceGroup"]);
	}
	return asks;
}

async function askServer(form: HTMLFormElement): Promise<string> {
	const about = form.dataset["audience"] as Subject;
	const asks = query(about, new FormData(form), form.dataset);
	if (!asks) {
		return own.chooseWhere;
	}
	try {
		const response = await fetch(`/api/v1/audience?${asks}`, {
			headers: { Accept: "application/json", "X-Amstel-Language": language },
		});
		const body: unknown = await response.json();
		return response.ok ? sentence(about, body as Audience) : ((body as { error?: string }).error ?? "");
	} catch {
		return own.unsaid;
	}
}

function showSentence(form: HTMLFormElement, says: string): void {
	const line = form.querySelector(".seen-by-says");
	if (line) {
		line.textContent = says;
		line.parentElement?.classList.toggle("has-said", says !== "");
	}
}
