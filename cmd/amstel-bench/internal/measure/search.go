package measure

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/query"
)

const (
	// openSearches is how many searches are open while posts are written, unless [Config] has another
	// number. searchBar is how much more time a post may cost the loop because of them.
	openSearches = 1000
	searchBar    = 5.0 // ms
	// searchedPosts is how many posts are written without open searches, and how many with.
	searchedPosts = 100
)

// liveSearch measures how much more time a post costs a node's loop while many searches of two words
// each are open.
func (r *run) liveSearch(ctx context.Context) error {
	const words = `
		select lower(w)
		from (select text from posts where deleted_at is null order by id desc limit 5000) p, regexp_split_to_table(p.text, '[^[:alpha:]]+') w
		where length(w) between 4 and 12 and length(to_tsvector('russian', w)) > 0
		group by 1 order by count(*) desc, 1 limit 300`
	const author = `
		select u.id from users u where u.status = 'public' and exists (select from posts p where p.user_id = u.id) order by u.id limit 1`
	rows, err := r.Pool.Query(ctx, words)
	if err != nil {
		return err
	}
	vocabulary, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	var who timeline.UserID
	if err := r.Pool.QueryRow(ctx, author).Scan(&who); err != nil {
		return err
	}
	store := timeline.New(r.Pool, timeline.Options{})
	searches := cmp.Or(r.Searches, openSearches)
	var without, with report.Times
	found := 0
	err = r.onEmptyNode(ctx, store, func(node *river.Node) error {
		post := func(i int) (time.Duration, error) {
			text := fmt.Sprintf("%s and %s, %d", vocabulary[i*7%len(vocabulary)], vocabulary[i*13%len(vocabulary)], i)
			if _, err := store.CreatePost(ctx, who, timeline.NewPost{To: []string{"user"}, Text: text}); err != nil {
				return 0, err
			}
			begun := time.Now()
			err := node.WaitApplied(ctx)
			return time.Since(begun), err
		}
		for i := range searchedPosts {
			took, err := post(i)
			if err != nil {
				return err
			}
			without = append(without, took)
		}
		for i := range searches {
			search, err := query.Parse(vocabulary[i%len(vocabulary)] + " " + vocabulary[(i/len(vocabulary)+i*3+1)%len(vocabulary)])
			if err != nil {
				return err
			}
			key := river.Key{What: river.KindSearch, Query: search.String()}
			w, err := node.Watch(ctx, key)
			if err != nil {
				return fmt.Errorf("%s: %w", key.Query, err)
			}
			defer w.Close()
		}
		for i := range searchedPosts {
			took, err := post(i)
			if err != nil {
				return err
			}
			with = append(with, took)
		}
		for i := range searches {
			search, err := query.Parse(vocabulary[i%len(vocabulary)] + " " + vocabulary[(i/len(vocabulary)+i*3+1)%len(vocabulary)])
			if err != nil {
				return err
			}
			view, err := node.Visit(ctx, river.Key{What: river.KindSearch, Query: search.String()}, river.At{})
			if err != nil {
				return err
			}
			found += len(view.Entries)
		}
		return nil
	})
	if err != nil {
		return err
	}
	more := with.Quantile(0.5) - without.Quantile(0.5)
	record := report.Record{
		Name: "search.live", Of: fmt.Sprintf("what a post costs the node more while %d searches are open, which show %d entries", searches, found),
		Value: more, Unit: "ms",
		Beside: &report.Beside{Name: "without searches, ms", Value: without.Quantile(0.5), P99: without.Quantile(0.99)},
	}
	record.SetQuantiles(with)
	record.Expect(fmt.Sprintf("<= %v ms", searchBar), more <= searchBar)
	return r.report(record)
}
