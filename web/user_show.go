package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
)

// showWhoami serves the visitor's account.
func (s *Server) showWhoami(w http.ResponseWriter, q *request) error {
	whose, err := s.addresses.Names.Lookup(q.Context(), q.who.Name)
	if err != nil {
		return err
	}
	user, err := s.userAs(q, whose)
	if err != nil {
		return err
	}
	s.json(w, q, http.StatusOK, map[string]any{"user": user})
	return nil
}

// showUser serves a person: at the top level and, because some clients look there,
// under "user".
func (s *Server) showUser(w http.ResponseWriter, q *request) error {
	whose, err := s.named(q, false)
	if err != nil {
		return err
	}
	user, err := s.userAs(q, whose)
	if err != nil {
		return err
	}
	s.json(w, q, http.StatusOK, struct {
		mokum.User
		Under mokum.User `json:"user"`
	}{user, user})
	return nil
}

// userAs returns a person as the visitor sees them, with counts. If the person banned the
// visitor, they are not found. A person whose suspension has just ended sees themselves before all others see them.
func (s *Server) userAs(q *request, whose address.Owner) (mokum.User, error) {
	sets, c, err := s.setsAndCards(q.Context(), q.who.User, whose)
	if err != nil {
		return mokum.User{}, err
	}
	card := c.Users[whose.User]
	if mine, banned := sets.Bans[whose.User]; card == nil || card.Gone() && whose.User != q.who.User || banned && !mine {
		return mokum.User{}, timeline.ErrNotFound
	}
	shown := mokum.UserWhole(sets, card, whose.Private)
	if shown.IsYou {
		if shown.DirectsFrom, err = s.store.DirectsFrom(q.Context(), q.who.User); err != nil {
			return mokum.User{}, err
		}
		shown.OwnPosts = new(!sets.OwnLeftOut)
		keeps, err := s.store.KeepsVisits(q.Context(), q.who.User)
		if err != nil {
			return mokum.User{}, err
		}
		shown.VisitTimes = &keeps
		lang, err := s.store.WritesIn(q.Context(), q.who.User)
		if err != nil {
			return mokum.User{}, err
		}
		shown.Lang = &lang
	}
	shown.Counts = s.counts.headCounts(q.Context(), sets, whose).json()
	shown.SubscribedToYou = len(s.subscribersOf(q, []timeline.UserID{whose.User})) > 0
	return shown, nil
}

// showGroup serves a group, at the top level and under "group".
func (s *Server) showGroup(w http.ResponseWriter, q *request) error {
	whose, err := s.named(q, true)
	if err != nil {
		return err
	}
	group, err := s.groupAs(q, whose)
	if err != nil {
		return err
	}
	s.json(w, q, http.StatusOK, group)
	return nil
}

// A groupAnswer is a group at the top level and under "group".
type groupAnswer struct {
	mokum.Group
	Under mokum.Group `json:"group"`
}

func (s *Server) groupAs(q *request, whose address.Owner) (groupAnswer, error) {
	sets, c, err := s.setsAndCards(q.Context(), q.who.User, whose)
	if err != nil {
		return groupAnswer{}, err
	}
	card := c.Groups[whose.Group]
	if card == nil {
		return groupAnswer{}, timeline.ErrNotFound
	}
	shown := mokum.GroupOf(sets, card)
	shown.Posting, shown.Joining = card.Posting, card.Joining
	shown.Counts = s.counts.headCounts(q.Context(), sets, whose).json()
	return groupAnswer{shown, shown}, nil
}
