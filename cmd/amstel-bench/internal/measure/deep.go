package measure

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

const (
	// actionsATurn is how many first visits, and how many writes, are made at most before quiet and
	// strangers change places.
	actionsATurn = 40
	// deepStrangers is the largest number of strangers who request deep pages at once.
	deepStrangers = 100
	// deepestPage is the last page that can be requested by its number. It is compared with the page
	// that is nearer times nearer to the top.
	deepestPage, nearer = 400, 10
	// deepBar is how many times as long the deep page may take as the page that it is compared with,
	// and a first visit or a write among strangers as one in quiet.
	deepBar = 2.0
)

// deep measures pages far down: page 400 compared with page 40, and first visits and writes while a
// hundred strangers request page 400 again and again. If the community has too few posts for page
// 400, a page nearer to the top takes its place.
func (r *run) deep(ctx context.Context) error {
	store := timeline.New(r.Pool, timeline.Options{})
	people, err := r.deepPeople(ctx)
	if err != nil {
		return err
	}
	return r.Serve(ctx, store, func(ctx context.Context, site Site) error {
		d := &deepRun{Site: site, store: store, people: people, rounds: 13 * r.Rounds, strangers: min(deepStrangers, r.Strangers)}
		if err := errors.Join(d.likable(ctx), d.depth(ctx)); err != nil {
			return err
		}
		for _, state := range []struct {
			name, of     string
			write, first bool
		}{
			{"deep.page", "nothing having changed since it was last asked for", false, false},
			{"deep.page.changed", "a like having come or gone before each visit", true, false},
			{"deep.page.first", "each visit on a way without earlier visits", false, true},
		} {
			near, far, err := d.pages(ctx, state.write, state.first)
			if err != nil {
				return err
			}
			ratio := report.Ratio(far.Quantile(0.5), near.Quantile(0.5))
			record := report.Record{
				Name: state.name, Of: fmt.Sprintf("page %d of everything, %s", d.far, state.of), Unit: "ms",
				Beside: &report.Beside{Name: fmt.Sprintf("page %d, ms", d.near), Value: near.Quantile(0.5), P99: near.Quantile(0.99)}, Ratio: ratio,
			}
			record.SetTimes(far, 0.5)
			if !state.first {
				record.Expect(fmt.Sprintf("ratio <= %v", deepBar), ratio <= deepBar)
			}
			if err := r.report(record); err != nil {
				return err
			}
		}
		return r.deepFlood(ctx, d)
	})
}

// deepPeople returns public people, for whom pages are visited for the first time.
func (r *run) deepPeople(ctx context.Context) ([]timeline.UserID, error) {
	const query = `select id from users where status = 'public' order by id limit 4000`
	rows, _ := r.Pool.Query(ctx, query) // CollectRows reports its error
	people, err := pgx.CollectRows(rows, pgx.RowTo[timeline.UserID])
	if err == nil && len(people) < 2 {
		err = errors.New("there are no people")
	}
	return people, err
}

// likable finds posts that the first of the people may like, and stores them in posts.
func (d *deepRun) likable(ctx context.Context) error {
	view, err := d.Rivers.Visit(ctx, everything(d.people[0]), river.At{Count: 100})
	if err != nil {
		return err
	}
	for i := range view.Entries {
		if e := &view.Entries[i]; e.Facts.Author != d.people[0] && !e.Liked {
			d.posts = append(d.posts, e.Facts.ID)
		}
	}
	if len(d.posts) == 0 {
		return errors.New("there is nothing to like")
	}
	return nil
}

// depth finds the deepest page to measure, and the page to compare it with.
func (d *deepRun) depth(ctx context.Context) error {
	for d.far = deepestPage; d.far > nearer; d.far = d.far * 3 / 4 {
		view, err := d.Rivers.Visit(ctx, everything(0), d.page(d.far))
		if err != nil {
			return err
		}
		if len(view.Entries) == pageSize {
			break
		}
	}
	d.near = max(d.far/nearer, 1)
	return nil
}

// A deepRun requests deep pages from a site.
type deepRun struct {
	Site
	store     *timeline.Store
	people    []timeline.UserID
	posts     []timeline.PostID // posts for the first of the people to like
	far, near int               // the numbers of the deepest page, and of the page to compare it with
	rounds    int               // how often each page is visited
	strangers int               // the number of strangers
	visited   int               // how many pages were visited for the first time
	flips     int               // how many likes came or went
}

func (d *deepRun) page(number int) river.At {
	return river.At{Skip: (number - 1) * pageSize, Count: pageSize}
}

// pages visits the near page and the far page in turns. If write is set, it writes before each visit. If
// first is set, each visit is to a page that no client requested before.
func (d *deepRun) pages(ctx context.Context, write, first bool) (near, far report.Times, err error) {
	for i := range d.rounds + 2 {
		for j := range 2 {
			page, to := d.near, &near
			if (i+j)%2 == 1 {
				page, to = d.far, &far
			}
			if write {
				if _, err := d.write(ctx); err != nil {
					return nil, nil, err
				}
			}
			at := d.page(page)
			if first { // a start in the future skips nothing, and a new one makes the page a new one
				at.StartFrom = time.Now().Add(time.Hour).UnixMilli() + int64(2*i+j)
			}
			begun := time.Now()
			view, err := d.Rivers.Visit(ctx, everything(0), at)
			if err != nil {
				return nil, nil, fmt.Errorf("page %d: %w", page, err)
			}
			if len(view.Entries) != pageSize {
				return nil, nil, fmt.Errorf("page %d has %d entries", page, len(view.Entries))
			}
			if i >= 2 { // by then every statement is prepared
				*to = append(*to, time.Since(begun))
			}
		}
	}
	return near, far, nil
}

// write likes a post, or takes the like back, and waits until the liker's page shows the change. It
// returns how long that took.
func (d *deepRun) write(ctx context.Context) (time.Duration, error) {
	do, post := d.store.Like, d.posts[d.flips/2%len(d.posts)]
	if d.flips%2 == 1 {
		do = d.store.Unlike
	}
	d.flips++
	begun := time.Now()
	if err := do(ctx, d.people[0], post); err != nil {
		return 0, err
	}
	_, err := d.Rivers.EntryAfterWrite(ctx, everything(d.people[0]), post)
	return time.Since(begun), err
}

// first visits the page of a river that does not live yet, and returns how long that took.
func (d *deepRun) first(ctx context.Context) (time.Duration, error) {
	viewer := d.people[d.visited%len(d.people)]
	key := []river.Key{home(viewer), everything(viewer)}[d.visited/len(d.people)%2]
	d.visited++
	begun := time.Now()
	for {
		_, err := d.Rivers.Visit(ctx, key, river.At{})
		if !errors.Is(err, river.ErrBehind) {
			return time.Since(begun), err
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		// A visitor would try again too.
	}
}

// actions makes first visits and writes in turns, and returns how long they took.
func (d *deepRun) actions(ctx context.Context) (firsts, writes report.Times, err error) {
	for range min(actionsATurn, d.rounds) {
		took, err := d.first(ctx)
		if err != nil {
			return nil, nil, fmt.Errorf("first visit: %w", err)
		}
		firsts = append(firsts, took)
		if took, err = d.write(ctx); err != nil {
			return nil, nil, fmt.Errorf("write: %w", err)
		}
		writes = append(writes, took)
	}
	return firsts, writes, nil
}

// deepFlood measures first visits and writes in quiet and among strangers, in turns. It does so twice:
// with an address for each stranger, and with one address for all.
func (r *run) deepFlood(ctx context.Context, d *deepRun) error {
	for _, flood := range []struct {
		name, of string
		from     func(i int) string
	}{
		{"deep.flood", "each from an address of its own", func(i int) string { return fmt.Sprintf("198.51.100.%d:40000", i+1) }},
		{"deep.flood.one", "all from one address", func(int) string { return "198.51.100.1:40000" }},
	} {
		var quiet, busy struct{ firsts, writes report.Times }
		var served, refused int
		if _, err := d.first(ctx); err != nil {
			return err
		}
		for range r.Rounds {
			firsts, writes, err := d.actions(ctx)
			if err != nil {
				return err
			}
			quiet.firsts, quiet.writes = append(quiet.firsts, firsts...), append(quiet.writes, writes...)
			crowd := d.flood(ctx, flood.from)
			firsts, writes, err = d.actions(ctx)
			ok, no := crowd()
			if err != nil {
				return err
			}
			served, refused = served+ok, refused+no
			busy.firsts, busy.writes = append(busy.firsts, firsts...), append(busy.writes, writes...)
		}
		for _, deed := range []struct {
			name        string
			quiet, busy report.Times
		}{{".first", quiet.firsts, busy.firsts}, {".write", quiet.writes, busy.writes}} {
			ratio := report.Ratio(deed.busy.Quantile(0.5), deed.quiet.Quantile(0.5))
			record := report.Record{
				Name: flood.name + deed.name, Unit: "ms",
				Of: fmt.Sprintf("while %d strangers, %s, ask for page %d again and again: %d pages were served, %d refused",
					d.strangers, flood.of, d.far, served, refused),
				Beside: &report.Beside{Name: "in quiet, ms", Value: deed.quiet.Quantile(0.5), P99: deed.quiet.Quantile(0.99)}, Ratio: ratio,
			}
			record.SetTimes(deed.busy, 0.5)
			record.Expect(fmt.Sprintf("ratio <= %v", deepBar), ratio <= deepBar)
			if err := r.report(record); err != nil {
				return err
			}
		}
	}
	return nil
}

// flood has strangers request the far page again and again, until stop is called. stop returns how many
// requests were served and how many refused. A stranger who is refused waits for as long as the answer
// says. flood returns when each stranger has begun.
func (d *deepRun) flood(ctx context.Context, from func(i int) string) (stop func() (served, refused int)) {
	ctx, cancel := context.WithCancel(ctx)
	var mu sync.Mutex
	var wg sync.WaitGroup
	served, refused := 0, 0
	began := make(chan struct{}, d.strangers)
	for i := range d.strangers {
		wg.Go(func() {
			form := client.Request{Path: fmt.Sprintf("/filter/everything?page=%d", d.far), Accept: "text/html", Encoding: "identity"}
			for ctx.Err() == nil {
				request := form.HTTP(ctx, d.Address)
				request.RemoteAddr = from(i)
				w := client.NewCounter()
				select {
				case began <- struct{}{}:
				default:
				}
				d.Handler.ServeHTTP(w, request)
				mu.Lock()
				if w.Status == http.StatusOK && w.Bytes > 0 {
					served++
				} else if ctx.Err() == nil {
					refused++
				}
				mu.Unlock()
				if seconds, err := time.ParseDuration(w.Header().Get("Retry-After") + "s"); err == nil {
					select {
					case <-time.After(seconds):
					case <-ctx.Done():
					}
				}
			}
		})
	}
	for range d.strangers {
		<-began
	}
	return func() (int, int) {
		cancel()
		wg.Wait()
		return served, refused
	}
}
