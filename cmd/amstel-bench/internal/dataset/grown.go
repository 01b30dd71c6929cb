package dataset

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline"
)

// Grown is a community that has written the same number of posts each day until it had Posts. Posts and
// followers are distributed over its people by Zipf's law, as are the words of texts; likes and comments
// over the posts by a power law. Equal descriptions give the same rows.
//
// So a larger community is an older one. Its people write as much in a day as those of a smaller one,
// and have as many subscriptions. Only stored posts, and the people who wrote them, become more.
type Grown struct {
	Posts         int
	PerDay        int // posts on each day; fewer than sequences within actsWithin, so that comments get different ids
	People        int // the last Readers of them are readers
	Groups        int
	Readers       int // people who follow much: they have Subscriptions each
	Subscriptions int
	Until         time.Time // the time of the last post
}

// GrownTo returns a community with this number of posts, the last of which was published at a time.
func GrownTo(posts int, until time.Time) Grown {
	return Grown{Posts: posts, PerDay: 1000, People: max(1500, posts/100), Groups: 100, Readers: 200, Subscriptions: 500, Until: until}
}

const (
	// words is the number of different words in the texts of a grown community.
	words = 20_000
	// mostActs is the largest number of likes, and of comments, of one post.
	mostActs = 200
	// idsAPost is how many ids are kept for the comments of a post, among those of one second; sequences is for how
	// many posts there are such ids.
	idsAPost  = 256
	sequences = 1 << 18 / idsAPost
	// actsWithin is how long after a post its last like or comment may come.
	actsWithin = 20 * time.Hour
)

// Word returns a word of the texts of grown communities. The frequency of word n, counted from 0, is in
// proportion to 1/(n+1).
func Word(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	word := "ka"
	for n++; n > 0; n /= len(consonants) * len(vowels) {
		syllable := n % (len(consonants) * len(vowels))
		word += string(consonants[syllable/len(vowels)]) + string(vowels[syllable%len(vowels)])
	}
	return word
}

// byZipf returns a random number from 0 to n-1. The frequency of number i is in proportion to 1/(i+1).
func byZipf(random *rand.Rand, n int) int {
	return min(n-1, int(math.Pow(float64(n+1), random.Float64()))-1)
}

// Load fills an empty primary with the community.
func (g *Grown) Load(ctx context.Context, pool *pgxpool.Pool) error {
	texts := make([]string, words)
	for i := range texts {
		texts[i] = Word(i)
	}
	return copyAll(ctx, pool, func(table string) pgx.CopyFromSource { return g.rows(table, texts) })
}

// rows returns the rows of a table. They are made while they are copied, since those of a large community
// would not fit into memory.
func (g *Grown) rows(table string, texts []string) pgx.CopyFromSource {
	began := g.Until.Add(-time.Duration(g.Posts+1) * g.step())
	switch table {
	case "users":
		return made(g.People, func(i int, add func(...any)) { add(i+1, personName(i+1), personName(i+1), began) })
	case "groups":
		return made(g.Groups, func(i int, add func(...any)) { add(i+1, groupName(i+1), groupName(i+1), began) })
	case "names":
		return made(g.People+g.Groups, func(i int, add func(...any)) {
			if i < g.People {
				add(personName(i+1), "user", i+1)
			} else {
				add(groupName(i-g.People+1), "group", i-g.People+1)
			}
		})
	case "group_admins":
		return made(g.Groups, func(i int, add func(...any)) { add(i+1, i+1) })
	case "timelines":
		return made(1, func(_ int, add func(...any)) {
			latest := g.latest()
			eachTimeline(g.People, g.Groups, func(id int64, what timeline.What, their int64, access timeline.Access) {
				add(id, what, their, access, latestBound(latest[id]))
			})
		})
	case "subscriptions":
		return made(g.People, func(i int, add func(...any)) { g.subscriptions(timeline.UserID(i+1), began, add) })
	}
	return made(g.Posts, func(i int, add func(...any)) { g.post(i).add(table, texts, add) })
}

// made returns the rows that rowsOf adds for the numbers from 0 to n-1, in order.
func made(n int, rowsOf func(i int, add func(...any))) pgx.CopyFromSource {
	var rows [][]any
	i := 0
	return pgx.CopyFromFunc(func() ([]any, error) {
		for len(rows) == 0 {
			if i == n {
				return nil, nil
			}
			rowsOf(i, func(row ...any) { rows = append(rows, row) })
			i++
		}
		row := rows[0]
		if rows = rows[1:]; len(rows) == 0 {
			rows = nil
		}
		return row, nil
	})
}

func (g *Grown) step() time.Duration { return 24 * time.Hour / time.Duration(g.PerDay) }

// Reader returns the id of a reader. Readers are counted from 0.
func (g *Grown) Reader(i int) timeline.UserID { return timeline.UserID(g.People - i) }

// subscriptions adds the subscriptions of a person: to the groups that the person runs, and to feeds and
// groups, the most popular of them most often.
func (g *Grown) subscriptions(who timeline.UserID, at time.Time, add func(...any)) {
	random := rand.New(rand.NewPCG(1, uint64(who)))
	want := 3 + random.IntN(20)
	if int(who) > g.People-g.Readers {
		want = g.Subscriptions
	}
	want = min(want, g.People/2)
	followed := map[int64]bool{timelineOf(who, ownFeed): true}
	follow := func(feed int64) {
		if !followed[feed] {
			followed[feed] = true
			add(who, feed, at)
		}
	}
	if int(who) <= g.Groups {
		follow(groupTimeline(g.People, timeline.GroupID(who)))
	}
	for tries := 0; len(followed) <= want; tries++ {
		person := byZipf(random, g.People)
		if tries > 2*want { // Zipf's law would take long to find the last few
			person = random.IntN(g.People)
		}
		feed := timelineOf(timeline.UserID(person+1), ownFeed)
		if random.IntN(8) == 0 {
			feed = groupTimeline(g.People, timeline.GroupID(byZipf(random, g.Groups)+1))
		}
		follow(feed)
	}
}

// A grownPost is a post of a grown community.
type grownPost struct {
	*Grown
	random          *rand.Rand // for the text
	number          int        // posts are counted from 0
	id              int64
	author          timeline.UserID
	places          []int64 // sorted
	at, fresh       time.Time
	comments, likes []act
}

// An act is a like or a comment.
type act struct {
	who timeline.UserID
	at  time.Time
}

// post returns a post. It depends on nothing but the number of the post and the community.
func (g *Grown) post(number int) *grownPost {
	random := rand.New(rand.NewPCG(2, uint64(number)))
	at := g.Until.Add(-time.Duration(g.Posts-1-number) * g.step()).Truncate(time.Second)
	p := &grownPost{
		Grown: g, random: random, number: number, id: idAt(at, number), at: at, fresh: at,
		author: timeline.UserID(byZipf(random, g.People) + 1),
	}
	own, group := timelineOf(p.author, ownFeed), groupTimeline(g.People, timeline.GroupID(byZipf(random, g.Groups)+1))
	switch random.IntN(10) {
	case 0:
		p.places = []int64{group}
	case 1:
		p.places = []int64{own, group} // the timelines of groups have the highest ids
	default:
		p.places = []int64{own}
	}
	p.comments, p.likes = p.acts(), p.acts()
	for i := range p.comments {
		if at := p.comments[i].at; at.After(p.fresh) {
			p.fresh = at
		}
	}
	seen := map[timeline.UserID]bool{p.author: true} // authors do not like their own posts, and no person likes a post twice
	once := p.likes[:0]
	for _, like := range p.likes {
		if !seen[like.who] {
			seen[like.who] = true
			once = append(once, like)
		}
	}
	p.likes = once
	return p
}

// acts returns some likes or comments. One post in four has at least one, one in nine at least two, one in sixteen at least
// three, and so on.
func (p *grownPost) acts() []act {
	all := make([]act, min(mostActs, int(1/math.Sqrt(1-p.random.Float64()))-1))
	for i := range all {
		at := p.at.Add(time.Duration(p.random.Float64() * float64(actsWithin))).Truncate(time.Second)
		if at.After(p.Until) {
			at = p.Until
		}
		all[i] = act{timeline.UserID(byZipf(p.random, p.People) + 1), at}
	}
	return all
}

// add adds the rows of the post in a table.
func (p *grownPost) add(table string, texts []string, add func(...any)) {
	switch table {
	case "posts":
		add(p.id, p.author, p.text(texts, 8, 24), p.places, p.at, p.at, p.fresh.UnixMilli(), len(p.comments), len(p.likes), 0)
	case "timeline_entries":
		p.entries(func(id int64, at time.Time) { add(id, p.id, p.fresh.UnixMilli(), at.UnixMilli()) })
	case "all_comments":
		for i, c := range p.comments {
			add(idAt(c.at, p.number%sequences*idsAPost+i), p.id, c.who, p.text(texts, 4, 16), 0, c.at)
		}
	case "all_likes":
		for _, l := range p.likes {
			add(p.id, l.who, l.at)
		}
	}
}

func (p *grownPost) text(texts []string, least, most int) string {
	picked := make([]string, least+p.random.IntN(most-least))
	for i := range picked {
		picked[i] = texts[byZipf(p.random, len(texts))]
	}
	return strings.Join(picked, " ")
}

// entries calls add with each timeline that has the post, and with the time at which the post entered it.
func (p *grownPost) entries(add func(timeline int64, at time.Time)) {
	in := map[int64]time.Time{}
	var order []int64
	enter := func(timeline int64, at time.Time) {
		if first, there := in[timeline]; !there {
			order = append(order, timeline)
			in[timeline] = at
		} else if at.Before(first) {
			in[timeline] = at
		}
	}
	enter(1, p.at)
	for _, place := range p.places {
		enter(place, p.at)
	}
	enter(timelineOf(p.author, ownDiscussions), p.at)
	for _, c := range p.comments {
		enter(timelineOf(c.who, ownComments), c.at)
		enter(timelineOf(c.who, ownDiscussions), c.at)
	}
	for _, l := range p.likes {
		enter(timelineOf(l.who, ownLikes), l.at)
	}
	for _, timeline := range order {
		add(timeline, in[timeline])
	}
}

// latest returns the freshness of the freshest entry of each timeline, in milliseconds.
func (g *Grown) latest() map[int64]int64 {
	latest := map[int64]int64{}
	for i := range g.Posts {
		p := g.post(i)
		p.entries(func(timeline int64, _ time.Time) { latest[timeline] = max(latest[timeline], p.fresh.UnixMilli()) })
	}
	return latest
}

// String describes the community.
func (g *Grown) String() string {
	return fmt.Sprintf("%d posts, %d a day, by %d people", g.Posts, g.PerDay, g.People)
}
