package river

import "testing"

// TestNumberedPagePastTheEndIsToldNothing: a numbered page without entries gets no entries of
// the pages above it.
func TestNumberedPagePastTheEndIsToldNothing(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	one := p.post("bob", "one")
	p.sync()
	at := At{Skip: 8, Count: 2}
	v, w := p.opened(everything(0), at)
	want(t, "the page", texts(v.Entries))
	_, window, err := w.Resume(Resume{At: at, Epoch: v.Epoch, Counter: v.Counter})
	p.must(err)
	p.like("ann", one)
	p.post("bob", "two")
	p.sync()
	open, err := w.Patch(v.Counter, window)
	p.must(err)
	slept, _, err := w.Resume(Resume{At: at, Epoch: v.Epoch, Counter: v.Counter})
	p.must(err)
	for who, patch := range map[string]*Patch{"an open page": open, "a page that slept": slept} {
		for _, op := range patch.Ops {
			if !op.Gone {
				t.Errorf("%s is sent %q", who, op.Entry.Fold.Text.Text)
			}
		}
	}
}
