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

// plan returns the actions of the strangers, with the names, words and pages of the community
// that they know.
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

// strangersWhole is how many strangers the bar is for.
const strangersWhole = 222

const (
	// strangersMembers is how many members read and write.
	strangersMembers = 100
	// strangersOpen is how many of the members have their home open on a socket.
	strangersOpen = 50
	// strangersBar is how many times its quiet value a member's p99 may reach.
	strangersBar = 3.0
	// memberEvery is the mean time between two requests of a member.
	memberEvery = time.Second
	// strangersCalm is the longest wait for the node to finish its work.
	strangersCalm = time.Minute
)

// A strangersRun has the members of a community read and write, by themselves and among
// strangers that send requests of all kinds, in turns.
type strangersRun struct {
	*run
	store *timeline.Store
	site  Site
	client.FollowedPages
	members []client.Member
}

// strangers measures how much longer members wait while strangers crawl, ask for
// deep pages, search, open sockets, read slowly, invent cookies and try
// passwords, all at once.
func (r *run) strangers(ctx context.Context) error {
	store := timeline.New(r.Pool, timeline.Options{})
	return r.Serve(ctx, store, func(ctx context.Context, site Site) error {
		s := &strangersRun{run: r, store: store, site: site}
		if err := s.prepare(ctx); err != nil {
			return err
		}
		return s.measure(ctx)
	})
}

// prepare creates a token for each member and a post for the others to comment on.
func (s *strangersRun) prepare(ctx context.Context) error {
	const busiest = `
		select u.id, u.name from users u join subscriptions s on s.user_id = u.id
		where u.status = 'public' and u.suspended_at is null
		group by u.id order by count(*) desc, u.id limit $1`
	rows, err := s.Pool.Query(ctx, busiest, strangersMembers)
	if err != nil {
		return err
	}
	type person struct {
		ID   timeline.UserID
		Name string
	}
	people, err := pgx.CollectRows(rows, pgx.RowToStructByPos[person])
	if err != nil {
		return err
	}
	for _, p := range people {
		token, err := s.store.NewToken(ctx, p.ID, "bench")
		if err != nil {
			return err
		}
		post, err := s.store.CreatePost(ctx, p.ID, timeline.NewPost{To: []string{"user"}, Text: "What do you think?"})
		if err != nil {
			return err
		}
		s.members = append(s.members, client.Member{Name: p.Name, Token: token, Post: post})
	}
	return nil
}

// measure runs the members' reads and writes, by themselves and among strangers in turns.
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
	var pages []client.Page
	for _, m := range s.members[:min(strangersOpen, len(s.members))] {
		pages = append(pages, client.Page{Path: client.HomePath, Token: m.Token})
	}
	if err := s.Open(pages); err != nil {
		return err
	}
	if _, err := client.Call[client.MembersResult](members, client.MembersOrder{Do: client.DoVisit, Site: s.site.Address, Members: s.members, Every: memberEvery}); err != nil {
		return err
	}
	s.notice("%d members read and write for %v s.", len(s.members), s.Seconds)
	if err := client.Pause(ctx, s.during()/4); err != nil { // so that every home lives
		return err
	}
	if _, err := client.Call[client.MembersResult](members, client.MembersOrder{Do: client.DoTell}); err != nil {
		return err
	}
	if err := client.Pause(ctx, s.during()); err != nil {
		return err
	}
	quiet, err := client.Call[client.MembersResult](members, client.MembersOrder{Do: client.DoTell})
	if err != nil {
		return err
	}

	strangers, err := client.Start(ctx, s.Clients, client.PartStrangers)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, strangers.Stop(err == nil)) }()
	plan, err := s.plan(ctx)
	if err != nil {
		return err
	}
	s.notice("%d strangers join them for %v s.", plan.Strangers(), s.Seconds)
	if _, err := client.Call[client.StrangersResult](strangers, plan); err != nil {
		return err
	}
	peak := s.watchMemory(ctx)
	if err := client.Pause(ctx, s.during()/4); err != nil { // until all of them are at it
		return err
	}
	if _, err := client.Call[client.MembersResult](members, client.MembersOrder{Do: client.DoTell}); err != nil {
		return err
	}
	before := s.site.Rivers.Stats()
	if err := client.Pause(ctx, s.during()); err != nil {
		return err
	}
	loud, err := client.Call[client.MembersResult](members, client.MembersOrder{Do: client.DoStop})
	if err != nil {
		return err
	}
	turns := s.site.Rivers.Stats().Turns - before.Turns
	crowd, err := client.Call[client.StrangersResult](strangers, client.StrangersOrder{Do: client.DoStop})
	if err != nil {
		return err
	}
	return s.reportStrangers(ctx, quiet, loud, crowd, peak(), float64(turns)/s.Seconds)
}

// watchMemory notes the largest resident set of this process, which is the
// server's, until its answer is called.
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

// reportStrangers compares the answers that members got with the primary, and reports the
// times and the faults.
func (s *strangersRun) reportStrangers(ctx context.Context, quiet, loud client.MembersResult, crowd client.StrangersResult, peak int64, turns float64) error {
	if err := settledWithin(ctx, s.site.Rivers, strangersCalm); err != nil {
		return err
	}
	lost, err := s.lost(ctx, append(quiet.Acknowledged, loud.Acknowledged...))
	if err != nil {
		return err
	}
	_, unequal, err := s.Compare(ctx)
	if err != nil {
		return err
	}
	for _, page := range unequal {
		s.notice("%s", page)
	}
	checked, err := river.Check(ctx, s.store, s.site.River, river.CheckOptions{}, func(line string) { s.notice("%s", line) })
	if err != nil {
		return err
	}
	for _, of := range slices.Sorted(maps.Keys(crowd.Answers)) {
		s.notice("%s: %v", of, crowd.Answers[of])
	}
	for failure, n := range loud.Failed {
		s.notice("A member %d times: %s", n, failure)
	}
	whole := lost == 0 && len(unequal) == 0 && checked.Differences == 0 && loud.Failures() == 0 && quiet.Failures() == 0
	how := fmt.Sprintf("of %d members, %d with an open home, while %d strangers made %d requests; %d of %d requests of members failed; "+
		"%d of %d acknowledged writes lost; %d open pages unlike their river; check: %d rivers, %d differences",
		len(s.members), len(s.Pages), crowd.Strangers, crowd.Requests(), loud.Failures(), loud.Reads.Count+loud.Writes.Count,
		lost, len(quiet.Acknowledged)+len(loud.Acknowledged), len(unequal), checked.Rivers, checked.Differences)
	for _, part := range []struct {
		name        string
		quiet, loud client.Requests
	}{{"strangers.reads", quiet.Reads, loud.Reads}, {"strangers.writes", quiet.Writes, loud.Writes}} {
		ratio := report.Ratio(part.loud.P99, part.quiet.P99)
		record := report.Record{
			Name: part.name, Of: how, Value: part.loud.P99, Unit: "ms", N: part.loud.Count, P50: part.loud.P50, P99: part.loud.P99,
			Beside: &report.Beside{Name: "the same members without strangers, p50 in ms", Value: part.quiet.P50, P99: part.quiet.P99},
			Parts:  map[string]float64{"times the quiet p99": ratio, "slowest": part.loud.Worst, "slowest when quiet": part.quiet.Worst},
		}
		record.Expect(fmt.Sprintf("p99 <= %v times its quiet value, nothing fails, and all is as it should be", strangersBar), ratio <= strangersBar && whole)
		if err := s.report(record); err != nil {
			return err
		}
	}
	stats := s.site.Rivers.Stats()
	return s.report(report.Record{
		Name: "strangers.memory", Unit: "MB", N: stats.Entries, Value: float64(peak) / (1 << 20),
		Of:    fmt.Sprintf("the largest resident set of the server among strangers; %d rivers with %d entries live at the end", total(stats.Living), stats.Entries),
		Parts: map[string]float64{"river DB": float64(stats.Size) / (1 << 20), "turns a second": report.Round(turns)},
	})
}

// settledWithin waits until the loop has finished the work that it left for later turns.
func settledWithin(ctx context.Context, node *river.Node, within time.Duration) error {
	for until := time.Now().Add(within); ; {
		if err := node.WaitApplied(ctx); err != nil && !errors.Is(err, river.ErrBehind) {
			return err
		}
		s := node.Stats()
		if s.Marks == 0 && s.Sweeping == 0 && s.Jobs == 0 && s.Building == 0 {
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("after %v there are %d marks, %d sweeps, %d jobs and %d builds left", within, s.Marks, s.Sweeping, s.Jobs, s.Building)
		}
	}
}

// lost counts the acknowledged writes that the primary does not have.
func (s *strangersRun) lost(ctx context.Context, acknowledged []string) (lost int, err error) {
	const query = `
		select count(*) from unnest($1::text[]) a(mark)
		where not exists (select from comments c where c.text = a.mark) and not exists (select from posts p where p.text = a.mark)`
	return lost, s.Pool.QueryRow(ctx, query, acknowledged).Scan(&lost)
}

func total(of map[river.Kind]int) (n int) {
	for _, some := range of {
		n += some
	}
	return n
}
