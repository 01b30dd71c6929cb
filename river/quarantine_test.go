package river

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// A poison is a set of posts that can't be handled at a stage.
type poison struct {
	mu    sync.Mutex
	stage string
	posts map[timeline.PostID]bool
	hit   int
}

func (p *poison) put(post timeline.PostID, bad bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.posts == nil {
		p.posts = make(map[timeline.PostID]bool)
	}
	p.posts[post] = bad
}

// panicOn panics at a stage of the node if one of the posts is poison. It is a hook of the node.
func (p *poison) panicOn(stage string, posts []timeline.PostID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if stage == p.stage && slices.ContainsFunc(posts, func(id timeline.PostID) bool { return p.posts[id] }) {
		p.hit++
		panic("poison")
	}
}

// TestPoisonIsQuarantined: posts that can't be read, decided, folded or published
// without a panic are in no river. All other posts stay visible, in pages that are
// being built, in open pages and in closed rivers. A post that changes and no
// longer causes a panic comes back.
func TestPoisonIsQuarantined(t *testing.T) {
	long(t)
	t.Parallel()
	for _, stage := range []string{"facts", "fold", "decide", "compare", "publish"} {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			p := newTestSite(t, "ann", "bob", "dan")
			p.stop()
			bad := &poison{stage: stage}
			p.faults.spoil = bad.panicOn
			p.set.Deepest = 40
			p.start()
			p.follow("ann", "bob")
			p.follow("dan", "bob")
			var posts []timeline.PostID
			for i := range 60 {
				posts = append(posts, p.post("bob", fmt.Sprint("bob ", i)))
			}
			for _, i := range []int{57, 50, 5} {
				bad.put(posts[i], true)
			}
			home := p.visit(p.home("ann"))
			if len(home) != 25 || slices.Contains(home, "bob 57") || slices.Contains(home, "bob 50") || home[2] != "bob 56" {
				t.Errorf("home is %q", home)
			}
			p.visit(everything(0))
			p.refused(single(0, posts[57]), timeline.ErrNotFound)
			deep, err := p.node.Visit(t.Context(), p.home("ann"), At{Skip: 45})
			p.must(err)
			if got := texts(deep.Entries); slices.Contains(got, "bob 5") || len(got) < 10 {
				t.Errorf("far below it is %q", got)
			}
			n := p.node.Stats().Quarantined
			if n != 3 && stage != "publish" || bad.hit == 0 {
				t.Errorf("%d posts are left out, want 3; %d panics", n, bad.hit)
			}
			p.compareAll()

			// Pages are open, and held posts go bad.
			_, open := p.opened(p.home("dan"), At{})
			held := posts[58]
			bad.put(held, true)
			p.like("ann", held)
			p.comment("dan", posts[56], "hello") // in the same turn, or the next
			fresh := p.post("bob", "bad from the first")
			bad.put(fresh, true)
			p.like("dan", fresh)
			good := p.post("bob", "after it")
			for _, key := range []Key{p.home("ann"), p.home("dan"), everything(0)} {
				p.sync()
				got := p.visit(key)
				if got[0] != "after it" || slices.Contains(got, "bob 58") || slices.Contains(got, "bad from the first") {
					t.Errorf("%s shows %q", key.Descriptor(), got[:4])
				}
			}
			p.compareAll()

			// An edit heals one of the posts, but not the other.
			bad.put(held, false)
			text := "bob 58, better"
			for _, post := range []timeline.PostID{held, fresh} {
				p.must(p.store.EditPost(t.Context(), p.user("bob"), post, timeline.PostEdit{Text: &text}))
			}
			p.sync()
			p.compareAll()
			if got := p.visit(p.home("dan")); !slices.Contains(got, text) || slices.Contains(got, "bad from the first") {
				t.Errorf("after the edit it is %q", got[:4])
			}
			if stage != "publish" {
				if _, err := open.Patch(open.Counter(), Window{High: timeline.Top}); err != nil {
					t.Errorf("the open page: %v", err)
				}
			}
			before := p.node.Turns()
			p.like("ann", good)
			p.sync()
			if turns := p.node.Turns() - before; turns > 20 {
				t.Errorf("a like takes %d turns", turns)
			}
			// The next process tries all of them again.
			open.Close()
			p.stop()
			bad.put(fresh, false)
			p.start()
			p.visit(p.home("ann"))
			p.compareAll()
			if got := p.visit(everything(0)); !slices.Contains(got, text) {
				t.Errorf("after a restart it is %q", got[:4])
			}
		})
	}
}

// TestPostThatCannotBeRenderedIsQuarantined: a caller that can't render a post reports the post
// to the node.
func TestPostThatCannotBeRenderedIsQuarantined(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.follow("ann", "bob")
	one := p.post("bob", "one")
	p.post("bob", "two")
	v, open := p.opened(p.home("ann"), At{})
	p.node.Quarantine(one, "it can't be drawn")
	p.sync()
	want(t, "home", p.visit(p.home("ann")), "two")
	patch, err := open.Patch(v.Counter, Window{High: timeline.Top})
	if err != nil || len(patch.Ops) != 1 || !patch.Ops[0].Gone {
		t.Errorf("the open page is told %+v (%v)", patch, err)
	}
	p.compareAll()
	p.like("ann", one)
	p.sync()
	want(t, "when it has changed", p.visit(p.home("ann")), "two", "one")
	p.compareAll()
	p.node.Quarantine(one, "nor now")
	p.sync()
	p.comment("ann", one, "which moves it, too")
	p.sync()
	want(t, "when it has moved", p.visit(p.home("ann")), "one", "two")
	p.compareAll()
}

// TestPanicInEveryTurnDropsAllRivers: every turn panics, and the cause is an unknown post. The
// node drops all rivers and continues after the change.
func TestPanicInEveryTurnDropsAllRivers(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.follow("ann", "bob")
	p.post("bob", "one")
	p.visit(p.home("ann"))
	p.stop()
	falls := 5
	p.faults.turn = func() error {
		if falls--; falls >= 0 {
			panic("made by the test")
		}
		return nil
	}
	forgot := make(chan struct{}, 10)
	p.config = func(c *Config) { c.Forgot = func() { forgot <- struct{}{} } }
	p.start()
	<-forgot
	want(t, "home", p.visit(p.home("ann")), "one")
	p.post("bob", "two")
	p.sync()
	want(t, "home", p.visit(p.home("ann")), "two", "one")
	p.compareAll()
}
