package timeline

import "testing"

// TestEachWriteBetweenPeopleAppendsItsChanges runs each write about people and feeds, and
// compares the changes that it appended to the log with the wanted ones.
// TestEachWriteAppendsItsChanges does the same with the other writes.
func TestEachWriteBetweenPeopleAppendsItsChanges(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	var (
		annas   = FeedName{Name: "anna"}
		private = FeedName{Name: "anna", Private: true}
		kitchen = FeedName{Name: "kitchen"} // Eva and Dora administer it, Anna is a member
	)
	for _, tt := range []struct {
		name string
		prep func(s *site)
		do   func(s *site)
		want []string // the people with a viewer change
	}{
		{"a request for the private sub-feed concerns both", nil,
			func(s *site) { s.ask("bert", private, Requested) }, []string{"anna", "bert"}},
		{"so does its withdrawal, once", func(s *site) { s.ask("bert", private, Requested) },
			func(s *site) {
				s.must(s.Withdraw(ctx, s.user("bert"), private))
				s.must(s.Withdraw(ctx, s.user("bert"), private))
			}, []string{"anna", "bert"}},
		{"leaving the private sub-feed concerns the subscriber",
			func(s *site) { s.ask("bert", private, Requested); s.answerAll("anna") },
			func(s *site) { s.must(s.Unsubscribe(ctx, s.user("bert"), private)) }, []string{"bert"}},
		{"a policy concerns whose it is, once", nil,
			func(s *site) {
				s.must(s.SetForwardOnly(ctx, s.user("bert"), annas, true))
				s.must(s.SetForwardOnly(ctx, s.user("bert"), annas, true))
			}, []string{"bert"}},
		{"the policy of a request concerns no feed yet", func(s *site) { s.ask("bert", private, Requested) },
			func(s *site) { s.must(s.SetForwardOnly(ctx, s.user("bert"), private, true)) }, nil},

		{"an invitation waits for the invited person, once", nil,
			func(s *site) {
				s.invites("anna", private, "carl", Invited)
				s.invites("anna", private, "carl", Invited)
			}, []string{"carl"}},
		{"a group's too", nil, func(s *site) { s.invites("eva", kitchen, "carl", Invited) }, []string{"carl"}},
		{"its acceptance is a subscription", func(s *site) { s.invites("eva", kitchen, "carl", Invited) },
			func(s *site) { s.must(s.AcceptInvitation(ctx, s.user("carl"), s.invitationOf("carl"))) }, []string{"carl"}},
		{"so is asking to be let in", func(s *site) { s.invites("eva", kitchen, "carl", Invited) },
			func(s *site) { s.ask("carl", kitchen, Subscribed) }, []string{"carl"}},
		{"an invitation that either side ends waits no longer", func(s *site) { s.invites("eva", kitchen, "carl", Invited) },
			func(s *site) { s.must(s.EndInvitation(ctx, s.user("dora"), s.invitationOf("carl"))) }, []string{"carl"}},
		{"to invite a person who asked is to accept, for all who could answer", func(s *site) { s.ask("carl", kitchen, Requested) },
			func(s *site) { s.invites("eva", kitchen, "carl", Subscribed) }, []string{"carl", "dora", "eva"}},
		{"to invite a subscriber changes nothing", nil, func(s *site) { s.invites("anna", annas, "bert", Subscribed) }, nil},

		{"a removal concerns both, once", nil,
			func(s *site) {
				s.must(s.RemoveSubscriber(ctx, s.user("anna"), annas, "bert"))
				s.must(s.RemoveSubscriber(ctx, s.user("anna"), annas, "bert"))
			}, []string{"anna", "bert"}},
		{"expelling concerns the administrator and the member", nil,
			func(s *site) { s.must(s.RemoveSubscriber(ctx, s.user("eva"), kitchen, "dora")) }, []string{"dora", "eva"}},
		{"an exclusion concerns both, once", nil,
			func(s *site) {
				s.must(s.Exclude(ctx, s.user("anna"), annas, "bert"))
				s.must(s.Exclude(ctx, s.user("anna"), annas, "bert"))
			}, []string{"anna", "bert"}},
		{"so does its end, once", func(s *site) { s.must(s.Exclude(ctx, s.user("anna"), annas, "bert")) },
			func(s *site) {
				s.must(s.Readmit(ctx, s.user("anna"), annas, "bert"))
				s.must(s.Readmit(ctx, s.user("anna"), annas, "bert"))
			}, []string{"anna", "bert"}},
		{"an exclusion that ends a request concerns all who could answer", func(s *site) { s.ask("carl", kitchen, Requested) },
			func(s *site) { s.must(s.Exclude(ctx, s.user("eva"), kitchen, "carl")) }, []string{"carl", "dora", "eva"}},
		{"a ban that ends invitations concerns both",
			func(s *site) {
				s.invites("anna", private, "carl", Invited)
				s.invites("carl", FeedName{Name: "carl"}, "anna", Invited)
			},
			func(s *site) { s.must(s.Ban(ctx, s.user("carl"), "anna")) }, []string{"anna", "carl"}},

		{"hiding a person changes the pages of the viewer, each time", nil,
			func(s *site) {
				for _, parts := range []HiddenParts{{Posts: true}, {Posts: true}, {Posts: true, Comments: true}, {}} {
					s.must(s.HideUser(ctx, s.user("bert"), "carl", parts))
				}
				for _, parts := range []HiddenParts{{}, {Posts: true, Comments: true}, {Posts: true}} {
					s.must(s.ShowUser(ctx, s.user("bert"), "carl", parts))
				}
			}, []string{"bert", "bert", "bert"}},
		{"hiding a post and showing it changes them, too",
			nil,
			func(s *site) {
				post := one[PostID](s, `select min(id) from posts`)
				for range 2 {
					s.must(s.HidePost(ctx, s.user("bert"), post))
				}
				for range 2 {
					s.must(s.ShowPost(ctx, s.user("bert"), post))
				}
			}, []string{"bert", "bert"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newVillage(t)
			s.follow("dora", "kitchen")
			s.must(s.AddAdmin(ctx, s.user("eva"), "kitchen", "dora"))
			s.post("anna")
			if tt.prep != nil {
				tt.prep(s)
			}
			var want []Change
			for _, name := range tt.want {
				want = append(want, Change{Kind: ChangeViewer, User: s.user(name)})
			}
			s.same(want, s.changesOf(func() { tt.do(s) }))
			s.checkPosts()
		})
	}
}

// answerAll accepts all requests and invitations that await a person's answer.
func (s *site) answerAll(who string) {
	s.t.Helper()
	requests, err := s.Requests(s.t.Context(), s.user(who))
	s.must(err)
	for _, r := range requests {
		s.must(s.Accept(s.t.Context(), s.user(who), r.UUID))
	}
}
