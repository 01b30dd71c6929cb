package river

import (
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/inbox"
)

// shown returns the posts of a view.
func shown(v *View) (posts []timeline.PostID) {
	for _, e := range v.Entries {
		posts = append(posts, e.Post())
	}
	return posts
}

// TestInboxesHearOfEverything: in Socialite no cache ever hears of a subscription, a lost right or a
// deletion. With each source a home has them at once, and also from its inbox when the work is done.
func TestInboxesHearOfEverything(t *testing.T) {
	t.Parallel()
	long(t)
	type home struct {
		*shelf
		name           string
		reader, writer timeline.UserID
		posts          []timeline.PostID // the writer's, the latest first
		outside        timeline.PostID   // of a person that nobody follows
	}
	feed := func(name string) timeline.FeedName { return timeline.FeedName{Name: name} }
	acts := []struct {
		name string
		act  func(h *home) error
		want func(h *home) []timeline.PostID
	}{
		{"the reader leaves the feed", func(h *home) error {
			return h.store.Unsubscribe(h.t.Context(), h.reader, feed("writer"+h.name))
		}, func(*home) []timeline.PostID { return nil }},
		{"the reader subscribes to another feed", func(h *home) error {
			h.subscribe(h.reader, "other"+h.name)
			return nil
		}, func(h *home) []timeline.PostID { return append(slices.Clone(h.posts), h.outside) }},
		{"a post is deleted", func(h *home) error {
			return h.store.DeletePost(h.t.Context(), h.writer, h.posts[1])
		}, func(h *home) []timeline.PostID { return []timeline.PostID{h.posts[0], h.posts[2]} }},
		{"a post moves out of sight", func(h *home) error {
			return h.store.EditPost(h.t.Context(), h.writer, h.posts[0], timeline.PostEdit{To: []string{"user_fyeo"}})
		}, func(h *home) []timeline.PostID { return h.posts[1:] }},
		{"a comment makes a post fresh", func(h *home) error {
			h.clock.Add(60_000)
			_, err := h.store.AddComment(h.t.Context(), h.reader, h.posts[2], timeline.NewComment{Text: "salt"})
			return err
		}, func(h *home) []timeline.PostID { return []timeline.PostID{h.posts[2], h.posts[0], h.posts[1]} }},
		{"the writer bans the reader", func(h *home) error {
			return h.store.Ban(h.t.Context(), h.writer, "reader"+h.name)
		}, func(*home) []timeline.PostID { return nil }},
		{"the writer goes private and removes the reader", func(h *home) error {
			private := "private"
			if err := h.store.SetProfile(h.t.Context(), h.writer, timeline.ProfileEdit{Status: &private}); err != nil {
				return err
			}
			return h.store.RemoveSubscriber(h.t.Context(), h.writer, feed("writer"+h.name), "reader"+h.name)
		}, func(*home) []timeline.PostID { return nil }},
		{"the writer shows the feed to no one", func(h *home) error {
			fyeo := "fyeo"
			return h.store.SetProfile(h.t.Context(), h.writer, timeline.ProfileEdit{Status: &fyeo})
		}, func(*home) []timeline.PostID { return nil }},
		{"the writer likes a post of another", func(h *home) error {
			h.clock.Add(60_000)
			return h.store.Like(h.t.Context(), h.writer, h.outside)
		}, func(h *home) []timeline.PostID { return append([]timeline.PostID{h.outside}, h.posts...) }},
	}
	for _, source := range timeline.Sources()[1:] {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			s := newShelf(t, 1, 200)
			s.set("home", source)
			var homes []*home
			check := func(node *Node, when string, i int) {
				t.Helper()
				if err := node.WaitApplied(t.Context()); err != nil {
					t.Fatal(err)
				}
				h := homes[i]
				v, err := node.Visit(t.Context(), Key{Viewer: h.reader, What: KindHome, TheirID: int64(h.reader)}, At{})
				if err != nil {
					t.Fatal(err)
				}
				if got, want := shown(v), acts[i].want(h); !slices.Equal(got, want) {
					t.Errorf("%s: %s the home has %v, not %v", acts[i].name, when, got, want)
				}
			}
			s.onNode(s.store, func(node *Node) {
				for i, act := range acts {
					h := &home{shelf: s, name: fmt.Sprint(i)}
					homes = append(homes, h)
					h.writer = s.person("writer" + h.name)
					h.reader = s.person("reader"+h.name, "writer"+h.name)
					h.outside = s.post(s.person("other" + h.name))
					naive := naiveCache{size: 500}
					naive.build(func() []naiveEntry { return []naiveEntry{s.entry(h.writer), s.entry(h.writer)} }, func() {})
					s.homeOf(h.reader, false)
					s.work(1 << 20)
					naive.push(s.entry(h.writer))
					h.posts = naive.read()
					if got := s.home(h.reader); !slices.Equal(got, h.posts) {
						t.Fatalf("before it, %s: the home has %v, not %v", act.name, got, h.posts)
					}
					if err := act.act(h); err != nil {
						t.Fatalf("%s: %v", act.name, err)
					}
					if slices.Equal(naive.read(), act.want(h)) {
						t.Errorf("%s: the naive code makes no mistake", act.name)
					}
					check(node, "at once", i)
				}
			})
			s.work(1 << 20)
			s.onNode(s.store, func(node *Node) {
				for i, act := range acts {
					before := s.inboxes.Counts().Chosen
					check(node, "when the work is done", i)
					if s.inboxes.Counts().Chosen == before {
						t.Errorf("%s: the home came from no inbox", acts[i].name)
					}
					if n := s.count(`select count(*)`+homeOfViewer+` and i.ready`, homes[i].reader); n != 1 {
						t.Errorf("%s: the home has %d inboxes that are ready", act.name, n)
					}
					s.check(homes[i].reader)
				}
			})
		})
	}
}

// TestIdleInboxesGo: nothing evicts the caches of Socialite. An inbox that a visit made goes when its
// reader stays away, and costs no more writes; one that is read stays.
func TestIdleInboxesGo(t *testing.T) {
	t.Parallel()
	for _, source := range []string{"capped", "hybrid", "timed"} {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			s := newShelf(t, 1, 200)
			reader, writer := s.pair()
			gone := s.person("gone", "writer")
			s.set("home", source)
			s.set("idle_hours", "24")
			s.homeOf(reader, false)
			s.homeOf(gone, false)
			s.work(1 << 20)
			if _, err := s.store.Pool().Exec(t.Context(), `update inboxes set read_at = now() - interval '25 hours'`); err != nil {
				t.Fatal(err)
			}
			s.home(reader)
			s.set("depth", "400") // has the worker look at all inboxes
			s.work(1 << 20)
			want := 0
			if source == "timed" { // which keeps an inbox for each reader
				want = 1
			}
			if n := s.count(`select count(*)`+homeOfViewer, gone); n != want {
				t.Errorf("a reader that stayed away has %d inboxes, not %d", n, want)
			}
			if n := s.count(`select count(*)`+homeOfViewer+` and ready`, reader); n != 1 {
				t.Errorf("a reader that came has %d inboxes", n)
			}
			told := s.inboxes.Counts().Updated
			s.post(writer)
			if n := s.inboxes.Counts().Updated - told; source != "timed" && n != 1 {
				t.Errorf("a post was told to %d inboxes", n)
			}
			s.home(reader)
		})
	}
}

// TestFanoutGoesOnAtAnyChunk: a worker dies in each chunk of inboxes, and another goes on where the
// last chunk was committed, so each inbox is told once. In Socialite a job begins from the
// start and pushes again; and those that come and leave meanwhile are not what the job knows.
func TestFanoutGoesOnAtAnyChunk(t *testing.T) {
	t.Parallel()
	const readers, chunk = 7, 2
	s := newShelf(t, 1, 1)
	s.inboxes = inbox.New(inbox.Options{PushMost: 1, Chunk: chunk, FanoutMax: 30, Reached: s.reached})
	s.store = timeline.New(s.store.Pool(), timeline.Options{Now: func() time.Time { return time.UnixMilli(s.clock.Load()) }, Source: s.inboxes})
	writer := s.person("writer")
	s.set("home", "capped")
	var ids []timeline.UserID
	var naive []*naiveCache
	for i := range readers {
		id := s.person(fmt.Sprintf("reader%d", i), "writer")
		ids = append(ids, id)
		naive = append(naive, &naiveCache{size: 500, made: true})
		s.homeOf(id, false)
	}
	s.work(1 << 20)
	first := s.entry(writer)
	job := naiveFanout{first, slices.Clone(naive)}
	job.run(3) // dies
	job.run(-1)
	told := s.inboxes.Counts()
	const done = `select coalesce((select count(*) from inboxes i, inbox_fanouts f where i.id <= f.done and i.kind = 'home'), 0)`
	at := inbox.PointTold
	for known := 0; known < readers; known += chunk {
		if n := s.count(done); n != known {
			t.Fatalf("%d inboxes are done, not %d", n, known)
		}
		s.die.Store(&at)
		s.work(1)
		if n := s.count(done); n != known {
			t.Errorf("a worker that died left %d inboxes done, not %d", n, known)
		}
		for i, id := range ids {
			if got := s.home(id); !slices.Equal(got, []timeline.PostID{first.post}) {
				t.Errorf("with %d inboxes done reader %d has %v", known, i, got)
			}
		}
		s.work(1)
	}
	if n := s.killed[inbox.PointTold]; n != 4 {
		t.Errorf("%d workers died, not 4", n)
	}
	if n := s.count(`select count(*) from inbox_fanouts`); n != 0 {
		t.Errorf("%d jobs are left", n)
	}
	// The four chunks that were not committed told 2, 2, 2 and 1 inboxes too.
	if after := s.inboxes.Counts(); after.Updated-told.Updated != 2*readers || after.Chunks-told.Chunks != 4 {
		t.Errorf("%d inboxes were told in %d chunks", after.Updated-told.Updated, after.Chunks-told.Chunks)
	}
	for i, id := range ids {
		if n := s.count(`select count(*) from inbox_rows r where r.inbox_id in (select i.id`+homeOfViewer+`)`, id); n != 1 {
			t.Errorf("the inbox of reader %d has %d entries", i, n)
		}
		s.surpassOrEqual(naive[i], id, first.post)
	}
	// A job that is delivered again, and a later post whose job is done first.
	second, third := s.entry(writer), s.entry(writer)
	if _, err := s.store.Pool().Exec(t.Context(), `
		insert into inbox_fanouts (post_id, timelines) values ($1, '{}'), ($1, '{}'), ($2, '{}')`, second.post, third.post); err != nil {
		t.Fatal(err)
	}
	later := naiveFanout{second, slices.Clone(naive)}
	naiveFanout{third, slices.Clone(naive)}.run(-1)
	if err := s.store.Unsubscribe(t.Context(), ids[0], timeline.FeedName{Name: "writer"}); err != nil {
		t.Fatal(err)
	}
	newcomer := s.person("newcomer", "writer")
	late := &naiveCache{size: 500, made: true}
	later.run(-1)
	for range 2 {
		s.homeOf(newcomer, false)
		s.homeOf(ids[0], false)
		s.work(1 << 20)
	}
	s.surpass(naive[0].read(), ids[0])
	s.surpass(late.read(), newcomer, third.post, second.post, first.post)
	for i, id := range ids[1:] {
		s.surpass(naive[i+1].read(), id, third.post, second.post, first.post)
	}
}

// surpassOrEqual is surpass for a feed that may make no mistake, where others do.
func (s *shelf) surpassOrEqual(naive *naiveCache, viewer timeline.UserID, want ...timeline.PostID) {
	s.t.Helper()
	if slices.Equal(naive.read(), want) {
		naive = &naiveCache{}
	}
	s.surpass(naive.read(), viewer, want...)
}

// TestPagesAreTheSameWhateverIsEmbedded: the first read of a cache of Socialite's returns what it found,
// and later reads what the cache has. Here a first visit, one of an inbox, and one after an
// edit, a like and a new name render the same with each combination of fields embedded as
// without an inbox.
func TestPagesAreTheSameWhateverIsEmbedded(t *testing.T) {
	t.Parallel()
	long(t)
	var naive naiveEmbedding
	find := func() []naiveContent { return []naiveContent{{1, "soup"}} }
	if first, later := naive.read(find), naive.read(find); slices.Equal(first, later) {
		t.Error("the naive code makes no mistake here")
	}
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	plain := timeline.New(s.store.Pool(), timeline.Options{Now: func() time.Time { return time.UnixMilli(s.clock.Load()) }})
	var posts []timeline.PostID
	for range 3 {
		posts = append(posts, s.post(writer))
	}
	for n, fields := range []string{"none", "author", "text", "data", "author+text+data"} {
		source := timeline.Sources()[1:][n]
		s.set("home", "read")
		s.work(1 << 20)
		s.set("embed", fields)
		s.set("home", source)
		want := s.visit(plain, reader, At{})
		same := func(when string) {
			t.Helper()
			got := s.visit(s.store, reader, At{})
			if diff := gocmp.Diff(want.Entries, got.Entries); diff != "" {
				t.Errorf("%s, %s embedded by %s: entries differ (-want +got):\n%s", when, fields, source, diff)
			}
			if diff := gocmp.Diff(want.Users, got.Users); diff != "" {
				t.Errorf("%s, %s embedded by %s: people differ (-want +got):\n%s", when, fields, source, diff)
			}
		}
		same("at the first visit")
		s.work(1 << 20)
		s.home(reader)
		same("from an inbox")
		text, name := fmt.Sprintf("soup with %s", fields), fmt.Sprintf("Writer %d", n)
		if err := s.store.EditPost(t.Context(), writer, posts[0], timeline.PostEdit{Text: &text}); err != nil {
			t.Fatal(err)
		}
		if err := s.store.SetProfile(t.Context(), writer, timeline.ProfileEdit{DisplayName: &name}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.store.AddComment(t.Context(), reader, posts[1], timeline.NewComment{Text: "salt"}); err != nil {
			t.Fatal(err)
		}
		want = s.visit(plain, reader, At{})
		same("after an edit")
		s.work(1 << 20)
		same("after the work")
		s.home(reader)
		const embedded = `
			select count(*) from (
				select r.data from inbox_rows r where r.inbox_id in (select i.id` + homeOfViewer + `)
				union all
				select e.value -> 'data' from inbox_documents d, jsonb_each(d.entries) e where d.inbox_id in (select i.id` + homeOfViewer + `)) x
			where data is not null`
		if n := s.count(embedded, reader); n != 3 && fields != "none" || n != 0 && fields == "none" {
			t.Errorf("with %s embedded by %s %d entries have fields", fields, source, n)
		}
	}
}

// TestPagesCrossTheEdgeOfACap: checklist SO7. Pages that begin in a capped inbox and end far below
// have each post once, also going back up.
func TestPagesCrossTheEdgeOfACap(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "capped")
	s.set("cap", "10")
	var all []timeline.PostID
	for range 33 {
		all = append(all, s.post(writer))
	}
	slices.Reverse(all)
	s.homeOf(reader, false)
	s.work(1 << 20)
	before := s.inboxes.Counts()
	s.onNode(s.store, func(node *Node) {
		page := func(at At) *View {
			t.Helper()
			at.Count = 7
			v, err := node.Visit(t.Context(), Key{Viewer: reader, What: KindHome, TheirID: int64(reader)}, at)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		var down []timeline.PostID
		for at := (At{}); ; {
			v := page(at)
			down = append(down, shown(v)...)
			if v.Older == nil {
				break
			}
			at.Before = *v.Older
		}
		if !slices.Equal(down, all) {
			t.Errorf("going down the pages have %v, not %v", down, all)
		}
		var up []timeline.PostID
		for skip := 28; skip >= 0; skip -= 7 {
			up = append(shown(page(At{Skip: skip})), up...)
		}
		if !slices.Equal(up, all) {
			t.Errorf("going up the pages have %v, not %v", up, all)
		}
	})
	if after := s.inboxes.Counts(); after.Chosen == before.Chosen || after.Below == before.Below {
		t.Errorf("the pages were not read on both sides of the edge: %+v, then %+v", before, after)
	}
}
