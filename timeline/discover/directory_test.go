package discover

import (
	"fmt"
	"slices"
	"testing"

	"amstel.dev/amstel/internal/sitetest"
	"amstel.dev/amstel/timeline"
)

func TestDirectory(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, "anna", "bert", "carl")
	d := New(s.Store)
	small := s.Group("anna", timeline.NewGroup{Name: "small"})
	large := s.Group("anna", timeline.NewGroup{Name: "large", Status: "private", Description: "a large one"})
	s.Follow("bert", "large")
	s.Follow("carl", "large")
	standings := func() *Standings {
		t.Helper()
		st, err := d.Standings(t.Context(), timeline.WhatGroup)
		s.Must(err)
		return st
	}
	type sized struct {
		group   timeline.GroupID
		members int
	}
	shows := func(when string, viewer timeline.UserID, text string, order Order, st *Standings, offset, limit int, want ...sized) {
		t.Helper()
		all, err := d.Directory(t.Context(), viewer, timeline.WhatGroup, text, order, st, offset, limit)
		s.Must(err)
		var got []sized
		for _, l := range all {
			got = append(got, sized{timeline.GroupID(l.ID), l.Members})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
	held := standings()
	shows("by size", 0, " ", BySize, held, 0, 10, sized{large, 3}, sized{small, 1})
	shows("the second", 0, "", BySize, held, 1, 10, sized{small, 1})
	shows("by name", 0, "", ByName, held, 0, 10, sized{large, 3}, sized{small, 1})
	shows("the second by name", 0, "", ByName, nil, 1, 10, sized{small, 1})
	shows("found", 0, "LAR", BySize, held, 0, 10, sized{large, 3})
	shows("found by a part", 0, "mall", ByActivity, held, 0, 10, sized{small, 1})
	shows("without activity", 0, "", ByActivity, held, 0, 10)
	s.Must(s.Ban(t.Context(), s.User("bert"), "carl"))
	for _, st := range []*Standings{held, standings()} {
		shows("across a ban", s.User("bert"), "", BySize, st, 0, 1, sized{large, 2})
	}
	// The standings that are kept in memory lack a group that was founded later.
	newer := s.Group("anna", timeline.NewGroup{Name: "newer"})
	s.Follow("carl", "small")
	s.Exec(`insert into jobs (kind, user_id) values ('delete account', $1)`, s.User("carl"))
	shows("a new group after those that are held", 0, "", BySize, held, 0, 10, sized{large, 2}, sized{small, 1}, sized{newer, 1})
	large1000 := &Standings{bySize: held.bySize, upto: held.upto, sizes: map[int64]int{int64(large): 1_000}}
	shows("a large one, by the held size", 0, "large", BySize, large1000, 0, 10, sized{large, 1_000})
	shows("a large one that changed", 0, "large", BySize, large1000.Without(int64(large)), 0, 10, sized{large, 2})
	shows("a new group that is found", 0, "newer", BySize, held, 0, 10, sized{newer, 1})
	shows("without an account that is being deleted", 0, "", BySize, standings(), 0, 10, sized{large, 2}, sized{small, 1}, sized{newer, 1})

	// A viewer who may not read a group learns nothing about its activity.
	for _, group := range []string{"small", "large"} {
		_, err := s.CreatePost(t.Context(), s.User("anna"), timeline.NewPost{Text: "x", To: []string{"group:" + group}})
		s.Must(err)
	}
	for _, viewer := range []timeline.UserID{0, s.User("bert")} {
		shows("by activity", viewer, "", ByActivity, standings(), 0, 10, sized{small, 1})
	}
	all, err := d.Directory(t.Context(), s.User("bert"), timeline.WhatGroup, "", BySize, nil, 0, 10)
	s.Must(err)
	for _, l := range all {
		if active := timeline.GroupID(l.ID) == small; l.Active.IsZero() == active || l.Active.Before(s.Clock) == active {
			t.Errorf("the activity of group %d is %v", l.ID, l.Active)
		}
	}
	before := standings()
	s.Must(s.EditGroup(t.Context(), s.User("anna"), "small", timeline.GroupEdit{Status: new("private")}))
	shows("by activity, closed since", 0, "", ByActivity, before, 0, 10)
}

func TestDirectoryOfPeople(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, "anna", "bert", "carl", "gone", "away")
	d := New(s.Store)
	s.Follow("anna", "carl")
	s.Follow("bert", "carl")
	s.Follow("carl", "anna")
	s.Follow("carl", "gone")
	s.Exec(suspend, s.User("away"))
	st, err := d.Standings(t.Context(), timeline.WhatUser)
	s.Must(err)
	s.Exec(`update users set status = 'deleted' where id = $1`, s.User("gone"))
	s.Post("bert")
	s.Must(s.Ban(t.Context(), s.User("bert"), "anna"))
	shows := func(viewer, text string, order Order, st *Standings, want ...string) {
		t.Helper()
		all, err := d.Directory(t.Context(), s.People[viewer], timeline.WhatUser, text, order, st, 0, 10)
		s.Must(err)
		var got []string
		for _, l := range all {
			got = append(got, fmt.Sprint(s.Named([]timeline.UserID{timeline.UserID(l.ID)})[0], " ", l.Members))
		}
		if !slices.Equal(got, want) {
			t.Errorf("for %q, %q by %s: %q, want %q", viewer, text, order, got, want)
		}
	}
	shows("", "", BySize, st, "carl 2", "anna 1", "bert 0")
	shows("", "", ByName, st, "anna 1", "bert 0", "carl 2")
	shows("", "ar", ByName, st)
	shows("", "arl", BySize, st, "carl 2")
	shows("anna", "", BySize, st, "carl 1", "anna 1") // bert banned her
	shows("bert", "", ByName, st, "bert 0", "carl 1")
	shows("bert", "anna", BySize, st)
	if st, err = d.Standings(t.Context(), timeline.WhatUser); err != nil {
		t.Fatal(err)
	}
	shows("", "", ByActivity, st, "bert 0")
	shows("anna", "", ByActivity, st)
}

// TestStandingsHaveSuspendedPeople: a person who was suspended when the standings were read is in the directory as soon as the
// person is restored, and not before.
func TestStandingsHaveSuspendedPeople(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, "anna", "bert")
	d, bert := New(s.Store), s.User("bert")
	for _, who := range []string{"anna", "bert"} {
		_, err := s.CreatePost(t.Context(), s.User(who), timeline.NewPost{Text: "x", To: []string{"user"}})
		s.Must(err)
	}
	s.Must(s.Suspend(t.Context(), bert))
	s.Must(timeline.FinishSuspensions(t.Context(), s.Store))
	st, err := d.Standings(t.Context(), timeline.WhatUser)
	s.Must(err)
	listed := func(order Order) bool {
		t.Helper()
		all, err := d.Directory(t.Context(), 0, timeline.WhatUser, "", order, st, 0, 10)
		s.Must(err)
		return slices.ContainsFunc(all, func(l Listed) bool { return l.ID == int64(bert) })
	}
	for _, order := range []Order{BySize, ByActivity, ByName} {
		if listed(order) {
			t.Errorf("a suspended person is in the directory by %s", order)
		}
	}
	s.Must(s.Restore(t.Context(), bert))
	s.Must(timeline.FinishSuspensions(t.Context(), s.Store))
	for _, order := range []Order{BySize, ByActivity, ByName} {
		if !listed(order) {
			t.Errorf("a restored person is not in the directory by %s", order)
		}
	}
}
