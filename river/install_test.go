package river

import (
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestPostWrittenDuringABuildIsInstalled holds that a river has what turns read
// while it was built, though the builder's snapshot had none of it.
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
