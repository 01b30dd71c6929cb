package river

import (
	"fmt"
	"testing"
)

// TestRiverHoldsWhatItsPagesNeed: a river is made with the entries of a page and the entry
// below the page, and extended for further pages by as few, until it holds [Settings.Deepest]
// entries. Deeper pages are read from the primary, and the river stays as it was.
func TestRiverHoldsWhatItsPagesNeed(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.stop()
	p.set.Deepest = 12
	p.start()
	for i := range 40 {
		p.post("ann", fmt.Sprint(i))
	}
	p.sync()
	for i, test := range []struct {
		name     string
		first    int // entries on the first page
		held     int
		next     At // the zero Before means the page below the first one
		live     bool
		heldThen int
	}{
		{name: "the next page", first: 3, held: 4, next: At{Count: 5}, live: true, heldThen: 10},
		{name: "a page by number", first: 3, held: 4, next: At{Skip: 8, Count: 2}, live: true, heldThen: 11},
		{name: "a page by number that ends with the deepest entry", first: 3, held: 4, next: At{Skip: 8, Count: 4}, live: true, heldThen: 13},
		{name: "a page by number that ends below the deepest entry", first: 3, held: 4, next: At{Skip: 8, Count: 5}, heldThen: 4},
		{name: "a page below a river that holds as many as it may", first: 11, held: 12, next: At{Count: 5}, heldThen: 12},
		{name: "a page below a river that may hold one more", first: 10, held: 11, next: At{Count: 5}, live: true, heldThen: 17},
		{name: "a first page of as many as the river may hold", first: 12, held: defaultCount + 1, next: At{Count: 5}, live: true, heldThen: defaultCount + 1},
	} {
		key := p.page([]string{"", "ann", "bob", "eve"}[i%4], []Kind{KindUser, KindEverything}[i/4], []string{"ann", ""}[i/4])
		top, err := p.node.Visit(t.Context(), key, At{Count: test.first})
		p.must(err)
		if _, _, _, held := p.of(key); held != test.held || !top.Live {
			t.Errorf("%s: a river that was made for %d entries holds %d, want %d", test.name, test.first, held, test.held)
		}
		if test.next.Skip == 0 {
			test.next.Before = *top.Older
		}
		v, err := p.node.Visit(t.Context(), key, test.next)
		p.must(err)
		if _, _, _, held := p.of(key); len(v.Entries) != test.next.Count || v.Live != test.live || held != test.heldThen {
			t.Errorf("%s has %d entries, live %v, and the river holds %d then; want %d, %v and %d", test.name, len(v.Entries), v.Live, held, test.next.Count, test.live, test.heldThen)
		}
	}
}
