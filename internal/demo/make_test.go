package demo

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"amstel.dev/amstel/internal/audit"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/sitetest"
	"amstel.dev/amstel/migrations"
	"amstel.dev/amstel/timeline"
)

// countAll returns the numbers of people, posts and comments, and of the posts in the guest's home.
func countAll(t *testing.T, store *timeline.Store) (n struct{ People, Posts, Comments, Home int }) {
	t.Helper()
	const query = `
		select (select count(*) from users), (select count(*) from posts), (select count(*) from comments),
			(select count(distinct e.post_id) from timeline_entries e join subscriptions s using (timeline_id) join users u on u.id = s.user_id where u.name = 'guest')`
	if err := store.Pool().QueryRow(t.Context(), query).Scan(&n.People, &n.Posts, &n.Comments, &n.Home); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestMakeMakesASoundCommunityOnce(t *testing.T) {
	t.Parallel()
	ctx, store := t.Context(), timeline.New(pgtest.New(t), timeline.Options{})
	for range 2 {
		if err := Make(ctx, store, 1, time.Now()); err != nil {
			t.Fatal(err)
		}
		if n := countAll(t, store); n.People != 21 || n.Posts < 200 || n.Comments < 300 || n.Home < 100 {
			t.Errorf("the site has %+v", n)
		}
	}
	faults, err := audit.Check(ctx, store.Pool())
	if err != nil || len(faults) > 0 {
		t.Errorf("the audit finds %q, %v", faults, err)
	}
	secret, err := Link(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.UseLink(ctx, secret, true, ""); err != nil {
		t.Errorf("the guest's link: %v", err)
	}
}

func TestHistoryFollowsFromTheSeed(t *testing.T) {
	t.Parallel()
	c, err := load()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	var written [3][]byte
	for i, seed := range []uint64{1, 1, 2} {
		if written[i], err = newHistory(c, seed, now); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(written[0], written[1]) {
		t.Error("the same seed gives two histories")
	}
	if bytes.Equal(written[0], written[2]) {
		t.Error("two seeds give the same history")
	}
}

func TestMakeAndClearSpareTheSiteOfOthers(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, "anna")
	if err := Make(t.Context(), s.Store, 1, time.Now()); !errors.Is(err, ErrOther) {
		t.Errorf("Make returns %v, want %v", err, ErrOther)
	}
	if err := Clear(t.Context(), s.Pool()); !errors.Is(err, ErrOther) {
		t.Errorf("Clear returns %v, want %v", err, ErrOther)
	}
	if n := countAll(t, s.Store); n.People != 1 {
		t.Errorf("the site has %+v", n)
	}
}

func TestClearLeavesADatabaseForANewCommunity(t *testing.T) {
	if testing.Short() {
		t.Skip("makes two communities")
	}
	t.Parallel()
	ctx, store := t.Context(), timeline.New(pgtest.New(t), timeline.Options{})
	for _, seed := range []uint64{1, 2} {
		if err := Make(ctx, store, seed, time.Now()); err != nil {
			t.Fatal(err)
		}
		if seed == 2 {
			break
		}
		if err := Clear(ctx, store.Pool()); err != nil {
			t.Fatal(err)
		}
		if err := migrations.Up(ctx, store.Pool()); err != nil {
			t.Fatal(err)
		}
		if n := countAll(t, store); n.People != 0 || n.Posts != 0 {
			t.Errorf("after Clear the site has %+v", n)
		}
	}
}
