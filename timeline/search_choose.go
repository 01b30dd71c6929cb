package timeline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// searchBounds are how many rows a statement of a search looks at. With them the work of
// any search is bounded.
type searchBounds struct {
	hits     int // posts or comments that the index of words may return
	glance   int // posts of the whole site that are walked before the index is used
	walk     int // posts of the whole site, or of each timeline, that a walk reads
	walkFrom int // posts by the authors in the query that a walk reads
}

// searchMost are the bounds outside of tests.
var searchMost = searchBounds{hits: 10_000, glance: 200, walk: 5_000, walkFrom: 20_000}

// Parts of the statements that choose the posts of a query. A parameter that a query does not use
// is null. The planner sees the value and drops the condition.
const (
	searchColumns = `
		select p.fresh_at, p.id, p.user_id, p.places, p.lang`
	// The posts of a walk, newest first, with no condition but that on their authors.
	searchPosts = searchColumns + `
		from posts p
		where p.deleted_at is null and not p.withheld and (@from::bigint[] is null or p.user_id = any(@from::bigint[])) and `
	// The posts of a walk of some timelines.
	searchFeeds = `
		select distinct on (p.fresh_at, p.id) p.* from unnest(@feeds::bigint[]) f(feed) cross join lateral (` + searchColumns + `
		from timeline_entries e join posts p on p.id = e.post_id
		where e.timeline_id = f.feed and p.deleted_at is null and not p.withheld and `
	searchFeedsFresh   = `(e.fresh_at, e.post_id) < (@fresh::bigint, @post::bigint) order by e.fresh_at desc, e.post_id desc limit @walk::bigint) p order by p.fresh_at desc, p.id desc`
	searchFeedsCreated = `e.post_id < @post::bigint order by e.post_id desc limit @walk::bigint) p order by p.fresh_at desc, p.id desc`
	searchBelow        = `(p.fresh_at, p.id) < (@fresh::bigint, @post::bigint)`
	searchBelowCreated = `p.id < @post::bigint`
	searchFresh        = ` order by p.fresh_at desc, p.id desc`
	searchCreated      = ` order by p.id desc`

	// The rule Sets.MayRead in SQL. It comes before the words, so that only words of posts that the
	// viewer may read are tested.
	searchMayRead = `
			(p.user_id = @viewer::bigint or p.user_id <> all(@bans::bigint[]) and exists (
				select from timelines t
				where t.id = any(p.places) and case
					when t.what <> 'group' and t.their_id = @viewer::bigint then t.access <> 'closed'
					when t.what <> 'group' and t.their_id = any(@bans::bigint[]) then false
					when t.access = 'public' then true
					when t.access = 'protected' then @viewer::bigint <> 0 and t.id <> all(@excluded::bigint[])
					when t.access = 'private' then t.id = any(@subscribed::bigint[]) and t.id <> all(@excluded::bigint[])
					else false end))
			and (select u.status <> 'deleted' and not u.withheld from users u where u.id = p.user_id)`
	// The other conditions, except for words and for negated places.
	searchAsked = `
			and (@from::bigint[] is null or p.user_id = any(@from::bigint[]))
			and (@not_from::bigint[] is null or p.user_id <> all(@not_from::bigint[]))
			and (@after::bigint is null or p.id >= @after::bigint) and (@before::bigint is null or p.id < @before::bigint)
			and (@groups::bigint[] is null or p.places && @groups::bigint[])
			and (@in::bigint[] is null or cardinality(@in::bigint[]) = (
				select count(*) from timeline_entries x where x.post_id = p.id and x.timeline_id = any(@in::bigint[])))`
	// The condition on words, for posts that meet all conditions above. The subqueries with offset
	// 0 keep the planner from testing words first. If the forms of a word differ between languages,
	// a text must have the form of its own language.
	searchWords = ` cross join lateral (select w.words from post_words w where w.post_id = p.id offset 0) w
		where (@text::tsquery is null or w.words @@ @text::tsquery)
			and (@text_own::text[] is null or coalesce(w.words @@ (
				select array_agg(nullif(own, '')::tsquery order by i) from unnest(@text_own::text[]) with ordinality o(own, i)
			)[coalesce(array_position(@langs::text[], p.lang), 1)], false))
			and (@comment::tsquery is null or coalesce((
				select true from (select c.words from comments c where c.post_id = p.id and c.user_id <> all(@bans::bigint[]) offset 0) c
				where c.words @@ @comment::tsquery
					and (@comment_own::text[] is null or coalesce(c.words @@ (
						select array_agg(nullif(own, '')::tsquery order by i) from unnest(@comment_own::text[]) with ordinality o(own, i)
					)[coalesce(array_position(@langs::text[], p.lang), 1)], false))
				limit 1), false))`
	// The posts in which the index of words finds the lexemes, at any position.
	searchHitsOfPosts = `
			select w.post_id from post_words w where w.words @@ @lexemes::tsquery`
	searchHitsOfTalks = `
			select c.post_id from comments c where c.words @@ @lexemes::tsquery and c.user_id <> all(@bans::bigint[])`
)

// searchStatements are the statements for one page of a search.
type searchStatements struct {
	index string // counts the posts that the index of words finds, and returns the first matches among them
	walk  string // returns the first posts of a walk that match
	low   string // returns the last post of the walk, if there may be more below
}

// searchStatementsOf composes the statements for the order by publication (created), for
// a walk of timelines (fed), and for words in comments (inComments).
func searchStatementsOf(created, fed, inComments bool) (s searchStatements) {
	below, order, hits := searchBelow, searchFresh, searchHitsOfPosts
	if created {
		below, order = searchBelowCreated, searchCreated
	}
	if inComments {
		hits = searchHitsOfTalks
	}
	passed := searchPosts + below + order + ` limit @walk::bigint`
	switch {
	case fed && created:
		passed = searchFeeds + searchFeedsCreated
	case fed:
		passed = searchFeeds + searchFeedsFresh
	}
	if fed { // distinct on needs this order
		passed = `select p.* from (` + passed + `) p` + order + ` limit @walk::bigint`
	}
	readable := `
		from (` + passed + `) p
		where` + searchMayRead + searchAsked
	return searchStatements{
		index: `
		with hits as materialized (` + hits + ` limit @hits::bigint
		), found as (
			select p.fresh_at, p.id
			from (` + searchColumns + `
				from (select distinct post_id from hits) h join posts p on p.id = h.post_id
				where (select count(*) from hits) < @hits::bigint and p.deleted_at is null and not p.withheld and ` + below + ` and` + searchMayRead + searchAsked + `
				offset 0) p` + searchWords + order + ` limit @want::bigint
		)
		select n.hits, p.fresh_at, p.id
		from (select count(*) hits from hits) n left join found p on true` + order,
		walk: `
		select p.fresh_at, p.id from (
			select p.fresh_at, p.id, p.lang ` + readable + order + ` offset 0) p` + searchWords + order + ` limit @want::bigint`,
		low: `
		select p.fresh_at, p.id from (` + passed + `) p offset @walk::bigint - 1`,
	}
}

// chooseQuery finds the first posts of a choice that match its query, except for negated
// places, likes and comments, which [Query.Fits] tests.
//
// Posts that the viewer may not read are left out before words are tested. So the time
// that a search takes tells nothing about the text of hidden posts, and [Sets.MayRead],
// which decides in the end, finds nothing to refuse.
//
// There are two ways to find posts. The index of words returns all posts with certain lexemes;
// among them are posts that the viewer may not read, which are left out before their words and
// positions are tested. A walk tests posts one after the other in the order of the page. The index
// is fast for rare words, a walk for frequent ones: a word that is in every second post fills a
// page after a few dozen posts, while the index would return thousands.
//
// So chooseQuery walks first: over many posts if the query names authors, groups, or likes or
// comments of people, and otherwise over a few of the newest posts. If the page is not full then,
// chooseQuery uses the index. If the index finds too many posts, the choice ends where the walk
// ended; the next call on the same snapshot, which goes on below, makes a longer walk and does not
// use the index. Every walk ends at a bound, and then the choice ends there too.
func (sn *Snapshot) chooseQuery(ctx context.Context, c Choice, below Cursor, want int) (chosen Chosen, err error) {
	statements, args := sn.bounds.statementsFor(c, below, want)
	if args == nil {
		return Chosen{}, nil
	}
	narrow := args["feeds"] != nil || args["from"] != nil
	indexed := args["lexemes"] != nil && sn.broad != c.Query
	if indexed && !narrow {
		args["walk"] = min(sn.bounds.glance, args["walk"].(int))
	}
	chosen, err = sn.searchWalk(ctx, statements, args)
	if low := chosen.Low; err == nil && indexed && len(chosen.Posts) < want && low != (Cursor{}) {
		args["fresh"], args["post"], args["want"] = low.FreshAt, low.Post, want-len(chosen.Posts)
		rest, enough, failed := sn.searchIndex(ctx, c.Query, statements, args)
		if err = failed; enough {
			chosen = Chosen{Posts: append(chosen.Posts, rest.Posts...), Low: rest.Low}
		}
	}
	if err != nil {
		return Chosen{}, fmt.Errorf("search: %w", err)
	}
	if c.Order == OrderCreated {
		for i := range chosen.Posts {
			chosen.Posts[i] = chosen.Posts[i].Post.Cursor()
		}
		if chosen.Low != (Cursor{}) {
			chosen.Low = chosen.Low.Post.Cursor()
		}
	}
	return chosen, nil
}

// searchIndex finds posts by the index of words. enough is false if the index finds more posts than
// the bound allows; then nothing was chosen.
func (sn *Snapshot) searchIndex(ctx context.Context, q *Query, s searchStatements, args pgx.NamedArgs) (chosen Chosen, enough bool, err error) {
	var hits int
	err = sn.search(ctx, func() error {
		rows, err := sn.tx.Query(ctx, s.index, primary.Planned, args)
		if err != nil {
			return err
		}
		var fresh *int64
		var post *PostID
		_, err = pgx.ForEachRow(rows, []any{&hits, &fresh, &post}, func() error {
			if post != nil {
				chosen.Posts = append(chosen.Posts, Cursor{*fresh, *post})
			}
			return nil
		})
		return err
	})
	if enough = hits < args["hits"].(int); err == nil && !enough {
		sn.broad = q
	}
	return newChosen(chosen.Posts, args["want"].(int)), enough, err
}

// searchWalk finds posts by a walk: it tests posts one after the other, the newest first.
func (sn *Snapshot) searchWalk(ctx context.Context, s searchStatements, args pgx.NamedArgs) (Chosen, error) {
	var found, low []Cursor
	err := sn.search(ctx, func() error {
		return collectCursors(ctx, sn.tx, &found, s.walk, args)
	})
	if err != nil || len(found) == args["want"].(int) {
		return newChosen(found, args["want"].(int)), err
	}
	if err := collectCursors(ctx, sn.tx, &low, s.low, args); err != nil || len(low) == 0 {
		return Chosen{Posts: found}, err
	}
	return Chosen{Posts: found, Low: low[0]}, nil
}

func collectCursors(ctx context.Context, q primary.Querier, to *[]Cursor, query string, args pgx.NamedArgs) error {
	rows, err := q.Query(ctx, query, primary.Planned, args)
	if err != nil {
		return err
	}
	*to, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Cursor])
	return err
}

// statementsFor returns the statements for a choice and their parameters; nil parameters
// mean that no post can match.
func (most searchBounds) statementsFor(c Choice, below Cursor, want int) (searchStatements, pgx.NamedArgs) {
	q, sets := c.Query, c.Sets
	if sets == nil {
		sets = new(Sets)
	}
	groups, in, some := q.readableFeeds(sets, c.Known)
	if !some {
		return searchStatements{}, nil
	}
	after, before := max(q.After, c.From), q.Before
	if c.Until != 0 && (before == 0 || c.Until < before) {
		before = c.Until
	}
	feeds, walk := groups, most.walk
	if len(in) > 0 {
		feeds = in[:1]
	} else if len(feeds) == 0 && len(q.From) > 0 {
		walk = most.walkFrom
	}
	post := below.Post
	if c.Order == OrderCreated { // the order of ids; the cursor may be a time without a post
		post = below.firstID()
	}
	lexemes, inComments := q.Text.lexemes(), q.SearchesComments()
	if inComments {
		lexemes = q.Comment.lexemes()
	}
	return searchStatementsOf(c.Order == OrderCreated, len(feeds) > 0, inComments), pgx.NamedArgs{
		"fresh": below.FreshAt, "post": post, "want": want, "walk": walk, "hits": most.hits,
		"feeds": asArray(feeds), "viewer": sets.User, "bans": keys(sets.Bans), "excluded": keys(sets.Excluded), "subscribed": keys(sets.Subscribed),
		"from": asArray(q.From), "not_from": asArray(q.NotFrom), "after": asBound(after), "before": asBound(before),
		"groups": asArray(groups), "in": asArray(in), "langs": searchLangs,
		"text": asQuery(q.Text.TSQuery), "text_own": asArray(q.Text.Own), "comment": asQuery(q.Comment.TSQuery), "comment_own": asArray(q.Comment.Own),
		"lexemes": asQuery(lexemes),
	}
}

// readableFeeds returns the groups of the query, and the timelines of likes and comments in which
// a post must be, as far as the viewer may read them. It returns false if the query can match
// nothing because the viewer may not read some of them.
func (q *Query) readableFeeds(sets *Sets, known func(TimelineID) (Timeline, bool)) (groups, in []TimelineID, some bool) {
	unreadable := func(id TimelineID) bool {
		if known == nil {
			return true
		}
		t, ok := known(id)
		return !ok || !sets.Readable(t)
	}
	groups = slices.DeleteFunc(slices.Clone(q.Groups), unreadable)
	return groups, q.In, len(groups) > 0 == (len(q.Groups) > 0) && !slices.ContainsFunc(q.In, unreadable)
}

// lexemes returns a tsquery of the lexemes that a text must have for the condition to
// match, at any positions; "" if no lexeme is certain.
func (w *WordCondition) lexemes() string {
	var forms []string
	for _, need := range w.Needs {
		var all []string
		for _, lexeme := range need {
			all = append(all, quoteLexeme(lexeme))
		}
		if len(all) == 0 {
			return ""
		}
		forms = append(forms, strings.Join(all, "&"))
	}
	return strings.Join(forms, "|")
}

// quoteLexeme returns a lexeme in the syntax of tsquery.
func quoteLexeme(lexeme string) string {
	return "'" + strings.NewReplacer("'", "''", `\`, `\\`).Replace(lexeme) + "'"
}

// Parameters of conditions that the query does not have are null.

func asQuery(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func asArray[T any](all []T) any {
	if len(all) == 0 {
		return nil
	}
	return all
}

func asBound(id PostID) *PostID {
	if id == 0 {
		return nil
	}
	return &id
}

// keys returns the keys of a map; for an empty map an empty slice, not nil, which would
// be null in SQL.
func keys[K comparable, V any](set map[K]V) []K {
	return slices.AppendSeq(make([]K, 0, len(set)), maps.Keys(set))
}
