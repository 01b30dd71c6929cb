// Package ready has the homes of regular readers built shortly before they come.
//
// A [Worker] does three things. It keeps the times of visits, to the quarter of an hour,
// and writes them to the primary in the background: a row for each person and week, one
// update a quarter of an hour. It guesses by [History.Expects] which of the readers whom this
// node served last will come in the next minutes. And it has the node build their homes, one at a
// time, up to a number a minute, and only while the node has nothing else to do.
//
// A wrong guess costs a build and an hour of memory. After a wrong guess the worker builds nothing
// for the reader for half a day, and for twice as long after each further wrong guess in a row.
package ready

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

const (
	// Lead is how long before a quarter of an hour the homes of its readers are built.
	Lead = 5 * time.Minute
	// pause is for how long no home is built for a reader after a wrong guess. It doubles with
	// each further wrong guess in a row, up to longestPause.
	pause        = 12 * time.Hour
	longestPause = 16 * 24 * time.Hour
	// mostNotes and mostPauses bound the memory that people take.
	mostNotes, mostPauses = 50_000, 50_000
)

// A Store keeps the times of visits.
type Store interface {
	RecordVisits(ctx context.Context, node string, weeks []timeline.VisitWeek) error
	Regulars(ctx context.Context, node string, quarter int64) ([]timeline.VisitWeek, error)
}

// Rivers is the node that builds.
type Rivers interface {
	Prepare(context.Context, river.Key) (bool, error)
	Site() timeline.SiteSettings
}

// Config holds the parts of a Worker.
type Config struct {
	Store  Store
	Rivers Rivers
	Node   string           // a name of the node that stays the same over restarts
	Builds int              // homes a minute at most; 0: none, and only the times are kept
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger
}

// A Worker has homes built before their readers come. Its methods may be called
// concurrently.
type Worker struct {
	config Config

	mu     sync.Mutex
	notes  map[timeline.UserID]timeline.VisitWeek // visits that are not written yet
	wrote  map[timeline.UserID]int64              // the quarter that was noted last for each person
	pauses map[timeline.UserID]paused
	due    []timeline.UserID // the readers to build for, in the quarter that was looked at last
	looked int64             // that quarter
}

// paused records until when no home is built for a reader, and how many guesses in a row were
// wrong.
type paused struct {
	wrong int
	until time.Time
}

// New returns a worker.
func New(c Config) *Worker {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Worker{config: c, notes: make(map[timeline.UserID]timeline.VisitWeek),
		wrote: make(map[timeline.UserID]int64), pauses: make(map[timeline.UserID]paused)}
}

// Visited notes that a person came now. It changes only memory: [Worker.Flush] writes.
func (w *Worker) Visited(user timeline.UserID) {
	if user == 0 || !w.config.Rivers.Site().Ready {
		return
	}
	quarter := timeline.QuarterOf(w.config.Now())
	w.mu.Lock()
	defer w.mu.Unlock()
	if last, noted := w.wrote[user]; noted && last == quarter || len(w.notes) >= mostNotes {
		return
	}
	if len(w.wrote) >= mostNotes {
		clear(w.wrote)
	}
	w.wrote[user] = quarter
	note, is := w.notes[user]
	if fresh := timeline.WeekOf(user, quarter); !is || note.Week != fresh.Week {
		note = fresh
	}
	note.Add(quarter)
	w.notes[user] = note
}

// Flush writes the noted visits. If the write fails, the visits are lost, which costs at most a
// guess.
func (w *Worker) Flush(ctx context.Context) error {
	w.mu.Lock()
	notes := make([]timeline.VisitWeek, 0, len(w.notes))
	for _, note := range w.notes {
		notes = append(notes, note)
	}
	clear(w.notes)
	w.mu.Unlock()
	if len(notes) == 0 || !w.config.Rivers.Site().Ready {
		return nil
	}
	return w.config.Store.RecordVisits(ctx, w.config.Node, notes)
}

// Came notes whether the reader of a home that was built ahead came.
func (w *Worker) Came(key river.Key, came bool) {
	now := w.config.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if came {
		delete(w.pauses, key.Viewer)
		return
	}
	if len(w.pauses) >= mostPauses {
		clear(w.pauses)
	}
	p := w.pauses[key.Viewer]
	p.until = now.Add(min(pause<<min(p.wrong, 10), longestPause))
	p.wrong++
	w.pauses[key.Viewer] = p
}

// Run guesses and builds until the context ends.
func (w *Worker) Run(ctx context.Context) {
	if w.config.Builds <= 0 {
		return
	}
	step := time.NewTicker(time.Minute / time.Duration(w.config.Builds))
	defer step.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-step.C:
		}
		if err := w.Step(ctx); err != nil && ctx.Err() == nil {
			w.config.Log.Debug("no home was built ahead", "err", err)
		}
	}
}

// Step builds at most one home, for a reader whom the worker expects in the present quarter of
// an hour or in one that begins within [Lead].
func (w *Worker) Step(ctx context.Context) error {
	if !w.config.Rivers.Site().Ready {
		return nil
	}
	if err := w.look(ctx, timeline.QuarterOf(w.config.Now().Add(Lead))); err != nil {
		return err
	}
	for {
		user, is := w.next()
		if !is {
			return nil
		}
		built, err := w.config.Rivers.Prepare(ctx, river.Key{Viewer: user, What: river.KindHome, TheirID: int64(user)})
		if errors.Is(err, river.ErrBusy) {
			w.putBack(user)
			return nil
		}
		if built || err != nil {
			return err
		}
	}
}

// look finds the people who are expected in a quarter, once for each quarter.
func (w *Worker) look(ctx context.Context, quarter int64) error {
	w.mu.Lock()
	looked := w.looked == quarter
	w.mu.Unlock()
	if looked {
		return nil
	}
	weeks, err := w.config.Store.Regulars(ctx, w.config.Node, quarter)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looked, w.due = quarter, w.due[:0]
	for len(weeks) > 0 {
		of := 1
		for of < len(weeks) && weeks[of].User == weeks[0].User {
			of++
		}
		if History(weeks[:of]).Expects(quarter) {
			w.due = append(w.due, weeks[0].User)
		}
		weeks = weeks[of:]
	}
	return nil
}

// putBack makes a reader the next one to build for, at a later step, when the node has time.
func (w *Worker) putBack(user timeline.UserID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.due = append([]timeline.UserID{user}, w.due...)
}

// next takes the next reader to build for.
func (w *Worker) next() (timeline.UserID, bool) {
	now := w.config.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.due) > 0 {
		user := w.due[0]
		w.due = w.due[1:]
		if !now.Before(w.pauses[user].until) {
			return user, true
		}
	}
	return 0, false
}
