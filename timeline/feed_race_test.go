package timeline

import (
	"errors"
	"runtime"
	"testing"

	"amstel.dev/amstel/internal/racetest"
)

// meanwhile runs second while the transaction of first is open. It ends the transaction when
// second waits for it or has finished, and returns the error of second.
func (s *site) meanwhile(first func(*txn) error, second func() error) error {
	s.t.Helper()
	const waiting = `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`
	done := make(chan error, 1)
	s.must(s.write(s.t.Context(), func(tx *txn) error {
		if err := first(tx); err != nil {
			return err
		}
		go func() { done <- second() }()
		for len(done) == 0 && !one[bool](s, waiting) {
			runtime.Gosched()
		}
		return nil
	}))
	return <-done
}

// requestOf returns the id of a person's sent request.
func (s *site) requestOf(who string) string {
	s.t.Helper()
	return one[string](s, `select id::text from subscription_requests where user_id = $1`, s.user(who))
}

// invitationOf returns the id of a person's received invitation.
func (s *site) invitationOf(who string) string {
	s.t.Helper()
	return one[string](s, `select id::text from invitations where user_id = $1`, s.user(who))
}

// ask has a person subscribe to a feed, and fails unless that leads to the wanted state.
func (s *site) ask(who string, name FeedName, want Subscription) {
	s.t.Helper()
	if got, err := s.Subscribe(s.t.Context(), s.user(who), name, SubscribeOptions{}); err != nil || got != want {
		s.t.Fatalf("%s subscribes to %v: %q, %v; want %q", who, name, got, err, want)
	}
}

// invites has the actor invite a person, and fails unless that leads to the wanted state.
func (s *site) invites(actor string, name FeedName, who string, want Subscription) {
	s.t.Helper()
	if got, err := s.Invite(s.t.Context(), s.user(actor), name, who); err != nil || got != want {
		s.t.Fatalf("%s invites %s to %v: %q, %v; want %q", actor, who, name, got, err, want)
	}
}

// relation counts how a person stands to a feed: subscribed, asking, invited.
func (s *site) relation(who string, feed TimelineID) (is [3]int) {
	s.t.Helper()
	const query = `
		select (select count(*) from subscriptions where user_id = $1 and timeline_id = $2),
			(select count(*) from subscription_requests where user_id = $1 and timeline_id = $2),
			(select count(*) from invitations where user_id = $1 and timeline_id = $2)`
	s.must(s.db.Pool.QueryRow(s.t.Context(), query, s.user(who), feed).Scan(&is[0], &is[1], &is[2]))
	return is
}

// feed returns the timeline of a feed.
func (s *site) feed(name FeedName) Timeline {
	s.t.Helper()
	_, t, err := findFeed(s.t.Context(), s.db.Pool, name)
	s.must(err)
	return t
}

// TestJoinAtTheSameTimeAsARemoval tries each way in which Bert can come into a feed: a write that
// removes Bert from the feed at the same time waits, and then finds Bert in the feed.
func TestJoinAtTheSameTimeAsARemoval(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	for _, feed := range []FeedName{{Name: "anna"}, {Name: "anna", Private: true}, {Name: "kitchen"}} {
		for in, come := range map[string]func(s *site) func(tx *txn) error{
			"subscribes": func(s *site) func(*txn) error {
				return func(tx *txn) error {
					_, err := s.subscribe(ctx, tx, s.user("bert"), feed, SubscribeOptions{})
					return err
				}
			},
			"is accepted": func(s *site) func(*txn) error {
				s.ask("bert", feed, Requested)
				return func(tx *txn) error { return s.accept(ctx, tx, s.user("anna"), s.requestOf("bert")) }
			},
			"accepts": func(s *site) func(*txn) error {
				s.invites("anna", feed, "bert", Invited)
				return func(tx *txn) error { return s.acceptInvitation(ctx, tx, s.user("bert"), s.invitationOf("bert")) }
			},
		} {
			for out, put := range map[string]func(s *site) error{
				"banned":   func(s *site) error { return s.Ban(ctx, s.user("anna"), "bert") },
				"excluded": func(s *site) error { return s.Exclude(ctx, s.user("anna"), feed, "bert") },
				"removed":  func(s *site) error { return s.RemoveSubscriber(ctx, s.user("anna"), feed, "bert") },
			} {
				if feed.Name == "kitchen" && out == "banned" {
					continue // a ban does not end membership
				}
				t.Run("bert "+in+" and is "+out+" of "+feed.String(), func(t *testing.T) {
					t.Parallel()
					s := newSite(t, "anna", "bert", "carl")
					s.group("anna", NewGroup{Name: "kitchen", Joining: "request"})
					if in == "is accepted" || in == "accepts" {
						s.status("anna", "private")
					}
					s.must(s.meanwhile(come(s), func() error { return put(s) }))
					is := s.relation("bert", s.feed(feed).ID)
					if out == "removed" {
						is[1] = 0 // a request stays
					}
					if is != [3]int{} {
						t.Errorf("Bert is %v to it: subscribed, asking, invited", is)
					}
					s.checkPosts()
				})
			}
		}
	}
}

func TestARequestAndAnInvitationAtOnce(t *testing.T) {
	t.Parallel()
	for _, feed := range []FeedName{{Name: "anna"}, {Name: "anna", Private: true}, {Name: "kitchen"}} {
		s := newSite(t, "anna", "bert")
		ctx := t.Context()
		s.group("anna", NewGroup{Name: "kitchen", Joining: "request"})
		s.status("anna", "private")
		s.must(s.meanwhile(func(tx *txn) error {
			_, err := s.subscribe(ctx, tx, s.user("bert"), feed, SubscribeOptions{ForwardOnly: true})
			return err
		}, func() error {
			state, err := s.Invite(ctx, s.user("anna"), feed, "bert")
			if state != Subscribed {
				t.Errorf("%v: the invitation that came second is %q", feed, state)
			}
			return err
		}))
		if is := s.relation("bert", s.feed(feed).ID); is != [3]int{1, 0, 0} {
			t.Errorf("%v: Bert is %v to it", feed, is)
		}
	}
}

func TestAPolicyChangedWhileARequestIsAccepted(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	feed := FeedName{Name: "anna", Private: true}
	s.ask("bert", feed, Requested)
	request := s.requestOf("bert")
	s.must(s.meanwhile(
		func(tx *txn) error { return s.accept(ctx, tx, s.user("anna"), request) },
		func() error { return s.SetForwardOnly(ctx, s.user("bert"), feed, true) },
	))
	if since := one[*int64](s, `select since from subscriptions`); since == nil {
		t.Error("the change of the policy was lost")
	}
}

func TestExpelledAdministratorCanDoNothingMore(t *testing.T) {
	long(t)
	t.Parallel()
	ctx := t.Context()
	kitchen := FeedName{Name: "kitchen"}
	for name, second := range map[string]func(s *site) error{
		"expels":  func(s *site) error { return s.RemoveSubscriber(ctx, s.user("bert"), kitchen, "anna") },
		"blocks":  func(s *site) error { return s.Exclude(ctx, s.user("bert"), kitchen, "anna") },
		"invites": func(s *site) error { _, err := s.Invite(ctx, s.user("bert"), kitchen, "dora"); return err },
		"answers": func(s *site) error { return s.Accept(ctx, s.user("bert"), s.requestOf("eva")) },
	} {
		s := newSite(t, "anna", "bert", "carl", "dora", "eva")
		s.group("anna", NewGroup{Name: "kitchen", Joining: "request"})
		for _, who := range []string{"bert", "carl"} {
			s.follow(who, "kitchen")
			s.must(s.AddAdmin(ctx, s.user("anna"), "kitchen", who))
		}
		s.ask("eva", kitchen, Requested)
		err := s.meanwhile(func(tx *txn) error {
			p, err := lockFeedPerson(ctx, tx, s.user("anna"), kitchen, "bert")
			if err != nil {
				return err
			}
			return tx.exclude(ctx, p)
		}, func() error { return second(s) })
		if !errors.Is(err, ErrForbidden) && !errors.Is(err, ErrNotFound) {
			t.Errorf("who is being expelled %s: %v", name, err)
		}
		s.checkPosts()
	}
}

func TestTheLastTwoAdministratorsAtOnce(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	kitchen := FeedName{Name: "kitchen"}
	for name, second := range map[string]func(s *site) error{
		"leaves":     func(s *site) error { return s.Unsubscribe(ctx, s.user("anna"), kitchen) },
		"steps down": func(s *site) error { return s.RemoveAdmin(ctx, s.user("anna"), "kitchen", "anna") },
	} {
		s := newSite(t, "anna", "bert")
		s.group("anna", NewGroup{Name: "kitchen"})
		s.follow("bert", "kitchen")
		s.must(s.AddAdmin(ctx, s.user("anna"), "kitchen", "bert"))
		err := s.meanwhile(func(tx *txn) error {
			p, err := lockFeedPerson(ctx, tx, s.user("anna"), kitchen, "bert")
			if err != nil {
				return err
			}
			return tx.exclude(ctx, p)
		}, func() error { return second(s) })
		if !errors.Is(err, ErrConflict) {
			t.Errorf("the last one %s: %v, want %v", name, err, ErrConflict)
		}
		s.checkPosts()
	}
}
