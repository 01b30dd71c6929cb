package river

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/inbox"
)

// person adds a person who subscribes to others.
func (s *shelf) person(name string, to ...string) timeline.UserID {
	s.t.Helper()
	id, err := s.store.SignUp(s.t.Context(), timeline.NewUser{Name: name, Email: name + "@example.org", NoPassword: true})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, other := range to {
		s.subscribe(id, other)
	}
	return id
}

// entry publishes a post and returns its entry.
func (s *shelf) entry(author timeline.UserID) naiveEntry {
	s.t.Helper()
	post := s.post(author)
	return naiveEntry{post, s.clock.Load()}
}

// home returns the posts of a home as an inbox has them, in pages of three.
func (s *shelf) home(viewer timeline.UserID) []timeline.PostID {
	s.t.Helper()
	before := s.inboxes.Counts()
	posts := s.homeOf(viewer, false)
	if after := s.inboxes.Counts(); after.Chosen == before.Chosen {
		s.t.Error("the home came from no inbox")
	}
	return posts
}

// homeOf returns the posts of a home, by its source or by the timelines.
func (s *shelf) homeOf(viewer timeline.UserID, read bool) (posts []timeline.PostID) {
	s.t.Helper()
	ctx := s.t.Context()
	site, err := s.store.SiteSettings(ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	c, err := s.choiceOf(ctx, inboxOf(Key{Viewer: viewer, What: KindHome, TheirID: int64(viewer)}, site.Source))
	if err != nil {
		s.t.Fatal(err)
	}
	if read {
		c.Inbox = timeline.InboxKey{}
	}
	sn, err := s.store.Snapshot(ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	defer sn.Close()
	found, err := pages(ctx, sn, c, 3)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, at := range found {
		posts = append(posts, at.Post)
	}
	return posts
}

// surpass checks that a naive feed is wrong, and that the home of the viewer, which has a ready
// inbox, has the posts that it should have.
func (s *shelf) surpass(naive []timeline.PostID, viewer timeline.UserID, want ...timeline.PostID) {
	s.t.Helper()
	if slices.Equal(naive, want) {
		s.t.Error("the naive code makes no mistake here")
	}
	if diff := gocmp.Diff(want, s.home(viewer)); diff != "" {
		s.t.Errorf("the home differs (-want +got):\n%s", diff)
	}
}

// TestTimedDoesNotScatter: documents by the time modulo the period, as Socialite numbers them,
// are in no order of time, and each post makes one.
func TestTimedDoesNotScatter(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "timed")
	s.set("period_hours", "1")
	s.work(1 << 20)
	naive := naiveTimed{period: time.Hour.Milliseconds()}
	s.clock.Add((50*time.Minute - time.Minute).Milliseconds()) // at 12:50
	var posts []timeline.PostID
	for range 3 { // the second at 13:10
		e := s.entry(writer)
		naive.push(e)
		posts = append(posts, e.post)
		s.clock.Add((19 * time.Minute).Milliseconds())
	}
	s.surpass(naive.read(), reader, posts[2], posts[1], posts[0])
	if n := s.count(`select count(*) from inbox_documents d where d.inbox_id in (select i.id`+homeOfViewer+`)`, reader); n != 2 || len(naive.buckets) == 2 {
		t.Errorf("%d documents for two periods, and %d naive ones", n, len(naive.buckets))
	}
}

// TestSizedIsMadeOnce: of two writers that find no open document each inserts one in Socialite,
// so later posts stand below earlier ones; and a page is never older than the newest document.
func TestSizedIsMadeOnce(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "sized")
	s.set("sized", "3")
	s.work(1 << 20)
	naive := naiveSized{size: 3}
	var entries []naiveEntry
	for range 3 {
		entries = append(entries, s.entry(writer))
		naive.push(entries[len(entries)-1], func() {})
	}
	s.clock.Add(60_000)
	s.parallel(2, writer)
	two := s.homeOf(reader, true)[:2] // the latest first
	naive.push(naiveEntry{two[1], s.clock.Load()}, func() {
		naive.push(naiveEntry{two[0], s.clock.Load() + 1}, func() {})
	})
	if len(naive.buckets) != 3 || len(naive.buckets[1]) != 1 || len(naive.buckets[2]) != 1 {
		t.Errorf("the naive feed has no two open buckets: %v", naive.buckets)
	}
	for range 2 {
		entries = append(entries, s.entry(writer))
		naive.push(entries[len(entries)-1], func() {})
	}
	want := []timeline.PostID{entries[4].post, entries[3].post, two[0], two[1], entries[2].post, entries[1].post, entries[0].post}
	s.surpass(naive.read(), reader, want...)
	s.surpass(naive.readPage(), reader, want...)
	if n := s.count(`select count(*) from inbox_documents d where d.inbox_id in (select i.id`+homeOfViewer+`)`, reader); n != 3 {
		t.Errorf("%d documents of three for seven posts", n)
	}
}

// TestFillLosesNoPost: a post that is written between the read and the save of a cache is lost in
// Socialite, for whose writers there is no cache yet. Here it waits for the fill; and a post
// that is written before the fill reads is read.
func TestFillLosesNoPost(t *testing.T) {
	t.Parallel()
	for _, point := range []string{inbox.PointMade, inbox.PointRead, inbox.PointFilled} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			s := newShelf(t, 1, 200)
			reader, writer := s.pair()
			s.set("home", "capped")
			naive := naiveCache{size: 500}
			first := s.entry(writer)
			s.homeOf(reader, false) // a visit, which wishes for the inbox
			s.clock.Add(60_000)
			var second naiveEntry
			err := s.during(point, func() error {
				post, err := s.store.CreatePost(t.Context(), writer, timeline.NewPost{To: []string{"user"}, Text: "soup"})
				second = naiveEntry{post, s.clock.Load()}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			naive.build(func() []naiveEntry { return []naiveEntry{first} }, func() { naive.push(second) })
			s.work(1 << 20)
			s.surpass(naive.read(), reader, second.post, first.post)
		})
	}
}

// during does all work, and has another goroutine write when the work comes to a point first. The
// work goes on when the write has been done or waits for a lock.
func (s *shelf) during(point string, write func() error) error {
	s.t.Helper()
	const waiting = `
		select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`
	done := make(chan error, 1)
	var once sync.Once
	s.at = func(at string) {
		if at != point {
			return
		}
		once.Do(func() {
			written := make(chan struct{})
			go func() {
				defer close(written)
				done <- write()
			}()
			for waits := false; !waits; {
				select {
				case <-written:
					return
				default:
				}
				if err := s.store.Pool().QueryRow(s.t.Context(), waiting).Scan(&waits); err != nil {
					s.t.Error(err)
					return
				}
			}
		})
	}
	s.work(1 << 20)
	s.at = nil
	return <-done
}

// TestFillWaitsForWritesUnderWay: a write asked which inboxes have to know of its post before the
// feeds of an inbox were committed, and is committed after the inbox could have been filled.
func TestFillWaitsForWritesUnderWay(t *testing.T) {
	t.Parallel()
	const waits = `
		select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`
	const looked = `
		select exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query like '%select backend_xid::text%' and query_start > $1)`
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	other := s.person("other", "writer")
	s.set("home", "capped")
	s.homeOf(other, false)
	s.work(1 << 20)
	until := func(or <-chan struct{}, query string, args ...any) {
		for is := false; !is; {
			select {
			case <-or:
				return
			default:
			}
			if err := s.store.Pool().QueryRow(t.Context(), query, args...).Scan(&is); err != nil {
				t.Error(err)
				return
			}
		}
	}
	// The write waits for the inbox of another reader, after it has asked.
	lock, err := s.store.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.Exec(t.Context(), `select from inboxes for update`); err != nil {
		t.Fatal(err)
	}
	s.clock.Add(60_000)
	var post timeline.PostID
	written := make(chan error, 1)
	go func() {
		var err error
		post, err = s.store.CreatePost(t.Context(), writer, timeline.NewPost{To: []string{"user"}, Text: "soup"})
		written <- err
	}()
	until(nil, waits)
	s.homeOf(reader, false) // a visit, which wishes for the inbox
	filled, let := make(chan struct{}), make(chan error, 1)
	s.at = func(point string) {
		switch point {
		case inbox.PointMade:
			var made time.Time
			if err := s.store.Pool().QueryRow(t.Context(), `select clock_timestamp()`).Scan(&made); err != nil {
				t.Error(err)
			}
			go func() { // The fill waits for the write, or does not.
				until(filled, looked, made)
				let <- lock.Rollback(t.Context())
			}()
		case inbox.PointFilled:
			close(filled)
		}
	}
	s.work(2)
	s.at = nil
	if err := <-let; err != nil {
		t.Fatal(err)
	}
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	s.work(1 << 20)
	s.expect("after the fill", reader, post)
}

// TestOwnPostsAreNoOnesTimeline: Socialite copies a reader's own posts into the feed when a cache
// is made, and not later, so they depend on when it was made. Here they do on the reader's wish.
func TestOwnPostsAreNoOnesTimeline(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "capped")
	if err := s.store.SetOwnPosts(t.Context(), reader, false); err != nil {
		t.Fatal(err)
	}
	own, theirs := s.entry(reader), s.entry(writer)
	naive := naiveCache{size: 500}
	naive.build(func() []naiveEntry { return []naiveEntry{own, theirs} }, func() {})
	s.homeOf(reader, false)
	s.work(1 << 20)
	later := s.entry(reader) // which is pushed to followers only
	check := func(want ...timeline.PostID) {
		t.Helper()
		if got := shown(s.visit(s.store, reader, At{})); !slices.Equal(got, want) || slices.Equal(naive.read(), want) {
			t.Errorf("the home has %v, the naive one %v, wanted is %v", got, naive.read(), want)
		}
	}
	check(theirs.post)
	if err := s.store.SetOwnPosts(t.Context(), reader, true); err != nil {
		t.Fatal(err)
	}
	check(later.post, theirs.post, own.post)
	s.work(1 << 20)
	check(later.post, theirs.post, own.post)
	s.home(reader)
}

// TestCappedKeepsTheNewest: a cache that keeps what came last loses a newer post to an older
// one that came late, and leaves a post that a comment made fresh where it was.
func TestCappedKeepsTheNewest(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 1) // two inboxes are told by a job
	reader, writer := s.pair()
	other := s.person("other", "writer")
	s.set("home", "capped")
	s.set("cap", "3")
	s.homeOf(reader, false)
	s.homeOf(other, false)
	s.work(1 << 20)
	naive := naiveCache{size: 3, made: true}
	var posts []timeline.PostID
	var entries []naiveEntry
	for i := range 4 {
		entries = append(entries, s.entry(writer))
		posts = append(posts, entries[i].post)
	}
	later := func(post timeline.PostID) {
		t.Helper()
		if _, err := s.store.Pool().Exec(t.Context(), `update inbox_fanouts set retry_at = case when post_id = $1 then 'infinity' else now() end::timestamptz`, post); err != nil {
			t.Fatal(err)
		}
	}
	later(posts[0])
	s.work(1 << 20)
	later(0)
	s.work(1 << 20)
	for _, e := range append(entries[1:4:4], entries[0]) {
		naive.push(e)
	}
	s.surpass(naive.read(), reader, posts[3], posts[2], posts[1], posts[0])
	const has = `select count(*) from inbox_rows r where r.inbox_id in (select i.id` + homeOfViewer + `) and r.post_id = any($2)`
	if n := s.count(has, reader, posts[1:]); n != 3 {
		t.Errorf("the inbox has %d of the three newest posts", n)
	}
	s.clock.Add(60_000)
	if _, err := s.store.AddComment(t.Context(), other, posts[1], timeline.NewComment{Text: "salt"}); err != nil {
		t.Fatal(err)
	}
	s.work(1 << 20)
	s.surpass(naive.read(), reader, posts[1], posts[3], posts[2], posts[0])
}

// TestSlotsAreGivenOnce: Kandels' writers increment the counter of a feed and then retrieve it, so
// two of them may get one slot, and a post is lost.
func TestSlotsAreGivenOnce(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "segments")
	s.set("slots", "4")
	s.work(1 << 20)
	s.clock.Add(60_000)
	s.parallel(2, writer)
	two := s.homeOf(reader, true)
	naive := naiveRing{size: 4}
	naive.push(naiveEntry{two[1], 1}, func() { naive.push(naiveEntry{two[0], 2}, func() {}) })
	s.surpass(naive.read(4), reader, two...)
	const slots = `select count(distinct r.slot) from inbox_rows r where r.inbox_id in (select i.id` + homeOfViewer + `)`
	if n := s.count(slots, reader); n != 2 {
		t.Errorf("two posts have %d slots", n)
	}
}

// TestSlotsCanBeMoreAndFewer: with another modulus a ring of Kandels' puts a new post in the place
// of a newer one than the oldest, and keeps old posts for ever in slots that are used no more.
func TestSlotsCanBeMoreAndFewer(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "segments")
	for _, change := range []struct{ before, after, posts, kept int }{{3, 5, 4, 4}, {3, 2, 4, 2}, {3, 1, 5, 1}, {2, 4, 3, 3}} {
		s.set("slots", fmt.Sprint(change.before))
		s.work(1 << 20)
		// What one has of the changes before is displaced by as many posts as there are slots.
		naive := naiveRing{size: int64(change.before)}
		push := func() { naive.push(s.entry(writer), func() {}) }
		for range change.posts {
			push()
		}
		s.set("slots", fmt.Sprint(change.after))
		fills := s.inboxes.Counts().Fills
		s.work(1 << 20)
		if n := s.inboxes.Counts().Fills - fills; n != 0 {
			t.Errorf("from %d to %d slots %d inboxes were filled again", change.before, change.after, n)
		}
		naive.size = int64(change.after)
		push()
		all := s.homeOf(reader, true)
		if got := naive.read(9); slices.Equal(got, all[:change.kept]) {
			t.Errorf("from %d to %d the naive code makes no mistake", change.before, change.after)
		}
		s.surpass(naive.read(9), reader, all...)
		const has = `select count(*) from inbox_rows r where r.inbox_id in (select i.id` + homeOfViewer + `) and ($2::bigint[] is null or r.post_id = any($2))`
		if n, exact := s.count(has, reader, nil), s.count(has, reader, all[:change.kept]); n != change.kept || exact != change.kept {
			t.Errorf("from %d to %d slots the ring has %d entries, %d of the newest %d", change.before, change.after, n, exact, change.kept)
		}
	}
}

// TestOlderPagesAreNotCounted: a feed that has more by its counter leads to a page without
// entries after deletions.
func TestOlderPagesAreNotCounted(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "segments")
	s.set("slots", "8")
	s.work(1 << 20)
	naive := naiveRing{size: 8}
	var posts []timeline.PostID
	for i := range 6 {
		naive.push(s.entry(writer), func() {})
		posts = append(posts, naive.slots[int64(i+1)].post)
	}
	for _, post := range posts[:2] {
		if err := s.store.DeletePost(t.Context(), writer, post); err != nil {
			t.Fatal(err)
		}
		naive.remove(post)
	}
	if shown := len(naive.read(4)); shown != 4 || !naive.hasMore(shown) {
		t.Error("the naive code makes no mistake here")
	}
	v := s.visit(s.store, reader, At{Count: 4})
	if len(v.Entries) != 4 || v.Older != nil {
		t.Errorf("a page of four posts has %d, and an older page below %v", len(v.Entries), v.Older)
	}
	if v = s.visit(s.store, reader, At{Count: 3}); len(v.Entries) != 3 || v.Older == nil {
		t.Errorf("a page of three posts of four has %d, and an older page below %v", len(v.Entries), v.Older)
	}
	s.home(reader)
}

// visit returns a page of a home, of a node that had no river before.
func (s *shelf) visit(store *timeline.Store, viewer timeline.UserID, at At) (v *View) {
	s.t.Helper()
	s.onNode(store, func(node *Node) {
		var err error
		if v, err = node.Visit(s.t.Context(), Key{Viewer: viewer, What: KindHome, TheirID: int64(viewer)}, at); err != nil {
			s.t.Fatal(err)
		}
	})
	return v
}

// TestFeedsGoOnWhereverPostsCome: a feed that is generated from the posts since the time of the last
// generation never gets what comes with an earlier time, as a post that moves into a group.
func TestFeedsGoOnWhereverPostsCome(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	other := s.person("other")
	if _, err := s.store.CreateGroup(t.Context(), other, timeline.NewGroup{Name: "kitchen"}); err != nil {
		t.Fatal(err)
	}
	s.subscribe(reader, "kitchen")
	s.set("home", "capped")
	outside, seen := s.entry(other), s.entry(writer)
	s.homeOf(reader, false)
	s.work(1 << 20)
	var naive naiveGenerated
	naive.generate([]naiveEntry{seen}, s.clock.Load())
	if err := s.store.EditPost(t.Context(), other, outside.post, timeline.PostEdit{To: []string{"user", "group:kitchen"}}); err != nil {
		t.Fatal(err)
	}
	naive.generate([]naiveEntry{outside, seen}, s.clock.Load()) // and of the same posts none twice
	s.surpass(newestFirst(naive.entries), reader, seen.post, outside.post)
}
