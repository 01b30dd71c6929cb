// Package nodetest has a node for tests, which shows people pages and talks to their
// sockets, on a port. The node is put together as the server does it, of what a test
// sets. Package sitetest has a primary with people, for tests that need no node.
package nodetest

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// Person returns a public account with that name and the password "password of NAME".
func Person(name string) timeline.NewUser {
	return timeline.NewUser{Name: name, Email: name + "@example.org", Password: "password of " + name, DisplayName: name}
}

// Config says what a site is made of. What is zero is as the server has it, except
// for the time limits that [Config.giveTime] lengthens.
type Config struct {
	Store  *timeline.Store
	River  river.Config // without a path the river DB is in a folder of the test's own
	Live   realtime.Config
	Web    web.Config                            // without a URL the site's is its address
	Rivers func(*river.Node) web.Rivers          // what the site reads; nil: the node
	Before func(http.Handler) http.Handler       // what stands before the site; nil: nothing
	Listen string                                // the address; empty: any
	Loop   func(context.Context) context.Context // the loop's context; nil: unchanged
}

// A Site is a node that serves.
type Site struct {
	Node *river.Node
	Live *realtime.Server
	Web  *web.Server
	HTTP *httptest.Server
	// Stop ends the site: its sockets, its requests, and then its loop. The end of the
	// test does so too.
	Stop func()
}

// stopWithin is how long sockets may take to end: far longer than they do.
const stopWithin = time.Minute

// slow is the time after which a node counts as behind, a right as not yet gone from
// the pages, or a client as too slow, where the test sets no time: far longer than a
// busy machine stands still.
const slow = time.Minute

// giveTime sets the time limits that the test left at zero to slow, so that a busy
// machine changes no result.
func (c *Config) giveTime() {
	for _, limit := range []*time.Duration{
		&c.River.Settings.Tight, &c.River.Settings.Behind, &c.River.Settings.Blind, &c.River.Settings.Patience, &c.Web.BehindAfter,
		&c.Live.Limits.Behind, &c.Live.Limits.Away, &c.Live.Limits.WriteWithin, &c.Live.Limits.Slow, &c.Live.Limits.SubWithin,
	} {
		*limit = cmp.Or(*limit, slow)
	}
}

// Start starts a site.
func Start(t testing.TB, c Config) *Site {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s := &Site{}
	c.giveTime()
	c.River.Store = c.Store
	if c.River.Path == "" {
		c.River.Path = filepath.Join(t.TempDir(), "river.db")
	}
	c.River.Ended = func(hash []byte) { s.Web.Ended(hash); s.Live.Ended(hash) }
	c.River.Forgot = func() { s.Web.Forget(); s.Live.Shed() }
	c.River.Sealed = func() { s.Live.Shed() }
	var err error
	s.Node, err = river.Open(t.Context(), c.River)
	must(err)
	listener, err := net.Listen("tcp", cmp.Or(c.Listen, "127.0.0.1:0"))
	must(err)
	s.HTTP = &httptest.Server{Listener: listener, Config: &http.Server{ReadHeaderTimeout: stopWithin}}
	c.Web.Store, c.Web.Rivers = c.Store, s.Node
	if c.Rivers != nil {
		c.Web.Rivers = c.Rivers(s.Node)
	}
	c.Web.Live = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.Live.ServeHTTP(w, r) })
	c.Web.Changes = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.Live.Changes(w, r) })
	c.Web.URL = cmp.Or(c.Web.URL, "http://"+listener.Addr().String())
	s.Web, err = web.New(c.Web)
	must(err)
	c.Live.Rivers, c.Live.Identify, c.Live.Resolve = realtime.OfNode(s.Node), s.Web.Identify, s.Web.Addresses().Resolve
	if c.Live.Render == nil {
		c.Live.Render, c.Live.Languages = web.Renderer{}, web.Languages()
	}
	s.Live = realtime.New(c.Live)
	s.HTTP.Config.Handler = s.Web
	if c.Before != nil {
		s.HTTP.Config.Handler = c.Before(s.Web)
	}
	if c.Web.Log != nil {
		s.HTTP.Config.ErrorLog = slog.NewLogLogger(c.Web.Log.Handler(), slog.LevelDebug)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	looping := ctx
	if c.Loop != nil {
		looping = c.Loop(ctx)
	}
	var loop sync.WaitGroup
	loop.Go(func() {
		if err := s.Node.Run(looping); err != nil {
			t.Errorf("the loop: %v", err)
		}
	})
	s.HTTP.Start()
	s.Stop = sync.OnceFunc(func() {
		closing, stop := context.WithTimeout(context.Background(), stopWithin)
		defer stop()
		if err := s.Live.Close(closing); err != nil {
			t.Errorf("the sockets do not end: %v", err)
		}
		s.HTTP.Close()
		cancel()
		loop.Wait()
	})
	t.Cleanup(func() { s.Stop() })
	return s
}
