package river

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// TestBuiltAhead: a home that was built before its reader came is shown without a build, and
// counts as a hit once. If the reader does not come, the home is dropped after an hour, and counts
// as a miss. A home that the node has already is not built.
func TestBuiltAhead(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.stop()
	told := make(map[string]int)
	p.config = func(c *Config) {
		c.Came = func(key Key, came bool) { told[fmt.Sprint(key.Viewer, came)]++ }
	}
	p.start()
	p.post("ann", "soup")
	p.sync()
	prepare := func(who string) bool {
		t.Helper()
		built, err := p.node.Prepare(t.Context(), p.home(who))
		p.must(err)
		return built
	}
	if !prepare("ann") || !prepare("bob") || prepare("ann") {
		t.Fatal("homes that do not live are not built, or one that lives is")
	}
	builds := p.node.Stats().Builds
	want(t, "Ann's home", p.visit(p.home("ann")), "soup")
	p.visit(p.home("ann"))
	if n := p.node.Stats().Builds; n != builds {
		t.Errorf("the visits took %d builds", n-builds)
	}
	p.visit(p.home("eve"))
	p.clock.advance(aheadFor - time.Minute)
	p.expire()
	if rv := p.node.st.byKey[p.home("bob")]; rv == nil {
		t.Error("Bob's home goes within the hour")
	}
	p.clock.advance(2 * time.Minute)
	p.expire()
	p.node.mu.RLock()
	ann, bob := p.node.st.byKey[p.home("ann")], p.node.st.byKey[p.home("bob")]
	p.node.mu.RUnlock()
	if ann == nil || bob != nil {
		t.Errorf("after an hour Ann's home lives: %v, Bob's: %v", ann != nil, bob != nil)
	}
	if got, want := p.node.Stats().Ahead, (Ahead{Built: 2, Hits: 1, Misses: 1, First: 2}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
	if told[fmt.Sprint(p.user("ann"), true)] != 1 || told[fmt.Sprint(p.user("bob"), false)] != 1 || len(told) != 2 {
		t.Errorf("told %v", told)
	}
	p.compareAll()
}

// TestBuiltAheadOnlyInIdleTime: the node builds nothing ahead while a reader waits for a build,
// while there is little room, or for a page that its viewer may not open.
func TestBuiltAheadOnlyInIdleTime(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.post("ann", "soup")
	p.sync()
	busy := func(why string) {
		t.Helper()
		if built, err := p.node.Prepare(t.Context(), p.home("bob")); built || !errors.Is(err, ErrBusy) {
			t.Errorf("%s: built %v, %v; want ErrBusy", why, built, err)
		}
	}
	finish := p.building(p.home("ann"))
	busy("while another reader waits for a build")
	finish()
	p.node.scarce.Store(true)
	busy("with little room")
	p.node.scarce.Store(false)
	if _, err := p.node.Prepare(t.Context(), Key{Viewer: p.user("bob"), What: KindHome, TheirID: int64(p.user("ann"))}); !errors.Is(err, timeline.ErrNotFound) {
		t.Errorf("the home of another person: %v", err)
	}
	if built, err := p.node.Prepare(t.Context(), p.home("bob")); !built || err != nil {
		t.Errorf("of an idle node: built %v, %v", built, err)
	}
}

// TestScarce: a node that uses four fifths of its budget has no room to build ahead.
func TestScarce(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	for i := range 20 {
		p.post("ann", fmt.Sprint(i))
	}
	p.visit(p.home("ann"))
	for _, tt := range []struct {
		memory int64
		want   bool
	}{{p.node.Stats().Memory * 10 / 7, false}, {p.node.Stats().Memory * 10 / 9, true}} {
		p.stop()
		p.set.Memory = tt.memory
		p.start()
		p.sync()
		if got := p.node.scarce.Load(); got != tt.want {
			t.Errorf("with %d bytes of %d: scarce %v, want %v", p.node.Stats().Memory, tt.memory, got, tt.want)
		}
	}
}
