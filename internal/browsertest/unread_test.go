package browsertest

import (
	"fmt"
	"testing"
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
