package world

import (
	"fmt"
	"strings"
)

// Words are those that texts have, so that searches find some. None is a form of
// another, nor of a tag.
var Words = []string{"bridge", "ferry", "tulip", "harbour", "windmill", "мост", "паром", "тюльпан", "гавань", "ветер"}

// Tags are those that posts have, as they are kept.
var Tags = []string{"amstel", "вода", "day-trip", "old_town", "2024"}

// Languages are those that people write in, or say they do.
var Languages = []string{"en", "ru", "nl", "de"}

// Text is a new one, with a secret of its own.
func (w *World) Text(what string) string {
	w.secrets++
	return fmt.Sprintf("%s secret%05dx", what, w.secrets)
}

// richText is a new text with a few words, tags and names after its secret.
func (w *World) richText(what string, who *Person) string {
	parts := []string{w.Text(what)}
	for range w.rng.IntN(4) {
		parts = append(parts, pick(w, Words))
	}
	for w.likely(35) {
		parts = append(parts, w.tag())
	}
	for w.likely(40) {
		parts = append(parts, w.mention(who))
	}
	return strings.Join(parts, " ")
}

// tag is one as people write it, or what only looks like one.
func (w *World) tag() string {
	tag := pick(w, Tags)
	switch w.rng.IntN(8) {
	case 0:
		return "#" + strings.ToUpper(tag)
	case 1:
		return "(#" + tag + ")"
	case 2:
		return "#" + tag + "!"
	case 3:
		return "no#" + tag
	case 4:
		return "https://example.org/x#" + tag
	default:
		return "#" + tag
	}
}

// mention returns a mention: of a person that is here or gone, by a present or an old name
// in any case, of no person, or of the author.
func (w *World) mention(who *Person) string {
	p := w.other(who)
	switch n := w.rng.IntN(20); {
	case n < 2:
		p = who
	case n < 3 && len(w.Gone) > 0:
		p = pick(w, w.Gone)
	case n < 4:
		return "@nobody-here"
	}
	name := p.Name
	if len(p.oldNames) > 0 && w.likely(30) {
		name = pick(w, p.oldNames)
	}
	switch w.rng.IntN(8) {
	case 0:
		return "@" + strings.ToUpper(name)
	case 1:
		return "(@" + name + ")"
	case 2:
		return "@" + name + ","
	case 3:
		return "mail@" + name
	default:
		return "@" + name
	}
}
