package web

import (
	"encoding/json"

	"amstel.dev/amstel/internal/wirejson"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/mokum"
)

// A Renderer renders entries for sockets, in the same form as in pages. It implements the
// renderer of package realtime.
type Renderer struct{ host string }

// Renderer returns the renderer of the site.
func (s *Server) Renderer() Renderer { return Renderer{s.host} }

// Languages returns the codes of the languages in which a Renderer renders HTML.
func Languages() []string {
	var codes []string
	for _, l := range catalogue.All {
		codes = append(codes, l.Code())
	}
	return codes
}

// EntryJSON returns an entry in the shape of a JSON page's entries.
func (r Renderer) EntryJSON(viewer *timeline.Sets, e *river.Entry, users map[timeline.UserID]*timeline.UserCard, groups map[timeline.GroupID]*timeline.GroupCard) json.RawMessage {
	return wirejson.MustEncode(mokum.EntryOf(viewer, e, mokum.Cards{Users: users, Groups: groups, Host: r.host}))
}

// EntryHTML returns an entry as a page in the language has it. An unknown language is
// English.
func (r Renderer) EntryHTML(language string, viewer *timeline.Sets, e *river.Entry, users map[timeline.UserID]*timeline.UserCard, groups map[timeline.GroupID]*timeline.GroupCard) string {
	words, _ := catalogue.Find(language)
	return entryHTML(words, viewer, e, mokum.Cards{Users: users, Groups: groups, Host: r.host})
}

// Cards returns the objects "users" and "groups" of a JSON page.
func (Renderer) Cards(viewer *timeline.Sets, users map[timeline.UserID]*timeline.UserCard, groups map[timeline.GroupID]*timeline.GroupCard) (usersJSON, groupsJSON json.RawMessage) {
	u, g := mokum.Cards{Users: users, Groups: groups}.Shapes(viewer)
	return wirejson.MustEncode(u), wirejson.MustEncode(g)
}
