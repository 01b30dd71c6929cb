package web

import (
	"encoding/json"

	"amstel.dev/amstel/internal/wirejson"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/mokum"
)

// Renderer makes of entries what sockets are sent; package realtime says what
// that is. It is the same as what pages have.
type Renderer struct{}

// Languages returns the codes of the languages in which it renders HTML.
func Languages() []string {
	var codes []string
	for _, l := range catalogue.All {
		codes = append(codes, l.Code())
	}
	return codes
}

// EntryJSON is an entry in the shape of a page's entries.
func (Renderer) EntryJSON(viewer *timeline.Sets, e *river.Entry, users map[timeline.UserID]*timeline.UserCard, groups map[timeline.GroupID]*timeline.GroupCard) json.RawMessage {
	return wirejson.MustEncode(mokum.EntryOf(viewer, e, mokum.Cards{Users: users, Groups: groups}))
}

// EntryHTML is an entry as it stands in a page of that language.
func (Renderer) EntryHTML(language string, viewer *timeline.Sets, e *river.Entry, users map[timeline.UserID]*timeline.UserCard, groups map[timeline.GroupID]*timeline.GroupCard) string {
	words, _ := catalogue.Find(language) // what is not known is English
	return entryHTML(words, viewer, e, mokum.Cards{Users: users, Groups: groups})
}

// Cards are the objects "users" and "groups" of a page.
func (Renderer) Cards(viewer *timeline.Sets, users map[timeline.UserID]*timeline.UserCard, groups map[timeline.GroupID]*timeline.GroupCard) (usersJSON, groupsJSON json.RawMessage) {
	u, g := mokum.Cards{Users: users, Groups: groups}.Shapes(viewer)
	return wirejson.MustEncode(u), wirejson.MustEncode(g)
}
