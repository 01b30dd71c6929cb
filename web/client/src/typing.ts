// Protects text that the viewer is writing.

/** Reports whether the viewer is writing in the form: its field has the focus, or the form has text or files that were not sent. */
export function beingWritten(form: Element | null): boolean {
	if (!form) {
		return false;
	}
	const field = form.querySelector("textarea");
	return field !== null && (field === document.activeElement || filled(form));
}

/** Reports whether the form has text or files that were not sent. */
export function filled(form: Element): boolean {
	return (form.querySelector("textarea")?.value.trim() ?? "") !== "" || form.querySelector(".file-rows li") !== null;
}

/** Makes a change of the page, and restores focus and selection after it. */
export function keepingFocus(change: () => void): void {
	const focused = document.activeElement;
	const text = focused instanceof HTMLTextAreaElement || focused instanceof HTMLInputElement ? focused : undefined;
	const from = text?.selectionStart ?? null;
	const to = text?.selectionEnd ?? null;
	change();
	if (
		!(focused instanceof HTMLElement) ||
		focused === document.activeElement ||
		!focused.isConnected ||
		focused === document.body
	) {
		return;
	}
	focused.focus({ preventScroll: true });
	if (text && from !== null && to !== null) {
		text.setSelectionRange(from, to);
	}
}
