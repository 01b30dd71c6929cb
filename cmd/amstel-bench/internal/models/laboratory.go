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
	asked   report.StatementCounts
	pool    *pgxpool.Pool
	drop    func() error // deletes the copy
	inboxes *inbox.Source
	store   *timeline.Store
	nodes   int // that were opened
	visited visited
	sent    sent
}

// visited is what was measured of first visits.
type visited struct {
	before     inbox.Counts
	homes      report.Times
	steps      []report.Times // by the steps of the ramp
	statements int
}

// sent is what was measured of posts.
type sent struct {
	answers, wholes report.Times
	wal             []int64
	rows            int64 // written before
}

// open makes the store of the copy.
func (l *laboratory) open(pool *pgxpool.Pool) {
	l.pool = pool
	l.inboxes = inbox.New(inbox.Options{})
	l.store = timeline.New(pool, timeline.Options{Source: l.inboxes})
}

// set sets the source, and the other settings that were asked for.
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

// work does all pending work of inboxes.
func (l *laboratory) work(ctx context.Context) error {
	for {
		more, err := l.inboxes.Work(report.ByBench(ctx), l.store, l.choiceOf)
		if err != nil || !more {
			return err
		}
	}
}

// tell does the work that posts left, and returns its duration.
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

// fill has all inboxes made. Active readers visit their homes once, some at a time, since a
// process remembers only so many wishes for inboxes.
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

// newPost returns a post; each of the same number has the same words.
func newPost(i int) timeline.NewPost {
	return timeline.NewPost{To: []string{"user"}, Text: fmt.Sprintf("Boat number %d goes by the market, and a few people write a line or two about it.", i)}
}

// visit visits a home.
func visit(ctx context.Context, node *river.Node, user timeline.UserID, at river.At) error {
	if _, err := node.Visit(ctx, homeOf(user), at); err != nil {
		return fmt.Errorf("home of user %d: %w", user, err)
	}
	return nil
}

func homeOf(user timeline.UserID) river.Key {
	return river.Key{Viewer: user, What: river.KindHome, TheirID: int64(user)}
}

// onEmptyNode calls do while a node runs that begins without rivers.
func (l *laboratory) onEmptyNode(ctx context.Context, store *timeline.Store, do func(*river.Node) error) (err error) {
	node, stop, err := l.start(ctx, store)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	return do(node)
}

// start runs a node that begins without rivers, until stop is called.
func (l *laboratory) start(ctx context.Context, store *timeline.Store) (node *river.Node, stop func() error, err error) {
	l.nodes++
	path := filepath.Join(l.Folder, fmt.Sprintf("models-%s-%d.db", l.result.Source, l.nodes))
	node, err = river.Open(ctx, river.Config{
		Store: store, Path: path,
		// A slow machine measures long visits, and not a node that refuses them.
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
			_ = os.Remove(path + suffix) // the folder goes later anyway
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
