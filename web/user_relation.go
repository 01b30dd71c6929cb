package web

import (
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

// excludes returns whom the viewer excludes from their feed. Those are no part of
// the viewer's sets, and remembered for as long as counts are, or until the viewer
// changes them on this node.
func (s *Server) excludes(q *request) map[timeline.UserID]bool {
	held, at, was := s.excluded.Get(q.who.User)
	if now := s.now(); !was || now.Sub(at) > countsFresh {
		ids, err := s.store.Excluded(q.Context(), q.who.User, timeline.FeedName{Name: q.who.Name})
		if err != nil {
			s.log.DebugContext(q.Context(), "whom somebody excludes", "user", q.who.User, "err", err)
			return held
		}
		held = make(map[timeline.UserID]bool, len(ids))
		for _, id := range ids {
			held[id] = true
		}
		s.excluded.Put(q.who.User, held, now)
	}
	return held
}
