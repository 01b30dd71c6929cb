package river

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// building runs a build of a page up to the end of the build's snapshot, and holds the build until
// the returned function is called, which waits for the page.
func (p *testSite) building(key Key) (finish func() []string) {
	p.t.Helper()
	at, on := make(chan struct{}), make(chan struct{})
	hooks := p.node.cfg.hooks.(*faults)
	hooks.building = func() {
		at <- struct{}{}
		<-on
	}
	shown := make(chan []string, 1)
	go func() {
		v, err := p.node.Visit(p.t.Context(), key, At{})
		if err != nil {
			p.t.Error(err)
			shown <- nil
			return
		}
		shown <- texts(v.Entries)
	}()
	<-at
	hooks.building = nil
	return func() []string {
		close(on)
		return <-shown
	}
}

// TestPurgeWhileBuilding: the node drops posts and cards that no river holds, even while a
// build is under way.
func TestPurgeWhileBuilding(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	for i := range 30 {
		p.post("bob", fmt.Sprint(i))
	}
	last := p.post("ann", "last")
	p.visit(p.page("", KindUser, "bob"))
	p.clock.advance(5 * time.Hour)
	finish := p.building(single(0, last))
	p.expire()
	if rivers, posts, people, _ := p.living(); rivers != 0 || posts != 0 || people != 0 {
		t.Errorf("while a build is under way: %d rivers, %d posts, %d people; want none", rivers, posts, people)
	}
	want(t, "the page that was being built", finish(), "last")
	p.compareAll()
}

// TestRiverDBGivesPagesBack: a few turns after rivers are dropped, the river DB is smaller.
func TestRiverDBGivesPagesBack(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann")
	for i := range 25 {
		post := p.post("ann", fmt.Sprint(i))
		p.visit(single(0, post))
		p.visit(single(p.user("ann"), post))
	}
	pages := func() (used, free int) {
		db, err := sql.Open("sqlite3", fileOf(p.path)+"?mode=ro")
		p.must(err)
		defer db.Close()
		p.must(db.QueryRow(`pragma page_count`).Scan(&used))
		p.must(db.QueryRow(`pragma freelist_count`).Scan(&free))
		return used, free
	}
	before, _ := pages()
	p.clock.advance(48 * time.Hour)
	p.expire()
	p.expire()
	if after, free := pages(); free != 0 || after >= before {
		t.Errorf("after all rivers went there are %d pages of %d, %d of them free", after, before, free)
	}
}

// misweighed lists the differences between the node's running count of its memory and a count
// from scratch.
func (n *Node) misweighed() (found []string) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	st := n.st
	rivers := make(map[*river]int64)
	var once, again int64
	for _, rv := range st.rivers {
		rivers[rv] = rv.bytes
		switch rv.segment {
		case segmentOnce:
			once += rv.bytes
		case segmentAgain:
			again += rv.bytes
		default:
			if !rv.open() && !rv.leaving {
				found = append(found, fmt.Sprintf("river %d is closed, and has no place in the order of eviction", rv.id))
			}
		}
		if st.all[rv.index] != rv {
			found = append(found, fmt.Sprintf("river %d is not in its place", rv.id))
		}
	}
	if len(st.all) != len(st.rivers) || once != st.order.onceBytes || again != st.order.againBytes {
		found = append(found, fmt.Sprintf("of %d rivers %d are in order, with %d and %d bytes for %d and %d", len(st.rivers), len(st.all), st.order.onceBytes, st.order.againBytes, once, again))
	}
	whole := *st
	whole.weighAll()
	for rv, bytes := range rivers {
		if rv.bytes != bytes {
			found = append(found, fmt.Sprintf("river %d has %d bytes, and counts for %d", rv.id, rv.bytes, bytes))
		}
	}
	if whole.bytes != st.bytes {
		found = append(found, fmt.Sprintf("the state has %d bytes, and counts for %d", whole.bytes, st.bytes))
	}
	for what, same := range map[string]bool{
		"people shown":       maps.Equal(whole.showUser, st.showUser),
		"groups shown":       maps.Equal(whole.showGroup, st.showGroup),
		"places of posts":    maps.Equal(whole.places, st.places),
		"posts in no river":  maps.Equal(whole.idle.posts, st.idle.posts),
		"people not shown":   maps.Equal(whole.idle.users, st.idle.users),
		"groups not shown":   maps.Equal(whole.idle.groups, st.idle.groups),
		"timelines not used": maps.Equal(whole.idle.timelines, st.idle.timelines),
	} {
		if !same {
			found = append(found, "the running count differs in "+what)
		}
	}
	return found
}

// budget returns the memory budget of the node of a random run: often so little that the
// node drops rivers all the time.
func (r *run) budget() int64 {
	return pick(r, []int64{0, 60_000, 200_000})
}

// evicted counts the rivers dropped for lack of room.
func (r *run) evicted() {
	for _, n := range r.node.Stats().Evicted {
		r.did["evicted"] += int(n)
	}
	r.did["shortened"] += int(r.node.Stats().Shortened)
}

// TestPurgedWhileBuilding: the node drops posts from memory while a build is under way, and
// the posts change at several moments. The page that was built is right.
func TestPurgedWhileBuilding(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	comment := func(p *testSite, post timeline.PostID) { p.comment("ann", post, "meanwhile"); p.sync() }
	edit := func(p *testSite, post timeline.PostID) {
		text := "edited"
		p.must(p.store.EditPost(t.Context(), p.user("bob"), post, timeline.PostEdit{Text: &text}))
		p.sync()
	}
	rename := func(p *testSite, _ timeline.PostID) {
		name := "Robert"
		p.must(p.store.SetProfile(t.Context(), p.user("bob"), timeline.ProfileEdit{DisplayName: &name}))
		p.sync()
	}
	shut := func(p *testSite, _ timeline.PostID) { p.status("bob", "private"); p.sync() }
	remove := func(p *testSite, post timeline.PostID) {
		p.must(p.store.DeletePost(t.Context(), p.user("bob"), post))
		p.sync()
	}
	for what, change := range map[string]func(*testSite, timeline.PostID){"comment": comment, "edit": edit, "rename": rename, "shut": shut, "remove": remove} {
		for when, first := range map[string]bool{"changed, then purged": true, "purged, then changed": false} {
			t.Run(what+": "+when, func(t *testing.T) {
				t.Parallel()
				p := newTestSite(t, "ann", "bob")
				p.follow("ann", "bob")
				post := p.post("bob", "one")
				p.post("bob", "two")
				p.visit(p.page("", KindUser, "bob")) // the node holds them
				p.clock.advance(5 * time.Hour)
				finish := p.building(p.home("ann"))
				if first {
					change(p, post)
				}
				p.expire()
				if _, posts, people, _ := p.living(); posts != 0 || people != 0 {
					t.Errorf("the node holds %d posts and %d people", posts, people)
				}
				if !first {
					change(p, post)
				}
				finish()
				if n := p.compareAll(); n != 1 {
					t.Errorf("%d rivers live", n)
				}
			})
		}
	}
}

// TestInstalledAsItIsPurged: a turn that installs a build keeps everything that the build shows.
func TestInstalledAsItIsPurged(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.stop()
	p.set.Poll = time.Hour // only turns that the test asks for
	written := &gate{}
	p.faults.written = func() error { written.pass(); return nil }
	p.start()
	p.post("bob", "one")
	p.post("bob", "two")
	p.visit(p.page("", KindUser, "bob"))
	for range 3 { // nothing is left to be done
		p.sync()
	}
	p.clock.advance(5 * time.Hour)
	finish := p.building(everything(0))
	written.arm(1)
	p.node.Expire()
	written.held(t) // no river has the posts when this turn is published
	done := make(chan []string)
	go func() { done <- finish() }()
	waitUntil(t, "the build waits for its installation", func() bool { return p.node.asks.toInstall() > 0 })
	written.release()
	want(t, "the page", <-done, "two", "one")
	if n := p.compareAll(); n != 1 {
		t.Errorf("%d rivers live", n)
	}
}

// count returns the number of rivers, the bytes that the node counts, and the number of its
// builds.
func (p *testSite) count() (rivers int, bytes, builds int64) {
	s := p.node.Stats()
	for _, n := range s.Living {
		rivers += n
	}
	return rivers, s.Memory, s.Builds
}

// posts writes many posts, some at a time.
func (p *testSite) posts(author string, n int) []timeline.PostID {
	p.t.Helper()
	ids := make([]timeline.PostID, n)
	var parts errgroup.Group
	parts.SetLimit(4)
	for i := range ids {
		parts.Go(func() (err error) {
			ids[i], err = p.store.CreatePost(p.t.Context(), p.user(author), timeline.NewPost{To: []string{"user"}, Text: fmt.Sprint("post ", i)})
			return err
		})
	}
	p.must(parts.Wait())
	p.sync()
	return ids
}

// TestOpenPagesFillTheNode: when only open pages are left in a full node, other pages are
// answered but not kept, until there is room again.
func TestOpenPagesFillTheNode(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.posts("bob", 10)
	keys := []Key{everything(0), p.page("", KindUser, "bob")}
	for _, key := range keys {
		p.visit(key)
	}
	p.waitSettled()
	_, both, _ := p.count()
	p.stop()
	p.set.Memory = both + 10_000
	p.start()
	_, w := p.opened(keys[0], At{})
	_, other := p.opened(keys[1], At{})
	var post timeline.PostID
	for range 20 {
		post = p.post("bob", strings.Repeat("long ", 200))
	}
	for range 3 {
		p.sync()
	}
	_, _, builds := p.count()
	for range 3 {
		v, err := p.node.Visit(t.Context(), single(0, post), At{})
		p.must(err)
		if v.Live || len(v.Entries) != 1 {
			t.Errorf("a page is kept in a node that is full: %d entries", len(v.Entries))
		}
	}
	if v, err := p.node.Visit(t.Context(), keys[0], At{}); err != nil || !v.Live {
		t.Errorf("a page that is open already: %v, live %v", err, v != nil && v.Live)
	}
	if _, _, n := p.count(); n != builds {
		t.Errorf("a node that is full began %d builds", n-builds)
	}
	if _, err := p.node.Watch(t.Context(), single(0, post)); !errors.Is(err, ErrBehind) {
		t.Errorf("to open it: %v, want %v", err, ErrBehind)
	}
	if rivers, bytes, _ := p.count(); rivers != 2 || bytes <= p.set.Memory {
		t.Errorf("%d rivers live, in %d bytes of %d", rivers, bytes, p.set.Memory)
	}
	if _, err := w.Patch(w.Counter(), Window{}); err != nil {
		t.Errorf("an open page: %v", err)
	}
	w.Close()
	other.Close()
	p.waitSettled()
	v, err := p.node.Visit(t.Context(), single(0, post), At{})
	p.must(err)
	if _, bytes, _ := p.count(); !v.Live || bytes > p.set.Memory {
		t.Errorf("when the others are closed: live %v, %d bytes", v.Live, bytes)
	}
	p.compareAll()
}

// TestOpenedAsItIsEvicted: a river that a turn is about to evict can't be opened: a
// watch waits, and gets the next river.
func TestOpenedAsItIsEvicted(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.stop()
	p.set.Poll = time.Hour // only turns that the test asks for
	written := &gate{}
	p.faults.written = func() error { written.pass(); return nil }
	p.start()
	p.post("bob", "one")
	first, err := p.node.Visit(t.Context(), everything(0), At{})
	p.must(err)
	for range 3 { // nothing is left to be done
		p.sync()
	}
	p.clock.advance(5 * time.Hour)
	written.arm(1)
	p.node.Expire()
	written.held(t)
	opened := make(chan *Watch, 1)
	go func() {
		w, err := p.node.Watch(t.Context(), everything(0))
		if err != nil {
			t.Error(err)
		}
		opened <- w
	}()
	waitUntil(t, "the watch waits or is opened", func() bool {
		p.node.asks.mu.Lock()
		defer p.node.asks.mu.Unlock()
		return len(p.node.asks.waiting) > 0 || len(opened) > 0
	})
	written.release()
	w := <-opened
	defer w.Close()
	if w.Epoch() == first.Epoch {
		t.Error("the river that goes was opened")
	}
	if _, err := w.Patch(w.Counter(), Window{}); err != nil {
		t.Errorf("the page that was opened: %v", err)
	}
	p.compareAll()
}

// TestEvictedByATurnThatFails: rivers that a failed turn was about to drop are kept
// in the order of eviction.
func TestEvictedByATurnThatFails(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.stop()
	var fail atomic.Bool
	p.faults.written = func() error {
		if fail.CompareAndSwap(true, false) {
			return errors.New("failed")
		}
		return nil
	}
	p.start()
	p.post("bob", "one")
	p.visit(everything(0))
	p.clock.advance(5 * time.Hour)
	fail.Store(true)
	p.node.Expire()
	p.sync()
	p.expire()
	if rivers, _, _ := p.count(); rivers != 0 || fail.Load() {
		t.Errorf("%d rivers live", rivers)
	}
	p.compareAll()
}

// TestRiverDBBudget: if the rows of a river DB exceed its budget, rivers are dropped, the least
// recently used first.
func TestRiverDBBudget(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.stop()
	p.set.RiverDB = 200_000
	p.start()
	posts := p.posts("bob", 200)
	for _, post := range posts {
		p.clock.advance(time.Second)
		p.visit(single(0, post))
	}
	p.waitSettled()
	p.waitSettled()
	s := p.node.Stats()
	if s.Evicted[evictedRiverDB] == 0 || s.Evicted[evictedMemory] != 0 {
		t.Errorf("evicted: %v", s.Evicted)
	}
	info, err := os.Stat(p.path)
	p.must(err)
	if info.Size() > p.set.RiverDB || info.Size() < p.set.RiverDB/4 {
		t.Errorf("the file has %d bytes, with a budget of %d", info.Size(), p.set.RiverDB)
	}
	for _, post := range []timeline.PostID{posts[0], posts[len(posts)-1]} {
		p.node.mu.RLock()
		lives := p.node.st.byKey[single(0, post)] != nil
		p.node.mu.RUnlock()
		if lives != (post == posts[len(posts)-1]) {
			t.Errorf("of the first page and the last the last should live, and %d does: %v", post, lives)
		}
	}
	p.compareAll()
}

// heapSize returns the bytes that the heap has after a garbage collection.
func heapSize() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestEntryTakesLittleMoreThanItsStruct: a node holds very many entries, so nothing of the size of a map stands beside each. Not
// parallel, like TestCountedBytes.
func TestEntryTakesLittleMoreThanItsStruct(t *testing.T) {
	const posts, rivers = 100, 200
	st := newState()
	for post := range timeline.PostID(posts) {
		st.held[post] = &held{facts: &timeline.Facts{ID: post}, entries: make(map[*river]*entry)}
	}
	before := heapSize()
	for range rivers {
		rv := &river{}
		st.all = append(st.all, rv)
		for post, h := range st.held {
			e := &entry{post: h, cursor: cursorAt(post, int64(post)), reasons: ReasonsOf(Reason{timeline.WhatUser, int64(post) + 100_000})}
			rv.insert(e)
			st.hold(h, rv, e)
		}
	}
	took := float64(heapSize()-before) / (posts * rivers)
	runtime.KeepAlive(st)
	// 1.36: the struct, its place in the order, and its place among the entries of the post. With a text for the reasons of each
	// entry it is 1.51.
	if ratio := took / float64(sizeOf[entry]()); ratio > 1.45 {
		t.Errorf("an entry takes %.0f bytes, %.2f of its struct", took, ratio)
	}
	// Go has room for 112 bytes, then for 128. With a hundred entries in each of ten thousand rivers the step takes 16 MB.
	if size := sizeOf[entry](); size > 112 {
		t.Errorf("the struct of an entry has %d bytes", size)
	}
}

// TestCountedBytes compares the counted bytes with the heap. It does not run in parallel with
// other tests, whose heap it would count.
func TestCountedBytes(t *testing.T) {
	long(t)
	members := []string{"ann", "cat", "dan", "eve"}
	p := newTestSite(t, append(members, "bob")...)
	posts := p.posts("bob", 200)
	for i, post := range posts {
		if i%4 == 0 {
			p.like("ann", post)
			p.comment("dan", post, "a comment on it, of some length, as people write them")
		}
	}
	for _, name := range members {
		p.follow(name, "bob")
		for _, key := range []Key{p.home(name), everything(p.user(name)), p.page(name, KindUser, "bob")} {
			_, err := p.node.Visit(t.Context(), key, At{Count: 100, Skip: 100})
			p.must(err)
		}
	}
	for _, post := range posts {
		p.visit(single(0, post))
	}
	p.waitSettled()
	p.stop()
	with := heapSize()
	rivers, counted, _ := p.count()
	s := p.node.Stats()
	p.node = nil
	took := with - heapSize()
	t.Logf("%d rivers with %d entries and %d posts: %d bytes are counted, %d taken", rivers, s.Entries, s.Posts, counted, took)
	if ratio := float64(counted) / float64(took); ratio < 0.7 || ratio > 1.5 {
		t.Errorf("%d bytes are counted, and %d taken: %.2f of them", counted, took, ratio)
	}
}
