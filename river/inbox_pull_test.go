package river

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/inbox"
)

// restart gives the site a new process with inboxes.
func (s *shelf) restart(opts inbox.Options) {
	opts.Reached = s.reached
	s.inboxes = inbox.New(opts)
	s.store = timeline.New(s.store.Pool(), timeline.Options{Now: func() time.Time { return time.UnixMilli(s.clock.Load()) }, Source: s.inboxes})
}

// toldOf returns how many inboxes an act told of a post.
func (s *shelf) toldOf(act func()) int64 {
	before := s.inboxes.Counts().Updated
	act()
	return s.inboxes.Counts().Updated - before
}

// expect checks what a home has, from its inbox.
func (s *shelf) expect(when string, viewer timeline.UserID, want ...timeline.PostID) {
	s.t.Helper()
	if got := s.home(viewer); !slices.Equal(got, want) {
		s.t.Errorf("%s the home has %v, not %v", when, got, want)
	}
	s.check(viewer)
}

// TestHybridPullsFeedsOfMany: checklist IG10. A post in a feed with many subscribers is pushed to no
// inbox, and found by each read. A post that is also in a feed with few subscribers is pushed. A pull
// that finds no post is counted. When the feed has few subscribers, or the site sets another limit,
// the feed is pushed.
func TestHybridPullsFeedsOfMany(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	writer, star := s.person("writer"), s.person("star")
	reader := s.person("reader", "writer", "star")
	s.person("fan", "star")
	if _, err := s.store.CreateGroup(t.Context(), star, timeline.NewGroup{Name: "kitchen"}); err != nil {
		t.Fatal(err)
	}
	s.subscribe(reader, "kitchen")
	s.set("hybrid", "3") // its author is a subscriber of the group
	s.person("another", "star")
	s.set("home", "hybrid")
	s.homeOf(reader, false)
	s.work(1 << 20)
	before := s.inboxes.Counts()
	s.expect("before all posts", reader)
	if after := s.inboxes.Counts(); after.Pulls == before.Pulls || after.EmptyPulls == before.EmptyPulls {
		t.Errorf("a pull without posts is not counted: %+v", after)
	}
	var posts []timeline.PostID
	for i := range 8 {
		author, want := writer, int64(1)
		if i%3 > 0 {
			author, want = star, 0
		}
		if n := s.toldOf(func() { posts = append(posts, s.post(author)) }); n != want {
			t.Errorf("post %d was told to %d inboxes, not %d", i, n, want)
		}
	}
	slices.Reverse(posts)
	before = s.inboxes.Counts()
	s.expect("with eight posts", reader, posts...)
	if after := s.inboxes.Counts(); after.Pulls == before.Pulls || after.EmptyPulls-before.EmptyPulls >= after.Pulls-before.Pulls {
		t.Errorf("pulls that found posts are counted as empty: %+v, then %+v", before, after)
	}
	s.clock.Add(60_000)
	var both timeline.PostID
	if n := s.toldOf(func() {
		var err error
		if both, err = s.store.CreatePost(t.Context(), star, timeline.NewPost{To: []string{"user", "group:kitchen"}, Text: "soup"}); err != nil {
			t.Fatal(err)
		}
	}); n != 1 {
		t.Errorf("a post in both feeds was told to %d inboxes", n)
	}
	posts = slices.Insert(posts, 0, both)
	s.expect("with a post in both", reader, posts...)
	if err := s.store.DeletePost(t.Context(), star, posts[1]); err != nil {
		t.Fatal(err)
	}
	posts = slices.Delete(posts, 1, 2)
	s.expect("after a deletion", reader, posts...)
	for _, most := range []string{"9", "3"} { // and back
		s.set("hybrid", most)
		s.restart(inbox.Options{})
		s.work(1 << 20)
		want := map[string]int64{"9": 1, "3": 0}[most]
		if n := s.toldOf(func() { posts = slices.Insert(posts, 0, s.post(star)) }); n != want {
			t.Errorf("with hybrid %s a post was told to %d inboxes, not %d", most, n, want)
		}
		s.expect("with hybrid "+most, reader, posts...)
	}
}

// TestPullsEndWhereTheyWereRead: another timeline places the top posts of a pulled timeline far below. A read
// of a few posts finds none of them at the top, and must not treat the inbox as complete below the posts
// that it read.
func TestPullsEndWhereTheyWereRead(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	writer, star, outsider := s.person("writer"), s.person("star"), s.person("outsider")
	reader := s.person("reader", "writer", "star")
	s.person("fan", "star")
	s.set("hybrid", "2")
	s.set("home", "hybrid")
	s.homeOf(reader, false)
	s.work(1 << 20)
	like := func(who timeline.UserID, post timeline.PostID) {
		t.Helper()
		s.clock.Add(60_000)
		if err := s.store.Like(t.Context(), who, post); err != nil {
			t.Fatal(err)
		}
	}
	var liked, posts []timeline.PostID
	for range 4 {
		liked = append(liked, s.post(outsider))
	}
	for _, post := range liked {
		like(writer, post)
	}
	for range 4 {
		posts = append(posts, s.post(star), s.post(writer))
	}
	for _, post := range liked {
		like(star, post)
	}
	want := append(slices.Clone(liked), posts...)
	slices.Reverse(want)
	s.expect("with posts that both like", reader, want...)
}

// TestInboxesAreMadeAnewWithoutAVisit: after a subscription a worker makes the inbox of the new
// choice, so that the next visit finds it.
func TestInboxesAreMadeAnewWithoutAVisit(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	other := s.person("other")
	s.set("home", "sized")
	s.work(1 << 20)
	posts := []timeline.PostID{s.post(writer), s.post(other)}
	s.subscribe(reader, "other")
	s.work(1 << 20)
	s.expect("after a subscription", reader, posts[1], posts[0])
}

// TestFanoutLimit: checklist SO10. A feed with as many subscribers as the limit is pulled by every
// source, and a reader of as many timelines has no inbox.
func TestFanoutLimit(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	s.restart(inbox.Options{})
	writer, star := s.person("writer"), s.person("star")
	reader := s.person("reader", "writer", "star")
	s.set("home", "capped")
	c, err := s.choiceOf(t.Context(), timeline.InboxKey{Kind: "home", Viewer: reader, Their: int64(reader)})
	if err != nil {
		t.Fatal(err)
	}
	limit := len(c.Timelines) + 1
	for i := range limit - 2 {
		s.person(fmt.Sprintf("fan%d", i), "star")
	}
	work := func(limit int) {
		t.Helper()
		s.set("fanout_limit", fmt.Sprint(limit))
		s.restart(inbox.Options{}) // which looks at once what is to be pulled
		s.homeOf(reader, false)
		s.work(1 << 20)
	}
	var posts []timeline.PostID
	post := func(author timeline.UserID, want int64) {
		t.Helper()
		if n := s.toldOf(func() { posts = slices.Insert(posts, 0, s.post(author)) }); n != want {
			t.Errorf("the post was told to %d inboxes, not %d", n, want)
		}
	}
	none := func(when string) {
		t.Helper()
		if n := s.count(`select count(*)`+homeOfViewer, reader); n != 0 {
			t.Errorf("%s the reader has %d inboxes", when, n)
		}
		s.check(reader)
	}
	work(limit)
	post(star, 1)
	post(writer, 1)
	s.expect("one below the limit", reader, posts...)
	s.person("one", "star")
	work(limit)
	post(star, 0)
	post(writer, 1)
	s.expect("with as many subscribers as the limit", reader, posts...)
	work(limit - 1)
	none("with as many timelines as the limit")
	s.subscribe(reader, "one")
	work(limit - 1)
	none("after one more subscription")
	post(writer, 0)
	work(0)
	post(star, 1)
	s.expect("without a limit", reader, posts...)
	s.subscribe(reader, "fan0") // so that a worker makes the inbox anew
	s.set("fanout_limit", fmt.Sprint(limit))
	s.work(1 << 20)
	none("after a subscription with a limit again")
}

// TestReadsOfManyWaitingPosts: each read looks up the posts that wait for their inboxes. If there are more
// than a read may look up, it reads the timelines.
func TestReadsOfManyWaitingPosts(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	s.restart(inbox.Options{PushMost: 1, FanoutMax: 2})
	reader, writer := s.pair()
	other := s.person("other", "writer")
	s.set("home", "capped")
	s.homeOf(reader, false)
	s.homeOf(other, false)
	s.work(1 << 20)
	posts := []timeline.PostID{s.post(writer), s.post(writer)}
	slices.Reverse(posts)
	s.expect("with two posts waiting", reader, posts...)
	posts = slices.Insert(posts, 0, s.post(writer))
	before := s.inboxes.Counts()
	if got := s.homeOf(reader, false); !slices.Equal(got, posts) {
		t.Errorf("with three posts waiting the home has %v, not %v", got, posts)
	}
	if after := s.inboxes.Counts(); after.Chosen != before.Chosen || after.Waiting == before.Waiting {
		t.Errorf("with three posts waiting, of two that a read may look up, the counts are %+v, then %+v", before, after)
	}
	s.work(1 << 20)
	s.expect("when the work is done", reader, posts...)
}

// TestVisitsWishForTheSourceThatIsSet: after the site has set another source, an inbox of the previous source
// still serves a visit, and the visit leaves a wish for an inbox of the new source.
func TestVisitsWishForTheSourceThatIsSet(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	reader, writer := s.pair()
	s.set("home", "timed")
	s.work(1 << 20)
	post := s.post(writer)
	s.set("home", "capped")
	s.expect("before the new inbox", reader, post)
	s.work(1 << 20)
	if n, all := s.count(`select count(*)`+homeOfViewer+` and i.source = 'capped' and i.ready`, reader), s.count(`select count(*)`+homeOfViewer, reader); n != 1 || all != 1 {
		t.Errorf("of %d inboxes %d are of the new source", all, n)
	}
	s.expect("with the new inbox", reader, post)
}

// TestReadersShareTheInboxOfAGroup: a river of one timeline has one inbox for all viewers, which
// also serves a page of one post.
func TestReadersShareTheInboxOfAGroup(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 1, 200)
	author := s.person("author")
	group, err := s.store.CreateGroup(t.Context(), author, timeline.NewGroup{Name: "kitchen"})
	if err != nil {
		t.Fatal(err)
	}
	s.set("group", "sized")
	var posts []timeline.PostID
	for range 2 {
		s.clock.Add(60_000)
		post, err := s.store.CreatePost(t.Context(), author, timeline.NewPost{To: []string{"group:kitchen"}, Text: "soup"})
		if err != nil {
			t.Fatal(err)
		}
		posts = append(posts, post)
	}
	site, err := s.store.SiteSettings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, viewer := range []timeline.UserID{author, s.person("reader"), 0} {
		c, err := s.choiceOf(t.Context(), inboxOf(Key{Viewer: viewer, What: KindGroup, TheirID: int64(group)}, site.Source))
		if err != nil {
			t.Fatal(err)
		}
		sn, err := s.store.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		before := s.inboxes.Counts().Chosen
		chosen, err := sn.Choose(t.Context(), c, timeline.Top, 1)
		sn.Close()
		if err != nil || len(chosen.Posts) != 1 || chosen.Posts[0].Post != posts[1] {
			t.Errorf("a page of one post has %v, %v", chosen.Posts, err)
		}
		if n := s.inboxes.Counts().Chosen - before; n != int64(min(i, 1)) {
			t.Errorf("%d pages of viewer %d came from an inbox", n, viewer)
		}
		s.work(1 << 20)
	}
	if n := s.count(`select count(*) from inboxes`); n != 1 {
		t.Errorf("%d inboxes of the group", n)
	}
}
