package river

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestPostWrittenDuringABuildIsInstalled holds that a new river has the posts that turns read
// while it was built, though the snapshot of the build did not have them.
func TestPostWrittenDuringABuildIsInstalled(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "ann", "bob")
	gates := p.gates()
	p.post("bob", "one")
	old := p.post("bob", "two", "user_fyeo")
	gone := p.post("bob", "three")
	p.sync()
	built := gates["after the builder's snapshot"]
	built.arm(1)
	shown := make(chan []string)
	go func() {
		defer close(shown)
		v, err := p.node.Visit(t.Context(), everything(0), At{})
		if err != nil {
			t.Error(err)
			return
		}
		shown <- texts(v.Entries)
	}()
	built.held(t)
	p.edit("bob", old, timeline.PostEdit{To: []string{"user"}})
	p.must(p.store.DeletePost(t.Context(), p.user("bob"), gone))
	p.post("bob", "four")
	p.sync() // the turn that reads the changes is over before the build is
	built.release()
	want(t, "the first visit", <-shown, "four", "two", "one")
	p.right()
}

// TestExtensionOfARiverThatIsSweptInItsTurnBeginsAgain holds that no entry counts
// as swept which the sweep did not come to. A sweep that a visitor asks for cuts a
// river that is not open down to a chunk. An extension installed in the same turn
// would put the floor back below what was cut off, and a walk under way still lets
// posts in there.
func TestExtensionOfARiverThatIsSweptInItsTurnBeginsAgain(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "bob", "dan", "gill")
	p.stop()
	p.set.chunk = 2
	b, built := p.brake(), new(gate)
	p.faults.building = built.pass
	p.start()
	liked := func(author, text string) { p.like("gill", p.post(author, text)) }
	for i := range 3 {
		liked("dan", fmt.Sprint("dan ", i))
	}
	liked("bob", "bob")
	for i := range 3 {
		liked("dan", fmt.Sprint("dan ", 3+i))
	}
	for range 3 { // the walk comes to these first
		p.post("bob", "not liked")
	}
	p.status("bob", "private")
	p.sync()
	key := p.page("", KindLikes, "gill")
	v, err := p.node.Visit(t.Context(), key, At{Count: 3})
	p.must(err)
	want(t, "before", texts(v.Entries), "dan 5", "dan 4", "dan 3")
	rv, _, _, n := p.of(key)
	if n != 4 || rv.finished {
		t.Fatalf("the river holds %d entries, finished: %v", n, rv.finished)
	}

	built.arm(1)
	older := make(chan []string, 1)
	go func() {
		v, err := p.node.Visit(t.Context(), key, At{Before: rv.floor, Count: 1})
		if err != nil {
			t.Error(err)
			v = new(View)
		}
		older <- texts(v.Entries)
	}()
	built.held(t)
	b.hold()
	p.status("bob", "public")
	b.one(p)
	if jobs := p.node.st.jobs; len(jobs) != 1 || jobs[0].kind != jobWalk || jobs[0].at != timeline.Top {
		t.Fatalf("after the change of access there is left to do: %+v", jobs)
	}
	built.release()
	for p.node.asks.toInstall() == 0 {
		runtime.Gosched()
	}
	swept := p.node.waitSwept(rv)
	b.one(p)
	<-swept
	if jobs := p.node.st.jobs; len(jobs) != 1 {
		t.Fatalf("the walk is over: %+v", jobs)
	}
	v, _, err = p.node.viewFromMemory(key, At{Count: 5})
	p.must(err)
	if v != nil && !slices.Contains(texts(v.Entries), "bob") {
		t.Errorf("in the middle of a walk the page shows %q", texts(v.Entries))
	}
	b.release()
	want(t, "the older page", <-older, "dan 1")
	v, err = p.node.Visit(t.Context(), key, At{Count: 6})
	p.must(err)
	want(t, "in the end", texts(v.Entries), "dan 5", "dan 4", "dan 3", "bob", "dan 2", "dan 1")
	p.right()
}

// toInstall returns how many builds wait for a turn to install them.
func (a *asks) toInstall() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.built)
}
