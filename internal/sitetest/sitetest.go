// Package sitetest gives tests a store on a fresh database, with people by name and a clock that
// only the test moves. It is for packages that import timeline; timeline's own tests, inside the
// package, can't import sitetest.
package sitetest

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/internal/audit"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// A Site is a store on a database of one test, with people.
type Site struct {
	*timeline.Store
	People map[string]timeline.UserID
	Clock  time.Time     // the present time, which stands still until the test moves it
	Pace   time.Duration // how far the time moves at each reading

	t    testing.TB
	gone atomic.Int64 // the sum of all moves by Pace, in nanoseconds
}

// New returns a site with public people of these names. No person is an administrator of the site.
func New(t testing.TB, names ...string) *Site {
	t.Helper()
	s := &Site{People: make(map[string]timeline.UserID), Clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), t: t}
	now := func() time.Time { return s.Clock.Add(time.Duration(s.gone.Add(int64(s.Pace)))) }
	s.Store = timeline.New(pgtest.New(t), timeline.Options{Now: now})
	for _, name := range names {
		id, err := s.SignUp(t.Context(), timeline.NewUser{Name: name, Email: name + "@example.org", NoPassword: true})
		s.Must(err)
		s.People[name] = id
	}
	s.Exec(`update users set admin = false`) // the store makes the first account one
	return s
}

// Wait moves the clock forward by d.
func (s *Site) Wait(d time.Duration) { s.Clock = s.Clock.Add(d) }

// Must ends the test if err is not nil.
func (s *Site) Must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// User returns the id of a person. A missing person ends the test.
func (s *Site) User(name string) timeline.UserID {
	s.t.Helper()
	id, known := s.People[name]
	if !known {
		s.t.Fatalf("the site has no person %q", name)
	}
	return id
}

// Named returns the names of people, in the order of their ids in the list.
func (s *Site) Named(ids []timeline.UserID) (names []string) {
	for _, id := range ids {
		for name, person := range s.People {
			if person == id {
				names = append(names, name)
			}
		}
	}
	return names
}

// Exec runs a statement on the database, and ends the test at an error.
func (s *Site) Exec(query string, args ...any) {
	s.t.Helper()
	_, err := s.Pool().Exec(s.t.Context(), query, args...)
	s.Must(err)
}

// One returns the single value that a query returns. An error ends the test.
func One[T any](s *Site, query string, args ...any) T {
	s.t.Helper()
	var v T
	s.Must(s.Pool().QueryRow(s.t.Context(), query, args...).Scan(&v))
	return v
}

// Timeline returns the id of a person's timeline of a kind.
func (s *Site) Timeline(what timeline.What, name string) timeline.TimelineID {
	s.t.Helper()
	return One[timeline.TimelineID](s, `select id from timelines where what = $1 and their_id = $2`, what, s.User(name))
}

// Status sets a person's status.
func (s *Site) Status(name, status string) {
	s.t.Helper()
	s.Must(s.SetProfile(s.t.Context(), s.User(name), timeline.ProfileEdit{Status: &status}))
}

// Post publishes a post and returns its id. Without destinations the post goes to the author's
// feed.
func (s *Site) Post(author string, to ...string) timeline.PostID {
	s.t.Helper()
	if len(to) == 0 {
		to = []string{"user"}
	}
	id, err := s.CreatePost(s.t.Context(), s.User(author), timeline.NewPost{To: to, Text: "a post by " + author})
	s.Must(err)
	return id
}

// Group creates a group and returns its id.
func (s *Site) Group(creator string, g timeline.NewGroup) timeline.GroupID {
	s.t.Helper()
	id, err := s.CreateGroup(s.t.Context(), s.User(creator), g)
	s.Must(err)
	return id
}

// Follow subscribes a person to a feed. If the feed requires consent, Follow accepts all open
// requests to people and groups of the site.
func (s *Site) Follow(who, feed string) {
	s.t.Helper()
	state, err := s.Subscribe(s.t.Context(), s.User(who), timeline.FeedName{Name: feed}, timeline.SubscribeOptions{})
	s.Must(err)
	if state == timeline.Subscribed {
		return
	}
	for _, person := range s.People {
		requests, err := s.Requests(s.t.Context(), person)
		s.Must(err)
		for _, r := range requests {
			s.Must(s.Accept(s.t.Context(), person, r.UUID))
		}
	}
}

// Audit fails the test for each contradiction in the primary.
func (s *Site) Audit() {
	s.t.Helper()
	faults, err := audit.Check(s.t.Context(), s.Pool())
	s.Must(err)
	for _, fault := range faults {
		s.t.Error(fault)
	}
}

// IsInvalid reports whether an error is a [timeline.InvalidError], the refusal of an input.
func IsInvalid(err error) bool {
	_, invalid := errors.AsType[*timeline.InvalidError](err)
	return invalid
}
