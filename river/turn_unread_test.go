package river

import (
	"testing"
	"time"

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

// TestUnreadIsRecountedWhenPostingIsRestricted: the notice of a feed that is imported into a group
// counts while its owner may post there, and a change of the group's settings alone causes a new count.
func TestUnreadIsRecountedWhenPostingIsRestricted(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert")
	p.makeGroup("bert", "tea", "public")
	posting := func(who string) {
		p.must(p.store.EditGroup(t.Context(), p.user("bert"), "tea", timeline.GroupEdit{Posting: &who}))
	}
	posting("anybody")
	p.live(p.home("anna"))
	l, err := p.store.AddIntake(t.Context(), p.user("anna"), timeline.NewIntake{To: "group:tea", Address: "https://blog.example/"}, time.Minute)
	p.must(err)
	p.must(p.store.FailIntake(t.Context(), *l, timeline.IntakeFault{Code: timeline.IntakeGone}, 0, true))
	for _, test := range []struct {
		posting string
		want    int
	}{{"anybody", 1}, {"admins", 0}, {"anybody", 1}} {
		posting(test.posting)
		p.sync()
		v, err := p.node.Visit(t.Context(), p.home("anna"), At{})
		p.must(err)
		if v.Unread.Notices != test.want {
			t.Errorf("%s may post: %d unread, want %d", test.posting, v.Unread.Notices, test.want)
		}
	}
}
