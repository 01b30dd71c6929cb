package timeline

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// AcrossBans is a part of the posts or comments that bans hide from a viewer who moderates the
// place where they stand. The viewer reads them nowhere else. See [Sets.Moderates].
type AcrossBans struct {
	// Posts are the posts of a group by people across a ban, the newest first; or the one post
	// whose comments are listed.
	Posts []PostAcrossBan
	// Comments are comments of the one post, the oldest first: those by people across a ban. If
	// the author of the post is across a ban, they are all comments, as the viewer sees none of them.
	Comments []CommentAcrossBan
	More     bool // posts or comments follow
	Group    GroupID
	Sets     *Sets // the viewer's
	Users    map[UserID]*UserCard
	Groups   map[GroupID]*GroupCard
}

// A PostAcrossBan is a post with the groups from which the viewer may take the post out.
type PostAcrossBan struct {
	ID          PostID
	Author      UserID
	Text        string // empty in the list of comments, unless the author is across a ban
	Files       int
	Comments    int // of all people
	PublishedAt time.Time
	Groups      []GroupID
}

// A CommentAcrossBan is a comment that a ban hides.
type CommentAcrossBan struct {
	ID        CommentID
	User      UserID
	Text      string
	Files     int
	CreatedAt time.Time
}

// PostAcrossBans returns up to count comments that bans hide from a viewer who moderates the post,
// those after a given comment (0: from the first). If the author of the post is across a ban, it
// returns the text of the post too. [ErrNotFound] unless the viewer moderates the post; see
// [Sets.Moderates].
func (s *Store) PostAcrossBans(ctx context.Context, viewer UserID, post PostID, after CommentID, count int) (a *AcrossBans, err error) {
	defer primary.Wrap(&err, "post %d across bans", post)
	const comments = `
		select c.id, c.user_id, c.text, (select count(*) from attachments where comment_id = c.id and state = 'ready'), c.created_at
		from comments c
		where c.post_id = $1 and ($2 or c.user_id = any($3))
			and ($4::bigint = 0 or (c.created_at, c.id) > (select created_at, id from all_comments where id = $4 and post_id = $1))
		order by c.created_at, c.id limit $5`
	err = s.viewAs(ctx, viewer, noCheck, func(q primary.Querier, sets *Sets) error {
		d, places, _, err := readPlaces(ctx, q, sets, post)
		if err != nil {
			return err
		}
		if d.Deleted || !sets.Moderates(d.Author, places) {
			return ErrNotFound
		}
		a = &AcrossBans{Sets: sets}
		if a.Posts, err = readAcrossBan(ctx, q, []PostID{post}); err != nil {
			return err
		}
		across := sets.Across([]UserID{d.Author}) != nil
		if !across {
			a.Posts[0].Text, a.Posts[0].Files = "", 0
		}
		rows, err := q.Query(ctx, comments, post, across, bannedOf(sets), after, count+1)
		if err != nil {
			return err
		}
		a.Comments, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (c CommentAcrossBan, err error) {
			err = row.Scan(&c.ID, &c.User, &c.Text, &c.Files, &c.CreatedAt)
			c.CreatedAt = c.CreatedAt.UTC()
			return c, err
		})
		if err != nil {
			return err
		}
		if a.More = len(a.Comments) > count; a.More {
			a.Comments = a.Comments[:count]
		}
		return a.readRest(ctx, q)
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// GroupAcrossBans returns up to count posts of a group by people across a ban from the viewer, who
// administers the group: the newest posts with ids below before (0: from the newest).
// [ErrForbidden] unless the viewer administers the group, [ErrNotFound] if no group has the name.
func (s *Store) GroupAcrossBans(ctx context.Context, viewer UserID, group string, before PostID, count int) (a *AcrossBans, err error) {
	defer primary.Wrap(&err, "posts of group %q across bans", group)
	const posts = `
		select p.id
		from posts p join users u on u.id = p.user_id, timelines t
		where p.user_id = any($1) and t.what = 'group' and t.their_id = $2 and p.places @> array[t.id] and not (` + postGone + `) and p.id < $3
		order by p.id desc limit $4`
	if before <= 0 {
		before = aboveAll
	}
	err = s.viewAs(ctx, viewer, noCheck, func(q primary.Querier, sets *Sets) error {
		id, err := findGroup(ctx, q, group)
		if err != nil {
			return err
		}
		if !sets.MayAct() || !sets.runs(id) {
			return ErrForbidden
		}
		a = &AcrossBans{Sets: sets, Group: id}
		var ids []PostID
		rows, err := q.Query(ctx, posts, bannedOf(sets), id, before, count+1)
		if err != nil {
			return err
		}
		if err := primary.Collect(&ids)(rows); err != nil {
			return err
		}
		if a.More = len(ids) > count; a.More {
			ids = ids[:count]
		}
		if a.Posts, err = readAcrossBan(ctx, q, ids); err != nil {
			return err
		}
		return a.readRest(ctx, q)
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// noCheck admits every viewer to [Store.viewAs].
func noCheck(*Sets) error { return nil }

// bannedOf returns the people across a ban from the viewer, for a query.
func bannedOf(sets *Sets) []UserID {
	people := make([]UserID, 0, len(sets.Bans)) // any(null) is never true
	for id := range sets.Bans {
		people = append(people, id)
	}
	slices.Sort(people)
	return people
}

// readAcrossBan reads posts, the newest first.
func readAcrossBan(ctx context.Context, q primary.Querier, ids []PostID) ([]PostAcrossBan, error) {
	const query = `
		select p.id, p.user_id, p.text, (select count(*) from attachments where post_id = p.id and state = 'ready'), p.comments_count, p.published_at,
			(select coalesce(array_agg(t.their_id order by t.their_id), '{}') from timelines t where t.id = any(p.places) and t.what = 'group')
		from posts p where p.id = any($1) order by p.id desc`
	rows, err := q.Query(ctx, query, ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p PostAcrossBan, err error) {
		err = row.Scan(&p.ID, &p.Author, &p.Text, &p.Files, &p.Comments, &p.PublishedAt, &p.Groups)
		p.PublishedAt = p.PublishedAt.UTC()
		return p, err
	})
}

// readRest leaves the groups out that the viewer does not administer, and reads the cards.
func (a *AcrossBans) readRest(ctx context.Context, q primary.Querier) (err error) {
	var users []UserID
	groups := []GroupID{}
	for i := range a.Posts {
		p := &a.Posts[i]
		p.Groups = slices.DeleteFunc(p.Groups, func(id GroupID) bool { return !a.Sets.runs(id) })
		users, groups = append(users, p.Author), append(groups, p.Groups...)
	}
	for _, c := range a.Comments {
		users = append(users, c.User)
	}
	if a.Group != 0 {
		groups = append(groups, a.Group)
	}
	slices.Sort(users)
	slices.Sort(groups)
	a.Users, a.Groups, err = readCards(ctx, q, slices.Compact(users), slices.Compact(groups))
	return err
}
