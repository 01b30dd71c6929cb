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
	// languagesFresh is how long the languages in use are cached, and languagesLeast how
	// long if a requested one is not among them.
	languagesFresh = 30 * time.Second
	languagesLeast = time.Second
)

// ErrLanguage is returned for a page of a language without posts.
var ErrLanguage = fmt.Errorf("language: %w", timeline.ErrNotFound)

// Languages caches the languages of public posts. A [Resolver] has one.
type Languages struct {
	store  Store
	rivers Rivers
	now    func() time.Time
	log    *slog.Logger
	held   atomic.Pointer[languages]
}

// languages are the languages in use at a time.
type languages struct {
	all []text.Language
	at  time.Time
}

// InUse returns the languages of public posts.
func (l *Languages) InUse(ctx context.Context) []text.Language { return l.inUse(ctx, languagesFresh) }

// inUse returns the languages in use as of at most within ago. While the primary is
// unavailable, it returns the cached ones.
func (l *Languages) inUse(ctx context.Context, within time.Duration) []text.Language {
	now := l.now()
	held := l.held.Load()
	if held != nil && now.Sub(held.at) < within {
		return held.all
	}
	all, err := l.store.LanguagesUsed(ctx)
	if err != nil {
		l.log.DebugContext(ctx, "could not read the languages in use", "err", err)
		if held == nil {
			return nil
		}
		return held.all
	}
	l.held.Store(&languages{all, now})
	return all
}

// Wrote drops the cache if a post was written in a language missing from the cache.
func (l *Languages) Wrote(code string) {
	held := l.held.Load()
	if held == nil || code == "" || slices.ContainsFunc(held.all, func(l text.Language) bool { return l.Code == code }) {
		return
	}
	l.held.CompareAndSwap(held, &languages{held.all, time.Time{}})
}

// check returns ErrLanguage if the viewer may read no post in a language. It does not tell
// whether other viewers may.
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
