// Whole numbers in words, as the pages have them; web/catalogue/catalogue.go says the same.

/** The texts of a sentence by its plural forms; the last form is of all that no other is of. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>>;

/** The text that fits the number. */
export function plural(language: string, n: number, forms: Forms): string {
	const form = new Intl.PluralRules(language).select(n);
	return forms[form] ?? Object.values(forms).at(-1) ?? "";
}
