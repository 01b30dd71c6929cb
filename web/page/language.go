package page

import (
	"slices"

	"amstel.dev/amstel/timeline"
)

// withChosen are languages to choose from, the one that is chosen among them.
func withChosen(all []timeline.Language, chosen string) []timeline.Language {
	if slices.ContainsFunc(all, func(l timeline.Language) bool { return l.Code == chosen }) {
		return all
	}
	l, known := timeline.FindLanguage(chosen)
	if !known {
		return all
	}
	return append(slices.Clone(all), l)
}

// languageName is what a language is called by those who write it; empty for
// none.
func languageName(code string) string {
	l, _ := timeline.FindLanguage(code)
	return l.Own
}
