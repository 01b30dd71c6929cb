package measure

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/timeline"
)

const (
	// frameBar is the longest time that 99 of 100 frames may take.
	frameBar = 300.0 // ms
	// writer is the name of the author of the comments.
	writer = "amstel-bench"
)

// frames measures how long it takes from the commit of a comment until each of many open pages gets a
// frame that shows the comment.
func (r *run) frames(ctx context.Context) error {
	store := timeline.New(r.Pool, timeline.Options{})
	return r.Serve(ctx, store, func(ctx context.Context, site Site) error {
		t := &framesRun{run: r, store: store}
		pages, err := t.prepare(ctx, site)
		if err != nil {
			return err
		}
		sockets, err := client.StartSockets(ctx, r.Clients)
		if err != nil {
			return err
		}
		err = t.measure(ctx, sockets, site, pages)
		return errors.Join(err, sockets.Stop(err == nil))
	})
}

// A framesRun writes comments on one post, and measures when open pages show them.
type framesRun struct {
	*run
	store  *timeline.Store
	author timeline.UserID
	post   timeline.PostID
	homes  int // how many of the pages are homes: the first ones
}

// prepare writes the post and subscribes people to its author, so that the people's homes show the
// post. It returns the pages to open: these homes, and then pages of the river of everything.
func (t *framesRun) prepare(ctx context.Context, site Site) (pages []client.Page, err error) {
	t.author, err = t.store.SignUp(ctx, timeline.NewUser{Name: writer, Email: "bench@amstel.example", NoPassword: true})
	if err != nil {
		return nil, err
	}
	t.post, err = t.store.CreatePost(ctx, t.author, timeline.NewPost{To: []string{"user"}, Text: "Measuring."})
	if err != nil {
		return nil, err
	}
	people, err := t.people(ctx, t.Pages/2)
	if err != nil {
		return nil, err
	}
	t.homes = len(people)
	for i := range t.Pages {
		if i >= len(people) {
			pages = append(pages, client.Page{Path: hotPath})
			continue
		}
		if _, err := t.store.Subscribe(ctx, people[i], timeline.FeedName{Name: writer}, timeline.SubscribeOptions{}); err != nil {
			return nil, err
		}
		token, err := t.store.NewToken(ctx, people[i], timeline.TokenSpec{Name: "bench", Scopes: timeline.AllScopes})
		if err != nil {
			return nil, err
		}
		pages = append(pages, client.Page{Path: client.HomePath, Token: token})
	}
	return pages, settled(ctx, site.Rivers)
}

// people returns up to n people whose homes to open, in the order of their ids.
func (t *framesRun) people(ctx context.Context, n int) ([]timeline.UserID, error) {
	const query = `
		select id from users where status <> 'deleted' and suspended_at is null and id <> $1
		order by id limit $2`
	rows, _ := t.Pool.Query(ctx, query, t.author, n) // CollectRows reports its error
	return pgx.CollectRows(rows, pgx.RowTo[timeline.UserID])
}

// measure opens the pages, writes the comments, and reports how soon each page showed each comment.
func (t *framesRun) measure(ctx context.Context, sockets *client.Sockets, site Site, pages []client.Page) error {
	t.notice("Opening %d pages.", len(pages))
	if err := sockets.Open(site.Address, 0, false, pages...); err != nil {
		return err
	}
	t.notice("Writing %v comments a second for %v s.", t.PerSecond, t.Seconds)
	before, err := t.usage(ctx, t.Pool, site)
	if err != nil {
		return err
	}
	committed, err := t.write(ctx)
	if err != nil {
		return err
	}
	result, err := sockets.Do(client.Order{Do: client.DoAwait, To: len(committed) - 1})
	if err != nil {
		return err
	}
	after, err := t.usage(ctx, t.Pool, site)
	if err != nil {
		return err
	}
	return t.reportFrames(&changeSeries{committed: committed, seen: result.Seen}, before, after)
}

// reportFrames reports how long the frames took: all of them, those of homes, and those of the river of
// everything. before and after are what the server had used when the first comment was written, and when the last frame had come.
func (t *framesRun) reportFrames(s *changeSeries, before, after report.Usage) error {
	where := "in this process"
	if t.Clients != nil {
		where = "in a process of their own"
	}
	comments := fmt.Sprintf("%d comments at random times, %v a second", len(s.committed), t.PerSecond)
	took, lost, _ := s.arrivals(0, t.Pages)
	record := frameRecord("frame", took)
	record.SetUsage(before, after)
	record.Of = fmt.Sprintf("%d open pages %s, %d on the river of all visitors and %d on homes of their own; %s; %d frames never came",
		t.Pages, where, t.Pages-t.homes, t.homes, comments, lost)
	record.Expect(fmt.Sprintf("p99 <= %v ms, and every frame comes", frameBar), record.P99 <= frameBar && lost == 0)
	if err := t.report(record); err != nil {
		return err
	}
	for _, kind := range []struct {
		name, of    string
		first, past int // the numbers of the sockets: from first on, and below past
	}{
		{"frame.homes", "homes", 0, t.homes},
		{"frame.everybody", "pages of the river of all visitors", t.homes, t.Pages},
	} {
		if kind.first == kind.past {
			continue
		}
		took, _, _ := s.arrivals(kind.first, kind.past)
		record := frameRecord(kind.name, took)
		record.Of = fmt.Sprintf("the %d %s among them; %s", kind.past-kind.first, kind.of, comments)
		if err := t.report(record); err != nil {
			return err
		}
	}
	return nil
}

func frameRecord(name string, took report.Times) report.Record {
	record := report.Record{Name: name, Unit: "ms"}
	record.SetTimes(took, 0.99)
	return record
}

// write writes comments at random times, as people do, and returns when each commit returned.
func (t *framesRun) write(ctx context.Context) ([]time.Time, error) {
	random := rand.New(rand.NewPCG(3, 4))
	var committed []time.Time
	begun := time.Now()
	at := time.Duration(0) // when to write, as the time since begun
	for {
		at += time.Duration(random.ExpFloat64() / t.PerSecond * float64(time.Second))
		if at > time.Duration(t.Seconds*float64(time.Second)) && len(committed) > 0 {
			return committed, nil
		}
		pause := time.NewTimer(time.Until(begun.Add(at)))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return nil, ctx.Err()
		}
		text := client.Mark(len(committed))
		if _, err := t.store.AddComment(ctx, t.author, t.post, timeline.NewComment{Text: text}); err != nil {
			return nil, err
		}
		committed = append(committed, time.Now())
	}
}
