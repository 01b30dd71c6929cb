package river

import (
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

func want(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestHomeFollowsWhatHappens(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.follow("ann", "bob")
	first := p.post("bob", "first")
	p.post("eve", "of a stranger")
	want(t, "home when it is made", p.visit(p.home("ann")), "first")
	second := p.post("bob", "second")
	p.sync()
	want(t, "home after a post", p.visit(p.home("ann")), "second", "first")
	p.comment("ann", first, "hear, hear")
	p.sync()
	want(t, "home after a comment", p.visit(p.home("ann")), "first", "second")
	p.must(p.store.DeletePost(t.Context(), p.user("bob"), second))
	p.sync()
	want(t, "home after a deletion", p.visit(p.home("ann")), "first")
	p.follow("ann", "eve")
	p.sync()
	want(t, "home after subscribing", p.visit(p.home("ann")), "first", "of a stranger")
	p.must(p.store.Ban(t.Context(), p.user("ann"), "eve"))
	p.sync()
	want(t, "home after a ban", p.visit(p.home("ann")), "first")
	p.compareAll()
}

func TestRiversOfEachKind(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	id, err := p.store.CreateGroup(t.Context(), p.user("bob"), timeline.NewGroup{Name: "tea", DisplayName: "Tea"})
	p.must(err)
	own := p.post("bob", "own")
	p.post("bob", "in the group", "group:tea")
	p.post("bob", "to ann", "direct:ann")
	p.like("ann", own)
	p.comment("eve", own, "so?")
	bob := int64(p.user("bob"))
	for _, test := range []struct {
		name string
		key  Key
		want []string
	}{
		{"user", p.page("ann", KindUser, "bob"), []string{"own"}},
		{"user, anonymous", p.page("", KindUser, "bob"), []string{"own"}},
		{"likes", p.page("bob", KindLikes, "ann"), []string{"own"}},
		{"comments", p.page("", KindComments, "eve"), []string{"own"}},
		{"group", Key{Viewer: 0, What: KindGroup, TheirID: int64(id)}, []string{"in the group"}},
		{"everything", everything(0), []string{"own", "in the group"}},
		{"directs of one", p.page("ann", KindDirects, "ann"), []string{"to ann"}},
		{"directs of the other", p.page("bob", KindDirects, "bob"), []string{"to ann"}},
		{"directs of another person", p.page("eve", KindDirects, "eve"), nil},
		{"one's own home", p.home("bob"), []string{"own", "to ann", "in the group"}},
		{"a single post", single(0, own), []string{"own"}},
		{"a person with a friend's like", p.home("ann"), []string{"own", "to ann"}},
	} {
		want(t, test.name, p.visit(test.key), test.want...)
	}
	p.refused(Key{Viewer: p.user("eve"), What: KindDirects, TheirID: bob}, timeline.ErrNotFound)
	p.refused(Key{Viewer: 0, What: KindHome}, timeline.ErrNotFound)
	p.compareAll()
}

func TestPostOfAPersonThatWentPrivateLeavesOthersPages(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.follow("ann", "bob")
	post := p.post("bob", "soon private")
	p.like("eve", post)
	for _, key := range []Key{everything(0), everything(p.user("eve")), p.page("eve", KindLikes, "eve"), p.page("", KindLikes, "eve"), single(0, post)} {
		want(t, "before", p.visit(key), "soon private")
	}
	want(t, "before", p.visit(p.page("eve", KindUser, "bob")), "soon private")
	p.status("bob", "private")
	p.node.WaitRevoked()
	for _, key := range []Key{everything(0), everything(p.user("eve")), p.page("eve", KindLikes, "eve"), p.page("", KindLikes, "eve")} {
		want(t, "after", p.visit(key))
	}
	p.refused(single(0, post), timeline.ErrNotFound)
	p.refused(p.page("eve", KindUser, "bob"), timeline.ErrForbidden)
	p.refused(p.page("", KindUser, "bob"), timeline.ErrForbidden)
	want(t, "a subscriber", p.visit(p.home("ann")), "soon private")
	p.compareAll()
	p.status("bob", "public")
	p.sync()
	for _, key := range []Key{everything(0), everything(p.user("eve")), p.page("eve", KindLikes, "eve"), p.page("", KindLikes, "eve"), single(0, post)} {
		want(t, "public again", p.visit(key), "soon private")
	}
	p.compareAll()
}

func TestRestartGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.follow("ann", "bob")
	post := p.post("bob", "one")
	p.visit(p.home("ann"))
	p.visit(single(p.user("ann"), post))
	before, err := p.node.Visit(t.Context(), p.home("ann"), At{})
	p.must(err)
	p.stop()
	p.post("bob", "while it was down")
	p.comment("bob", post, "so, too")
	p.start()
	after, err := p.node.Visit(t.Context(), p.home("ann"), At{})
	p.must(err)
	if before.Epoch != after.Epoch {
		t.Errorf("the river was made anew")
	}
	want(t, "home", texts(after.Entries), "one", "while it was down")
	p.compareAll()
}

func TestLostRiverDBLosesNothing(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.follow("ann", "bob")
	p.post("bob", "one")
	want(t, "before", p.visit(p.home("ann")), "one")
	p.removeRiverDB()
	want(t, "after", p.visit(p.home("ann")), "one")
	p.post("bob", "two")
	p.sync()
	want(t, "later", p.visit(p.home("ann")), "two", "one")
	p.compareAll()
}

// TestVisitWaitsForTheFirstTurn: a visit before the first turn of a node waits for the turn. The
// visit neither shows the state of the river DB from before the start, nor fails.
func TestVisitWaitsForTheFirstTurn(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.post("ann", "one")
	want(t, "before", p.visit(everything(0)), "one")
	p.stop()
	p.post("ann", "two")
	hold, visiting := make(chan struct{}), make(chan []string)
	p.faults.turn = func() error { <-hold; return nil }
	node, err := Open(t.Context(), Config{Store: p.store, Path: p.path, Settings: p.set, Now: p.clock.now, hooks: &p.faults})
	p.must(err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var wg sync.WaitGroup
	wg.Go(func() { _ = node.Run(ctx) })
	p.stop = sync.OnceFunc(func() { cancel(); wg.Wait() })
	wg.Go(func() {
		v, err := node.Visit(ctx, everything(0), At{})
		if err != nil {
			t.Error(err)
			v = &View{}
		}
		visiting <- texts(v.Entries)
	})
	select {
	case got := <-visiting:
		t.Errorf("before the first turn it showed %v", got)
	case hold <- struct{}{}:
	}
	close(hold)
	want(t, "after the first turn", <-visiting, "two", "one")
}
