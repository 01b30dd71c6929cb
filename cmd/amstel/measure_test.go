package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
)

func TestSiteWithANameIsBehindAProxy(t *testing.T) {
	t.Parallel()
	for address, host := range map[string]string{
		"": "", "http://127.0.0.1:8080": "", "http://localhost:8080": "", "http://amstel.localhost": "", "http://[::1]:8080": "", "http://192.168.1.5": "",
		"http://0.0.0.0:8080": "", "https://amstel.example": "amstel.example", "https://amstel.example:8443": "amstel.example", "http://203.0.113.7": "203.0.113.7",
	} {
		if got := (measuring{}).readers(address).Site; got != host {
			t.Errorf("%q: %q, want %q", address, got, host)
		}
	}
}

func TestMetricsOfANode(t *testing.T) {
	long(t)
	t.Parallel()
	_, db := fresh(t)
	at := freeAddress(t)
	start(t, "serve", "--listen", at, "--data", t.TempDir(), "--url=https://amstel.example", db)
	at = "http://" + at
	ask := func(header ...string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), "GET", at+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			if header[i] == "Host" {
				r.Host = header[i+1]
			}
			r.Header.Set(header[i], header[i+1])
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(text)
	}
	if status, _ := get(t, http.DefaultClient, at+"/s?q=xyzzy+plugh"); status != http.StatusOK {
		t.Errorf("a search answers %d", status)
	}
	get(t, http.DefaultClient, at+"/plugh/is/here")
	status, text := ask()
	if status != http.StatusOK {
		t.Fatalf("/metrics answers %d: %s", status, text)
	}
	for _, line := range []string{
		`amstel_http_requests_total{class="2xx",method="GET",route="/s"} 1`,
		`amstel_http_requests_total{class="4xx",method="GET",route="other"} 1`,
		`amstel_http_refused_total{code="not_found"} 1`,
		`amstel_build_duration_seconds_count{kind="search"} 1`,
		`amstel_rivers_living{kind="search"} 1`,
		`amstel_ready 1`,
		`amstel_pool_connections_max`,
		`amstel_turn_duration_seconds_count`,
		`amstel_job_last_success_timestamp_seconds{job="expire"}`,
	} {
		if !strings.Contains(text, "\n"+line) {
			t.Errorf("there is no line %s", line)
		}
	}
	if strings.Contains(text, "xyzzy") || strings.Contains(text, "plugh") {
		t.Error("the metrics contain words of a request")
	}
	for _, header := range [][]string{{"X-Forwarded-For", "203.0.113.7"}, {"X-Forwarded-For", "127.0.0.1"}, {"Forwarded", "for=127.0.0.1"}, {"Host", "amstel.example"}} {
		if status, text := ask(header...); status != http.StatusNotFound || strings.Contains(text, "amstel_") {
			t.Errorf("a request with %s is answered %d %s, want 404", header, status, text)
		}
	}
}

func TestMetricsOnAListenerOfTheirOwn(t *testing.T) {
	long(t)
	t.Parallel()
	_, db := fresh(t)
	address := freeAddress(t)
	s := start(t, "serve", "--listen=127.0.0.1:0", "--data", t.TempDir(), "--metrics", address, db)
	if status, text := get(t, http.DefaultClient, "http://"+address+"/metrics"); status != http.StatusOK || !strings.Contains(text, "\namstel_hubs 0") || !strings.Contains(text, "\namstel_inbox_reads_total 0") {
		t.Errorf("the listener of --metrics answers %d: %s", status, text)
	}
	if status, _ := get(t, http.DefaultClient, s.url+"/metrics"); status != http.StatusNotFound {
		t.Errorf("/metrics of the site answers %d, want 404", status)
	}
	if code, said := s.stop(); code != 0 {
		t.Errorf("stopping: exit %d: %s", code, said)
	}
	if again, err := net.Listen("tcp", address); err != nil {
		t.Errorf("the address of --metrics can't be used again: %v", err)
	} else {
		again.Close()
	}
	if _, said, code := command(t.Context(), "cron", "--metrics=8080", db); code != exitUsage || !strings.Contains(said, "--metrics") {
		t.Errorf("a bad address: exit %d, %s", code, said)
	}
}

func TestMetricsOfCron(t *testing.T) {
	long(t)
	t.Parallel()
	address := freeAddress(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() {
		_, _, code := command(ctx, "cron", "--metrics", address, "--database", pgtest.URL(t))
		ended <- code
	}()
	// cron runs each job as soon as it starts.
	var text string
	for !strings.Contains(text, `amstel_job_last_success_timestamp_seconds{job="prune"}`) {
		select {
		case code := <-ended:
			t.Fatalf("cron ended with %d", code)
		case <-t.Context().Done():
			t.Fatal(text)
		default:
		}
		if conn, err := net.Dial("tcp", address); err == nil { // the process listens
			conn.Close()
			_, text = get(t, http.DefaultClient, "http://"+address+"/metrics")
		}
	}
	if !strings.Contains(text, "\namstel_pool_connections{") || strings.Contains(text, "\namstel_hubs 0") {
		t.Errorf("the metrics of cron are %s", text)
	}
	if status, _ := get(t, http.DefaultClient, "http://"+address+"/healthz"); status != http.StatusOK {
		t.Errorf("/healthz answers %d", status)
	}
	cancel()
	if code := <-ended; code != 0 {
		t.Errorf("exit %d", code)
	}
}

// freeAddress returns an address on which no process listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.NotFoundHandler())
	address := server.Listener.Addr().String()
	server.Close()
	return address
}
