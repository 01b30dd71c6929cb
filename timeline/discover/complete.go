package discover

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// ownTexts is how many of a person's newest posts are searched for hashtags, and how many of the
// person's comments, those on the newest posts.
const ownTexts = 500

// Complete returns people and groups that match a text, as [Store.Find] does, for a viewer who is
// typing a name. It leaves out groups that the viewer may not read: a viewer who writes a post has
// no use for them.
func (s *Store) Complete(ctx context.Context, viewer timeline.UserID, typed string, want int) (people []timeline.UserID, groups []timeline.GroupID, err error) {
	defer primary.Wrap(&err, "complete %q", typed)
	const feeds = `select id, what, their_id, access from timelines where what = 'group' and their_id = any($1)`
	people, groups, err = s.Find(ctx, viewer, typed, want)
	if err != nil || len(groups) == 0 {
		return people, groups, err
	}
	err = s.db().View(ctx, func(q primary.Querier) error {
		all, _, err := timeline.ReadSetsOf(ctx, q, []timeline.UserID{viewer})
		if err != nil {
			return err
		}
		rows, err := q.Query(ctx, feeds, groups)
		if err != nil {
			return err
		}
		readable := make(map[timeline.GroupID]bool, len(groups))
		var t timeline.Timeline
		_, err = pgx.ForEachRow(rows, []any{&t.ID, &t.What, &t.TheirID, &t.Access}, func() error {
			readable[timeline.GroupID(t.TheirID)] = all[viewer].Readable(t)
			return nil
		})
		groups = slices.DeleteFunc(groups, func(g timeline.GroupID) bool { return !readable[g] })
		return err
	})
	return people, groups, err
}

// CompleteTag returns up to want hashtags that begin with a text, from the viewer's own newest
// posts and comments, the hashtag used last first.
func (s *Store) CompleteTag(ctx context.Context, viewer timeline.UserID, start string, want int) (tags []string, err error) {
	defer primary.Wrap(&err, "complete the hashtag %q", start)
	const query = `
		select id, text from (select id, text from posts where user_id = $1 and deleted_at is null order by id desc limit $2) p
		where strpos(text, '#') > 0
		union all
		select id, text from (select id, text from comments where user_id = $1 order by post_id desc limit $2) c
		where strpos(text, '#') > 0`
	type said struct {
		ID   int64
		Text string
	}
	var all []said
	if err := s.db().View(ctx, func(q primary.Querier) error {
		rows, err := q.Query(ctx, query, viewer, ownTexts)
		if err == nil {
			all, err = pgx.CollectRows(rows, pgx.RowToStructByPos[said])
		}
		return err
	}); err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b said) int { return cmp.Compare(b.ID, a.ID) })
	start = text.Lower(start)
	for _, one := range all {
		for _, tag := range text.Tags(one.Text) {
			if len(tags) < want && strings.HasPrefix(tag, start) && !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	return tags, nil
}
