package world

import (
	"fmt"
	"strings"
)

// Words are the words in texts, for searches to find. Stemming makes none of them equal to
// another or to a tag.
var Words = []string{"bridge", "ferry", "tulip", "harbour", "windmill", "мост", "паром", "тюльпан", "гавань", "ветер"}

// Tags are the hashtags in texts, in the form in which the primary stores them.
var Tags = []string{"amstel", "вода", "day-trip", "old_town", "2024"}

// Languages are the languages that people set for their posts.
var Languages = []string{"en", "ru", "nl", "de"}

// Text returns a new text that begins with what and contains a secret of its own.
func (w *World) Text(what string) string {
	w.secrets++
	return fmt.Sprintf("%s secret%05dx", what, w.secrets)
}

// richText returns a new text with random words, tags, mentions and links after its secret.
func (w *World) richText(what string, who *Person) string {
	parts := []string{w.Text(what)}
	for range w.rng.IntN(4) {
		parts = append(parts, pick(w, Words))
	}
	for w.likely(35) {
		parts = append(parts, w.tag())
	}
	if w.likely(25) {
		parts = append(parts, fmt.Sprintf("https://pages%d.example/%d", w.rng.IntN(3), w.rng.IntN(100)))
	}
	for w.likely(40) {
		parts = append(parts, w.mention(who))
	}
	return strings.Join(parts, " ")
}

// tag returns a hashtag in one of the usual forms, or a text that only looks like a hashtag.
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

// mention returns a mention of a person, of a deleted account, of the author, or of a name
// without an account. The name may be an old one, in any case, and the text may only look like a
// mention.
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
