package faulttest

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// Options are what a node of a test's own may be told.
type Options struct {
	River    string           // the file of its river DB
	Listen   string           // the address; empty: any
	Now      func() time.Time // the clock on the wall; nil: that of the machine
	Settings river.Settings
	Away     time.Duration              // how old what open pages are shown may be; 0: as ever
	Poison   func(timeline.PostID) bool // what can't be drawn; nil: nothing
}

// A Node is one in the test's own process, put together as amstel's are.
type Node struct {
	Place
	Rivers *river.Node
	Live   *realtime.Server
	Store  *timeline.Store
	Log    *Log
	Stop   func() // ends it, as SIGTERM would; it may be called again

	t   testing.TB
	url string
	o   Options
}

// Again starts another where it was.
func (n *Node) Again() *Node {
	n.t.Helper()
	n.Stop()
	n.o.Listen = strings.TrimPrefix(n.URL, "http://")
	return Start(n.t, n.url, n.o)
}

// Start starts a node on a primary; it ends with the test.
func Start(t testing.TB, url string, o Options) *Node {
	t.Helper()
	n := &Node{Place: Place{River: o.River}, Log: new(Log), t: t, url: url, o: o}
	log := slog.New(slog.NewTextHandler(n.Log, nil))
	n.Store = timeline.New(pgtest.Open(t, url), timeline.Options{Now: o.Now, Argon: cheap})
	config := river.Config{Store: n.Store, Path: o.River, Settings: o.Settings, Log: log}
	if o.Now != nil { // rivers look at the clock once, and then count
		began, real := o.Now(), time.Now()
		config.Now = func() time.Time { return began.Add(time.Since(real)) }
	}
	var site *web.Server
	config.Ended = func(hash []byte) { site.Ended(hash); n.Live.Ended(hash) }
	config.Forgot = func() { site.Forget(); n.Live.Shed() }
	config.Sealed = func() { n.Live.Shed() }
	var err error
	must := func() {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	n.Rivers, err = river.Open(t.Context(), config)
	must()
	address := o.Listen
	if address == "" {
		address = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", address)
	must()
	n.URL = "http://" + listener.Addr().String()
	n.Live = realtime.New(realtime.Config{
		Rivers: watchable{n.Rivers}, Render: renderer{bad: o.Poison}, Away: o.Away, Log: log,
		Identify: func(r *http.Request) (timeline.UserID, []byte, error) { return site.Identify(r) },
		Resolve: func(ctx context.Context, viewer timeline.UserID, page string, is func(river.Key) bool) (river.Key, river.At, error) {
			return site.Addresses().Resolve(ctx, viewer, page, is)
		},
	})
	site, err = web.New(web.Config{
		Store: n.Store, Rivers: poisoned{n.Rivers, o.Poison}, Live: n.Live, Changes: http.HandlerFunc(n.Live.Changes), URL: n.URL, Now: o.Now, Log: log, WritesPerMinute: 1 << 30,
	})
	must()
	server := &http.Server{Handler: site, ReadHeaderTimeout: patience(), ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var parts sync.WaitGroup
	parts.Go(func() {
		if err := n.Rivers.Run(ctx); err != nil {
			t.Errorf("the loop: %v", err)
		}
	})
	parts.Go(func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("serve: %v", err)
		}
	})
	n.Stop = sync.OnceFunc(func() {
		ending, stop := context.WithTimeout(context.Background(), patience())
		defer stop()
		if err := errors.Join(n.Live.Close(ending), server.Shutdown(ending)); err != nil {
			t.Errorf("the node does not end: %v", err)
		}
		cancel()
		parts.Wait()
	})
	t.Cleanup(func() {
		if n.Stop(); t.Failed() {
			t.Logf("the log of %s:\n%s", n.URL, n.Log.tail())
		}
	})
	return n
}

// watchable is a node as sockets see it.
type watchable struct{ *river.Node }

// Watch opens a river for a hub.
func (n watchable) Watch(ctx context.Context, key river.Key) (realtime.Watch, error) {
	w, err := n.Node.Watch(ctx, key)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// A Log is what a node logs.
type Log struct {
	mu sync.Mutex
	b  strings.Builder
}

// Write takes a line.
func (l *Log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

// tail is the end of it.
func (l *Log) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	const most = 8 << 10
	return l.b.String()[max(0, l.b.Len()-most):]
}

// Count says how often something was logged.
func (l *Log) Count(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), what)
}

// Counter is the highest that its pages were told.
func (n *Node) Counter() int64 {
	w, err := n.Rivers.Watch(n.t.Context(), river.Key{What: river.KindEverything})
	if err != nil {
		n.t.Fatal(err)
	}
	defer w.Close()
	return w.Counter()
}
