package dataset

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline"
)

// Extremes is a community with one of each case that makes changes of rights expensive: a
// reader of very many feeds, an author with very many posts, a group with very many members,
// and a leaver, whose account leaves much to delete. The ids of its people are in this order: reader,
// author, leaver, the group's administrator, then the members.
type Extremes struct {
	Subscriptions  int // subscriptions of the reader, a twentieth of them to groups
	AuthorPosts    int // posts in the author's feed, which goes private
	Rivers         int // living rivers that hold posts of that feed
	Open           int // how many of these rivers are open pages
	Members        int // members of the big group: all people except the first four
	GroupPosts     int // posts in the big group
	LeaverPosts    int
	LeaverComments int
	MemberPosts    int // posts of all members in their own feeds
}

// ExtremesOf returns extremes with numbers in proportion to scale. The bars are for scale 1.
func ExtremesOf(scale float64) Extremes {
	n := func(whole, least int) int { return max(least, int(float64(whole)*scale)) }
	return Extremes{
		Subscriptions: n(2000, 40), AuthorPosts: n(50_000, 60), Rivers: n(1000, 30), Open: n(200, 10),
		Members: n(10_000, 120), GroupPosts: n(2000, 40), LeaverPosts: n(5000, 30), LeaverComments: n(20_000, 60), MemberPosts: n(20_000, 100),
	}
}

// The people with a part in the measurements, and the big group.
const (
	Reader timeline.UserID = iota + 1
	Author
	Leaver
	Admin // the administrator of all groups
	FirstMember

	BigGroup = timeline.GroupID(1) // all other groups are small
)

// Names of the people and the group.
const (
	ReaderName   = "reader"
	BigGroupName = "big-group"
)

// Member returns the id of member i of the big group. Members are counted from 0.
func Member(i int) timeline.UserID { return FirstMember + timeline.UserID(i) }

// MemberName returns the name of member i.
func MemberName(i int) string { return fmt.Sprintf("member-%d", i) }

// People returns the number of people.
func (t *Extremes) People() int { return int(FirstMember) - 1 + t.Members }

func (t *Extremes) smallGroups() int { return max(2, t.Subscriptions/20) }

// A builder makes the rows of a community, and holds them until they are written.
type builder struct {
	*Extremes
	rand    *rand.Rand
	rows    map[string][][]any // by table
	latest  map[int64]int64    // by timeline, the freshness of the freshest entry, in milliseconds
	follows map[[2]int64]bool  // by person and timeline, the subscriptions
	began   time.Time
}

// extremesBegan is when the accounts are said to have been created.
var extremesBegan = time.Date(2021, time.January, 1, 0, 0, 0, 0, time.UTC)

func (b *builder) add(table string, row ...any) { b.rows[table] = append(b.rows[table], row) }

func (b *builder) build() {
	b.accounts()
	b.subscriptions()
	b.posts()
	b.timelines() // needs latest, which posts fills
}

// accounts adds people and groups.
func (b *builder) accounts() {
	person := func(id timeline.UserID, name string) {
		b.add("users", id, name, name, b.began)
		b.add("names", name, "user", id)
	}
	for i, name := range []string{ReaderName, "author", "leaver", "chair"} {
		person(timeline.UserID(i+1), name)
	}
	for i := range b.Members {
		person(Member(i), MemberName(i))
	}
	group := func(id timeline.GroupID, name string) {
		b.add("groups", id, name, name, b.began)
		b.add("names", name, "group", id)
		b.add("group_admins", id, Admin)
	}
	group(BigGroup, BigGroupName)
	for i := range b.smallGroups() {
		group(BigGroup+1+timeline.GroupID(i), fmt.Sprintf("small-group-%d", i))
	}
}

func (b *builder) follow(who timeline.UserID, feed int64) {
	if feed == timelineOf(who, ownFeed) || b.follows[[2]int64{int64(who), feed}] {
		return
	}
	b.follows[[2]int64{int64(who), feed}] = true
	b.add("subscriptions", who, feed, b.began)
}

// subscriptions adds the subscriptions: of the reader to feeds and small groups, of all members to the
// big group, of a third of the members to the author, and of some other members to the leaver. Each
// member also follows up to five active members, so that no home is empty.
func (b *builder) subscriptions() {
	for i := range b.smallGroups() {
		b.follow(Admin, groupTimeline(b.People(), BigGroup+1+timeline.GroupID(i)))
		b.follow(Reader, groupTimeline(b.People(), BigGroup+1+timeline.GroupID(i)))
	}
	for i := range min(b.Subscriptions-b.smallGroups(), b.Members) {
		b.follow(Reader, timelineOf(Member(i), ownFeed))
	}
	b.follow(Admin, groupTimeline(b.People(), BigGroup))
	for i := range b.Members {
		b.follow(Member(i), groupTimeline(b.People(), BigGroup))
		switch {
		case b.followsAuthor(i):
			b.follow(Member(i), timelineOf(Author, ownFeed))
		case i%4 == 0:
			b.follow(Member(i), timelineOf(Leaver, ownFeed))
		}
		if i%8 == 0 {
			b.follow(Leaver, timelineOf(Member(i), ownFeed))
		}
		for range 5 {
			b.follow(Member(i), timelineOf(b.activeMember(), ownFeed))
		}
	}
}

// followsAuthor reports whether a member subscribes to the author. The other members are
// strangers to the author.
func (t *Extremes) followsAuthor(i int) bool { return i%3 == 0 }

// activeMember picks a random active member. A tenth of the members are active: they like and comment.
func (b *builder) activeMember() timeline.UserID { return Member(b.rand.IntN(max(1, b.Members/10))) }

// A writtenPost is a post that is to be written.
type writtenPost struct {
	author timeline.UserID
	place  int64 // the id of the timeline in which the post is
}

// plan returns the posts to write, in the order of writing.
func (b *builder) plan() []writtenPost {
	var all []writtenPost
	add := func(n int, post func(i int) writtenPost) {
		for i := range n {
			all = append(all, post(i))
		}
	}
	own := func(u timeline.UserID) writtenPost { return writtenPost{u, timelineOf(u, ownFeed)} }
	add(b.AuthorPosts, func(int) writtenPost { return own(Author) })
	add(b.LeaverPosts, func(int) writtenPost { return own(Leaver) })
	add(b.MemberPosts, func(i int) writtenPost { return own(Member(i % b.Members)) })
	add(b.GroupPosts, func(i int) writtenPost {
		return writtenPost{Member(i * 7 % b.Members), groupTimeline(b.People(), BigGroup)}
	})
	add(10*b.smallGroups(), func(i int) writtenPost {
		return writtenPost{Admin, groupTimeline(b.People(), BigGroup+1+timeline.GroupID(i%b.smallGroups()))}
	})
	b.rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// posts adds the posts, evenly over five years, each with its comments, likes and favs. These are from
// the first minutes after the post.
func (b *builder) posts() {
	plan := b.plan()
	step := 5 * 365 * 24 * time.Hour / time.Duration(len(plan)+1)
	every := max(1, len(plan)/b.LeaverComments)
	comments := 0
	for i, p := range plan {
		at := b.began.Add(time.Duration(i+1) * step).Truncate(time.Second)
		w := &postWriter{builder: b, id: idAt(at, i), at: at, fresh: at, entries: map[int64]time.Time{1: at, p.place: at}}
		if i%2 == 0 {
			var fan timeline.UserID
			if i%16 == 8 {
				fan = Leaver
			}
			w.comment(b.activeMember(), at.Add(time.Minute), i, fan)
		}
		if fan := b.activeMember(); i%3 == 0 && fan != p.author { // authors do not like their own posts
			w.like(fan, at.Add(2*time.Minute))
		}
		if i%16 == 1 && p.author != Leaver {
			w.like(Leaver, at.Add(3*time.Minute))
		}
		if i%64 == 2 && p.author != Leaver {
			w.fav(Leaver, at.Add(3*time.Minute))
		}
		if i%every == 0 && comments < b.LeaverComments {
			comments++
			w.comment(Leaver, at.Add(4*time.Minute), 1<<17+i, 0)
		}
		w.end(p)
	}
}

// A postWriter adds the rows of one post in all tables.
type postWriter struct {
	*builder
	id                    int64
	at, fresh             time.Time // when the post was published, and when it was last commented on
	comments, likes, favs int
	entries               map[int64]time.Time // by timeline, when the post entered it
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
		w.add("all_comment_likes", id, fan, w.id, at)
	}
	w.add("all_comments", id, w.id, who, "Something is said about it, in a line or so.", fans, at)
	w.enter(timelineOf(who, ownComments), at)
	w.enter(timelineOf(who, ownDiscussions), at)
	w.comments, w.fresh = w.comments+1, at
}

func (w *postWriter) like(who timeline.UserID, at time.Time) {
	w.add("all_likes", w.id, who, at)
	w.enter(timelineOf(who, ownLikes), at)
	w.likes++
}

func (w *postWriter) fav(who timeline.UserID, at time.Time) {
	w.add("all_favs", w.id, who, at)
	w.enter(timelineOf(who, ownFavs), at)
	w.favs++
}

func (w *postWriter) end(p writtenPost) {
	w.entries[timelineOf(p.author, ownDiscussions)] = w.at
	fresh := w.fresh.UnixMilli()
	w.add("posts", w.id, p.author, "A boat goes by, and somebody writes a line or two about it.", []int64{p.place}, w.at, w.at, fresh,
		w.comments, w.likes, w.favs)
	for id, at := range w.entries {
		w.add("timeline_entries", id, w.id, fresh, at.UnixMilli())
		w.latest[id] = max(w.latest[id], fresh)
	}
}

// timelines adds the timelines of people and groups, after all other rows.
func (b *builder) timelines() {
	eachTimeline(b.People(), 1+b.smallGroups(), func(id int64, what timeline.What, their int64, access timeline.Access) {
		b.add("timelines", id, what, their, access, latestBound(b.latest[id]))
	})
}

// newBuilder returns a builder. For equal extremes it makes the same rows each time.
func (t *Extremes) newBuilder() *builder {
	return &builder{
		Extremes: t, rand: rand.New(rand.NewPCG(5, 6)), rows: map[string][][]any{}, latest: map[int64]int64{},
		follows: map[[2]int64]bool{}, began: extremesBegan,
	}
}

// Load fills an empty primary with the community.
func (t *Extremes) Load(ctx context.Context, pool *pgxpool.Pool) error {
	b := t.newBuilder()
	b.build()
	return copyAll(ctx, pool, func(table string) pgx.CopyFromSource { return pgx.CopyFromRows(b.rows[table]) })
}

// SmallExtremes returns extremes that are small enough to load in a moment, for measurements of open
// pages. They have at least as many members as there will be open homes.
func SmallExtremes(homes int) Extremes {
	people := max(120, homes)
	return Extremes{
		Subscriptions: 40, AuthorPosts: 100, Members: people, GroupPosts: 100,
		LeaverPosts: 30, LeaverComments: 60, MemberPosts: max(200, people),
	}
}
