package web

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestObserver(t *testing.T) {
	t.Parallel()
	var o observed
	s, err := New(Config{Rivers: noRivers{}, URL: "http://amstel.example", Observer: &o})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*http.Request{
		httptest.NewRequestWithContext(t.Context(), "GET", "/healthz?token=secret", nil),
		httptest.NewRequestWithContext(t.Context(), "HEAD", "/healthz", nil),
		httptest.NewRequestWithContext(t.Context(), "GET", "/no/such/page/at/all", nil),
		httptest.NewRequestWithContext(t.Context(), "GET", "/api/v1/nothing/here", nil),
		httptest.NewRequestWithContext(t.Context(), "PURGE", "/healthz", nil),
		httptest.NewRequestWithContext(t.Context(), "GET", "/users/link/secret.json", nil),
		httptest.NewRequestWithContext(t.Context(), "POST", "/api/v1/posts", nil),
	} {
		s.ServeHTTP(httptest.NewRecorder(), r)
	}
	want := []string{"GET /healthz OK", "HEAD /healthz OK", "GET  Not Found", "GET /api/v1/* Not Found", "PURGE  Method Not Allowed", "GET /users/link/{secret} OK", "POST /api/v1/posts Unauthorized"}
	if got := strings.Join(o.requests, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("it was told of\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if got := strings.Join(o.refused, " "); got != "not_found not_found method_not_allowed unauthorized" {
		t.Errorf("these were refused: %s", got)
	}
}

// TestMetricsAreHiddenFromOtherNetworks: a client that may not read the metrics gets the same answer
// as from a site without metrics.
func TestMetricsAreHiddenFromOtherNetworks(t *testing.T) {
	t.Parallel()
	metrics := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("figures")) })
	without, err := New(Config{Rivers: noRivers{}, URL: "http://amstel.example"})
	if err != nil {
		t.Fatal(err)
	}
	with, err := New(Config{Rivers: noRivers{}, URL: "http://amstel.example", Metrics: metrics, MayMeasure: func(r *http.Request) bool { return r.RemoteAddr == "127.0.0.1:1" }})
	if err != nil {
		t.Fatal(err)
	}
	none, stranger := answered(t, without, "/metrics"), answered(t, with, "/metrics")
	if stranger.Code != 404 || stranger.Body.String() != none.Body.String() {
		t.Errorf("a stranger gets %d %s", stranger.Code, stranger.Body)
	}
	r := httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil)
	r.RemoteAddr = "127.0.0.1:1"
	w := httptest.NewRecorder()
	with.ServeHTTP(w, r)
	if w.Code != 200 || w.Body.String() != "figures" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("an allowed request gets %d %s %v", w.Code, w.Body, w.Header())
	}
}

func TestRequestLogLevels(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		config Config
		level  slog.Level
		took   time.Duration
		status int
		want   string // empty: nothing
	}{
		{"nothing special", Config{}, slog.LevelInfo, 0, 200, ""},
		{"asked for", Config{LogRequests: true}, slog.LevelInfo, 0, 200, `level=INFO msg=request method=GET route="" status=200 bytes=2 took=0s` + "\n"},
		{"with all there is", Config{}, slog.LevelDebug, 0, 200, `level=DEBUG msg=request method=GET route="" status=200 bytes=2 took=0s from=""` + "\n"},
		{"slow", Config{}, slog.LevelInfo, 1500 * time.Millisecond, 200, `level=WARN msg="slow request" method=GET route="" status=200 bytes=2 took=1.5s` + "\n"},
		{"a socket", Config{}, slog.LevelInfo, time.Hour, 101, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				c := tt.config
				c.Rivers, c.URL = noRivers{}, "http://amstel.example"
				c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: tt.level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
					if a.Key == slog.TimeKey {
						return slog.Attr{}
					}
					return a
				}}))
				s, err := New(c)
				if err != nil {
					t.Fatal(err)
				}
				handler := s.observed(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					time.Sleep(tt.took)
					w.WriteHeader(tt.status)
					_, _ = w.Write([]byte("hi"))
				}))
				handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/s?q=private+matters", nil))
				if log.String() != tt.want {
					t.Errorf("it logs %q, want %q", log.String(), tt.want)
				}
			})
		})
	}
}

// TestAbortIsObserved: the observer gets an aborted request too.
func TestAbortIsObserved(t *testing.T) {
	t.Parallel()
	var o observed
	s, err := New(Config{Rivers: noRivers{}, URL: "http://amstel.example", Observer: &o})
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if err, is := recover().(error); !is || !errors.Is(err, http.ErrAbortHandler) {
				t.Error("the server's own way to end a connection is taken from it")
			}
		}()
		s.observed(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })).
			ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
	}()
	if len(o.requests) != 1 {
		t.Errorf("it was told of %q", o.requests)
	}
}

// observed has the requests that an observer got.
type observed struct {
	requests, refused []string
}

func (o *observed) Request(route, method string, status int, _ time.Duration) {
	o.requests = append(o.requests, method+" "+route+" "+http.StatusText(status))
}

func (o *observed) Refused(code string) { o.refused = append(o.refused, code) }
