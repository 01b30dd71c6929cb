package bench

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline"
)

// village is a small town for measurements of open pages: it is founded in a
// moment, and has as many people as there are to be homes.
func village(homes int) town {
	people := max(120, homes)
	return town{
		Subscriptions: 40, StarPosts: 100, Members: people, SquarePosts: 100,
		LeaverPosts: 30, LeaverComments: 60, FolkPosts: max(200, people),
	}
}

// A crier says things on the square, which all the village shows.
type crier struct {
	*run
	town
	asked  *asked
	store  *timeline.Store
	site   Site
	random *rand.Rand
	post   timeline.PostID
	text   int // how long the padding of a change is
	marks  int // changes made; each says its number
}

// inVillage founds a village in a primary of its own, serves it, and has it
// shown to somebody who measures.
func (r *run) inVillage(ctx context.Context, name string, homes int, do func(context.Context, *crier) error) error {
	return r.founded(ctx, name, homes, func(c *crier) error {
		return c.served(ctx, func(ctx context.Context) error { return do(ctx, c) })
	})
}

// founded founds a village in a primary of its own.
func (r *run) founded(ctx context.Context, name string, homes int, do func(*crier) error) error {
	plain, err := r.Fresh(ctx, "amstel_"+name)
	if err != nil {
		return err
	}
	defer plain.Close()
	t := village(homes)
	r.notice("Founding a village of %d people.", t.people())
	if err := t.found(ctx, copier{plain}); err != nil {
		return err
	}
	counted := &asked{}
	config := plain.Config()
	config.ConnConfig.Tracer = counted
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	defer pool.Close()
	c := &crier{run: r, town: t, asked: counted, store: timeline.New(pool, timeline.Options{}), random: rand.New(rand.NewPCG(7, 8))}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	return do(c)
}

// served runs a node that holds nothing while it calls do.
func (c *crier) served(ctx context.Context, do func(context.Context) error) error {
	return c.Serve(ctx, c.store, func(ctx context.Context, site Site) error {
		c.site = site
		return do(ctx)
	})
}

// prepare writes the post that all of it is in.
func (c *crier) prepare(ctx context.Context) (err error) {
	c.post, err = c.store.CreatePost(ctx, theChair, timeline.NewPost{To: []string{"group:" + squareName}, Text: "Hear, hear."})
	return err
}

// cry has the post say something else, and answers when that was committed. Its
// entry is as long each time.
func (c *crier) cry(ctx context.Context) (time.Time, error) {
	err := c.say(ctx, padding(c.random, c.text))
	return time.Now(), err
}

// bellow has it say so much that what is sent of it is long, and can hardly be
// packed.
func (c *crier) bellow(ctx context.Context) error {
	const most = 2900
	var b strings.Builder
	for range most {
		b.WriteRune(rune(0x20000 + c.random.IntN(0xa000)))
	}
	return c.say(ctx, b.String())
}

func (c *crier) say(ctx context.Context, what string) error {
	text := markOf(c.marks) + " " + what
	c.marks++
	return c.store.EditPost(byBench(ctx), theChair, c.post, timeline.PostEdit{Text: &text})
}

// padding is so much of a text of words.
func padding(random *rand.Rand, length int) string {
	all := strings.Fields(words)
	var b strings.Builder
	for b.Len() < length {
		b.WriteString(all[random.IntN(len(all))])
		b.WriteByte(' ')
	}
	return b.String()[:length]
}

// homes are the doors of so many of the folk's homes.
func (c *crier) homes(ctx context.Context, n int) ([]openPage, error) {
	pages := make([]openPage, n)
	for i := range pages {
		token, err := c.store.NewToken(ctx, folk(i), "bench")
		if err != nil {
			return nil, err
		}
		pages[i] = openPage{Path: homePath, Token: token}
	}
	return pages, nil
}
