package timeline

import (
	"context"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// maxFindText is how long what one finds people and groups by may be.
const maxFindText = 100

// Find finds people and groups by name: what their names begin with, or words of
// their display names, and of groups' descriptions, or how those words begin. Who
// has just that name comes first, then whom the viewer follows, then those whose
// names begin so. Accounts and groups are public knowledge, whoever may read them;
// whoever is on the other side of a ban is not there, nor is who was suspended.
func (s *Store) Find(ctx context.Context, viewer UserID, text string, want int) (people []UserID, groups []GroupID, err error) {
	defer primary.Wrap(&err, "find %q", text)
	const users = `
		select u.id
		from users u left join timelines t on t.what = 'user' and t.their_id = u.id
		where u.status <> 'deleted' and u.suspended_at is null
			and (u.name >= $2 and u.name < $3 or $4 <> '' and to_tsvector('simple', u.name || ' ' || u.display_name) @@ $4::tsquery
				or u.id = (select their_id from names where what = 'user' and name = $2))
			and not exists (select from bans where user_id = $1 and target_id = u.id)
			and not exists (select from bans where user_id = u.id and target_id = $1)
		order by u.name = $2 desc, exists (select from subscriptions s where s.user_id = $1 and s.timeline_id = t.id) desc,
			u.name >= $2 and u.name < $3 desc, u.name
		limit $5`
	const theGroups = `
		select g.id
		from groups g left join timelines t on t.what = 'group' and t.their_id = g.id
		where g.status <> 'deleted'
			and (g.name >= $2 and g.name < $3
				or $4 <> '' and to_tsvector('simple', g.name || ' ' || g.display_name || ' ' || g.description) @@ $4::tsquery
				or g.id = (select their_id from names where what = 'group' and name = $2))
		order by g.name = $2 desc, exists (select from subscriptions s where s.user_id = $1 and s.timeline_id = t.id) desc,
			g.name >= $2 and g.name < $3 desc, g.name
		limit $5`
	text, err = cleanFindText(text)
	if err != nil {
		return nil, nil, err
	}
	// What a name begins with stands between it and what comes after all that does.
	args := []any{primary.Planned, viewer, text, text + "\U0010ffff", prefixQuery(text), want}
	err = s.db.View(ctx, func(q primary.Querier) error {
		rows, err := q.Query(ctx, users, args...)
		if err == nil {
			err = primary.Collect(&people)(rows)
		}
		if err != nil {
			return err
		}
		if rows, err = q.Query(ctx, theGroups, args...); err == nil {
			err = primary.Collect(&groups)(rows)
		}
		return err
	})
	return people, groups, err
}

// cleanFindText is what one finds people and groups by as names are kept: in lower
// case, without an @.
func cleanFindText(typed string) (string, error) {
	typed, err := text.CleanLine("q", typed, maxFindText)
	if err != nil {
		return "", err
	}
	typed = strings.TrimLeft(text.Lower(typed), "@")
	if !strings.ContainsFunc(typed, inWord) {
		return "", &InvalidError{Field: "q", Reason: "has no letter in it that a name could have"}
	}
	return typed, nil
}

func inWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.IsMark(c) }

// prefixQuery asks that there be a word for each of the text's that begins with it.
func prefixQuery(text string) string {
	words := strings.FieldsFunc(text, func(c rune) bool { return !inWord(c) })
	for i, word := range words {
		words[i] = "'" + word + "':*"
	}
	return strings.Join(words, "&")
}

// FindHashtag is the id of a hashtag by its name, which is in lower case and
// without the sign; [ErrNotFound] while nobody has used it.
func (s *Store) FindHashtag(ctx context.Context, name string) (id int64, err error) {
	defer primary.Wrap(&err, "hashtag %q", name)
	const query = `select id from hashtags where name = $1`
	err = s.db.View(ctx, func(q primary.Querier) error { return q.QueryRow(ctx, query, name).Scan(&id) })
	return id, err
}

// LanguagesUsed are the languages, by their English names, in which there are
// posts that everybody may read. Others are told of to nobody.
func (s *Store) LanguagesUsed(ctx context.Context) (found []text.Language, err error) {
	defer primary.Wrap(&err, "languages used")
	const query = `
		select t.their_id from timelines t
		where t.what = 'everything' and t.their_id <> 0 and exists (
			select from timeline_entries e
			join timeline_entries placed on placed.post_id = e.post_id
			join timelines place on place.id = placed.timeline_id and place.what in ('user', 'group') and place.access = 'public'
			join posts p on p.id = e.post_id and p.deleted_at is null
			join users u on u.id = p.user_id and u.status <> 'deleted'
			where e.timeline_id = t.id
			order by e.fresh_at desc limit 1)`
	var ids []int64
	err = s.db.View(ctx, func(q primary.Querier) error {
		rows, err := q.Query(ctx, query)
		if err != nil {
			return err
		}
		ids, err = pgx.CollectRows(rows, pgx.RowTo[int64])
		return err
	})
	if err != nil {
		return nil, err
	}
	used := make(map[int64]bool, len(ids))
	for _, id := range ids {
		used[id] = true
	}
	for _, l := range text.Languages() {
		if used[LangID(l.Code)] {
			found = append(found, l)
		}
	}
	return found, nil
}
