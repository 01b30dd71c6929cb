package river

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// A sleeper is an open page that was asleep, in the last state sent to it.
type sleeper struct {
	p      *testSite
	watch  *Watch
	window Window
	shows  []Have
	from   int64
}

// wakeUp connects a page that was made once. It returns nil if the page may not connect.
func (p *testSite) wakeUp(v *View) *sleeper {
	p.t.Helper()
	w, err := p.node.Watch(p.t.Context(), v.Key)
	if err != nil {
		if !errors.Is(err, timeline.ErrForbidden) && !errors.Is(err, timeline.ErrNotFound) {
			p.t.Fatal(err)
		}
		return nil
	}
	patch, window, err := w.Resume(Resume{Epoch: v.Epoch, Counter: v.Counter, Have: haveOf(v)})
	p.must(err)
	s := &sleeper{p: p, watch: w, window: window, shows: haveOf(v)}
	s.apply(patch)
	return s
}

// apply follows the client's rule.
func (s *sleeper) apply(patch *Patch) {
	s.from = patch.To
	if patch.Reset {
		s.shows = haveOf(&View{Entries: patch.Entries})
	}
	for _, op := range patch.Ops {
		s.shows = slices.DeleteFunc(slices.Clone(s.shows), func(h Have) bool { return h.Post == op.Post })
		if !op.Gone {
			i := slices.IndexFunc(s.shows, func(h Have) bool { return h.Post == op.After }) + 1
			s.shows = slices.Insert(s.shows, i, Have{op.Post, op.Entry.Tag})
		}
	}
}

// applyAndCompare applies the changes since the page fell asleep, and fails the test unless the
// page equals its window of the river.
func (s *sleeper) applyAndCompare(when string) {
	t := s.p.t
	t.Helper()
	patch, err := s.watch.Patch(s.from, s.window)
	if errors.Is(err, ErrGone) {
		return // the page is made anew
	}
	s.p.must(err)
	s.apply(patch)
	n, rv := s.p.node, s.watch.rv
	n.mu.RLock()
	defer n.mu.RUnlock()
	window := []Have{}
	for _, e := range rv.order {
		if e.cursor.Below(s.window.High) && !e.cursor.Below(s.window.Low) {
			if shown, may := n.st.entry(rv, e, n.st.newCardCollector()); may {
				window = append(window, Have{e.post.facts.ID, shown.Tag})
			}
		}
	}
	if diff := cmp.Diff(window, append([]Have{}, s.shows...)); diff != "" {
		t.Errorf("%s, %+v, which slept (-want +got):\n%s", when, rv.key, diff)
	}
}

// TestResumeAfterAKillHasAllChangesOfRights: rights change while a page sleeps, and the node is killed at
// some moment of the sweeps and jobs. When the page wakes up, it gets all changes, whether
// or not the sweeps and jobs have ended. Cached pages from before are not served.
func TestResumeAfterAKillHasAllChangesOfRights(t *testing.T) {
	t.Parallel()
	for i, f := range flips {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			p := flipping(t, 2)
			p.set.Marks = 3
			k := p.mortal()
			for round := range soaked(2, 8) {
				do, turns := []func(*testSite) error{f.there, f.backAgain}[round%2], (i+round)%4
				p.compareAll()
				var views []*View
				for _, key := range p.flippingKeys() {
					v, err := p.node.Visit(t.Context(), key, At{})
					switch {
					case err == nil:
						views = append(views, v)
					case !errors.Is(err, timeline.ErrForbidden) && !errors.Is(err, timeline.ErrNotFound):
						t.Fatal(err)
					}
				}
				_, open := p.opened(p.home("ann"), At{}) // swept without a visit
				p.kill(k, func() { p.must(do(p)) })
				open.Close()
				for range turns {
					p.kill(k, func() {})
				}
				var awake []*sleeper
				for _, v := range views {
					p.kept(v, "after "+f.name)
					if s := p.wakeUp(v); s != nil {
						awake = append(awake, s)
					}
				}
				p.compareAll()
				for _, s := range awake {
					s.applyAndCompare("told in the middle of " + f.name)
					s.watch.Close()
				}
				for _, v := range views {
					p.kept(v, "settled after "+f.name)
					if s := p.wakeUp(v); s != nil {
						s.applyAndCompare("told after " + f.name)
						s.watch.Close()
					}
				}
			}
		})
	}
}

// kept fails the test unless a cached page counts as valid only if it is valid.
func (p *testSite) kept(v *View, when string) {
	p.t.Helper()
	k, _, good := p.node.CacheKey(v.Key, At{})
	if !good || k.Epoch != v.Epoch || k.Changed != v.Changed {
		return
	}
	now, err := p.node.Visit(p.t.Context(), v.Key, At{})
	p.must(err)
	if diff := cmp.Diff(haveOf(v), haveOf(now)); diff != "" {
		p.t.Errorf("%s, a kept page of %+v counts as good (-kept +now):\n%s", when, v.Key, diff)
	}
}
