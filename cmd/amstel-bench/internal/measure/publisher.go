package measure

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/dataset"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/timeline"
)

// A publisher edits a post in the big group, which the river of everything and all homes show.
type publisher struct {
	*run
	dataset.Extremes
	primary *pgxpool.Pool
	counts  *report.StatementCounts
	store   *timeline.Store
	site    Site
	random  *rand.Rand
	post    timeline.PostID
	text    int // the length of the random text of a change
	marks   int // the number of changes made; each change has its number as a mark
}

// withPublisher loads small extremes into a new primary, serves them, and calls do.
func (r *run) withPublisher(ctx context.Context, name string, homes int, do func(context.Context, *publisher) error) error {
	return r.withDataset(ctx, name, homes, func(c *publisher) error {
		return c.withNode(ctx, func(ctx context.Context) error { return do(ctx, c) })
	})
}

// withDataset loads small extremes into a new primary, and calls do.
func (r *run) withDataset(ctx context.Context, name string, homes int, do func(*publisher) error) error {
	plain, err := r.Fresh(ctx, "amstel_"+name)
	if err != nil {
		return err
	}
	defer plain.Close()
	t := dataset.SmallExtremes(homes)
	r.notice("Loading a community of %d people.", t.People())
	if err := t.Load(ctx, plain); err != nil {
		return err
	}
	counted := &report.StatementCounts{}
	config := plain.Config()
	config.ConnConfig.Tracer = counted
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	defer pool.Close()
	c := &publisher{run: r, Extremes: t, primary: plain, counts: counted, store: timeline.New(pool, timeline.Options{}), random: rand.New(rand.NewPCG(7, 8))}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	return do(c)
}

// withNode starts a node without rivers, calls do, and stops the node.
func (c *publisher) withNode(ctx context.Context, do func(context.Context) error) error {
	return c.Serve(ctx, c.store, func(ctx context.Context, site Site) error {
		c.site = site
		return do(ctx)
	})
}

// prepare writes the post that the measurement edits.
func (c *publisher) prepare(ctx context.Context) (err error) {
	c.post, err = c.store.CreatePost(ctx, dataset.Admin, timeline.NewPost{To: []string{"group:" + dataset.BigGroupName}, Text: "Hear, hear."})
	return err
}

// change sets a new text of the post, of the usual length, and returns when the change was committed.
func (c *publisher) change(ctx context.Context) (time.Time, error) {
	err := c.edit(ctx, dataset.Padding(c.random, c.text))
	return time.Now(), err
}

// changeLarge sets a new text of the post that makes a long frame. The text is of random rare
// characters, so that compression hardly makes the frame shorter.
func (c *publisher) changeLarge(ctx context.Context) error {
	const most = 2900
	var b strings.Builder
	for range most {
		b.WriteRune(rune(0x20000 + c.random.IntN(0xa000)))
	}
	return c.edit(ctx, b.String())
}

func (c *publisher) edit(ctx context.Context, what string) error {
	text := client.Mark(c.marks) + " " + what
	c.marks++
	return c.store.EditPost(report.ByBench(ctx), dataset.Admin, c.post, timeline.PostEdit{Text: &text})
}

// homes returns the home pages of the first n members, with a new token for each.
func (c *publisher) homes(ctx context.Context, n int) ([]client.Page, error) {
	pages := make([]client.Page, n)
	for i := range pages {
		token, err := c.store.NewToken(ctx, dataset.Member(i), timeline.TokenSpec{Name: "bench", Scopes: timeline.AllScopes})
		if err != nil {
			return nil, err
		}
		pages[i] = client.Page{Path: client.HomePath, Token: token}
	}
	return pages, nil
}
