package web

import (
	"cmp"
	"context"
	"slices"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// reachable are the groups that a person can post to from his home, as long as
// his sets are the ones that they were found by.
type reachable struct {
	sets   *timeline.Sets
	groups []page.Destination
}

// postForm is the form to write with that a page has; nil: none.
func (s *Server) postForm(q *request, v *visited) *page.PostForm {
	sets := v.view.Sets
	if sets == nil || !sets.MayAct() || v.asked.write() != "" {
		return nil
	}
	form := &page.PostForm{UUID: newUUID(), ReturnTo: v.path}
	switch {
	case v.key.What == river.KindHome:
		form.To = append([]page.Destination{{Value: "user", Label: "your feed", Checked: true}}, s.groupsOf(q.Context(), q.who, sets)...)
	case v.key.What == river.KindUser && v.key.TheirID == int64(sets.User):
		form.To = []page.Destination{{Value: "user", Label: "your feed", Checked: true}}
	case v.key.What == river.KindGroup:
		card := v.view.Groups[v.owner.Group]
		if card == nil || !sets.MayPost(card.ID, v.owner.feed, card.Posting) {
			return nil
		}
		form.To = []page.Destination{{Value: "group:" + card.Name, Label: card.DisplayName, Checked: true}}
		form.Label = "Post to " + card.DisplayName
	case v.key.What == river.KindDirects:
		form.Names, form.Label = new(string), "Send"
	default:
		return nil
	}
	return form
}

// groupsOf lists the groups that somebody may post to among those that he
// subscribes to; none where the primary can't be asked.
func (s *Server) groupsOf(ctx context.Context, who visitor, sets *timeline.Sets) []page.Destination {
	if held, is := s.reachable.get(who.User); is && held.sets == sets {
		return held.groups
	}
	_, ids, err := s.store.Subscriptions(ctx, who.User, who.Name)
	var c cards
	if err == nil {
		c, err = s.cards(ctx, nil, ids)
	}
	if err != nil {
		s.log.DebugContext(ctx, "groups to post to", "user", who.User, "err", err)
		return nil
	}
	var groups []page.Destination
	for _, card := range c.groups {
		// The feed is not looked at: all of these are subscribed to.
		if card.Posting != "admins" || sets.Administers[card.ID] {
			groups = append(groups, page.Destination{Value: "group:" + card.Name, Label: card.DisplayName})
		}
	}
	slices.SortFunc(groups, func(a, b page.Destination) int { return cmp.Compare(a.Label+a.Value, b.Label+b.Value) })
	s.reachable.put(who.User, reachable{sets, groups})
	return groups
}
