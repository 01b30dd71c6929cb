package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
)

const (
	// spokenFresh is how long the languages in use are believed, and spokenLeast
	// how long they are where one that is asked for is not among them.
	spokenFresh = 30 * time.Second
	spokenLeast = time.Second
)

// errLanguage says that nobody wrote in a language.
var errLanguage = fmt.Errorf("language: %w", timeline.ErrNotFound)

// languages are those in use, as they were at a time.
type languages struct {
	all []text.Language
	at  time.Time
}

// languages are those in which there is something that everybody may read. While
// the primary is away, what was known has to do.
func (s *Server) languages(ctx context.Context, fresh time.Duration) []text.Language {
	now := s.now()
	held := s.spokenIn.Load()
	if held != nil && now.Sub(held.at) < fresh {
		return held.all
	}
	all, err := s.store.LanguagesUsed(ctx)
	if err != nil {
		s.log.DebugContext(ctx, "languages", "err", err)
		if held == nil {
			return nil
		}
		return held.all
	}
	s.spokenIn.Store(&languages{all, now})
	return all
}

// spokenNow has the languages in use looked up anew, after somebody said that he
// wrote in one that is not known to be.
func (s *Server) spokenNow(code string) {
	held := s.spokenIn.Load()
	if held == nil || code == "" || slices.ContainsFunc(held.all, func(l text.Language) bool { return l.Code == code }) {
		return
	}
	s.spokenIn.CompareAndSwap(held, &languages{held.all, time.Time{}})
}

// spoken is errLanguage for a language in which there is nothing for the viewer:
// he is not told whether there is something for others.
func (s *Server) spoken(ctx context.Context, viewer timeline.UserID, code string) error {
	if _, known := text.FindLanguage(code); !known {
		return errLanguage
	}
	is := func(l text.Language) bool { return l.Code == code }
	if slices.ContainsFunc(s.languages(ctx, spokenFresh), is) || slices.ContainsFunc(s.languages(ctx, spokenLeast), is) {
		return nil
	}
	if viewer == 0 {
		return errLanguage
	}
	key := river.Key{Viewer: viewer, What: river.KindEverything, TheirID: timeline.LangID(code)}
	view, err := s.rivers.Visit(ctx, key, river.At{Count: 1})
	switch {
	case errors.Is(err, timeline.ErrNotFound) || err == nil && len(view.Entries) == 0:
		return errLanguage
	}
	return err
}

// codes are the languages' codes, as one text.
func codes(all []text.Language) string {
	var b strings.Builder
	for _, l := range all {
		b.WriteString(l.Code)
	}
	return b.String()
}
