package timeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// A crowdOfPosts is a site with random posts in random timelines, inserted without actions.
type crowdOfPosts struct {
	*site
	random    *rand.Rand
	timelines []TimelineID
	posts     []PostID
	from      time.Time
	most      int // the largest number of posts of a page
}

func newCrowdOfPosts(t *testing.T, timelines, posts int) *crowdOfPosts {
	t.Helper()
	s := &crowdOfPosts{site: newSite(t, "anna"), random: rand.New(rand.NewPCG(7, uint64(timelines))), from: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	ctx := t.Context()
	whats := []What{WhatUser, WhatUserPrivate, WhatGroup, WhatUserLikes, WhatUserComments, WhatUserFavs, WhatHashtag, WhatMentions}
	for i := range timelines {
		s.timelines = append(s.timelines, one[TimelineID](s.site,
			`insert into timelines (what, their_id, access) values ($1, $2, 'public') returning id`, whats[i%len(whats)], 1000+i))
	}
	// Several posts have equal times, which is rare on a real site, but happens.
	near := func(within int) time.Time {
		return s.from.Add(time.Duration(s.random.IntN(within)) * 500 * time.Millisecond)
	}
	var rows, postRows [][]any
	for i := range posts {
		published := near(posts)
		id := FirstID(published) + PostID(i)
		fresh := published
		if s.random.IntN(2) == 0 {
			fresh = fresh.Add(time.Duration(s.random.IntN(posts)) * 500 * time.Millisecond)
		}
		s.posts = append(s.posts, id)
		postRows = append(postRows, []any{id, s.user("anna"), "x", []TimelineID{}, published, published, fresh.UnixMilli()})
		in := make(map[int]bool)
		for range 1 + s.random.IntN(12) {
			at := s.random.IntN(timelines)
			if s.random.IntN(30) > 0 { // few are busy
				at /= 10
			}
			in[at] = true
		}
		for at := range in {
			entered, rank := published, any(nil)
			if s.random.IntN(2) == 0 {
				entered = entered.Add(time.Duration(s.random.IntN(posts)) * 500 * time.Millisecond)
			}
			if s.random.IntN(3) > 0 {
				rank = 1 + s.random.IntN(posts/2)
			}
			rows = append(rows, []any{s.timelines[at], id, fresh.UnixMilli(), entered.UnixMilli(), rank})
		}
	}
	_, err := s.db.Pool.CopyFrom(ctx, pgx.Identifier{"posts"},
		[]string{"id", "user_id", "text", "places", "published_at", "updated_at", "fresh_at"}, pgx.CopyFromRows(postRows))
	s.must(err)
	_, err = s.db.Pool.CopyFrom(ctx, pgx.Identifier{"timeline_entries"}, []string{"timeline_id", "post_id", "fresh_at", "entered_at", "rank"}, pgx.CopyFromRows(rows))
	s.must(err)
	_, err = s.db.Pool.Exec(ctx, `
		update timelines t set latest_at = (select (max(fresh_at) / 60000 + 1) * 60000 from timeline_entries where timeline_id = t.id)
		where what <> 'hashtag' and exists (select from timeline_entries where timeline_id = t.id)`)
	s.must(err)
	_, err = s.db.Pool.Exec(ctx, `insert into ranking_runs default values`)
	s.must(err)
	_, err = s.db.Pool.Exec(ctx, `
		insert into rankings (timeline_id, post_id, rank, from_run) select timeline_id, post_id, rank, 1 from timeline_entries where rank is not null`)
	s.must(err)
	return s
}

// choice returns a random choice.
func (s *crowdOfPosts) choice(order Order, timelines int) Choice {
	c := Choice{Order: order, Timelines: make(map[TimelineID]bool)}
	second := func() time.Time { return s.from.Add(time.Duration(s.random.IntN(len(s.posts))) * time.Second / 2) }
	from := 0
	if busy := len(s.timelines) / 10; s.random.IntN(2) == 0 && len(s.timelines)-busy >= timelines {
		from = busy
	}
	for _, i := range s.random.Perm(len(s.timelines) - from)[:timelines] {
		c.Timelines[s.timelines[from+i]] = true
	}
	switch order {
	case OrderLifted:
		c.Since, c.Began = make(map[TimelineID]int64), make(map[TimelineID]int64)
		for id := range c.Timelines {
			if s.random.IntN(3) == 0 {
				c.Since[id] = second().UnixMilli()
			}
			if s.random.IntN(2) == 0 {
				c.Began[id] = second().UnixMilli()
			}
		}
	case OrderCreated:
		if s.random.IntN(2) == 0 {
			c.From = FirstID(second())
		}
		if s.random.IntN(2) == 0 {
			c.Until = FirstID(second())
		}
	case OrderRanked:
		if s.random.IntN(2) == 0 {
			c.Run = 1
		}
	}
	return c
}

// placed returns all posts of a choice that have a place by their facts, in the order of their places.
func placed(c *Choice, facts map[PostID]*Facts, timelines map[TimelineID]Timeline) []Cursor {
	known := func(id TimelineID) (Timeline, bool) { t, is := timelines[id]; return t, is }
	all := []Cursor{}
	for _, f := range facts {
		if at, in := c.Cursor(f, known); in {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, Cursor.Compare)
	return all
}

// paged returns all posts of a choice, which it reads page by page. It checks each page.
func (s *crowdOfPosts) paged(sn *Snapshot, c Choice) []Cursor {
	s.t.Helper()
	all, below := []Cursor{}, Top
	for {
		chosen, err := sn.Choose(s.t.Context(), c, below, 1+s.random.IntN(s.most))
		s.must(err)
		for _, at := range chosen.Posts {
			if !at.Below(below) || at.Below(chosen.Low) {
				s.t.Fatalf("%v is not between %v and %v", at, below, chosen.Low)
			}
		}
		all = append(all, chosen.Posts...)
		if chosen.Low == (Cursor{}) {
			return all
		}
		if len(chosen.Posts) == 0 || !chosen.Low.Below(below) {
			s.t.Fatalf("nothing came below %v, down to %v", below, chosen.Low)
		}
		below = chosen.Low
	}
}

// TestChooseReturnsEachPostThatHasAPlaceOnce compares the posts that Choose returns, in each
// order and by each method, with the posts that have a place by their facts. Choose must return
// each of these posts exactly once, and no others.
func TestChooseReturnsEachPostThatHasAPlaceOnce(t *testing.T) {
	long(t)
	t.Parallel()
	s := newCrowdOfPosts(t, 400, 1200)
	sn, err := s.Snapshot(t.Context())
	s.must(err)
	defer sn.Close()
	facts, timelines, err := sn.Facts(t.Context(), s.posts)
	s.must(err)
	for _, order := range []Order{OrderFresh, OrderCreated, OrderRanked, OrderLifted} {
		for _, n := range []int{1, 3, 70, 300, 390} {
			t.Run(fmt.Sprintf("%q among %d", order, n), func(t *testing.T) {
				for _, s.most = range []int{12, 100, 500} {
					if s.most < 20 && n < 300 {
						continue
					}
					c := s.choice(order, n)
					c.Known = func(id TimelineID) (Timeline, bool) { t, is := timelines[id]; return t, is }
					if diff := gocmp.Diff(placed(&c, facts, timelines), s.paged(sn, c)); diff != "" {
						t.Fatalf("places (-by the facts +chosen):\n%s", diff)
					}
				}
			})
		}
	}
}

// TestCreatedGoesOnBelowAnyPlace: in the created order a page can begin below any place, even one where
// no post is.
func TestCreatedGoesOnBelowAnyPlace(t *testing.T) {
	t.Parallel()
	s := newCrowdOfPosts(t, 80, 200)
	sn, err := s.Snapshot(t.Context())
	s.must(err)
	defer sn.Close()
	facts, timelines, err := sn.Facts(t.Context(), s.posts)
	s.must(err)
	for _, n := range []int{40, 75} {
		c := s.choice(OrderCreated, n)
		c.From, c.Until = 0, 0
		all := placed(&c, facts, timelines)
		for range 50 {
			post := s.posts[s.random.IntN(len(s.posts))]
			below := post.Cursor()
			below.FreshAt += int64(s.random.IntN(2001) - 1000)
			below.Post += PostID(s.random.IntN(3) - 1)
			chosen, err := sn.Choose(t.Context(), c, below, 10)
			s.must(err)
			i := slices.IndexFunc(all, func(at Cursor) bool { return at.Below(below) })
			want := all[len(all):]
			if i >= 0 {
				want = all[i:min(i+10, len(all))]
			}
			if diff := gocmp.Diff(want, chosen.Posts[:len(chosen.Posts):len(chosen.Posts)]); diff != "" && len(want)+len(chosen.Posts) > 0 {
				t.Fatalf("below %v (-want +got):\n%s", below, diff)
			}
		}
	}
}

// TestTopsHaveTheNewest: of many timelines, only those with the newest entries are read further. No entry
// of another timeline is above the entries returned.
func TestTopsHaveTheNewest(t *testing.T) {
	long(t)
	t.Parallel()
	s := newCrowdOfPosts(t, 200, 300)
	by := enteredStream()
	all, err := by.newest(t.Context(), s.db.Pool, s.timelines, Top, Cursor{}, 1000)
	s.must(err)
	all = merge(nil, all, len(all))
	for _, want := range []int{3, 50, 150, 1000} {
		below := Top
		var found []Cursor
		for {
			chosen, err := by.ofTops(t.Context(), s.db.Pool, s.timelines, below, want)
			s.must(err)
			found = append(found, chosen.Posts...)
			if chosen.Low == (Cursor{}) {
				break
			}
			if len(chosen.Posts) == 0 {
				t.Fatalf("nothing came below %v", below)
			}
			below = chosen.Low
		}
		if diff := gocmp.Diff(all, found); diff != "" {
			t.Errorf("%d at a time (-want +got):\n%s", want, diff)
		}
	}
}

// TestNewestEndsAtTheLowPlace: of each timeline, only the entries at and above a place are read.
func TestNewestEndsAtTheLowPlace(t *testing.T) {
	t.Parallel()
	s := newCrowdOfPosts(t, 20, 60)
	for name, by := range map[string]stream{"fresh": freshStream(), "created": createdStream(0, 0), "entered": enteredStream()} {
		all, err := by.newest(t.Context(), s.db.Pool, s.timelines, Top, Cursor{}, 1000)
		s.must(err)
		all = merge(nil, all, len(all))
		for i, low := range all {
			found, err := by.newest(t.Context(), s.db.Pool, s.timelines, Top, low, 1000)
			s.must(err)
			if diff := gocmp.Diff(all[:i+1], merge(nil, found, len(found))); diff != "" {
				t.Fatalf("%s, down to place %d (-want +got):\n%s", name, i, diff)
			}
		}
	}
}
