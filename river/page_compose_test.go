package river

import (
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// More posts than a page looks at stand at one moment, as posts do that were imported
// with their days only, and the viewer may read none of them. The links to older
// pages lead past them all the same.
func TestOlderPageLeadsPastPostsOfOneMoment(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.stop()
	p.set.Candidates, p.set.Deepest = 2, 2
	p.start()
	p.post("ann", "below")
	p.must(p.store.Ban(t.Context(), p.user("bob"), "eve"))
	for range 40 {
		p.post("eve", "unreadable")
		p.clock.advance(-time.Second) // each post moves the clock on
	}
	at, found := At{Count: 1}, 0
	for range 50 {
		v, err := p.node.FromPrimary(t.Context(), everything(p.user("bob")), at)
		p.must(err)
		found += len(v.Entries)
		if v.Older == nil {
			if found != 1 {
				t.Errorf("%d posts were found, want 1", found)
			}
			return
		}
		if at.Before != (timeline.Cursor{}) && !v.Older.Below(at.Before) {
			t.Fatalf("the page below %v leads to the page below %v", at.Before, *v.Older)
		}
		at.Before = *v.Older
	}
	t.Error("the pages never end")
}
