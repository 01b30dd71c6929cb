package timeline

import (
	"context"
	"slices"
	"time"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Notices are written by the transaction that does what they tell of, and go with
// its undoing. Nobody is told of what he did himself, nor of a kind that he wants
// none of; whether he may see what it is about is asked when it is shown. What
// one person did is told to another once, as the most specific kind.

// tellOfPost tells those named in a post, and those it was sent to directly,
// unless they were told of it.
func (tx *txn) tellOfPost(ctx context.Context, at time.Time, post PostID, by UserID) error {
	return tx.tellOfText(ctx, at, post, nil, by, nil, NoticeMention, NoticeDirect)
}

// tellOfComment tells those named in a new comment, the other parties of a direct
// message, or the author of the post.
func (tx *txn) tellOfComment(ctx context.Context, at time.Time, post PostID, comment CommentID, by UserID) error {
	return tx.tellOfText(ctx, at, post, &comment, by, nil, NoticeMention, NoticeDirect, NoticeComment)
}

// tellOfMentions tells those whom an edit added to those named in a post (comment
// is nil) or a comment, unless they were told of it. Those whom it does not name
// any more were told of less, or of nothing: their notice stays, for the case that
// another edit names them again, and is not shown until then.
func (tx *txn) tellOfMentions(ctx context.Context, at time.Time, post PostID, comment *CommentID, by UserID, added, unnamed []UserID) error {
	const less = `
		update notices n set kind = w.kind
		from (
			select distinct on (w.user_id) w.user_id, w.kind from ` + dues + `
			join users u on u.id = w.user_id and w.kind <> all (u.notices_off)
			where w.user_id = any($3)
			order by w.user_id, w.nth) w
		where n.user_id = w.user_id and n.kind = 'mention' and n.post_id = $1 and n.comment_id is not distinct from $2`
	const told = `
		select user_id from notices
		where kind = 'mention' and post_id = $1 and comment_id is not distinct from $2 and user_id = any($3)`
	if len(added)+len(unnamed) == 0 {
		return nil
	}
	if len(unnamed) > 0 {
		// Before it is less, so that whose it is is noted.
		if err := tx.noteNotices(ctx, told, post, comment, unnamed); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, less, post, comment, unnamed); err != nil {
			return err
		}
	}
	if len(added) == 0 {
		return nil
	}
	if err := tx.noteNotices(ctx, told, post, comment, added); err != nil {
		return err
	}
	return tx.tellOfText(ctx, at, post, comment, by, added, NoticeMention)
}

// dues are those whom what a post or a comment says is for: the most specific
// kind is the first.
const dues = `(
			select user_id, 'mention', 1 from mentions where post_id = $1 and comment_id is not distinct from $2
			union all
			select t.their_id, 'direct', 2
			from posts p join timelines t on t.id = any(p.places) and t.what = 'user_directs' where p.id = $1
			union all
			select user_id, 'comment', 3 from posts where id = $1 and $2::bigint is not null
		) w(user_id, kind, nth)`

// tellOfText tells these people (nil: all whom it is for) of what a post or a
// comment says, as one of those kinds.
func (tx *txn) tellOfText(ctx context.Context, at time.Time, post PostID, comment *CommentID, by UserID, people []UserID, kinds ...NoticeKind) error {
	const query = `
		insert into notices (user_id, kind, by_id, post_id, comment_id, created_at)
		select distinct on (w.user_id) w.user_id, w.kind, $3::bigint, $1::bigint, $2::bigint, $4::timestamptz
		from ` + dues + `
		join users u on u.id = w.user_id and u.status <> 'deleted' and w.kind <> all (u.notices_off)
		where w.user_id <> $3 and w.kind = any($5) and ($6::bigint[] is null or w.user_id = any($6)) and not exists (
			select from notices n
			where n.user_id = w.user_id and n.by_id = $3 and n.post_id = $1 and n.comment_id is not distinct from $2
				and n.kind in ('mention', 'direct', 'comment'))
		order by w.user_id, w.nth
		on conflict do nothing
		returning user_id`
	return tx.noteNotices(ctx, query, post, comment, by, at, kinds, people)
}

// tellOfLike tells whose post (comment is nil) or comment it is that somebody
// likes it.
func (tx *txn) tellOfLike(ctx context.Context, at time.Time, post PostID, comment *CommentID, by UserID) error {
	const query = `
		insert into notices (user_id, kind, by_id, post_id, comment_id, created_at)
		select u.id, w.kind, $3, $1, $2, $4
		from (
			select user_id, 'like' from posts where id = $1 and $2::bigint is null
			union all
			select user_id, 'comment_like' from comments where id = $2
		) w(user_id, kind)
		join users u on u.id = w.user_id and u.status <> 'deleted' and w.kind <> all (u.notices_off)
		where u.id <> $3
		on conflict do nothing
		returning user_id`
	return tx.noteNotices(ctx, query, post, comment, by, at)
}

// untellLike takes back what tellOfLike told.
func (tx *txn) untellLike(ctx context.Context, post PostID, comment *CommentID, by UserID) error {
	const query = `
		delete from notices
		where by_id = $3 and post_id = $1 and comment_id is not distinct from $2 and kind in ('like', 'comment_like')
		returning user_id`
	return tx.noteNotices(ctx, query, post, comment, by)
}

// untell takes back what was told of posts, before they are deleted.
func (tx *txn) untell(ctx context.Context, posts ...PostID) error {
	const query = `delete from notices where post_id = any($1) returning user_id`
	return tx.noteNotices(ctx, query, posts)
}

// untellComment takes back what was told of a comment, before it is deleted.
func (tx *txn) untellComment(ctx context.Context, comment CommentID) error {
	const query = `delete from notices where comment_id = $1 returning user_id`
	return tx.noteNotices(ctx, query, comment)
}

// tellOfRequest tells those who answer for a feed that somebody asks for it.
func (tx *txn) tellOfRequest(ctx context.Context, at time.Time, feed TimelineID, by UserID) error {
	const query = `
		insert into notices (user_id, kind, by_id, timeline_id, created_at)
		select u.id, 'request', $2, $1, $3
		from (
			select their_id from timelines where id = $1 and what <> 'group'
			union
			select a.user_id from timelines t join group_admins a on t.what = 'group' and a.group_id = t.their_id where t.id = $1
		) w(user_id)
		join users u on u.id = w.user_id and u.status <> 'deleted' and 'request' <> all (u.notices_off)
		where u.id <> $2
		order by u.id
		on conflict do nothing
		returning user_id`
	return tx.noteNotices(ctx, query, feed, by, at)
}

// untellRequest takes back what tellOfRequest told.
func (tx *txn) untellRequest(ctx context.Context, feed TimelineID, by UserID) error {
	const query = `delete from notices where kind = 'request' and by_id = $2 and timeline_id = $1 returning user_id`
	return tx.noteNotices(ctx, query, feed, by)
}

// tellOfInvitation tells somebody that he is invited into a feed.
func (tx *txn) tellOfInvitation(ctx context.Context, at time.Time, feed TimelineID, to, by UserID) error {
	const query = `
		insert into notices (user_id, kind, by_id, timeline_id, created_at)
		select id, 'invitation', $3, $1, $4
		from users where id = $2 and status <> 'deleted' and 'invitation' <> all (notices_off)
		on conflict do nothing
		returning user_id`
	return tx.noteNotices(ctx, query, feed, to, by, at)
}

// untellInvitation takes back what tellOfInvitation told.
func (tx *txn) untellInvitation(ctx context.Context, feed TimelineID, to UserID) error {
	const query = `delete from notices where kind = 'invitation' and user_id = $2 and timeline_id = $1 returning user_id`
	return tx.noteNotices(ctx, query, feed, to)
}

// tellOfSubscriber tells a person that somebody subscribed to a feed of his own.
func (tx *txn) tellOfSubscriber(ctx context.Context, at time.Time, feed TimelineID, by UserID) error {
	const query = `
		insert into notices (user_id, kind, by_id, timeline_id, created_at)
		select u.id, 'subscriber', $2, t.id, $3
		from timelines t
		join users u on u.id = t.their_id and u.status <> 'deleted' and 'subscriber' <> all (u.notices_off)
		where t.id = $1 and t.what in ('user', 'user_private') and u.id <> $2
		on conflict do nothing
		returning user_id`
	return tx.noteNotices(ctx, query, feed, by, at)
}

// untellSubscriber takes back what tellOfSubscriber told.
func (tx *txn) untellSubscriber(ctx context.Context, feed TimelineID, by UserID) error {
	const query = `delete from notices where kind = 'subscriber' and by_id = $2 and timeline_id = $1 returning user_id`
	return tx.noteNotices(ctx, query, feed, by)
}

// untellBetween takes back what two people were told of what ends between them
// with a ban.
func (tx *txn) untellBetween(ctx context.Context, one, other UserID) error {
	const query = `
		delete from notices n using timelines t
		where (n.user_id, n.by_id) in (($1::bigint, $2::bigint), ($2::bigint, $1::bigint)) and t.id = n.timeline_id
			and (n.kind = 'invitation' or n.kind in ('request', 'subscriber') and t.what <> 'group')
		returning n.user_id`
	return tx.noteNotices(ctx, query, one, other)
}

// noteNotices runs a statement that answers, a row a notice, whose notices it
// changed, and notes that.
func (tx *txn) noteNotices(ctx context.Context, query string, args ...any) error {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	var people []UserID
	if err := primary.Collect(&people)(rows); err != nil {
		return err
	}
	tx.noteNotified(people)
	return nil
}

// noteNotified notes that the notices of people changed.
func (tx *txn) noteNotified(people []UserID) {
	slices.Sort(people)
	for _, user := range slices.Compact(people) {
		noted := func(c primary.Change) bool {
			change, is := c.(Change)
			return is && change.Kind == ChangeNotice && change.User == user
		}
		if !slices.ContainsFunc(tx.Noted(), noted) {
			tx.Note(Change{Kind: ChangeNotice, User: user})
		}
	}
}
