package river

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/ranking"
)

// asked returns the texts of a page with these options.
func (p *testSite) asked(key Key, at At) []string {
	p.t.Helper()
	v, err := p.node.Visit(p.t.Context(), key, at)
	p.must(err)
	return texts(v.Entries)
}

func TestOrdersOtherThanTheRiversOwn(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl")
	p.follow("anna", "bert")
	first := p.post("bert", "first")
	second := p.post("bert", "second")
	p.post("bert", "third")
	p.comment("carl", first, "up")
	p.like("carl", second)
	p.like("anna", second)
	home := p.home("anna")
	for _, tt := range []struct {
		order Order
		want  []string
	}{
		{OrderOwn, []string{"first", "third", "second"}},
		{OrderCreated, []string{"third", "second", "first"}},
		{OrderTop, []string{"second", "first", "third"}},
	} {
		if found := p.asked(home, At{Order: tt.order}); !slices.Equal(found, tt.want) {
			t.Errorf("order %q: %q, want %q", tt.order, found, tt.want)
		}
		var paged []string
		at := At{Order: tt.order, Count: 1}
		for {
			v, err := p.node.Visit(t.Context(), home, at)
			p.must(err)
			paged = append(paged, texts(v.Entries)...)
			if v.Older == nil {
				break
			}
			at.Before = *v.Older
		}
		if !slices.Equal(paged, tt.want) {
			t.Errorf("order %q, a post a page: %q, want %q", tt.order, paged, tt.want)
		}
	}
}

// TestPagesByScoreEndWithTheDeepestEntry: the order by score is of the first entries of a river, so the page
// of the last of these leads to no other.
func TestPagesByScoreEndWithTheDeepestEntry(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert")
	p.stop()
	p.set.Deepest = 3
	p.start()
	var posts []timeline.PostID
	for i := range 6 {
		posts = append(posts, p.post("anna", fmt.Sprint(i)))
	}
	p.like("bert", posts[3])
	p.sync()
	v, err := p.node.Visit(t.Context(), everything(0), At{Order: OrderTop, Count: 3})
	p.must(err)
	want(t, "the page", texts(v.Entries), "3", "5", "4")
	if v.Older != nil {
		t.Errorf("the last page leads to %v", *v.Older)
	}
}

// TestPagesInOwnOrderAreLive: only a page of an earlier run of a ranking, or in an order other than the river's own,
// is read from the primary.
func TestPagesInOwnOrderAreLive(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert")
	p.like("bert", p.post("anna", "one"))
	_, err := ranking.Rank(t.Context(), p.store)
	p.must(err)
	p.sync()
	ranked := Key{What: KindBestOf, TheirID: timeline.RankedID("", timeline.Day)}
	v, err := p.node.Visit(t.Context(), ranked, At{})
	p.must(err)
	for _, test := range []struct {
		name string
		key  Key
		at   At
		live bool
	}{
		{"a ranking", ranked, At{}, true},
		{"the latest run of a ranking", ranked, At{Run: v.Run}, true},
		{"another run of a ranking", ranked, At{Run: v.Run + 1}, false},
		{"a page that is no ranking", everything(0), At{}, true},
		{"a run of a page that is no ranking", everything(0), At{Run: v.Run + 1}, true},
		{"another order", everything(0), At{Order: OrderCreated}, false},
	} {
		if v, err := p.node.Visit(t.Context(), test.key, test.at); err != nil || v.Live != test.live {
			t.Errorf("%s: %v, live %v, want %v", test.name, err, err == nil && v.Live, test.live)
		}
	}
}

func TestAfterAndWithoutReplies(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl")
	p.follow("anna", "bert")
	var posts []timeline.PostID
	for i := range 40 {
		who := []string{"bert", "carl"}[i%2]
		posts = append(posts, p.post(who, fmt.Sprint(i)))
	}
	for _, post := range posts[:30] {
		if slices.Index(posts, post)%2 == 1 {
			p.like("bert", post)
		}
	}
	home := p.home("anna")
	if all := p.asked(home, At{Count: 100}); len(all) != 35 {
		t.Errorf("%d posts", len(all))
	}
	own := p.asked(home, At{Count: 15, NoReplies: true})
	if len(own) != 15 || slices.ContainsFunc(own, func(s string) bool { return (s[len(s)-1]-'0')%2 == 1 }) {
		t.Errorf("without replies: %q", own)
	}
	v, err := p.node.Visit(t.Context(), home, At{})
	p.must(err)
	tenth := v.Entries[9].Cursor
	if found := p.asked(home, At{After: tenth}); !slices.Equal(found, texts(v.Entries[:9])) {
		t.Errorf("after the tenth: %q", found)
	}
	v, err = p.node.Visit(t.Context(), home, At{After: tenth, Count: 5})
	p.must(err)
	if v.Older == nil || len(v.Entries) != 5 {
		t.Errorf("the first five after the tenth: %q, older %v", texts(v.Entries), v.Older)
	}
}

// TestLiftedHome: by FreeFeed's rule (checklist FF7), a post that is in the home only by a friend's like
// comes up once.
func TestLiftedHome(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl", "dora")
	p.follow("anna", "bert")
	p.follow("anna", "dora")
	old, older := p.post("carl", "old"), p.post("carl", "another")
	p.post("bert", "new")
	home := p.home("anna")
	p.live(home)
	p.clock.advance(time.Second)
	p.like("bert", old)
	p.shows(home, "old", "new")
	p.clock.advance(time.Second)
	p.like("bert", older)
	p.shows(home, "another", "old", "new")
	p.clock.advance(time.Second)
	p.like("dora", old) // lifted before
	p.shows(home, "another", "old", "new")
	p.must(p.store.Unlike(t.Context(), p.user("bert"), older))
	p.clock.advance(time.Second)
	p.post("bert", "newest")
	p.like("bert", older) // back in its place
	p.shows(home, "newest", "another", "old", "new")
	p.compareAll()
}

// TestLiftedPostStaysWhenItsGroupOrAuthorIsFollowed checks that a post lifted by a friend's like
// keeps its place when the viewer joins the post's group or subscribes to the author. Posts
// without a friend's like enter at the place of their freshness. A like lifts no post that the
// group had brought before.
func TestLiftedPostStaysWhenItsGroupOrAuthorIsFollowed(t *testing.T) {
	t.Parallel()
	for _, followed := range []string{"tea", "carl"} {
		t.Run(followed, func(t *testing.T) {
			t.Parallel()
			p := newTestSite(t, "anna", "bert", "carl", "dora")
			p.makeGroup("carl", "tea", "public")
			p.follow("anna", "bert")
			p.follow("dora", "bert")
			post := func(text string) timeline.PostID {
				p.clock.advance(time.Second)
				return p.post("carl", text, "user", "group:tea")
			}
			liked, other := post("liked"), post("other")
			p.post("bert", "between")
			p.clock.advance(time.Second)
			p.like("bert", liked)
			home := p.home("anna")
			p.live(home)
			p.shows(home, "liked", "between")
			p.clock.advance(time.Second)
			p.follow("anna", followed)
			p.follow("dora", followed)
			p.shows(home, "liked", "between", "other")
			want(t, "the first post of a short page", p.asked(p.home("dora"), At{Count: 1}), "liked")
			p.clock.advance(time.Second)
			p.like("bert", other) // a post that the feed had brought
			p.shows(home, "liked", "between", "other")
			p.must(p.store.Unsubscribe(t.Context(), p.user("anna"), timeline.FeedName{Name: followed}))
			p.shows(home, "other", "liked", "between")
			p.clock.advance(time.Second)
			p.follow("anna", followed)
			p.shows(home, "other", "liked", "between")
			p.compareAll()
		})
	}
}

// TestLiftedPostStaysWhenAnEarlierLikerIsFollowed checks that a like or comment from before the viewer followed
// the person moves no post: a lifted post keeps its place, and other posts come in where they are fresh.
func TestLiftedPostStaysWhenAnEarlierLikerIsFollowed(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl", "dora")
	p.follow("anna", "bert")
	post := func(name, text string) timeline.PostID {
		p.clock.advance(time.Second)
		return p.post(name, text)
	}
	like := func(name string, post timeline.PostID) {
		p.clock.advance(time.Second)
		p.like(name, post)
	}
	lifted, other := post("carl", "lifted"), post("carl", "other")
	like("dora", lifted)
	like("dora", other)
	post("bert", "between")
	like("bert", lifted)
	post("bert", "last")
	home := p.home("anna")
	p.live(home)
	p.shows(home, "last", "lifted", "between")
	p.clock.advance(time.Second)
	p.follow("anna", "dora")
	p.shows(home, "last", "lifted", "between", "other")
	want(t, "a short page", p.asked(home, At{Count: 2}), "last", "lifted")
	p.must(p.store.Unlike(t.Context(), p.user("dora"), other))
	like("dora", other) // counts from when it came first
	p.shows(home, "last", "lifted", "between", "other")
	like("bert", other)
	p.shows(home, "other", "last", "lifted", "between")
	p.compareAll()
}

func TestOnlyHomesAndListsAreLifted(t *testing.T) {
	t.Parallel()
	for kind, want := range map[Kind][2]timeline.Order{ // without the setting, and with it
		KindHome:   {timeline.OrderFresh, timeline.OrderLifted},
		KindList:   {timeline.OrderFresh, timeline.OrderLifted},
		KindLikes:  {timeline.OrderFresh, timeline.OrderFresh},
		KindDay:    {timeline.OrderCreated, timeline.OrderCreated},
		KindBestOf: {timeline.OrderRanked, timeline.OrderRanked},
	} {
		for i, lift := range []bool{false, true} {
			st := newState()
			st.site.Lift = lift
			if order := orderOf(st, Key{What: kind}); order != want[i] {
				t.Errorf("%s, lift %v: order %q, want %q", kind, lift, order, want[i])
			}
		}
	}
}

func TestOrderOfOneAnswer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		of   timeline.Order // the river's own
		at   At
		want timeline.Order
		run  int64
	}{
		{timeline.OrderFresh, At{Order: OrderCreated}, timeline.OrderCreated, 0},
		{timeline.OrderFresh, At{Order: OrderTop}, timeline.OrderFresh, 0},
		{timeline.OrderFresh, At{Run: 1}, timeline.OrderFresh, 0},
		{timeline.OrderRanked, At{}, timeline.OrderRanked, 0},
		{timeline.OrderRanked, At{Run: 1}, timeline.OrderRanked, 1},
		{timeline.OrderRanked, At{Run: 1, Order: OrderCreated}, timeline.OrderCreated, 0},
	} {
		rv := &river{sorted: test.of}
		rv.setOrder(test.at)
		if rv.sorted != test.want || rv.asOf != test.run || (rv.chosen != nil) != (test.run != 0) {
			t.Errorf("order %q at %+v: order %q, run %d, chosen %v", test.of, test.at, rv.sorted, rv.asOf, rv.chosen)
		}
	}
}

// TestLiftedHomeOfAForwardOnlySubscription: entries from before the subscription bring no posts,
// and do not keep a later post at its earlier place.
func TestLiftedHomeOfAForwardOnlySubscription(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna", "bert", "carl", "dora")
	p.follow("anna", "dora")
	old := p.post("carl", "old")
	p.post("bert", "before it")
	p.clock.advance(time.Second)
	p.like("bert", old)
	p.clock.advance(time.Second)
	_, err := p.store.Subscribe(t.Context(), p.user("anna"), timeline.FeedName{Name: "bert"}, timeline.SubscribeOptions{ForwardOnly: true})
	p.must(err)
	_, err = p.store.CreatePost(t.Context(), p.user("bert"), timeline.NewPost{To: []string{"user"}, Text: "in its first millisecond"})
	p.must(err)
	p.post("dora", "one")
	p.post("dora", "two")
	p.clock.advance(time.Second)
	p.like("dora", old)
	want(t, "the first post of a short page", p.asked(p.home("anna"), At{Count: 1}), "old")
	want(t, "the home", p.visit(p.home("anna")), "old", "two", "one", "in its first millisecond")
	p.compareAll()
}

func TestSearchByPublication(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "anna")
	first := p.post("anna", "an apple")
	p.post("anna", "another apple")
	p.comment("anna", first, "up")
	want(t, "the search", p.asked(p.search("", "apple"), At{Order: OrderCreated}), "another apple", "an apple")
}

// TestMayHoldLeavesOutWhatIsBelowTheFloor: if a friend likes a post, the post is not decided in
// homes whose floors are above the post.
func TestMayHoldLeavesOutWhatIsBelowTheFloor(t *testing.T) {
	t.Parallel()
	const reader, feed = 1, 10
	st := newState()
	st.viewers[reader] = &viewer{sets: &timeline.Sets{User: reader}}
	st.timelines[feed] = timeline.Timeline{ID: feed, What: timeline.WhatUser, Access: timeline.AccessPublic}
	d := newDraft(st)
	for _, order := range []timeline.Order{timeline.OrderFresh, timeline.OrderLifted} {
		rv := &river{key: Key{Viewer: reader, What: KindHome, TheirID: reader}, sorted: order, floor: timeline.Cursor{FreshAt: 5}, wants: map[timeline.TimelineID]bool{feed: true}}
		for at, held := range map[int64]bool{4: false, 5: true} {
			f := &timeline.Facts{ID: 1, FreshAt: at, In: []timeline.TimelineID{feed}, Entered: []int64{at}}
			if got := d.mayHold(rv, f); got != held {
				t.Errorf("order %q: may hold a post at %d: %v", order, at, got)
			}
		}
	}
}
