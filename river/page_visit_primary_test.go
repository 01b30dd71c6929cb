package river

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// TestPageOfAPostFromThePrimary: the page of a post, read from the primary, shows the post or is
// not found. Other pages may have no entries.
func TestPageOfAPostFromThePrimary(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	public := p.post("ann", "public")
	private := p.post("ann", "for ann", "user_fyeo")
	p.must(p.store.Suspend(t.Context(), p.user("eve")))
	p.sync()
	for _, test := range []struct {
		name string
		key  Key
		err  error
		want []string
	}{
		{"a public post", single(0, public), nil, []string{"public"}},
		{"a private post, to its author", single(p.user("ann"), private), nil, []string{"for ann"}},
		{"a private post", single(p.user("bob"), private), timeline.ErrNotFound, nil},
		{"a post that does not exist", single(0, private+1), timeline.ErrNotFound, nil},
		{"a post, to a suspended viewer", single(p.user("eve"), public), timeline.ErrUnauthorized, nil},
		{"a page without entries", p.page("", KindUser, "bob"), nil, nil},
	} {
		v, err := p.node.FromPrimary(t.Context(), test.key, At{})
		if !errors.Is(err, test.err) || err != nil && test.err == nil {
			t.Errorf("%s: %v, want %v", test.name, err, test.err)
		} else if err == nil {
			want(t, test.name, texts(v.Entries), test.want...)
		}
	}
}

// TestPageFromThePrimaryLeavesOutPoison: if a page for a single answer has poisoned posts, it is
// read again without these posts. Otherwise it is read once.
func TestPageFromThePrimaryLeavesOutPoison(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.stop()
	bad := &poison{stage: "fold"}
	var folds atomic.Int32
	p.faults.spoil = func(stage string, posts []timeline.PostID) {
		if stage == "fold" {
			folds.Add(1)
		}
		bad.panicOn(stage, posts)
	}
	p.start()
	var posts []timeline.PostID
	for _, text := range []string{"one", "two", "three", "four"} {
		posts = append(posts, p.post("ann", text))
	}
	p.sync()
	read := func() []string {
		t.Helper()
		v, err := p.node.FromPrimary(t.Context(), everything(0), At{})
		p.must(err)
		return texts(v.Entries)
	}
	want(t, "without poison", read(), "four", "three", "two", "one")
	if n := folds.Load(); n != 1 {
		t.Errorf("folds were read %d times for a page without poison, want once", n)
	}
	bad.put(posts[1], true)
	bad.put(posts[3], true)
	want(t, "with poison", read(), "three", "one")
	folds.Store(0)
	want(t, "again", read(), "three", "one")
	if n := folds.Load(); n != 1 {
		t.Errorf("folds were read %d times though no post was a suspect any more, want once", n)
	}
	if out, _ := p.node.quarantine.list(); !slices.Equal(out, []timeline.PostID{posts[1], posts[3]}) {
		t.Errorf("left out are %v, want %v", out, []timeline.PostID{posts[1], posts[3]})
	}
}

// TestPagesByNumberFromThePrimary: a numbered page skips the given number of entries. Only a
// page above the last entry has a link to older ones.
func TestPagesByNumberFromThePrimary(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann")
	all := []string{"four", "three", "two", "one"}
	for _, text := range slices.Backward(all) {
		p.post("ann", text)
	}
	p.sync()
	for skip := range 6 {
		for count := 1; count < 6; count++ {
			v, err := p.node.FromPrimary(t.Context(), everything(0), At{Skip: skip, Count: count})
			p.must(err)
			first, last := min(skip, len(all)), min(skip+count, len(all))
			if got := texts(v.Entries); !slices.Equal(got, all[first:last]) || (v.Older != nil) != (last < len(all)) || v.Number != skip {
				t.Errorf("%d entries after %d: %q after %d, older %v", count, skip, got, v.Number, v.Older)
			}
		}
	}
}

// TestPageWithoutRepliesFromThePrimary: a page without replies is full, however many replies it
// leaves out.
func TestPageWithoutRepliesFromThePrimary(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.follow("ann", "bob")
	for _, text := range []string{"one", "two", "three"} {
		p.post("bob", text)
	}
	for range 10 {
		p.like("bob", p.post("eve", "liked"))
	}
	p.sync()
	v, err := p.node.FromPrimary(t.Context(), p.home("ann"), At{NoReplies: true, Count: 2})
	p.must(err)
	want(t, "the page", texts(v.Entries), "three", "two")
}

// TestPageWhilePrimaryIsAway checks that a page is not shown in part if the primary goes away while the
// page is read.
func TestPageWhilePrimaryIsAway(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p := newTestSite(t)
	p.stop()
	pool, cutter := pgtest.CutPool(t)
	p.store = timeline.New(pool, timeline.Options{Now: p.clock.now, Argon: pgtest.Argon})
	var err error
	p.people["ann"], err = p.store.SignUp(t.Context(), timeline.NewUser{Name: "ann", Email: "ann@example.org", Password: "correct horse"})
	p.must(err)
	p.post("ann", "one")
	p.start()
	p.stop() // so that the loop sends no messages
	for name, key := range map[string]Key{"a stranger's page": everything(0), "a member's page": p.home("ann")} {
		cutter.Everywhere(t, name, timeline.ErrUnavailable, func(arm func()) error {
			arm()
			v, err := p.node.FromPrimary(t.Context(), key, At{})
			if err == nil {
				want(t, name, texts(v.Entries), "one")
			}
			return err
		})
	}
}
