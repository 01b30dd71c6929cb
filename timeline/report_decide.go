package timeline

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// A ReportPage is a part of the reports about which a viewer decides, the newest first.
type ReportPage struct {
	Reports []Report
	Older   int64 // the next page begins below this id; 0: this is the last page
	Open    int   // the number of all open reports
	Sets    *Sets // the viewer's sets
	Users   map[UserID]*UserCard
	Groups  map[GroupID]*GroupCard
}

// Reports returns the reports about which the viewer decides: the open ones, or the closed ones, with ids below before (0:
// from the newest). Reports about the viewer are left out. The error is [ErrForbidden] for a viewer who administers
// nothing.
func (s *Store) Reports(ctx context.Context, viewer UserID, closed bool, before int64, count int) (p *ReportPage, err error) {
	defer primary.Wrap(&err, "reports to user %d", viewer)
	const mine = `((r.group_id is null and $1 or r.group_id = any($2)) and r.user_id <> $3)`
	const query = `
		select r.id, r.created_at, r.by_id, coalesce(r.group_id, 0), r.user_id, coalesce(r.post_id, 0), coalesce(r.comment_id, 0), coalesce(r.objection_id, 0), r.reason, r.quote,
			(select count(*) from journal b where b.user_id = r.user_id and b.act not in ('dismiss', 'restore', 'accept', 'refuse') and b.id is distinct from r.journal_id),
			r.journal_id is not null, ` + entryOrNone + `
		from reports r left join journal j on j.id = r.journal_id
		where ` + mine + ` and (r.journal_id is not null) = $4 and r.id < $5
		order by r.id desc limit $6`
	const open = `select count(*) from reports r where ` + mine + ` and r.journal_id is null`
	if before <= 0 {
		before = aboveAll
	}
	err = s.viewAs(ctx, viewer, (*Sets).checkModerator, func(q primary.Querier, sets *Sets) error {
		p = &ReportPage{Sets: sets}
		site, groups := p.Sets.moderatesSite(), p.Sets.moderated()
		if err := q.QueryRow(ctx, open, site, groups, viewer).Scan(&p.Open); err != nil {
			return err
		}
		rows, err := q.Query(ctx, query, site, groups, viewer, closed, before, count+1)
		if err != nil {
			return err
		}
		p.Reports, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (r Report, err error) {
			var isClosed bool
			e, err := scanEntry(row, &r.ID, &r.At, &r.By, &r.Group, &r.User, &r.Post, &r.Comment, &r.Objection, &r.Reason, &r.Quote, &r.Before, &isClosed)
			r.At = r.At.UTC()
			if isClosed {
				r.Closed = &e
			}
			return r, err
		})
		if err != nil {
			return err
		}
		if len(p.Reports) > count {
			p.Reports = p.Reports[:count]
			p.Older = p.Reports[count-1].ID
		}
		return p.fill(ctx, q)
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// entryOrNone are [journalColumns], with values in place of null where there is no entry j.
const entryOrNone = `coalesce(j.id, 0), coalesce(j.at, r.created_at), coalesce(j.by_id, 0), coalesce(j.act, ''), coalesce(j.user_id, 0), coalesce(j.reason, ''),
			coalesce(j.group_id, 0), j.written_at, coalesce(j.post_id, 0), j.until`

// fill reads the texts that the viewer may read, and the cards.
func (p *ReportPage) fill(ctx context.Context, q primary.Querier) error {
	const posts = `select id, left(text, $2) from posts where id = any($1)`
	const comments = `select id, left(text, $2) from comments where id = any($1)`
	var postIDs []PostID
	var commentIDs []CommentID
	for _, r := range p.Reports {
		if r.Post != 0 {
			postIDs = append(postIDs, r.Post)
		}
		if r.Comment != 0 {
			commentIDs = append(commentIDs, r.Comment)
		}
	}
	deciding, timelines, err := readAccessFacts(ctx, q, postIDs)
	if err != nil {
		return err
	}
	known := func(id TimelineID) (Timeline, bool) {
		t, ok := timelines[id]
		return t, ok
	}
	ofPosts, ofComments := make(map[PostID]string), make(map[CommentID]string)
	var b pgx.Batch
	b.Queue(posts, postIDs, quoted).Query(primary.CollectMap(ofPosts))
	b.Queue(comments, commentIDs, quoted).Query(primary.CollectMap(ofComments))
	if err := q.SendBatch(ctx, &b).Close(); err != nil {
		return err
	}
	var users []UserID
	var groups []GroupID
	for i := range p.Reports {
		r := &p.Reports[i]
		users = append(users, r.By, r.User)
		if r.Group != 0 {
			groups = append(groups, r.Group)
		}
		if r.Closed != nil {
			users = append(users, r.Closed.By)
		}
		d, there := deciding[r.Post]
		if r.Comment != 0 {
			_, exists := ofComments[r.Comment]
			_, banned := p.Sets.Bans[r.User]
			there = there && exists && !banned
		}
		if !there || !p.Sets.MayRead(d, known) {
			continue
		}
		r.Author, r.Text = d.Author, ofPosts[r.Post]
		if r.Comment != 0 {
			r.Text = ofComments[r.Comment]
		}
		users = append(users, r.Author)
	}
	slices.Sort(users)
	slices.Sort(groups)
	p.Users, p.Groups, err = readCards(ctx, q, slices.Compact(users), slices.Compact(groups))
	return err
}

// A Decision is what an administrator does about a report.
type Decision struct {
	// Act is ActDismiss, ActWarn, ActHide, ActSuspend, or DecideDelete.
	Act    string
	Reason string // the reported person is told the reason
	Days   int    // of a suspension; 0: until an administrator restores the account
}

// DecideDelete deletes the post or comment of a report. If the report was sent to the administrators of a group, it takes a post out of the group
// instead.
const DecideDelete = "delete"

// DecideReport acts on a report, and closes it together with all other open reports of the same thing to the same
// administrators. The reported person is notified with the reason, unless the report is dismissed, and those who reported
// are notified whether something was done. An objection can only be dismissed; its sender is notified with the reason. The error is [ErrNotFound] if there is no such report about which the actor decides,
// [ErrConflict] if it is closed, or if there is nothing left to delete or hide, [ErrForbidden] if an administrator of a group suspends
// a person or hides a post, and an [InvalidError] for a bad decision.
func (s *Store) DecideReport(ctx context.Context, actor UserID, id int64, d Decision) (err error) {
	defer primary.Wrap(&err, "decide report %d", id)
	const about = `
		select coalesce(group_id, 0), user_id, coalesce(post_id, 0), coalesce(comment_id, 0), coalesce(objection_id, 0) from reports where id = $1`
	const lock = `select id from reports where ` + sameReport + ` and journal_id is null order by id for update`
	const closeAll = `update reports set journal_id = $2 where id = any($1)`
	if d.Reason, err = text.CleanLine("reason", d.Reason, maxReason); err != nil {
		return err
	}
	if err := checkDays(d.Days); err != nil {
		return err
	}
	if !slices.Contains([]string{ActDismiss, ActWarn, ActHide, ActSuspend, DecideDelete}, d.Act) {
		return &InvalidError{Field: "act", Reason: "is not one of dismiss, warn, hide, suspend and delete", Code: "choice"}
	}
	if d.Act == ActWarn && d.Reason == "" {
		return &InvalidError{Field: "reason", Reason: "is empty", Code: "empty"}
	}
	err = s.write(ctx, func(tx *txn) error {
		var r Report
		if err := tx.QueryRow(ctx, about, id).Scan(&r.Group, &r.User, &r.Post, &r.Comment, &r.Objection); err != nil {
			return err
		}
		// A post is locked before people, and so before the report.
		sets, p, err := s.lockReported(ctx, tx, actor, r, d)
		if err != nil {
			return err
		}
		if !sets.moderates(r.Group) || r.User == actor {
			return ErrNotFound
		}
		var open []int64
		if err := primary.Read(ctx, tx, &open, lock, r.Group, r.User, r.Post, r.Comment, r.Objection); err != nil {
			return err
		}
		switch {
		case !slices.Contains(open, id):
			return ErrConflict
		case r.Objection != 0 && d.Act != ActDismiss:
			return &InvalidError{Field: "act", Reason: "must be dismiss: the report is an objection", Code: "choice"}
		}
		entry, err := s.decide(ctx, tx, p, r, JournalEntry{By: actor, Act: d.Act, User: r.User, Reason: d.Reason, Group: r.Group, Until: s.until(d.Days)})
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, closeAll, open, entry); err != nil {
			return err
		}
		return tx.notifyOfDecision(ctx, s.db.Now(), open)
	})
	if err == nil && d.Act == ActSuspend {
		s.jobBell.ring()
	}
	return err
}

// lockReported returns the sets of the actor of a decision. To delete or hide a post it locks the post, which the actor may be unable
// to read: a person who may read it has reported it.
func (s *Store) lockReported(ctx context.Context, tx *txn, actor UserID, r Report, d Decision) (*Sets, *lockedPost, error) {
	if d.Act != DecideDelete && d.Act != ActHide || r.Post == 0 {
		sets, err := lockSets(ctx, tx, actor)
		return sets, nil, err
	}
	p, err := lockPost(ctx, tx, actor, r.Post)
	if missing(err) {
		return nil, nil, ErrConflict // the post is deleted
	}
	if err != nil {
		return nil, nil, err
	}
	return p.sets, p, nil
}

// decide does what the entry of the journal says about a report, and returns the id of the entry. The post p is locked if the
// report is about one and the act is DecideDelete or ActHide.
func (s *Store) decide(ctx context.Context, tx *txn, p *lockedPost, r Report, e JournalEntry) (id int64, err error) {
	switch e.Act {
	case ActSuspend:
		if r.Group != 0 {
			return 0, ErrForbidden
		}
		if id, err = s.suspend(ctx, tx, e); err == nil && id == 0 {
			err = ErrConflict
		}
		return id, err
	case ActHide:
		switch {
		case r.Group != 0:
			return 0, ErrForbidden
		case r.Post == 0 || r.Comment != 0:
			return 0, &InvalidError{Field: "act", Reason: "can't be hide: the report is about no post", Code: "choice"}
		case p == nil:
			return 0, ErrConflict
		}
		return s.hide(ctx, tx, p, e)
	case DecideDelete:
		switch {
		case p == nil, r.Group != 0 && !p.isIn(r.Group):
			return 0, ErrConflict
		case r.Comment != 0:
			return s.moderateComment(ctx, tx, p, r.Comment, e)
		case r.Group != 0:
			return s.takeOut(ctx, tx, p, r.Group, e)
		}
		return s.moderatePost(ctx, tx, p, e)
	}
	return s.record(ctx, tx, e)
}
