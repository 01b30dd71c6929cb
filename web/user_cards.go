package web

import (
	"context"
	"slices"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
)

// setsAndCards reads from one state of the primary a viewer's sets, and the cards of the viewer
// and of a person or group. Answers outside rivers need these.
func (s *Server) setsAndCards(ctx context.Context, viewer timeline.UserID, whose address.Owner) (*timeline.Sets, mokum.Cards, error) {
	snapshot, err := s.store.Snapshot(ctx)
	if err != nil {
		return nil, mokum.Cards{}, err
	}
	defer snapshot.Close()
	sets, _, err := snapshot.Sets(ctx, []timeline.UserID{viewer})
	if err != nil {
		return nil, mokum.Cards{}, err
	}
	var people []timeline.UserID
	var groups []timeline.GroupID
	for _, id := range []timeline.UserID{viewer, whose.User} {
		if id != 0 {
			people = append(people, id)
		}
	}
	if whose.Group != 0 {
		groups = append(groups, whose.Group)
	}
	users, found, err := snapshot.Cards(ctx, people, groups)
	return sets[viewer], mokum.Cards{Users: users, Groups: found}, err
}

// subscribersOf returns which of the people subscribe to the visitor's feed; none while the
// primary is unavailable.
func (s *Server) subscribersOf(q *request, people []timeline.UserID) []timeline.UserID {
	others := slices.DeleteFunc(people, func(id timeline.UserID) bool { return id == q.who.User })
	if !q.who.signedIn() || len(others) == 0 {
		return nil
	}
	found, err := s.store.SubscribersAmong(q.Context(), q.who.User, others)
	if err != nil {
		s.log.DebugContext(q.Context(), "could not read who subscribes to the viewer", "user", q.who.User, "err", err)
	}
	return found
}

// cards returns the cards of people and groups.
func (s *Server) cards(ctx context.Context, people []timeline.UserID, groups []timeline.GroupID) (c mokum.Cards, err error) {
	if len(people) > 0 {
		if c.Users, err = s.store.UserCards(ctx, people); err != nil {
			return mokum.Cards{}, err
		}
	}
	if len(groups) > 0 {
		c.Groups, err = s.store.GroupCards(ctx, groups)
	}
	return c, err
}
