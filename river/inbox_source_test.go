package river

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/inbox"
)

// pair adds two people; the first subscribes to the second.
func (s *shelf) pair() (reader, writer timeline.UserID) {
	s.t.Helper()
	for name, id := range map[string]*timeline.UserID{"reader": &reader, "writer": &writer} {
		made, err := s.store.SignUp(s.t.Context(), timeline.NewUser{Name: name, Email: name + "@example.org", NoPassword: true})
		if err != nil {
			s.t.Fatal(err)
		}
		*id = made
	}
	s.subscribe(reader, "writer")
	return reader, writer
}

func (s *shelf) subscribe(reader timeline.UserID, name string) {
	s.t.Helper()
	if _, err := s.store.Subscribe(s.t.Context(), reader, timeline.FeedName{Name: name}, timeline.SubscribeOptions{}); err != nil {
		s.t.Fatal(err)
	}
}

// post publishes a post, a minute after the post before.
func (s *shelf) post(author timeline.UserID) timeline.PostID {
	s.t.Helper()
	s.clock.Add(60_000)
	made, err := s.store.CreatePost(s.t.Context(), author, timeline.NewPost{To: []string{"user"}, Text: "soup"})
	if err != nil {
		s.t.Fatal(err)
	}
	return made
}

// count returns the result of a query for a number.
func (s *shelf) count(query string, args ...any) (n int) {
	s.t.Helper()
	if err := s.store.Pool().QueryRow(s.t.Context(), query, args...).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// check compares the home of a viewer with the timelines.
func (s *shelf) check(viewer timeline.UserID) {
	s.t.Helper()
	if err := s.compare(s.t.Context(), []Key{{Viewer: viewer, What: KindHome, TheirID: int64(viewer)}}); err != nil {
		s.t.Fatal(err)
	}
}

const homeOfViewer = ` from inboxes i where i.kind = 'home' and i.viewer_id = $1`

// TestReadFansNothingOut: with the source read a post writes no row for any follower.
func TestReadFansNothingOut(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.post(writer)
	s.check(reader)
	s.work(1 << 20)
	if n := s.count(`select count(*) from inboxes`) + s.count(`select count(*) from inbox_fanouts`); n > 0 {
		t.Errorf("%d rows of inboxes", n)
	}
}

// TestTimedHasADocumentForEachPeriod: the first post of a period makes its document, and a
// period without posts has none.
func TestTimedHasADocumentForEachPeriod(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "timed")
	s.set("period_hours", "24")
	s.work(1 << 20)
	documents := func() int {
		return s.count(`select count(*) from inbox_documents d where d.inbox_id in (select i.id`+homeOfViewer+`)`, reader)
	}
	if n := documents(); n != 0 {
		t.Fatalf("%d documents before the first post", n)
	}
	for i, wait := range []time.Duration{0, time.Minute, 24 * time.Hour, time.Minute, 72 * time.Hour} {
		s.clock.Add(wait.Milliseconds())
		s.post(writer)
		if n, want := documents(), []int{1, 1, 2, 2, 3}[i]; n != want {
			t.Errorf("%d documents after %d posts, not %d", n, i+1, want)
		}
	}
	s.check(reader)
}

// TestSizedDocumentsHaveRoomForSoMany: under 100 parallel writers no document has more
// entries than its size, and each but the last is full.
func TestSizedDocumentsHaveRoomForSoMany(t *testing.T) {
	t.Parallel()
	racetest.Long(t)
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "sized")
	s.set("sized", "7")
	s.work(1 << 20)
	s.parallel(100, writer)
	const full = `
		select count(*) filter (where n = 7), count(*) filter (where n > 7), count(*)
		from (select (select count(*) from jsonb_object_keys(d.entries)) n from inbox_documents d where d.inbox_id in (select i.id` + homeOfViewer + `)) x`
	var exact, over, all int
	if err := s.store.Pool().QueryRow(t.Context(), full, reader).Scan(&exact, &over, &all); err != nil {
		t.Fatal(err)
	}
	if exact != 14 || over != 0 || all != 15 {
		t.Errorf("%d documents are full, %d too full, of %d", exact, over, all)
	}
	s.check(reader)
}

// parallel has a person publish posts, all at the same time.
func (s *shelf) parallel(posts int, author timeline.UserID) {
	s.t.Helper()
	var all sync.WaitGroup
	for range posts {
		all.Go(func() {
			if _, err := s.store.CreatePost(s.t.Context(), author, timeline.NewPost{To: []string{"user"}, Text: "soup"}); err != nil {
				s.t.Error(err)
			}
		})
	}
	all.Wait()
}

// TestCappedIsMadeByARead: a visit makes a capped inbox with exactly the newest entries. Readers
// who never come cost nothing.
func TestCappedIsMadeByARead(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "capped")
	s.set("cap", "3")
	for range 5 {
		s.post(writer)
	}
	s.work(1 << 20)
	if n := s.count(`select count(*) from inboxes`); n != 0 {
		t.Fatalf("%d inboxes before the first visit", n)
	}
	s.check(reader)
	s.work(1 << 20)
	if n := s.count(`select count(*) from inboxes`); n != 1 {
		t.Errorf("%d inboxes after a visit", n)
	}
	var newest []timeline.PostID
	for range 2 {
		newest = append(newest, s.post(writer))
	}
	const has = `select count(*) from inbox_rows r where r.inbox_id in (select i.id` + homeOfViewer + `) and ($2::bigint = 0 or r.post_id = $2)`
	if n := s.count(has, reader, 0); n != 3 {
		t.Errorf("the inbox has %d entries, not 3", n)
	}
	for _, post := range newest {
		if s.count(has, reader, post) != 1 {
			t.Errorf("the inbox lacks post %d", post)
		}
	}
	s.check(reader) // beyond the cap the timelines are read
}

// TestSegmentsKeepTheLastOfAQuietAuthor: however much another author writes, the ring of a
// quiet author keeps its entries; slots are unique under parallel writers, and their number
// can change.
func TestSegmentsKeepTheLastOfAQuietAuthor(t *testing.T) {
	t.Parallel()
	racetest.Long(t)
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	quiet, err := s.store.SignUp(t.Context(), timeline.NewUser{Name: "quiet", Email: "quiet@example.org", NoPassword: true})
	if err != nil {
		t.Fatal(err)
	}
	s.subscribe(reader, "quiet")
	s.set("home", "segments")
	s.set("slots", "4")
	s.work(1 << 20)
	for range 2 {
		s.post(quiet)
	}
	s.parallel(100, writer)
	const of = `select count(distinct r.slot) from inbox_rows r where r.inbox_id in (select i.id` + homeOfViewer + `) and r.segment = $2`
	for _, slots := range []int{4, 9, 2} {
		s.set("slots", strconv.Itoa(slots))
		s.work(1 << 20)
		want := min(slots, 4) // a ring does not get lost posts back
		if slots == 9 {
			for range 5 {
				s.post(writer)
			}
			want = 9
		}
		if n := s.count(of, reader, writer); n != want {
			t.Errorf("with %d slots %d of the busy author are used, not %d", slots, n, want)
		}
		if n := s.count(of, reader, quiet); n != 2 {
			t.Errorf("with %d slots %d of the quiet author are used, not 2", slots, n)
		}
		s.check(reader)
	}
}

// TestFanoutAboveTheThresholdIsAJob: if more inboxes have a post than a write may update,
// workers update them in chunks. Reads are right before, during and after the job. A worker that
// dies loses nothing. If the job fails three times, the inboxes are filled again.
func TestFanoutAboveTheThresholdIsAJob(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 1)
	reader, writer := s.pair()
	for i := range 3 {
		name := fmt.Sprintf("reader%d", i)
		id, err := s.store.SignUp(t.Context(), timeline.NewUser{Name: name, Email: name + "@example.org", NoPassword: true})
		if err != nil {
			t.Fatal(err)
		}
		s.subscribe(id, "writer")
	}
	s.set("home", "sized")
	s.work(1 << 20)
	jobs := func() int { return s.count(`select count(*) from inbox_fanouts`) }
	s.post(writer)
	if jobs() != 1 {
		t.Fatalf("%d jobs after a post", jobs())
	}
	s.check(reader)
	at := inbox.PointTold
	s.die.Store(&at)
	s.work(1)
	if s.killed[inbox.PointTold] != 1 || jobs() != 1 {
		t.Errorf("a worker that died left %d jobs", jobs())
	}
	s.check(reader)
	s.work(1 << 20)
	if jobs() != 0 {
		t.Errorf("%d jobs are left", jobs())
	}
	s.check(reader)
	has := s.count(`select count(*) from inbox_documents`)
	if has < 4 {
		t.Errorf("%d documents for four readers and the writer", has)
	}

	// A job that always fails.
	const broken = `alter table inbox_documents add constraint broken check (entries = '{}') not valid`
	const mended = `alter table inbox_documents drop constraint broken`
	exec := func(query string) {
		t.Helper()
		if _, err := s.store.Pool().Exec(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	exec(broken)
	s.post(writer)
	for try := range 3 {
		exec(`update inbox_fanouts set retry_at = now()`)
		if _, err := s.inboxes.Work(t.Context(), s.store, s.choiceOf); err == nil {
			t.Fatalf("try %d succeeded", try+1)
		}
		s.check(reader)
	}
	if jobs() != 0 {
		t.Errorf("%d jobs after three tries", jobs())
	}
	exec(mended)
	s.work(1 << 20)
	s.check(reader)
	if n := s.count(`select count(*) from inboxes where not ready`); n != 0 {
		t.Errorf("%d inboxes are not ready", n)
	}
}

// TestSourceChangesOnARunningSite: until the inbox of a new source is filled, that of the
// source before serves; going back loses nothing.
func TestSourceChangesOnARunningSite(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "timed")
	s.work(1 << 20)
	s.post(writer)
	s.set("home", "sized")
	before := s.inboxes.Counts()
	s.check(reader)
	if after := s.inboxes.Counts(); after.Chosen == before.Chosen || after.Missed != before.Missed {
		t.Errorf("the inbox before did not serve: %+v, then %+v", before, after)
	}
	s.post(writer)
	s.work(1 << 20)
	for _, source := range []string{"sized", "read", "timed"} {
		s.set("home", source)
		s.work(1 << 20)
		want := 1
		if source == "read" {
			want = 0
		}
		if n := s.count(`select count(*)`+homeOfViewer, reader); n != want {
			t.Errorf("with the source %s the home has %d inboxes", source, n)
		}
		if want == 1 && s.count(`select count(*)`+homeOfViewer+` and source = $2 and ready`, reader, source) != 1 {
			t.Errorf("the inbox of %s is not ready", source)
		}
		s.check(reader)
	}
}

// TestWritersWithoutInboxesLeaveThemUnready: a program that writes to the primary and knows
// nothing of inboxes makes no page wrong.
func TestWritersWithoutInboxesLeaveThemUnready(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "capped")
	s.check(reader)
	s.work(1 << 20)
	other := timeline.New(s.store.Pool(), timeline.Options{Now: func() time.Time { return time.UnixMilli(s.clock.Load()) }})
	if _, err := other.CreatePost(t.Context(), writer, timeline.NewPost{To: []string{"user"}, Text: "soup"}); err != nil {
		t.Fatal(err)
	}
	s.check(reader)
	s.work(1 << 20)
	s.check(reader)
	if n := s.count(`select count(*)`+homeOfViewer+` and ready`, reader); n != 1 {
		t.Errorf("%d inboxes of the home are ready", n)
	}
}

// TestFillWaitsForWritersWithoutInboxes: a program that knows nothing of inboxes writes after a
// fill has read the timelines and before the fill is committed.
func TestFillWaitsForWritersWithoutInboxes(t *testing.T) {
	t.Parallel()
	const waiting = `
		select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`
	const made = `select count(*) from inboxes where viewer_id = $1`
	const free = `select count(*) from (select from inboxes where viewer_id = $1 for update skip locked) i`
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	other := timeline.New(s.store.Pool(), timeline.Options{Now: func() time.Time { return time.UnixMilli(s.clock.Load()) }})
	s.set("home", "timed")
	done := make(chan error, 1)
	write := sync.OnceFunc(func() {
		written := make(chan struct{})
		go func() {
			defer close(written)
			_, err := other.CreatePost(t.Context(), writer, timeline.NewPost{To: []string{"user"}, Text: "soup"})
			done <- err
		}()
		for waits := false; !waits; {
			select {
			case <-written:
				return
			default:
			}
			if err := s.store.Pool().QueryRow(t.Context(), waiting).Scan(&waits); err != nil {
				t.Error(err)
				return
			}
		}
	})
	s.at = func(point string) {
		if point == inbox.PointFilled && s.count(made, reader) > 0 && s.count(free, reader) == 0 { // the fill of the reader's inbox
			write()
		}
	}
	s.work(1 << 20)
	s.at = nil
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s.check(reader)
	s.check(writer)
	s.work(1 << 20)
	if n := s.count(`select count(*) from inboxes where not ready`); n != 0 {
		t.Errorf("%d inboxes are not ready", n)
	}
	s.check(reader)
}

// TestPagesGoOnBelowDroppedDocuments: if an inbox dropped documents, the page that begins below
// the inbox has their highest post.
func TestPagesGoOnBelowDroppedDocuments(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "sized")
	s.set("sized", "1")
	s.set("depth", "2")
	s.work(1 << 20)
	for range 9 {
		s.post(writer)
	}
	if n := s.count(`select count(*)`+homeOfViewer+` and i.low_at > 0`, reader); n != 1 {
		t.Fatalf("%d inboxes of the reader dropped documents", n)
	}
	const kept = `select count(*) from inbox_documents d where d.inbox_id in (select i.id` + homeOfViewer + `)`
	if n, known := s.count(kept, reader), s.count(`select i.entries`+homeOfViewer, reader); n > 4 || n != known {
		t.Errorf("of documents with one entry each %d are kept, and the inbox knows of %d entries", n, known)
	}
	for range 20 { // with pages of several lengths
		s.check(reader)
	}
}
