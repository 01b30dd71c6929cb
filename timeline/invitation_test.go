package timeline

import (
	"errors"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestInvitations(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, feed := range []FeedName{{Name: "anna"}, {Name: "anna", Private: true}, {Name: "kitchen"}} {
		s := newSite(t, "anna", "bert", "carl", "dora")
		anna, bert, carl := s.user("anna"), s.user("bert"), s.user("carl")
		s.group("anna", NewGroup{Name: "kitchen", Status: "private"})
		s.status("anna", "private")
		id := s.feed(feed).ID
		s.invites("anna", feed, "bert", Invited)
		s.invites("anna", feed, "bert", Invited)
		s.invites("anna", feed, "carl", Invited)
		want := []Invitation{{From: anna, To: bert, Target: Timeline{ID: id, Access: AccessPrivate}}}
		ignore := gocmp.Options{
			cmpopts.IgnoreFields(Invitation{}, "UUID", "CreatedAt"), cmpopts.IgnoreFields(Timeline{}, "What", "TheirID"),
		}
		got, err := s.Invitations(ctx, bert)
		if diff := gocmp.Diff(want, got, ignore); err != nil || diff != "" {
			t.Errorf("%v: Bert's invitations: %v (-want +got):\n%s", feed, err, diff)
		}
		if sent, err := s.SentInvitations(ctx, anna, feed); err != nil || len(sent) != 2 {
			t.Errorf("%v: sent are %+v, %v", feed, sent, err)
		}
		if _, err := s.SentInvitations(ctx, bert, feed); !errors.Is(err, ErrForbidden) {
			t.Errorf("%v: another looks at what was sent: %v", feed, err)
		}
		if sets := s.sets("bert"); !sets.Invited[id] || sets.Incoming != 1 || sets.Subscribed[id] {
			t.Errorf("%v: Bert's sets are %+v", feed, sets)
		}
		// Other people can't use the invitation; only Bert can accept it.
		uuid := got[0].UUID
		for who, answer := range map[string]func() error{
			"another accepts":     func() error { return s.AcceptInvitation(ctx, carl, uuid) },
			"its sender accepts":  func() error { return s.AcceptInvitation(ctx, anna, uuid) },
			"a visitor accepts":   func() error { return s.AcceptInvitation(ctx, 0, uuid) },
			"another ends it":     func() error { return s.EndInvitation(ctx, carl, uuid) },
			"no uuid is accepted": func() error { return s.AcceptInvitation(ctx, bert, "x") },
			"no uuid is ended":    func() error { return s.EndInvitation(ctx, bert, "x") },
		} {
			if err := answer(); !errors.Is(err, ErrNotFound) {
				t.Errorf("%v: %s: %v, want %v", feed, who, err, ErrNotFound)
			}
		}
		s.must(s.AcceptInvitation(ctx, bert, uuid))
		if err := s.AcceptInvitation(ctx, bert, uuid); !errors.Is(err, ErrNotFound) {
			t.Errorf("%v: accepted twice: %v", feed, err)
		}
		if is := s.relation("bert", id); is != [3]int{1, 0, 0} {
			t.Errorf("%v: Bert is %v to it", feed, is)
		}
		s.invites("anna", feed, "bert", Subscribed)

		// A declined or withdrawn invitation can be sent again.
		s.must(s.EndInvitation(ctx, carl, s.invitationOf("carl")))
		s.invites("anna", feed, "carl", Invited)
		s.must(s.EndInvitation(ctx, anna, s.invitationOf("carl")))
		if is := s.relation("carl", id); is != [3]int{} {
			t.Errorf("%v: Carl is %v to it", feed, is)
		}
		// A request and an invitation meet: the second of the two subscribes.
		s.ask("carl", feed, Requested)
		s.invites("anna", feed, "carl", Subscribed)
		s.invites("anna", feed, "dora", Invited)
		s.ask("dora", feed, Subscribed)
		for _, who := range []string{"carl", "dora"} {
			if is := s.relation(who, id); is != [3]int{1, 0, 0} {
				t.Errorf("%v: %s is %v to it", feed, who, is)
			}
		}
		s.checkPosts()
	}
}

// TestJoinIsRefusedToExcludedAndBannedPeople tries every way into a feed: each is refused for a feed for its owner's
// eyes only, for an excluded person, and across a ban.
func TestJoinIsRefusedToExcludedAndBannedPeople(t *testing.T) {
	long(t)
	t.Parallel()
	ctx := t.Context()
	annas, private, kitchen := FeedName{Name: "anna"}, FeedName{Name: "anna", Private: true}, FeedName{Name: "kitchen"}
	all := []FeedName{annas, private, kitchen}
	for _, tt := range []struct {
		name    string
		close   func(s *site, feed FeedName)
		feeds   map[FeedName]error // what is refused
		invited error              // across a ban an invitation is refused, to a group too
	}{
		{"for one's eyes only", func(s *site, _ FeedName) { s.status("anna", "fyeo") },
			map[FeedName]error{annas: ErrForbidden}, nil},
		{"excluded", func(s *site, feed FeedName) { s.must(s.Exclude(ctx, s.user("anna"), feed, "bert")) },
			map[FeedName]error{annas: ErrForbidden, private: ErrForbidden, kitchen: ErrForbidden}, nil},
		{"banned", func(s *site, _ FeedName) { s.must(s.Ban(ctx, s.user("anna"), "bert")) },
			map[FeedName]error{annas: ErrNotFound, private: ErrNotFound}, ErrForbidden},
		{"banned the other way", func(s *site, _ FeedName) { s.must(s.Ban(ctx, s.user("bert"), "anna")) },
			map[FeedName]error{annas: ErrForbidden, private: ErrForbidden}, ErrNotFound},
		{"banned both ways", func(s *site, _ FeedName) {
			s.must(s.Ban(ctx, s.user("anna"), "bert"))
			s.must(s.Ban(ctx, s.user("bert"), "anna"))
		}, map[FeedName]error{annas: ErrForbidden, private: ErrForbidden}, ErrForbidden},
	} {
		for _, feed := range all {
			s := newSite(t, "anna", "bert")
			s.group("anna", NewGroup{Name: "kitchen", Joining: "request"})
			s.status("anna", "private")
			tt.close(s, feed)
			want := tt.feeds[feed]
			if _, err := s.Subscribe(ctx, s.user("bert"), feed, SubscribeOptions{}); !errors.Is(err, want) {
				t.Errorf("%s of %v: subscribes: %v, want %v", tt.name, feed, err, want)
			}
			if want == nil {
				s.must(s.Withdraw(ctx, s.user("bert"), feed))
			}
			if tt.invited != nil {
				want = tt.invited
			}
			if _, err := s.Invite(ctx, s.user("anna"), feed, "bert"); !errors.Is(err, want) {
				t.Errorf("%s of %v: is invited: %v, want %v", tt.name, feed, err, want)
			}
			s.checkPosts()
		}
	}
	// A request and an invitation from before still wait.
	s := newSite(t, "anna", "bert", "carl")
	s.status("anna", "private")
	s.ask("bert", annas, Requested)
	s.invites("anna", annas, "carl", Invited)
	s.status("anna", "fyeo")
	if err := s.Accept(ctx, s.user("anna"), s.requestOf("bert")); !errors.Is(err, ErrForbidden) {
		t.Errorf("accepted into a feed for one's eyes only: %v", err)
	}
	if err := s.AcceptInvitation(ctx, s.user("carl"), s.invitationOf("carl")); !errors.Is(err, ErrForbidden) {
		t.Errorf("accepts into a feed for one's eyes only: %v", err)
	}
	s.status("anna", "private")
	s.must(s.Accept(ctx, s.user("anna"), s.requestOf("bert")))
	s.must(s.AcceptInvitation(ctx, s.user("carl"), s.invitationOf("carl")))
}

func TestABanEndsInvitations(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, by := range [][2]string{{"anna", "bert"}, {"bert", "anna"}} {
		s := newSite(t, "anna", "bert", "carl")
		s.group("anna", NewGroup{Name: "kitchen"})
		s.group("carl", NewGroup{Name: "attic"})
		for _, feed := range []FeedName{{Name: "anna"}, {Name: "anna", Private: true}, {Name: "kitchen"}} {
			s.invites("anna", feed, "bert", Invited)
		}
		s.invites("bert", FeedName{Name: "bert", Private: true}, "anna", Invited)
		s.invites("carl", FeedName{Name: "attic"}, "bert", Invited)
		s.must(s.Ban(ctx, s.user(by[0]), by[1]))
		if left, err := s.Invitations(ctx, s.user("bert")); err != nil || len(left) != 1 || left[0].From != s.user("carl") {
			t.Errorf("Bert's invitations are %+v, %v; want Carl's", left, err)
		}
		if left, err := s.Invitations(ctx, s.user("anna")); err != nil || len(left) != 0 {
			t.Errorf("Anna's invitations are %+v, %v", left, err)
		}
		if sets := s.sets("bert"); sets.Incoming != 1 {
			t.Errorf("%d wait for Bert, want 1", sets.Incoming)
		}
		// Each person's list has the people they banned, and no others.
		for _, who := range by {
			got, err := s.Banned(ctx, s.user(who))
			s.must(err)
			if listed := len(got) == 1 && got[0] == s.user(by[1]); listed != (who == by[0]) {
				t.Errorf("%s banned %v", who, got)
			}
		}
		s.checkPosts()
	}
}
