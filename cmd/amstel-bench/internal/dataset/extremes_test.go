package dataset

import (
	"testing"

	"amstel.dev/amstel/internal/audit"
	"amstel.dev/amstel/internal/pgtest"
)

// TestTownIsSound: the rows of extremes are made without the store, so the test checks them against the rules
// for all stored rows.
func TestTownIsSound(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	town := ExtremesOf(0.001)
	if err := town.Load(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	faults, err := audit.Check(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
	const query = `
		select
			(select count(*) from subscriptions where user_id = 1),
			(select count(*) from posts where user_id = 2),
			(select count(*) from posts where user_id = 3),
			(select count(*) from comments where user_id = 3),
			(select count(*) from subscriptions s join timelines t on t.id = s.timeline_id where t.what = 'group' and t.their_id = 1)`
	var follows, star, leaver, said, members int
	if err := pool.QueryRow(t.Context(), query).Scan(&follows, &star, &leaver, &said, &members); err != nil {
		t.Fatal(err)
	}
	if follows != town.Subscriptions || star != town.AuthorPosts || leaver != town.LeaverPosts || said != town.LeaverComments || members != town.Members+1 {
		t.Errorf("%d subscriptions, %d and %d posts, %d comments, %d members; want %+v", follows, star, leaver, said, members, town)
	}
}

func TestTownHasItsProfilesSize(t *testing.T) {
	t.Parallel()
	want := Extremes{
		Subscriptions: 2000, AuthorPosts: 50_000, Rivers: 1000, Open: 200, Members: 10_000, GroupPosts: 2000,
		LeaverPosts: 5000, LeaverComments: 20_000, MemberPosts: 20_000,
	}
	if got := ExtremesOf(1); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
