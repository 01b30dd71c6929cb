package river

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// TestPageOfAPostHasNoParts checks that a page of a single post shows the whole post, for
// each part that a client may ask for, and from each source: memory, the primary, a
// socket.
func TestPageOfAPostHasNoParts(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	post := p.post("bob", "one")
	p.like("ann", post)
	p.sync()
	key := single(p.user("ann"), post)
	whole, w := p.opened(key, At{})
	place := whole.Entries[0].Cursor
	cached, _, ok := p.node.CacheKey(key, At{})
	if !ok {
		t.Fatal("the page has no key")
	}
	for name, at := range map[string]At{
		"by number": {Skip: 20, Count: 4}, "before": {Before: place}, "after": {After: place}, "start from": {StartFrom: 1},
		"without replies": {NoReplies: true}, "a run": {Run: 1}, "by publication": {Order: OrderCreated}, "by score": {Order: OrderTop},
		"after, and by number": {After: timeline.Top, Skip: 1},
	} {
		shows := func(where string, have []Have, err error) {
			t.Helper()
			if diff := cmp.Diff(haveOf(whole), have); err != nil || diff != "" {
				t.Errorf("%s, %s: %v (-want +got):\n%s", name, where, err, diff)
			}
		}
		for where, read := range map[string]func() (*View, error){
			"visited":          func() (*View, error) { return p.node.Visit(t.Context(), key, at) },
			"from the primary": func() (*View, error) { return p.node.FromPrimary(t.Context(), key, at) },
		} {
			v, err := read()
			if err != nil {
				v = &View{}
			}
			shows(where, haveOf(v), err)
			if live := where == "visited"; err == nil && (v.Live != live || v.Number != 0 || v.Older != nil) {
				t.Errorf("%s, %s: live %v, number %d, older %v", name, where, v.Live, v.Number, v.Older)
			}
		}
		if c, _, ok := p.node.CacheKey(key, at); !ok || c != cached {
			t.Errorf("%s: the key is %v, %v, want %v", name, c, ok, cached)
		}
		patch, window, err := w.Resume(Resume{At: at, Epoch: "another"})
		if err != nil {
			patch = &Patch{}
		}
		shows("opened", haveOf(&View{Entries: patch.Entries}), err)
		if want := (Window{High: timeline.Top, Count: defaultCount}); window != want {
			t.Errorf("%s: the window is %+v, want %+v", name, window, want)
		}
	}
}
