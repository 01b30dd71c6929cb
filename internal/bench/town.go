package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"amstel.dev/amstel/timeline"
)

// A town is a community in which everything that rights are hard on is there
// once: somebody who follows very many, a feed with very many posts, a group
// with very many members, an account with much to delete. Its people come in
// the order of their ids: those four, then its folk.
type town struct {
	Subscriptions  int // of the reader, a twentieth of them to groups
	StarPosts      int // in the feed that goes private
	Rivers         int // living, about that feed
	Open           int // of those
	Members        int // of the square, all the folk there is
	SquarePosts    int
	LeaverPosts    int
	LeaverComments int
	FolkPosts      int
}

// townOf is a town of a size; 1 is what the bars are for.
func townOf(scale float64) town {
	n := func(whole, least int) int { return max(least, int(float64(whole)*scale)) }
	return town{
		Subscriptions: n(2000, 40), StarPosts: n(50_000, 60), Rivers: n(1000, 30), Open: n(200, 10),
		Members: n(10_000, 120), SquarePosts: n(2000, 40), LeaverPosts: n(5000, 30), LeaverComments: n(20_000, 60), FolkPosts: n(20_000, 100),
	}
}

// The people and the group that things happen to.
const (
	theReader timeline.UserID = iota + 1
	theStar
	theLeaver
	theChair // of the square
	firstFolk

	theSquare = timeline.GroupID(1) // the other groups are circles
)

// Their names, as the store is asked by name.
const (
	starName, leaverName, squareName = "star", "leaver", "square"
)

func folk(i int) timeline.UserID { return firstFolk + timeline.UserID(i) }
func folkName(i int) string      { return fmt.Sprintf("folk-%d", i) }

// userKinds are the timelines that belong to everybody, with the access that
// those of a public person have.
var userKinds = [...]struct {
	What   timeline.What
	Access timeline.Access
}{
	{timeline.WhatUser, timeline.AccessPublic},
	{timeline.WhatUserLikes, timeline.AccessPublic},
	{timeline.WhatUserComments, timeline.AccessPublic},
	{timeline.WhatUserFavs, timeline.AccessOwner},
	{timeline.WhatUserPrivate, timeline.AccessPrivate},
	{timeline.WhatUserFYEO, timeline.AccessOwner},
	{timeline.WhatUserDirects, timeline.AccessOwner},
	{timeline.WhatMentions, timeline.AccessOwner},
	{timeline.WhatDiscussions, timeline.AccessOwner},
}

// Where in userKinds some of them stand.
const (
	ownFeed = iota
	ownLikes
	ownComments
	ownFavs

	ownDiscussions = 8
)

func (t *town) people() int  { return int(firstFolk) - 1 + t.Members }
func (t *town) circles() int { return max(2, t.Subscriptions/20) }

// siteWide is how many timelines there are before anybody has one: everything and
// the rankings.
const siteWide = 11

// feed is the id of a person's timeline; the first one of all is everything.
func (t *town) feed(u timeline.UserID, kind int) int64 {
	return siteWide + 1 + (int64(u)-1)*int64(len(userKinds)) + int64(kind)
}

// room is the id of a group's timeline.
func (t *town) room(g timeline.GroupID) int64 {
	return t.feed(timeline.UserID(t.people()+1), 0) + int64(g) - 1
}

// A builder holds the rows of a town until they are written.
type builder struct {
	*town
	rand    *rand.Rand
	rows    map[string][][]any // by table
	latest  map[int64]int64    // of timelines: the freshest entry, in milliseconds
	follows map[[2]int64]bool
	founded time.Time
}

// townFounded is when everything in a town began.
var townFounded = time.Date(2021, time.January, 1, 0, 0, 0, 0, time.UTC)

func (b *builder) add(table string, row ...any) { b.rows[table] = append(b.rows[table], row) }

func (b *builder) build() {
	b.inhabitants()
	b.subscriptions()
	b.posts()
	b.timelines() // with what posts left in latest
}

// inhabitants are people and groups.
func (b *builder) inhabitants() {
	person := func(id timeline.UserID, name string) {
		b.add("users", id, name, name, b.founded)
		b.add("names", name, "user", id)
	}
	for i, name := range []string{"reader", starName, leaverName, "chair"} {
		person(timeline.UserID(i+1), name)
	}
	for i := range b.Members {
		person(folk(i), folkName(i))
	}
	group := func(id timeline.GroupID, name string) {
		b.add("groups", id, name, name, b.founded)
		b.add("names", name, "group", id)
		b.add("group_admins", id, theChair)
	}
	group(theSquare, squareName)
	for i := range b.circles() {
		group(theSquare+1+timeline.GroupID(i), fmt.Sprintf("circle-%d", i))
	}
}

func (b *builder) follow(who timeline.UserID, feed int64) {
	if feed == b.feed(who, ownFeed) || b.follows[[2]int64{int64(who), feed}] {
		return
	}
	b.follows[[2]int64{int64(who), feed}] = true
	b.add("subscriptions", who, feed, b.founded)
}

// subscriptions: the reader's; of everybody to the square; of the first third of
// the folk to the star, of the next tenth to the leaver; and a few to each other,
// so that homes have something in them.
func (b *builder) subscriptions() {
	for i := range b.circles() {
		b.follow(theChair, b.room(theSquare+1+timeline.GroupID(i)))
		b.follow(theReader, b.room(theSquare+1+timeline.GroupID(i)))
	}
	for i := range min(b.Subscriptions-b.circles(), b.Members) {
		b.follow(theReader, b.feed(folk(i), ownFeed))
	}
	b.follow(theChair, b.room(theSquare))
	for i := range b.Members {
		b.follow(folk(i), b.room(theSquare))
		switch {
		case b.subscriber(i):
			b.follow(folk(i), b.feed(theStar, ownFeed))
		case i%4 == 0:
			b.follow(folk(i), b.feed(theLeaver, ownFeed))
		}
		if i%8 == 0 {
			b.follow(theLeaver, b.feed(folk(i), ownFeed))
		}
		for range 5 {
			b.follow(folk(i), b.feed(b.talker(), ownFeed))
		}
	}
}

// subscriber says whether a folk follows the star; the others are strangers.
func (t *town) subscriber(i int) bool { return i%3 == 0 }

// talker is one of the tenth of the folk that like and comment.
func (b *builder) talker() timeline.UserID { return folk(b.rand.IntN(max(1, b.Members/10))) }

// A written post is one that is about to be.
type writtenPost struct {
	author timeline.UserID
	place  int64
}

// plan is who writes what where, in the order in which it is written.
func (b *builder) plan() []writtenPost {
	var all []writtenPost
	add := func(n int, post func(i int) writtenPost) {
		for i := range n {
			all = append(all, post(i))
		}
	}
	own := func(u timeline.UserID) writtenPost { return writtenPost{u, b.feed(u, ownFeed)} }
	add(b.StarPosts, func(int) writtenPost { return own(theStar) })
	add(b.LeaverPosts, func(int) writtenPost { return own(theLeaver) })
	add(b.FolkPosts, func(i int) writtenPost { return own(folk(i % b.Members)) })
	add(b.SquarePosts, func(i int) writtenPost { return writtenPost{folk(i * 7 % b.Members), b.room(theSquare)} })
	add(10*b.circles(), func(i int) writtenPost {
		return writtenPost{theChair, b.room(theSquare + 1 + timeline.GroupID(i%b.circles()))}
	})
	b.rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// posts come evenly over five years, with what is said about each right behind.
func (b *builder) posts() {
	plan := b.plan()
	step := 5 * 365 * 24 * time.Hour / time.Duration(len(plan)+1)
	every := max(1, len(plan)/b.LeaverComments)
	comments := 0
	for i, p := range plan {
		at := b.founded.Add(time.Duration(i+1) * step).Truncate(time.Second)
		w := &postWriter{builder: b, id: idAt(at, i), at: at, fresh: at, entries: map[int64]time.Time{1: at, p.place: at}}
		if i%2 == 0 {
			var fan timeline.UserID
			if i%16 == 8 {
				fan = theLeaver
			}
			w.comment(b.talker(), at.Add(time.Minute), i, fan)
		}
		if fan := b.talker(); i%3 == 0 && fan != p.author { // nobody likes what he wrote
			w.like(fan, at.Add(2*time.Minute))
		}
		if i%16 == 1 && p.author != theLeaver {
			w.like(theLeaver, at.Add(3*time.Minute))
		}
		if i%64 == 2 && p.author != theLeaver {
			w.fav(theLeaver, at.Add(3*time.Minute))
		}
		if i%every == 0 && comments < b.LeaverComments {
			comments++
			w.comment(theLeaver, at.Add(4*time.Minute), 1<<17+i, 0)
		}
		w.end(p)
	}
}

// idAt is an id as the primary makes them.
func idAt(at time.Time, sequence int) int64 {
	return (at.Unix()-946684800)<<22 | int64(sequence&(1<<18-1))
}

// A postWriter writes one post and all that hangs on it.
type postWriter struct {
	*builder
	id                    int64
	at, fresh             time.Time
	comments, likes, favs int
	entries               map[int64]time.Time // when the post entered which timeline
}

func (w *postWriter) enter(timeline int64, at time.Time) {
	if _, in := w.entries[timeline]; !in {
		w.entries[timeline] = at
	}
}

func (w *postWriter) comment(who timeline.UserID, at time.Time, sequence int, fan timeline.UserID) {
	id, fans := idAt(at, sequence), 0
	if fan != 0 && fan != who {
		fans = 1
		w.add("comment_likes", id, fan, w.id, at)
	}
	w.add("comments", id, w.id, who, "Something is said about it, in a line or so.", fans, at)
	w.enter(w.feed(who, ownComments), at)
	w.enter(w.feed(who, ownDiscussions), at)
	w.comments, w.fresh = w.comments+1, at
}

func (w *postWriter) like(who timeline.UserID, at time.Time) {
	w.add("likes", w.id, who, at)
	w.enter(w.feed(who, ownLikes), at)
	w.likes++
}

func (w *postWriter) fav(who timeline.UserID, at time.Time) {
	w.add("favs", w.id, who, at)
	w.enter(w.feed(who, ownFavs), at)
	w.favs++
}

func (w *postWriter) end(p writtenPost) {
	w.entries[w.feed(p.author, ownDiscussions)] = w.at
	fresh := w.fresh.UnixMilli()
	w.add("posts", w.id, p.author, "A boat goes by, and somebody writes a line or two about it.", []int64{p.place}, w.at, w.at, fresh,
		w.comments, w.likes, w.favs)
	for id, at := range w.entries {
		w.add("timeline_entries", id, w.id, fresh, at.UnixMilli())
		w.latest[id] = max(w.latest[id], fresh)
	}
}

// timelines are all that belong to somebody; everything is there already.
func (b *builder) timelines() {
	add := func(id int64, what timeline.What, their int64, access timeline.Access) {
		bound := int64(0)
		if fresh := b.latest[id]; fresh > 0 {
			bound = (fresh/60_000 + 1) * 60_000
		}
		b.add("timelines", id, what, their, access, bound)
	}
	for u := timeline.UserID(1); int(u) <= b.people(); u++ {
		for i, kind := range userKinds {
			add(b.feed(u, i), kind.What, int64(u), kind.Access)
		}
	}
	for g := theSquare; int(g) <= 1+b.circles(); g++ {
		add(b.room(g), timeline.WhatGroup, int64(g), timeline.AccessPublic)
	}
}

// newBuilder makes the same town of the same numbers, each time.
func (t *town) newBuilder() *builder {
	return &builder{
		town: t, rand: rand.New(rand.NewPCG(5, 6)), rows: map[string][][]any{}, latest: map[int64]int64{},
		follows: map[[2]int64]bool{}, founded: townFounded,
	}
}

// found fills an empty primary with the town.
func (t *town) found(ctx context.Context, to copier) error {
	b := t.newBuilder()
	b.build()
	return to.copyAll(ctx, b.rows)
}
