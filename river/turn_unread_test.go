package river

import (
	"testing"

	"amstel.dev/amstel/timeline"
)

// A viewer's unread notices are counted again after each change that the count
// depends on.
func TestUnreadCountFollowsEachChangeItDependsOn(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl")
	p.live(p.home("anna"))
	counts := func(want int) {
		t.Helper()
		p.sync()
		v, err := p.node.Visit(t.Context(), p.home("anna"), At{})
		p.must(err)
		if v.Unread.Notices != want {
			t.Errorf("%d unread, want %d", v.Unread.Notices, want)
		}
	}
	counts(0)
	post := p.post("bert", "hello @anna")
	counts(1)
	p.edit("bert", post, timeline.PostEdit{To: []string{"user_private"}}) // where the reader may not read the post
	counts(0)
	p.edit("bert", post, timeline.PostEdit{To: []string{"user"}})
	counts(1)
	p.status("bert", "private")
	counts(0)
	p.status("bert", "public")
	counts(1)
	p.must(p.store.Ban(t.Context(), p.user("anna"), "bert"))
	counts(0)
	p.must(p.store.Unban(t.Context(), p.user("anna"), "bert"))
	counts(1)
	p.comment("carl", post, "and @anna again")
	counts(2)
	p.must(p.store.ReadNotices(t.Context(), p.user("anna"), 1<<40))
	counts(0)
	p.compareAll()
}

// TestUnreadIsRecountedWhenAGroupShuts: a change of access alone causes a new count. No card, no
// post and no sets of the viewer change.
func TestUnreadIsRecountedWhenAGroupShuts(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert")
	p.makeGroup("bert", "tea", "public")
	p.live(p.home("anna"))
	p.post("bert", "hello @anna", "group:tea")
	for _, test := range []struct {
		status string
		want   int
	}{{"public", 1}, {"private", 0}, {"protected", 1}} {
		p.groupStatus("bert", "tea", test.status)
		p.sync()
		v, err := p.node.Visit(t.Context(), p.home("anna"), At{})
		p.must(err)
		if v.Unread.Notices != test.want {
			t.Errorf("the group is %s: %d unread, want %d", test.status, v.Unread.Notices, test.want)
		}
	}
	p.compareAll()
}
