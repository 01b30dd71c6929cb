package web

import (
	"cmp"
	"slices"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
)

// relation returns how a viewer is related to a person or a group. Facts that are not in the
// viewer's sets are read from the primary, and left out while the primary is unavailable.
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

		SiteAdmin: viewer.Admin,
		Lists:     choicesOfLists(viewer, whose),
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
	r.SubscribedToYou = len(s.subscribersOf(q, []timeline.UserID{whose.User})) > 0
	r.HidesPosts, r.HidesComments = viewer.HiddenUsers[whose.User], viewer.HiddenComments[whose.User]
	r.Excluded = s.exclusions.excludedBy(q.Context(), q.who.User, q.who.Name)[whose.User]
	return r
}

// following returns how a viewer follows one feed, without invitations.
func following(viewer *timeline.Sets, feed timeline.TimelineID) page.Following {
	_, forward := viewer.Since[feed]
	return page.Following{
		Subscribed:  viewer.Subscribed[feed],
		ForwardOnly: forward,
		Requested:   viewer.Requested[feed],
		Barred:      viewer.Excluded[feed],
	}
}

// invited adds the invitations that wait for the viewer's answer.
func (s *Server) invited(q *request, whose address.Owner, r *page.Relation) {
	all, err := s.store.Invitations(q.Context(), q.who.User)
	if err != nil {
		s.log.DebugContext(q.Context(), "could not read invitations", "user", q.who.User, "err", err)
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

// choicesOfLists returns the viewer's lists, and whether the owner's feeds are in each.
// The page decides which feeds the viewer may add.
func choicesOfLists(viewer *timeline.Sets, whose address.Owner) []page.ListChoice {
	all := make([]page.ListChoice, 0, len(viewer.Lists))
	for _, l := range viewer.Lists {
		all = append(all, page.ListChoice{
			ID: l.ID, Name: l.Name, In: l.Members[whose.Feed], May: true,
			PrivateIn: l.Members[whose.Private], PrivateMay: viewer.Subscribed[whose.Private],
		})
	}
	slices.SortFunc(all, func(a, b page.ListChoice) int { return cmp.Compare(a.Name, b.Name) })
	return all
}
