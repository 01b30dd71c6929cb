package dataset

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline"
)

// Firehose is a community in which it is known how many homes a like concerns. The posts of a star stand in
// the homes of all fans of the star; a reader's own post in the homes of two readers; and the posts
// of strangers, whom no reader follows, in no home of a reader. The ids of its people are in this order:
// readers, stars, strangers.
type Firehose struct {
	Readers   int // each is a fan of one star, and follows the next reader
	Fans      int // the fans of each star
	StarPosts int // posts of each star
	Strangers int
	Posts     int // posts of all strangers
}

// FirehoseOf returns a community with this number of readers, each of whose homes has about a hundred posts.
func FirehoseOf(readers int) Firehose {
	return Firehose{Readers: readers, Fans: min(1000, readers), StarPosts: 100, Strangers: max(1000, readers/10), Posts: max(1000, readers/2)}
}

// Stars returns the number of stars.
func (f *Firehose) Stars() int { return (f.Readers + f.Fans - 1) / f.Fans }

func (f *Firehose) star(i int) timeline.UserID { return timeline.UserID(f.Readers + i + 1) }

func (f *Firehose) stranger(i int) timeline.UserID {
	return timeline.UserID(f.Readers + f.Stars() + i + 1)
}

func (f *Firehose) people() int { return f.Readers + f.Stars() + f.Strangers }

// author returns the author of a post. Posts are counted from 0: those of strangers, of stars, and of
// readers. The later ones are newer, so a reader's home begins with those of readers.
func (f *Firehose) author(post int) timeline.UserID {
	switch {
	case post < f.Posts:
		return f.stranger(post % f.Strangers)
	case post < f.Posts+f.starPosts():
		return f.star((post - f.Posts) % f.Stars())
	}
	return timeline.UserID(post - f.Posts - f.starPosts() + 1)
}

func (f *Firehose) starPosts() int { return f.Stars() * f.StarPosts }

func (f *Firehose) posts() int { return f.Posts + f.starPosts() + f.Readers }

func (f *Firehose) postAt(post int) time.Time {
	return extremesBegan.Add(time.Duration(post+1) * time.Minute)
}

// Post returns the id of a post.
func (f *Firehose) Post(post int) timeline.PostID {
	return timeline.PostID(idAt(f.postAt(post), post))
}

// A Like is a like by a stranger.
type Like struct {
	Post     timeline.PostID
	User     timeline.UserID
	Timeline timeline.TimelineID // that of the stranger's likes
}

// Likes makes likes by strangers, each person and post once.
type Likes struct {
	*Firehose
	strange, own, stars int // how many likes of posts of strangers, readers and stars were made
}

// next returns the next like of count posts, which begin with post first.
func (l *Likes) next(made *int, first, count int) Like {
	post, fan := first+*made%count, *made/count
	*made++
	// An author does not like their own post: the fan follows the author in the circle of strangers.
	who := l.stranger((post + 1 + fan%(l.Strangers-1)) % l.Strangers)
	return Like{l.Post(post), who, timeline.TimelineID(timelineOf(who, ownLikes))}
}

// Strange returns a like of a stranger's post, which concerns no home of a reader.
func (l *Likes) Strange() Like { return l.next(&l.strange, 0, l.Posts) }

// Own returns a like of a reader's post, which concerns the homes of two readers.
func (l *Likes) Own() Like { return l.next(&l.own, l.Posts+l.starPosts(), l.Readers) }

// Star returns a like of a star's post, which concerns the homes of all fans of the star.
func (l *Likes) Star() Like { return l.next(&l.stars, l.Posts, l.starPosts()) }

// Load fills an empty primary with the community.
func (f *Firehose) Load(ctx context.Context, pool *pgxpool.Pool) error {
	b := (&Extremes{}).newBuilder()
	for i := range f.people() {
		name := fmt.Sprintf("person-%d", i+1)
		b.add("users", i+1, name, name, b.began)
		b.add("names", name, "user", i+1)
	}
	for i := range f.Readers {
		b.follow(timeline.UserID(i+1), timelineOf(f.star(i/f.Fans), ownFeed))
		b.follow(timeline.UserID(i+1), timelineOf(timeline.UserID((i+1)%f.Readers+1), ownFeed))
	}
	for i := range f.posts() {
		at, author := f.postAt(i), f.author(i)
		place := timelineOf(author, ownFeed)
		w := &postWriter{builder: b, id: int64(f.Post(i)), at: at, fresh: at, entries: map[int64]time.Time{1: at, place: at}}
		w.end(writtenPost{author, place})
	}
	for i := range f.Strangers { // whose likes will be of posts of any age
		b.latest[timelineOf(f.stranger(i), ownLikes)] = f.postAt(f.posts()).UnixMilli()
	}
	eachTimeline(f.people(), 0, func(id int64, what timeline.What, their int64, access timeline.Access) {
		b.add("timelines", id, what, their, access, latestBound(b.latest[id]))
	})
	return copyAll(ctx, pool, func(table string) pgx.CopyFromSource { return pgx.CopyFromRows(b.rows[table]) })
}

// WriteLikes writes likes in one transaction, as other processes would: with their entries, the counts of the posts, and a
// change for each like. It returns the number of likes that each of the posts has then.
func WriteLikes(ctx context.Context, pool *pgxpool.Pool, likes []Like) (counts map[timeline.PostID]int, err error) {
	const write = `
		with made as (
			select * from unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality m(post_id, user_id, timeline_id, i)
		), liked as (
			insert into likes (post_id, user_id, created_at) select post_id, user_id, now() from made
		), counted as (
			update posts p set version = version + c.n, likes_count = likes_count + c.n
			from (select post_id, count(*)::int n from made group by post_id) c where p.id = c.post_id
			returning p.id, p.fresh_at, p.likes_count
		), entered as (
			insert into timeline_entries (timeline_id, post_id, fresh_at, entered_at)
			select m.timeline_id, c.id, c.fresh_at, extract(epoch from now()) * 1000 from made m join counted c on c.id = m.post_id
		), changed as (
			insert into changes (kind, post_id, timelines) select 'post', post_id, array[timeline_id] from made order by i
		)
		select id, likes_count from counted`
	posts, people, timelines := make([]timeline.PostID, len(likes)), make([]timeline.UserID, len(likes)), make([]timeline.TimelineID, len(likes))
	for i, l := range likes {
		posts[i], people[i], timelines[i] = l.Post, l.User, l.Timeline
	}
	rows, err := pool.Query(ctx, write, posts, people, timelines)
	if err != nil {
		return nil, err
	}
	counts = make(map[timeline.PostID]int, len(likes))
	var post timeline.PostID
	var count int
	_, err = pgx.ForEachRow(rows, []any{&post, &count}, func() error {
		counts[post] = count
		return nil
	})
	return counts, err
}
