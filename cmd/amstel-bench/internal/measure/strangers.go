package measure

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// plan returns the order to the strangers: how many of them repeat each action, and the names, words
// and pages of the community that they use.
func (s *strangersRun) plan(ctx context.Context) (client.StrangersOrder, error) {
	o := client.StrangersOrder{Do: client.DoVisit, Site: s.site.Address, Crowds: []client.Strangers{
		{What: "crawl", Many: 20}, {What: "deep", Many: 100}, {What: "search", Many: 10}, {What: "sockets", Many: 20}, {What: "slow", Many: 50}, {What: "cookies", Many: 10}, {What: "passwords", Many: 10}, {What: "accounts", Many: 2},
	}}
	for i := range o.Crowds {
		o.Crowds[i].Many = max(1, o.Crowds[i].Many*min(s.Strangers, strangersWhole)/strangersWhole)
	}
	for _, part := range []struct {
		query string
		into  *[]string
	}{
		{`select name from users where status = 'public' order by id limit 3000`, &o.Names},
		{`select '/' || u.name || '/' || p.id from posts p join users u on u.id = p.user_id where u.status = 'public' and p.deleted_at is null order by p.id limit 20000`, &o.Posts},
		{`select lower(w) from (select text from posts where deleted_at is null order by id desc limit 2000) p, regexp_split_to_table(p.text, '[^[:alpha:]]+') w
			where length(w) between 4 and 12 group by 1 order by count(*) desc, 1 limit 300`, &o.Words},
	} {
		rows, err := s.Pool.Query(ctx, part.query)
		if err != nil {
			return o, err
		}
		if *part.into, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
			return o, err
		}
	}
	return o, nil
}

// strangersWhole is the number of strangers for which the bar is: the sum of the crowds in plan.
const strangersWhole = 222

const (
	// strangersBar is how many times as long the p99 of the members' requests may be among strangers as
	// without them.
	strangersBar = 3.0
	// memberEvery is the mean time between two requests of a member.
	memberEvery = time.Second
)

// A strangersRun has the members of a community read and write, alone and among strangers in turns.
type strangersRun struct {
	*run
	store *timeline.Store
	site  Site
	client.FollowedPages
	members []client.Member
}

// strangers measures how much longer members wait while strangers crawl, request deep pages, search,
// open sockets, read slowly, make up cookies, guess passwords and sign up, all at once.
func (r *run) strangers(ctx context.Context) error {
	store := timeline.New(r.Pool, timeline.Options{})
	return r.Serve(ctx, store, func(ctx context.Context, site Site) error {
		members, err := r.activeMembers(ctx, store)
		if err != nil {
			return err
		}
		s := &strangersRun{run: r, store: store, site: site, members: members}
		return s.measure(ctx)
	})
}

// measure runs the rounds: in each, members read and write alone, and then among strangers.
func (s *strangersRun) measure(ctx context.Context) (err error) {
	members, err := client.Start(ctx, s.Clients, client.PartMembers)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, members.Stop(err == nil)) }()
	if s.Sockets, err = client.StartSockets(ctx, s.Clients); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Sockets.Stop(err == nil)) }()
	s.Site = s.site.Address
	if err := s.Open(openHomes(s.members)); err != nil {
		return err
	}
	if _, err := client.Call[client.MembersResult](members, client.MembersOrder{Do: client.DoVisit, Site: s.site.Address, Members: s.members, Every: memberEvery}); err != nil {
		return err
	}
	s.notice("%d members read and write for %v s.", len(s.members), s.Seconds)
	if err := client.Pause(ctx, s.during()/4); err != nil { // so that every home lives
		return err
	}
	plan, err := s.plan(ctx)
	if err != nil {
		return err
	}
	var done strangersResult
	for range s.Rounds {
		if err := s.round(ctx, members, plan, &done); err != nil {
			return err
		}
	}
	if _, err := client.Call[client.MembersResult](members, client.MembersOrder{Do: client.DoStop}); err != nil {
		return err
	}
	return s.reportStrangers(ctx, plan.Strangers(), &done)
}

// A strangersResult is what the rounds of a run found.
type strangersResult struct {
	quiet, loud []client.MembersResult    // for each round, the members' results without and among strangers
	answers     map[string]map[string]int // the answers to strangers, see [client.StrangersResult]
	peak        int64                     // the largest resident set of the server among strangers, in bytes
	turns       float64                   // the loop's turns in a second among strangers, in the last round
}

// round has members read and write alone for some seconds, and then for as long among strangers.
func (s *strangersRun) round(ctx context.Context, members *client.Process, plan client.StrangersOrder, to *strangersResult) (err error) {
	tell := client.MembersOrder{Do: client.DoTell}
	if _, err := client.Call[client.MembersResult](members, tell); err != nil {
		return err
	}
	if err := client.Pause(ctx, s.during()); err != nil {
		return err
	}
	quiet, err := client.Call[client.MembersResult](members, tell)
	if err != nil {
		return err
	}

	strangers, err := client.Start(ctx, s.Clients, client.PartStrangers)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, strangers.Stop(err == nil)) }()
	s.notice("%d strangers join them for %v s.", plan.Strangers(), s.Seconds)
	if _, err := client.Call[client.StrangersResult](strangers, plan); err != nil {
		return err
	}
	peak := s.watchMemory(ctx)
	defer func() { to.peak = max(to.peak, peak()) }()
	if err := client.Pause(ctx, s.during()/4); err != nil { // until all strangers have begun
		return err
	}
	joined, err := client.Call[client.MembersResult](members, tell)
	if err != nil {
		return err
	}
	before := s.site.Rivers.Stats()
	if err := client.Pause(ctx, s.during()); err != nil {
		return err
	}
	loud, err := client.Call[client.MembersResult](members, tell)
	if err != nil {
		return err
	}
	to.turns = float64(s.site.Rivers.Stats().Turns-before.Turns) / s.Seconds
	crowd, err := client.Call[client.StrangersResult](strangers, client.StrangersOrder{Do: client.DoStop})
	if err != nil {
		return err
	}
	loud.Acknowledged = append(loud.Acknowledged, joined.Acknowledged...)
	to.quiet, to.loud = append(to.quiet, quiet), append(to.loud, loud)
	for what, answers := range crowd.Answers {
		if to.answers == nil {
			to.answers = make(map[string]map[string]int)
		}
		if to.answers[what] == nil {
			to.answers[what] = make(map[string]int)
		}
		for answer, times := range answers {
			to.answers[what][answer] += times
		}
	}
	return client.Pause(ctx, s.during()/4) // until the work that strangers left is done
}

// watchMemory records the largest resident set of this process, which is the server's, until the
// returned function is called.
func (s *strangersRun) watchMemory(ctx context.Context) (peak func() int64) {
	ctx, cancel := context.WithCancel(ctx)
	var most atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		for client.Pause(ctx, 100*time.Millisecond) == nil {
			most.Store(max(most.Load(), report.Resident()))
		}
	}()
	return func() int64 {
		cancel()
		<-done
		return most.Load()
	}
}

// reportStrangers asks the oracle, and reports what it found, and the medians over all rounds of the times and of
// their ratios.
func (s *strangersRun) reportStrangers(ctx context.Context, strangers int, done *strangersResult) error {
	var acknowledged client.Acknowledged
	failed := make(map[string]int)
	requests, failures := 0, 0
	for _, r := range slices.Concat(done.quiet, done.loud) {
		acknowledged.Texts = append(acknowledged.Texts, r.Acknowledged...)
		requests += r.Reads.Count + r.Writes.Count
		failures += r.Failures()
		for failure, n := range r.Failed {
			failed[failure] += n
		}
	}
	found, err := s.consult(ctx, s.store, s.site, &s.FollowedPages, &acknowledged)
	if err != nil {
		return err
	}
	crowd := client.StrangersResult{Strangers: strangers, Answers: done.answers}
	for _, of := range slices.Sorted(maps.Keys(crowd.Answers)) {
		s.notice("%s: %v", of, crowd.Answers[of])
	}
	for failure, n := range failed {
		s.notice("A member %d times: %s", n, failure)
	}
	whole := found.whole() && failures == 0
	how := fmt.Sprintf("of %d members, %d with an open home, while %d strangers made %d requests in %d rounds; %d of %d requests of members failed; %v",
		len(s.members), len(s.Pages), crowd.Strangers, crowd.Requests(), len(done.loud), failures, requests, found)
	for _, part := range []struct {
		name string
		of   func(client.MembersResult) client.Requests
	}{
		{"strangers.reads", func(r client.MembersResult) client.Requests { return r.Reads }},
		{"strangers.writes", func(r client.MembersResult) client.Requests { return r.Writes }},
	} {
		var quiet, loud requestTimes
		var ratios []float64
		for i := range done.loud {
			q, l := part.of(done.quiet[i]), part.of(done.loud[i])
			quiet.add(q)
			loud.add(l)
			ratios = append(ratios, report.Ratio(l.P99, q.P99))
		}
		record := report.Record{
			Name: part.name, Of: how, Value: report.Median(loud.p99), Unit: "ms", N: loud.count, P50: report.Median(loud.p50), P99: report.Median(loud.p99),
			Beside: &report.Beside{Name: "the same members without strangers, p50 in ms", Value: report.Median(quiet.p50), P99: report.Median(quiet.p99)},
			Parts: map[string]float64{
				"times the quiet p99": report.Median(ratios), "least of the rounds": slices.Min(ratios), "most of the rounds": slices.Max(ratios),
				"slowest": slices.Max(loud.worst), "slowest when quiet": slices.Max(quiet.worst),
			},
		}
		record.Expect(fmt.Sprintf("p99 <= %v times its quiet value, nothing fails, and all is as it should be", strangersBar), report.Median(ratios) <= strangersBar && whole)
		if err := s.report(record); err != nil {
			return err
		}
	}
	stats := s.site.Rivers.Stats()
	return s.report(report.Record{
		Name: "strangers.memory", Unit: "MB", N: stats.Entries, Value: float64(done.peak) / (1 << 20),
		Of:    fmt.Sprintf("the largest resident set of the server among strangers; %d rivers with %d entries live at the end", total(stats.Living), stats.Entries),
		Parts: map[string]float64{"river DB": float64(stats.Size) / (1 << 20), "turns a second": report.Round(done.turns)},
	})
}

// requestTimes are the times of requests in several rounds.
type requestTimes struct {
	count           int
	p50, p99, worst []float64 // one for each round, in ms
}

func (t *requestTimes) add(r client.Requests) {
	t.count += r.Count
	t.p50, t.p99, t.worst = append(t.p50, r.P50), append(t.p99, r.P99), append(t.worst, r.Worst)
}

func total(of map[river.Kind]int) (n int) {
	for _, some := range of {
		n += some
	}
	return n
}
