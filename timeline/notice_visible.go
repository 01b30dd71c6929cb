package timeline

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A notice as it is kept, with what deciding about it needs.
type notice struct {
	Notice
	to     UserID
	gone   bool         // who did it has no account any more
	stands bool         // what was asked for still is, who subscribed still does, and the text still names him
	told   bool         // its person may be told of it
	places []TimelineID // of its post
}

// mayBeTold says whether the viewer may be told of a notice of his, which is asked when
// it is shown or counted: what it tells is still so, who did it has an account
// and no ban stands between them, and he may read the post, or answers for the
// feed.
func (s *Sets) mayBeTold(n *notice, deciding map[PostID]Deciding, timelines func(TimelineID) (Timeline, bool)) bool {
	if _, banned := s.Bans[n.By]; banned || n.gone || !n.stands || !s.MayAct() {
		return false
	}
	if n.Post != 0 {
		d, there := deciding[n.Post]
		return there && s.MayRead(d, timelines)
	}
	return n.Kind == NoticeInvitation || s.MayKeep(n.Feed)
}

// Of several people some notices each, newest first, below a given one of each.
const (
	allNotices  = noticesFrom + `(select id from notices where user_id = v.user_id and id < v.before order by id desc limit $3)` + noticesAs
	newNotices  = noticesFrom + `(select id from notices where user_id = v.user_id and id < v.before and read_at is null order by id desc limit $3)` + noticesAs
	noticesFrom = `
		select n.user_id, n.id, n.kind, n.by_id, coalesce(n.post_id, 0), coalesce(n.comment_id, 0),
			coalesce(t.id, 0), coalesce(t.what, ''), coalesce(t.their_id, 0), coalesce(t.access, ''), n.created_at, n.read_at is not null,
			u.status = 'deleted',
			case n.kind
			when 'request' then exists (select from subscription_requests where user_id = n.by_id and timeline_id = n.timeline_id)
			when 'invitation' then exists (
				select from invitations where user_id = n.user_id and timeline_id = n.timeline_id and from_id = n.by_id)
			when 'subscriber' then exists (select from subscriptions where user_id = n.by_id and timeline_id = n.timeline_id)
			when 'mention' then case when n.comment_id is null -- two, so that each is one look into an index
				then exists (select from mentions m where m.post_id = n.post_id and m.comment_id is null and m.user_id = n.user_id)
				else exists (select from mentions m where m.post_id = n.post_id and m.comment_id = n.comment_id and m.user_id = n.user_id) end
			else true end
		from unnest($1::bigint[], $2::bigint[]) v(user_id, before)
		cross join lateral `
	noticesAs = ` one(id)
		join notices n on n.id = one.id
		join users u on u.id = n.by_id
		left join timelines t on t.id = n.timeline_id
		order by n.id desc`
)

// readNotices reads the next notices of people, and says which of them they may be
// told of, and whose go on, below which: two statements, however many people.
func readNotices(ctx context.Context, q primary.Querier, query string, from map[UserID]int64, sets map[UserID]*Sets) (all []notice, next map[UserID]int64, err error) {
	people := slices.Sorted(maps.Keys(from))
	befores := make([]int64, len(people))
	for i, user := range people {
		befores[i] = from[user]
	}
	rows, err := q.Query(ctx, query, people, befores, noticeChunk)
	if err != nil {
		return nil, nil, err
	}
	var n notice
	posts, seen := make(map[PostID]bool), make(map[UserID]int)
	next = make(map[UserID]int64)
	_, err = pgx.ForEachRow(rows, []any{
		&n.to, &n.ID, &n.Kind, &n.By, &n.Post, &n.Comment, &n.Feed.ID, &n.Feed.What, &n.Feed.TheirID, &n.Feed.Access, &n.At, &n.Read, &n.gone, &n.stands,
	}, func() error {
		n.At = n.At.UTC()
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
	deciding, timelines, err := readDeciding(ctx, q, slices.Sorted(maps.Keys(posts)))
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
		n.told = sets[n.to].mayBeTold(n, deciding, known)
	}
	return all, next, nil
}

// Unread is how many notices somebody has not read, and what that depends on.
type Unread struct {
	Count int // of those that he may be told of; at most [MostUnread]
	// Posts that they are about, and People who wrote those or did something.
	// Where one of them changes, or who may read what, it is to be counted again.
	Posts  []PostID
	People []UserID
	Places []TimelineID // of those posts
}

// Unread counts what viewers have not read of their notices, by the sets of each.
func (sn *Snapshot) Unread(ctx context.Context, sets map[UserID]*Sets) (_ map[UserID]*Unread, err error) {
	defer primary.Wrap(&err, "unread notices of %d viewers", len(sets))
	counts, err := countUnread(ctx, sn.tx, sets)
	if err != nil {
		return nil, err
	}
	return counts, nil
}

// Unread counts the notices that the viewer has not read.
func (s *Store) Unread(ctx context.Context, viewer UserID) (count int, err error) {
	defer primary.Wrap(&err, "unread notices of user %d", viewer)
	err = s.db.View(ctx, func(q primary.Querier) error {
		sets, err := ReadSets(ctx, q, viewer)
		if err != nil {
			return err
		}
		counts, err := countUnread(ctx, q, map[UserID]*Sets{viewer: sets})
		if err == nil {
			count = counts[viewer].Count
		}
		return err
	})
	return count, err
}

// countUnread is two statements, but for people with a hundred unread notices of
// which some are not to be told.
func countUnread(ctx context.Context, q primary.Querier, sets map[UserID]*Sets) (map[UserID]*Unread, error) {
	counts := make(map[UserID]*Unread, len(sets))
	from := make(map[UserID]int64, len(sets))
	for user, s := range sets {
		counts[user] = &Unread{}
		if s.MayAct() {
			from[user] = aboveAll
		}
	}
	for seen := 0; len(from) > 0 && seen < mostNotices; seen += noticeChunk {
		all, next, err := readNotices(ctx, q, newNotices, from, sets)
		if err != nil {
			return nil, err
		}
		for _, n := range all {
			counts[n.to].add(&n)
		}
		maps.DeleteFunc(next, func(user UserID, _ int64) bool { return counts[user].Count == MostUnread })
		from = next
	}
	for _, u := range counts {
		slices.Sort(u.Posts)
		slices.Sort(u.People)
		slices.Sort(u.Places)
		u.Posts, u.People, u.Places = slices.Compact(u.Posts), slices.Compact(u.People), slices.Compact(u.Places)
	}
	return counts, nil
}

// add counts a notice, and notes what that depends on, also where it is not told.
func (u *Unread) add(n *notice) {
	if n.told && u.Count < MostUnread {
		u.Count++
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
