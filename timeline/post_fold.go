package timeline

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A Fold is the display form of a post. All viewers who may read the post share one fold; only for
// a viewer with bans a fold is made with the people across the bans left out. A fold names people
// by their ids alone: names and avatars are in cards, which are joined when the page is made. A
// fold belongs to one snapshot and never changes.
type Fold struct {
	Post        PostID
	Version     int
	Author      UserID
	Text        TextFold
	Likes       LikesFold
	Comments    CommentsFold
	Attachments []Attachment
}

// TextFold is the post itself, without comments and likes.
type TextFold struct {
	Text             string    `json:"text"`
	PublishedAt      time.Time `json:"published_at"`
	UpdatedAt        time.Time `json:"updated_at"`
	FreshAt          int64     `json:"fresh_at"`
	CommentsDisabled bool      `json:"comments_disabled,omitempty"`
	NSFW             bool      `json:"nsfw,omitempty"`
	Linebreaks       bool      `json:"linebreaks,omitempty"`
	Platform         string    `json:"platform,omitempty"`
	Lang             string    `json:"lang,omitempty"`    // the code of the post's language
	Unready          []Unready `json:"unready,omitempty"` // the files that are queued or were refused
	CommentsVersion  int       `json:"comments_version"`
	Preview          *Preview  `json:"preview,omitempty"` // of the first link in the text
	Held             bool      `json:"held,omitempty"`    // the post waits for an administrator, and only its author reads it
}

// LikesFold holds the likes of a post in the order of (created_at, user id), newest last. Of a
// post with up to five likes it has all. Of a post with six or more it has the newest three, and
// the number of the others.
type LikesFold struct {
	Users []UserID `json:"users"`
	More  int      `json:"more"`
	Favs  int      `json:"favs,omitempty"`
}

// CommentsFold holds the comments of a post in the order of (created_at, id). Of a post with up to
// four comments it has all. Of a post with five or more it has the first and the last; with All it
// has every comment, for the page of a single post.
type CommentsFold struct {
	Comments []Comment `json:"comments"`
	Count    int       `json:"count"`               // of all comments that the fold's readers may see
	Gap      int       `json:"gap"`                 // 1: comments are left out after the first one; 0: none are
	GapLikes int       `json:"gap_likes,omitempty"` // the likes of the comments that are left out
	All      bool      `json:"all,omitempty"`
}

// Attachment is a ready file that belongs to a post or a comment.
type Attachment struct {
	ID         AttachmentID `json:"id"`
	FileName   string       `json:"file_name"`
	Kind       string       `json:"kind"`                 // "image", "audio", "video" or "file"
	Frames     int          `json:"frames,omitempty"`     // more than one: the picture moves
	Alt        string       `json:"alt,omitempty"`        // the author's description, for people who can't see the picture
	UploadedAt int64        `json:"uploaded_at"`          // in milliseconds since 1970
	Renditions []Rendition  `json:"renditions,omitempty"` // in the order of their names; none of a file that was imported by name only
}

// Rendition returns the rendition of a name, and reports whether the attachment has it.
func (a *Attachment) Rendition(name string) (r Rendition, ok bool) {
	at := slices.IndexFunc(a.Renditions, func(r Rendition) bool { return r.Name == name })
	if at < 0 {
		return r, false
	}
	return a.Renditions[at], true
}

// An Unready is a file of a post or comment that is still queued, or was refused. Only the
// author sees the file.
type Unready struct {
	ID       AttachmentID `json:"id"`
	FileName string       `json:"file_name"`
	Refused  Refusal      `json:"refused,omitempty"` // empty: the file is queued
}

// unreadyJSON is the query of the files of a post or comment that are not ready as JSON, for
// an [Unready] each. The condition that names the post or comment follows.
const unreadyJSON = `
	select jsonb_agg(jsonb_build_object('id', a.id, 'file_name', a.file_name, 'refused', a.reason) order by a.position, a.id)
	from attachments a where a.state in ('queued', 'refused') and `

// attachmentsJSON is the query of the ready files of a post or comment as JSON, for a
// [Attachment] each. The condition that names the post or comment follows.
const attachmentsJSON = `
	select jsonb_agg(jsonb_build_object(
			'id', a.id, 'file_name', a.file_name, 'kind', a.kind, 'frames', a.frames, 'alt', a.alt,
			'uploaded_at', (extract(epoch from a.created_at) * 1000)::bigint,
			'renditions', (
				select jsonb_agg(jsonb_build_object(
					'name', r.name, 'file', encode(r.file, 'hex'), 'media_type', r.media_type,
					'size', r.size, 'width', r.width, 'height', r.height) order by r.name)
				from renditions r where r.attachment_id = a.id))
		order by a.position, a.id)
	from attachments a where a.state = 'ready' and `

// How many likes and comments a fold shows; see [LikesFold] and [CommentsFold].
const (
	likesWhole    = 5
	likesFolded   = 3
	commentsWhole = 4
)

// FoldOptions name the viewers and the page for which a fold is made.
type FoldOptions struct {
	Without     []UserID // people left out, with their comments, likes and counts
	AllComments bool     // every comment, for the page of a single post

	textless bool // without the text of the post
}

// readFolds reads the folds of posts in one round trip. It returns none for a deleted or missing
// post.
func readFolds(ctx context.Context, q primary.Querier, ids []PostID, opts FoldOptions) (map[PostID]*Fold, error) {
	const posts = `
		select id, version, user_id, case when $3 then '' else text end, published_at, updated_at, fresh_at, comments_disabled, nsfw, linebreaks,
			platform, lang, comments_version,
			favs_count - case when cardinality($2::bigint[]) = 0 then 0 else
				(select count(*)::int from favs f where f.post_id = posts.id and f.user_id = any($2)) end,
			likes_count - case when cardinality($2::bigint[]) = 0 then 0 else
				(select count(*)::int from likes l where l.post_id = posts.id and l.user_id = any($2)) end,
			comments_count - case when cardinality($2::bigint[]) = 0 then 0 else
				(select count(*)::int from comments c where c.post_id = posts.id and c.user_id = any($2)) end,
			(` + attachmentsJSON + `a.post_id = posts.id), (` + unreadyJSON + `a.post_id = posts.id),
			(` + previewJSON + `), exists (select from held_posts h where h.post_id = posts.id)
		from posts where id = any($1) and deleted_at is null`
	const likes = `
		select p.id, l.user_id
		from unnest($1::bigint[]) p(id) cross join lateral (
			select user_id, created_at from likes
			where post_id = p.id and user_id <> all($2::bigint[])
			order by created_at desc, user_id desc limit 5) l
		order by p.id, l.created_at, l.user_id`
	// The first few comments and the last one, which may be among the first few.
	const comments = `
		select c.id, c.post_id, c.user_id, c.text, c.platform, c.created_at, c.updated_at,
			case when c.likes_count > 0 then (
				select array_agg(k.user_id order by k.user_id) from comment_likes k
				where k.comment_id = c.id and k.user_id <> all($2::bigint[])) end,
			(` + attachmentsJSON + `a.comment_id = c.id), (` + unreadyJSON + `a.comment_id = c.id)
		from unnest($1::bigint[]) p(id) cross join lateral (
			(select id from comments where post_id = p.id and user_id <> all($2::bigint[]) order by created_at, id limit 4)
			union
			(select id from comments where post_id = p.id and user_id <> all($2::bigint[]) order by created_at desc, id desc limit 1)
		) shown
		join comments c on c.id = shown.id
		order by c.post_id, c.created_at, c.id`
	const allComments = `
		select c.id, c.post_id, c.user_id, c.text, c.platform, c.created_at, c.updated_at,
			case when c.likes_count > 0 then (
				select array_agg(k.user_id order by k.user_id) from comment_likes k
				where k.comment_id = c.id and k.user_id <> all($2::bigint[])) end,
			(` + attachmentsJSON + `a.comment_id = c.id), (` + unreadyJSON + `a.comment_id = c.id)
		from comments c
		where c.post_id = any($1) and c.user_id <> all($2::bigint[])
		order by c.post_id, c.created_at, c.id`
	// The likes of all comments; the likes of the shown ones are subtracted below.
	const commentLikes = `
		select k.post_id, count(*)::int
		from comment_likes k join comments c on c.id = k.comment_id
		where k.post_id = any($1) and k.user_id <> all($2::bigint[]) and c.user_id <> all($2::bigint[])
		group by 1`

	folds := make(map[PostID]*Fold, len(ids))
	if len(ids) == 0 {
		return folds, nil
	}
	without := opts.Without
	if without == nil {
		without = []UserID{} // x <> all(null) is never true
	}
	var batch pgx.Batch
	likeCount := make(map[PostID]int, len(ids))
	batch.Queue(posts, ids, without, opts.textless).Query(func(rows pgx.Rows) error {
		var f Fold
		var n int
		t := &f.Text
		_, err := pgx.ForEachRow(rows, []any{&f.Post, &f.Version, &f.Author, &t.Text, &t.PublishedAt, &t.UpdatedAt, &t.FreshAt,
			&t.CommentsDisabled, &t.NSFW, &t.Linebreaks, &t.Platform, &t.Lang, &t.CommentsVersion, &f.Likes.Favs, &n, &f.Comments.Count, &f.Attachments, &t.Unready, &t.Preview, &t.Held}, func() error {
			one := f
			f.Attachments, t.Unready, t.Preview = nil, nil, nil
			one.Text.PublishedAt, one.Text.UpdatedAt = t.PublishedAt.UTC(), t.UpdatedAt.UTC()
			folds[f.Post] = &one
			likeCount[f.Post] = n
			return nil
		})
		return err
	})
	batch.Queue(likes, ids, without).Query(func(rows pgx.Rows) error {
		var post PostID
		var user UserID
		_, err := pgx.ForEachRow(rows, []any{&post, &user}, func() error {
			if f := folds[post]; f != nil {
				f.Likes.Users = append(f.Likes.Users, user)
			}
			return nil
		})
		return err
	})
	query := comments
	if opts.AllComments {
		query = allComments
	}
	batch.Queue(query, ids, without).Query(func(rows pgx.Rows) error {
		var c Comment
		var edited *time.Time
		_, err := pgx.ForEachRow(rows, []any{&c.ID, &c.Post, &c.User, &c.Text, &c.Platform, &c.CreatedAt, &edited, &c.Likers, &c.Attachments, &c.Unready}, func() error {
			files, unready := c.Attachments, c.Unready
			c.Attachments, c.Unready = nil, nil
			if f := folds[c.Post]; f != nil {
				one := c
				one.Attachments, one.Unready = files, unready
				one.Likes, c.Likers = len(c.Likers), nil
				one.CreatedAt = c.CreatedAt.UTC()
				if edited != nil {
					at := edited.UTC()
					one.UpdatedAt = &at
				}
				f.Comments.Comments = append(f.Comments.Comments, one)
			}
			return nil
		})
		return err
	})
	commentLikeCount := make(map[PostID]int)
	batch.Queue(commentLikes, ids, without).Query(primary.CollectMap(commentLikeCount))
	if err := q.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, err
	}
	for id, f := range folds {
		f.Likes.fold(likeCount[id])
		f.Comments.fold(opts.AllComments, commentLikeCount[id])
	}
	return folds, nil
}

// fold cuts the newest likes, ordered oldest first, down to the likes that a post with count
// likes shows.
func (l *LikesFold) fold(count int) {
	if count > likesWhole && len(l.Users) > likesFolded {
		l.Users = slices.Clone(l.Users[len(l.Users)-likesFolded:])
	}
	l.More = max(0, count-len(l.Users))
}

// fold cuts the comments, ordered oldest first, down to the comments that the post shows. With
// all, it keeps every comment. likes is the number of likes of all comments of the post.
func (c *CommentsFold) fold(all bool, likes int) {
	c.All = all
	n := len(c.Comments)
	if all || c.Count <= commentsWhole || n <= 2 {
		return
	}
	c.Comments = []Comment{c.Comments[0], c.Comments[n-1]}
	c.Gap = 1
	c.GapLikes = max(0, likes-c.Comments[0].Likes-c.Comments[1].Likes)
}
