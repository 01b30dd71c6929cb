package river

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// TestPostWrittenDuringABuildIsInstalled: a new river has the posts that turns read during its
// build, though the build's snapshot lacked them.
func TestPostWrittenDuringABuildIsInstalled(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
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
	p.sync() // the turn that reads the changes ends before the build does
	built.release()
	want(t, "the first visit", <-shown, "four", "two, edited", "one")
	p.compareAll()
}

// TestCommentWrittenDuringABuildIsInstalled is the same for the page of a post in another river.
// The page has all comments.
func TestCommentWrittenDuringABuildIsInstalled(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
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
	p.compareAll()
}

// TestBuildChangesNoOtherPage: a page counts as unchanged if a river with the same posts, people
// and groups is built.
func TestBuildChangesNoOtherPage(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
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

// TestCardChangedDuringABuildIsShownAsItIs checks that a new river shows people and groups as
// turns read them while the river was built, and not as in the snapshot of the build.
func TestCardChangedDuringABuildIsShownAsItIs(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	gates := p.gates()
	group, err := p.store.CreateGroup(t.Context(), p.user("bob"), timeline.NewGroup{Name: "tea", DisplayName: "Tea"})
	p.must(err)
	p.post("bob", "one", "user", "group:tea")
	p.sync()
	built := gates["after the builder's snapshot"]
	for _, test := range []struct {
		name string
		key  Key
		know Key // a river with the same cards
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
		p.sync() // the turn that reads the changes ends before the build does
		built.release()
		v := <-shown
		if bob, tea := v.Users[p.user("bob")], v.Groups[group]; bob == nil || tea == nil || bob.DisplayName != name || tea.DisplayName != name {
			t.Errorf("%s: shown are %+v and %+v, want the display name %q", test.name, bob, tea, name)
		}
		p.compareAll()
	}
}

// TestTurnReadsNothingThatABuildHasRead: the turn that installs a build reads only the posts and
// cards that changed during the build. So a visit reads as much as a page for a single answer.
func TestTurnReadsNothingThatABuildHasRead(t *testing.T) {
	long(t)
	t.Parallel()
	p, counted := newCountedSite(t, "ann", "bob")
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
		if strings.Contains(sql, "post_words") {
			note("words", 1)
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
		{"a search", p.search("", "one")},
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

// TestBuildOvertakenByAChangeBeginsAgain: a build is not installed if the rights it used have
// changed, or if the node can't know the changes.
func TestBuildOvertakenByAChangeBeginsAgain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		key    func(p *testSite) Key
		change func(p *testSite) // and a turn reads the change before the build is over
		want   []string
		builds int64
	}{
		{name: "a change of an author's access that it did not read", key: func(p *testSite) Key { return p.page("", KindUser, "bob") },
			change: func(p *testSite) { p.status("ann", "private") }, want: []string{"bob"}, builds: 1},
		{name: "a change of an author's access", key: func(*testSite) Key { return everything(0) },
			change: func(p *testSite) { p.status("bob", "private") }, want: []string{"ann"}, builds: 2},
		{name: "a change of the viewer's rights", key: func(p *testSite) Key { return everything(p.user("ann")) },
			change: func(p *testSite) { p.must(p.store.Ban(t.Context(), p.user("ann"), "bob")) }, want: []string{"ann"}, builds: 2},
		{name: "a change of one timeline that a search may ask for", key: func(p *testSite) Key { return p.search("ann", "tea") },
			change: func(p *testSite) {
				p.must(p.store.EditGroup(p.t.Context(), p.user("bob"), "club", timeline.GroupEdit{Status: new("public")}))
			}, want: []string{"tea at the club"}, builds: 2},
		{name: "changes that the node missed", key: func(*testSite) Key { return everything(0) },
			change: func(p *testSite) {
				for _, id := range p.ids(`select id from posts where text = 'bob'`) {
					p.edit("bob", timeline.PostID(id), timeline.PostEdit{Text: new("bob, edited")})
				}
				_, err := p.store.Pool().Exec(p.t.Context(), `update log_head set uuid = gen_random_uuid()`) // as an import does
				p.must(err)
			}, want: []string{"bob, edited", "ann"}, builds: 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newTestSite(t, "ann", "bob")
			gates := p.gates()
			_, err := p.store.CreateGroup(t.Context(), p.user("bob"), timeline.NewGroup{Name: "club", Status: "private"})
			p.must(err)
			p.post("ann", "ann")
			p.post("bob", "tea at the club", "group:club")
			p.post("bob", "bob")
			p.sync()
			built := gates["after the builder's snapshot"]
			built.arm(1)
			shown := make(chan []string, 1)
			go func() {
				v, err := p.node.Visit(t.Context(), test.key(p), At{})
				if err != nil || !v.Live {
					t.Errorf("the page is not of a river: %v", err)
					v = new(View)
				}
				shown <- texts(v.Entries)
			}()
			built.held(t)
			test.change(p)
			p.sync()
			built.release()
			want(t, "the page", <-shown, test.want...)
			if n := p.node.Stats().Builds; n != test.builds {
				t.Errorf("it took %d builds, want %d", n, test.builds)
			}
			p.compareAll()
		})
	}
}

// TestBuildInAnotherOrderBeginsAgain: a build is not installed if the order of the site has changed.
func TestBuildInAnotherOrderBeginsAgain(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	gates := p.gates()
	p.post("ann", "one")
	p.sync()
	shown := make(chan error, 1)
	p.holding(gates, func() {
		go func() {
			_, err := p.node.Visit(t.Context(), p.home("ann"), At{})
			shown <- err
		}()
		waitUntil(t, "the build waits for its installation", func() bool { return p.node.asks.toInstall() > 0 })
		_, err := p.store.ArrangeSite(t.Context(), timeline.SiteEdit{"lift": "false"})
		p.must(err)
	})
	p.must(<-shown)
	if rv, _, _, _ := p.of(p.home("ann")); rv.sorted != timeline.OrderFresh || p.node.Stats().Builds != 2 {
		t.Errorf("after %d builds the home is sorted by %q, want 2 and %q", p.node.Stats().Builds, rv.sorted, timeline.OrderFresh)
	}
	p.compareAll()
}

// TestBuildIsNotKeptInANodeThatIsFull: a page is read from the primary if the node became full
// during the build of its river.
func TestBuildIsNotKeptInANodeThatIsFull(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.post("ann", "ann")
	p.posts("bob", 10)
	p.visit(everything(0))
	p.waitSettled()
	_, bytes, _ := p.count()
	p.stop()
	p.set.Memory = bytes + 10_000
	built := new(gate)
	p.faults.building = built.pass
	p.start()
	p.live(everything(0))
	built.arm(1)
	shown := make(chan *View, 1)
	key := p.page("", KindUser, "ann")
	go func() {
		v, err := p.node.Visit(t.Context(), key, At{})
		if err != nil {
			t.Error(err)
			v = new(View)
		}
		shown <- v
	}()
	built.held(t)
	for range 20 {
		p.post("bob", strings.Repeat("long ", 200))
	}
	for range 3 {
		p.sync()
	}
	if !p.node.full.Load() {
		t.Fatal("the node is not full")
	}
	built.release()
	v := <-shown
	want(t, "the page", texts(v.Entries), "ann")
	if rv, _, _, _ := p.of(key); rv != nil || v.Live {
		t.Error("the river is kept")
	}
}

// TestRiverMadeMeanwhileIsKept: a build is discarded if its river lives when the build is
// installed. A visit that looks for the river just before its installation begins such a build.
func TestRiverMadeMeanwhileIsKept(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.post("ann", "one")
	want(t, "the page", p.visit(everything(0)), "one")
	made, _, _, _ := p.of(everything(0))
	p.must(p.node.waitBuilt(t.Context(), p.node.build(&build{key: everything(0), from: timeline.Top, need: 26})))
	if now, _, _, _ := p.of(everything(0)); now != made || len(p.node.st.rivers) != 1 {
		t.Errorf("another river took its place, and %d live", len(p.node.st.rivers))
	}
	p.compareAll()
}

// TestRiverWithoutAVisitorIsKeptLikeOthers: a river installed after its visitor disconnected
// counts as visited at its installation, also in the next life of the node.
func TestRiverWithoutAVisitorIsKeptLikeOthers(t *testing.T) {
	t.Parallel()
	for _, restart := range []bool{false, true} {
		t.Run(fmt.Sprintf("after a restart: %v", restart), func(t *testing.T) {
			t.Parallel()
			p := newTestSite(t, "ann")
			p.post("ann", "one")
			p.sync()
			p.must(p.node.waitBuilt(t.Context(), p.node.build(&build{key: everything(0), from: timeline.Top, need: 26})))
			if restart {
				p.stop()
				p.start()
			}
			p.expire()
			if rv, _, _, _ := p.of(everything(0)); rv == nil {
				t.Error("the river is gone as soon as it was made")
			}
			p.compareAll()
		})
	}
}

// TestSearchLeavesOutWhatItsPostsNoLongerSay: a turn looks up the words of posts that changed
// during the build of a search.
func TestSearchLeavesOutWhatItsPostsNoLongerSay(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	gates := p.gates()
	p.post("bob", "a blue boat")
	post := p.post("bob", "a red boat")
	p.sync()
	searched := gates["a turn begins"]
	shown := make(chan []string, 1)
	searched.arm(1)
	p.node.Ring()
	searched.held(t)
	go func() {
		v, err := p.node.Visit(t.Context(), p.search("ann", "boat"), At{})
		if err != nil {
			t.Error(err)
			v = new(View)
		}
		shown <- texts(v.Entries)
	}()
	waitUntil(t, "the build waits for its installation", func() bool { return p.node.asks.toInstall() > 0 })
	p.edit("bob", post, timeline.PostEdit{Text: new("a red car")})
	searched.release() // this turn reads the edit, and the next one installs the build
	want(t, "the search", <-shown, "a blue boat")
	p.compareAll()
}

// TestExtensionOfARiverThatIsSweptInItsTurnBeginsAgain checks that every swept entry was decided by
// the sweep. A sweep that a visitor asks for cuts a closed river down to a chunk. An extension
// installed in the same turn would put the floor back below the cut, and a walk under way still
// lets posts in there.
func TestExtensionOfARiverThatIsSweptInItsTurnBeginsAgain(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p := newTestSite(t, "bob", "dan", "gill")
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
	for range 3 { // the posts that the walk reads first
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
	waitUntil(t, "the build waits for its installation", func() bool { return p.node.asks.toInstall() > 0 })
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
	p.compareAll()
}

// TestExtensionOfARiverThatWasCutBeginsAgain: an extension begins above a floor. If the river is
// cut down to a floor higher up in the meantime, the river must not get a gap.
func TestExtensionOfARiverThatWasCutBeginsAgain(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p := newTestSite(t, "ann")
	p.stop()
	p.set.OpenMost = 30
	built := new(gate)
	p.faults.building = built.pass
	p.start()
	for i := range 40 {
		p.post("ann", fmt.Sprint(i))
	}
	p.sync()
	key := everything(0)
	p.live(key)
	rv, _, _, _ := p.of(key)
	from := rv.floor
	built.arm(1)
	older := make(chan []string, 1)
	go func() {
		v, err := p.node.Visit(t.Context(), key, At{Before: from, Count: 3})
		if err != nil {
			t.Error(err)
			v = new(View)
		}
		older <- texts(v.Entries)
	}()
	built.held(t)
	for range 8 {
		p.post("ann", "newer")
		p.sync()
	}
	if rv, _, _, _ := p.of(key); !from.Below(rv.floor) {
		t.Fatal("the river was not cut")
	}
	built.release()
	want(t, "the older page", <-older, "13", "12", "11")
	p.compareAll()
}

// TestExtensionOfARiverThatEndedIsLeftOut: an extension does not bring back a river that ended.
func TestExtensionOfARiverThatEndedIsLeftOut(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann")
	p.stop()
	built := new(gate)
	p.faults.building = built.pass
	p.start()
	for i := range 12 {
		p.post("ann", fmt.Sprint(i))
	}
	p.sync()
	key := everything(0)
	_, err := p.node.Visit(t.Context(), key, At{Count: 5})
	p.must(err)
	rv, _, _, _ := p.of(key)
	built.arm(1)
	b := p.node.build(&build{key: key, rv: rv, from: rv.floor, need: 3})
	built.held(t)
	p.clock.advance(2 * p.node.cfg.Settings.Grace)
	p.expire()
	if rv, _, _, _ := p.of(key); rv != nil {
		t.Fatal("the river did not end")
	}
	built.release()
	if err := p.node.waitBuilt(t.Context(), b); !errors.Is(err, ErrGone) {
		t.Errorf("the extension: %v, want %v", err, ErrGone)
	}
	if n := p.compareAll(); n != 0 {
		t.Errorf("%d rivers live, want none", n)
	}
}

// toInstall returns how many builds wait for a turn to install them.
func (a *asks) toInstall() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.built)
}
