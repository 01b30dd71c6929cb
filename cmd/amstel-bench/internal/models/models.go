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
	// Copy makes a copy of the community with a name, and connects to the copy with a tracer. drop
	// deletes the copy; its pool must be closed before.
	Copy func(ctx context.Context, name string, tracer pgx.QueryTracer) (pool *pgxpool.Pool, drop func() error, err error)
	// Of describes the community in words.
	Of string
	// Folder is the folder for temporary files.
	Folder string

	Sources  []string          // the sources to measure; empty: all
	Settings timeline.SiteEdit // settings of the site other than the sources of homes and lists
	Seed     uint64            // the seed for everything that is random

	Active   int // the percentage of people who visit their homes
	Homes    int // how many homes' first visits are measured
	Rounds   int // how often each home is visited
	Writes   int // how many posts are measured
	RampMost int // the largest step of the ramps; 0: no ramps
	RampBy   int // each step of a ramp is this many times the previous one
	Mix      Mix
	Sessions int           // the largest number of acts under way at once
	Rate     float64       // acts in a second
	Seconds  float64       // the length of the life
	Loss     float64       // the seconds of load before everything is lost; 0: nothing is lost
	LossMost time.Duration // the longest wait until everything is back
	Visits   float64       // first visits for each post, for the recommendation; 0: as many as in the life

	Notice func(sentence string) // gets a sentence on what is going on; may be nil
}

func (c *Config) notice(format string, args ...any) {
	if c.Notice != nil {
		c.Notice(fmt.Sprintf(format, args...))
	}
}

// A Report has the results of a run of the laboratory.
type Report struct {
	Of      string // describes the community
	How     string // describes the life
	Results []Result
	Advice  Advice
}

// Run measures each source, and recommends one.
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

// visitsPerPost returns how many first visits there were for each post in the life, as the mean over all
// sources.
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

// Costs returns the cost of each source.
func (r *Report) Costs() (costs []Cost) {
	for i := range r.Results {
		costs = append(costs, r.Results[i].Cost())
	}
	return costs
}

// measure measures each source on its own copy of the community. In the measurements of visits and posts
// the sources take turns; in the others, which need the whole machine, one source comes after the other.
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

// closeAll closes the pools of all copies, and deletes the copies.
func closeAll(all []*laboratory) (err error) {
	for _, l := range all {
		l.pool.Close()
		err = errors.Join(err, l.drop())
	}
	return err
}
