package river

import (
	"fmt"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// TestSinceCountsWhatIsNewsToTheViewer tests which events count as news after a visit of ann's
// home, with an old post of bob (ann follows bob) and a post of ann's: all except events that ann
// caused or hides.
func TestSinceCountsWhatIsNewsToTheViewer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		then func(p *testSite, bobs, own timeline.PostID)
		want News
	}{
		{"nothing", func(*testSite, timeline.PostID, timeline.PostID) {}, News{}},
		{"another person's post", func(p *testSite, _, _ timeline.PostID) { p.post("bob", "new") }, News{Posts: 1}},
		{"an own post", func(p *testSite, _, _ timeline.PostID) { p.post("ann", "new") }, News{}},
		{"a hidden post", func(p *testSite, _, _ timeline.PostID) {
			p.must(p.store.HidePost(p.t.Context(), p.user("ann"), p.post("bob", "new")))
		}, News{}},
		{"two posts", func(p *testSite, _, _ timeline.PostID) { p.post("bob", "new"); p.post("bob", "newer") }, News{Posts: 2}},
		{"another person's comment", func(p *testSite, bobs, _ timeline.PostID) { p.comment("eve", bobs, "up") }, News{Moved: 1}},
		{"another person's comment on an own post", func(p *testSite, _, own timeline.PostID) { p.comment("eve", own, "up") }, News{Moved: 1}},
		{"comments on both posts", func(p *testSite, bobs, own timeline.PostID) {
			p.comment("eve", bobs, "up")
			p.comment("bob", own, "up")
		}, News{Moved: 2}},
		{"an own comment", func(p *testSite, bobs, _ timeline.PostID) { p.comment("ann", bobs, "up") }, News{}},
		{"an own comment after another person's", func(p *testSite, bobs, _ timeline.PostID) {
			p.comment("eve", bobs, "up")
			p.comment("ann", bobs, "so")
		}, News{}},
		{"another person's comment after an own", func(p *testSite, bobs, _ timeline.PostID) {
			p.comment("ann", bobs, "so")
			p.comment("eve", bobs, "up")
		}, News{Moved: 1}},
		{"another person's post with a comment", func(p *testSite, _, _ timeline.PostID) { p.comment("eve", p.post("bob", "new"), "hm") }, News{Posts: 1}},
		{"another person's post with an own comment", func(p *testSite, _, _ timeline.PostID) { p.comment("ann", p.post("bob", "new"), "hm") }, News{Posts: 1}},
		{"an own post with another person's comment", func(p *testSite, _, _ timeline.PostID) { p.comment("eve", p.post("ann", "new"), "hm") }, News{Moved: 1}},
		{"an own post with an own comment", func(p *testSite, _, _ timeline.PostID) { p.comment("ann", p.post("ann", "new"), "hm") }, News{}},
		{"a comment of a person the viewer bans", func(p *testSite, bobs, _ timeline.PostID) {
			p.must(p.store.Ban(p.t.Context(), p.user("ann"), "eve"))
			p.comment("bob", bobs, "up")
			p.comment("eve", bobs, "up")
		}, News{Moved: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newTestSite(t, "ann", "bob", "eve")
			p.follow("ann", "bob")
			bobs, own := p.post("bob", "old"), p.post("ann", "own")
			v, err := p.node.Visit(t.Context(), p.home("ann"), At{})
			p.must(err)
			test.then(p, bobs, own)
			p.waitSettled()
			if got, ok := p.node.Since(p.home("ann"), v.Entries[0].Cursor); got != test.want || !ok {
				t.Errorf("the news are %+v (%v), want %+v", got, ok, test.want)
			}
		})
	}
}

// TestSinceOfALiftedPost: a post that a friend's like lifts is news, even without a comment.
func TestSinceOfALiftedPost(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.follow("ann", "bob")
	old := p.post("eve", "old")
	p.comment("eve", old, "said long ago")
	p.post("bob", "new")
	v, err := p.node.Visit(t.Context(), p.home("ann"), At{})
	p.must(err)
	p.clock.advance(time.Second)
	p.like("bob", old)
	p.waitSettled()
	if got, ok := p.node.Since(p.home("ann"), v.Entries[0].Cursor); got != (News{Moved: 1}) || !ok {
		t.Errorf("the news are %+v (%v), want one post that moved", got, ok)
	}
}

// TestSinceIsOfWhatTheRiverHolds: only news that the river holds is counted, and the count says that
// there may be more. A river that is not in memory or not up to date has no news.
func TestSinceIsOfWhatTheRiverHolds(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.stop()
	p.set.chunk = 1
	b := p.brake()
	p.start()
	p.follow("ann", "bob")
	for i := range defaultCount + 5 {
		p.post("bob", fmt.Sprint(i))
	}
	home := p.home("ann")
	if _, ok := p.node.Since(home, timeline.Cursor{}); ok {
		t.Error("a river that does not live has news")
	}
	v, err := p.node.Visit(t.Context(), home, At{})
	p.must(err)
	for _, test := range []struct {
		name  string
		place timeline.Cursor
		want  News
	}{
		{"since the second entry", v.Entries[1].Cursor, News{Posts: 1}},
		{"since before the last entry that is held", timeline.Cursor{}, News{Posts: defaultCount + 1, More: true}},
	} {
		if got, ok := p.node.Since(home, test.place); got != test.want || !ok {
			t.Errorf("%s: the news are %+v (%v), want %+v", test.name, got, ok, test.want)
		}
	}
	_, err = p.node.Visit(t.Context(), home, At{Count: 100})
	p.must(err)
	if got, ok := p.node.Since(home, timeline.Cursor{}); got != (News{Posts: defaultCount + 5}) || !ok {
		t.Errorf("of a river that is held to its end the news are %+v (%v)", got, ok)
	}
	p.live(home)
	b.hold()
	p.follow("ann", "eve")
	b.one(p)
	if _, stale, _, _ := p.of(home); stale == 0 {
		t.Fatal("the river was swept to its end")
	}
	if _, ok := p.node.Since(home, v.Entries[1].Cursor); ok {
		t.Error("a river that is being swept has news")
	}
	b.release()
}

func TestTalkedSince(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1_000_000)
	talk := func(users ...timeline.UserID) *timeline.Fold {
		f := new(timeline.Fold)
		for i, user := range users {
			f.Comments.Comments = append(f.Comments.Comments, timeline.Comment{User: user, CreatedAt: at.Add(time.Duration(i) * time.Second)})
		}
		return f
	}
	for _, test := range []struct {
		name  string
		fold  *timeline.Fold
		since time.Time
		by    timeline.UserID
		ok    bool
	}{
		{"without comments", talk(), at, 0, false},
		{"before the only comment", talk(7), at.Add(-time.Millisecond), 7, true},
		{"at the time of the only comment", talk(7), at, 7, false},
		{"between two comments", talk(7, 8), at.Add(time.Millisecond), 8, true},
		{"after both", talk(7, 8), at.Add(time.Minute), 8, false},
	} {
		by, ok := TalkedSince(test.fold, timeline.Cursor{FreshAt: test.since.UnixMilli()})
		if by != test.by || ok != test.ok {
			t.Errorf("%s: %d, %v; want %d, %v", test.name, by, ok, test.by, test.ok)
		}
	}
}
