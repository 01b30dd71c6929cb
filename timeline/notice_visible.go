package timeline

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A notice is a row of the table notices, with the facts that decide whether its recipient may
// see it.
type notice struct {
	Notice
	to      UserID
	gone    bool         // the account of the person who acted is deleted
	stands  bool         // the request, invitation, subscription or mention still exists; the intake still fails
	posting string       // of the group of an intake: who may post to it
	group   GroupID      // of a report; 0: the site's administrators decide about the report
	visible bool         // the recipient may see the notice
	direct  bool         // it is about a direct
	places  []TimelineID // the decisive timelines of its post
}

// mayBeNotified reports whether the viewer may see a notice that was written for them. Callers ask
// it each time they show or count the notice, because the answer may change. The viewer may see the
// notice if all of these hold:
//
//   - The request, invitation, subscription or mention still exists, the intake still fails, the report is still open, or applicants or held posts still wait.
//   - The person who acted has an account that is not suspended, and no ban stands between them and the viewer.
//   - The viewer may read the post, or manages the feed, or was invited, or has subscribed, or decides about the report. What was
//     decided about the viewer or a report of the viewer, the viewer may always see.
//   - If an intake posts to a group, the viewer may post to the group: a person is told nothing
//     about a group that they have lost.
func (s *Sets) mayBeNotified(n *notice, deciding map[PostID]AccessFacts, timelines func(TimelineID) (Timeline, bool)) bool {
	if _, banned := s.Bans[n.By]; banned || n.gone || !n.stands || !s.MayAct() {
		return false
	}
	if n.Post != 0 {
		d, there := deciding[n.Post]
		return there && s.MayRead(d, timelines)
	}
	if n.Kind == NoticeIntake && n.Feed.What == WhatGroup {
		return s.Readable(n.Feed) && s.MayPost(GroupID(n.Feed.TheirID), n.Feed.ID, n.posting)
	}
	switch n.Kind {
	case NoticeInvitation, NoticeAccepted, NoticeAnswer, NoticeModeration:
		return true
	case NoticeReport:
		return s.moderates(n.group)
	case NoticeApplicant, NoticeHeld:
		return s.moderatesSite()
	}
	return s.MayManage(n.Feed)
}

// These queries read up to $3 notices of each of several people, newest first. $1 are the people,
// and $2 has for each of them the id below which the notices are read.
const (
	allNotices = noticesFrom + `(select id from notices where user_id = v.user_id and id < v.before order by id desc limit $3)` + noticesAs
	newNotices = noticesFrom + `(select id from notices where user_id = v.user_id and id < v.before and read_at is null order by id desc limit $3)` + noticesAs
	newDirects = noticesFrom + `(
			select id from (
				select id, post_id from notices where user_id = v.user_id and id < v.before and read_at is null order by id desc limit 1000) n
			where ` + aboutDirect + ` order by id desc limit $3)` + noticesAs
	// aboutDirect is the condition on a notice n to be about a direct.
	aboutDirect = `exists (
				select from posts p join timelines w on w.id = any(p.places) and w.what = 'user_directs' where p.id = n.post_id)`
	peopleArray = `unnest($1::bigint[], $2::bigint[])`
	noticesFrom = `
		select n.user_id, n.id, n.kind, coalesce(n.by_id, 0), coalesce(n.post_id, 0), coalesce(n.comment_id, 0),
			coalesce(t.id, 0), coalesce(t.what, ''), coalesce(t.their_id, 0), coalesce(t.access, ''), n.created_at, n.read_at is not null,
			coalesce(u.status = 'deleted' or u.withheld, false), coalesce(n.intake_id, 0), coalesce(g.posting, ''),
			coalesce(n.report_id, 0), coalesce(r.group_id, 0), coalesce(n.journal_id, r.journal_id, 0),
			case n.kind
			when 'request' then exists (select from subscription_requests where user_id = n.by_id and timeline_id = n.timeline_id)
			when 'invitation' then exists (
				select from invitations where user_id = n.user_id and timeline_id = n.timeline_id and from_id = n.by_id)
			when 'subscriber' then exists (select from subscriptions where user_id = n.by_id and timeline_id = n.timeline_id)
			when 'mention' then case when n.comment_id is null -- two, so that each is one look into an index
				then exists (select from mentions m where m.post_id = n.post_id and m.comment_id is null and m.user_id = n.user_id)
				else exists (select from mentions m where m.post_id = n.post_id and m.comment_id = n.comment_id and m.user_id = n.user_id) end
			when 'intake' then exists (select from intakes where id = n.intake_id and fault <> '')
			when 'accepted' then exists (select from subscriptions where user_id = n.user_id and timeline_id = n.timeline_id)
			when 'report' then r.journal_id is null
			when 'applicant' then exists (select from applicants where refused_at is null)
			when 'held' then exists (select from held_posts where journal_id is null or changed)
			else true end
		from ` + peopleArray + ` v(user_id, before)
		cross join lateral `
	noticesAs = ` one(id)
		join notices n on n.id = one.id
		left join users u on u.id = n.by_id
		left join timelines t on t.id = n.timeline_id
		left join reports r on r.id = n.report_id
		left join groups g on n.kind = 'intake' and t.what = 'group' and g.id = t.their_id
		order by n.id desc`
)

// readNotices reads the next notices of each person in from, below the id that from has for the
// person, and decides which of the notices the person may see. For each person with more notices,
// next has the id below which they begin. readNotices takes two statements for any number of people.
func readNotices(ctx context.Context, q primary.Querier, query string, from map[UserID]int64, sets map[UserID]*Sets) (all []notice, next map[UserID]int64, err error) {
	people := slices.Sorted(maps.Keys(from))
	befores := make([]int64, len(people))
	for i, user := range people {
		befores[i] = from[user]
	}
	args := []any{people, befores, noticeChunk}
	if len(people) == 1 { // as in [setsReader.queue], for a plan that is kept
		query = strings.Replace(query, peopleArray, "(values ($1::bigint, $2::bigint))", 1)
		args = []any{people[0], befores[0], noticeChunk}
	}
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, nil, err
	}
	var n notice
	var intake, entry int64
	posts, seen := make(map[PostID]bool), make(map[UserID]int)
	next = make(map[UserID]int64)
	_, err = pgx.ForEachRow(rows, []any{
		&n.to, &n.ID, &n.Kind, &n.By, &n.Post, &n.Comment, &n.Feed.ID, &n.Feed.What, &n.Feed.TheirID, &n.Feed.Access, &n.At, &n.Read, &n.gone, &intake, &n.posting, &n.Report, &n.group, &entry, &n.stands,
	}, func() error {
		n.At, n.Intake, n.Decided = n.At.UTC(), nil, nil
		if intake != 0 {
			n.Intake = &NoticedIntake{ID: intake}
		}
		if entry != 0 {
			n.Decided = &JournalEntry{ID: entry}
		}
		all = append(all, n)
		if n.Post != 0 {
			posts[n.Post] = true
		}
		if seen[n.to]++; seen[n.to] == noticeChunk {
			next[n.to] = n.ID
		}
		return nil
	})
	if err != nil || len(all) == 0 {
		return nil, nil, err
	}
	deciding, timelines, err := readAccessFacts(ctx, q, slices.Sorted(maps.Keys(posts)))
	if err != nil {
		return nil, nil, err
	}
	known := func(id TimelineID) (Timeline, bool) {
		t, ok := timelines[id]
		return t, ok
	}
	for i := range all {
		n := &all[i]
		n.Author, n.places = deciding[n.Post].Author, deciding[n.Post].Places
		n.visible = sets[n.to].mayBeNotified(n, deciding, known)
		n.direct = slices.ContainsFunc(n.places, func(id TimelineID) bool { return timelines[id].What == WhatUserDirects })
	}
	return all, next, nil
}

// Unread is the number of a person's unread notices, with the facts on which the number depends.
type Unread struct {
	Count int // the number of unread notices that the person may see; at most [MostUnread]
	// Directs is the number of directs with such notices; at most [MostUnread]. Only about the
	// 1,000 newest unread notices are searched for directs.
	Directs int
	// Posts are the posts of the notices; People are the authors of the posts and the people who
	// caused the notices. The count is out of date if one of these posts or people changes, or
	// the access to one of Places, or the settings of one of Groups.
	Posts  []PostID
	People []UserID
	Places []TimelineID // the decisive timelines of Posts, and the groups of intakes
	Groups []GroupID    // the groups of intakes
}

// Unread counts the unread notices of viewers; sets has the sets of each viewer.
func (sn *Snapshot) Unread(ctx context.Context, sets map[UserID]*Sets) (_ map[UserID]*Unread, err error) {
	defer primary.Wrap(&err, "unread notices of %d viewers", len(sets))
	counts, err := countUnread(ctx, sn.tx, sets)
	if err != nil {
		return nil, err
	}
	return counts, nil
}

// Unread returns the number of the viewer's unread notices, as [Unread.Count], and the number
// of directs with unread notices, as [Unread.Directs].
func (s *Store) Unread(ctx context.Context, viewer UserID) (count, directs int, err error) {
	defer primary.Wrap(&err, "unread notices of user %d", viewer)
	err = s.db.View(ctx, func(q primary.Querier) error {
		sets, err := ReadSets(ctx, q, viewer)
		if err != nil {
			return err
		}
		counts, err := countUnread(ctx, q, map[UserID]*Sets{viewer: sets})
		if err == nil {
			count, directs = counts[viewer].Count, counts[viewer].Directs
		}
		return err
	})
	return count, directs, err
}

// countUnread counts the unread notices of several people. It takes two statements, unless people
// have more than a hundred unread notices. For these it takes more: to find a hundred notices that
// they may see, and to find the directs among the other notices.
func countUnread(ctx context.Context, q primary.Querier, sets map[UserID]*Sets) (map[UserID]*Unread, error) {
	counts := make(map[UserID]*Unread, len(sets))
	from := make(map[UserID]int64, len(sets))
	for user, s := range sets {
		counts[user] = &Unread{}
		if s.MayAct() {
			from[user] = aboveAll
		}
	}
	directs, rest := make(map[UserID]map[PostID]bool), make(map[UserID]int64)
	read := func(query string) (next map[UserID]int64, err error) {
		all, next, err := readNotices(ctx, q, query, from, sets)
		for _, n := range all {
			counts[n.to].add(&n)
			if n.visible && n.direct {
				if directs[n.to] == nil {
					directs[n.to] = make(map[PostID]bool)
				}
				directs[n.to][n.Post] = true
			}
		}
		return next, err
	}
	for seen := 0; len(from) > 0 && seen < mostNotices; seen += noticeChunk {
		next, err := read(newNotices)
		if err != nil {
			return nil, err
		}
		for user, before := range next {
			if counts[user].Count == MostUnread {
				rest[user] = before
				delete(next, user)
			}
		}
		from = next
	}
	if from = rest; len(from) > 0 {
		if _, err := read(newDirects); err != nil {
			return nil, err
		}
	}
	for user, u := range counts {
		u.Directs = min(len(directs[user]), MostUnread)
		slices.Sort(u.Posts)
		slices.Sort(u.People)
		slices.Sort(u.Places)
		slices.Sort(u.Groups)
		u.Posts, u.People, u.Places, u.Groups = slices.Compact(u.Posts), slices.Compact(u.People), slices.Compact(u.Places), slices.Compact(u.Groups)
	}
	return counts, nil
}

// add counts a visible notice, and adds the facts on which the count depends. It adds the facts
// of an invisible notice too, because the notice may become visible.
func (u *Unread) add(n *notice) {
	if n.visible && u.Count < MostUnread {
		u.Count++
	}
	switch n.Kind {
	case NoticeReport, NoticeAnswer, NoticeModeration, NoticeApplicant, NoticeHeld, NoticeHeir:
		return // a change of what they depend on is noted for the person, or changes the person's sets
	case NoticeIntake:
		if n.Feed.What == WhatGroup {
			u.Places, u.Groups = append(u.Places, n.Feed.ID), append(u.Groups, GroupID(n.Feed.TheirID))
		}
		return
	}
	u.People = append(u.People, n.By)
	if n.Post != 0 {
		u.Posts = append(u.Posts, n.Post)
		u.Places = append(u.Places, n.places...)
		if n.Author != 0 {
			u.People = append(u.People, n.Author)
		}
	}
}
