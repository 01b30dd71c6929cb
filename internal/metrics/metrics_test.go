package metrics

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/realtime/faye"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline/inbox"
	"amstel.dev/amstel/web/quota"
)

// all returns the metrics of a process with all possible parts, on a node that did work of each
// sort.
func all(t *testing.T) *Metrics {
	t.Helper()
	m := New("v1")
	m.HTTP()
	m.Node(func() river.Stats {
		return river.Stats{
			Living: map[river.Kind]int{river.KindHome: 3, river.KindEverything: 1}, Open: map[river.Kind]int{river.KindHome: 2},
			Entries: 100, Posts: 60, Viewers: 3, Marks: 7, Marked: 2, OldestMark: 1500 * time.Millisecond, TurnsFailed: 4, Age: 250 * time.Millisecond, Lag: 5, Position: 4711, Size: 8192, RiverDBIncomplete: true,
			Evicted: map[string]int64{"memory": 3},
		}
	})
	m.Ready(func() bool { return true })
	m.Sockets(func() realtime.Stats {
		return realtime.Stats{
			Hubs: 2, Sockets: 9, Frames: 40, Bytes: 4000, Compressed: 3, Pace: 250 * time.Millisecond,
			Closed: map[int]int64{1012: 5, 4008: 1}, Refused: map[string]int64{"draining": 2},
		}
	})
	m.Faye(func() faye.Stats { return faye.Stats{Clients: 4, Messages: 12} })
	m.Quotas(func() quota.Stats {
		return quota.Stats{Keys: 3, Refused: map[string]int64{"token": 8}, Added: 5, Failed: 1}
	})
	m.Inboxes(func() inbox.Counts {
		return inbox.Counts{Chosen: 11, Missed: 12, Below: 13, Waiting: 14, Pulls: 15, EmptyPulls: 16, Updated: 17, Chunks: 18, Fills: 19}
	})
	pool, err := pgxpool.New(t.Context(), "host=/nowhere pool_max_conns=7")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	m.Pool(pool.Stat)

	m.Turned(river.Turn{Took: 3 * time.Millisecond, Changes: 2, Decided: 11})
	m.Turned(river.Turn{Took: time.Hour, Err: errors.New("away")})
	m.Built(river.KindHome, 20*time.Millisecond, nil)
	m.Built(river.KindHome, time.Millisecond, errors.New("away"))
	m.Request("/{name}", "GET", 200, 2*time.Millisecond)
	m.Refused("throttled")
	m.Wrote(100, 20*time.Millisecond)
	m.Job("rank", time.Unix(1000, 0), time.Second, nil)
	m.Job("rank", time.Unix(2000, 0), time.Second, errors.New("no"))
	m.JobLate("rank")
	m.Previews()
	m.Preview("ready")
	m.Intakes()
	m.Intake("new")
	m.Mails()
	m.Mail("sent")
	m.Pushes()
	m.Push("sent")
	return m
}

// text returns the answer to a request for the metrics.
func text(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	return w.Body.String()
}

func TestMetricsText(t *testing.T) {
	t.Parallel()
	got := text(t, all(t))
	for _, line := range []string{
		`amstel_build_info{version="v1"} 1`,
		`amstel_ready 1`,
		`amstel_rivers_living{kind="home"} 3`,
		`amstel_rivers_living{kind="everything"} 1`,
		`amstel_rivers_open{kind="home"} 2`,
		`amstel_entries 100`,
		`amstel_marks 7`,
		`amstel_oldest_mark_seconds 1.5`,
		`amstel_age_seconds 0.25`,
		`amstel_log_position 4711`,
		`amstel_turn_failures_total 4`,
		`amstel_turn_duration_seconds_count 1`,
		`amstel_turn_duration_seconds_bucket{le="0.005"} 1`,
		`amstel_turn_duration_seconds_bucket{le="0.0025"} 0`,
		`amstel_turn_changes_bucket{le="1"} 0`,
		`amstel_turn_changes_bucket{le="10"} 1`,
		`amstel_decided_total 11`,
		`amstel_build_duration_seconds_count{kind="home"} 2`,
		`amstel_build_failures_total{kind="home"} 1`,
		`amstel_sockets 9`,
		`amstel_faye_clients 4`,
		`amstel_faye_messages_total 12`,
		`amstel_frame_bytes_total 4000`,
		`amstel_frames_compressed_total 3`,
		`amstel_pace_seconds 0.25`,
		`amstel_hub_round_duration_seconds_count 1`,
		`amstel_river_db_adrift 1`,
		`amstel_sockets_closed_total{code="1012"} 5`,
		`amstel_sockets_closed_total{code="4008"} 1`,
		`amstel_upgrades_refused_total{reason="draining"} 2`,
		`amstel_inbox_reads_total 11`,
		`amstel_inbox_missed_total 12`,
		`amstel_inbox_below_total 13`,
		`amstel_inbox_waiting_total 14`,
		`amstel_inbox_pulls_total 15`,
		`amstel_inbox_empty_pulls_total 16`,
		`amstel_inbox_told_total 17`,
		`amstel_inbox_chunks_total 18`,
		`amstel_inbox_fills_total 19`,
		`amstel_http_requests_total{class="2xx",method="GET",route="/{name}"} 1`,
		`amstel_http_request_duration_seconds_count{method="GET",route="/{name}"} 1`,
		`amstel_http_refused_total{code="throttled"} 1`,
		`amstel_pool_connections{state="idle"} 0`,
		`amstel_pool_connections_max 7`,
		`amstel_job_duration_seconds_count{job="rank"} 2`,
		`amstel_job_failures_total{job="rank"} 1`,
		`amstel_job_late_total{job="rank"} 1`,
		`amstel_job_last_success_timestamp_seconds{job="rank"} 1000`,
	} {
		if !strings.Contains(got, "\n"+line+"\n") {
			t.Errorf("there is no line %s", line)
		}
	}
	for _, begin := range []string{"go_goroutines ", "process_resident_memory_bytes ", "process_open_fds "} {
		if !strings.Contains(got, "\n"+begin) {
			t.Errorf("there is no %s", begin)
		}
	}
}

// Two sets of metrics in one process, as in tests, share nothing.
func TestNothingIsGlobal(t *testing.T) {
	t.Parallel()
	one, other := all(t), all(t)
	one.Request("/one", "GET", 200, 0)
	if strings.Contains(text(t, other), `"/one"`) {
		t.Error("what one is told the other knows")
	}
}

func TestLabelsAreFew(t *testing.T) {
	t.Parallel()
	m := all(t)
	series := func() int { return strings.Count(text(t, m), "\namstel_http_requests_total{") }
	before := series()
	for i := range 1000 {
		m.Request("", fmt.Sprint("METHOD", i), 100+i%600, time.Millisecond)
		m.Request("/*", "GET", 404, time.Millisecond)
	}
	got := text(t, m)
	if after := series(); after > before+7 {
		t.Errorf("%d series of requests became %d", before, after)
	}
	for _, line := range []string{
		`amstel_http_requests_total{class="4xx",method="GET",route="other"} 1000`,
		`amstel_http_requests_total{class="other",method="other",route="other"} 100`,
	} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("there is no line %s", line)
		}
	}
	// A socket's life is not waiting time of a client.
	m.Request("/live", "GET", 101, time.Hour)
	m.Request("/live", "GET", 0, time.Second)
	got = text(t, m)
	if !strings.Contains(got, `amstel_http_requests_total{class="1xx",method="GET",route="/live"} 1`) ||
		!strings.Contains(got, `amstel_http_requests_total{class="gone",method="GET",route="/live"} 1`) ||
		!strings.Contains(got, `amstel_http_request_duration_seconds_count{method="GET",route="/live"} 1`) {
		t.Error("a socket counts as a request that took an hour")
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	good := regexp.MustCompile(`^amstel_[a-z]+(_[a-z]+)*$`)
	m := all(t)
	got := text(t, m)
	seen := map[string]bool{}
	for _, a := range m.made {
		if !good.MatchString(a.name) || seen[a.name] || (a.kind == "counter") != strings.HasSuffix(a.name, "_total") {
			t.Errorf("%s %s is no good name", a.kind, a.name)
		}
		if !strings.HasSuffix(a.help, ".") || strings.ContainsAny(a.help, "|\n") {
			t.Errorf("%s: %q is no sentence", a.name, a.help)
		}
		if !strings.Contains(got, "# TYPE "+a.name+" "+a.kind+"\n") {
			t.Errorf("there is no %s %s in what is answered", a.kind, a.name)
		}
		seen[a.name] = true
	}
	for name := range strings.SplitSeq(got, "# TYPE ") {
		if name, _, _ = strings.Cut(name, " "); strings.HasPrefix(name, prefix) && !seen[name] {
			t.Errorf("%s is answered, and not among the names", name)
		}
	}
}
