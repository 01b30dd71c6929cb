package models

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/inbox"
)

// A laboratory measures one source on one copy of the community.
type laboratory struct {
	*Config
	people  *Community
	result  *Result
	asked   report.StatementCounts // the statements on pool
	pool    *pgxpool.Pool          // the copy
	drop    func() error           // deletes the copy
	inboxes *inbox.Source
	store   *timeline.Store
	nodes   int // how many nodes were started
	visited visited
	sent    sent
}

// visited has the measurements of first visits.
type visited struct {
	before     inbox.Counts   // before the first visit
	homes      report.Times   // how long the visits of homes took
	steps      []report.Times // for each step of the ramp, how long visits of the reader's home took
	statements int            // the statements of all visits of homes
}

// sent has the measurements of posts.
type sent struct {
	answers report.Times // how long each author waited for the answer
	wholes  report.Times // how long it took until every inbox had the post
	wal     []int64      // bytes of the log for each post
	rows    int64        // the number of rows written before the first post
}

// open sets the pool of the copy, and makes its store.
func (l *laboratory) open(pool *pgxpool.Pool) {
	l.pool = pool
	l.inboxes = inbox.New(inbox.Options{})
	l.store = timeline.New(pool, timeline.Options{Source: l.inboxes})
}

// set sets the source and the other settings of the site.
func (l *laboratory) set(ctx context.Context) error {
	edit := timeline.SiteEdit{"source.home": l.result.Source, "source.list": l.result.Source}
	for key, value := range l.Settings {
		edit[key] = value
	}
	_, err := l.store.ArrangeSite(ctx, edit)
	return err
}

func (l *laboratory) choiceOf(ctx context.Context, key timeline.InboxKey) (timeline.Choice, error) {
	return river.ChoiceOf(ctx, l.store, key)
}

// work does all work of inboxes that is left.
func (l *laboratory) work(ctx context.Context) error {
	for {
		more, err := l.inboxes.Work(report.ByBench(ctx), l.store, l.choiceOf)
		if err != nil || !more {
			return err
		}
	}
}

// tell puts new posts into the inboxes in which they belong, and returns how long that took.
func (l *laboratory) tell(ctx context.Context) (took time.Duration, err error) {
	const any = `select exists (select from inbox_fanouts)`
	for {
		var more bool
		if err := l.pool.QueryRow(report.ByBench(ctx), any).Scan(&more); err != nil || !more {
			return took, err
		}
		begun := time.Now()
		if _, err := l.inboxes.Work(ctx, l.store, l.choiceOf); err != nil {
			return took, err
		}
		took += time.Since(begun)
	}
}

// fill has all inboxes made. Active readers visit their homes once. After every 200 visits the inboxes
// are made that these visits asked for, because a process remembers only a limited number of them.
func (l *laboratory) fill(ctx context.Context) error {
	const some = 200
	if err := l.set(ctx); err != nil {
		return err
	}
	begun := time.Now()
	if err := l.work(ctx); err != nil {
		return err
	}
	took := time.Since(begun)
	err := l.onEmptyNode(ctx, l.store, func(node *river.Node) error {
		for i, at := range l.people.Active {
			if err := visit(ctx, node, l.people.People[at].ID, river.At{}); err != nil {
				return err
			}
			if i%some == some-1 || i == len(l.people.Active)-1 {
				begun := time.Now()
				if err := l.work(ctx); err != nil {
					return err
				}
				took += time.Since(begun)
			}
		}
		for _, one := range l.people.Readers {
			if err := visit(ctx, node, one.Person, river.At{}); err != nil {
				return err
			}
		}
		return l.work(ctx)
	})
	if err != nil {
		return err
	}
	l.result.Fill = took.Seconds()
	const inboxes = `
		select (select count(*) from inboxes), coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
		from pg_class c where c.relkind = 'r' and c.relname like 'inbox%' and c.relnamespace = 'public'::regnamespace and exists (select from inboxes)`
	return l.pool.QueryRow(ctx, inboxes).Scan(&l.result.Inboxes, &l.result.Bytes)
}

// newPost returns post number i. Its text follows from the number.
func newPost(i int) timeline.NewPost {
	return timeline.NewPost{To: []string{"user"}, Text: fmt.Sprintf("Boat number %d goes by the market, and a few people write a line or two about it.", i)}
}

// visit visits a person's home on a node.
func visit(ctx context.Context, node *river.Node, user timeline.UserID, at river.At) error {
	if _, err := node.Visit(ctx, homeOf(user), at); err != nil {
		return fmt.Errorf("home of user %d: %w", user, err)
	}
	return nil
}

func homeOf(user timeline.UserID) river.Key {
	return river.Key{Viewer: user, What: river.KindHome, TheirID: int64(user)}
}

// onEmptyNode starts a node without rivers, calls do, and stops the node.
func (l *laboratory) onEmptyNode(ctx context.Context, store *timeline.Store, do func(*river.Node) error) (err error) {
	node, stop, err := l.start(ctx, store)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	return do(node)
}

// start starts a node without rivers. The node runs until stop is called.
func (l *laboratory) start(ctx context.Context, store *timeline.Store) (node *river.Node, stop func() error, err error) {
	l.nodes++
	path := filepath.Join(l.Folder, fmt.Sprintf("models-%s-%d.db", l.result.Source, l.nodes))
	node, err = river.Open(ctx, river.Config{
		Store: store, Path: path,
		// On a slow machine the node shall take long for a visit, and not refuse it.
		Settings: river.Settings{Limits: river.Limits{Behind: time.Minute, Blind: time.Minute}},
	})
	if err != nil {
		return nil, nil, err
	}
	looping, end := context.WithCancel(report.ByNode(ctx))
	ended := make(chan error, 1)
	go func() { ended <- node.Run(looping) }()
	stop = func() error {
		end()
		err := <-ended
		for _, suffix := range []string{"", "-wal", "-shm"} {
			_ = os.Remove(path + suffix) // the folder is removed later anyway
		}
		return err
	}
	for {
		err := node.WaitApplied(ctx)
		if err == nil {
			return node, stop, nil
		}
		if !errors.Is(err, river.ErrBehind) { // until its first turn a node reports that it is behind
			return nil, nil, errors.Join(err, stop())
		}
	}
}
