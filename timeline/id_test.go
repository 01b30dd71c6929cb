package timeline

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// newIDs returns n new ids of a time, in the order in which the primary made them.
func (s *site) newIDs(at time.Time, n int) []PostID {
	s.t.Helper()
	rows, err := s.db.Pool.Query(s.t.Context(), `select next_id($1) from generate_series(1, $2::int)`, at, n)
	s.must(err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[PostID])
	s.must(err)
	return ids
}

// ofShard makes a site whose primary has a shard.
func ofShard(t *testing.T, shard int, names ...string) *site {
	t.Helper()
	s := newSite(t, names...)
	s.must(s.SetShard(t.Context(), shard))
	return s
}

// TestIDsOfTwoShards: two primaries make ids at the same time. All ids differ, each names the
// shard of its primary, and the ids of a shard rise. Then one of the primaries is lost: the
// later ids of the other, and of a replacement for the lost one, differ from all ids before.
func TestIDsOfTwoShards(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	made := make(map[PostID]int)
	var mu sync.Mutex
	note := func(shard int, ids []PostID) {
		mu.Lock()
		defer mu.Unlock()
		if !slices.IsSorted(ids) {
			t.Errorf("shard %d: the ids do not rise", shard)
		}
		for _, id := range ids {
			if got := id.Shard(); got != shard || CommentID(id).Shard() != shard {
				t.Errorf("the shard of id %d is %d, want %d", id, got, shard)
			}
			if other, is := made[id]; is {
				t.Errorf("shard %d made the id %d, which shard %d made before", shard, id, other)
			}
			made[id] = shard
			if second := id.Cursor().FreshAt / 1000; second < at.Unix() || second > at.Unix()+1 {
				t.Errorf("the id %d is of second %d, drawn for %d", id, second, at.Unix())
			}
		}
	}
	first, second := ofShard(t, 3), ofShard(t, 15)
	var all sync.WaitGroup
	for _, s := range []struct {
		*site
		shard int
	}{{first, 3}, {second, 15}} {
		for range 4 {
			all.Go(func() { note(s.shard, s.newIDs(at, 500)) })
		}
	}
	all.Wait()
	later := at.Add(time.Second)
	note(3, first.newIDs(later, 500))
	note(15, ofShard(t, 15).newIDs(later, 500)) // the replacement knows nothing of the lost primary, except that it is later
	for _, bad := range []int{-1, Shards} {
		if err := first.SetShard(t.Context(), bad); !errors.As(err, new(*InvalidError)) {
			t.Errorf("SetShard(%d) = %v, want an InvalidError", bad, err)
		}
	}
}

// TestIDsAfterAGeneratorWasSetBack: no id is made twice, whether the clock and the sequence are
// set back or the sequence wraps around within a second, as it may during an import.
func TestIDsAfterAGeneratorWasSetBack(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	state := one[int64](s, `select last_value from id_sequence`)
	var posts []PostID
	for range 20 {
		posts = append(posts, s.post("anna"))
	}
	comment := s.comment("anna", posts[0])
	file := s.reserve("anna")
	before := make(map[int64]bool)
	for _, id := range posts {
		before[int64(id)] = true
	}
	before[int64(comment)], before[int64(file)] = true, true
	reached := one[int64](s, `select last_value from id_sequence`)
	for name, set := range map[string]int64{
		"the sequence is restored from an older state": state,
		"the sequence goes around":                     state + 1<<sequenceBits,
	} {
		s.exec(`select setval('id_sequence', $1)`, set)
		for _, id := range s.newIDs(s.clock, len(before)) {
			if before[int64(id)] {
				t.Errorf("%s: the id %d is made again", name, id)
			}
		}
	}
	s.exec(`select setval('id_sequence', $1)`, reached)
	s.clock = s.clock.Add(-time.Hour)
	if id := s.post("anna"); id >= posts[0] || before[int64(id)] {
		t.Errorf("the clock is an hour back: the post has the id %d, the first of before %d", id, posts[0])
	}
	s.clock = s.clock.Add(time.Hour)
	if id := s.post("anna"); before[int64(id)] || id.Cursor().FreshAt != posts[0].Cursor().FreshAt {
		t.Errorf("the clock is right again: the post has the id %d", id)
	}
}

// TestFeedsOfTwoShardsMergeToOne plays the same life on two primaries, each with some of the
// authors, and on one with all. The feeds of the two, merged by the order of rivers, equal the
// feed of the one, in each order, page by page.
func TestFeedsOfTwoShardsMergeToOne(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	homes := map[string]int{"anna": 0, "bert": 1, "carl": 0, "dora": 1} // the shards of authors
	shards := []*site{ofShard(t, 2, "anna", "carl"), ofShard(t, 9, "bert", "dora")}
	whole := newSite(t, "anna", "bert", "carl", "dora")
	// Posts have names, because their ids differ between the sites.
	var named [3]map[PostID]string
	ids := make([][2]PostID, 0, 60) // the post's id on its shard, and on the whole site
	authors := make([]string, 0, 60)
	for i := range named {
		named[i] = make(map[PostID]string)
	}
	random := rand.New(rand.NewPCG(17, 12))
	for i := range 60 {
		step := time.Duration(1+random.IntN(3)) * time.Second
		for _, s := range append(shards, whole) {
			s.wait(step)
		}
		if i%3 == 2 { // a comment makes an old post fresh
			at := random.IntN(len(ids))
			shards[homes[authors[at]]].comment(authors[at], ids[at][0])
			whole.comment(authors[at], ids[at][1])
			continue
		}
		author := []string{"anna", "bert", "carl", "dora"}[random.IntN(4)]
		shard, name := homes[author], fmt.Sprintf("post %d by %s", i, author)
		id := [2]PostID{shards[shard].post(author), whole.post(author)}
		named[shard][id[0]], named[2][id[1]] = name, name
		ids, authors = append(ids, id), append(authors, author)
	}
	type place struct {
		Cursor
		name string
	}
	feed := func(i int, s *site, order Order) (all []place) {
		follows := make(map[TimelineID]bool)
		for name := range s.people {
			follows[s.timeline(WhatUser, name)] = true
		}
		sn := s.snap()
		for below := Top; ; {
			page, err := sn.Choose(ctx, Choice{Timelines: follows, Order: order}, below, 7)
			s.must(err)
			if len(page.Posts) == 0 {
				return all
			}
			for _, c := range page.Posts {
				all = append(all, place{c, named[i][c.Post]})
				below = c
			}
		}
	}
	for _, order := range []Order{OrderFresh, OrderCreated} {
		merged := append(feed(0, shards[0], order), feed(1, shards[1], order)...)
		slices.SortFunc(merged, func(a, b place) int { return a.Compare(b.Cursor) })
		want := feed(2, whole, order)
		names := func(places []place) (all []string) {
			for _, p := range places {
				all = append(all, fmt.Sprint(p.FreshAt, " ", p.name))
			}
			return all
		}
		if diff := gocmp.Diff(names(want), names(merged)); diff != "" || len(want) != len(ids) {
			t.Errorf("order %v: %d posts; unsharded (-) and merged (+):\n%s", order, len(want), diff)
		}
	}
}
