package river

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	p.edit("bob", old, timeline.PostEdit{To: []string{"user"}, Text: new("two, edited")})
	p.must(p.store.DeletePost(t.Context(), p.user("bob"), gone))
	p.post("bob", "four")
	p.sync() // the turn that reads the changes is over before the build is
	built.release()
	want(t, "the first visit", <-shown, "four", "two, edited", "one")
	p.right()
}

// TestCommentWrittenDuringABuildIsInstalled is the same for the page of a post that another river
// holds, which has every comment.
func TestCommentWrittenDuringABuildIsInstalled(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "ann", "bob")
	gates := p.gates()
	post := p.post("bob", "one")
	p.sync()
	want(t, "the river that holds the post", p.visit(everything(0)), "one")
	built := gates["after the builder's snapshot"]
	built.arm(1)
	comments := make(chan int, 1)
	go func() {
		v, err := p.node.Visit(t.Context(), single(0, post), At{})
		if err != nil {
			t.Error(err)
			comments <- 0
			return
		}
		comments <- len(v.Entries[0].Fold.Comments.Comments)
	}()
	built.held(t)
	p.comment("ann", post, "hello")
	p.sync()
	built.release()
	if n := <-comments; n != 1 {
		t.Errorf("the page of the post has %d comments, want 1", n)
	}
	p.right()
}

// TestBuildChangesNoOtherPage holds that a page counts as unchanged if a river is built that shows the
// same posts, people and groups.
func TestBuildChangesNoOtherPage(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "ann", "bob")
	group, err := p.store.CreateGroup(t.Context(), p.user("bob"), timeline.NewGroup{Name: "tea", DisplayName: "Tea"})
	p.must(err)
	post := p.post("bob", "one", "user", "group:tea")
	p.sync()
	pages := []Key{p.page("", KindUser, "bob"), {What: KindGroup, TheirID: int64(group)}, single(0, post)}
	changed := func() (at []int64) {
		t.Helper()
		for _, key := range pages {
			v, err := p.node.Visit(t.Context(), key, At{})
			p.must(err)
			at = append(at, v.Changed)
		}
		return at
	}
	changed() // makes the rivers
	before := changed()
	for _, key := range []Key{everything(0), p.home("bob"), single(p.user("ann"), post)} {
		want(t, "another river", p.visit(key), "one")
	}
	if diff := cmp.Diff(before, changed()); diff != "" {
		t.Errorf("the pages count as changed (-before +after):\n%s", diff)
	}
}

// TestCardChangedDuringABuildIsShownAsItIs holds that a new river shows people and groups as
// turns read them while the river was built, and not as in the snapshot of the build.
func TestCardChangedDuringABuildIsShownAsItIs(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "ann", "bob")
	gates := p.gates()
	group, err := p.store.CreateGroup(t.Context(), p.user("bob"), timeline.NewGroup{Name: "tea", DisplayName: "Tea"})
	p.must(err)
	p.post("bob", "one", "user", "group:tea")
	p.sync()
	built := gates["after the builder's snapshot"]
	for _, test := range []struct {
		name string
		key  Key
		know Key // a river that has the cards already
	}{
		{name: "cards that no river has", key: everything(0)},
		{name: "cards that a river has", key: everything(p.user("ann")), know: everything(0)},
	} {
		if test.know != (Key{}) {
			p.visit(test.know)
		}
		built.arm(1)
		shown := make(chan *View, 1)
		go func() {
			v, err := p.node.Visit(t.Context(), test.key, At{})
			if err != nil {
				t.Error(err)
				v = new(View)
			}
			shown <- v
		}()
		built.held(t)
		name := "changed: " + test.name
		p.must(p.store.SetProfile(t.Context(), p.user("bob"), timeline.ProfileEdit{DisplayName: &name}))
		p.must(p.store.EditGroup(t.Context(), p.user("bob"), "tea", timeline.GroupEdit{DisplayName: &name}))
		p.sync() // the turn that reads the changes is over before the build is
		built.release()
		v := <-shown
		if bob, tea := v.Users[p.user("bob")], v.Groups[group]; bob == nil || tea == nil || bob.DisplayName != name || tea.DisplayName != name {
			t.Errorf("%s: shown are %+v and %+v, want the display name %q", test.name, bob, tea, name)
		}
		p.right()
	}
}

// TestTurnReadsNothingThatABuildHasRead holds that the turn which installs a build reads of
// its posts and cards only those that have changed: a visit reads as much as a page that is
// read for one answer.
func TestTurnReadsNothingThatABuildHasRead(t *testing.T) {
	t.Parallel()
	p, counted := newCountedPlace(t, "ann", "bob")
	p.stop()
	var mu sync.Mutex
	read := make(map[string]int)
	note := func(what string, n int) {
		mu.Lock()
		defer mu.Unlock()
		read[what] += n
	}
	counted.batched = func(sql string) {
		if strings.Contains(sql, "avatar_url") {
			note("cards", 1)
		}
	}
	p.faults.spoil = func(stage string, posts []timeline.PostID) {
		if stage == "facts" || stage == "fold" {
			note(stage, len(posts))
		}
	}
	p.start()
	_, err := p.store.CreateGroup(t.Context(), p.user("bob"), timeline.NewGroup{Name: "tea", DisplayName: "Tea"})
	p.must(err)
	one := p.post("bob", "one", "user", "group:tea")
	two := p.post("ann", "two")
	p.comment("ann", one, "hello")
	p.sync()
	for _, test := range []struct {
		name string
		key  Key
	}{
		{"a page of posts that no river holds", p.page("", KindUser, "bob")},
		{"the page of a post that a river holds", single(0, one)},
		{"the page of a post that a river like it holds", single(p.user("ann"), one)},
		{"the page of a post that no river holds", single(0, two)},
		{"a page of posts of which rivers hold all", everything(0)},
	} {
		counts := func(by func() (*View, error)) map[string]int {
			t.Helper()
			mu.Lock()
			clear(read)
			mu.Unlock()
			_, err := by()
			p.must(err)
			mu.Lock()
			defer mu.Unlock()
			return maps.Clone(read)
		}
		once := counts(func() (*View, error) { return p.node.FromPrimary(t.Context(), test.key, At{}) })
		visit := counts(func() (*View, error) { return p.node.Visit(t.Context(), test.key, At{}) })
		if diff := cmp.Diff(once, visit); diff != "" {
			t.Errorf("%s: read for one answer, and by a build and a turn (-once +visit):\n%s", test.name, diff)
		}
	}
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
