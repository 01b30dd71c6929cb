package importer

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// relations are what stands between the people of a batch and what they act
// on: as far as the batch asks for it, and as it stands before the next line.
type relations struct {
	timelines    map[timeline.TimelineID]timeline.Timeline
	sets         map[timeline.UserID]*timeline.Sets // with the parts that the visibility rule looks at
	likes        map[postLike]bool
	commentLikes map[commentLike]bool
}

type postLike struct {
	post timeline.PostID
	user timeline.UserID
}

type commentLike struct {
	comment timeline.CommentID
	user    timeline.UserID
}

func newRelations() relations {
	return relations{
		timelines:    make(map[timeline.TimelineID]timeline.Timeline),
		sets:         make(map[timeline.UserID]*timeline.Sets),
		likes:        make(map[postLike]bool),
		commentLikes: make(map[commentLike]bool),
	}
}

// of are the sets of a person.
func (r *relations) of(user timeline.UserID) *timeline.Sets {
	s := r.sets[user]
	if s == nil {
		s = &timeline.Sets{
			User:       user,
			Subscribed: make(map[timeline.TimelineID]bool),
			Bans:       make(map[timeline.UserID]bool),
			Excluded:   make(map[timeline.TimelineID]bool),
		}
		r.sets[user] = s
	}
	return s
}

// ban puts a ban between two people.
func (r *relations) ban(user, target timeline.UserID) {
	r.of(user).Bans[target] = true
	if !r.of(target).Bans[user] {
		r.of(target).Bans[user] = false
	}
}

// between says whether a ban stands between two people.
func (r *relations) between(user, other timeline.UserID) bool {
	_, banned := r.of(user).Bans[other]
	return banned
}

// mayRead says whether a person may read a post: the one visibility rule.
func (r *relations) mayRead(user timeline.UserID, p *post) bool {
	return r.of(user).MayRead(timeline.Deciding{Author: p.author, Places: p.places}, func(id timeline.TimelineID) (timeline.Timeline, bool) {
		tl, there := r.timelines[id]
		return tl, there
	})
}

// mayPost says whether a person may read where his post goes, or, where that
// is somebody's directs, write to him.
func (r *relations) mayPost(p *post) bool {
	for _, id := range p.places {
		tl := r.timelines[id]
		if tl.What == timeline.WhatUserDirects {
			if r.between(p.author, timeline.UserID(tl.TheirID)) {
				return false
			}
		} else if !r.of(p.author).Readable(tl) {
			return false
		}
	}
	return true
}

// asked is what a batch asks of the relations, each once.
type asked struct {
	follows      map[pair]bool
	bans         map[[2]timeline.UserID]bool
	likes        map[postLike]bool
	commentLikes map[commentLike]bool
	met          map[timeline.UserID]bool // who follow or ban people, and whom
}

// findRelations reads what stands between the people and the timelines, posts
// and comments of the batch's new lines.
func (t *taking) findRelations(ctx context.Context) error {
	// Whoever bans or follows here at the same time waits, or is waited for.
	const lock = `select from users where id = any($1) order by id for no key update`
	const subscribed = `
		select s.user_id, s.timeline_id from unnest($1::bigint[], $2::bigint[]) k(user_id, timeline_id)
		join subscriptions s on s.user_id = k.user_id and s.timeline_id = k.timeline_id`
	const excluded = `
		select x.user_id, x.timeline_id from unnest($1::bigint[], $2::bigint[]) k(user_id, timeline_id)
		join timeline_excluded x on x.user_id = k.user_id and x.timeline_id = k.timeline_id`
	const bans = `
		select b.user_id, b.target_id from unnest($1::bigint[], $2::bigint[]) k(user_id, target_id)
		join bans b on b.user_id = k.user_id and b.target_id = k.target_id`
	const likes = `
		select l.post_id, l.user_id from unnest($1::bigint[], $2::bigint[]) k(post_id, user_id)
		join likes l on l.post_id = k.post_id and l.user_id = k.user_id`
	const commentLikes = `
		select l.comment_id, l.user_id from unnest($1::bigint[], $2::bigint[]) k(comment_id, user_id)
		join comment_likes l on l.comment_id = k.comment_id and l.user_id = k.user_id`

	a := t.asked()
	r := &t.relations
	var b pgx.Batch
	if len(a.met) > 0 {
		b.Queue(lock, slices.Collect(maps.Keys(a.met)))
	}
	users, timelines := make([]timeline.UserID, 0, len(a.follows)), make([]timeline.TimelineID, 0, len(a.follows))
	for p := range a.follows {
		users, timelines = append(users, p.user), append(timelines, p.timeline)
	}
	queuePairs(&b, subscribed, users, timelines, func(u timeline.UserID, tl timeline.TimelineID) { r.of(u).Subscribed[tl] = true })
	queuePairs(&b, excluded, users, timelines, func(u timeline.UserID, tl timeline.TimelineID) { r.of(u).Excluded[tl] = true })

	var ones, others []timeline.UserID
	for p := range a.bans {
		ones, others = append(ones, p[0], p[1]), append(others, p[1], p[0])
	}
	queuePairs(&b, bans, ones, others, r.ban)

	var posts []timeline.PostID
	var likers []timeline.UserID
	for l := range a.likes {
		posts, likers = append(posts, l.post), append(likers, l.user)
	}
	queuePairs(&b, likes, posts, likers, func(p timeline.PostID, u timeline.UserID) { r.likes[postLike{p, u}] = true })

	var comments []timeline.CommentID
	var clikers []timeline.UserID
	for l := range a.commentLikes {
		comments, clikers = append(comments, l.comment), append(clikers, l.user)
	}
	queuePairs(&b, commentLikes, comments, clikers, func(c timeline.CommentID, u timeline.UserID) { r.commentLikes[commentLike{c, u}] = true })
	if b.Len() == 0 {
		return nil
	}
	return t.tx.SendBatch(ctx, &b).Close()
}

// queuePairs queues a query by pairs, whose rows are those found of them.
func queuePairs[A, B any](b *pgx.Batch, query string, as []A, bs []B, row func(A, B)) {
	if len(as) == 0 {
		return
	}
	b.Queue(query, as, bs).Query(func(rows pgx.Rows) error {
		var one A
		var other B
		_, err := pgx.ForEachRow(rows, []any{&one, &other}, func() error {
			row(one, other)
			return nil
		})
		return err
	})
}

// asked gathers what the new lines ask. Whom a line names wrongly is found out
// when it is decided.
func (t *taking) asked() asked {
	a := asked{
		follows:      make(map[pair]bool),
		bans:         make(map[[2]timeline.UserID]bool),
		likes:        make(map[postLike]bool),
		commentLikes: make(map[commentLike]bool),
		met:          make(map[timeline.UserID]bool),
	}
	for _, l := range t.lines {
		m := t.members[l.user]
		if m == nil || m.user == 0 || t.known(l) {
			continue
		}
		switch l.kind {
		case kindSubscription, kindBan:
			if target := t.members[l.target]; target != nil {
				a.follows[pair{m.user, target.feed().ID}] = true
				if target.user != 0 {
					a.bans[[2]timeline.UserID{m.user, target.user}] = true
					a.met[m.user], a.met[target.user] = true, true
				}
			}
		case kindPost:
			t.ask(&a, m.user, t.posts[l.id])
		case kindComment:
			t.ask(&a, m.user, t.posts[l.target])
		case kindLike:
			if p := t.posts[l.target]; p != nil {
				t.ask(&a, m.user, p)
				if p.line == nil {
					a.likes[postLike{p.id, m.user}] = true
				}
			}
		case kindCommentLike:
			switch c := t.comments[l.target]; {
			case c == nil:
			case c.line != nil:
				t.ask(&a, m.user, t.posts[c.line.target])
			default:
				t.ask(&a, m.user, c.post)
				a.commentLikes[commentLike{c.id, m.user}] = true
			}
		}
	}
	return a
}

// ask asks what the visibility rule looks at between a person and a post.
func (t *taking) ask(a *asked, user timeline.UserID, p *post) {
	if p == nil {
		return
	}
	if user != p.author {
		a.bans[[2]timeline.UserID{user, p.author}] = true
	}
	for _, id := range p.places {
		switch tl := t.relations.timelines[id]; {
		case tl.What == timeline.WhatUserDirects && tl.TheirID != int64(user):
			a.bans[[2]timeline.UserID{user, timeline.UserID(tl.TheirID)}] = true
		case tl.Access == timeline.AccessPrivate || tl.Access == timeline.AccessProtected:
			a.follows[pair{user, id}] = true
		}
	}
}
