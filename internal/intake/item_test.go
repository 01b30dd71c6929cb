package intake

import (
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// TestPostsInADay: the items of a person's feeds are at most a hundred posts in a day.
func TestPostsInADay(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.newBlog("1")
	if _, err := d.store.Pool().Exec(t.Context(), `
		insert into intake_items (intake_id, key, seen_at, posted_at)
		select id, sha256(('x' || n)::bytea), $1, $1 from intakes, generate_series(1, 97) n`, d.now()); err != nil {
		t.Fatal(err)
	}
	b.post("2", "3", "4", "5")
	for range 3 {
		d.wait(time.Hour)
		d.work()
	}
	if got := d.posts(); len(got) != 3 || got[2] != "3" {
		t.Errorf("there are %v", got)
	}
	d.wait(24 * time.Hour)
	d.work()
	if got := d.posts(); len(got) != 5 {
		t.Errorf("a day later there are %v", got)
	}
}

// TestSkippedItems: an item that can't be posted is counted once for the owner of the feed, with the reason, and the others are posted.
func TestSkippedItems(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.newBlog("1")
	if _, err := d.store.ArrangeSite(t.Context(), timeline.SiteEdit{"refused": "cheap watches"}); err != nil {
		t.Fatal(err)
	}
	intake := func() timeline.Intake {
		t.Helper()
		all, err := d.store.Intakes(t.Context(), d.anna)
		if err != nil || len(all) != 1 {
			t.Fatalf("intakes: %v, %v", all, err)
		}
		return all[0]
	}
	if n := intake(); n.Skipped != 0 || n.SkippedFor != nil {
		t.Errorf("before, %d items were skipped: %v", n.Skipped, n.SkippedFor)
	}
	b.post("2", "Cheap watches", "3")
	for range 2 {
		d.wait(time.Hour)
		d.work()
	}
	if n := intake(); n.Skipped != 1 || n.SkippedFor == nil || n.SkippedFor.Code != "refused" || n.SkippedFor.Name != "cheap watches" || n.Fault != "" {
		t.Errorf("%d items were skipped: %+v; fault %q", n.Skipped, n.SkippedFor, n.Fault)
	}
	if got := d.posts(); len(got) != 3 {
		t.Errorf("there are %v", got)
	}
}
