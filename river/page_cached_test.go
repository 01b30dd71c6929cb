package river

import (
	"fmt"
	"slices"
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestPagesWithEqualCacheKeysLookTheSame changes a site at random. The cache key of a page
// always equals the key of its visit, and pages with equal keys look the same.
func TestPagesWithEqualCacheKeysLookTheSame(t *testing.T) {
	t.Parallel()
	r := newRun(t, seedOf(t), faults{})
	looks := make(map[string]string)
	stamped, again := 0, 0
	people := slices.Clone(r.world.People)
	for range 100 {
		r.step()
		for _, viewer := range []timeline.UserID{0, people[3].ID} {
			for _, key := range []Key{everything(viewer), {viewer, KindUser, int64(people[0].ID), ""}, {viewer, KindLikes, int64(people[1].ID), ""}} {
				for _, at := range []At{{}, {Count: 3}, {Count: 3, Skip: 3}} {
					cached, sets, ok := r.node.CacheKey(key, at)
					v, err := r.node.Visit(t.Context(), key, at)
					after, _, still := r.node.CacheKey(key, at)
					if err != nil || !v.Live || !ok || !still || cached != after {
						continue // nothing to tell, or a turn came between
					}
					stamped++
					if v.CacheKey() != cached || v.Sets != sets {
						t.Fatalf("%v %v: key %v, of the visit %v; the same sets: %t", key, at, cached, v.CacheKey(), v.Sets == sets)
					}
					look := fmt.Sprint(v.Older != nil, v.Sets.Incoming)
					for _, e := range v.Entries {
						look += " " + e.Tag
					}
					name := fmt.Sprint(key, at, cached.Epoch, cached.Changed)
					if before, seen := looks[name]; seen {
						again++
						if before != look {
							t.Fatalf("%s: looked like %s, now like %s", name, before, look)
						}
					}
					looks[name] = look
				}
			}
		}
	}
	if stamped < 100 || again < 20 {
		t.Errorf("only %d keys, %d of them again", stamped, again)
	}
}

func TestNoCacheKeyOfAPageThatIsNotReady(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "ben")
	key := p.page("ben", KindUser, "ann")
	if _, _, ok := p.node.CacheKey(key, At{}); ok {
		t.Error("a river that is not there has a key")
	}
	post := p.post("ann", "one")
	p.visit(key)
	p.visit(single(p.user("ben"), post))
	for _, key := range []Key{key, single(p.user("ben"), post)} {
		if _, _, ok := p.node.CacheKey(key, At{}); !ok {
			t.Errorf("%v has no key", key)
		}
	}
	p.status("ann", "private")
	p.sync()
	for _, key := range []Key{key, single(p.user("ben"), post)} {
		if _, _, ok := p.node.CacheKey(key, At{}); ok {
			t.Errorf("%v, which ben may not open any more, has a key", key)
		}
	}
}

// TestCacheKeyTellsThatAPersonFollowsAnother: the key of a page changes when any person follows another, even a person
// without rivers, because pages tell who follows their viewer. No other write has that effect.
func TestCacheKeyTellsThatAPersonFollowsAnother(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "ben", "cat")
	key := p.page("ann", KindUser, "ben")
	p.visit(key)
	keyOf := func() CacheKey {
		p.sync()
		k, _, ok := p.node.CacheKey(key, At{})
		if !ok {
			t.Fatal("the page has no key")
		}
		return k
	}
	before := keyOf()
	p.post("cat", "elsewhere")
	if now := keyOf(); now != before {
		t.Errorf("after a post that is not on the page the key is %v, before %v", now, before)
	}
	_, err := p.store.Subscribe(t.Context(), p.user("cat"), timeline.FeedName{Name: "ann"}, timeline.SubscribeOptions{})
	p.must(err)
	now := keyOf()
	if now.Followed <= before.Followed || now.Changed != before.Changed {
		t.Errorf("after a subscription the key is %v, before %v", now, before)
	}
	p.post("cat", "elsewhere again")
	if last := keyOf(); last.Followed != now.Followed {
		t.Errorf("after another post the key is %v, before %v", last, now)
	}
}

// TestLookAtAnUnchangedPageAllocatesNothingForItsEntries: a kept page is looked at for each request, and an open page in each
// round. Both take the same few allocations for five entries and for a hundred.
func TestLookAtAnUnchangedPageAllocatesNothingForItsEntries(t *testing.T) {
	a := newAlone(t, everything(1))
	a.rv.finished = true
	looks := func() (key, patch float64) {
		key = testing.AllocsPerRun(100, func() {
			if _, _, ok := a.n.CacheKey(a.rv.key, At{Count: 100}); !ok {
				t.Error("the page has no key")
			}
		})
		window := Window{High: timeline.Top}
		patch = testing.AllocsPerRun(100, func() {
			if p, err := a.w.Patch(a.w.Counter(), window); err != nil || len(p.Ops) > 0 {
				t.Errorf("the page has %d changes: %v", len(p.Ops), err)
			}
		})
		return key, patch
	}
	keyOfFew, patchOfFew := looks()
	for i := range timeline.PostID(95) {
		a.add(i+10, 100+int64(i))
	}
	key, patch := looks()
	if key > keyOfFew || patch > patchOfFew || key > 2 || patch > 8 { // 1 and 5
		t.Errorf("a kept page of a hundred entries takes %v allocations, of five %v; an open page %v and %v", key, keyOfFew, patch, patchOfFew)
	}
}
