package browsertest

import (
	"fmt"
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestTheBadgeCountsNotices checks the count of unread notices in the head of open pages: it rises with
// each notice, and falls when the person reads the notices.
func TestTheBadgeCountsNotices(t *testing.T) {
	t.Parallel()
	s := newSite(t, "ann", "bob")
	post, other := s.post("ann", "what bob likes"), s.post("ann", "what bob comments on")
	s.shown()
	b := startBrowser(t)
	ann := b.person(s, "ann")
	const badge = "document.querySelector('#notices')"
	counts := func(want int) {
		t.Helper()
		ann.sees(fmt.Sprintf("%d unread", want), fmt.Sprintf("%s.textContent === '%d' && %s.hidden === %v", badge, want, badge, want == 0))
	}
	ann.live("/")
	counts(0)
	s.must(s.store.Like(t.Context(), s.ids["bob"], post))
	counts(1)
	s.comment("bob", other, "one more to be told of")
	counts(2)
	ann.same()

	// The page of a post marks the notices of that post as read, and no other.
	ann.live(fmt.Sprintf("/ann/%d", other))
	counts(1)
	// A notice of the post of the open page is marked as read at once.
	s.comment("bob", other, "and one while she looks")
	ann.reads("and one while she looks")
	counts(1)

	ann.open("/notifications")
	ann.has("likes your post", "and one while she looks")
	ann.click(".notices-acts button")
	counts(0)
}

// TestTheBadgeCountsDirects checks the count of directs with unread notices in the head of open pages: it
// rises with each direct that gets its first unread notice, and falls when the person opens the directs, or
// reads the notices.
func TestTheBadgeCountsDirects(t *testing.T) {
	t.Parallel()
	s := newSite(t, "ann", "bob", "carol")
	direct := func(name, text string) timeline.PostID {
		t.Helper()
		id, err := s.store.CreatePost(t.Context(), s.ids[name], timeline.NewPost{To: []string{"direct:ann"}, Text: text})
		s.must(err)
		return id
	}
	b := startBrowser(t)
	ann := b.person(s, "ann")
	counts := func(directs, notices int) {
		t.Helper()
		for id, want := range map[string]int{"directs": directs, "notices": notices} {
			ann.sees(fmt.Sprintf("%d %s", want, id), fmt.Sprintf("(b => b.textContent === '%d' && b.hidden === %v)(document.getElementById('%s'))", want, want == 0, id))
		}
	}
	ann.live("/")
	counts(0, 0)
	first := direct("bob", "between you and me")
	counts(1, 1)
	s.comment("bob", first, "are you there?")
	counts(1, 2)
	second := direct("carol", "and between us")
	s.must(s.store.Like(t.Context(), s.ids["bob"], s.post("ann", "for all")))
	counts(2, 4)
	// Directs that she may not see are not counted.
	s.must(s.store.Ban(t.Context(), s.ids["ann"], "carol"))
	counts(1, 3)
	s.must(s.store.Unban(t.Context(), s.ids["ann"], "carol"))
	counts(2, 4)
	ann.same()

	// The page of one direct reads that one, the page of directs all, and nothing else.
	ann.live(fmt.Sprintf("/carol/%d", second))
	counts(1, 3)
	ann.live("/filter/directs")
	counts(0, 1)
	// A notice that arrives while she has the page open is read at once.
	s.comment("bob", first, "one while she looks")
	ann.reads("one while she looks")
	counts(0, 1)
}
