// Sentences with a number, in the plural form of the language; as in web/catalogue/catalogue.go.

/** The texts of a sentence by plural form. The last form stands in for missing ones. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>>;

/** Returns the text for a number. */
export function plural(language: string, n: number, forms: Forms): string {
	const form = new Intl.PluralRules(language).select(n);
	return forms[form] ?? Object.values(forms).at(-1) ?? "";
}
