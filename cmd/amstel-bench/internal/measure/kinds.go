package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/query"
	"amstel.dev/amstel/timeline/ranking"
)

// perKind is how many rivers of a kind are visited.
const perKind = 10

// A subject is a river to visit, with the query by which a straightforward site would find its
// entries (see [naivePage]).
type subject struct {
	key   river.Key
	query string
	of    any  // the query's argument
	loose bool // the query may find posts that differ a little from those of the river
}

// kindsSmall measures on the imported community.
func (r *run) kindsSmall(ctx context.Context) error { return r.kinds(ctx, r.Pool, "kind.") }

// kinds measures first visits of rivers of every kind that the community has: for each kind, the rivers
// with most entries. Each visit is followed by a request for the naive page of the same river.
func (r *run) kinds(ctx context.Context, pool *pgxpool.Pool, prefix string) error {
	store := timeline.New(pool, timeline.Options{})
	if _, err := ranking.Rank(ctx, store); err != nil {
		return err
	}
	if err := makeLists(ctx, pool, store); err != nil {
		return err
	}
	for _, kind := range []struct {
		name string
		find func(context.Context, *pgxpool.Pool) ([]subject, error)
	}{
		{"user", fed(river.KindUser, timeline.WhatUser)}, {"group", fed(river.KindGroup, timeline.WhatGroup)},
		{"comments", fed(river.KindComments, timeline.WhatUserComments)}, {"likes", fed(river.KindLikes, timeline.WhatUserLikes)},
		{"discussions", fed(river.KindDiscussions, timeline.WhatDiscussions)}, {"mentions", fed(river.KindMentions, timeline.WhatMentions)},
		{"hashtag", fed(river.KindHashtag, timeline.WhatHashtag)}, {"everything", fed(river.KindEverything, timeline.WhatEverything)},
		{"best_of", ranked(river.KindBestOf)}, {"most_faved", ranked(river.KindMostFaved)},
		{"list", lists}, {"day", days}, {"search", searches},
	} {
		subjects, err := kind.find(ctx, pool)
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		if len(subjects) == 0 {
			r.notice("There is no river of the kind %s.", kind.name)
			continue
		}
		if err := r.kind(ctx, pool, store, prefix+kind.name, subjects); err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
	}
	return nil
}

// kind measures the rivers of one kind.
func (r *run) kind(ctx context.Context, pool *pgxpool.Pool, store *timeline.Store, name string, subjects []subject) error {
	var visits, naives report.Times
	for round := range r.Rounds + 1 {
		if round == 1 {
			visits, naives = nil, nil // round 0 only prepared every statement
		}
		err := r.onEmptyNode(ctx, store, func(node *river.Node) error {
			for _, s := range subjects {
				begun := time.Now()
				view, err := node.Visit(ctx, s.key, river.At{})
				if err != nil {
					return fmt.Errorf("%s of %d: %w", s.key.Descriptor(), s.key.Viewer, err)
				}
				visits = append(visits, time.Since(begun))
				begun = time.Now()
				found, err := naiveOf(ctx, pool, s)
				if err != nil {
					return err
				}
				naives = append(naives, time.Since(begun))
				if err := same(found, shownBy(view)); err != nil && !s.loose {
					return fmt.Errorf("%s: %w", s.key.Descriptor(), err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	half, whole := visits.Quantile(0.5), naives.Quantile(0.5)
	record := report.Record{
		Name: name, Unit: "ms", Of: fmt.Sprintf("first visits of the %d rivers of the kind with most in them", len(subjects)),
		Beside: &report.Beside{Name: "naive page, ms", Value: whole, P99: naives.Quantile(0.99)}, Ratio: report.Ratio(whole, half),
	}
	record.SetTimes(visits, 0.5)
	return r.report(record)
}

// onEmptyNode starts a node without rivers, calls do, and stops the node.
func (r *run) onEmptyNode(ctx context.Context, store *timeline.Store, do func(*river.Node) error) error {
	path := filepath.Join(r.Folder, "kinds.db")
	defer removeRiverDB(path)
	return onNode(ctx, river.Config{Store: store, Path: path}, do)
}

// onNode starts a node, calls do when the node follows the primary, and stops the node.
func onNode(ctx context.Context, config river.Config, do func(*river.Node) error) (err error) {
	// On a slow machine the node shall take long for a visit, and not refuse it.
	config.Settings.Behind = cmp.Or(config.Settings.Behind, time.Minute)
	node, err := river.Open(ctx, config)
	if err != nil {
		return err
	}
	looping, end := context.WithCancel(report.ByNode(ctx))
	ended := make(chan error, 1)
	go func() { ended <- node.Run(looping) }()
	defer func() {
		end()
		err = errors.Join(err, <-ended)
	}()
	if err := settled(ctx, node); err != nil {
		return err
	}
	return do(node)
}

// removeRiverDB removes the files of a river DB.
func removeRiverDB(path string) {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(path + suffix) // the folder is removed later anyway
	}
}

func naiveOf(ctx context.Context, pool *pgxpool.Pool, s subject) ([]timeline.PostID, error) {
	tx, err := naiveBegin(ctx, pool)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(ctx) }() // nothing was written
	return naivePage(ctx, tx, s.query, s.key.Viewer, s.of, pageSize)
}

func shownBy(view *river.View) (ids []timeline.PostID) {
	for i := range view.Entries {
		ids = append(ids, view.Entries[i].Facts.ID)
	}
	return ids
}

// fed returns a function that finds the largest rivers of a kind whose rivers each show one timeline.
// A river that only one person may open is visited by that person, and all others by a reader
// without an account.
func fed(kind river.Kind, what timeline.What) func(context.Context, *pgxpool.Pool) ([]subject, error) {
	const query = `
		select t.id, t.their_id from timelines t join timeline_entries e on e.timeline_id = t.id
		where t.what = $1 and t.access in ('public', 'owner')
		group by t.id order by count(*) desc, t.id limit $2`
	return func(ctx context.Context, pool *pgxpool.Pool) (found []subject, err error) {
		rows, err := pool.Query(ctx, query, what, perKind)
		if err != nil {
			return nil, err
		}
		var id, their int64
		_, err = pgx.ForEachRow(rows, []any{&id, &their}, func() error {
			s := subject{key: river.Key{What: kind, TheirID: their}, query: naiveFeeds, of: []int64{id}}
			if kind == river.KindDiscussions || kind == river.KindMentions {
				s.key.Viewer = timeline.UserID(their)
			}
			if kind == river.KindEverything {
				s.query = naiveListed
			}
			found = append(found, s)
			return nil
		})
		return found, err
	}
}

// ranked returns a function that finds the rising ranking of a kind, for all languages.
func ranked(kind river.Kind) func(context.Context, *pgxpool.Pool) ([]subject, error) {
	return func(context.Context, *pgxpool.Pool) ([]subject, error) {
		id := timeline.RankedID("", timeline.Rising)
		query := naiveBest
		if kind == river.KindMostFaved {
			query = naiveFaved
		}
		return []subject{{key: river.Key{What: kind, TheirID: id}, query: query, of: int64(0), loose: true}}, nil
	}
}

// makeLists creates a list for each of the people with most subscriptions, with twenty of the person's
// feeds.
func makeLists(ctx context.Context, pool *pgxpool.Pool, store *timeline.Store) error {
	const members = `
		insert into list_members (list_id, timeline_id)
		select $1, timeline_id from subscriptions where user_id = $2 order by timeline_id limit 20`
	people, err := busiest(ctx, pool, perKind)
	if err != nil {
		return err
	}
	for _, person := range people {
		id, err := store.CreateList(ctx, person.User, "twenty")
		if err != nil {
			return err
		}
		if _, err := pool.Exec(ctx, members, id, person.User); err != nil {
			return err
		}
	}
	return nil
}

func lists(ctx context.Context, pool *pgxpool.Pool) (found []subject, err error) {
	const query = `
		select l.user_id, l.id, array_agg(distinct f.id)
		from lists l
		join list_members m on m.list_id = l.id
		join timelines t on t.id = m.timeline_id
		join timelines f on f.id = t.id or t.what = 'user' and f.their_id = t.their_id and f.what in ('user_likes', 'user_comments')
		group by l.id`
	rows, err := pool.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	var viewer timeline.UserID
	var list int64
	var feeds []int64
	_, err = pgx.ForEachRow(rows, []any{&viewer, &list, &feeds}, func() error {
		found = append(found, subject{key: river.Key{Viewer: viewer, What: river.KindList, TheirID: list}, query: naiveFeeds, of: slices.Clone(feeds)})
		return nil
	})
	return found, err
}

// days finds the calendar pages of public people in the months in which they wrote most.
func days(ctx context.Context, pool *pgxpool.Pool) (found []subject, err error) {
	const query = `
		select p.user_id, to_char(p.published_at at time zone 'UTC', 'YYYY-MM')
		from posts p join users u on u.id = p.user_id and u.status = 'public'
		group by 1, 2 order by count(*) desc, 1, 2 limit $1`
	rows, err := pool.Query(ctx, query, perKind)
	if err != nil {
		return nil, err
	}
	var user int64
	var month string
	_, err = pgx.ForEachRow(rows, []any{&user, &month}, func() error {
		found = append(found, subject{
			key: river.Key{What: river.KindDay, TheirID: user, Query: month}, query: naiveMonth, of: fmt.Sprint(user, " ", month),
		})
		return nil
	})
	return found, err
}

// searches returns searches for words in the forms that texts have: the most frequent words of
// a sample of texts, and rarer ones.
func searches(ctx context.Context, pool *pgxpool.Pool) (found []subject, err error) {
	const frequent = `
		with word as (
			select lower(w) as word, count(*) as posts
			from (select text from posts where deleted_at is null order by id desc limit 2000) p, regexp_split_to_table(p.text, '[^[:alpha:]]+') w
			where length(w) between 5 and 12 and length(to_tsvector('russian', w)) > 0
			group by 1 having count(*) > 1
		)
		select word from (select word, ntile($1) over (order by posts desc, word) as part from word) w
		group by part, word order by part, word`
	rows, err := pool.Query(ctx, frequent, perKind)
	if err != nil {
		return nil, err
	}
	words, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	for i := range perKind {
		if len(words) == 0 {
			break
		}
		word := words[i*len(words)/perKind]
		search, err := query.Parse(word)
		if err != nil {
			return nil, err
		}
		key := river.Key{What: river.KindSearch, Query: search.String()}
		if slices.ContainsFunc(found, func(s subject) bool { return s.key == key }) {
			continue
		}
		found = append(found, subject{key: key, query: naiveWords, of: word, loose: true})
	}
	return found, nil
}
