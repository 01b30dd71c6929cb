// What somebody is in the middle of writing, which nothing may take away.

/** Whether somebody writes in the form: it has focus in a field, or text that was not sent. */
export function beingWritten(form: Element | null): boolean {
	if (!form) {
		return false;
	}
	const field = form.querySelector("textarea");
	return field !== null && (field === document.activeElement || field.value.trim() !== "");
}

/** Carries focus and selection over a change of the page that may lose them. */
export function keepingFocus(change: () => void): void {
	const held = document.activeElement;
	const text = held instanceof HTMLTextAreaElement || held instanceof HTMLInputElement ? held : undefined;
	const from = text?.selectionStart ?? null;
	const to = text?.selectionEnd ?? null;
	change();
	if (
		!(held instanceof HTMLElement) ||
		held === document.activeElement ||
		!held.isConnected ||
		held === document.body
	) {
		return;
	}
	held.focus({ preventScroll: true });
	if (text && from !== null && to !== null) {
		text.setSelectionRange(from, to);
	}
}
