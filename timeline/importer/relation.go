package importer

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
)

// relations are the subscriptions, bans, exclusions, likes and favourites that the batch needs. While
// the lines are decided, they are in the state before the line that is being decided.
type relations struct {
	timelines    map[timeline.TimelineID]timeline.Timeline
	sets         map[timeline.UserID]*timeline.Sets // only with the fields that the visibility rule looks at
	likes        map[postLike]bool
	favs         map[postLike]bool
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
		favs:         make(map[postLike]bool),
		commentLikes: make(map[commentLike]bool),
	}
}

// setsOf returns the sets of a person, and makes empty sets at the first call.
func (r *relations) setsOf(user timeline.UserID) *timeline.Sets {
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

// ban adds a ban of target by user.
func (r *relations) ban(user, target timeline.UserID) {
	r.setsOf(user).Bans[target] = true
	if !r.setsOf(target).Bans[user] {
		r.setsOf(target).Bans[user] = false
	}
}

// banned reports whether one of two people has banned the other.
func (r *relations) banned(user, other timeline.UserID) bool {
	_, either := r.setsOf(user).Bans[other]
	return either
}

// mayRead reports whether a person may read a post, by the one visibility rule.
func (r *relations) mayRead(user timeline.UserID, p *post) bool {
	return r.setsOf(user).MayRead(timeline.AccessFacts{Author: p.author, Places: p.places}, func(id timeline.TimelineID) (timeline.Timeline, bool) {
		tl, there := r.timelines[id]
		return tl, there
	})
}

// mayPost reports whether the author of a post may read each place of the post. For the directs of
// another person it reports whether no ban stands between the two.
func (r *relations) mayPost(p *post) bool {
	for _, id := range p.places {
		tl := r.timelines[id]
		if tl.What == timeline.WhatUserDirects {
			if r.banned(p.author, timeline.UserID(tl.TheirID)) {
				return false
			}
		} else if !r.setsOf(p.author).Readable(tl) {
			return false
		}
	}
	return true
}

// neededRelations are the pairs whose relations the batch reads, each once.
type neededRelations struct {
	follows      map[pair]bool
	bans         map[[2]timeline.UserID]bool
	likes        map[postLike]bool
	favs         map[postLike]bool
	commentLikes map[commentLike]bool
	met          map[timeline.UserID]bool // both people of each subscription and ban between people
}

// findRelations reads the relations between the people of the batch's new lines and the
// timelines, people, posts and comments of those lines.
func (t *batchTx) findRelations(ctx context.Context) error {
	// The lock serializes this transaction with bans and subscriptions of the same people.
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
		join all_likes l on l.post_id = k.post_id and l.user_id = k.user_id`
	const favs = `
		select f.post_id, f.user_id from unnest($1::bigint[], $2::bigint[]) k(post_id, user_id)
		join all_favs f on f.post_id = k.post_id and f.user_id = k.user_id`
	const commentLikes = `
		select l.comment_id, l.user_id from unnest($1::bigint[], $2::bigint[]) k(comment_id, user_id)
		join all_comment_likes l on l.comment_id = k.comment_id and l.user_id = k.user_id`

	a := t.relationsToRead()
	r := &t.relations
	var b pgx.Batch
	if len(a.met) > 0 {
		b.Queue(lock, slices.Collect(maps.Keys(a.met)))
	}
	users, timelines := make([]timeline.UserID, 0, len(a.follows)), make([]timeline.TimelineID, 0, len(a.follows))
	for p := range a.follows {
		users, timelines = append(users, p.user), append(timelines, p.timeline)
	}
	queuePairs(&b, subscribed, users, timelines, func(u timeline.UserID, tl timeline.TimelineID) { r.setsOf(u).Subscribed[tl] = true })
	queuePairs(&b, excluded, users, timelines, func(u timeline.UserID, tl timeline.TimelineID) { r.setsOf(u).Excluded[tl] = true })

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

	posts, likers = nil, nil
	for l := range a.favs {
		posts, likers = append(posts, l.post), append(likers, l.user)
	}
	queuePairs(&b, favs, posts, likers, func(p timeline.PostID, u timeline.UserID) { r.favs[postLike{p, u}] = true })

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

// queuePairs queues a query that takes pairs and returns the pairs that are related. It calls row
// with each returned pair.
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

// relationsToRead returns the pairs whose relations decide about the new lines. It skips lines that
// name an unknown account, post or comment; decideLine returns the errors of such lines.
func (t *batchTx) relationsToRead() neededRelations {
	a := neededRelations{
		follows:      make(map[pair]bool),
		bans:         make(map[[2]timeline.UserID]bool),
		likes:        make(map[postLike]bool),
		favs:         make(map[postLike]bool),
		commentLikes: make(map[commentLike]bool),
		met:          make(map[timeline.UserID]bool),
	}
	for _, l := range t.lines {
		m := t.members[l.user]
		if m == nil || m.user == 0 || t.alreadyImported(l) {
			continue
		}
		switch l.kind {
		case kindSubscription, kindBan:
			if target := t.members[nameIn(l.target)]; target != nil {
				a.follows[pair{m.user, target.feedOf(l.target).ID}] = true
				if target.user != 0 {
					a.bans[[2]timeline.UserID{m.user, target.user}] = true
					a.met[m.user], a.met[target.user] = true, true
				}
			}
		case kindPost:
			t.addVisibility(&a, m.user, t.posts[l.id])
		case kindComment:
			t.addVisibility(&a, m.user, t.posts[l.target])
		case kindLike:
			if p := t.posts[l.target]; p != nil {
				t.addVisibility(&a, m.user, p)
				if p.line == nil {
					a.likes[postLike{p.id, m.user}] = true
				}
			}
		case kindFavourite:
			if p := t.posts[l.target]; p != nil && p.line == nil {
				a.favs[postLike{p.id, m.user}] = true
			}
		case kindCommentLike:
			switch c := t.comments[l.target]; {
			case c == nil:
			case c.line != nil:
				t.addVisibility(&a, m.user, t.posts[c.line.target])
			default:
				t.addVisibility(&a, m.user, c.post)
				a.commentLikes[commentLike{c.id, m.user}] = true
			}
		}
	}
	return a
}

// addVisibility adds the pairs that the visibility rule looks at when it decides whether a person may
// read a post.
func (t *batchTx) addVisibility(a *neededRelations, user timeline.UserID, p *post) {
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
