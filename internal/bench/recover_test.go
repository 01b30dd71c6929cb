package bench

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A river DB that is lost while pages are read is no error to anybody.
func TestRecover(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only = []string{Recover}
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	for _, name := range []string{"recover", "recover.restart"} {
		r := found[name]
		if r.N == 0 || r.Value <= 0 || r.Parts["all of them"] < r.Value || r.OK == nil || !*r.OK {
			t.Errorf("%s: %+v", name, r)
		}
		if !strings.Contains(r.Of, ": 0 of ") || !strings.Contains(r.Of, "; 0 open pages unlike their river") {
			t.Errorf("%s: %s", name, r.Of)
		}
	}
}

// Requests that fail are counted, and the others go on.
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
	go func() { over <- Follow(t.Context(), in, out) }()
	to, from := json.NewEncoder(tell), json.NewDecoder(hear)
	say := func(what any) {
		t.Helper()
		if err := to.Encode(what); err != nil {
			t.Fatal(err)
		}
	}
	var before, after visited
	say(partVisitors)
	say(visiting{Do: doVisit, Site: site.URL, Pages: []openPage{{Path: "/page"}, {Path: homePath, Token: "secret"}}, Clients: 1})
	if err := from.Decode(&before); err != nil {
		t.Fatal(err)
	}
	select {
	case <-enough:
	case <-time.After(time.Minute):
		t.Fatal("the pages are not read")
	}
	say(visiting{Do: doStop})
	if err := from.Decode(&after); err != nil {
		t.Fatal(err)
	}
	requests := before.Requests + after.Requests
	if failed := before.failures() + after.failures(); failed < 2*requests/10-2 || failed > 2*requests/10+2 || requests < 199 {
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
