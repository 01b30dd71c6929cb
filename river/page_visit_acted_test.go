package river

import (
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// TestActedBelowWhatIsHeld: a page far down shows posts that its river does not hold. A write to
// such a post returns the entry, so that the page keeps the entry.
func TestActedBelowWhatIsHeld(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "anna", "boris")
	p.follow("boris", "anna")
	var posts []timeline.PostID
	for range 40 {
		posts = append(posts, p.post("anna", "one of many"))
	}
	home := p.home("boris")
	if shown := p.visit(home); len(shown) != 25 {
		t.Fatalf("%d are shown", len(shown))
	}
	p.like("boris", posts[0])
	v, err := p.node.EntryAfterWrite(t.Context(), home, posts[0])
	p.must(err)
	if len(v.Entries) != 1 || !v.Entries[0].Liked {
		t.Errorf("a like on an older page is answered with %+v", v.Entries)
	}
	if v, err = p.node.EntryAfterWrite(t.Context(), home, p.post("boris", "own", "direct:anna")); err != nil || len(v.Entries) != 1 || !v.Live {
		t.Errorf("what is held: %+v %v", v, err)
	}
	p.must(p.store.DeletePost(t.Context(), p.user("anna"), posts[1]))
	if v, err = p.node.EntryAfterWrite(t.Context(), home, posts[1]); err != nil || len(v.Entries) != 0 {
		t.Errorf("what is gone: %+v %v", v, err)
	}
}

// TestActedWithoutATurn: if the loop takes no turn, the answer to a write waits only a short time, and then
// reads the entry from the primary.
func TestActedWithoutATurn(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.stop()
	p.set.Answer = time.Millisecond
	p.start()
	post := p.post("bob", "one")
	want(t, "the page", p.visit(everything(p.user("ann"))), "one")
	p.sync()
	p.stop() // no turn follows
	p.like("ann", post)
	v, err := p.node.EntryAfterWrite(t.Context(), everything(p.user("ann")), post)
	p.must(err)
	if len(v.Entries) != 1 || !v.Entries[0].Liked || v.Live {
		t.Errorf("a like is answered with %+v, live %v", v.Entries, v.Live)
	}
}

// TestActedOnWhatIsGone: a river that reaches down to its oldest post answers that a post is not in
// it, with the cards of its page.
func TestActedOnWhatIsGone(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	post := p.post("bob", "one")
	key := p.page("ann", KindUser, "bob")
	want(t, "the page", p.visit(key), "one")
	p.must(p.store.DeletePost(t.Context(), p.user("bob"), post))
	v, err := p.node.EntryAfterWrite(t.Context(), key, post)
	p.must(err)
	if len(v.Entries) != 0 || !v.Live || v.Users[p.user("ann")] == nil || v.Users[p.user("bob")] == nil {
		t.Errorf("a deletion is answered with %+v and the cards %v, live %v", v.Entries, v.Users, v.Live)
	}
}

// TestActedBelowWhatIsSwept: a river in a sweep does not answer that a post is not in it, because the
// sweep may still add the post.
func TestActedBelowWhatIsSwept(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.stop()
	p.set.chunk = 1
	p.start()
	first := p.post("bob", "one")
	for range 30 {
		p.post("bob", "later")
	}
	want(t, "home", p.visit(p.home("ann")))
	p.live(p.home("ann"))
	p.follow("ann", "bob")
	v, err := p.node.EntryAfterWrite(t.Context(), p.home("ann"), first)
	p.must(err)
	want(t, "the answer", texts(v.Entries), "one")
}
