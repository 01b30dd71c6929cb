package web

import (
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
)

// relation is how a viewer stands to a person or a group. What is not among his
// sets the primary is asked for; while it is away, that is left out.
func (s *Server) relation(q *request, viewer *timeline.Sets, whose address.Owner) page.Relation {
	if viewer == nil || viewer.User == 0 {
		return page.Relation{}
	}
	feed := following(viewer, whose.Feed)
	r := page.Relation{
		Self:       whose.User == viewer.User,
		Subscribed: feed.Subscribed, ForwardOnly: feed.ForwardOnly, Requested: feed.Requested, Barred: feed.Barred,
		Banned: whose.User != 0 && viewer.Bans[whose.User],
		Admin:  whose.Group != 0 && viewer.Administers[whose.Group],
		Lists:  choicesOfLists(viewer, whose),
	}
	if viewer.Invited[whose.Feed] || viewer.Invited[whose.Private] {
		s.invited(q, whose, &r)
	}
	if whose.User == 0 || r.Self {
		return r
	}
	private := following(viewer, whose.Private)
	private.Invitation = r.Private.Invitation
	r.Private = private
	r.HidesPosts, r.HidesComments = viewer.HiddenUsers[whose.User], viewer.HiddenComments[whose.User]
	r.Excluded = s.excludes(q)[whose.User]
	return r
}

// following is how a viewer stands to one feed, but for invitations.
func following(viewer *timeline.Sets, feed timeline.TimelineID) page.Following {
	_, forward := viewer.Since[feed]
	return page.Following{
		Subscribed:  viewer.Subscribed[feed],
		ForwardOnly: forward,
		Requested:   viewer.Requested[feed],
		Barred:      viewer.Excluded[feed],
	}
}

// invited fills in the invitations that wait for the viewer's answer.
func (s *Server) invited(q *request, whose address.Owner, r *page.Relation) {
	all, err := s.store.Invitations(q.Context(), q.who.User)
	if err != nil {
		s.log.DebugContext(q.Context(), "invitations", "user", q.who.User, "err", err)
		return
	}
	for _, i := range all {
		switch i.Target.ID {
		case whose.Feed:
			r.Invitation = i.UUID
		case whose.Private:
			r.Private.Invitation = i.UUID
		}
	}
}

// excluded are the people whom somebody excludes from his feed, as of a time.
type excluded struct {
	people map[timeline.UserID]bool
	at     time.Time
}

// excludes are whom the asker excludes from his feed. They are no part of his
// sets, and remembered for as long as counts are, or until he changes them here.
func (s *Server) excludes(q *request) map[timeline.UserID]bool {
	held, was := s.excluded.Get(q.who.User)
	if now := s.now(); !was || now.Sub(held.at) > countsFresh {
		ids, err := s.store.Excluded(q.Context(), q.who.User, timeline.FeedName{Name: q.who.Name})
		if err != nil {
			s.log.DebugContext(q.Context(), "whom somebody excludes", "user", q.who.User, "err", err)
			return held.people
		}
		held = excluded{make(map[timeline.UserID]bool, len(ids)), now}
		for _, id := range ids {
			held.people[id] = true
		}
		s.excluded.Put(q.who.User, held)
	}
	return held.people
}
