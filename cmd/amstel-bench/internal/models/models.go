package models

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline"
)

// A Config tells the laboratory what to measure, and on which data.
type Config struct {
	// Pool is the community. It is closed before the first copy is made.
	Pool *pgxpool.Pool
	// Copy makes a copy of the community, and connects to the copy with a tracer. The copy is
	// deleted by drop, after its pool is closed.
	Copy func(ctx context.Context, name string, tracer pgx.QueryTracer) (pool *pgxpool.Pool, drop func() error, err error)
	// Of says in words what the community is.
	Of string
	// Folder is the folder for temporary files.
	Folder string

	Sources  []string          // to measure; empty: all
	Settings timeline.SiteEdit // of the site, beside the sources of homes and lists
	Seed     uint64            // of all that is done at random

	Active   int // percent of the people who visit their homes
	Homes    int // whose first visits are measured
	Rounds   int // how often each is visited
	Writes   int // posts that are measured
	RampMost int // the last step of the ramps; 0: no ramps
	RampBy   int // how many times greater each step of a ramp is
	Mix      Mix
	Sessions int           // how many acts may be under way at once
	Rate     float64       // acts a second
	Seconds  float64       // of life
	Loss     float64       // seconds of load before all is lost; 0: nothing is lost
	LossMost time.Duration // how long to wait until all is back
	Visits   float64       // first visits for each post, for the choice; 0: as many as in the life

	Notice func(sentence string) // gets a sentence on what is going on; may be nil
}

func (c *Config) notice(format string, args ...any) {
	if c.Notice != nil {
		c.Notice(fmt.Sprintf(format, args...))
	}
}

// A Report is what a run of the laboratory found.
type Report struct {
	Of      string // the community
	How     string // the acts
	Results []Result
	Advice  Advice
}

// Run measures each source, and advises which to choose.
func Run(ctx context.Context, c Config) (*Report, error) {
	if len(c.Sources) == 0 {
		c.Sources = timeline.Sources()
	}
	c.notice("Preparing the community.")
	if err := prepare(ctx, c.Pool, &c); err != nil {
		return nil, fmt.Errorf("prepare the community: %w", err)
	}
	people, err := readCommunity(ctx, c.Pool, &c)
	if err != nil {
		return nil, err
	}
	c.Pool.Close()
	r := &Report{
		Of: fmt.Sprintf("%s: %d people, of whom %d visit their homes, %d subscriptions, %d posts", c.Of, len(people.People), len(people.Active), len(people.Following), people.Posts),
		How: fmt.Sprintf("%d %% follow, %d %% unfollow, %d %% read, %d %% scroll, %d %% send; %d sessions, %g acts a second for %g seconds; seed %d",
			c.Mix.Follow, c.Mix.Unfollow, c.Mix.Read, c.Mix.Scroll, c.Mix.Send, c.Sessions, c.Rate, c.Seconds, c.Seed),
	}
	if r.Results, err = measure(ctx, &c, people); err != nil {
		return nil, err
	}
	visited := c.Visits
	if visited == 0 {
		visited = r.visitsPerPost()
	}
	r.Advice = Advise(r.Costs(), visited)
	return r, nil
}

// visitsPerPost returns how many first visits came for each post in the life, as the mean of
// all sources: they lived the same life.
func (r *Report) visitsPerPost() float64 {
	visits, posts := 0, 0
	for i := range r.Results {
		visits += r.Results[i].FirstVisits
		for _, op := range r.Results[i].Life {
			if op.Name == doSend {
				posts += op.N
			}
		}
	}
	return float64(visits) / float64(max(1, posts))
}

// Costs returns what each source costs.
func (r *Report) Costs() (costs []Cost) {
	for i := range r.Results {
		costs = append(costs, r.Results[i].Cost())
	}
	return costs
}

// measure measures each source on its own copy of the community: visits and posts in turns;
// measurements that need the whole machine one source after the other.
func measure(ctx context.Context, c *Config, people *Community) (results []Result, err error) {
	var all []*laboratory
	for _, source := range c.Sources {
		l := &laboratory{Config: c, people: people, result: &Result{Source: source}}
		pool, drop, err := c.Copy(ctx, source, &l.asked)
		if err != nil {
			return nil, errors.Join(err, closeAll(all))
		}
		l.drop = drop
		l.open(pool)
		all = append(all, l)
	}
	defer func() { err = errors.Join(err, closeAll(all)) }()
	each := func(what string, do func(*laboratory, context.Context) error) error {
		for _, l := range all {
			c.notice("%s: %s.", l.result.Source, what)
			if err := do(l, ctx); err != nil {
				return fmt.Errorf("source %s, %s: %w", l.result.Source, what, err)
			}
		}
		return nil
	}
	if err := each("making inboxes", (*laboratory).fill); err != nil {
		return nil, err
	}
	c.notice("All sources in turns: first visits.")
	if err := visits(ctx, all); err != nil {
		return nil, fmt.Errorf("first visits: %w", err)
	}
	c.notice("All sources in turns: posts.")
	if err := posts(ctx, all); err != nil {
		return nil, fmt.Errorf("posts: %w", err)
	}
	for _, step := range []struct {
		name string
		do   func(*laboratory, context.Context) error
	}{{"a mixed life", (*laboratory).life}, {"comparing homes after the life", (*laboratory).compare},
		{"losing everything", (*laboratory).lose}, {"comparing homes after the loss", (*laboratory).compare}} {
		if err := each(step.name, step.do); err != nil {
			return nil, err
		}
	}
	for _, l := range all {
		results = append(results, *l.result)
	}
	return results, nil
}

// closeAll deletes the copies.
func closeAll(all []*laboratory) (err error) {
	for _, l := range all {
		l.pool.Close()
		err = errors.Join(err, l.drop())
	}
	return err
}
