package measure

import (
	"bytes"
	"context"
	"testing"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/timeline"
)

// TestOracleFindsWhatIsLost consults the oracle about writes of which the primary has half.
func TestOracleFindsWhatIsLost(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	r := &run{Config: c}
	if err := r.importFile(t.Context()); err != nil {
		t.Fatal(err)
	}
	store := timeline.New(c.Pool, timeline.Options{})
	members, err := r.activeMembers(t.Context(), store)
	if err != nil || len(members) < 3 {
		t.Fatalf("%d members: %v", len(members), err)
	}
	one, other, third := members[0], members[1], members[2]
	var by timeline.UserID
	err = c.Pool.QueryRow(t.Context(), `select id from users where name = $1`, one.Name).Scan(&by)
	if err == nil {
		err = store.Like(t.Context(), by, other.Post)
	}
	if err == nil {
		_, err = store.Subscribe(t.Context(), by, timeline.FeedName{Name: other.Name}, timeline.SubscribeOptions{})
	}
	if err == nil {
		_, err = c.Pool.Exec(t.Context(), `delete from subscriptions s using users u, timelines t, users f
			where u.id = s.user_id and t.id = s.timeline_id and f.id = t.their_id and u.name = $1 and f.name = $2`, one.Name, third.Name)
	}
	if err != nil {
		t.Fatal(err)
	}
	acknowledged := &client.Acknowledged{
		Texts:   []string{"What do you think?", "gone"},
		Likes:   []client.Like{{By: one.Name, Post: other.Post}, {By: one.Name, Post: third.Post}},
		Follows: []client.Follow{{By: one.Name, Feed: other.Name}, {By: one.Name, Feed: third.Name}},
	}
	if lost, err := r.lost(t.Context(), acknowledged); lost != 3 || err != nil {
		t.Errorf("%d of %d writes are lost (%v), want 3", lost, acknowledged.Count(), err)
	}
	for _, bad := range []finding{{lost: 1}, {unequal: 1}, {differences: 1}} {
		if bad.whole() {
			t.Errorf("%v is whole", bad)
		}
	}
}

// TestOracleFindsNothingOnAHealthyNode consults the oracle about a node with one open page.
func TestOracleFindsNothingOnAHealthyNode(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	r := &run{Config: c}
	if err := r.importFile(t.Context()); err != nil {
		t.Fatal(err)
	}
	store := timeline.New(c.Pool, timeline.Options{})
	err := c.Serve(t.Context(), store, func(ctx context.Context, site Site) error {
		sockets, err := client.StartSockets(ctx, nil)
		if err != nil {
			return err
		}
		pages := &client.FollowedPages{Sockets: sockets, Site: site.Address}
		if err := pages.Open([]client.Page{{Path: hotPath}}); err != nil {
			return err
		}
		found, err := r.consult(ctx, store, site, pages, &client.Acknowledged{})
		if err != nil || !found.whole() || found.rivers == 0 {
			t.Errorf("%v, %v", found, err)
		}
		return sockets.Stop(true)
	})
	if err != nil {
		t.Fatal(err)
	}
}
