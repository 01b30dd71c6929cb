package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/river"
)

// TestLogAsJSON: a log in JSON has durations in seconds, like the metrics.
func TestLogAsJSON(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	log := logging{LogFormat: "json"}.logger(streams{err: &b})
	log.Debug("not logged")
	log.Info("said", "took", 1500*time.Millisecond)
	var line struct {
		Msg  string
		Took float64
	}
	if err := json.Unmarshal(b.Bytes(), &line); err != nil || line.Msg != "said" || line.Took != 1.5 {
		t.Errorf("the log has %s: %v", b.String(), err)
	}
}

// TestLogIsDiscreet: no log line has the words of a search or a credential, whichever part of
// the program logs it.
func TestLogIsDiscreet(t *testing.T) {
	t.Parallel()
	address := func(text string) *url.URL {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	for _, tt := range []struct {
		name string
		attr slog.Attr
		want string // in text
	}{
		{"a page", slog.String("page", "/s?q=lost+love"), "page=/s?…"},
		{"a page without a query", slog.String("page", "/joost/77"), "page=/joost/77"},
		{"a link that signs in", slog.String("path", "/users/link/s3cret"), "path=/users/link/…"},
		{"an address", slog.Any("url", address("http://amstel.example/live/changes?page=/s%3Fq%3Dlove&river=abc")), "url=/live/changes?…"},
		{"an address that signs in", slog.Any("where", address("/users/link/s3cret?x=1")), "where=/users/link/…"},
		{"none", slog.Any("url", (*url.URL)(nil)), "url=<nil>"},
		{"a river", slog.Any("river", river.Key{Viewer: 7, What: river.KindSearch, TheirID: 3, Query: "lost love"}), "river.kind=search river.viewer=7 river.of=3"},
		{"anything else", slog.String("why", "is it /s?q=1"), `why="is it /s?q=1"`},
		{"an error", slog.Any("err", errors.New("disk on fire")), `err="disk on fire"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var text, lines bytes.Buffer
			logging{}.logger(streams{err: &text}).LogAttrs(t.Context(), slog.LevelInfo, "said", tt.attr)
			if got := text.String(); !strings.HasSuffix(strings.TrimSpace(got), " msg=said "+tt.want) {
				t.Errorf("the log has %s, want %s", got, tt.want)
			}
			logging{LogFormat: "json"}.logger(streams{err: &lines}).LogAttrs(t.Context(), slog.LevelInfo, "said", tt.attr)
			var object map[string]any
			if err := json.Unmarshal(lines.Bytes(), &object); err != nil || object["msg"] != "said" || object["level"] != "INFO" {
				t.Errorf("as JSON the log has %s: %v", lines.String(), err)
			}
			for _, secret := range []string{"love", "s3cret"} {
				if strings.Contains(text.String()+lines.String(), secret) {
					t.Errorf("the log contains %q: %s%s", secret, text.String(), lines.String())
				}
			}
		})
	}
}
