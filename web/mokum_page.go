package web

import (
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// pageJSON is a page in Mokum's shape (API §2.1).
type pageJSON struct {
	Entries             []entryJSON `json:"entries"`
	River               riverJSON   `json:"river"`
	Users               usersJSON   `json:"users"`
	Groups              groupsJSON  `json:"groups"`
	OlderEntriesURL     string      `json:"older_entries_url,omitempty"`
	PreciseOlderEntries string      `json:"precise_older_entries_url,omitempty"`
	NewerEntriesURL     string      `json:"newer_entries_url,omitempty"`
}

// riverJSON names the river (API §2.2), and says which state of it this is.
type riverJSON struct {
	UUID            string `json:"uuid"`
	IsSinglePost    bool   `json:"is_single_post"`
	Signature       string `json:"signature"`
	Descriptor      string `json:"descriptor"`
	What            string `json:"what"`
	CurrentUserName string `json:"current_user_name,omitempty"`
	Timestamp       string `json:"timestamp"`
	Epoch           string `json:"epoch,omitempty"`
	Counter         int64  `json:"counter"`
	Position        int64  `json:"position"`
	Live            bool   `json:"live,omitempty"`
	Behind          bool   `json:"behind,omitempty"`

	LeftOff *leftOffJSON `json:"left_off,omitempty"` // where who asks was when he came last
}

// pageOf puts a page into Mokum's shape.
func (s *Server) pageOf(who visitor, v *visited) pageJSON {
	view := v.view
	c := cards{view.Users, view.Groups}
	shown := pageJSON{Entries: make([]entryJSON, 0, len(view.Entries)), River: s.riverOf(who, v)}
	for i := range view.Entries {
		shown.Entries = append(shown.Entries, entryOf(view.Sets, &view.Entries[i], c))
	}
	shown.Users, shown.Groups = c.shapes(view.Sets)
	shown.Users.add(view.Sets, who.card())
	if v.place.owner.Name != "" {
		shown.mark(view, v.place.owner)
	}
	if view.Older != nil && v.place.key.What != river.KindPost {
		byNumber, exact := v.older()
		shown.OlderEntriesURL = v.place.jsonAddress(byNumber)
		shown.PreciseOlderEntries = v.place.jsonAddress(exact)
	}
	if newer, there := v.asked.newer(); there && v.place.key.What != river.KindPost {
		shown.NewerEntriesURL = v.place.jsonAddress(newer)
	}
	return shown
}

func (s *Server) riverOf(who visitor, v *visited) riverJSON {
	view := v.view
	uuid, descriptor := s.rivers.Name(view.Key, who.Hash), v.place.descriptor()
	name := who.Name
	if card := view.Users[who.User]; who.signedIn() && card != nil {
		name = card.Name // which may be newer
	}
	return riverJSON{
		UUID:            uuid,
		IsSinglePost:    v.place.key.What == river.KindPost,
		Signature:       uuid + "/" + descriptor,
		Descriptor:      descriptor,
		What:            string(v.place.what()),
		CurrentUserName: name,
		Timestamp:       stamp(s.now().Truncate(time.Second)),
		Epoch:           view.Epoch,
		Counter:         view.Counter,
		Position:        view.Position,
		Live:            view.Live,
		Behind:          s.behind(),
		LeftOff:         v.caught.json(),
	}
}

// mark says how the viewer stands to the one whose page it is.
func (p *pageJSON) mark(view *river.View, whose owner) {
	if card := view.Users[whose.User]; whose.User != 0 && card != nil {
		p.Users[idText(whose.User)] = userWhole(view.Sets, card, whose)
	}
	if card := view.Groups[whose.Group]; whose.Group != 0 && card != nil {
		p.Groups[idText(whose.Group)] = groupOf(view.Sets, card, whose.feed)
	}
}

// card is what is known of who asks without a look anywhere; nil: nobody.
func (v *visitor) card() *timeline.UserCard {
	if !v.signedIn() {
		return nil
	}
	return &timeline.UserCard{ID: v.User, Name: v.Name, DisplayName: v.DisplayName, Status: "public"}
}
