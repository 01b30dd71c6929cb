// "Who will see this?", said in the form while places or a status are chosen.
// Without this script a button asks for the same sentence.

/** Who may read something, as GET /api/v1/audience answers. */
export interface Audience {
	everybody?: boolean;
	people?: number;
	gain?: number;
	lose?: number;
	opens?: boolean;
	closes?: boolean;
}

/** What a form is about, as its data-audience says. */
export type Subject = "post" | "move" | "feed" | "group";

/** The sentence for it; web/page/audience.go says the same. */
export function sentence(about: Subject, audience: Audience): string {
	const whole = `${crowdOf(audience)} will see ${about === "feed" ? "your feed" : about === "group" ? "the group" : "this"}.`;
	return about === "post" ? whole : `${whole} ${change(audience)}`;
}

function crowdOf({ everybody, people = 0 }: Audience): string {
	return everybody ? "Everybody" : people === 0 ? "Only you" : count(people);
}

function change({ gain = 0, lose = 0, opens = false, closes = false }: Audience): string {
	const parts: string[] = [];
	if (gain > 0 || opens) {
		parts.push(`${crowd(count(gain), gain, opens)} will see it who can't now`);
	}
	if (lose > 0 || closes) {
		parts.push(`${crowd(parts.length > 0 ? String(lose) : count(lose), lose, closes)} will lose sight of it`);
	}
	const text = parts.join(", ");
	return text === "" ? "Nobody gains or loses sight of it." : `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

/** So many people, with all who are not signed in or without. */
function crowd(people: string, n: number, strangers: boolean): string {
	if (!strangers) {
		return people;
	}
	return n > 0 ? `${people}, and everybody who is not signed in,` : "everybody who is not signed in";
}

const count = (n: number): string => (n === 1 ? "1 person" : `${n} people`);

/** Long enough for a second click, short enough to seem at once. */
const pause = 250;

/** Has the forms of the page say who will see what they are about. */
export function startAudience(): void {
	for (const form of document.querySelectorAll<HTMLFormElement>("form[data-audience]")) {
		follow(form);
	}
}

function follow(form: HTMLFormElement): void {
	let timer: number | undefined;
	let asked = 0;
	const ask = async (): Promise<void> => {
		const mine = ++asked;
		const says = await answer(form);
		if (mine === asked) {
			show(form, says);
		}
	};
	form.addEventListener("change", (event) => {
		if (!(event.target instanceof HTMLInputElement) || !chooses(event.target)) {
			return;
		}
		alone(form, event.target);
		clearTimeout(timer);
		timer = setTimeout(() => void ask(), pause);
	});
	form.addEventListener("click", (event) => {
		if (event.target instanceof Element && event.target.closest(".seen-by-ask")) {
			event.preventDefault();
			void ask();
		}
	});
	form.addEventListener("reset", () => show(form, ""));
}

/** Whether a field decides who will see it. */
function chooses(field: HTMLInputElement): boolean {
	return field.name === "post[timelines][]" || field.name.endsWith("[status]");
}

/** What goes to one place alone goes nowhere else. */
function alone(form: HTMLFormElement, chosen: HTMLInputElement): void {
	if (!chosen.checked || chosen.type !== "checkbox") {
		return;
	}
	for (const other of form.querySelectorAll<HTMLInputElement>("input[type=checkbox][name='post[timelines][]']")) {
		if (other !== chosen && other.hasAttribute("data-alone") !== chosen.hasAttribute("data-alone")) {
			other.checked = false;
		}
	}
}

/** The question as the form stands; undefined where there is nothing to ask. */
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

async function answer(form: HTMLFormElement): Promise<string> {
	const about = form.dataset["audience"] as Subject;
	const asks = query(about, new FormData(form), form.dataset);
	if (!asks) {
		return "Choose where it goes.";
	}
	try {
		const response = await fetch(`/api/v1/audience?${asks}`, { headers: { Accept: "application/json" } });
		const body: unknown = await response.json();
		return response.ok ? sentence(about, body as Audience) : ((body as { error?: string }).error ?? "");
	} catch {
		return "That can't be said without a connection.";
	}
}

function show(form: HTMLFormElement, says: string): void {
	const line = form.querySelector(".seen-by-says");
	if (line) {
		line.textContent = says;
		line.parentElement?.classList.toggle("has-said", says !== "");
	}
}
