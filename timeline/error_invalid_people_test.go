package timeline

import (
	"testing"
)

// TestBadInputAboutPeople calls the writes about people and feeds with input that they must
// refuse, as TestBadInputChangesNothing does with the others.
func TestBadInputAboutPeople(t *testing.T) {
	long(t)
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	anna, bert, carl, eva := s.user("anna"), s.user("bert"), s.user("carl"), s.user("eva")
	suspended := s.add("suspended")
	s.invites("anna", FeedName{Name: "anna"}, "suspended", Invited)
	invitation := s.invitationOf("suspended")
	_, err := s.db.Pool.Exec(ctx, `update users set suspended_at = now() where id = $1`, suspended)
	s.must(err)
	post := s.post("anna")
	secret := s.post("anna", "direct:bert")
	s.must(s.Exclude(ctx, eva, FeedName{Name: "kitchen"}, "carl"))

	annas, kitchen := FeedName{Name: "anna"}, FeedName{Name: "kitchen"}
	private := FeedName{Name: "kitchen", Private: true}
	type try struct {
		name string
		do   func() error
		want error
	}
	var tries []try
	for what, keep := range map[string]func(actor UserID, feed FeedName, who string) error{
		"a removal": func(actor UserID, feed FeedName, who string) error { return s.RemoveSubscriber(ctx, actor, feed, who) },
		"an exclusion": func(actor UserID, feed FeedName, who string) error {
			return s.Exclude(ctx, actor, feed, who)
		},
		"a readmission": func(actor UserID, feed FeedName, who string) error { return s.Readmit(ctx, actor, feed, who) },
		"an invitation": func(actor UserID, feed FeedName, who string) error {
			_, err := s.Invite(ctx, actor, feed, who)
			return err
		},
	} {
		tries = append(tries,
			try{what + " of oneself", func() error { return keep(anna, annas, "anna") }, errInvalid},
			try{what + " of oneself, of a group", func() error { return keep(eva, kitchen, "eva") }, errInvalid},
			try{what + " of a group", func() error { return keep(anna, annas, "kitchen") }, errInvalid},
			try{what + " of an unknown name", func() error { return keep(anna, annas, "zoe") }, ErrNotFound},
			try{what + " by a visitor", func() error { return keep(0, annas, "bert") }, ErrUnauthorized},
			try{what + " by a suspended person", func() error { return keep(suspended, annas, "bert") }, ErrUnauthorized},
			try{what + " by another", func() error { return keep(bert, annas, "carl") }, ErrForbidden},
			try{what + " by a member", func() error { return keep(anna, kitchen, "carl") }, ErrForbidden},
			try{what + " of no feed", func() error { return keep(anna, FeedName{Name: "zoe"}, "bert") }, ErrNotFound},
			try{what + " of a group's private sub-feed", func() error { return keep(eva, private, "bert") }, errInvalid},
		)
	}
	tries = append(tries, []try{
		{"a suspended person accepts", func() error { return s.AcceptInvitation(ctx, suspended, invitation) }, ErrUnauthorized},
		{"a suspended person declines", func() error { return s.EndInvitation(ctx, suspended, invitation) }, ErrUnauthorized},
		{"a visitor takes an invitation back", func() error { return s.EndInvitation(ctx, 0, invitation) }, ErrUnauthorized},
		{"another takes an invitation back", func() error { return s.EndInvitation(ctx, eva, invitation) }, ErrNotFound},
		{"a blocked person joins", func() error { _, err := s.Subscribe(ctx, carl, kitchen, SubscribeOptions{}); return err }, ErrForbidden},
		{"a group's private sub-feed is asked for", func() error { _, err := s.Subscribe(ctx, carl, private, SubscribeOptions{}); return err }, errInvalid},
		{"one's own private sub-feed is asked for", func() error {
			_, err := s.Subscribe(ctx, anna, FeedName{Name: "anna", Private: true}, SubscribeOptions{})
			return err
		}, errInvalid},
		{"a policy of no subscription", func() error { return s.SetForwardOnly(ctx, carl, annas, true) }, ErrNotFound},
		{"a policy of a visitor", func() error { return s.SetForwardOnly(ctx, 0, annas, true) }, ErrUnauthorized},

		{"a hidden person is oneself", func() error { return s.HideUser(ctx, anna, "anna", HiddenParts{Posts: true}) }, errInvalid},
		{"a hidden person is a group", func() error { return s.HideUser(ctx, anna, "kitchen", HiddenParts{Posts: true}) }, errInvalid},
		{"an unknown name is hidden", func() error { return s.HideUser(ctx, anna, "zoe", HiddenParts{Posts: true}) }, ErrNotFound},
		{"a visitor hides a person", func() error { return s.HideUser(ctx, 0, "anna", HiddenParts{Posts: true}) }, ErrUnauthorized},
		{"a visitor hides a post", func() error { return s.HidePost(ctx, 0, post) }, ErrUnauthorized},
		{"a visitor shows a post", func() error { return s.ShowPost(ctx, 0, post) }, ErrUnauthorized},
		{"a post that one can't read is hidden", func() error { return s.HidePost(ctx, carl, secret) }, ErrNotFound},

		{"a favourite of a visitor", func() error { return s.Fav(ctx, 0, post) }, ErrUnauthorized},
		{"a favourite of a suspended person", func() error { return s.Fav(ctx, suspended, post) }, ErrUnauthorized},
		{"a favourite that one can't read", func() error { return s.Fav(ctx, carl, secret) }, ErrNotFound},
		{"a favourite that is not there", func() error { return s.Fav(ctx, carl, 1) }, ErrNotFound},
		{"an end of a favourite that one can't read", func() error { return s.Unfav(ctx, carl, secret) }, ErrNotFound},
	}...)
	before := s.fingerprint(ctx)
	for _, tt := range tries {
		err := tt.do()
		if !isErr(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if after := s.fingerprint(ctx); after != before {
			t.Errorf("%s changed something", tt.name)
			before = after
		}
	}
}
