// The script of the two pages with passkeys: it signs in with a passkey, and makes a new one in the settings. All sentences are in
// the pages, so that one file serves all languages. The pages' own forms take what the browser answers.

/** The page's form: to sign in with a passkey, or to add one. Its data-passkey is the address of the options for the browser. */
const form = document.querySelector<HTMLFormElement>("form[data-passkey]");

/** Whether the form is that of signing in. */
const signsIn = Boolean(form?.elements.namedItem("remember_me"));

/** How often the options for the list below the login field are renewed, in milliseconds: before they end after five minutes. */
const renewed = 240_000;

/** The request of the list below the login field, which another request must end first. */
let listing = new AbortController();

/** A failure that the server explains in the viewer's language. */
class Refusal extends Error {}

/** Returns the options for the browser. Those for a new passkey need the name and the password of the form. */
async function options(form: HTMLFormElement): Promise<object> {
	const init: RequestInit = {
		headers: { Accept: "application/json", "X-Amstel-Language": document.documentElement.lang },
	};
	if (!signsIn) {
		init.method = "POST";
		init.body = new URLSearchParams(
			[...new FormData(form)].filter(([name]) => /^(name|password)$/.test(name)) as string[][],
		);
	}
	const response = await fetch(form.dataset["passkey"]!, init);
	const answer = (await response.json()) as { error?: string; options?: object };
	if (!response.ok || !answer.options) {
		throw new Refusal(answer.error);
	}
	return answer.options;
}

/** Asks the browser for a passkey, and sends the form with it. */
async function ask(form: HTMLFormElement, mediation?: "conditional"): Promise<void> {
	listing.abort();
	const { signal } = (listing = new AbortController());
	const asked = (await options(form)) as never;
	const passkey = signsIn
		? await navigator.credentials.get({
				publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked),
				signal,
				...(mediation && { mediation }),
			})
		: await navigator.credentials.create({
				publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked),
				signal,
			});
	const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
	field("passkey").value = JSON.stringify(passkey);
	if (signsIn) {
		const remember = document.querySelector<HTMLInputElement>("input[name='user[remember_me]']");
		field("remember_me").value = remember?.checked ? "1" : "";
	}
	form.submit();
}

/** Offers the viewer's passkeys below the login field, where the browser offers passwords. */
async function list(form: HTMLFormElement): Promise<void> {
	if (await PublicKeyCredential.isConditionalMediationAvailable?.()) {
		const again = setInterval(() => void ask(form, "conditional").catch(() => undefined), renewed);
		form.addEventListener("submit", () => clearInterval(again));
		await ask(form, "conditional");
	}
}

if (form && typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential) {
	const problem = form.querySelector<HTMLElement>("[data-otherwise]")!;
	form.hidden = false;
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		problem.hidden = true;
		ask(form).catch((error: unknown) => {
			problem.textContent = (error instanceof Refusal && error.message) || problem.dataset["otherwise"]!;
			problem.hidden = false;
			startList();
		});
	});
	const startList = (): void => {
		if (signsIn) {
			list(form).catch(() => undefined); // the button stays
		}
	};
	startList();
}
