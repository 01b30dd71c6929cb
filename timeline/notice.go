package timeline

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// NoticeKind is the kind of action or event that a notice is about.
type NoticeKind string

// The kinds of notice.
const (
	NoticeMention     NoticeKind = "mention"      // a post or a comment mentions the person
	NoticeDirect      NoticeKind = "direct"       // a direct message to the person, or a comment on one
	NoticeComment     NoticeKind = "comment"      // on the person's post
	NoticeLike        NoticeKind = "like"         // of the person's post
	NoticeCommentLike NoticeKind = "comment_like" // of the person's comment; the notice never names the liker
	NoticeRequest     NoticeKind = "request"      // to subscribe to a feed that the person owns or administers
	NoticeInvitation  NoticeKind = "invitation"   // to subscribe to a feed
	NoticeSubscriber  NoticeKind = "subscriber"   // of one of the person's own feeds
	NoticeAccepted    NoticeKind = "accepted"     // the person's request to subscribe to a feed
	NoticeLeft        NoticeKind = "left"         // the person's direct message: a recipient did
	NoticeIntake      NoticeKind = "intake"       // an [Intake] of the person has been failing for long

	// These can't be turned off.
	NoticeReport     NoticeKind = "report"     // an open [Report] about which the person decides
	NoticeAnswer     NoticeKind = "answer"     // to a [Report] of the person
	NoticeModeration NoticeKind = "moderation" // a [JournalEntry] about the person
	NoticeApplicant  NoticeKind = "applicant"  // an [Applicant] waits for the administrators of the site
	NoticeHeld       NoticeKind = "held"       // a [HeldPost] waits for the administrators of the site
	NoticeHeir       NoticeKind = "heir"       // the person administers a group since its last administrator went
)

// NoticeKinds returns the kinds that a person can turn off, in the order in which settings show them.
func NoticeKinds() []NoticeKind {
	return []NoticeKind{
		NoticeMention, NoticeDirect, NoticeLeft, NoticeComment, NoticeLike, NoticeCommentLike, NoticeRequest, NoticeAccepted, NoticeInvitation, NoticeSubscriber, NoticeIntake,
	}
}

// A Notice tells a person about something that another person did, about an [Intake] that fails, about a [Report] or what
// was decided, or about something that the person has to do as an administrator.
type Notice struct {
	ID      int64
	Kind    NoticeKind
	By      UserID    // the person who acted; 0 if the notice does not name them
	Post    PostID    // 0: the notice is about a feed
	Comment CommentID // 0: the notice is about the post itself
	Feed    Timeline  // the feed of a request, an invitation or a subscription, the place of an intake
	At      time.Time
	Read    bool

	// The post: its author, and the beginnings of its text and of the comment's text.
	Author                UserID
	PostText, CommentText string
	// The first file of a post, and of a comment, without text.
	PostFile, CommentFile FirstFile
	Intake                *NoticedIntake // nil: the notice is about something else
	Report                int64          // 0: the notice is about something else
	// Decided is what was decided about the person, or about a report of the person. It names no administrator, and no
	// reported person on the other side of a ban. nil: the notice is about something else.
	Decided *JournalEntry
}

// A NoticedIntake is the state of an [Intake] at the time when its notice is shown.
type NoticedIntake struct {
	ID                          int64
	Title, State, Fault, Detail string
}

// A FirstFile is the first file of a post or comment without a text. The zero FirstFile means
// that no file is ready.
type FirstFile struct {
	Kind     string // as [Attachment.Kind]
	FileName string
	Alt      string
}

// A NoticePage is a part of a person's notices, newest first.
type NoticePage struct {
	Notices []Notice
	Older   int64 // the next page begins below this id; 0: this is the last page
	Unread  int   // the number of unread notices, see [Unread.Count]
	Directs int   // the number of directs with unread notices, see [Unread.Directs]
	Sets    *Sets // the viewer's sets, as [ReadSets] returns them
	Users   map[UserID]*UserCard
	Groups  map[GroupID]*GroupCard
}

const (
	// MostUnread is the number up to which unread notices are counted.
	MostUnread = 100
	// noticeChunk is how many notices of each person are read and decided at a time, and
	// mostNotices how many notices of one person are read in one call. A person may have thousands
	// of notices about posts that they may not read now; then the page ends early, and the next
	// page has the rest.
	noticeChunk = 100
	mostNotices = 10_000
	// excerpt is the number of characters of a text that a notice has.
	excerpt = 200
	// aboveAll is greater than the id of every notice.
	aboveAll = 1<<63 - 1
)

// NoticesOf returns the viewer's notices with ids below before (0: from the newest), except notices
// that [Sets.mayBeNotified] refuses. The page has count notices if so many exist. It may have fewer
// if the search for them takes too long. In both cases [NoticePage.Older] says where the next page
// begins.
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
		p.Unread, p.Directs = unread[viewer].Count, unread[viewer].Directs
		return p.fill(ctx, q)
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// add appends the visible notices to the page, up to count of them.
func (p *NoticePage) add(all []notice, count int) {
	for _, n := range all {
		switch {
		case !n.visible:
		case len(p.Notices) == count:
			p.Older = p.Notices[count-1].ID
			return
		default:
			p.Notices = append(p.Notices, n.Notice)
		}
	}
}

// fill reads the texts and the cards for the notices. It removes the names of comment likers.
func (p *NoticePage) fill(ctx context.Context, q primary.Querier) error {
	const posts = `
		select p.id, left(p.text, $2), coalesce(f.kind, ''), coalesce(f.file_name, ''), coalesce(f.alt, '')
		from posts p left join lateral (
			select kind, file_name, alt from attachments
			where post_id = p.id and state = 'ready' and p.text = '' order by position, id limit 1) f on true
		where p.id = any($1)`
	const comments = `
		select c.id, left(c.text, $2), coalesce(f.kind, ''), coalesce(f.file_name, ''), coalesce(f.alt, '')
		from comments c left join lateral (
			select kind, file_name, alt from attachments
			where comment_id = c.id and state = 'ready' and c.text = '' order by position, id limit 1) f on true
		where c.id = any($1)`
	const ofIntake = `select id, title, state, fault, detail from intakes where id = any($1)`
	const entries = `select ` + journalColumns + ` from journal j where id = any($1)`
	var (
		postIDs    []PostID
		commentIDs []CommentID
		users      []UserID
		groups     []GroupID
		intakes    []int64
		decided    []int64
	)
	for i := range p.Notices {
		n := &p.Notices[i]
		switch n.Kind {
		case NoticeCommentLike:
			n.By = 0
		case NoticeIntake:
			intakes = append(intakes, n.Intake.ID)
		case NoticeAnswer, NoticeModeration:
			decided = append(decided, n.Decided.ID)
		case NoticeReport, NoticeApplicant, NoticeHeld, NoticeHeir:
		default:
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
	type beginning struct {
		text string
		file FirstFile
	}
	collect := func(to map[int64]beginning) func(pgx.Rows) error {
		return func(rows pgx.Rows) error {
			var id int64
			var b beginning
			_, err := pgx.ForEachRow(rows, []any{&id, &b.text, &b.file.Kind, &b.file.FileName, &b.file.Alt}, func() error {
				to[id] = b
				return nil
			})
			return err
		}
	}
	ofIntakes := make(map[int64]*NoticedIntake)
	collectIntakes := func(rows pgx.Rows) error {
		var n NoticedIntake
		_, err := pgx.ForEachRow(rows, []any{&n.ID, &n.Title, &n.State, &n.Fault, &n.Detail}, func() error {
			one := n
			ofIntakes[n.ID] = &one
			return nil
		})
		return err
	}
	ofEntries := make(map[int64]*JournalEntry)
	collectEntries := func(rows pgx.Rows) error {
		all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (JournalEntry, error) { return scanEntry(row) })
		for _, e := range all {
			e.By = 0
			ofEntries[e.ID] = &e
		}
		return err
	}
	ofPosts, ofComments := make(map[int64]beginning), make(map[int64]beginning)
	var batch pgx.Batch
	batch.Queue(posts, postIDs, excerpt).Query(collect(ofPosts))
	batch.Queue(comments, commentIDs, excerpt).Query(collect(ofComments))
	batch.Queue(ofIntake, intakes).Query(collectIntakes)
	batch.Queue(entries, decided).Query(collectEntries)
	if err := q.SendBatch(ctx, &batch).Close(); err != nil {
		return err
	}
	for i := range p.Notices {
		n := &p.Notices[i]
		post, comment := ofPosts[int64(n.Post)], ofComments[int64(n.Comment)]
		n.PostText, n.PostFile, n.CommentText, n.CommentFile = post.text, post.file, comment.text, comment.file
		if n.Intake != nil {
			n.Intake = ofIntakes[n.Intake.ID]
		}
		if n.Decided == nil {
			continue
		}
		n.Decided = ofEntries[n.Decided.ID]
		if _, banned := p.Sets.Bans[n.Decided.User]; banned {
			n.Decided.User = 0
		}
		users = append(users, n.Decided.User)
		if n.Decided.Group != 0 {
			groups = append(groups, n.Decided.Group)
		}
	}
	slices.Sort(users)
	slices.Sort(groups)
	var err error
	p.Users, p.Groups, err = readCards(ctx, q, slices.Compact(users), slices.Compact(groups))
	return err
}
