package river

import (
	"slices"
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestDeletedAccountIsGoneAtOnce: from the answer on, no page of any timeline shows posts
// and comments of a deleted account, though a job deletes them one by one later. When the
// job does, no page changes.
func TestDeletedAccountIsGoneAtOnce(t *testing.T) {
	t.Parallel()
	goneAtOnce(t, func(p *testSite) error { return p.store.DeleteAccount(t.Context(), p.user("ann"), "correct horse") })
}

// TestSuspendedAccountIsGoneAtOnceAndComesBack: the same of a suspended account. After the suspension and its job all is as
// before, on pages that stayed open, too.
func TestSuspendedAccountIsGoneAtOnceAndComesBack(t *testing.T) {
	t.Parallel()
	p, before := goneAtOnce(t, func(p *testSite) error { return p.store.Suspend(t.Context(), p.user("ann")) })
	open := []*viewport{p.viewport(everything(0), At{}), p.viewport(p.home("bob"), At{})}
	p.must(p.store.Restore(t.Context(), p.user("ann")))
	p.sync()
	p.compareAll()
	p.runAccountJobs()
	p.sync()
	for key, posts := range before {
		if got := p.visit(key); !slices.Equal(got, posts) {
			t.Errorf("%v has %v after the suspension, want %v", key, got, posts)
		}
	}
	for _, o := range open {
		o.applyPatch()
		var got []string
		for _, post := range o.shows {
			got = append(got, o.texts[post])
		}
		if want := before[o.watch.rv.key]; !slices.Equal(got, want) {
			t.Errorf("the open page %v has %v after the suspension, want %v", o.watch.rv.key, got, want)
		}
	}
	p.compareAll()
}

// runAccountJobs works off all jobs of accounts.
func (p *testSite) runAccountJobs() {
	p.t.Helper()
	for more := true; more; {
		var err error
		more, err = p.store.RunAccountJob(p.t.Context())
		p.must(err)
	}
}

// goneAtOnce makes a site on which ann has written in every place, ends her account, and checks that nothing of hers is
// shown. It returns what the pages showed before.
func goneAtOnce(t *testing.T, end func(*testSite) error) (p *testSite, shown map[Key][]string) {
	t.Helper()
	p = newTestSite(t, "carol", "ann", "bob")
	ctx := t.Context()
	club, err := p.store.CreateGroup(ctx, p.user("carol"), timeline.NewGroup{Name: "club"})
	p.must(err)
	p.follow("ann", "club")
	p.follow("bob", "club")
	p.follow("bob", "ann")
	p.post("ann", "in her feed")
	in := p.post("ann", "in the club", "group:club")
	p.post("ann", "to bob", "direct:bob")
	p.post("bob", "own")
	p.like("bob", in)
	keys := []Key{p.home("bob"), everything(0), everything(p.user("bob")), p.page("bob", KindLikes, "bob"), {Viewer: p.user("bob"), What: KindDirects, TheirID: int64(p.user("bob"))}}
	p.sync()
	before := 0
	shown = make(map[Key][]string)
	for _, key := range keys {
		shown[key] = p.visit(key)
		before += len(shown[key])
	}
	if before < 9 {
		t.Fatalf("before, %d entries are shown", before)
	}
	var w *Watch
	var strangers []*viewport // pages of viewers without a tie to the account
	for _, key := range []Key{everything(0), {What: KindGroup, TheirID: int64(club)}, {Viewer: p.user("carol"), What: KindGroup, TheirID: int64(club)}} {
		strangers = append(strangers, p.viewport(key, At{}))
	}
	w, err = p.node.Watch(ctx, p.home("bob"))
	p.must(err)
	defer w.Close()
	first, window, err := w.Resume(Resume{})
	p.must(err)

	p.must(end(p))
	p.node.WaitRevoked()
	patch, err := w.Patch(first.To, window)
	p.must(err)
	gone := 0
	for _, op := range patch.Ops {
		if op.Gone {
			gone++
		}
	}
	if gone != len(first.Entries)-1 {
		t.Errorf("of %d entries %d left the open page", len(first.Entries), gone)
	}
	for _, o := range strangers {
		o.applyPatch()
		if slices.Contains(o.shows, in) {
			t.Errorf("the open page %v still shows what the deleted account wrote in a group", o.watch.rv.key)
		}
	}
	look := func(when string) {
		t.Helper()
		want(t, when+": home", p.visit(p.home("bob")), "own")
		want(t, when+": everything", p.visit(everything(0)), "own")
		want(t, when+": bob's likes", p.visit(p.page("bob", KindLikes, "bob")))
		want(t, when+": bob's directs", p.visit(keys[4]))
		p.refused(single(p.user("bob"), in), timeline.ErrNotFound)
		p.compareAll()
	}
	look("at once")
	p.stop()
	p.start()
	look("after a restart")
	p.runAccountJobs()
	look("in the end")
	return p, shown
}
