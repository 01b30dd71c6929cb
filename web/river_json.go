package web

import (
	"strings"
	"time"

	"amstel.dev/amstel/internal/wirejson"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// cardsOf returns the cards of a view.
func (s *Server) cardsOf(view *river.View) mokum.Cards {
	return mokum.Cards{Users: view.Users, Groups: view.Groups, Host: s.host}
}

// pageOf returns a page in Mokum's shape.
func (s *Server) pageOf(q *request, v *riverPage) mokum.Page {
	shown := s.pageAround(q, v)
	for i := range v.view.Entries {
		shown.Entries = append(shown.Entries, mokum.EntryOf(v.view.Sets, &v.view.Entries[i], s.cardsOf(v.view)))
	}
	return shown
}

// pageAround returns a page in Mokum's shape without its entries.
func (s *Server) pageAround(q *request, v *riverPage) mokum.Page {
	view := v.view
	c := s.cardsOf(view)
	shown := mokum.Page{Entries: []mokum.Entry{}, River: s.riverOf(q.who, v)}
	shown.Users, shown.Groups = c.Shapes(view.Sets)
	shown.Users.Add(view.Sets, q.who.card())
	if v.address.Owner.Name != "" {
		addOwner(&shown, view, v.address.Owner)
	}
	shown.Users.MarkSubscribers(s.subscribersOf(q, shown.Users.IDs()))
	if view.Older != nil && v.address.Key.What != river.KindPost {
		byNumber, exact := v.older()
		shown.OlderEntriesURL = v.address.JSONLink(byNumber)
		shown.PreciseOlderEntries = v.address.JSONLink(exact)
	}
	if newer, there := v.part.Newer(); there && v.address.Key.What != river.KindPost {
		shown.NewerEntriesURL = v.address.JSONLink(newer)
	}
	return shown
}

// storeOf returns the content of the page as JSON in a script element, in the shape that browser extensions
// find in Mokum's pages, with marks in place of the entries.
func (s *Server) storeOf(view *river.View, m *marks) string {
	type manager struct {
		Users  mokum.Users  `json:"users"`
		Groups mokum.Groups `json:"groups"`
	}
	var entries []string
	for i := range view.Entries {
		entries = append(entries, m.add(s.storeFragment(view, &view.Entries[i])))
	}
	var shown manager
	shown.Users, shown.Groups = s.cardsOf(view).Shapes(view.Sets)
	around := page.EscapeScript(string(wirejson.MustEncode(shown)))
	return `{"river_manager":{"entries":[` + strings.Join(entries, ",") + "]," + around[len("{"):] + "}"
}

func (s *Server) riverOf(who visitor, v *riverPage) mokum.River {
	view := v.view
	uuid, descriptor := s.rivers.Name(view.Key, who.Hash), v.address.Descriptor()
	name := who.Name
	if card := view.Users[who.User]; who.signedIn() && card != nil {
		name = card.Name // may be newer than the identity
	}
	return mokum.River{
		UUID:            uuid,
		IsSinglePost:    v.address.Key.What == river.KindPost,
		Signature:       uuid + "/" + descriptor,
		Descriptor:      descriptor,
		What:            string(v.address.ShownKind()),
		CurrentUserName: name,
		Timestamp:       mokum.Stamp(s.now().Truncate(time.Second)),
		Epoch:           view.Epoch,
		Counter:         view.Counter,
		Position:        view.Position,
		Live:            view.Live,
		Behind:          s.behind(),
		LeftOff:         v.caught.json(),
	}
}

// addOwner adds to the card of the page's owner how the viewer follows the owner's private
// sub-feed. Other people's cards do not have that.
func addOwner(p *mokum.Page, view *river.View, whose address.Owner) {
	if card := view.Users[whose.User]; whose.User != 0 && card != nil {
		p.Users[mokum.IDText(whose.User)] = mokum.UserWhole(view.Sets, card, whose.Private)
	}
}

// card returns a card of the visitor with the facts that are known without a query; nil if the
// visitor is not signed in.
func (v *visitor) card() *timeline.UserCard {
	if !v.signedIn() {
		return nil
	}
	return &timeline.UserCard{ID: v.User, Name: v.Name, DisplayName: v.DisplayName, Status: "public"}
}
