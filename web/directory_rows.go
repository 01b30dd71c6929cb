package web

import (
	"context"
	"slices"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// A directory reads the people or the groups of lists that viewers choose from.
type directory struct {
	what      timeline.What
	standings *standings
}

func (s *Server) peopleDirectory() directory { return directory{timeline.WhatUser, s.peopleStandings} }

func (s *Server) groupDirectory() directory { return directory{timeline.WhatGroup, s.groupStandings} }

// described returns the facts of people or groups, in the order of their ids.
func described[ID ~int64](ctx context.Context, s *Server, d directory, viewer timeline.UserID, ids []ID) ([]discover.Listed, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	plain := make([]int64, len(ids))
	for i, id := range ids {
		plain[i] = int64(id)
	}
	held, _ := d.standings.held()
	return s.discover.Describe(ctx, viewer, d.what, plain, held)
}

// rows returns people or groups as rows of a list, with how the viewer follows each. Those
// without a card are left out.
func (d directory) rows(listed []discover.Listed, c mokum.Cards, sets *timeline.Sets) []page.Row {
	rows := make([]page.Row, 0, len(listed))
	for l := range slices.Values(listed) {
		row := page.Row{Members: l.Members, Active: l.Active}
		if d.what == timeline.WhatGroup {
			row.Group = c.Groups[timeline.GroupID(l.ID)]
		} else {
			row.User = c.Users[timeline.UserID(l.ID)]
		}
		if row.User == nil && row.Group == nil {
			continue
		}
		if sets != nil && sets.User != 0 {
			row.Signed, row.Following = true, following(sets, l.Feed)
			row.Self = row.User != nil && row.User.ID == sets.User
		}
		rows = append(rows, row)
	}
	return rows
}

// cardsOf returns the cards of listed people or groups.
func (d directory) cardsOf(ctx context.Context, s *Server, listed []discover.Listed) (mokum.Cards, error) {
	var people []timeline.UserID
	var groups []timeline.GroupID
	for _, l := range listed {
		if d.what == timeline.WhatGroup {
			groups = append(groups, timeline.GroupID(l.ID))
		} else {
			people = append(people, timeline.UserID(l.ID))
		}
	}
	return s.cards(ctx, people, groups)
}
