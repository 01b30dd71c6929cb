package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server starts a server, and returns its address and a Client that may connect to it.
func server(t *testing.T, answer http.HandlerFunc) (address string, f *Client) {
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s.URL, New("test", "", []netip.AddrPort{netip.MustParseAddrPort(s.Listener.Addr().String())})
}

// TestOneRequestToAHostAtATime fetches many documents of one host in many goroutines.
func TestOneRequestToAHostAtATime(t *testing.T) {
	t.Parallel()
	var at atomic.Int64
	address, f := server(t, func(w http.ResponseWriter, _ *http.Request) {
		if n := at.Add(1); n > 1 {
			t.Errorf("%d requests at a time", n)
		}
		defer at.Add(-1)
		fmt.Fprint(w, "x")
	})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			err := f.Get(t.Context(), Request{Address: address, Most: 10}, func(a *Answer) error {
				_, err := io.ReadAll(a.Body)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(f.busy) > 0 {
		t.Errorf("%d hosts are left busy", len(f.busy))
	}
	// A wait for a host ends with its context.
	leave, err := f.enter(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.enter(ended, "x"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	leave()
}

// TestMoved follows lasting (301, 308) and other redirects. The new address of the document is the
// end of the lasting redirects before the first other one.
func TestMoved(t *testing.T) {
	t.Parallel()
	to := map[string]struct {
		code int
		path string
	}{
		"/a": {301, "/b"}, "/b": {308, "/end"}, "/c": {302, "/a"}, "/d": {301, "/c"}, "/e": {307, "/end"},
	}
	address, f := server(t, func(w http.ResponseWriter, r *http.Request) {
		if next, leads := to[r.URL.Path]; leads {
			w.Header().Set("Location", next.path)
			w.WriteHeader(next.code)
		}
	})
	for from, want := range map[string]string{"/a": "/end", "/b": "/end", "/c": "", "/d": "/c", "/e": "", "/end": ""} {
		err := f.Get(t.Context(), Request{Address: address + from}, func(a *Answer) error {
			moved := ""
			if a.Moved != nil {
				moved = a.Moved.Path
			}
			if a.At.Path != "/end" || moved != want {
				t.Errorf("%s is at %s, and moved to %q; want %q", from, a.At.Path, moved, want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestConditions fetches a document that has not changed, and checks that errors have the time of
// the next try from Retry-After.
func TestConditions(t *testing.T) {
	t.Parallel()
	address, f := server(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/seconds":
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(http.StatusTooManyRequests)
		case "/date":
			w.Header().Set("Retry-After", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/gone":
			w.WriteHeader(http.StatusGone)
		default:
			if r.Header.Get("If-None-Match") != `"x"` || r.Header.Get("If-Modified-Since") != "then" {
				t.Errorf("the conditions are %v", r.Header)
			}
			w.WriteHeader(http.StatusNotModified)
		}
	})
	var got int
	err := f.Get(t.Context(), Request{Address: address, ETag: `"x"`, Modified: "then"}, func(a *Answer) error {
		got = a.Status
		return nil
	})
	if err != nil || got != http.StatusNotModified {
		t.Errorf("the status is %d, %v", got, err)
	}
	for path, want := range map[string]struct {
		least, most time.Duration
		nothing     bool
	}{"/seconds": {2 * time.Minute, 2 * time.Minute, false}, "/date": {59 * time.Minute, time.Hour, false}, "/gone": {0, 0, true}} {
		err := f.Get(t.Context(), Request{Address: address + path}, nil)
		refused, ok := errors.AsType[*StatusError](err)
		if !ok || refused.After < want.least || refused.After > want.most || errors.Is(err, ErrNothing) != want.nothing {
			t.Errorf("%s: %#v", path, err)
		}
	}
}
