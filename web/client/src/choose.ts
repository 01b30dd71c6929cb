// Follows people and groups on lists without leaving the page: the button turns into its opposite,
// and the list stays.

import { post, showProblem } from "./submit.js";

const buttons = "button[data-then]";

export function startChoosing(): void {
	document.addEventListener("submit", (event) => {
		const form = event.target as HTMLFormElement;
		if (form.querySelector(buttons)) {
			event.preventDefault();
			void choose(form);
		}
	});
	// After the first click of a double click the button has turned into its opposite.
	document.addEventListener("click", (event) => {
		if (event.detail > 1 && (event.target as Element).closest("form.act button, #river button[form]")) {
			event.preventDefault();
		}
	});
}

async function choose(form: HTMLFormElement): Promise<void> {
	if (form.hasAttribute("aria-busy")) {
		return;
	}
	form.setAttribute("aria-busy", "true");
	showProblem(form, undefined);
	try {
		await post(form.action, new URLSearchParams(new FormData(form) as unknown as Record<string, string>));
		for (const same of document.querySelectorAll<HTMLButtonElement>(buttons)) {
			if (same.form!.action === form.action) {
				turn(same.form!, same);
			}
		}
		count(form);
	} catch (error) {
		showProblem(form, (error as Error).message);
	} finally {
		form.removeAttribute("aria-busy");
	}
}

/** Gives a form and its button their other state. */
function turn(form: HTMLFormElement, button: HTMLElement): void {
	const method = methodOf(form);
	button.classList.toggle("quiet", !method.value);
	method.value = method.value ? "" : "DELETE";
	[button.textContent, button.dataset["then"]] = [button.dataset["then"]!, button.textContent];
}

/** Counts the feed of a form in the first of a newcomer's steps. */
function count(form: HTMLFormElement): void {
	const follows = document.querySelector<HTMLElement>("[data-follows]");
	if (follows) {
		const n = Number(follows.dataset["follows"]) + (methodOf(form).value ? 1 : -1);
		follows.dataset["follows"] = String(n);
		follows.textContent = String(Math.min(n, 3));
		follows.closest("li")!.classList.toggle("is-done", n > 2);
	}
}

function methodOf(form: HTMLFormElement): HTMLInputElement {
	return form.querySelector("[name=_method]")!;
}
