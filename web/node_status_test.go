package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// An away is a primary that does not answer.
type away struct{}

func (away) Session(ctx context.Context, _ string) (*timeline.Identity, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (away) Token(ctx context.Context, _ string) (*timeline.Identity, error) {
	return nil, timeline.ErrUnavailable
}

// statusOfSite reads the status page as JSON.
func statusOfSite(t *testing.T, s *Server) (shape statusJSON, text string) {
	t.Helper()
	w := answered(t, s, "/about/status.json")
	var body struct{ Status statusJSON }
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != 200 {
		t.Fatalf("%d %v %s", w.Code, err, w.Body)
	}
	return body.Status, w.Body.String()
}

func TestStatus(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	start := now
	r := &aged{}
	asked := 0
	s, err := New(Config{
		Rivers: r, URL: "http://amstel.example", Build: "v1.2", Now: func() time.Time { return now },
		Status: func() NodeStatus {
			asked++
			return NodeStatus{
				Rivers: river.Stats{
					Living: map[river.Kind]int{river.KindHome: 100, river.KindSearch: 20}, Open: map[river.Kind]int{river.KindHome: 14},
					Marked: 3, OldestMark: 4 * time.Second, Position: 4711, Lag: 2,
					Memory: 5 << 20, MemoryBudget: 2 << 30, Size: 7 << 10, SizeBudget: 4 << 30,
				},
				Sockets: realtime.Stats{Sockets: 20}, Began: start.Add(-time.Hour),
				Jobs: []JobStatus{{Name: "rank", Every: 5 * time.Minute, Last: start.Add(-time.Minute)}, {Name: "prune", Every: time.Hour}},
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.age.Store(int64(24 * time.Hour))
	if got, text := statusOfSite(t, s); got.State != "starting" || got.Well || got.AgeMS.Open != nil || !strings.Contains(text, `"age_ms":{"own":null,"open":null,"others":null}`) {
		t.Errorf("before the first turn it says %s", text)
	}
	r.age.Store(int64(250 * time.Millisecond))
	got, text := statusOfSite(t, s)
	if asked != 1 {
		t.Errorf("the node was asked %d times within a second", asked)
	}
	if got.State != "ready" || !got.Well || got.Says != "All is well. Pages are less than a second old." || got.Version != "v1.2" || got.Began != "2026-11-20T11:00:00.000Z" ||
		*got.AgeMS.Own != 0 || *got.AgeMS.Open != 250 || *got.AgeMS.Others != 4250 ||
		got.Rivers.Living != 120 || got.Rivers.Open != 14 || got.Rivers.Marked != 3 || got.Sockets != 20 || got.Room.Memory != 5<<20 || got.Room.MemoryBudget != 2<<30 || got.Room.RiverDB != 7<<10 || got.Room.RiverDBBudget != 4<<30 || got.Log.Position != 4711 || got.Log.Lag != 2 ||
		len(got.Jobs) != 2 || got.Jobs[0].Last != "2026-11-20T11:59:00.000Z" || got.Jobs[1].Last != "" || got.Jobs[1].Every != 3600 {
		t.Errorf("it says %s", text)
	}
	now = now.Add(12 * time.Minute)
	if got, text := statusOfSite(t, s); asked != 2 || got.Well || !strings.Contains(got.Says, "Ranking") || strings.Contains(got.Says, "expired") {
		t.Errorf("with a job that is late it says %s, asked %d times", text, asked)
	}
	s.Stopping()
	if got, text := statusOfSite(t, s); got.State != "stopping" || got.Well {
		t.Errorf("told to stop it says %s", text)
	}
}

// TestStatusWithoutPrimary: the status page needs no query to the primary, neither to
// identify the client nor for its content.
func TestStatusWithoutPrimary(t *testing.T) {
	t.Parallel()
	r := &aged{}
	s, err := New(Config{Rivers: r, URL: "http://amstel.example"}) // the store is nil: a query would panic
	if err != nil {
		t.Fatal(err)
	}
	s.people.store = away{}
	s.Readiness() // the node was ready once
	r.age.Store(int64(10 * time.Second))
	for _, header := range []http.Header{{}, {"Cookie": {s.cookie + "=unknown"}}, {"X-Api-Token": {"unknown"}}} {
		q := httptest.NewRequestWithContext(t.Context(), "GET", "/about/status", nil)
		q.Header = header
		w := httptest.NewRecorder()
		s.ServeHTTP(w, q)
		if body := w.Body.String(); w.Code != 200 || !strings.Contains(body, "Updates are delayed: pages are 10 seconds old") || strings.Contains(body, `id="banner" role="status" hidden`) {
			t.Errorf("%v: %d %s", header, w.Code, body)
		}
	}
	if body := answered(t, s, "/about").Body.String(); !strings.Contains(body, `href="/about/status"`) {
		t.Error("nothing leads there")
	}
}

// The age of a page is outside the page, so that the page itself stays the same.
func TestPagesSayTheirAge(t *testing.T) {
	t.Parallel()
	r := &still{}
	s, err := New(Config{Rivers: r, URL: "http://amstel.example"})
	if err != nil {
		t.Fatal(err)
	}
	withoutPrimary(s)
	for _, path := range []string{"/", "/index.json"} {
		var bodies []string
		for _, age := range []time.Duration{0, 120 * time.Millisecond, 1900 * time.Millisecond} {
			r.age = age
			w := answered(t, s, path)
			bodies = append(bodies, w.Body.String())
			if got, want := w.Header().Get("Amstel-Age"), map[bool]string{true: "0"}[len(bodies) == 1]; w.Code != 200 || want != "" && got != want || want == "" && got != map[int]string{2: "120", 3: "1900"}[len(bodies)] {
				t.Errorf("%s of %s says it is %q ms old", path, age, got)
			}
		}
		if bodies[1] != bodies[0] || bodies[2] != bodies[0] {
			t.Errorf("%s differs with its age", path)
		}
	}
	if r.visits != 2 {
		t.Errorf("%d visits: pages of another age are rendered anew", r.visits)
	}
	q := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
	q.Header.Set("If-None-Match", "*")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, q)
	if w.Code != 304 || w.Header().Get("Amstel-Age") != "1900" {
		t.Errorf("a page that is held already: %d %v", w.Code, w.Header())
	}
}
