// Package nodetest starts a node for tests, which serves pages and sockets on a port. The node has
// the parts of a server's node, except parts that a test sets. Each request and each JSON answer is
// held against the OpenAPI document (package apitest). Package sitetest has a primary with
// people, for tests that need no node.
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

	"amstel.dev/amstel/internal/apitest"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/realtime/faye"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// Person returns the account to sign up for a public person with the password "password of NAME".
func Person(name string) timeline.NewUser {
	return timeline.NewUser{Name: name, Email: name + "@example.org", Password: "password of " + name, DisplayName: name}
}

// Config holds the parts of a site. Zero values are the server's defaults, except for the time limits
// that [Config.giveTime] sets to a minute.
type Config struct {
	Store  *timeline.Store
	River  river.Config // an empty path: a new temporary folder
	Live   realtime.Config
	Faye   faye.Limits
	Web    web.Config                            // an empty URL: the address of the site
	Rivers func(*river.Node) web.Rivers          // returns the rivers that web reads; nil: the node itself
	Before func(http.Handler) http.Handler       // wraps the site's handler; nil: does not
	Listen string                                // host:port; empty: a free port of this machine
	Loop   func(context.Context) context.Context // returns the context of the loop; nil: unchanged
	// Odd allows requests that the OpenAPI document does not describe. Answers must be as it says.
	Odd bool
}

// A Site is a running node with its server of sockets, its pages and its HTTP server.
type Site struct {
	Node *river.Node
	Live *realtime.Server
	Faye *faye.Server
	Web  *web.Server
	HTTP *httptest.Server
	// Stop ends the sockets, the requests and then the loop. It is called when the test ends; a
	// second call does nothing.
	Stop func()
}

// stopWithin limits the end of the sockets: far longer than it takes even on a slow machine.
const stopWithin = time.Minute

// slow is the time limit for a node to follow the primary, for pages to follow the loss of a
// right, and for clients to read, where the test sets none: far longer than a busy machine
// stands still.
const slow = time.Minute

// giveTime sets each unset time limit to slow, so that results do not depend on the speed of the
// machine.
func (c *Config) giveTime() {
	for _, limit := range []*time.Duration{
		&c.River.Settings.Tight, &c.River.Settings.Behind, &c.River.Settings.Blind, &c.River.Settings.Patience, &c.River.Settings.Turn, &c.River.Settings.Answer, &c.River.Settings.Search, &c.Web.BehindAfter,
		&c.Live.Limits.Behind, &c.Live.Limits.Away, &c.Live.Limits.WriteWithin, &c.Live.Limits.Slow, &c.Live.Limits.SubWithin,
	} {
		*limit = cmp.Or(*limit, slow)
	}
}

// PushKey is a key of a site for pushes: the public one of the example in RFC 8291.
const PushKey = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"

// AnyPushKey returns [PushKey], for the setting of a site that sends pushes.
func AnyPushKey(context.Context) (string, error) { return PushKey, nil }

// Start starts a site, and stops it when the test ends. An error ends the test.
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
	c.Web.Faye = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.Faye.ServeHTTP(w, r) })
	c.Web.URL = cmp.Or(c.Web.URL, "http://"+listener.Addr().String())
	s.Web, err = web.New(c.Web)
	must(err)
	c.Live.Rivers, c.Live.Identify, c.Live.Resolve = realtime.OfNode(s.Node), s.Web.Identify, s.Web.Addresses().Resolve
	if c.Live.Render == nil {
		c.Live.Render, c.Live.Languages = s.Web.Renderer(), web.Languages()
	}
	s.Live = realtime.New(c.Live)
	secret, err := c.Store.Secret(t.Context(), "river_secret")
	must(err)
	s.Faye = faye.New(faye.Config{Listen: s.Web.Listen(s.Live), Secret: secret, Limits: c.Faye})
	s.HTTP.Config.Handler = apitest.Hold(t, s.Web)
	if c.Odd {
		s.HTTP.Config.Handler = apitest.HoldAnswers(t, s.Web)
	}
	if c.Before != nil {
		s.HTTP.Config.Handler = c.Before(s.HTTP.Config.Handler)
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
			t.Errorf("the loop ended: %v", err)
		}
	})
	s.HTTP.Start()
	s.Stop = sync.OnceFunc(func() {
		closing, stop := context.WithTimeout(context.Background(), stopWithin)
		defer stop()
		if err := s.Faye.Close(closing); err != nil {
			t.Errorf("end the clients of Faye: %v", err)
		}
		if err := s.Live.Close(closing); err != nil {
			t.Errorf("end the sockets: %v", err)
		}
		s.HTTP.Close()
		cancel()
		loop.Wait()
	})
	t.Cleanup(func() { s.Stop() })
	return s
}
