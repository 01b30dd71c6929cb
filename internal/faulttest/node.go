package faulttest

import (
	"cmp"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"amstel.dev/amstel/internal/nodetest"
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

// behind is the time without a turn after which a node says that it is behind, as on a
// server that no setting changes: pages must be told so while a fault lasts.
const behind = 2 * time.Second

// Start starts a node on a primary; it ends with the test.
func Start(t testing.TB, url string, o Options) *Node {
	t.Helper()
	n := &Node{Place: Place{River: o.River}, Log: new(Log), t: t, url: url, o: o}
	log := slog.New(slog.NewTextHandler(n.Log, nil))
	n.Store = timeline.New(pgtest.Open(t, url), timeline.Options{Now: o.Now, Argon: pgtest.Argon})
	config := river.Config{Path: o.River, Settings: o.Settings, Log: log}
	if o.Now != nil { // rivers look at the clock once, and then count
		began, real := o.Now(), time.Now()
		config.Now = func() time.Time { return began.Add(time.Since(real)) }
	}
	config.Settings.Behind = cmp.Or(config.Settings.Behind, behind)
	site := nodetest.Start(t, nodetest.Config{
		Store: n.Store, River: config, Listen: o.Listen,
		Live:   realtime.Config{Render: renderer{bad: o.Poison}, Limits: realtime.Limits{Behind: behind, Away: o.Away}, Log: log},
		Web:    web.Config{BehindAfter: behind, Now: o.Now, Log: log, WritesPerMinute: 1 << 30},
		Rivers: func(node *river.Node) web.Rivers { return poisoned{node, o.Poison} },
	})
	n.Rivers, n.Live, n.URL, n.Stop = site.Node, site.Live, site.HTTP.URL, site.Stop
	t.Cleanup(func() {
		if n.Stop(); t.Failed() {
			t.Logf("the log of %s:\n%s", n.URL, n.Log.tail())
		}
	})
	return n
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
