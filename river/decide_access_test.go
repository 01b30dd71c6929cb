package river

import (
	"errors"
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestEachCheckAlone: checklist MO6. Each of the four access checks hides its
// rivers and posts even when another check is broken: (1) a viewer without the right to
// a page gets an error before there is a river; (2) some rivers can't be addressed
// by other viewers; (3) each post is checked by its decisive timelines; (4)
// unreadable timelines feed nothing.
func TestEachCheckAlone(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		broken broken
		leaks  bool // so the test would notice
	}{
		{name: "none is broken"},
		{name: "the page's gate", broken: broken{open: true}},
		{name: "the address", broken: broken{address: true}},
		{name: "the decisive timelines", broken: broken{read: true}},
		{name: "the timelines that feed", broken: broken{feed: true}},
		{name: "gate and decisive timelines", broken: broken{open: true, read: true}},
		{name: "gate and feeds", broken: broken{open: true, feed: true}},
		{name: "decisive timelines and feeds", broken: broken{read: true, feed: true}, leaks: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newTestSite(t, "ann", "bob", "eve")
			p.stop()
			p.checks = test.broken
			p.start()
			ctx := t.Context()
			// Eve is one of ann's sub-feed's readers, so she may open ann's page;
			// ann's feed is private, and no business of hers.
			p.status("ann", "private")
			_, err := p.store.Subscribe(ctx, p.user("eve"), timeline.FeedName{Name: "ann", Private: true}, timeline.SubscribeOptions{})
			p.must(err)
			requests, err := p.store.Requests(ctx, p.user("ann"))
			p.must(err)
			p.must(p.store.Accept(ctx, p.user("ann"), requests[0].UUID))
			p.post("ann", "for eve", "user_private")
			p.post("ann", "secret")
			p.post("ann", "secret", "direct:bob")
			p.post("ann", "secret", "user_fyeo")
			p.sync()
			shown := make(map[string]bool)
			for _, key := range []Key{
				p.page("eve", KindUser, "ann"), p.home("eve"), everything(p.user("eve")), everything(0), p.page("", KindUser, "ann"),
				{Viewer: p.user("eve"), What: KindDirects, TheirID: int64(p.user("ann"))},
				{Viewer: p.user("eve"), What: KindHome, TheirID: int64(p.user("ann"))},
			} {
				v, err := p.node.Visit(ctx, key, At{})
				if errors.Is(err, timeline.ErrForbidden) || errors.Is(err, timeline.ErrNotFound) {
					continue
				}
				p.must(err)
				for _, text := range texts(v.Entries) {
					shown[text] = true
				}
			}
			if shown["secret"] != test.leaks {
				t.Errorf("a secret is shown: %v", shown["secret"])
			}
			if !shown["for eve"] {
				t.Error("what she may read is kept from her")
			}
		})
	}
}

// A broken is access checks some of which fail.
type broken struct {
	checks
	open    bool // every page opens
	address bool // rivers are given to other viewers
	read    bool // every post may be read
	feed    bool // every timeline feeds
}

func (b broken) addressable(key Key) bool { return b.address || b.checks.addressable(key) }

func (b broken) opens(sets *timeline.Sets, gate timeline.Timeline) bool {
	return b.open || b.checks.opens(sets, gate)
}

func (b broken) reads(known basis, sets *timeline.Sets, f *timeline.Facts) bool {
	return b.read && !f.Deleted || b.checks.reads(known, sets, f)
}

func (b broken) feeds(sets *timeline.Sets, t timeline.Timeline) bool {
	return b.feed || b.checks.feeds(sets, t)
}
