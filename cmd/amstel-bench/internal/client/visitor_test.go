package client

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// TestVisitorsCountWhatFails: failed requests are counted, and the visitors go on.
func TestVisitorsCountWhatFails(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	enough := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch n := asked.Add(1); {
		case n == 200:
			close(enough)
		case n%10 == 0:
			w.WriteHeader(http.StatusServiceUnavailable)
		case n%10 == 1:
			panic(http.ErrAbortHandler) // the connection is cut
		case n%10 == 2:
			w.WriteHeader(http.StatusNotFound)
		}
		if r.URL.Path == "/index.json" && r.Header.Get("X-API-Token") != "secret" || r.URL.Path != "/index.json" && r.URL.Path != "/page.json" {
			t.Errorf("%s is asked for with %q", r.URL, r.Header)
		}
		io.WriteString(w, "page")
	}))
	defer site.Close()
	in, tell := io.Pipe()
	hear, out := io.Pipe()
	over := make(chan error, 1)
	go func() { over <- Serve(t.Context(), in, out) }()
	to, from := json.NewEncoder(tell), json.NewDecoder(hear)
	say := func(what any) {
		t.Helper()
		if err := to.Encode(what); err != nil {
			t.Fatal(err)
		}
	}
	var before, after Requests
	say(PartVisitors)
	say(VisitOrder{Do: DoVisit, Site: site.URL, Pages: []Page{{Path: "/page"}, {Path: HomePath, Token: "secret"}}, Clients: 1})
	if err := from.Decode(&before); err != nil {
		t.Fatal(err)
	}
	select {
	case <-enough:
	case <-time.After(time.Minute):
		t.Fatal("the pages are not read")
	}
	say(VisitOrder{Do: DoStop})
	if err := from.Decode(&after); err != nil {
		t.Fatal(err)
	}
	requests := before.Count + after.Count
	if failed := before.Failures() + after.Failures(); failed < 2*requests/10-2 || failed > 2*requests/10+2 || requests < 199 {
		t.Errorf("%d of %d requests are said to have failed, want two of ten: %v", failed, requests, after.Failed)
	}
	if after.Failed["503 Service Unavailable"] == 0 || after.P50 <= 0 || after.Worst < after.P99 {
		t.Errorf("%+v", after)
	}
	if err := tell.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-over; err != nil {
		t.Error(err)
	}
}
