package river

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// A flip is a reversible change of access.
type flip struct {
	name      string
	there     func(p *testSite) error
	backAgain func(p *testSite) error
}

var flips = []flip{
	{
		"a subscription",
		func(p *testSite) error {
			return p.store.Unsubscribe(p.t.Context(), p.user("ann"), timeline.FeedName{Name: "bob"})
		},
		func(p *testSite) error {
			_, err := p.store.Subscribe(p.t.Context(), p.user("ann"), timeline.FeedName{Name: "bob"}, timeline.SubscribeOptions{})
			return err
		},
	},
	{
		"bob's status",
		func(p *testSite) error { return p.setStatus("bob", "private") },
		func(p *testSite) error { return p.setStatus("bob", "public") },
	},
	{
		"bob's status, hard",
		func(p *testSite) error { return p.setStatus("bob", "fyeo") },
		func(p *testSite) error { return p.setStatus("bob", "protected") },
	},
	{
		"a ban",
		func(p *testSite) error { return p.store.Ban(p.t.Context(), p.user("ann"), "eve") },
		func(p *testSite) error { return p.store.Unban(p.t.Context(), p.user("ann"), "eve") },
	},
	{
		"a ban of a person she follows",
		func(p *testSite) error { return p.store.Ban(p.t.Context(), p.user("bob"), "ann") },
		func(p *testSite) error { return p.store.Unban(p.t.Context(), p.user("bob"), "ann") },
	},
	{
		"an exclusion",
		func(p *testSite) error {
			return p.store.Exclude(p.t.Context(), p.user("bob"), timeline.FeedName{Name: "bob"}, "ann")
		},
		func(p *testSite) error {
			return p.store.Readmit(p.t.Context(), p.user("bob"), timeline.FeedName{Name: "bob"}, "ann")
		},
	},
	{
		"a block from the group",
		func(p *testSite) error {
			return p.store.Exclude(p.t.Context(), p.user("bob"), timeline.FeedName{Name: "tea"}, "ann")
		},
		func(p *testSite) error {
			return p.store.Readmit(p.t.Context(), p.user("bob"), timeline.FeedName{Name: "tea"}, "ann")
		},
	},
	{
		"the group's status",
		func(p *testSite) error { return p.setGroup("private") },
		func(p *testSite) error { return p.setGroup("protected") },
	},
	{
		"a move",
		func(p *testSite) error { return p.move("user_fyeo") },
		func(p *testSite) error { return p.move("user", "group:tea") },
	},
}

func (p *testSite) setGroup(status string) error {
	return p.store.EditGroup(p.t.Context(), p.user("bob"), "tea", timeline.GroupEdit{Status: &status})
}

// move moves bob's post "that moves".
func (p *testSite) move(to ...string) error {
	v, err := p.node.FromPrimary(p.t.Context(), p.home("bob"), At{Count: 100})
	if err != nil {
		return err
	}
	for _, e := range v.Entries {
		if strings.HasPrefix(e.Fold.Text.Text, "moves") {
			return p.store.EditPost(p.t.Context(), p.user("bob"), e.Facts.ID, timeline.PostEdit{To: to})
		}
	}
	return fmt.Errorf("the post that moves is not there: %w", timeline.ErrNotFound)
}

// flipping makes a site with something to flip.
func flipping(t *testing.T, chunk int) *testSite {
	racetest.Long(t)
	p := newTestSite(t, "ann", "bob", "dan", "eve")
	p.set.chunk = chunk
	id, err := p.store.CreateGroup(t.Context(), p.user("bob"), timeline.NewGroup{Name: "tea", Status: "protected"})
	p.must(err)
	p.groups["tea"] = id
	p.follow("ann", "bob")
	p.follow("eve", "dan")
	for i := range 6 {
		post := p.post("bob", fmt.Sprint("bob ", i))
		p.comment("eve", post, "hello")
		p.like("dan", p.post("bob", fmt.Sprint("tea ", i), "group:tea"))
		p.like("eve", p.post("dan", fmt.Sprint("dan ", i)))
		p.like("ann", post)
	}
	p.post("bob", "moves", "user", "group:tea")
	return p
}

func (p *testSite) flippingKeys() []Key {
	keys := []Key{p.home("ann"), p.home("bob"), p.home("eve"), p.page("dan", KindLikes, "ann"), p.page("ann", KindComments, "eve")}
	for _, viewer := range []string{"", "ann", "eve"} {
		keys = append(keys, everything(p.user(viewer)), p.page(viewer, KindUser, "bob"), Key{p.user(viewer), KindGroup, int64(p.groups["tea"]), ""})
	}
	return keys
}

// visitAny visits a page, if the viewer may open it.
func (p *testSite) visitAny(key Key) {
	p.t.Helper()
	_, err := p.node.Visit(p.t.Context(), key, At{})
	if err != nil && !errors.Is(err, timeline.ErrForbidden) && !errors.Is(err, timeline.ErrNotFound) {
		p.t.Fatal(err)
	}
}

// TestFlipsEndInTheLastState: checklist FF12. Rights are taken and given back at random,
// with turns, visits and kills between. Every living river ends in the state of the last
// rights.
func TestFlipsEndInTheLastState(t *testing.T) {
	t.Parallel()
	seed := seedOf(t)
	for i := range uint64(soaked(3, 8)) {
		t.Run(fmt.Sprint(seed+i), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed+i, 12))
			p := flipping(t, 1+rng.IntN(4))
			k := p.mortal()
			keys := p.flippingKeys()
			var did []string
			for range 3 {
				_, watch := p.opened(p.home("ann"), At{}) // is swept without being asked for
				for _, key := range keys {
					p.visitAny(key)
				}
				for range 1 + rng.IntN(6) {
					f := flips[rng.IntN(len(flips))]
					do, way := f.there, "there"
					if rng.IntN(2) == 0 {
						do, way = f.backAgain, "back"
					}
					flip := func() {
						err := do(p)
						if err == nil {
							did = append(did, f.name+" "+way)
						} else if !errors.Is(err, timeline.ErrForbidden) && !errors.Is(err, timeline.ErrNotFound) && !errors.Is(err, timeline.ErrConflict) {
							t.Errorf("%s: %v", f.name, err)
						}
					}
					switch n := rng.IntN(8); {
					case n < 3:
						flip()
					case n < 5:
						flip()
						p.sync()
						did = append(did, "a turn")
					case n < 6:
						flip()
						p.visitAny(keys[rng.IntN(len(keys))])
						did = append(did, "a visit")
					case n < 7:
						watch.Close()
						flip()
						did = append(did, "closed")
					default:
						p.kill(k, flip)
						did = append(did, "killed")
					}
				}
				watch.Close()
				p.compareAll()
				for _, key := range keys {
					p.visitAny(key)
				}
				p.compareAll()
				if t.Failed() {
					t.Fatal(strings.Join(did, ", "))
				}
			}
		})
	}
}
