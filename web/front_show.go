package web

import (
	"cmp"
	"slices"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// How many people and groups the front page shows.
const (
	frontPeople = 8
	frontGroups = 4
)

// front returns the people and groups of the front page of visitors without an account; nil on
// other pages. They are the authors and groups of the page's own posts, the most frequent first,
// so that the page shows no account besides.
func (s *Server) front(q *request, v *riverPage) *page.Front {
	if _, below := v.part.Newer(); below || q.who.signedIn() || v.address.Key.What != river.KindEverything || v.address.Path != "/" {
		return nil
	}
	people, groups := make(map[timeline.UserID]int), make(map[timeline.GroupID]int)
	for _, e := range v.view.Entries {
		people[e.Fold.Author]++
		for _, c := range e.Fold.Comments.Comments {
			people[c.User]++
		}
		for _, t := range e.Places {
			if t.What == timeline.WhatGroup {
				groups[timeline.GroupID(t.TheirID)]++
			}
		}
	}
	c := mokum.Cards{Users: v.view.Users, Groups: v.view.Groups}
	m := &page.Front{People: shownUsers(c, frequent(people, frontPeople))}
	ids := slices.DeleteFunc(frequent(groups, len(groups)), func(id timeline.GroupID) bool { return c.Groups[id] == nil || c.Groups[id].NSFW })
	listed, err := described(q.Context(), s, s.groupDirectory(), q.who.User, ids[:min(frontGroups, len(ids))])
	if err != nil {
		s.log.DebugContext(q.Context(), "groups of the front page", "err", err)
	}
	for i := range listed {
		listed[i].Active = time.Time{} // the posts below tell
	}
	m.Groups = s.groupDirectory().rows(listed, c, nil)
	return m
}

// frequent returns up to most ids with the highest counts, the highest first.
func frequent[ID ~int64](counts map[ID]int, most int) []ID {
	ids := make([]ID, 0, len(counts))
	for id := range counts {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b ID) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	return ids[:min(most, len(ids))]
}
