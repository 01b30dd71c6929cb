package node

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
	"amstel.dev/amstel/web/catalogue"
)

// said returns a log that writes text without times, and the buffer to which it writes.
func said() (*slog.Logger, *bytes.Buffer) {
	var b bytes.Buffer
	return slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})), &b
}

func TestWatchedLogsChanges(t *testing.T) {
	t.Parallel()
	log, b := said()
	var w watched
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, step := range []struct {
		after time.Duration
		state web.State
		want  string
	}{
		{0, web.StateStarting, ""},
		{time.Second, web.StateStarting, ""},
		{time.Second, web.StateReady, "level=INFO msg=ready position=5\n"},
		{time.Second, web.StateReady, ""},
		{time.Second, web.StateBehind, "level=WARN msg=\"not ready\" state=behind why=\"it is so\"\n"},
		{time.Second, web.StateBehind, ""},
		{2 * time.Second, web.StateReady, "level=INFO msg=\"ready again\" position=5 after=3s\n"},
		{time.Second, web.StateBehind, "level=WARN msg=\"not ready\" state=behind why=\"it is so\"\n"},
		{time.Second, web.StateStopping, ""},
	} {
		at = at.Add(step.after)
		b.Reset()
		w.logChanges(log, web.Readiness{State: step.state, Why: "it is so"}, 5, at)
		if b.String() != step.want {
			t.Errorf("%s: %q is logged, want %q", step.state, b, step.want)
		}
	}
}

func TestHealthLogsEachTrouble(t *testing.T) {
	t.Parallel()
	log, b := said()
	h := &health{log: log}
	is := func(step, why string) {
		t.Helper()
		if got := h.trouble().Clause(catalogue.English); got != why {
			t.Errorf("%s: %q, want %q", step, got, why)
		}
	}
	is("at first", "")
	h.turned(river.Turn{Err: fmt.Errorf("log: %w", timeline.ErrUnavailable)})
	is("without a primary", "the main database can't be reached")
	h.turned(river.Turn{Err: errors.New("disk on fire")})
	is("with a fault", "new changes can't be processed")
	h.turned(river.Turn{Changes: 3})
	is("when it came through", "")

	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	h.stored(river.Stats{Renewed: 2}, at)
	is("with two new river DBs", "")
	h.stored(river.Stats{Renewed: 3}, at.Add(30*time.Second))
	is("with three", "the river database had to be created again 3 times within a minute")
	h.stored(river.Stats{Renewed: 3, RiverDBIncomplete: true}, at.Add(40*time.Second))
	is("with one that can't be written", "the river database can't be written, so pages would be slow after a restart")
	h.stored(river.Stats{Renewed: 3}, at.Add(61*time.Second))
	is("a minute later", "")

	b.Reset()
	for _, changes := range []int{manyChanges - 1, manyChanges, 5000, 1, 0} {
		h.turned(river.Turn{Changes: changes, Took: time.Second})
	}
	if want := "level=INFO msg=\"catching up\" changes=1000 took=1s\nlevel=INFO msg=\"caught up\"\n"; b.String() != want {
		t.Errorf("of turns with many changes %q is logged, want %q", b, want)
	}
}

func TestHealthLogsBuildsThatAreFaults(t *testing.T) {
	t.Parallel()
	for err, logged := range map[error]bool{
		nil: false, timeline.ErrForbidden: false, timeline.ErrNotFound: false, timeline.ErrUnavailable: false, river.ErrBehind: false,
		context.Canceled: false, errors.New("disk on fire"): true,
	} {
		log, b := said()
		h := &health{log: log}
		if err != nil {
			err = fmt.Errorf("build: %w", err)
		}
		h.built(river.KindHome, time.Second, err)
		if got := strings.Contains(b.String(), "level=WARN msg=\"a build failed\" kind=home took=1s"); got != logged {
			t.Errorf("%v: %q is logged", err, b)
		}
	}
}
