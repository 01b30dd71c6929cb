package web

import (
	"strings"

	"amstel.dev/amstel/timeline"
)

// name reads the name of somebody, as people type it.
func (in input) name(field string) (string, error) {
	typed, err := in.text(field)
	if err != nil {
		return "", err
	}
	name := strings.TrimPrefix(strings.TrimSpace(typed), "@")
	if name == "" {
		return "", &timeline.InvalidError{Field: field, Reason: "is empty"}
	}
	return name, nil
}

// typedNames reads names of people as they are typed: with @ or without, commas
// or blanks between.
func typedNames(text string) []string {
	names := strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r' || c == '\n' })
	for i, name := range names {
		names[i] = strings.TrimPrefix(name, "@")
	}
	return names
}
