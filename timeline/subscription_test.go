package timeline

import (
	"errors"
	"runtime"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestSubscribe(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	ctx := t.Context()
	anna := s.user("anna")
	for _, tt := range []struct {
		name   string
		status string
		group  *NewGroup
		want   Subscription
	}{
		{"a public person", "public", nil, Subscribed},
		{"a feed that keeps robots out", "disallow-robots", nil, Subscribed},
		{"a protected person", "protected", nil, Requested},
		{"a private person", "private", nil, Requested},
		{"a public group", "", &NewGroup{Name: "public-group"}, Subscribed},
		{"a protected group", "", &NewGroup{Name: "protected-group", Status: "protected"}, Requested},
		{"a private group", "", &NewGroup{Name: "private-group", Status: "private"}, Requested},
		{"a group that one asks to join", "", &NewGroup{Name: "asked-group", Joining: "request"}, Requested},
	} {
		name := "bert"
		if tt.group != nil {
			name = tt.group.Name
			s.group("bert", *tt.group)
		} else {
			s.status("bert", tt.status)
		}
		for range 2 {
			if got, err := s.Subscribe(ctx, anna, FeedName{Name: name}, SubscribeOptions{}); err != nil || got != tt.want {
				t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
			}
		}
		requests, err := s.Requests(ctx, s.user("bert"))
		s.must(err)
		if asked := len(requests) == 1 && requests[0].From == anna; asked != (tt.want == Requested) {
			t.Errorf("%s: requests are %+v", tt.name, requests)
		}
		for _, r := range requests {
			s.must(s.Accept(ctx, s.user("bert"), r.UUID))
		}
		if state, err := s.Subscribe(ctx, anna, FeedName{Name: name}, SubscribeOptions{}); err != nil || state != Subscribed {
			t.Errorf("%s: after the answer %q, %v", tt.name, state, err)
		}
		s.must(s.Unsubscribe(ctx, anna, FeedName{Name: name}))
		if n := one[int](s, `select count(*) from subscriptions where user_id = $1`, anna); n != 0 {
			t.Errorf("%s: %d subscriptions are left", tt.name, n)
		}
	}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	ctx := t.Context()
	s.status("bert", "private")
	ask := func(name string) string {
		state, err := s.Subscribe(ctx, s.user(name), FeedName{Name: "bert"}, SubscribeOptions{})
		if err != nil || state != Requested {
			t.Fatalf("%s: %q, %v", name, state, err)
		}
		return one[string](s, `select id::text from subscription_requests where user_id = $1`, s.user(name))
	}
	s.must(s.Reject(ctx, s.user("bert"), ask("anna")))
	if n := one[int](s, `select count(*) from subscriptions`); n != 0 {
		t.Error("a person whose request was rejected is subscribed")
	}
	again := ask("anna")
	s.must(s.Withdraw(ctx, s.user("anna"), FeedName{Name: "bert"}))
	if err := s.Accept(ctx, s.user("bert"), again); !errors.Is(err, ErrNotFound) {
		t.Errorf("a withdrawn request is accepted: %v", err)
	}
	// Unsubscribing also withdraws a request.
	ask("anna")
	s.must(s.Unsubscribe(ctx, s.user("anna"), FeedName{Name: "bert"}))
	if n := one[int](s, `select count(*) from subscription_requests`); n != 0 {
		t.Error("a request is left")
	}
	// A request is not accepted because the feed becomes public; a second request
	// subscribes at once.
	ask("anna")
	ask("carl")
	s.status("bert", "public")
	if n := one[int](s, `select count(*) from subscriptions`); n != 0 {
		t.Error("a request was accepted by itself")
	}
	if state, err := s.Subscribe(ctx, s.user("anna"), FeedName{Name: "bert"}, SubscribeOptions{}); err != nil || state != Subscribed {
		t.Errorf("asked again: %q, %v", state, err)
	}
	requests, err := s.Requests(ctx, s.user("bert"))
	s.must(err)
	if len(requests) != 1 || requests[0].From != s.user("carl") || requests[0].Target.ID != s.timeline(WhatUser, "bert") {
		t.Errorf("requests are %+v, want Carl's", requests)
	}
}

// TestRequestsForThePrivateSubFeed: people request the private sub-feed like any private
// feed, also from a public person. The request does not subscribe them to the person's feed.
func TestRequestsForThePrivateSubFeed(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	anna, bert, private := s.user("anna"), s.user("bert"), FeedName{Name: "anna", Private: true}
	s.ask("bert", FeedName{Name: "anna"}, Subscribed)
	s.ask("bert", private, Requested)
	if sets := s.sets("anna"); sets.Incoming != 1 {
		t.Errorf("%d wait for Anna, want 1", sets.Incoming)
	}
	s.must(s.Reject(ctx, anna, s.requestOf("bert")))
	s.ask("bert", private, Requested)
	s.must(s.Withdraw(ctx, bert, private))
	s.ask("bert", private, Requested)
	s.must(s.Unsubscribe(ctx, bert, private))
	post := s.post("anna", "user_private")
	in := func(want bool) {
		t.Helper()
		if is := s.relation("bert", s.feed(private).ID); is[1] != 0 || (is[0] == 1) != want || s.reads("bert", post) != want {
			t.Errorf("Bert is %v to the feed, want subscribed: %v", is, want)
		}
	}
	in(false)
	s.ask("bert", private, Requested)
	s.answerAll("anna")
	in(true)
	s.must(s.Unsubscribe(ctx, bert, private))
	in(false)
	if is := s.relation("bert", s.feed(FeedName{Name: "anna"}).ID); is != [3]int{1, 0, 0} {
		t.Errorf("Bert is %v to Anna's feed", is)
	}
	s.status("anna", "fyeo") // fyeo is the feed's status, not the sub-feed's
	s.ask("bert", private, Requested)
	s.answerAll("anna")
	in(true)
}

func TestAdministratorsAnswerAndLeave(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	ctx := t.Context()
	id := s.group("anna", NewGroup{Name: "attic", Status: "private"})
	s.follow("bert", "attic")
	_, err := s.db.Pool.Exec(ctx, `insert into group_admins values ($1, $2)`, id, s.user("bert"))
	s.must(err)
	_, err = s.Subscribe(ctx, s.user("carl"), FeedName{Name: "attic"}, SubscribeOptions{})
	s.must(err)
	request := one[string](s, `select id::text from subscription_requests`)
	// Both administrators see the request. One answers; the answer of the other comes too late.
	s.same([]Change{
		{Kind: ChangeViewer, User: s.user("anna")}, {Kind: ChangeViewer, User: s.user("bert")}, {Kind: ChangeViewer, User: s.user("carl")},
	}, s.changesOf(func() { s.must(s.Accept(ctx, s.user("bert"), request)) }))
	if err := s.Accept(ctx, s.user("anna"), request); !errors.Is(err, ErrNotFound) {
		t.Errorf("a second answer: %v, want %v", err, ErrNotFound)
	}
	// Two administrators leave at the same time, and one of them stays: Bert begins
	// before Anna has left.
	left := make(chan error, 1)
	err = s.write(ctx, func(tx *txn) error {
		_, err := resign(ctx, tx, s.user("anna"), id)
		go func() { left <- s.Unsubscribe(ctx, s.user("bert"), FeedName{Name: "attic"}) }()
		const waiting = `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`
		for len(left) == 0 && !one[bool](s, waiting) {
			runtime.Gosched()
		}
		return err
	})
	s.must(err)
	s.must(s.Unsubscribe(ctx, s.user("anna"), FeedName{Name: "attic"}))
	if err := <-left; !errors.Is(err, ErrConflict) {
		t.Errorf("the last one leaves: %v, want %v", err, ErrConflict)
	}
	if n := one[int](s, `select count(*) from group_admins a join timelines t on t.their_id = a.group_id and t.what = 'group'
		join subscriptions s on s.timeline_id = t.id and s.user_id = a.user_id`); n != 1 {
		t.Errorf("%d administrators are subscribed, want 1", n)
	}
}

func TestBan(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	ctx := t.Context()
	s.follow("anna", "bert")
	s.follow("bert", "anna")
	s.follow("carl", "anna")
	s.group("bert", NewGroup{Name: "kitchen"})
	s.follow("anna", "kitchen")
	s.must(s.Ban(ctx, s.user("anna"), "bert"))
	users, groups, err := s.Subscriptions(ctx, s.user("anna"), "anna")
	s.must(err)
	if len(users) != 0 || len(groups) != 1 {
		t.Errorf("Anna follows %v and %v, want the kitchen alone", users, groups)
	}
	if got, err := s.Subscribers(ctx, 0, "anna"); err != nil || !slices.Equal(got, []UserID{s.user("carl")}) {
		t.Errorf("Anna's subscribers are %v, %v; want Carl", got, err)
	}
	s.must(s.Unban(ctx, s.user("bert"), "anna")) // a ban by Bert would be separate
	if _, err := s.Subscribe(ctx, s.user("bert"), FeedName{Name: "anna"}, SubscribeOptions{}); !errors.Is(err, ErrNotFound) {
		t.Errorf("across the ban: %v, want %v", err, ErrNotFound)
	}
	s.must(s.Unban(ctx, s.user("anna"), "bert"))
	if state, err := s.Subscribe(ctx, s.user("bert"), FeedName{Name: "anna"}, SubscribeOptions{}); err != nil || state != Subscribed {
		t.Errorf("after the ban: %q, %v", state, err)
	}
	s.must(s.Unsubscribe(ctx, s.user("bert"), FeedName{Name: "anna"}))
	// A request ends with a ban as well.
	s.status("anna", "private")
	_, err = s.Subscribe(ctx, s.user("bert"), FeedName{Name: "anna"}, SubscribeOptions{})
	s.must(err)
	s.must(s.Ban(ctx, s.user("bert"), "anna"))
	if got, err := s.Requests(ctx, s.user("anna")); err != nil || len(got) != 0 {
		t.Errorf("requests are %+v, %v", got, err)
	}
	s.checkPosts()
}

func TestLists(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl", "dora")
	ctx := t.Context()
	attic := s.group("anna", NewGroup{Name: "attic", Status: "private"})
	s.follow("bert", "attic")
	s.follow("bert", "anna")
	s.follow("carl", "anna")
	s.follow("dora", "carl")
	s.must(s.Ban(ctx, s.user("dora"), "bert"))
	s.status("carl", "private")
	type lists struct {
		Subscribers, Users []UserID
		Groups             []GroupID
		Err                error
	}
	ids := func(names ...string) (ids []UserID) {
		for _, name := range names {
			ids = append(ids, s.user(name))
		}
		return ids
	}
	for _, tt := range []struct {
		who, name string
		want      lists
	}{
		{"", "anna", lists{ids("bert", "carl"), nil, nil, nil}},
		{"dora", "anna", lists{ids("carl"), nil, nil, nil}}, // a ban is between her and Bert
		{"bert", "anna", lists{ids("bert", "carl"), nil, []GroupID{attic}, nil}},
		{"anna", "anna", lists{ids("bert", "carl"), nil, []GroupID{attic}, nil}},
		{"", "bert", lists{nil, ids("anna"), nil, nil}}, // Bert is in a group that the viewer can't read
		{"carl", "bert", lists{nil, ids("anna"), nil, nil}},
		{"anna", "bert", lists{nil, ids("anna"), []GroupID{attic}, nil}},
		{"", "dora", lists{}}, // the viewer can't read the feeds that Dora follows either
		{"anna", "dora", lists{}},
		{"carl", "dora", lists{nil, ids("carl"), nil, nil}},
		{"dora", "dora", lists{nil, ids("carl"), nil, nil}},
		{"dora", "bert", lists{Err: ErrForbidden}},
		{"", "carl", lists{Err: ErrForbidden}},
		{"anna", "carl", lists{Err: ErrForbidden}},
		{"dora", "carl", lists{ids("dora"), ids("anna"), nil, nil}},
		{"carl", "carl", lists{ids("dora"), ids("anna"), nil, nil}},
		{"", "attic", lists{Err: ErrForbidden}},
		{"", "zoe", lists{Err: ErrNotFound}},
	} {
		var viewer UserID
		if tt.who != "" {
			viewer = s.user(tt.who)
		}
		subscribers, err := s.Subscribers(ctx, viewer, tt.name)
		if !errors.Is(err, tt.want.Err) {
			t.Errorf("%q looks at %s: %v, want %v", tt.who, tt.name, err, tt.want.Err)
		}
		users, groups, err := s.Subscriptions(ctx, viewer, tt.name)
		if !errors.Is(err, tt.want.Err) {
			t.Errorf("%q looks at %s: %v, want %v", tt.who, tt.name, err, tt.want.Err)
		}
		slices.Sort(subscribers)
		if diff := gocmp.Diff(tt.want, lists{subscribers, users, groups, tt.want.Err}, gocmp.Comparer(errorsAre)); diff != "" {
			t.Errorf("%q looks at %s (-want +got):\n%s", tt.who, tt.name, diff)
		}
	}
	if members, err := s.Subscribers(ctx, s.user("bert"), "attic"); err != nil || len(members) != 2 {
		t.Errorf("members are %v, %v", members, err)
	}
	if _, _, err := s.Subscriptions(ctx, s.user("bert"), "attic"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a group's subscriptions: %v, want %v", err, ErrNotFound)
	}
	// Zoe deleted her account. Her remaining rows do not count.
	s.follow(s.added("zoe"), "anna")
	s.follow("bert", "zoe")
	s.must(s.SetPassword(ctx, s.user("zoe"), "correct horse"))
	s.endAccount(s.user("zoe"))
	if got, err := s.Subscribers(ctx, 0, "anna"); err != nil || slices.Contains(got, s.user("zoe")) {
		t.Errorf("Anna's subscribers are %v, %v", got, err)
	}
	if got, err := s.FeedSubscribers(ctx, s.user("anna"), FeedName{Name: "anna"}); err != nil || slices.Contains(got, s.user("zoe")) {
		t.Errorf("the subscribers whom Anna keeps are %v, %v", got, err)
	}
	type counts struct{ Subscribers, People, Groups int }
	for _, tt := range []struct {
		who, name string
		want      counts
	}{
		{"", "anna", counts{2, 0, 0}},
		{"", "bert", counts{0, 1, 0}},
		{"", "carl", counts{1, 1, 0}},
		{"", "dora", counts{0, 0, 0}},
		{"", "attic", counts{2, 0, 0}},
		{"dora", "anna", counts{1, 0, 0}}, // a ban is between her and Bert
		{"dora", "attic", counts{1, 0, 0}},
		{"dora", "dora", counts{0, 1, 0}},
		{"bert", "carl", counts{0, 1, 0}},
		{"bert", "anna", counts{2, 0, 1}},
	} {
		viewer := &Sets{}
		if tt.who != "" {
			viewer = s.sets(tt.who)
		}
		subscribers, err := s.CountSubscribers(ctx, viewer.User, tt.name)
		people, groups, err2 := s.CountSubscriptions(ctx, viewer, tt.name)
		if got := (counts{subscribers, people, groups}); err != nil || err2 != nil || got != tt.want {
			t.Errorf("%q counts of %s %+v, %v, %v; want %+v", tt.who, tt.name, got, err, err2, tt.want)
		}
	}
	// Carl sees all of Carl's subscriptions, even to feeds that Carl may not read any
	// more.
	s.status("carl", "fyeo")
	if users, _, err := s.Subscriptions(ctx, s.user("dora"), "dora"); err != nil || !slices.Equal(users, ids("carl")) {
		t.Errorf("Dora's own subscriptions are %v, %v", users, err)
	}
}

// added makes a public person, and returns the person's name.
func (s *site) added(name string) string {
	s.add(name)
	return name
}

func errorsAre(a, b error) bool { return errors.Is(a, b) }
