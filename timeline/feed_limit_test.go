package timeline

import (
	"testing"
	"time"
)

// TestLimits fills each set up to one below its limit: the set takes one more row and refuses
// the next.
func TestLimits(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	ctx := t.Context()
	anna, feed := s.user("anna"), FeedName{Name: "anna"}
	id := s.feed(feed).ID
	fill := func(query string, args ...any) {
		t.Helper()
		_, err := s.db.Pool.Exec(ctx, query, args...)
		s.must(err)
	}
	fill(`
		with named as (
			insert into names (name, what, their_id) select 'many' || n, 'user', 1000000 + n from generate_series(1, 10000) n returning name
		)
		insert into users (name, display_name) select name, name from named`)
	for what, tt := range map[string]struct {
		limit int
		fill  string
		whose any
		add   func(name string) error
	}{
		"invitations": {maxInvitations, `
			insert into invitations (user_id, timeline_id, from_id)
			select id, $1, (select id from users where name = 'anna') from users where name like 'many%' limit $2`, id,
			func(name string) error { _, err := s.Invite(ctx, anna, feed, name); return err }},
		"excluded people": {maxExcluded, `
			insert into timeline_excluded (user_id, timeline_id) select id, $1 from users where name like 'many%' limit $2`, id,
			func(name string) error { return s.Exclude(ctx, anna, feed, name) }},
		"bans": {maxBans, `
			insert into bans (user_id, target_id) select $1, id from users where name like 'many%' limit $2`, anna,
			func(name string) error { return s.Ban(ctx, anna, name) }},
		"hidden people": {maxHiddenPeople, `
			insert into hidden_users (user_id, target_id) select $1, id from users where name like 'many%' limit $2`, anna,
			func(name string) error { return s.HideUser(ctx, anna, name, HiddenParts{Posts: true}) }},
	} {
		fill(tt.fill, tt.whose, tt.limit-1)
		s.must(tt.add("bert"))
		if err := tt.add("carl"); !isErr(err, errInvalid) {
			t.Errorf("%s: one more than there can be: %v", what, err)
		}
		s.must(tt.add("bert")) // Bert is in the set already
		fill(`truncate invitations, timeline_excluded, bans, hidden_users`)
	}
	// The list of subscribers has only the newest, and the count has all of them.
	fill(`insert into subscriptions (user_id, timeline_id, created_at) select id, $1, $2 from users where name like 'many%'`, id, s.clock.Add(-time.Hour))
	s.follow("bert", "anna")
	for what, list := range map[string]func() ([]UserID, error){
		"public": func() ([]UserID, error) { return s.Subscribers(ctx, 0, "anna") },
		"kept":   func() ([]UserID, error) { return s.FeedSubscribers(ctx, anna, feed) },
	} {
		if got, err := list(); err != nil || len(got) != maxListed || got[0] != s.user("bert") {
			t.Errorf("the %s list has %d, %v", what, len(got), err)
		}
	}
	if n, err := s.CountSubscribers(ctx, 0, "anna"); err != nil || n != 10_001 {
		t.Errorf("%d subscribers, %v", n, err)
	}
}

func TestOfManyHiddenPostsTheOldestAreShown(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	anna, first, second := s.user("anna"), s.post("bert"), s.post("bert")
	hides := func(want int, post PostID, is bool) {
		t.Helper()
		hidden := s.sets("anna").HiddenPosts
		if len(hidden) != want || hidden[post] != is {
			t.Errorf("Anna hides %d posts, want %d; post %d: %v", len(hidden), want, post, hidden[post])
		}
	}
	s.must(s.HidePost(ctx, anna, first))
	_, err := s.db.Pool.Exec(ctx, `
		with made as (
			insert into posts (id, user_id, text, published_at, updated_at, fresh_at, places)
			select n, $1, '', now(), now(), 0, '{}' from generate_series(1, $3) n returning id
		)
		insert into hidden_posts (user_id, post_id, created_at) select $2, id, $4 from made`,
		s.user("bert"), anna, maxHiddenPosts-1, s.clock.Add(time.Minute))
	s.must(err)
	hides(maxHiddenPosts, first, true)
	s.wait(time.Hour)
	s.must(s.HidePost(ctx, anna, second))
	hides(maxHiddenPosts, first, false)
	hides(maxHiddenPosts, second, true)
}
