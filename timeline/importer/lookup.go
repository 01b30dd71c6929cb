package importer

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
)

// lockKey is the key of the advisory lock that runs imports one at a time: "import" in
// ASCII.
const lockKey = 0x696d706f7274

// lookUp reads all rows that the batch refers to and that exist: people and groups by name,
// and posts, comments and other lines by the keys of earlier imports from the same source.
func (t *batchTx) lookUp(ctx context.Context) error {
	// The lock comes first, so the statements after the lock see the rows of the import before.
	const lock = `select pg_advisory_xact_lock($1)`
	const members = `
		select n.name, n.what, n.their_id, coalesce(u.status, g.status) = 'deleted', coalesce(u.lang, ''), t.id, t.what, t.access
		from unnest($1::text[]) k(name)
		join names n on n.name = k.name
		left join users u on n.what = 'user' and u.id = n.their_id
		left join groups g on n.what = 'group' and g.id = n.their_id
		join timelines t on t.their_id = n.their_id and t.what = any(case n.what when 'user' then $2::text[] else '{group}' end)`
	// The limit makes PostgreSQL look up each row by the index. Without the limit the planner may
	// choose a scan of the table, because its statistics are wrong while the table is being filled.
	const posts = `
		select i.external_id, i.their_id, p.user_id, p.published_at
		from unnest($2::text[]) k(id)
		cross join lateral (
			select external_id, their_id from imported
			where source = $1 and what = 'post' and external_id = k.id limit 1) i
		left join posts p on p.id = i.their_id`
	const comments = `
		select i.external_id, i.their_id, c.user_id, c.created_at, c.post_id
		from unnest($2::text[]) k(id)
		cross join lateral (
			select external_id, their_id from imported
			where source = $1 and what = 'comment' and external_id = k.id limit 1) i
		left join all_comments c on c.id = i.their_id`
	const others = `
		select i.external_id
		from unnest($3::text[]) k(id)
		cross join lateral (
			select external_id from imported
			where source = $1 and what = $2 and external_id = k.id limit 1) i`

	if _, err := t.tx.Exec(ctx, lock, lockKey); err != nil {
		return err
	}
	if err := t.findSite(ctx); err != nil {
		return err
	}
	m := t.keysToLookUp()
	var b pgx.Batch
	timeline.QueueLanguages(&b, nil, t.shared.languages)
	b.Queue(members, m.names, personal).Query(t.collectMembers)
	b.Queue(posts, t.source, m.posts).Query(t.collectPosts)
	b.Queue(comments, t.source, m.comments).Query(t.collectComments)
	for k, externals := range m.others {
		b.Queue(others, t.source, k.String(), externals).Query(func(rows pgx.Rows) error {
			var external string
			_, err := pgx.ForEachRow(rows, []any{&external}, func() error {
				t.importedKeys[sourceKey{k, external}] = true
				return nil
			})
			return err
		})
	}
	if t.home {
		t.queueHome(&b, m)
	}
	return t.tx.SendBatch(ctx, &b).Close()
}

func (t *batchTx) collectMembers(rows pgx.Rows) error {
	var (
		name, what string
		lang       string
		theirID    int64
		deleted    bool
		tl         timeline.Timeline
	)
	_, err := pgx.ForEachRow(rows, []any{&name, &what, &theirID, &deleted, &lang, &tl.ID, &tl.What, &tl.Access}, func() error {
		m := t.members[name]
		if m == nil {
			m = &member{deleted: deleted, lang: lang, timelines: make(map[timeline.What]timeline.Timeline, len(personal))}
			if what == "user" {
				m.user = timeline.UserID(theirID)
			} else {
				m.group = timeline.GroupID(theirID)
			}
			t.members[name] = m
		}
		tl.TheirID = theirID
		m.timelines[tl.What] = tl
		t.relations.timelines[tl.ID] = tl
		return nil
	})
	return err
}

func (t *batchTx) collectPosts(rows pgx.Rows) error {
	var (
		external string
		p        post
		author   *timeline.UserID
		at       *time.Time
	)
	_, err := pgx.ForEachRow(rows, []any{&external, &p.id, &author, &at}, func() error {
		found := &post{id: p.id, gone: author == nil}
		if !found.gone {
			found.author, found.at = *author, *at
		}
		t.posts[external] = found
		t.byPost[found.id] = found
		return nil
	})
	return err
}

func (t *batchTx) collectComments(rows pgx.Rows) error {
	var (
		external string
		c        comment
		author   *timeline.UserID
		at       *time.Time
		postID   *timeline.PostID
	)
	_, err := pgx.ForEachRow(rows, []any{&external, &c.id, &author, &at, &postID}, func() error {
		found := &comment{id: c.id, gone: author == nil}
		if !found.gone {
			found.author, found.at, found.postID = *author, *at, *postID
		}
		t.comments[external] = found
		return nil
	})
	return err
}

// lookupKeys has all names and keys in a batch, each once.
type lookupKeys struct {
	names, posts, comments []string
	others                 map[kind][]string // the keys of other kinds, see [line.external]
}

// keysToLookUp returns the names in the lines, and the keys under which an earlier import may
// have noted the lines.
func (t *batchTx) keysToLookUp() lookupKeys {
	names, posts, comments := make(set), make(set), make(set)
	others := make(map[kind][]string)
	for _, l := range t.lines {
		names.add(l.name)
		names.add(l.user)
		for _, name := range text.Names(l.text) {
			names.add(name)
		}
		switch l.kind {
		case kindGroup:
			for _, admin := range l.names {
				names.add(admin)
			}
		case kindPost:
			posts.add(l.id)
			for _, to := range l.names {
				names.add(nameIn(to))
			}
		case kindComment:
			comments.add(l.id)
			posts.add(l.target)
		case kindLike, kindFile, kindFavourite, kindHiddenPost:
			posts.add(l.target)
		case kindCommentLike, kindCommentFile:
			comments.add(l.target)
		case kindEarlierText, kindCommentEarlierText, kindList:
			for _, name := range l.names {
				names.add(nameIn(name))
			}
			if l.kind == kindEarlierText {
				posts.add(l.target)
			} else if l.kind == kindCommentEarlierText {
				comments.add(l.target)
			}
		case kindSubscription, kindBan, kindName, kindRequest, kindInvitation, kindExclusion, kindHiddenUser, kindMute:
			names.add(nameIn(l.target))
			names.add(l.value("from"))
		}
		switch l.kind {
		case kindUser, kindGroup, kindPost, kindComment:
		default:
			others[l.kind] = append(others[l.kind], l.external())
		}
	}
	return lookupKeys{names.list(), posts.list(), comments.list(), others}
}

// A set holds strings, each once.
type set map[string]struct{}

func (s set) add(text string) {
	if text != "" {
		s[text] = struct{}{}
	}
}

func (s set) list() []string {
	list := make([]string, 0, len(s))
	for text := range s {
		list = append(list, text)
	}
	return list
}
