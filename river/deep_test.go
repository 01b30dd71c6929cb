package river

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/timeline"
)

// talk writes posts of ann's, each commented on by bob and liked by cat.
func (p *place) talk(n int) (posts []timeline.PostID) {
	p.t.Helper()
	for i := range n {
		post := p.post("ann", fmt.Sprint("post ", i))
		p.like("cat", post)
		posts = append(posts, post)
	}
	return posts
}

func TestPageFarDownReadsOfWhatItPassesOverOnlyWhatDecides(t *testing.T) {
	t.Parallel()
	p, counted := newCountedPlace(t, "ann", "bob", "cat")
	for _, post := range p.talk(240) {
		p.comment("bob", post, "well")
	}
	p.sync()
	for what, key := range map[string]Key{"everything": everything(0), "a person's page": p.page("", KindUser, "ann"), "what somebody likes": p.page("", KindLikes, "cat")} {
		asked := func(skip int) (statements int, rows int64) {
			v, err := p.node.FromPrimary(counted.of(t.Context()), key, At{Skip: skip, Count: 5})
			p.must(err)
			if len(v.Entries) != 5 || v.Number != skip {
				t.Errorf("%s after %d: %d entries after %d", what, skip, len(v.Entries), v.Number)
			}
			return counted.statements, counted.rows
		}
		near, nearRows := asked(20)
		far, farRows := asked(220)
		// A place in the order, the post, and the entry in the timeline that feeds the river.
		if farRows-nearRows > 3*200 {
			t.Errorf("%s: 200 entries passed over cost %d rows, want 3 each at most", what, farRows-nearRows)
		}
		if far > near {
			t.Errorf("%s: %d statements after 220 entries, and %d after 20", what, far, near)
		}
	}
}

func TestPageFarDownHoldsNothingOfWhatItPassesOver(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "ann", "bob", "cat")
	p.talk(120)
	p.sync()
	sn, err := p.store.Snapshot(t.Context())
	p.must(err)
	defer sn.Close()
	for _, key := range []Key{everything(0), p.search("", "post")} {
		d := newDraft(p.node.empty())
		rv, err := d.construct(t.Context(), sn, key)
		p.must(err)
		at, err := p.node.deepPage(t.Context(), sn, d, rv, At{Skip: 100, Count: 5})
		p.must(err)
		if v, _ := func() (*View, bool) { d.base.apply(d, 0); return d.base.view(rv, at) }(); len(v.Entries) != 5 {
			t.Fatalf("%s: the page has %d entries", key.What, len(v.Entries))
		}
		if most := 6 + 1; len(d.facts) > most || len(d.folds) > most || len(d.matches[rv]) > most || len(d.needFacts)+len(d.needFold) > 0 {
			t.Errorf("%s: held are the facts of %d posts, %d folds and %d matches for a page of 5", key.What, len(d.facts), len(d.folds), len(d.matches[rv]))
		}
	}
}

func TestWhatAPageLooksAtInVainIsNotHeld(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "ann", "bob", "cat")
	p.talk(3)
	p.follow("cat", "bob")
	p.status("bob", "private")
	for i := range 100 {
		p.like("cat", p.post("bob", fmt.Sprint("secret ", i)))
	}
	p.sync()
	sn, err := p.store.Snapshot(t.Context())
	p.must(err)
	defer sn.Close()
	d := newDraft(p.node.empty())
	rv, err := d.construct(t.Context(), sn, p.page("", KindLikes, "cat"))
	p.must(err)
	p.must(d.range_(t.Context(), sn, rv, timeline.Top, timeline.Cursor{}, 26, 1000))
	if len(d.rivers[rv].put) != 3 || len(d.facts) != 3 {
		t.Errorf("%d entries, and the facts of %d posts are held, want 3 and 3", len(d.rivers[rv].put), len(d.facts))
	}
}

// below lists a river from the top to the bottom, by the links of its pages.
func (p *place) below(key Key, at At) (posts []timeline.PostID) {
	p.t.Helper()
	at.Count = 9
	for {
		v, err := p.node.FromPrimary(p.t.Context(), key, at)
		p.must(err)
		for i := range v.Entries {
			posts = append(posts, v.Entries[i].Facts.ID)
		}
		if v.Older == nil {
			return posts
		}
		at.Before = *v.Older
	}
}

func TestPagesByNumberAreThoseByLinksWhateverIsPassedOver(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "ann", "bob", "cat", "dan", "eve")
	p.stop()
	p.set.Deepest = 10
	p.start()
	p.follow("dan", "ann")
	p.follow("dan", "cat")
	p.follow("cat", "eve")
	p.must(p.store.Ban(t.Context(), p.user("dan"), "bob"))
	var posts []timeline.PostID
	for i := range 130 {
		author := []string{"ann", "bob", "cat", "eve"}[i%4]
		post := p.post(author, fmt.Sprint("word ", i))
		if author != "cat" && i%3 == 0 {
			p.like("cat", post)
		}
		if i%7 == 0 && author != "dan" {
			p.comment("eve", post, "hm @dan")
		}
		posts = append(posts, post)
	}
	for i := range 20 {
		p.comment("bob", posts[i*5], "up")
	}
	p.status("eve", "private")
	p.must(p.store.DeletePost(t.Context(), p.user("ann"), posts[40]))
	// Where a friend's like lifts a post, more posts are chosen than were asked for.
	_, err := p.store.ArrangeSite(t.Context(), timeline.SiteEdit{"lift": "true"})
	p.must(err)
	p.sync()
	for _, key := range []Key{
		everything(0), everything(p.user("dan")), p.home("dan"), p.home("cat"), p.page("", KindLikes, "cat"), p.page("cat", KindComments, "eve"),
		p.page("dan", KindMentions, "dan"), p.search("dan", "word"), p.search("", "word"),
	} {
		for _, at := range []At{{}, {NoReplies: true}, {Order: OrderCreated}} {
			all := p.below(key, at)
			if len(all) == 0 && !at.NoReplies {
				t.Errorf("%s of %d %+v has nothing", key.Descriptor(), key.Viewer, at)
			}
			for _, skip := range []int{1, 3, 11, 26, 25, 49, 100, 130} {
				at := at
				at.Skip, at.Count = skip, 7
				for _, state := range []string{"first", "again"} {
					v, err := p.node.Visit(t.Context(), key, at)
					p.must(err)
					var got []timeline.PostID
					for i := range v.Entries {
						got = append(got, v.Entries[i].Facts.ID)
					}
					want := all[min(skip, len(all)):min(skip+7, len(all))]
					if !slices.Equal(got, want) || v.Number != skip || (v.Older != nil) != (skip+7 < len(all)) {
						t.Fatalf("%s of %d %+v, %s: %d after %d (older %v), want %d of %d", key.Descriptor(), key.Viewer, at, state, got, v.Number, v.Older, want, len(all))
					}
				}
			}
		}
	}
}

func TestPageFarDownAskedForAgainPassesNothingOver(t *testing.T) {
	t.Parallel()
	p, counted := newCountedPlace(t, "ann", "bob", "cat")
	posts := p.talk(330)
	p.sync()
	asked := func(skip int) (first timeline.PostID, rows int64) {
		v, err := p.node.FromPrimary(counted.of(t.Context()), everything(0), At{Skip: skip, Count: 5})
		p.must(err)
		return v.Entries[0].Facts.ID, counted.rows
	}
	_, once := asked(320)
	at, again := asked(320)
	if at != posts[9] {
		t.Errorf("the page begins with post %d, want %d", at, posts[9])
	}
	if once-again < 2*300 {
		t.Errorf("the page cost %d rows at first, and %d again: the first 300 entries were read again", once, again)
	}
	if at, between := asked(250); at != posts[79] || between > again+2*50 {
		t.Errorf("page 250 begins with post %d, want %d, and cost %d rows", at, posts[79], between)
	}
	// Whatever changes, the page is that of now.
	p.must(p.store.DeletePost(t.Context(), p.user("ann"), posts[300]))
	if at, _ := asked(320); at != posts[8] {
		t.Errorf("with a post less above, the page begins with post %d, want %d", at, posts[8])
	}
	p.comment("bob", posts[2], "up")
	if at, _ := asked(320); at != posts[9] {
		t.Errorf("with a post more above, the page begins with post %d, want %d", at, posts[9])
	}
	p.status("ann", "private")
	if v, err := p.node.FromPrimary(t.Context(), everything(0), At{Skip: 320, Count: 5}); err != nil || len(v.Entries) != 0 {
		t.Errorf("with the feed private: %v, %v", v, err)
	}
}

func TestWalksThatAreRememberedAreBounded(t *testing.T) {
	t.Parallel()
	var p passages
	for i := range 3 * mostPassages {
		w := walk{key: Key{What: KindSearch, Query: fmt.Sprint(i)}}
		p.keep(w, "state", []milestone{{timeline.Cursor{FreshAt: 5}, 100, 100}})
		p.nearest(walk{key: Key{What: KindSearch, Query: "0"}}, "state", 100, timeline.Cursor{})
	}
	if len(p.walks) != mostPassages {
		t.Errorf("%d walks are remembered, want %d", len(p.walks), mostPassages)
	}
	if m := p.nearest(walk{key: Key{What: KindSearch, Query: "0"}}, "state", 100, timeline.Cursor{}); m.passed != 100 {
		t.Error("the walk used last was forgotten")
	}
}

// Held up are pages that are read for one answer, by one whose snapshot waits.
func TestPagesThatAreNotKeptDelayNeitherFirstVisitsNorAnswersToWrites(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "ann", "bob", "cat")
	posts := p.talk(30)
	p.sync()
	leave, err := p.node.builds.strangers.unkept.Enter(t.Context(), "address 198.51.100.1")
	p.must(err)
	defer leave()
	limit, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ended := make(chan error, 2)
	stranger, gone := context.WithCancel(turnstile.WithClient(t.Context(), "address 198.51.100.2"))
	for _, at := range []At{{Order: OrderTop}, {Skip: 1000}} {
		go func() { _, err := p.node.Visit(stranger, everything(0), at); ended <- err }()
	}
	for p.node.builds.strangers.unkept.Waiting("address 198.51.100.2") < 2 {
		p.must(limit.Err())
		p.sync()
	}
	if _, err := p.node.Visit(limit, p.home("ann"), At{}); err != nil {
		t.Errorf("a first visit: %v", err)
	}
	if v, err := p.node.Acted(limit, p.home("bob"), posts[0]); err != nil || v.Live {
		t.Errorf("an answer to who has no river: %v", err)
	}
	gone()
	for range 2 {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("a page that was left: %v", err)
		}
	}
	if n := p.node.builds.strangers.unkept.Waiting("address 198.51.100.2"); n != 0 {
		t.Errorf("%d pages that were left wait on", n)
	}
}

func TestOneClientsFirstVisitsLeaveASlotToOthers(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "ann", "bob", "cat")
	p.stop()
	reading, release := make(chan struct{}, 10), make(chan struct{})
	p.faults.building = func() { reading <- struct{}{}; <-release }
	p.set.Builders = 6 // of which strangers have three
	p.start()
	crawler := turnstile.WithClient(t.Context(), "address 198.51.100.1")
	ended := make(chan error, 5)
	for _, whose := range []string{"ann", "bob", "cat"} {
		go func() { _, err := p.node.Visit(crawler, p.page("", KindUser, whose), At{}); ended <- err }()
	}
	for p.node.builds.strangers.builds.Waiting("address 198.51.100.1") < 1 {
		p.sync()
	}
	<-reading
	<-reading
	another := turnstile.WithClient(t.Context(), "address 198.51.100.2")
	go func() { _, err := p.node.Visit(another, everything(0), At{}); ended <- err }()
	<-reading // it began beside them
	go func() { _, err := p.node.Visit(t.Context(), p.home("ann"), At{}); ended <- err }()
	<-reading // a member's begins though strangers have all of their slots
	if n := p.node.builds.strangers.builds.Waiting("address 198.51.100.1"); n != 1 {
		t.Errorf("%d of the crawler's visits wait, want 1", n)
	}
	close(release)
	for range 5 {
		p.must(<-ended)
	}
}
