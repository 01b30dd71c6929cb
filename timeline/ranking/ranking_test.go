package ranking

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
	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/internal/sitetest"
	"amstel.dev/amstel/timeline"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }

// A site is a site of package sitetest, with methods for rankings.
type site struct {
	*sitetest.Site
	t *testing.T
}

func newSite(t *testing.T, names ...string) *site {
	t.Helper()
	return &site{sitetest.New(t, names...), t}
}

// rankOf returns the id of a ranking of the posts in all languages.
func (s *site) rankOf(what timeline.What, period timeline.Period) timeline.TimelineID {
	s.t.Helper()
	return sitetest.One[timeline.TimelineID](s.Site, `select id from timelines where what = $1 and their_id = $2`, what, timeline.RankedID("", period))
}

// ranked returns a ranking as its readers find it, in pages of two.
func (s *site) ranked(ranking timeline.TimelineID, run int64) []timeline.PostID {
	s.t.Helper()
	sn, err := s.Snapshot(s.t.Context())
	s.Must(err)
	defer sn.Close()
	var posts []timeline.PostID
	for below := timeline.Top; ; {
		c := timeline.Choice{Order: timeline.OrderRanked, Run: run, Timelines: map[timeline.TimelineID]bool{ranking: true}}
		chosen, err := sn.Choose(s.t.Context(), c, below, 2)
		s.Must(err)
		for _, at := range chosen.Posts {
			posts = append(posts, at.Post)
		}
		if below = chosen.Low; below == (timeline.Cursor{}) {
			return posts
		}
	}
}

// rank makes one run, and fails the test unless the run changes the ranks of want posts.
func (s *site) rank(want int) {
	s.t.Helper()
	changed, err := Rank(s.t.Context(), s.Store)
	s.Must(err)
	if changed != want {
		s.t.Errorf("a run changed %d posts, not %d", changed, want)
	}
	s.Audit()
}

func (s *site) lastRun() int64 {
	s.t.Helper()
	return sitetest.One[int64](s.Site, `select coalesce(max(run), 0) from ranking_runs`)
}

func (s *site) ranks(what string, ranking timeline.TimelineID, want ...timeline.PostID) {
	s.t.Helper()
	if diff := gocmp.Diff(want, s.ranked(ranking, 0)); diff != "" {
		s.t.Errorf("%s (-want +got):\n%s", what, diff)
	}
	if run := s.lastRun(); run > 0 {
		if diff := gocmp.Diff(want, s.ranked(ranking, run)); diff != "" {
			s.t.Errorf("%s, as of the last run (-want +got):\n%s", what, diff)
		}
	}
}

func TestRankings(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl", "dora")
	ctx := t.Context()
	best, bestOfDay, faved := s.rankOf(timeline.WhatBestOf, timeline.Rising), s.rankOf(timeline.WhatBestOf, timeline.Day), s.rankOf(timeline.WhatMostFaved, timeline.Rising)
	s.rank(0)
	old := s.Post("anna")
	for _, who := range []string{"bert", "carl", "dora"} {
		s.Must(s.Like(ctx, s.User(who), old))
	}
	s.Wait(36 * time.Hour)
	liked, bare, direct := s.Post("anna"), s.Post("anna"), s.Post("anna", "direct:bert")
	s.Must(s.Like(ctx, s.User("bert"), liked))
	s.Must(s.Like(ctx, s.User("bert"), direct))
	s.rank(2)
	s.ranks("twice the points make up for a day, not for a day and a half", best, liked, old)
	s.ranks("only what is of the last day is of the day", bestOfDay, liked)
	s.ranks("nothing has favourites", faved)
	s.rank(0)
	if run := s.lastRun(); run != 1 {
		t.Errorf("runs without a change have numbers: the last is %d", run)
	}

	first := s.lastRun()
	s.Must(s.Like(ctx, s.User("carl"), liked))
	s.Must(s.Fav(ctx, s.User("carl"), bare))
	last := sitetest.One[int64](s.Site, `select max(id) from changes`)
	s.rank(2)
	all := func(what timeline.What) (ids []timeline.TimelineID) {
		for _, p := range timeline.Periods() {
			ids = append(ids, s.rankOf(what, p))
		}
		return ids
	}
	type change struct {
		Kind      timeline.ChangeKind
		Post      timeline.PostID
		Timelines []timeline.TimelineID
	}
	rows, err := s.Pool().Query(ctx, `
		select kind, post_id, array(select unnest(timelines) order by 1) from changes where id > $1 order by post_id`, last)
	s.Must(err)
	changes, err := pgx.CollectRows(rows, pgx.RowToStructByPos[change])
	s.Must(err)
	want := []change{
		{timeline.ChangePost, liked, slices.Sorted(slices.Values(all(timeline.WhatBestOf)))},
		{timeline.ChangePost, bare, slices.Sorted(slices.Values(append(all(timeline.WhatBestOf), all(timeline.WhatMostFaved)...)))},
	}
	if diff := gocmp.Diff(want, changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	s.ranks("points are points; of the same time and points the higher id is first", best, bare, liked, old)
	s.ranks("a favourite", faved, bare)
	if diff := gocmp.Diff([]timeline.PostID{liked, old}, s.ranked(best, first)); diff != "" {
		t.Errorf("the first run is another now (-want +got):\n%s", diff)
	}

	s.Wait(25 * time.Hour)
	s.rank(2)
	s.ranks("a day later nothing is of the day", bestOfDay)
	s.ranks("time alone changes no rank", best, bare, liked, old)

	s.Must(s.DeletePost(ctx, s.User("anna"), bare))
	s.Must(s.Unlike(ctx, s.User("carl"), liked))
	s.Must(s.Unlike(ctx, s.User("bert"), liked))
	s.rank(1)
	s.ranks("what is deleted or has no points has no rank", best, old)
	s.Status("anna", "private")
	s.rank(1)
	s.ranks("what only some may read is not ranked", best)
	s.Status("anna", "protected")
	s.rank(1)
	s.ranks("a post that all signed-in people may read is", best, old)

	s.Wait(25 * time.Hour)
	before := s.lastRun()
	s.Must(s.Unlike(ctx, s.User("bert"), old))
	s.rank(1)
	s.rank(0)
	if diff := gocmp.Diff([]timeline.PostID{old}, s.ranked(best, before)); diff != "" {
		t.Errorf("a run that ended just now is forgotten (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff([]timeline.PostID{old}, s.ranked(best, first)); diff != "" {
		t.Errorf("a forgotten run is not answered by the oldest there is (-want +got):\n%s", diff)
	}
	if n := sitetest.One[int](s.Site, `select count(*) from ranking_runs`); n != 2 {
		t.Errorf("%d runs are kept", n)
	}
	s.Must(s.PrunePrimary(ctx, timeline.Ages{}))
	if n := sitetest.One[int](s.Site, `select count(*) from posts where id = $1`, bare); n != 1 {
		t.Error("the post was pruned too early")
	}
	s.Wait(2 * time.Hour)
	s.Must(s.PrunePrimary(ctx, timeline.Ages{}))
	if n := sitetest.One[int](s.Site, `select count(*) from posts where id = $1`, bare); n != 0 {
		t.Error("ranks keep a deleted post from being pruned")
	}
}

// TestRankingsOfALanguage: the rankings of a language have the posts in the language's timeline of everything.
func TestRankingsOfALanguage(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	dutch, err := s.CreatePost(ctx, s.User("anna"), timeline.NewPost{To: []string{"user"}, Text: "x", Lang: "nl"})
	s.Must(err)
	other := s.Post("anna")
	best := sitetest.One[timeline.TimelineID](s.Site, `
		select id from timelines where what = 'best_of' and their_id = $1`, timeline.RankedID("nl", timeline.Week))
	s.Must(s.Like(ctx, s.User("bert"), dutch))
	s.Must(s.Like(ctx, s.User("bert"), other))
	s.rank(2)
	s.ranks("of the language", best, dutch)
	s.ranks("of all", s.rankOf(timeline.WhatBestOf, timeline.Week), other, dutch)
}

// TestRankAmongWriters runs the ranking while people write. No run ends in a deadlock, and the last run
// leaves the right ranks.
func TestRankAmongWriters(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	var names []string
	for i := range 6 {
		names = append(names, fmt.Sprintf("person%d", i))
	}
	s := newSite(t, names...)
	s.Pace = 25 * time.Second // a fast clock, so that rows written at most once a minute are written often
	ctx := t.Context()
	var posts []timeline.PostID
	for _, name := range names {
		posts = append(posts, s.Post(name), s.Post(name))
	}
	var wg, ranking sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		ranking.Go(func() {
			for {
				if _, err := Rank(ctx, s.Store); err != nil {
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
		who := s.User(name)
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
					_, err = s.AddComment(ctx, who, post, timeline.NewComment{Text: "hm"})
				case 6:
					err = s.SetProfile(ctx, who, timeline.ProfileEdit{Status: new([]string{"public", "private"}[random.IntN(2)])})
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
	if n := sitetest.One[int](s.Site, `select deadlocks from pg_stat_database where datname = current_database()`); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
	_, err := Rank(ctx, s.Store)
	s.Must(err)
	s.rank(0)
	for _, what := range []timeline.What{timeline.WhatBestOf, timeline.WhatMostFaved} {
		w := map[timeline.What]timeline.Weights{timeline.WhatBestOf: timeline.DefaultSite().BestOf, timeline.WhatMostFaved: timeline.DefaultSite().MostFaved}[what]
		var all []timeline.Cursor
		for _, post := range posts {
			var likes, comments, favs int
			var published time.Time
			var listed bool
			s.Must(s.Pool().QueryRow(ctx, `
				select likes_count, comments_count, favs_count, published_at, deleted_at is null and exists (
					select from timelines t where t.id = any(places) and t.access in ('public', 'protected'))
				from posts where id = $1`, post).Scan(&likes, &comments, &favs, &published, &listed))
			if listed && w.Points(likes, comments, favs) > 0 {
				all = append(all, timeline.Cursor{FreshAt: w.Score(likes, comments, favs, published, timeline.Ever), Post: post})
			}
		}
		slices.SortFunc(all, timeline.Cursor.Compare)
		var want []timeline.PostID
		for _, at := range all {
			want = append(want, at.Post)
		}
		s.ranks(string(what), s.rankOf(what, timeline.Ever), want...)
	}
}

// TestWalkForTheBestEndsInTime: the walk for candidates finds the best posts, and ends before it has read all.
func TestWalkForTheBestEndsInTime(t *testing.T) {
	t.Parallel()
	w := timeline.Weights{Like: 1, HalfLife: time.Hour}
	r := ranking{weights: w}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range rankedMost {
		r.add(timeline.PostID(1000-i), 1, 0, 0, at.Add(-time.Duration(i)*time.Second))
	}
	last := at.Add(-(rankedMost - 1) * time.Second).Add(time.Hour) // the score of the last
	for older, want := range map[time.Duration]bool{
		0: true, 30 * time.Hour: true, 31*time.Hour - time.Minute: true, 31*time.Hour + time.Minute: false,
	} {
		if got := r.open(1, last.Add(-older)); got != want {
			t.Errorf("what is %v older than the last is looked at: %v", older, got)
		}
	}
	r.add(1, 1<<31-1, 0, 0, last.Add(-31*time.Hour+time.Second))
	r.shorten()
	if !slices.ContainsFunc(r.best, func(at timeline.Cursor) bool { return at.Post == 1 }) {
		t.Error("two thousand million likes do not make up for 31 half-lives")
	}
}

// TestAgeCountsAmongTheRisingNotOverAllTime: in the ranking of all time only points count, so an old post with
// more points is first. In the rising ranking a newer post with fewer points may be first.
func TestAgeCountsAmongTheRisingNotOverAllTime(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl", "dora")
	ctx := t.Context()
	old := s.Post("anna")
	for _, who := range []string{"bert", "carl", "dora"} {
		s.Must(s.Like(ctx, s.User(who), old))
		s.Must(s.Fav(ctx, s.User(who), old))
	}
	s.Wait(10 * 24 * time.Hour)
	fresh := s.Post("anna")
	s.Must(s.Like(ctx, s.User("bert"), fresh))
	s.Must(s.Fav(ctx, s.User("bert"), fresh))
	s.rank(2)
	for _, what := range []timeline.What{timeline.WhatBestOf, timeline.WhatMostFaved} {
		s.ranks(string(what)+" of all time", s.rankOf(what, timeline.Ever), old, fresh)
		s.ranks(string(what)+", rising", s.rankOf(what, timeline.Rising), fresh, old)
	}
}

// refusal reports whether an action either succeeded or was refused by a rule.
func refusal(err error) bool {
	for _, no := range []error{nil, timeline.ErrNotFound, timeline.ErrForbidden, timeline.ErrConflict} {
		if errors.Is(err, no) {
			return true
		}
	}
	return sitetest.IsInvalid(err)
}

// TestRankAnswersUnavailableWhenItsConnectionIsLost ranks with the connection cut at
// each of the messages that a run sends.
func TestRankAnswersUnavailableWhenItsConnectionIsLost(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	pool, cut := pgtest.CutPool(t)
	store, ctx := timeline.New(pool, timeline.Options{}), t.Context()
	var people []timeline.UserID
	for _, name := range []string{"anna", "bert"} {
		id, err := store.SignUp(ctx, timeline.NewUser{Name: name, Email: name + "@example.org", NoPassword: true})
		if err != nil {
			t.Fatal(err)
		}
		people = append(people, id)
	}
	cut.Everywhere(t, "Rank", timeline.ErrUnavailable, func(arm func()) error {
		post, err := store.CreatePost(ctx, people[0], timeline.NewPost{To: []string{"user"}, Text: "soup"})
		if err == nil {
			err = store.Fav(ctx, people[1], post)
		}
		if err != nil {
			t.Fatal(err)
		}
		arm()
		_, err = Rank(ctx, store)
		return err
	})
}
