package timeline

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

// rankOf is the id of the ranking of all posts.
func (s *site) rankOf(what What, period Period) TimelineID {
	s.t.Helper()
	return one[TimelineID](s, `select id from timelines where what = $1 and their_id = $2`, what, RankedID("", period))
}

// ranked is a ranking as its readers find it, in pages of two.
func (s *site) ranked(timeline TimelineID, run int64) []PostID {
	s.t.Helper()
	sn, err := s.Snapshot(s.t.Context())
	s.must(err)
	defer sn.Close()
	var posts []PostID
	for below := Top; ; {
		c := Choice{Order: OrderRanked, Run: run, Timelines: map[TimelineID]bool{timeline: true}}
		chosen, err := sn.Choose(s.t.Context(), c, below, 2)
		s.must(err)
		for _, at := range chosen.Posts {
			posts = append(posts, at.Post)
		}
		if below = chosen.Low; below == (Cursor{}) {
			return posts
		}
	}
}

// rank is one run, of which it says how many posts it changed.
func (s *site) rank(want int) {
	s.t.Helper()
	changed, err := s.Rank(s.t.Context())
	s.must(err)
	if changed != want {
		s.t.Errorf("a run changed %d posts, not %d", changed, want)
	}
	s.whole()
}

func (s *site) lastRun() int64 {
	s.t.Helper()
	return one[int64](s, `select coalesce(max(run), 0) from ranking_runs`)
}

func (s *site) ranks(what string, timeline TimelineID, want ...PostID) {
	s.t.Helper()
	if diff := gocmp.Diff(want, s.ranked(timeline, 0)); diff != "" {
		s.t.Errorf("%s (-want +got):\n%s", what, diff)
	}
	if run := s.lastRun(); run > 0 {
		if diff := gocmp.Diff(want, s.ranked(timeline, run)); diff != "" {
			s.t.Errorf("%s, as of the last run (-want +got):\n%s", what, diff)
		}
	}
}

func TestRankings(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl", "dora")
	ctx := t.Context()
	best, bestOfDay, faved := s.rankOf(WhatBestOf, Rising), s.rankOf(WhatBestOf, Day), s.rankOf(WhatMostFaved, Rising)
	s.rank(0)
	old := s.post("anna")
	for _, who := range []string{"bert", "carl", "dora"} {
		s.must(s.Like(ctx, s.user(who), old))
	}
	s.wait(36 * time.Hour)
	liked, bare, direct := s.post("anna"), s.post("anna"), s.post("anna", "direct:bert")
	s.must(s.Like(ctx, s.user("bert"), liked))
	s.must(s.Like(ctx, s.user("bert"), direct))
	s.rank(2)
	s.ranks("twice the points make up for a day, not for a day and a half", best, liked, old)
	s.ranks("only what is of the last day is of the day", bestOfDay, liked)
	s.ranks("nothing has favourites", faved)
	s.rank(0)
	if run := s.lastRun(); run != 1 {
		t.Errorf("runs without a change have numbers: the last is %d", run)
	}

	first := s.lastRun()
	s.must(s.Like(ctx, s.user("carl"), liked))
	s.must(s.Fav(ctx, s.user("carl"), bare))
	changes := s.changesOf(func() { s.rank(2) })
	all := func(what What) (ids []TimelineID) {
		for _, p := range Periods() {
			ids = append(ids, s.rankOf(what, p))
		}
		return ids
	}
	s.same([]Change{
		{Kind: ChangePost, Post: liked, Timelines: all(WhatBestOf)},
		{Kind: ChangePost, Post: bare, Timelines: append(all(WhatBestOf), all(WhatMostFaved)...)},
	}, changes)
	s.ranks("points are points; of the same time and points the higher id is first", best, bare, liked, old)
	s.ranks("a favourite", faved, bare)
	if diff := gocmp.Diff([]PostID{liked, old}, s.ranked(best, first)); diff != "" {
		t.Errorf("the first run is another now (-want +got):\n%s", diff)
	}

	s.wait(25 * time.Hour)
	s.rank(2)
	s.ranks("a day later nothing is of the day", bestOfDay)
	s.ranks("time alone changes no rank", best, bare, liked, old)

	s.must(s.DeletePost(ctx, s.user("anna"), bare))
	s.must(s.Unlike(ctx, s.user("carl"), liked))
	s.must(s.Unlike(ctx, s.user("bert"), liked))
	s.rank(1)
	s.ranks("what is deleted or has no points has no rank", best, old)
	s.status("anna", "private")
	s.rank(1)
	s.ranks("what only some may read is not ranked", best)
	s.status("anna", "protected")
	s.rank(1)
	s.ranks("what everybody signed in may read is", best, old)

	s.wait(25 * time.Hour)
	last := s.lastRun()
	s.must(s.Unlike(ctx, s.user("bert"), old))
	s.rank(1)
	s.rank(0)
	if diff := gocmp.Diff([]PostID{old}, s.ranked(best, last)); diff != "" {
		t.Errorf("a run that ended just now is forgotten (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff([]PostID{old}, s.ranked(best, first)); diff != "" {
		t.Errorf("a forgotten run is not answered by the oldest there is (-want +got):\n%s", diff)
	}
	if n := one[int](s, `select count(*) from ranking_runs`); n != 2 {
		t.Errorf("%d runs are kept", n)
	}
	s.must(s.PrunePrimary(ctx, Ages{}))
	if n := one[int](s, `select count(*) from posts where id = $1`, bare); n != 1 {
		t.Error("the post was pruned too early")
	}
	s.wait(2 * time.Hour)
	s.must(s.PrunePrimary(ctx, Ages{}))
	if n := one[int](s, `select count(*) from posts where id = $1`, bare); n != 0 {
		t.Error("ranks keep a deleted post from being pruned")
	}
}

// The rankings of a language are of what its timeline of everything has.
func TestRankingsOfALanguage(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	theirs := LangID("nl")
	everything := one[TimelineID](s, `
		with made as (insert into timelines (what, their_id, access) values ('everything', $1, 'public')
			on conflict (what, their_id) do update set access = 'public' returning id)
		select id from made`, theirs)
	best := one[TimelineID](s, `
		with made as (insert into timelines (what, their_id, access) values ('best_of', $1, 'public')
			on conflict (what, their_id) do update set access = 'public' returning id)
		select id from made`, RankedID("nl", Week))
	dutch, other := s.post("anna"), s.post("anna")
	_, err := s.db.Pool.Exec(ctx, `
		insert into timeline_entries (timeline_id, post_id, fresh_at, entered_at)
		select $1, id, fresh_at, fresh_at from posts where id = $2 on conflict do nothing`, everything, dutch)
	s.must(err)
	s.must(s.Like(ctx, s.user("bert"), dutch))
	s.must(s.Like(ctx, s.user("bert"), other))
	s.rank(2)
	s.ranks("of the language", best, dutch)
	s.ranks("of all", s.rankOf(WhatBestOf, Week), other, dutch)
}

// Runs among people who write wait for nobody in a ring, and what the last one
// leaves is what is so.
func TestRankAmongWriters(t *testing.T) {
	t.Parallel()
	s, names := crowd(t, 6)
	ctx := t.Context()
	var posts []PostID
	for _, name := range names {
		posts = append(posts, s.post(name), s.post(name))
	}
	var wg, ranking sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		ranking.Go(func() {
			for {
				if _, err := s.Rank(ctx); err != nil {
					t.Errorf("rank: %v", err)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i, name := range names {
		who := s.user(name)
		random := rand.New(rand.NewPCG(3, uint64(i)))
		wg.Go(func() {
			for range 40 {
				post := posts[random.IntN(len(posts))]
				var err error
				switch random.IntN(8) {
				case 0, 1:
					err = s.Like(ctx, who, post)
				case 2:
					err = s.Unlike(ctx, who, post)
				case 3:
					err = s.Fav(ctx, who, post)
				case 4, 5:
					_, err = s.AddComment(ctx, who, post, NewComment{Text: "hm"})
				case 6:
					err = s.SetProfile(ctx, who, ProfileEdit{Status: new([]string{"public", "private"}[random.IntN(2)])})
				case 7:
					if random.IntN(6) == 0 {
						err = s.DeletePost(ctx, who, post)
					}
				}
				if !refusal(err) {
					t.Errorf("write: %v", err)
				}
			}
		})
	}
	wg.Wait()
	close(done)
	ranking.Wait()
	if n := s.deadlocks(); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
	_, err := s.Rank(ctx)
	s.must(err)
	s.rank(0)
	for _, what := range []What{WhatBestOf, WhatMostFaved} {
		w := map[What]Weights{WhatBestOf: DefaultSite().BestOf, WhatMostFaved: DefaultSite().MostFaved}[what]
		var all []Cursor
		for _, post := range posts {
			var likes, comments, favs int
			var published time.Time
			var listed bool
			s.must(s.db.Pool.QueryRow(ctx, `
				select likes_count, comments_count, favs_count, published_at, deleted_at is null and exists (
					select from timelines t where t.id = any(places) and t.access in ('public', 'protected'))
				from posts where id = $1`, post).Scan(&likes, &comments, &favs, &published, &listed))
			if listed && w.points(likes, comments, favs) > 0 {
				all = append(all, Cursor{w.Score(likes, comments, favs, published, Ever), post})
			}
		}
		slices.SortFunc(all, Cursor.Compare)
		var want []PostID
		for _, at := range all {
			want = append(want, at.Post)
		}
		s.ranks(string(what), s.rankOf(what, Ever), want...)
	}
}

// The best are found, though the walk ends before it has seen all.
func TestWalkForTheBestEndsInTime(t *testing.T) {
	t.Parallel()
	w := Weights{Like: 1, HalfLife: time.Hour}
	r := ranking{weights: w}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range rankedMost {
		r.take(PostID(1000-i), 1, 0, 0, at.Add(-time.Duration(i)*time.Second))
	}
	last := at.Add(-(rankedMost - 1) * time.Second).Add(time.Hour) // the score of the last
	for older, want := range map[time.Duration]bool{
		0: true, 30 * time.Hour: true, 31*time.Hour - time.Minute: true, 31*time.Hour + time.Minute: false,
	} {
		if got := r.open(1, last.Add(-older)); got != want {
			t.Errorf("what is %v older than the last is looked at: %v", older, got)
		}
	}
	r.take(1, 1<<31-1, 0, 0, last.Add(-31*time.Hour+time.Second))
	r.shorten()
	if !slices.ContainsFunc(r.best, func(at Cursor) bool { return at.Post == 1 }) {
		t.Error("two thousand million likes do not make up for 31 half-lives")
	}
}

func TestScore(t *testing.T) {
	t.Parallel()
	w := Weights{Like: 1, Comment: 0.5, Fav: 2, HalfLife: time.Hour}
	at := time.UnixMilli(1_800_000_000_000)
	const hour = 3_600_000
	for _, tt := range []struct {
		what                  string
		likes, comments, favs int
		period                Period
		want                  int64
	}{
		{"nothing is worth nothing", 0, 0, 0, Rising, 1_800_000_000_000},
		{"one point is a half-life", 1, 0, 0, Rising, 1_800_000_000_000 + hour},
		{"three are two", 0, 6, 0, Rising, 1_800_000_000_000 + 2*hour},
		{"seven are three", 2, 2, 2, Rising, 1_800_000_000_000 + 3*hour},
		{"in a week points are all", 2, 3, 2, Week, 7500},
		{"over all time points are all", 2, 3, 2, Ever, 7500},
	} {
		if got := w.Score(tt.likes, tt.comments, tt.favs, at, tt.period); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.what, got, tt.want)
		}
	}
}

// Over all time the points alone count, so an old post with more of them stands
// first; among what is rising a newer post makes up for fewer points.
func TestAgeCountsAmongTheRisingNotOverAllTime(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl", "dora")
	ctx := t.Context()
	old := s.post("anna")
	for _, who := range []string{"bert", "carl", "dora"} {
		s.must(s.Like(ctx, s.user(who), old))
		s.must(s.Fav(ctx, s.user(who), old))
	}
	s.wait(10 * 24 * time.Hour)
	fresh := s.post("anna")
	s.must(s.Like(ctx, s.user("bert"), fresh))
	s.must(s.Fav(ctx, s.user("bert"), fresh))
	s.rank(2)
	for _, what := range []What{WhatBestOf, WhatMostFaved} {
		s.ranks(string(what)+" of all time", s.rankOf(what, Ever), old, fresh)
		s.ranks(string(what)+", rising", s.rankOf(what, Rising), fresh, old)
	}
}
