package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	wrapped := func(err error) error { return fmt.Errorf("post 7: %w", err) }
	for _, tt := range []struct {
		err    error
		status int
		code   string
		retry  bool
		fields map[string]string
	}{
		{wrapped(timeline.ErrNotFound), 404, "not_found", false, nil},
		{wrapped(timeline.ErrForbidden), 403, "forbidden", false, nil},
		{wrapped(timeline.ErrUnauthorized), 401, "unauthorized", false, nil},
		{wrapped(timeline.ErrConflict), 409, "conflict", false, nil},
		{wrapped(timeline.ErrTaken), 409, "taken", false, nil},
		{wrapped(&timeline.TakenError{Field: "email"}), 409, "taken", false, map[string]string{"email": "is already taken"}},
		{wrapped(timeline.ErrThrottled), 429, "throttled", true, nil},
		{wrapped(timeline.ErrBusy), 503, "busy", true, nil},
		{wrapped(timeline.ErrUnavailable), 503, "unavailable", true, nil},
		{wrapped(river.ErrBehind), 503, "behind", true, nil},
		{wrapped(turnstile.ErrCrowded), 429, "crowded", true, nil},
		{wrapped(turnstile.ErrBusy), 503, "busy", true, nil},
		{wrapped(&timeline.InvalidError{Field: "text", Reason: "is empty"}), 422, "invalid", false, map[string]string{"text": "is empty"}},
		{errors.Join(&timeline.InvalidError{Field: "name", Reason: "is taken"}, &timeline.InvalidError{Field: "text", Reason: "is empty"}), 422, "invalid", false,
			map[string]string{"name": "is taken", "text": "is empty"}},
		{wrapped(&http.MaxBytesError{Limit: 256 << 10}), 413, "too_large", false, nil},
		{errToken, 401, "bad_token", false, nil},
		{errOrigin, 403, "cross_origin", false, nil},
		{errMethod, 405, "method_not_allowed", false, nil},
		{errMedia, 415, "unsupported_media_type", false, nil},
		{errors.Join(errBody, errors.New("unexpected EOF")), 400, "bad_request", false, nil},
		{errors.New("disk on fire"), 500, "fault", false, nil},
		{river.ErrGone, 503, "behind", true, nil},
	} {
		f := explain(tt.err)
		if f.Status != tt.status || f.Code != tt.code || (f.Retry > 0) != tt.retry || !cmp.Equal(f.Fields, tt.fields) {
			t.Errorf("%v: %+v", tt.err, f)
		}
		if strings.Contains(f.Sentence, "fire") || strings.Contains(f.Sentence, "post 7") || !strings.HasSuffix(f.Sentence, ".") || f.Sentence[0] < 'A' || f.Sentence[0] > 'Z' {
			t.Errorf("%v is told as %q", tt.err, f.Sentence)
		}
	}
}

func TestErrorNamesTheGroupOfTheLastAdministrator(t *testing.T) {
	t.Parallel()
	for group, want := range map[string]string{
		"cooks": "cooks has no other administrator. Make someone else an administrator first.",
		"":      "The site has no other administrator. Make someone else an administrator first.",
	} {
		f := explain(fmt.Errorf("leave: %w", &timeline.LastAdminError{Group: group}))
		if f.Status != 409 || f.Code != "conflict" || f.Sentence != want {
			t.Errorf("the last administrator of %q: %+v", group, f)
		}
	}
}

func TestSentencesKeepWhatIsNamed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ field, reason, want string }{
		{"display_name", "is empty", "Display name is empty."},
		{"_uuid", "is not a UUID", "Uuid is not a UUID."},
		{"timelines", "have none of user, user_private", "Timelines have none of user, user_private."},
	} {
		if got := explain(&timeline.InvalidError{Field: tt.field, Reason: tt.reason}).Sentence; got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestFaultsAreLoggedAndNotTold(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := newSite(t)
	s.log = slog.New(slog.NewTextHandler(&log, nil))
	for name, do := range map[string]action{
		"an error": func(http.ResponseWriter, *request) error { return errors.New("disk on fire") },
		"a panic":  func(http.ResponseWriter, *request) error { panic("disk on fire") },
	} {
		for _, accept := range []string{"text/html", "application/json"} {
			log.Reset()
			r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
			r.Header.Set("Accept", accept)
			w := httptest.NewRecorder()
			routes := chi.NewRouter()
			routes.Use(s.observed, s.recovered)
			routes.Get("/", s.handle(do))
			routes.ServeHTTP(w, r)
			if w.Code != 500 || strings.Contains(w.Body.String(), "fire") || !strings.HasPrefix(w.Header().Get("Content-Type"), accept) {
				t.Errorf("%s: %d %s", name, w.Code, w.Body)
			}
			if !strings.Contains(log.String(), "disk on fire") || !strings.Contains(log.String(), "level=ERROR") {
				t.Errorf("%s is not in the log: %s", name, log.String())
			}
			if incident := w.Header().Get("Amstel-Incident"); incident == "" || !strings.Contains(log.String(), "incident="+incident) {
				t.Errorf("%s: the log does not tell of incident %q: %s", name, incident, log.String())
			}
		}
	}
	// A client that has disconnected gets no answer. The log has no error for it.
	log.Reset()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()
	s.handle(func(_ http.ResponseWriter, q *request) error { return q.Context().Err() })(w, httptest.NewRequestWithContext(gone, "GET", "/", nil))
	if log.Len() > 0 || w.Body.Len() > 0 {
		t.Errorf("%s %s", log.String(), w.Body)
	}
}
