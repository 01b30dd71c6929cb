package river

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/ranking"
)

// talk writes posts of ann's, each commented on by bob and liked by cat.
func (p *testSite) talk(n int) (posts []timeline.PostID) {
	p.t.Helper()
	for i := range n {
		post := p.post("ann", fmt.Sprint("post ", i))
		p.like("cat", post)
		posts = append(posts, post)
	}
	return posts
}

func TestPageFarDownReadsOfWhatItPassesOverOnlyWhatDecides(t *testing.T) {
	long(t)
	t.Parallel()
	p, counted := newCountedSite(t, "ann", "bob", "cat")
	for _, post := range p.talk(240) {
		p.comment("bob", post, "well")
	}
	p.sync()
	for what, key := range map[string]Key{"everything": everything(0), "a person's page": p.page("", KindUser, "ann"), "a person's likes": p.page("", KindLikes, "cat")} {
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
		// A place in the order, and the post.
		if farRows-nearRows > 2*200 {
			t.Errorf("%s: 200 entries passed over cost %d rows, want 2 each at most", what, farRows-nearRows)
		}
		if far > near {
			t.Errorf("%s: %d statements after 220 entries, and %d after 20", what, far, near)
		}
	}
}

func TestPageFarDownHoldsNothingOfWhatItPassesOver(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "cat")
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
		if most := 6 + 1; len(d.facts) > most || len(d.folds) > most || len(d.matches[rv]) > most || len(d.need.facts)+len(d.need.folds) > 0 {
			t.Errorf("%s: held are the facts of %d posts, %d folds and %d matches for a page of 5", key.What, len(d.facts), len(d.folds), len(d.matches[rv]))
		}
	}
}

func TestUnreadableCandidatesAreNotHeld(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "cat")
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
	p.must(d.fillRange(t.Context(), sn, rv, timeline.Top, timeline.Cursor{}, 26, 1000))
	if len(d.rivers[rv].put) != 3 || len(d.facts) != 3 {
		t.Errorf("%d entries, and the facts of %d posts are held, want 3 and 3", len(d.rivers[rv].put), len(d.facts))
	}
}

// below lists a river from the top to the bottom, by the links of its pages.
func (p *testSite) below(key Key, at At) (posts []timeline.PostID) {
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

func TestPagesByNumberEqualPagesByLinks(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "cat", "dan", "eve")
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
			for _, skip := range []int{1, 11, 26, 49, 130} {
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
	long(t)
	t.Parallel()
	p, counted := newCountedSite(t, "ann", "bob", "cat")
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
	// After each change the page is right, and only changed posts are read again.
	p.must(p.store.DeletePost(t.Context(), p.user("ann"), posts[300]))
	if at, rows := asked(320); at != posts[8] || rows > again+20 {
		t.Errorf("with a post less above, the page begins with post %d, want %d, and cost %d rows", at, posts[8], rows)
	}
	p.comment("bob", posts[2], "up")
	if at, rows := asked(320); at != posts[9] || rows > again+20 {
		t.Errorf("with a post more above, the page begins with post %d, want %d, and cost %d rows", at, posts[9], rows)
	}
	p.comment("bob", posts[7], "up from the page")
	if at, rows := asked(320); at != posts[10] || rows > again+20 {
		t.Errorf("with a post of the page above it, the page begins with post %d, want %d, and cost %d rows", at, posts[10], rows)
	}
	p.status("ann", "private")
	if v, err := p.node.FromPrimary(t.Context(), everything(0), At{Skip: 320, Count: 5}); err != nil || len(v.Entries) != 0 {
		t.Errorf("with the feed private: %v, %v", v, err)
	}
}

// TestPageFarDownEqualsAWalkFromTheTopAfterChanges compares numbered pages, for which the node
// remembers walks, with pages reached by links, for which it remembers none, while random
// changes happen on the site.
func TestPageFarDownEqualsAWalkFromTheTopAfterChanges(t *testing.T) {
	t.Parallel()
	first := seedOf(t)
	for seed := first; seed < first+2; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := newRun(t, seed, faults{})
			recalled, compared := 0, 0
			for range soaked(10, 60) {
				var pages []deepPath
				for range 4 {
					at := At{NoReplies: r.rng.IntN(4) == 0}
					if from, found := r.somewhere(everything(0)); found && r.rng.IntN(3) == 0 {
						at.StartFrom = from.FreshAt
					}
					w := deepPath{key: r.key(), sorted: timeline.Order(pick(r, []Order{OrderOwn, OrderOwn, OrderCreated})), above: at.upperBound(), noReplies: at.NoReplies}
					pages = append(pages, w)
				}
				for range 14 {
					for range r.rng.IntN(4) {
						what, err := r.world.Step(t.Context())
						r.allowed(what, err)
					}
					w := pick(r, pages)
					at := At{Before: w.above, NoReplies: w.noReplies, Order: Order(w.sorted)}
					all, err := r.linked(w.key, at)
					if err != nil || kinds[w.key.What].single {
						continue
					}
					if r.recalls(w.key, at) {
						recalled++
					}
					at.Count, at.Skip = 1+r.rng.IntN(5), 1+r.rng.IntN(len(all)+2)
					if len(all) > 0 && r.rng.IntN(4) == 0 {
						at.After = pick(r, all)
					}
					v, err := r.node.FromPrimary(t.Context(), w.key, at)
					r.must(err)
					want := slices.DeleteFunc(slices.Clone(all), func(c timeline.Cursor) bool { return !at.After.Below(c) })
					want = want[min(at.Skip, len(want)):]
					if got, want := placesOf(v), want[:min(at.Count, len(want))]; !slices.Equal(got, want) {
						t.Fatalf("%s of %d %+v has %v, and should have %v", w.key.Descriptor(), w.key.Viewer, at, got, want)
					}
					compared++
				}
			}
			t.Logf("%d pages compared, for %d a walk was remembered", compared, recalled)
			if recalled < compared/5 {
				t.Errorf("of %d pages a walk was remembered for %d", compared, recalled)
			}
		})
	}
}

// linked lists the places of a river's entries, by the links of its pages.
func (r *run) linked(key Key, at At) (all []timeline.Cursor, err error) {
	at.Count = 100
	for {
		v, err := r.node.FromPrimary(r.t.Context(), key, at)
		if err != nil {
			return nil, err
		}
		if all = append(all, placesOf(v)...); v.Older == nil {
			return all, nil
		}
		at.Before = *v.Older
	}
}

func placesOf(v *View) (all []timeline.Cursor) {
	for i := range v.Entries {
		all = append(all, v.Entries[i].Cursor)
	}
	return all
}

// recalls reports whether the remembered walk helps with a numbered page.
func (p *testSite) recalls(key Key, at At) (is bool) {
	p.t.Helper()
	p.within(func(sn *timeline.Snapshot) {
		d := newDraft(p.node.empty())
		rv, err := d.construct(p.t.Context(), sn, key)
		p.must(err)
		rv.setOrder(at)
		rv.includes = at.includes
		d.riverDraft(rv).finished = true
		known, err := p.node.recall(p.t.Context(), sn, d, rv, deepPathOf(rv, at))
		p.must(err)
		is = known.low != at.upperBound()
	})
	return is
}

// within calls a function with a snapshot of now.
func (p *testSite) within(do func(*timeline.Snapshot)) {
	p.t.Helper()
	sn, err := p.store.Snapshot(p.t.Context())
	p.must(err)
	defer sn.Close()
	_, err = sn.Log(p.t.Context(), 0, "", "") // the snapshot begins with its first statement
	p.must(err)
	do(sn)
}

func TestPageFarDownIsRightWhenMoreThanItsPostsChanged(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "cat", "dan")
	p.follow("dan", "ann")
	p.follow("dan", "bob")
	for i := range 6 {
		p.post([]string{"ann", "bob", "cat"}[i%3], fmt.Sprint("word ", i))
	}
	search := p.search("dan", "from:cat")
	wants := func(what string, home, all, found string) {
		t.Helper()
		for _, page := range []struct {
			key   Key
			first string
		}{{p.home("dan"), home}, {everything(p.user("dan")), all}, {search, found}} {
			v, err := p.node.FromPrimary(t.Context(), page.key, At{Skip: 1, Count: 1})
			p.must(err)
			want(t, fmt.Sprintf("%s: the second page of %s", what, page.key.Descriptor()), texts(v.Entries), page.first)
		}
	}
	wants("at first", "word 3", "word 4", "word 2")
	p.must(p.store.Ban(t.Context(), p.user("dan"), "bob")) // the ban ends the subscription
	wants("without bob", "word 0", "word 3", "word 2")
	p.must(p.store.Unban(t.Context(), p.user("dan"), "bob"))
	wants("with bob again", "word 0", "word 4", "word 2")
	p.follow("dan", "cat")
	wants("with cat", "word 3", "word 4", "word 2")
	p.status("cat", "private")
	wants("with cat in private", "word 3", "word 3", "word 2")
}

func TestPageFarDownIsRightWhenWhatStandsBelowTheWalkChanged(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "cat")
	posts := p.talk(6)
	for _, test := range []struct {
		skip int
		want string
	}{{1, "post 4"}, {4, "post 1"}} {
		v, err := p.node.FromPrimary(t.Context(), everything(0), At{Skip: test.skip, Count: 1})
		p.must(err)
		want(t, fmt.Sprintf("the page after %d", test.skip), texts(v.Entries), test.want)
		p.like("bob", posts[0])
	}
}

func TestPageFarDownIsThatOfItsSnapshot(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "cat")
	posts := p.talk(12)
	p.sync()
	p.stop() // so that changes get no position
	second := func(sn *timeline.Snapshot) timeline.PostID {
		d := newDraft(p.node.empty())
		rv, err := d.construct(t.Context(), sn, everything(0))
		p.must(err)
		at, err := p.node.deepPage(t.Context(), sn, d, rv, At{Skip: 1, Count: 5})
		p.must(err)
		d.base.apply(d, 0)
		v, _ := d.base.view(rv, at)
		return v.Entries[0].Facts.ID
	}
	p.within(func(before *timeline.Snapshot) {
		p.must(p.store.DeletePost(t.Context(), p.user("ann"), posts[11]))
		p.within(func(after *timeline.Snapshot) {
			for range 2 {
				if found := second(before); found != posts[10] {
					t.Errorf("with the first post the second is %d, want %d", found, posts[10])
				}
				if !p.recalls(everything(0), At{Skip: 1}) {
					t.Error("the walk is not remembered")
				}
				if found := second(before); found != posts[10] {
					t.Errorf("with the first post the second is %d, want %d, after a look", found, posts[10])
				}
				if found := second(after); found != posts[9] {
					t.Errorf("without the first post the second is %d, want %d", found, posts[9])
				}
			}
		})
	})
}

func TestPageFarDownOfARunBeforeIsThatOfThatRun(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "cat", "dan")
	first, second := p.post("ann", "first"), p.post("ann", "second")
	rank := func() {
		t.Helper()
		_, err := ranking.Rank(t.Context(), p.store)
		p.must(err)
		p.sync()
	}
	key := Key{What: KindBestOf, TheirID: timeline.RankedID("", timeline.Day)}
	for i, who := range []string{"bob", "cat", "dan"} {
		p.like(who, first)
		if i > 0 {
			p.like(who, second)
		}
	}
	rank()
	was, err := p.node.FromPrimary(t.Context(), key, At{})
	p.must(err)
	for _, who := range []string{"bob", "cat", "dan"} {
		p.must(p.store.Unlike(t.Context(), p.user(who), first))
	}
	p.must(p.store.Unlike(t.Context(), p.user("dan"), second))
	rank()
	for _, test := range []struct {
		run  int64
		want []string
	}{{0, nil}, {was.Run, []string{"second"}}} {
		v, err := p.node.FromPrimary(t.Context(), key, At{Skip: 1, Count: 1, Run: test.run})
		p.must(err)
		want(t, fmt.Sprint("the second page of run ", test.run), texts(v.Entries), test.want...)
	}
}

func TestWalksThatAreRememberedAreBounded(t *testing.T) {
	t.Parallel()
	var p deepCache
	const room = 1 << 20
	first, state := deepPath{key: Key{What: KindSearch, Query: "0"}}, stateID{epoch: "log"}
	for i := range 3 * mostPassages {
		w := deepPath{key: Key{What: KindSearch, Query: fmt.Sprint(i)}}
		p.store(w, &deepProgress{entries: []timeline.Cursor{{FreshAt: 5}}, state: state}, room)
		p.get(first)
	}
	if len(p.paths) != mostPassages {
		t.Errorf("%d walks are remembered, want %d", len(p.paths), mostPassages)
	}
	if known := p.get(first); len(known.entries) != 1 {
		t.Error("the walk used last was forgotten")
	}
	further := &deepProgress{low: timeline.Cursor{FreshAt: 3}, state: stateID{epoch: "log", changes: 2}}
	p.store(first, further, room)
	p.store(first, &deepProgress{low: timeline.Cursor{FreshAt: 4}, state: further.state}, room)
	p.store(first, &deepProgress{state: stateID{epoch: "log", changes: 1}}, room)
	if known := p.get(first); known.low != further.low {
		t.Errorf("remembered is %+v, want %+v", known, further)
	}
	// Paths that take a tenth of the room: at most ten remain, the ones used last.
	long := func() *deepProgress {
		return &deepProgress{entries: make([]timeline.Cursor, room/10/cursorSize), state: stateID{epoch: "log", changes: 3}}
	}
	for i := range 30 {
		p.store(deepPath{key: Key{What: KindSearch, Query: fmt.Sprint("long ", i)}}, long(), room)
		p.store(first, long(), room)
		bytes := int64(0)
		for w, known := range p.paths {
			bytes += known.weight(w)
		}
		if bytes != p.bytes.Load() || bytes > room {
			t.Fatalf("after %d long walks %d bytes are remembered, counted as %d, of %d", i+1, bytes, p.bytes.Load(), room)
		}
	}
	if known := p.get(first); len(known.entries) == 0 || len(p.paths) < 9 {
		t.Errorf("%d walks are remembered, with %d entries of the one used last", len(p.paths), len(known.entries))
	}
	held := len(p.paths)
	p.store(first, &deepProgress{entries: make([]timeline.Cursor, 2*room/cursorSize), state: stateID{epoch: "log", changes: 4}}, room)
	if known := p.get(first); known.state.changes != 3 || len(p.paths) != held {
		t.Errorf("a walk that is longer than the room left %d walks of %d, and %+v", len(p.paths), held, known.state)
	}
}

// TestWalksLeaveTheStateLessRoom: remembered walks use a part of the memory budget, so rivers that
// would fit without the walks are evicted.
func TestWalksLeaveTheStateLessRoom(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.numbered("bob", 40)
	p.visitAll(everything(p.user("ann")))
	p.visitAll(everything(p.user("bob")))
	p.waitSettled()
	rivers, before, _ := p.count()
	_, err := p.node.FromPrimary(t.Context(), everything(0), At{Skip: 30, Count: 2})
	p.must(err)
	p.sync()
	if now, after, _ := p.count(); now != rivers || after <= before {
		t.Fatalf("with a walk %d rivers take %d bytes; without, %d took %d", now, after, rivers, before)
	}
	p.node.deepPages.bytes.Add(p.node.cfg.Settings.Memory) // as very many walks
	p.post("bob", "41")
	p.waitSettled()
	if now, _, _ := p.count(); now >= rivers {
		t.Errorf("%d rivers live beside walks that take the whole budget", now)
	}
}

// TestPagesThatAreNotKeptDelayNeitherFirstVisitsNorAnswersToWrites: a page for a single answer waits
// for its snapshot. It delays other such pages, but neither first visits nor answers to writes.
func TestPagesThatAreNotKeptDelayNeitherFirstVisitsNorAnswersToWrites(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "cat")
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
	if v, err := p.node.EntryAfterWrite(limit, p.home("bob"), posts[0]); err != nil || v.Live {
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
	p := newTestSite(t, "ann", "bob", "cat")
	p.stop()
	reading, release := make(chan struct{}, 10), make(chan struct{})
	p.faults.building = func() { reading <- struct{}{}; <-release }
	p.set.builders = 6 // of which three are for strangers
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
	<-reading // it began although the other is under way
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
