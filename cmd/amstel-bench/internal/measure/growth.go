package measure

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/dataset"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/query"
	"amstel.dev/amstel/timeline/ranking"
)

const (
	// growthFrom is the least number of posts of the community with which larger ones are compared. A
	// smaller one fits into the caches of PostgreSQL and of the processor.
	growthFrom = 200_000
	// growthBar is how many times as long a thing may take in a larger community; firstBar is the same for
	// first visits.
	growthBar, firstBar = 1.1, 1.25
	// growthPage is the number of the page far down a home.
	growthPage = 40
	// hotBatch is how many requests of a kept page count as one time, since one takes microseconds.
	hotBatch = 100
)

// A cost is something whose cost may grow with the number of posts.
type cost struct {
	name, of, unit string
	bar            float64 // how many times as much it may be in a larger community; 0: any number of times
}

// costs are all costs, in the order of the report.
var costs = []cost{
	{"load", "copying the community, with its indexes and statistics", "s", 0},
	{"size", "the database", "MB", 0},
	{"visit", "first visits of homes of people with many subscriptions", "ms", firstBar},
	{"page", fmt.Sprintf("page %d of these homes, requested for the first time", growthPage), "ms", growthBar},
	{"search", "first visits of searches for one word, from frequent words to rare ones", "ms", firstBar},
	{"turn", "the longest turn for one post by the person with most followers, while these homes live", "ms", growthBar},
	{"restart", "a node that opens its river DB with these homes, until it follows the primary", "ms", growthBar},
	{"heap", "the growth of the heap by a node with these homes, pages and searches, after a garbage collection", "MB", growthBar},
	{"hot", fmt.Sprintf("%d times the page that visitors share, by its handler", hotBatch), "ms", growthBar},
	{"post", "a post by the API, until its answer, by a person with many subscriptions", "ms", growthBar},
	{"comment", "a comment by the API, until its answer", "ms", growthBar},
	{"like", "a like by the API, until its answer", "ms", growthBar},
	{"rank.first", "the first run of the rankings", "ms", 0},
	{"rank", "a run of the rankings after a like", "ms", growthBar},
	{"rank.unchanged", "a run of the rankings when nothing has changed since the last one", "ms", growthBar},
}

// growth measures how costs grow with the number of posts. It first loads communities of all sizes. Then
// the sizes take turns, in each of which all costs are measured.
func (r *run) growth(ctx context.Context) (err error) {
	sizes := slices.Sorted(slices.Values(r.Sizes))
	sizes = slices.Compact(sizes)
	if len(sizes) == 0 {
		return errors.New("no sizes")
	}
	until := time.Now().Truncate(time.Hour)
	var sites []*grownSite
	defer func() {
		for _, s := range sites {
			s.pool.Close()
		}
	}()
	for _, size := range sizes {
		s := &grownSite{run: r, Grown: dataset.GrownTo(size, until), seen: map[string][]float64{}}
		if s.pool, err = r.Fresh(ctx, fmt.Sprintf("amstel_growth_%d", size)); err != nil {
			return err
		}
		sites = append(sites, s)
		r.notice("Loading %s.", &s.Grown)
		if err := s.load(ctx); err != nil {
			return err
		}
		r.notice("It took %.0f s.", s.seen["load"][0])
	}
	for round := range r.Rounds {
		for _, s := range sites {
			r.notice("Round %d of %d with %d posts.", round+1, r.Rounds, s.Posts)
			if err := s.measure(ctx, round); err != nil {
				return fmt.Errorf("%d posts: %w", s.Posts, err)
			}
		}
	}
	base := sites[0]
	for _, s := range slices.Backward(sites) {
		if s.Posts >= growthFrom {
			base = s
		}
	}
	for _, s := range sites {
		if err := s.report(base); err != nil {
			return err
		}
	}
	return nil
}

// A grownSite is a community of one size, with what was measured on it.
type grownSite struct {
	*run
	dataset.Grown
	pool  *pgxpool.Pool
	store *timeline.Store
	seen  map[string][]float64 // by the name of the cost
}

// note notes a cost in milliseconds that began at a time and ends now.
func (s *grownSite) note(name string, begun time.Time) { s.add(name, time.Since(begun)) }

func (s *grownSite) add(name string, took time.Duration) {
	s.seen[name] = append(s.seen[name], report.Milliseconds(took))
}

// load loads the community, and ranks its posts for the first time.
func (s *grownSite) load(ctx context.Context) error {
	const size = `select pg_database_size(current_database())::float8 / 1000000`
	begun := time.Now()
	if err := s.Grown.Load(ctx, s.pool); err != nil {
		return err
	}
	s.seen["load"] = []float64{time.Since(begun).Seconds()}
	var megabytes float64
	if err := s.pool.QueryRow(ctx, size).Scan(&megabytes); err != nil {
		return err
	}
	s.seen["size"] = []float64{megabytes}
	s.store = timeline.New(s.pool, timeline.Options{})
	begun = time.Now()
	if _, err := ranking.Rank(ctx, s.store); err != nil {
		return err
	}
	s.note("rank.first", begun)
	return nil
}

// measure measures all costs once.
func (s *grownSite) measure(ctx context.Context, round int) error {
	if err := s.ofNode(ctx, round); err != nil {
		return err
	}
	if err := s.Serve(ctx, s.store, s.ofSite); err != nil {
		return err
	}
	return s.ofRankings(ctx)
}

// rivers returns the homes and the searches of a round. In each round they are others, as far as there are
// enough.
func (s *grownSite) rivers(round int) (homes, searches []river.Key, err error) {
	for i := range s.Homes {
		homes = append(homes, home(s.Reader((round*s.Homes+i)%s.Readers)))
		search, err := query.Parse(dataset.Word(5 + i*(i+s.Rounds) + round))
		if err != nil {
			return nil, nil, err
		}
		searches = append(searches, river.Key{What: river.KindSearch, Query: search.String()})
	}
	return homes, searches, nil
}

// ofNode measures the costs of a node without a site: first with an empty river DB, and then with the one
// that it left.
func (s *grownSite) ofNode(ctx context.Context, round int) error {
	homes, searches, err := s.rivers(round)
	if err != nil {
		return err
	}
	path := filepath.Join(s.Folder, fmt.Sprintf("growth-%d.db", s.Posts))
	defer removeRiverDB(path)
	before := report.ReadMemory()
	loop := &report.TurnTimes{}
	err = onNode(ctx, river.Config{Store: s.store, Path: path, Turned: loop.Turned}, func(node *river.Node) error {
		for i := range warmUp {
			if _, err := node.Visit(ctx, home(timeline.UserID(i+1)), river.At{}); err != nil {
				return err
			}
		}
		if err := s.visits(ctx, node, homes, searches); err != nil {
			return err
		}
		s.seen["heap"] = append(s.seen["heap"], float64(report.ReadMemory().Own-before.Own)/1000/1000)
		return s.turns(ctx, node, loop)
	})
	if err != nil {
		return err
	}
	begun := time.Now()
	return onNode(ctx, river.Config{Store: s.store, Path: path}, func(node *river.Node) error {
		s.note("restart", begun)
		for _, key := range homes {
			if _, err := node.Visit(ctx, key, river.At{}); err != nil {
				return err
			}
		}
		if n := node.Stats().Builds; n > 0 {
			return fmt.Errorf("after a restart with its river DB, the node read %d homes from the primary", n)
		}
		return nil
	})
}

// visits makes first visits of homes, of pages far down these, and of searches.
func (s *grownSite) visits(ctx context.Context, node *river.Node, homes, searches []river.Key) error {
	for _, visit := range []struct {
		name string
		keys []river.Key
		at   river.At
	}{
		{"visit", homes, river.At{}},
		{"page", homes, river.At{Skip: (growthPage - 1) * pageSize, Count: pageSize}},
		{"search", searches, river.At{}},
	} {
		for _, key := range visit.keys {
			begun := time.Now()
			view, err := node.Visit(ctx, key, visit.at)
			if err != nil {
				return fmt.Errorf("%s of %d: %w", key.Descriptor(), key.Viewer, err)
			}
			if visit.at.Skip == 0 && len(view.Entries) == 0 {
				return fmt.Errorf("%s of %d is empty", key.Descriptor(), key.Viewer)
			}
			s.note(visit.name, begun)
		}
	}
	return nil
}

// turns writes posts, and notes how long the turns take that show them.
func (s *grownSite) turns(ctx context.Context, node *river.Node, loop *report.TurnTimes) error {
	for i := range s.Homes {
		loop.Take()
		post := timeline.NewPost{To: []string{"user"}, Text: fmt.Sprintf("Post %d of the bench, about %s.", i, dataset.Word(i))}
		if _, err := s.store.CreatePost(ctx, 1, post); err != nil {
			return err
		}
		if err := node.WaitApplied(ctx); err != nil {
			return err
		}
		longest, _ := loop.Take()
		s.add("turn", longest)
	}
	return nil
}

// ofSite measures the costs of a node that serves pages.
func (s *grownSite) ofSite(ctx context.Context, site Site) error {
	writer := s.Reader(0)
	token, err := s.store.NewToken(ctx, writer, timeline.TokenSpec{Name: "bench", Scopes: timeline.AllScopes})
	if err != nil {
		return err
	}
	open, err := site.Rivers.Watch(ctx, home(writer))
	if err != nil {
		return err
	}
	defer open.Close()
	form := forms[0]
	form.Path = hotPath
	for i := range s.Homes + 1 {
		begun := time.Now()
		for range hotBatch {
			answer := client.NewCounter()
			if site.Handler.ServeHTTP(answer, form.HTTP(ctx, site.Address)); answer.Status != http.StatusOK {
				return fmt.Errorf("%s answers %d", hotPath, answer.Status)
			}
		}
		if i > 0 { // the first request renders the page
			s.note("hot", begun)
		}
	}
	return s.writes(ctx, &writesRun{run: s.run, site: site, client: &http.Client{Timeout: time.Minute}, tokens: []string{token}}, writer)
}

// writes measures the answers to a person's posts, comments and likes.
func (s *grownSite) writes(ctx context.Context, w *writesRun, writer timeline.UserID) error {
	const liked = `
		select id from posts p
		where user_id <> $1 and deleted_at is null and not exists (select from likes l where l.post_id = p.id and l.user_id = $1)
		order by id desc limit $2`
	defer w.client.CloseIdleConnections()
	rows, _ := s.pool.Query(ctx, liked, writer, s.Homes+1) // CollectRows reports its error
	posts, err := pgx.CollectRows(rows, pgx.RowTo[timeline.PostID])
	if err != nil {
		return err
	}
	for i, other := range posts {
		begun := time.Now()
		own, err := w.post(ctx, w.tokens[0])
		if err != nil {
			return err
		}
		posted := time.Now()
		comment := map[string]any{"comment": map[string]any{"text": "A comment of the bench."}}
		if err := w.send(ctx, w.tokens[0], http.MethodPost, fmt.Sprintf("/api/v1/posts/%d/comments", own), comment, nil); err != nil {
			return err
		}
		commented := time.Now()
		if err := w.send(ctx, w.tokens[0], http.MethodPost, fmt.Sprintf("/api/v1/posts/%d/likes", other), struct{}{}, nil); err != nil {
			return err
		}
		if i == 0 {
			continue // it prepared every statement
		}
		s.note("like", commented)
		s.add("comment", commented.Sub(posted))
		s.add("post", posted.Sub(begun))
	}
	return nil
}

// ofRankings measures runs of the rankings, after a like and when nothing has changed.
func (s *grownSite) ofRankings(ctx context.Context) error {
	const newest = `
		select id from posts p where user_id = 1 and deleted_at is null and not exists (select from likes l where l.post_id = p.id and l.user_id = $1)
		order by id desc limit 1`
	var post timeline.PostID
	fan := s.Reader(0)
	if err := s.pool.QueryRow(ctx, newest, fan).Scan(&post); err != nil {
		return err
	}
	for i, like := range []func(context.Context, timeline.UserID, timeline.PostID) error{s.store.Like, s.store.Like, s.store.Unlike} {
		if err := like(ctx, fan, post); err != nil {
			return err
		}
		for _, name := range []string{"rank", "rank.unchanged"} {
			begun := time.Now()
			changed, err := ranking.Rank(ctx, s.store)
			if err != nil {
				return err
			}
			if name == "rank.unchanged" && changed > 0 {
				s.notice("A run of the rankings changed %d ranks, although nothing was written.", changed)
			}
			if i > 0 {
				s.note(name, begun)
			}
		}
	}
	return nil
}

// report reports the costs, compared with those of another site, which may be this one.
func (s *grownSite) report(base *grownSite) error {
	for _, c := range costs {
		took := slices.Sorted(slices.Values(s.seen[c.name]))
		record := report.Record{
			Name: fmt.Sprintf("growth.%d.%s", s.Posts, c.name), Of: fmt.Sprintf("%s; %s", c.of, &s.Grown), Unit: c.unit, N: len(took),
			P50: report.Quantile(took, 0.5), P99: report.Quantile(took, 0.99),
		}
		record.Value = record.P50
		if s != base {
			beside := slices.Sorted(slices.Values(base.seen[c.name]))
			record.Beside = &report.Beside{
				Name: fmt.Sprintf("%d posts, %s", base.Posts, c.unit), Value: report.Quantile(beside, 0.5), P99: report.Quantile(beside, 0.99),
			}
			record.Ratio = report.Ratio(record.Value, record.Beside.Value)
			if c.bar > 0 && s.Posts > base.Posts {
				record.Expect(fmt.Sprintf("ratio <= %v", c.bar), record.Ratio <= c.bar)
			}
		}
		if err := s.run.report(record); err != nil {
			return err
		}
	}
	return nil
}
