package timeline

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// What a query asks of a post, as far as PostgreSQL is asked: all but what must
// not hold of places, likes and comments, and what the viewer may not read, which
// [Query.Fits] knows. What is not asked is null, and planned away.
const (
	searchSelect = `
		select p.fresh_at, p.id `
	// $1 and $2: the cursor; $3: how many; $4: the words; $5 to $8: whose, and whose not, from when and
	// until when; $9: in one of these; $10: in all of these.
	searchTested = `
			p.deleted_at is null and ($4::tsquery is null or w.words @@ $4::tsquery)
			and ($5::bigint[] is null or p.user_id = any($5)) and ($6::bigint[] is null or p.user_id <> all($6))
			and ($7::bigint is null or p.id >= $7) and ($8::bigint is null or p.id < $8)
			and ($9::bigint[] is null or p.places && $9)
			and ($10::bigint[] is null or cardinality($10) = (
				select count(*) from timeline_entries x where x.post_id = p.id and x.timeline_id = any($10)))` + searchOwn
	// $11 and $12: the words in each language, and the languages. What has them in one language or another
	// is found by its index, and then tested by the rules of its own, which all but few pass: for @@ itself
	// PostgreSQL would expect that few do.
	searchOwn = `
			and ($11::text[] is null or coalesce(w.words @@ (
				select array_agg(nullif(own, '')::tsquery order by i) from unnest($11::text[]) with ordinality o(own, i)
			)[coalesce(array_position($12::text[], p.lang), 1)], false))`
	// $13: the words of comments; $14: who asks; $15: in each language.
	searchTalk = `
			c.words @@ $13::tsquery
			and not exists (select from bans where user_id = $14 and target_id = c.user_id)
			and not exists (select from bans where user_id = c.user_id and target_id = $14)`
	searchOwnTalk = `
			and ($15::text[] is null or coalesce(c.words @@ (
				select array_agg(nullif(own, '')::tsquery order by i) from unnest($15::text[]) with ordinality o(own, i)
			)[coalesce(array_position($12::text[], p.lang), 1)], false))`
	searchFresh = `
			and (p.fresh_at, p.id) < ($1::bigint, $2::bigint)
		order by p.fresh_at desc, p.id desc limit $3`
	searchCreated = `
			and $1::bigint is not null and p.id < $2::bigint
		order by p.id desc limit $3`
	// From the posts themselves: PostgreSQL chooses between the words and the order.
	searchPosts = searchSelect + `
		from posts p join post_words w on w.post_id = p.id
		where` + searchTested
	// From comments.
	searchTalks = searchSelect + `
		from posts p join post_words w on w.post_id = p.id
		where p.id in (select c.post_id from comments c where` + searchTalk + `)
			and ($15::text[] is null or exists (
				select from comments c where c.post_id = p.id and` + searchTalk + searchOwnTalk + `)) and` + searchTested
	// From the timelines of $16, each of them for itself.
	searchFeeds = `
		select distinct fresh_at, id from unnest($16::bigint[]) t(feed) cross join lateral (` + searchSelect + `
		from timeline_entries e join posts p on p.id = e.post_id join post_words w on w.post_id = p.id
		where e.timeline_id = t.feed
			and ($13::tsquery is null or exists (
				select from comments c where c.post_id = p.id and` + searchTalk + searchOwnTalk + `)) and` + searchTested
	searchFeedsFresh = searchFeeds + `
			and (e.fresh_at, e.post_id) < ($1::bigint, $2::bigint)
		order by e.fresh_at desc, e.post_id desc limit $3) p(fresh_at, id)
		order by 1 desc, 2 desc limit $3`
	searchFeedsCreated = searchFeeds + `
			and $1::bigint is not null and e.post_id < $2::bigint
		order by e.post_id desc limit $3) p(fresh_at, id)
		order by 2 desc limit $3`
)

// chooseQuery finds the first posts of a choice that match its query, as far as
// that can be asked of PostgreSQL: those that it finds are still to be tested by
// [Query.Fits], and [Sets.MayRead]. Words are.
//
// The statement is planned for what is asked. Where there are likes or comments of
// people, or groups, their timelines are walked; else it begins at comments, if it
// is about those, or at posts, by their words or in their order.
func (sn *Snapshot) chooseQuery(ctx context.Context, c Choice, below Cursor, want int) (Chosen, error) {
	const (
		posts, postsCreated = searchPosts + searchFresh, searchPosts + searchCreated
		talks, talksCreated = searchTalks + searchFresh, searchTalks + searchCreated
	)
	q := c.Query
	after, before := max(q.After, c.From), q.Before
	if c.Until != 0 && (before == 0 || c.Until < before) {
		before = c.Until
	}
	args := []any{
		planned, below.FreshAt, below.Post, want, asQuery(q.Text), asArray(q.From), asArray(q.NotFrom), asBound(after), asBound(before),
		asArray(q.Groups), asArray(q.In), asArray(q.Text.Own), searchLangs,
	}
	var query, created string
	switch feeds := q.feeding(); {
	case feeds != nil:
		query, created = searchFeedsFresh, searchFeedsCreated
		args = append(args, asQuery(q.Talk), c.Viewer, asArray(q.Talk.Own), feeds)
	case q.Talked():
		query, created = talks, talksCreated
		args = append(args, asQuery(q.Talk), c.Viewer, asArray(q.Talk.Own))
	default:
		query, created = posts, postsCreated
	}
	if c.Order == OrderCreated {
		query = created
	}
	var found []Cursor
	err := sn.search(ctx, func() error {
		rows, err := sn.tx.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Cursor])
		return err
	})
	if err != nil {
		return Chosen{}, translate(fmt.Errorf("search: %w", err))
	}
	if c.Order == OrderCreated {
		for i := range found {
			found[i] = found[i].Post.Cursor()
		}
	}
	return cut(found, want), nil
}

// feeding are timelines that hold all that the query finds: one that it must be
// in, or those of its groups. Nil: there are none.
func (q *Query) feeding() []TimelineID {
	switch {
	case len(q.In) > 0:
		return q.In[:1]
	case len(q.Groups) > 0:
		return q.Groups
	}
	return nil
}

// What is not asked is null.

func asQuery(w Wording) *string {
	if w.TSQuery == "" {
		return nil
	}
	return &w.TSQuery
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
