package browsertest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// TestLeftOffLineOnThePage checks the line above the posts that the reader has seen before, on a
// page that changes while it is read, and the report that the page sends when it is closed.
func TestLeftOffLineOnThePage(t *testing.T) {
	t.Parallel()
	s := newSite(t, "ann", "bob")
	var posts []timeline.PostID
	for i := range 20 {
		posts = append(posts, s.post("ann", fmt.Sprintf("post number %d", i)))
	}
	s.shown()
	b := startBrowser(t)
	bob := b.person(s, "bob")

	// Bob visited the page an hour ago, and had seen all but the newest ten posts.
	state := func(post timeline.PostID) timeline.Cursor {
		return timeline.Cursor{FreshAt: freshAt(s, post), Post: post}
	}
	page := fmt.Sprintf("user:%d", s.ids["ann"])
	s.must(s.store.RecordSeen(t.Context(), s.ids["bob"], page, state(posts[9]), time.Now().Add(-time.Hour)))
	bob.live("/ann")
	const (
		line  = "document.querySelector('#left-off')"
		below = line + ".nextElementSibling.id"
		above = line + ".previousElementSibling?.id"
	)
	between := func(what string, up, down timeline.PostID) {
		t.Helper()
		bob.sees(what, fmt.Sprintf("!%s.hidden && %s === 'p%d' && %s === 'p%d'", line, above, up, below, down))
	}
	between("the line below the ten", posts[10], posts[9])
	top := line + ".getBoundingClientRect().top"
	bob.eval(line + ".scrollIntoView({block: 'center', behavior: 'instant'})")
	before := value[float64](bob, top)
	still := func() {
		t.Helper()
		if after := value[float64](bob, top); after < before-2 || after > before+2 {
			t.Errorf("the line moved from %v to %v pixels", before, after)
		}
	}
	s.post("ann", "a new one far above")
	bob.reads("a new one far above")
	between("the line where it was", posts[10], posts[9])
	still()
	s.comment("ann", posts[2], "raised from far below")
	bob.reads("raised from far below")
	between("the line where it was", posts[10], posts[9])
	s.comment("ann", posts[9], "raised from just below")
	bob.reads("raised from just below")
	between("the line above the next", posts[10], posts[8])
	s.comment("ann", posts[10], "raised from just above")
	bob.reads("raised from just above")
	between("the line below the next", posts[11], posts[8])
	s.must(s.store.DeletePost(t.Context(), s.ids["ann"], posts[8]))
	bob.sees("that one is gone", fmt.Sprintf("!document.querySelector('%s')", entry(posts[8])))
	between("the line above the next", posts[11], posts[7])
	bob.same()

	// Ann had seen the newest post, so there is no post above the line, and the line is hidden.
	// The next post makes the line visible.
	ann := b.person(s, "ann")
	s.must(s.store.RecordSeen(t.Context(), s.ids["ann"], page, state(posts[10]), time.Now().Add(-time.Hour)))
	ann.live("/ann")
	ann.sees("no line", line+".hidden")
	newest := s.post("ann", "the very newest")
	ann.reads("the very newest")
	ann.sees("the line", fmt.Sprintf("!%s.hidden && %s === 'p%d'", line, above, newest))
	s.must(s.store.DeletePost(t.Context(), s.ids["ann"], newest))
	ann.sees("no line", line+".hidden")

	// A closing page reports the posts that came while it was open.
	last := s.post("ann", "seen as it came")
	ann.reads("seen as it came")
	ann.eval("document.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true}))")
	ann.open("/about")
	ann.until("what was seen", func() bool {
		s.must(s.Web.SaveLeftOff(t.Context()))
		l, err := s.store.LeftOff(t.Context(), s.ids["ann"], page)
		s.must(err)
		return l.Seen == state(last)
	})
}

// freshAt returns when a post was fresh, in milliseconds.
func freshAt(s *site, post timeline.PostID) (at int64) {
	s.Helper()
	s.must(s.store.Pool().QueryRow(context.Background(), `select fresh_at from posts where id = $1`, post).Scan(&at))
	return at
}
