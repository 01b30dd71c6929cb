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
					epoch, changed, ok := r.node.CacheKey(key, at)
					v, err := r.node.Visit(t.Context(), key, at)
					after, last, still := r.node.CacheKey(key, at)
					if err != nil || !v.Live || !ok || !still || epoch != after || changed != last {
						continue // nothing to tell, or a turn came between
					}
					stamped++
					if v.Epoch != epoch || v.Changed != changed {
						t.Fatalf("%v %v: stamp %s %d, visit %s %d", key, at, epoch, changed, v.Epoch, v.Changed)
					}
					look := fmt.Sprint(v.Older != nil, v.Sets.Incoming)
					for _, e := range v.Entries {
						look += " " + e.Tag
					}
					name := fmt.Sprint(key, at, epoch, changed)
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
		t.Errorf("only %d stamps, %d of them again", stamped, again)
	}
}

func TestNoCacheKeyOfAPageThatIsNotReady(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "ben")
	key := p.page("ben", KindUser, "ann")
	if _, _, ok := p.node.CacheKey(key, At{}); ok {
		t.Error("a river that is not there has a stamp")
	}
	post := p.post("ann", "one")
	p.visit(key)
	p.visit(single(p.user("ben"), post))
	for _, key := range []Key{key, single(p.user("ben"), post)} {
		if _, _, ok := p.node.CacheKey(key, At{}); !ok {
			t.Errorf("%v has no stamp", key)
		}
	}
	p.status("ann", "private")
	p.sync()
	for _, key := range []Key{key, single(p.user("ben"), post)} {
		if _, _, ok := p.node.CacheKey(key, At{}); ok {
			t.Errorf("%v, which ben may not open any more, has a stamp", key)
		}
	}
}
