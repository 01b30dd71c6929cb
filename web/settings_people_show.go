package web

import (
	"cmp"
	"maps"
	"net/http"
	"slices"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
)

// showMyPeople shows the people the visitor bans, excludes, hides or mutes, and the
// subscribers of the visitor's private sub-feed, with a button that undoes each.
func (s *Server) showMyPeople(w http.ResponseWriter, q *request) error {
	m, err := s.myPeople(q)
	if err != nil {
		return err
	}
	return s.page(w, q, http.StatusOK, page.MyPeople(m))
}

func (s *Server) myPeople(q *request) (page.MyPeopleModel, error) {
	m := page.MyPeopleModel{Shell: s.settingsShell(q, page.MyPeoplePath), Name: q.who.Name}
	sets, _, err := s.setsAndCards(q.Context(), q.who.User, address.Owner{})
	if err != nil {
		return m, err
	}
	m.Viewer.Requests = sets.Incoming
	feed := timeline.FeedName{Name: q.who.Name}
	private := timeline.FeedName{Name: q.who.Name, Private: true}
	for _, list := range []struct {
		to   *[]*timeline.UserCard
		read func() ([]timeline.UserID, error)
	}{
		{&m.Banned, func() ([]timeline.UserID, error) { return s.store.Banned(q.Context(), q.who.User) }},
		{&m.Excluded, func() ([]timeline.UserID, error) { return s.store.Excluded(q.Context(), q.who.User, feed) }},
		{&m.Subscribers, func() ([]timeline.UserID, error) {
			return s.store.FeedSubscribers(q.Context(), q.who.User, private)
		}},
	} {
		ids, err := list.read()
		if err != nil {
			return m, err
		}
		if *list.to, err = s.shown(q, ids); err != nil {
			return m, err
		}
	}
	if m.Hidden, err = s.hiddenPeople(q); err != nil {
		return m, err
	}
	if m.Muted, err = s.mutedPeople(q); err != nil {
		return m, err
	}
	for _, feed := range []timeline.FeedName{private, feed} {
		invited, err := s.sentInvitations(q, feed)
		if err != nil {
			return m, err
		}
		m.Invited = append(m.Invited, invited...)
	}
	return m, nil
}

// hiddenPeople returns the people with posts or comments that the visitor hides, by name.
func (s *Server) hiddenPeople(q *request) ([]page.HiddenPerson, error) {
	hidden, err := s.store.Hidden(q.Context(), q.who.User)
	if err != nil {
		return nil, err
	}
	var ids []timeline.UserID
	for id := range hidden {
		ids = append(ids, id)
	}
	cards, err := s.shown(q, ids)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(cards, func(a, b *timeline.UserCard) int { return cmp.Compare(a.Name, b.Name) })
	var all []page.HiddenPerson
	for _, card := range cards {
		parts := hidden[card.ID]
		all = append(all, page.HiddenPerson{Card: card, Posts: parts.Posts, Comments: parts.Comments})
	}
	return all, nil
}

// mutedPeople returns the people with likes or comments that the visitor mutes, by name.
func (s *Server) mutedPeople(q *request) ([]page.MutedPerson, error) {
	muted, err := s.store.Muted(q.Context(), q.who.User)
	if err != nil {
		return nil, err
	}
	cards, err := s.shown(q, slices.Collect(maps.Keys(muted)))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(cards, func(a, b *timeline.UserCard) int { return cmp.Compare(a.Name, b.Name) })
	var all []page.MutedPerson
	for _, card := range cards {
		parts := muted[card.ID]
		all = append(all, page.MutedPerson{Card: card, Likes: parts.Likes, Comments: parts.Comments})
	}
	return all, nil
}
