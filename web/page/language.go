package page

import (
	"slices"

	"amstel.dev/amstel/timeline/text"
)

// withChosen returns languages to choose from, with the chosen one added if it is
// missing.
func withChosen(all []text.Language, chosen string) []text.Language {
	if slices.ContainsFunc(all, func(l text.Language) bool { return l.Code == chosen }) {
		return all
	}
	l, known := text.FindLanguage(chosen)
	if !known {
		return all
	}
	return append(slices.Clone(all), l)
}

// languageName returns a language's own name; empty for none.
func languageName(code string) string {
	l, _ := text.FindLanguage(code)
	return l.Own
}
