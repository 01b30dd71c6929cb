package page

import (
	"slices"

	"amstel.dev/amstel/timeline/text"
)

// withChosen are languages to choose from, the one that is chosen among them.
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

// languageName is what a language is called by those who write it; empty for
// none.
func languageName(code string) string {
	l, _ := text.FindLanguage(code)
	return l.Own
}
