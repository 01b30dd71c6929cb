package river

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

func (p *testSite) makeGroup(owner, name, status string) {
	p.t.Helper()
	id, err := p.store.CreateGroup(p.t.Context(), p.user(owner), timeline.NewGroup{Name: name, Status: status})
	p.must(err)
	p.groups[name] = id
}

func (p *testSite) groupStatus(owner, name, status string) {
	p.t.Helper()
	p.must(p.store.EditGroup(p.t.Context(), p.user(owner), name, timeline.GroupEdit{Status: &status}))
}

// The search -group:G, and G closes: for the viewer the post is no longer in G, so the search
// finds it.
func TestSearchWithoutAGroupThatIsShut(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert")
	p.makeGroup("anna", "rowing", "public")
	key := p.search("bert", "boats -group:rowing")
	p.live(key)
	p.post("anna", "boats", "user", "group:rowing")
	p.shows(key)
	p.groupStatus("anna", "rowing", "private")
	p.waitSettled()
	p.shows(key, "boats")
	p.compareAll()
}

// TestSettingsOutliveTheRivers drops all rivers of a site with lift off: a river that is built
// before the turn is published is sorted without lift, too.
func TestSettingsOutliveTheRivers(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna")
	p.stop()
	var flat, forgot atomic.Bool
	p.faults.written = func() error {
		if flat.Load() && p.node.st.site.Lift {
			forgot.Store(true)
		}
		return nil
	}
	p.start()
	_, err := p.store.ArrangeSite(t.Context(), timeline.SiteEdit{"lift": "off"})
	p.must(err)
	p.sync()
	flat.Store(true)
	_, err = p.store.Pool().Exec(t.Context(), `update log_head set uuid = gen_random_uuid()`) // as an import does
	p.must(err)
	p.sync()
	p.removeRiverDB()
	p.sync()
	p.sync()
	if forgot.Load() {
		t.Error("the node forgot that the site lifts nothing")
	}
}

// A group in a list is closed. The posts that the group brought are gone from the list when
// the request is answered.
func TestGroupThatIsShutIsGoneFromListsAndSearches(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl")
	p.stop()
	p.set.chunk = 1
	p.start()
	p.makeGroup("anna", "rowing", "public")
	id, err := p.store.CreateList(t.Context(), p.user("bert"), "near")
	p.must(err)
	p.must(p.store.AddToList(t.Context(), p.user("bert"), id, timeline.FeedName{Name: "rowing"}))
	list := Key{Viewer: p.user("bert"), What: KindList, TheirID: int64(id)}
	search := p.search("bert", "group:rowing")
	for i := range 25 {
		p.post("anna", fmt.Sprintf("boats %d", i), "user", "group:rowing")
	}
	p.live(list, search)
	p.shows(list, p.visit(search)...)
	p.groupStatus("anna", "rowing", "private")
	p.node.WaitRevoked()
	for _, key := range []Key{list, search} {
		v, err := p.node.Visit(t.Context(), key, At{Count: 100})
		p.must(err)
		if len(v.Entries) > 0 {
			t.Errorf("%s shows %d posts of a group that is shut to its viewer, with reasons %v", key.What, len(v.Entries), v.Entries[0].Reasons)
		}
	}
	p.waitSettled()
	p.shows(list)
	p.shows(search)
	p.compareAll()
}

// TestLiftedWhenABaseIsShut: a post of a list's group with a friend's like stands at the place
// of its freshness. When the group closes, the post stands where the like lifted it, above the
// floor.
func TestLiftedWhenABaseIsShut(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl", "dora")
	p.sync()
	p.makeGroup("anna", "rowing", "public")
	id, err := p.store.CreateList(t.Context(), p.user("bert"), "near")
	p.must(err)
	for _, name := range []string{"rowing", "carl"} {
		p.must(p.store.AddToList(t.Context(), p.user("bert"), id, timeline.FeedName{Name: name}))
	}
	list := Key{Viewer: p.user("bert"), What: KindList, TheirID: int64(id)}
	old := p.post("anna", "old", "user", "group:rowing")
	for i := range 60 {
		p.post("carl", fmt.Sprintf("news %d", i))
	}
	p.clock.advance(time.Minute)
	p.like("carl", old)
	p.sync()
	p.live(list)
	if slices.Contains(p.visit(list), "old") {
		t.Fatal("old stands at the top already")
	}
	p.groupStatus("anna", "rowing", "private")
	p.waitSettled()
	if got := p.visit(list); got[0] != "old" {
		t.Errorf("the list begins with %q", got[0])
	}
	p.compareAll()
}

// A visit that has read the most candidates it may reports that there is more.
func TestSearchPastManyUnreadableMatchesHasMore(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "anna", "bert")
	p.stop()
	p.set.Candidates = 20
	p.start()
	p.post("anna", "boats for all")
	for range 300 {
		p.post("anna", "boats for me", "user_fyeo")
	}
	v, err := p.node.Visit(t.Context(), p.search("bert", "boats"), At{})
	p.must(err)
	if len(v.Entries) == 0 && v.Older == nil {
		t.Error("the search finds nothing, and leads nowhere")
	}
}
