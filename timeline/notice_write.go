package timeline

import (
	"context"
	"slices"
	"time"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Each action writes its notices in its own transaction, and the opposite action deletes them in
// its transaction. A person gets no notices of their own actions, and none of a kind that the
// person turned off. One action causes at most one notice for each person, of the most specific
// kind. Notices to administrators, and of what administrators decided, can't be turned off. Only the notice of an [Intake] that
// fails is not caused by an action: the worker that looks at the feed writes and deletes it. The visibility rule is applied when a notice is shown; see
// [Sets.mayBeNotified].

// notifyOfPost notifies the people whom a post mentions, and the recipients of a direct message,
// except those who have a notice of the post already.
func (tx *txn) notifyOfPost(ctx context.Context, at time.Time, post PostID, by UserID) error {
	return tx.notifyOfText(ctx, at, post, nil, by, nil, NoticeMention, NoticeDirect)
}

// notifyOfComment notifies the people whom a new comment mentions, the other parties of a direct
// message, and the author of the post.
func (tx *txn) notifyOfComment(ctx context.Context, at time.Time, post PostID, comment CommentID, by UserID) error {
	return tx.notifyOfText(ctx, at, post, &comment, by, nil, NoticeMention, NoticeDirect, NoticeComment)
}

// notifyOfMentions updates the notices of a post (comment is nil) or a comment after an edit of its
// text. It notifies added, the people whom the new text mentions for the first time, unless they
// have a notice already. unnamed are the people whom the text does not mention any more. If there
// is another reason to notify them, for example because they wrote the post, their notice becomes
// one of that kind. Otherwise the notice stays but is not shown; it is shown again if a later edit
// mentions the person.
func (tx *txn) notifyOfMentions(ctx context.Context, at time.Time, post PostID, comment *CommentID, by UserID, added, unnamed []UserID) error {
	const less = `
		update notices n set kind = w.kind
		from (
			select distinct on (w.user_id) w.user_id, w.kind from ` + noticeReasons + `
			join users u on u.id = w.user_id and w.kind <> all (u.notices_off)
			where w.user_id = any($3)
			order by w.user_id, w.nth) w
		where n.user_id = w.user_id and n.kind = 'mention' and n.post_id = $1 and n.comment_id is not distinct from $2`
	const noticed = `
		select user_id from notices
		where kind = 'mention' and post_id = $1 and comment_id is not distinct from $2 and user_id = any($3)`
	if len(added)+len(unnamed) == 0 {
		return nil
	}
	if len(unnamed) > 0 {
		// Note the people before their notices change: afterwards the query does not find the
		// notices that have another kind.
		if err := tx.noteNotices(ctx, noticed, post, comment, unnamed); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, less, post, comment, unnamed); err != nil {
			return err
		}
	}
	if len(added) == 0 {
		return nil
	}
	if err := tx.noteNotices(ctx, noticed, post, comment, added); err != nil {
		return err
	}
	return tx.notifyOfText(ctx, at, post, comment, by, added, NoticeMention)
}

// noticeReasons is the query of the people whom a post ($2 is null) or a comment concerns, with the
// kind of the notice for each. The kind with the lowest nth is the most specific.
//
// Example: a comment on Anna's post mentions Anna. She has two reasons, mention (1) and
// comment (3), and gets one notice of a mention.
const noticeReasons = `(
			select user_id, 'mention', 1 from mentions where post_id = $1 and comment_id is not distinct from $2
			union all
			select t.their_id, 'direct', 2
			from posts p join timelines t on t.id = any(p.places) and t.what = 'user_directs' where p.id = $1
			union all
			select user_id, 'comment', 3 from posts where id = $1 and $2::bigint is not null
		) w(user_id, kind, nth)`

// notifyOfText notifies people of a post or a comment, with a notice of one of the given kinds.
// If people is nil, it notifies all people whom noticeReasons finds. It queues the pushes of the notices.
func (tx *txn) notifyOfText(ctx context.Context, at time.Time, post PostID, comment *CommentID, by UserID, people []UserID, kinds ...NoticeKind) error {
	const query = `
		with noticed as (
			insert into notices (user_id, kind, by_id, post_id, comment_id, created_at)
			select distinct on (w.user_id) w.user_id, w.kind, $3::bigint, $1::bigint, $2::bigint, $4::timestamptz
			from ` + noticeReasons + `
			join users u on u.id = w.user_id and u.status <> 'deleted' and w.kind <> all (u.notices_off)
			where w.user_id <> $3 and w.kind = any($5) and ($6::bigint[] is null or w.user_id = any($6)) and not exists (
				select from notices n
				where n.user_id = w.user_id and n.by_id = $3 and n.post_id = $1 and n.comment_id is not distinct from $2
					and n.kind in ('mention', 'direct', 'comment'))
			order by w.user_id, w.nth
			on conflict do nothing
			returning id, user_id
		), pushed as (
			insert into pushes (notice_id, receiver_id, created_at, due_at)
			select n.id, r.id, $4, $7 from noticed n join push_receivers r on r.user_id = n.user_id
		)
		select user_id from noticed`
	return tx.noteNotices(ctx, query, post, comment, by, at, kinds, people, at.Add(pushAfter))
}

// pushOfReleased queues the pushes of the notices of a post that waited for an administrator. While the post waited, its readers could not
// see it, and its first pushes were dropped.
func (tx *txn) pushOfReleased(ctx context.Context, at time.Time, post PostID) error {
	const query = `
		insert into pushes (notice_id, receiver_id, created_at, due_at)
		select n.id, r.id, $2, $3 from notices n join push_receivers r on r.user_id = n.user_id
		where n.post_id = $1 and n.comment_id is null and n.read_at is null and n.kind = any($4)
		on conflict do nothing`
	_, err := tx.Exec(ctx, query, post, at, at.Add(pushAfter), pushedKinds)
	return err
}

// notifyOfLike notifies the author of a post (comment is nil) or a comment of a like.
func (tx *txn) notifyOfLike(ctx context.Context, at time.Time, post PostID, comment *CommentID, by UserID) error {
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

// retractLike deletes the notice of a like.
func (tx *txn) retractLike(ctx context.Context, post PostID, comment *CommentID, by UserID) error {
	const query = `
		delete from notices
		where by_id = $3 and post_id = $1 and comment_id is not distinct from $2 and kind in ('like', 'comment_like')
		returning user_id`
	return tx.noteNotices(ctx, query, post, comment, by)
}

// retractPosts deletes the notices of posts that are about to be deleted.
func (tx *txn) retractPosts(ctx context.Context, posts ...PostID) error {
	const query = `delete from notices where post_id = any($1) returning user_id`
	return tx.noteNotices(ctx, query, posts)
}

// retractComment deletes the notices of a comment that is about to be deleted.
func (tx *txn) retractComment(ctx context.Context, comment CommentID) error {
	const query = `delete from notices where comment_id = $1 returning user_id`
	return tx.noteNotices(ctx, query, comment)
}

// notifyOfRequest notifies the owner of a feed, or the administrators of a group, of a
// request.
func (tx *txn) notifyOfRequest(ctx context.Context, at time.Time, feed TimelineID, by UserID) error {
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

// retractRequest deletes the notices of a request.
func (tx *txn) retractRequest(ctx context.Context, feed TimelineID, by UserID) error {
	const query = `delete from notices where kind = 'request' and by_id = $2 and timeline_id = $1 returning user_id`
	return tx.noteNotices(ctx, query, feed, by)
}

// notifyOfInvitation notifies a person of an invitation to subscribe to a feed.
func (tx *txn) notifyOfInvitation(ctx context.Context, at time.Time, feed TimelineID, to, by UserID) error {
	return tx.notifyOfFeed(ctx, at, NoticeInvitation, feed, to, by)
}

// notifyOfFeed notifies a person of a feed, with a notice of a kind that names the person who acted.
func (tx *txn) notifyOfFeed(ctx context.Context, at time.Time, kind NoticeKind, feed TimelineID, to, by UserID) error {
	const query = `
		insert into notices (user_id, kind, by_id, timeline_id, created_at)
		select id, $5, $3, $1, $4
		from users where id = $2 and status <> 'deleted' and $5 <> all (notices_off)
		on conflict do nothing
		returning user_id`
	return tx.noteNotices(ctx, query, feed, to, by, at, kind)
}

// retractInvitation deletes the notices of an invitation.
func (tx *txn) retractInvitation(ctx context.Context, feed TimelineID, to UserID) error {
	const query = `delete from notices where kind = 'invitation' and user_id = $2 and timeline_id = $1 returning user_id`
	return tx.noteNotices(ctx, query, feed, to)
}

// notifyOfSubscriber notifies a person of a new subscriber of one of their own feeds.
func (tx *txn) notifyOfSubscriber(ctx context.Context, at time.Time, feed TimelineID, by UserID) error {
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

// retractSubscriber deletes the notice of a subscriber, and the subscriber's notice that a request was accepted.
func (tx *txn) retractSubscriber(ctx context.Context, feed TimelineID, by UserID) error {
	const query = `
		delete from notices
		where timeline_id = $1 and (kind = 'subscriber' and by_id = $2 or kind = 'accepted' and user_id = $2)
		returning user_id`
	return tx.noteNotices(ctx, query, feed, by)
}

// notifyOfIntake notifies the owner of an intake that the intake has been failing for long.
func (tx *txn) notifyOfIntake(ctx context.Context, at time.Time, intake int64) error {
	const query = `
		insert into notices (user_id, kind, intake_id, timeline_id, created_at)
		select n.user_id, 'intake', n.id, n.timeline_id, $2
		from intakes n
		join users u on u.id = n.user_id and u.status <> 'deleted' and 'intake' <> all (u.notices_off)
		where n.id = $1
		on conflict do nothing
		returning user_id`
	return tx.noteNotices(ctx, query, intake, at)
}

// retractIntake deletes the notice of an intake that is all right again, or about to be removed.
func (tx *txn) retractIntake(ctx context.Context, intake int64) error {
	const query = `delete from notices where intake_id = $1 returning user_id`
	return tx.noteNotices(ctx, query, intake)
}

// notifyOfAcceptance notifies the sender of a request that the request was accepted.
func (tx *txn) notifyOfAcceptance(ctx context.Context, at time.Time, feed TimelineID, to, by UserID) error {
	return tx.notifyOfFeed(ctx, at, NoticeAccepted, feed, to, by)
}

// notifyOfLeaving notifies the author of a direct message that a recipient left it.
func (tx *txn) notifyOfLeaving(ctx context.Context, at time.Time, post PostID, by UserID) error {
	const query = `
		insert into notices (user_id, kind, by_id, post_id, created_at)
		select u.id, 'left', $2, p.id, $3
		from posts p join users u on u.id = p.user_id and u.status <> 'deleted' and 'left' <> all (u.notices_off)
		where p.id = $1
		on conflict do nothing
		returning user_id`
	return tx.noteNotices(ctx, query, post, by, at)
}

// notifyOfReport notifies the administrators to whom a report was sent, except its sender and the reported person.
func (tx *txn) notifyOfReport(ctx context.Context, at time.Time, report int64) error {
	const query = `
		insert into notices (user_id, kind, report_id, created_at)
		select u.id, 'report', r.id, $2
		from reports r
		join users u on case when r.group_id is null then u.admin
			else exists (select from group_admins a where a.group_id = r.group_id and a.user_id = u.id) end
		where r.id = $1 and u.id not in (r.user_id, r.by_id) and u.status <> 'deleted'
		order by u.id
		on conflict do nothing
		returning user_id`
	return tx.noteNotices(ctx, query, report, at)
}

// notifyOfDecision replaces the notices of open reports by one to each sender, which says what was decided.
func (tx *txn) notifyOfDecision(ctx context.Context, at time.Time, reports []int64) error {
	const retract = `delete from notices where report_id = any($1) and kind = 'report' returning user_id`
	const answer = `
		insert into notices (user_id, kind, report_id, created_at)
		select u.id, 'answer', r.id, $2
		from reports r join users u on u.id = r.by_id and u.status <> 'deleted'
		where r.id = any($1)
		order by u.id
		on conflict do nothing
		returning user_id`
	if err := tx.noteNotices(ctx, retract, reports); err != nil {
		return err
	}
	return tx.noteNotices(ctx, answer, reports, at)
}

// notifyOfModeration notifies a person of an entry of the journal about their account, post or comment.
func (tx *txn) notifyOfModeration(ctx context.Context, at time.Time, entry int64) error {
	const query = `
		insert into notices (user_id, kind, journal_id, created_at)
		select u.id, 'moderation', j.id, $2
		from journal j join users u on u.id = j.user_id and u.status <> 'deleted'
		where j.id = $1
		on conflict do nothing
		returning user_id`
	return tx.noteNotices(ctx, query, entry, at)
}

// notifyOfHeritage notifies a member who administers a group from now on, because its last administrator goes.
func (tx *txn) notifyOfHeritage(ctx context.Context, at time.Time, group GroupID, heir UserID) error {
	const query = `
		insert into notices (user_id, kind, timeline_id, created_at)
		select $1, 'heir', id, $3 from timelines where what = 'group' and their_id = $2
		on conflict do nothing
		returning user_id`
	return tx.noteNotices(ctx, query, heir, group, at)
}

// retractBetween deletes the notices that two people have of each other's invitations, and of
// requests and subscriptions to their own feeds. A ban between them ends all of these.
func (tx *txn) retractBetween(ctx context.Context, one, other UserID) error {
	const query = `
		delete from notices n using timelines t
		where (n.user_id, n.by_id) in (($1::bigint, $2::bigint), ($2::bigint, $1::bigint)) and t.id = n.timeline_id
			and (n.kind = 'invitation' or n.kind in ('request', 'subscriber') and t.what <> 'group')
		returning n.user_id`
	return tx.noteNotices(ctx, query, one, other)
}

// noteNotices runs a statement that changes notices and returns the recipient of each, and notes a
// change of the notices of these people.
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

// noteNotified notes that the notices of people changed, each person once in a
// transaction.
func (tx *txn) noteNotified(people []UserID) {
	slices.Sort(people)
	for _, user := range slices.Compact(people) {
		noted := func(c primary.Change) bool {
			change, ok := c.(Change)
			return ok && change.Kind == ChangeNotice && change.User == user
		}
		if !slices.ContainsFunc(tx.Noted(), noted) {
			tx.Note(Change{Kind: ChangeNotice, User: user})
		}
	}
}
