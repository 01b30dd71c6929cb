package river

import (
	"fmt"
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestLostRightsTakeEffectBeforeTheSweepEnds: from the turn that reads a loss of rights, no open
// page shows the lost parts, though a sweep of many chunks has only begun. Newly readable posts
// appear by the end of the sweep.
func TestLostRightsTakeEffectBeforeTheSweepEnds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func(p *testSite) error
		bad    func(p *testSite, e *Entry) bool
		back   func(p *testSite) error
	}{
		{
			"a ban takes the other's comments, likes and counts",
			func(p *testSite) error { return p.store.Ban(p.t.Context(), p.user("ann"), "eve") },
			func(p *testSite, e *Entry) bool {
				for _, c := range e.Fold.Comments.Comments {
					if c.User == p.user("eve") {
						return true
					}
				}
				return e.Fold.Comments.Count > 0 || len(e.Fold.Likes.Users) > 0 || len(e.Reasons.Of(timeline.WhatUserLikes)) > 0
			},
			func(p *testSite) error { return p.store.Unban(p.t.Context(), p.user("ann"), "eve") },
		},
		{
			"the end of a subscription takes its posts",
			func(p *testSite) error {
				return p.store.Unsubscribe(p.t.Context(), p.user("ann"), timeline.FeedName{Name: "bob"})
			},
			func(p *testSite, e *Entry) bool {
				return len(e.Reasons.Of(timeline.WhatUser)) > 0 && e.Fold.Author == p.user("bob")
			},
			func(p *testSite) error {
				_, err := p.store.Subscribe(p.t.Context(), p.user("ann"), timeline.FeedName{Name: "bob"}, timeline.SubscribeOptions{})
				return err
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newTestSite(t, "ann", "bob", "eve")
			p.stop()
			p.set.chunk = 2
			p.start()
			p.follow("ann", "bob")
			p.follow("ann", "eve")
			for i := range 20 {
				post := p.post("bob", fmt.Sprint(i))
				p.comment("eve", post, "hello")
				p.like("eve", post)
			}
			p.sync()
			w, err := p.node.Watch(t.Context(), p.home("ann"))
			p.must(err)
			defer w.Close()
			first, window, err := w.Resume(Resume{})
			p.must(err)
			page := make(map[timeline.PostID]*Entry)
			for _, e := range first.Entries {
				page[e.Facts.ID] = &e
			}
			counter := first.To
			hear := func() {
				t.Helper()
				patch, err := w.Patch(counter, window)
				p.must(err)
				for _, op := range patch.Ops {
					if page[op.Post] = op.Entry; op.Gone {
						delete(page, op.Post)
					}
				}
				counter = patch.To
			}
			bad := func() (n int) {
				for _, e := range page {
					if test.bad(p, e) {
						n++
					}
				}
				return n
			}
			before := len(page)
			if before < 20 || bad() < 20 {
				t.Fatalf("before: %d entries, %d to be taken", before, bad())
			}
			p.must(test.change(p))
			p.node.WaitRevoked()
			hear()
			if n := bad(); n > 0 {
				t.Errorf("%d entries show what was taken", n)
			}
			p.compareAll()
			hear()
			if n := bad(); n > 0 {
				t.Errorf("after the sweep %d entries show what was taken", n)
			}
			p.must(test.back(p))
			p.compareAll()
			hear()
			if len(page) != before || bad() < 20 {
				t.Errorf("after it was given back there are %d entries of %d, %d as before", len(page), before, bad())
			}
		})
	}
}

// TestRiversThatNoVisitorAsksForAreSweptWhileOthersAre: in every turn, visitors ask for as many
// other rivers as a turn sweeps, and the sweeps of these never end. Even so, an open river and a
// closed one reach the end of their sweeps, one chunk in each turn.
func TestRiversThatNoVisitorAsksForAreSweptWhileOthersAre(t *testing.T) {
	long(t)
	t.Parallel()
	const posts, chunk = 12, 2
	asking := []string{"ada", "bea", "cyd", "deb", "eva"}
	if len(asking) < sweepRivers {
		t.Fatalf("%d rivers are asked for, and a turn sweeps %d", len(asking), sweepRivers)
	}
	p := newTestSite(t, append([]string{"ann", "bob", "eve", "zoe"}, asking...)...)
	p.stop()
	p.set.chunk = chunk
	b := p.brake()
	p.start()
	members := append([]string{"ann", "zoe"}, asking...)
	for _, name := range members {
		p.follow(name, "bob")
	}
	for i := range posts {
		p.comment("eve", p.post("bob", fmt.Sprint(i)), "hello")
	}
	p.sync()
	p.live(p.home("ann"))
	for _, name := range asking {
		p.live(p.home(name))
	}
	p.visit(p.home("zoe"))
	p.waitSettled()

	b.hold()
	for _, name := range members {
		p.must(p.store.Ban(t.Context(), p.user(name), "eve"))
	}
	stale := func(name string) bool {
		_, stale, _, _ := p.of(p.home(name))
		return stale != 0
	}
	const most = posts/chunk + 1 // the last chunk finds nothing below
	for turn := range most {
		for _, name := range asking {
			rv, _, _, _ := p.of(p.home(name))
			p.node.wait(rv)
			switch { // the sweep begins again
			case turn == 0:
			case turn%2 == 1:
				p.must(p.store.Unban(t.Context(), p.user(name), "eve"))
			default:
				p.must(p.store.Ban(t.Context(), p.user(name), "eve"))
			}
		}
		b.one(p)
		if turn == 0 && !stale("ann") {
			t.Fatal("one turn swept an open river of many chunks")
		}
	}
	for _, name := range []string{"ann", "zoe"} {
		if stale(name) {
			t.Errorf("%s's river is not swept after %d turns", name, most)
		}
	}
	for _, name := range asking {
		if !stale(name) {
			t.Errorf("%s's river was swept to its end, so that others were not asked for in every turn", name)
		}
	}
	b.release()
	p.compareAll()
}
