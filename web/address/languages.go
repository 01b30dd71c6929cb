package address

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
)

const (
	// languagesFresh is how long the languages in use are believed, and
	// languagesLeast how long they are where one that is asked for is not among
	// them.
	languagesFresh = 30 * time.Second
	languagesLeast = time.Second
)

// ErrLanguage says that there is nothing to read in a language.
var ErrLanguage = fmt.Errorf("language: %w", timeline.ErrNotFound)

// Languages remembers in which languages there is something that everybody may
// read. A [Resolver] has one.
type Languages struct {
	store  Store
	rivers Rivers
	now    func() time.Time
	log    *slog.Logger
	held   atomic.Pointer[languages]
}

// languages are those in use, as they were at a time.
type languages struct {
	all []text.Language
	at  time.Time
}

// InUse returns the languages in which there is something that everybody may read.
func (l *Languages) InUse(ctx context.Context) []text.Language { return l.inUse(ctx, languagesFresh) }

// inUse returns the languages as they were within a time. While the primary is
// away, those that were known have to do.
func (l *Languages) inUse(ctx context.Context, within time.Duration) []text.Language {
	now := l.now()
	held := l.held.Load()
	if held != nil && now.Sub(held.at) < within {
		return held.all
	}
	all, err := l.store.LanguagesUsed(ctx)
	if err != nil {
		l.log.DebugContext(ctx, "languages", "err", err)
		if held == nil {
			return nil
		}
		return held.all
	}
	l.held.Store(&languages{all, now})
	return all
}

// Wrote has the languages looked up anew if this one is not known to be in use: a
// post was written in it.
func (l *Languages) Wrote(code string) {
	held := l.held.Load()
	if held == nil || code == "" || slices.ContainsFunc(held.all, func(l text.Language) bool { return l.Code == code }) {
		return
	}
	l.held.CompareAndSwap(held, &languages{held.all, time.Time{}})
}

// check returns ErrLanguage where there is nothing for the viewer in a language:
// no viewer is told whether there is something for others.
func (l *Languages) check(ctx context.Context, viewer timeline.UserID, code string) error {
	if _, known := text.FindLanguage(code); !known {
		return ErrLanguage
	}
	ok := func(l text.Language) bool { return l.Code == code }
	if slices.ContainsFunc(l.inUse(ctx, languagesFresh), ok) || slices.ContainsFunc(l.inUse(ctx, languagesLeast), ok) {
		return nil
	}
	if viewer == 0 {
		return ErrLanguage
	}
	key := river.Key{Viewer: viewer, What: river.KindEverything, TheirID: timeline.LangID(code)}
	view, err := l.rivers.Visit(ctx, key, river.At{Count: 1})
	if errors.Is(err, timeline.ErrNotFound) || err == nil && len(view.Entries) == 0 {
		return ErrLanguage
	}
	return err
}
