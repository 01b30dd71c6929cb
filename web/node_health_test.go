package web

import (
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/web/page"
)

// An aged is a node with pages of a given age.
type aged struct {
	noRivers
	age atomic.Int64
}

func (r *aged) Age() time.Duration { return time.Duration(r.age.Load()) }

// answered returns a site's answer to a GET.
func answered(t *testing.T, s *Server, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
	return w
}

func TestReadiness(t *testing.T) {
	t.Parallel()
	r := &aged{}
	var trouble page.Trouble
	s, err := New(Config{Rivers: r, URL: "http://amstel.example", Trouble: func() page.Trouble { return trouble }})
	if err != nil {
		t.Fatal(err)
	}
	says := func(step string, status int, text string) {
		t.Helper()
		w := answered(t, s, "/readyz")
		if w.Code != status || !strings.Contains(w.Body.String(), text) || (w.Header().Get("Retry-After") != "") != (status == 503) || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %q %v, want %d %q", step, w.Code, w.Body, w.Header(), status, text)
		}
		if w := answered(t, s, "/healthz"); w.Code != 200 {
			t.Errorf("%s: it is said to be dead", step)
		}
	}
	r.age.Store(int64(24 * time.Hour))
	says("before the first turn", 503, "not ready: starting: it has not looked at the primary yet\n")
	trouble.Kind = page.TroublePrimary
	says("before it, without a primary", 503, "not ready: starting: it has not looked at the primary yet: the main database can't be reached\n")
	trouble.Kind = 0
	r.age.Store(int64(200 * time.Millisecond))
	says("after it", 200, "ready at position 0\n")
	r.age.Store(int64(3 * time.Second))
	says("no turn for long", 503, "not ready: behind: the last look at the primary was 3.0 s ago\n")
	trouble.Kind = page.TroublePrimary
	says("and why", 503, "was 3.0 s ago: the main database can't be reached\n")
	r.age.Store(0)
	trouble.Kind = page.TroubleRiverDB
	says("trouble that it serves with", 200, "ready at position 0\nbut the river database can't be written, so pages would be slow after a restart\n")
	s.Stopping()
	says("told to stop", 503, "not ready: stopping: it is about to stop\n")
}
