package timeline

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// NoticeKind says what a notice tells.
type NoticeKind string

// The kinds of notice.
const (
	NoticeMention     NoticeKind = "mention"      // somebody named him, in a post or a comment
	NoticeDirect      NoticeKind = "direct"       // a direct message to him, or a comment on one
	NoticeComment     NoticeKind = "comment"      // on his post
	NoticeLike        NoticeKind = "like"         // of his post
	NoticeCommentLike NoticeKind = "comment_like" // of his comment; whose it is is told to nobody
	NoticeRequest     NoticeKind = "request"      // to subscribe to a feed that he keeps
	NoticeInvitation  NoticeKind = "invitation"   // into somebody's feed
	NoticeSubscriber  NoticeKind = "subscriber"   // of a feed of his own
)

// NoticeKinds are all of them, in the order in which settings show them.
func NoticeKinds() []NoticeKind {
	return []NoticeKind{
		NoticeMention, NoticeDirect, NoticeComment, NoticeLike, NoticeCommentLike, NoticeRequest, NoticeInvitation, NoticeSubscriber,
	}
}

// A Notice tells a person of something that somebody did.
type Notice struct {
	ID      int64
	Kind    NoticeKind
	By      UserID    // who did it; 0 where that is not told
	Post    PostID    // 0: it is about a feed
	Comment CommentID // 0: it is about the post itself
	Feed    Timeline  // what a request, an invitation or a subscription is for
	At      time.Time
	Read    bool

	// Of its post: whose it is, and how it and the comment begin.
	Author                UserID
	PostText, CommentText string
}

// A NoticePage is a part of somebody's notices, newest first.
type NoticePage struct {
	Notices []Notice
	Older   int64 // there are more, below the notice of this id; 0: there are not
	Unread  int   // of all his notices, as [Unread.Count]
	Sets    *Sets // the viewer's, without what decides nothing
	Users   map[UserID]*UserCard
	Groups  map[GroupID]*GroupCard
}

const (
	// MostUnread is up to where notices are counted.
	MostUnread = 100
	// noticeChunk is how many notices are read and decided at a time, of each
	// person, and mostNotices how many of one: a person whom somebody told of
	// thousands of things that he may not see finds the rest on the next page.
	noticeChunk = 100
	mostNotices = 10_000
	// excerpt is how much of a text a notice has.
	excerpt = 200
	// aboveAll is above every notice.
	aboveAll = 1<<63 - 1
)

// NoticesOf reads the viewer's notices below the one of an id (0: from the newest),
// but for those that he may not be told of: see [Sets.mayBeTold]. It is as many as
// asked for while there are more; [NoticePage.Older] leads on where that would
// take too long.
func (s *Store) NoticesOf(ctx context.Context, viewer UserID, before int64, count int) (_ *NoticePage, err error) {
	defer primary.Wrap(&err, "notices of user %d", viewer)
	p, count := &NoticePage{}, max(count, 1)
	err = s.db.View(ctx, func(q primary.Querier) (err error) {
		if p.Sets, err = ReadSets(ctx, q, viewer); err != nil {
			return err
		}
		if before <= 0 {
			before = aboveAll
		}
		from := map[UserID]int64{viewer: before}
		sets := map[UserID]*Sets{viewer: p.Sets}
		for seen := 0; len(from) > 0 && p.Older == 0; seen += noticeChunk {
			if seen >= mostNotices {
				p.Older = from[viewer]
				break
			}
			var all []notice
			if all, from, err = readNotices(ctx, q, allNotices, from, sets); err != nil {
				return err
			}
			p.add(all, count)
		}
		unread, err := countUnread(ctx, q, sets)
		if err != nil {
			return err
		}
		p.Unread = unread[viewer].Count
		return p.fill(ctx, q)
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// add takes over notices that may be told, as many as wanted.
func (p *NoticePage) add(all []notice, count int) {
	for _, n := range all {
		switch {
		case !n.told:
		case len(p.Notices) == count:
			p.Older = p.Notices[count-1].ID
			return
		default:
			p.Notices = append(p.Notices, n.Notice)
		}
	}
}

// fill reads the texts and the cards that the notices show. Whoever likes a
// comment is left out of all of it.
func (p *NoticePage) fill(ctx context.Context, q primary.Querier) error {
	const posts = `select id, left(text, $2) from posts where id = any($1)`
	const comments = `select id, left(text, $2) from comments where id = any($1)`
	var (
		postIDs    []PostID
		commentIDs []CommentID
		users      []UserID
		groups     []GroupID
	)
	for i := range p.Notices {
		n := &p.Notices[i]
		if n.Kind == NoticeCommentLike {
			n.By = 0
		} else {
			users = append(users, n.By)
		}
		if n.Post != 0 {
			postIDs, commentIDs = append(postIDs, n.Post), append(commentIDs, n.Comment)
			users = append(users, n.Author)
		}
		switch {
		case n.Feed.What == WhatGroup:
			groups = append(groups, GroupID(n.Feed.TheirID))
		case n.Feed.ID != 0:
			users = append(users, UserID(n.Feed.TheirID))
		}
	}
	postTexts, commentTexts := make(map[PostID]string), make(map[CommentID]string)
	var batch pgx.Batch
	batch.Queue(posts, postIDs, excerpt).Query(texts(postTexts))
	batch.Queue(comments, commentIDs, excerpt).Query(texts(commentTexts))
	if err := q.SendBatch(ctx, &batch).Close(); err != nil {
		return err
	}
	for i := range p.Notices {
		n := &p.Notices[i]
		n.PostText, n.CommentText = postTexts[n.Post], commentTexts[n.Comment]
	}
	slices.Sort(users)
	slices.Sort(groups)
	var err error
	p.Users, p.Groups, err = readCards(ctx, q, slices.Compact(users), slices.Compact(groups))
	return err
}

// texts reads rows of an id and a text.
func texts[ID ~int64](to map[ID]string) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var id ID
		var text string
		_, err := pgx.ForEachRow(rows, []any{&id, &text}, func() error {
			to[id] = text
			return nil
		})
		return err
	}
}
