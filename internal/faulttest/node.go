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
	Endpoint
	Rivers *river.Node
	Live   *realtime.Server
	Store  *timeline.Store
	Log    *Log
	Stop   func() // ends it, as SIGTERM would; it may be called again

	t       testing.TB
	url     string
	options Options
}

// Restart starts another where it was.
func (n *Node) Restart() *Node {
	n.t.Helper()
	n.Stop()
	n.options.Listen = strings.TrimPrefix(n.URL, "http://")
	return Start(n.t, n.url, n.options)
}

// behind is the time without a turn after which a node says that it is behind, as on a
// server that no setting changes: pages must be told so while a fault lasts.
const behind = 2 * time.Second

// Start starts a node on a primary; it ends with the test.
func Start(t testing.TB, url string, o Options) *Node {
	t.Helper()
	n := &Node{Endpoint: Endpoint{River: o.River}, Log: new(Log), t: t, url: url, options: o}
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
		Rivers: func(node *river.Node) web.Rivers { return poisonedRivers{node, o.Poison} },
	})
	n.Rivers, n.Live, n.URL, n.Stop = site.Node, site.Live, site.HTTP.URL, site.Stop
	t.Cleanup(func() {
		if n.Stop(); t.Failed() {
			t.Logf("the log of %s:\n%s", n.URL, n.Log.tail())
		}
	})
	return n
}

// A Log keeps what a node logs.
type Log struct {
	mu sync.Mutex
	b  strings.Builder
}

// Write adds a line to the log.
func (l *Log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

// tail returns the last lines of the log, at most 4 KB, without the slow requests: on a
// slow machine these are so many that the errors of the test drown in them.
func (l *Log) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var kept strings.Builder
	for line := range strings.Lines(l.b.String()) {
		if !strings.Contains(line, `msg="slow request"`) {
			kept.WriteString(line)
		}
	}
	const most = 4 << 10
	return kept.String()[max(0, kept.Len()-most):]
}

// Count returns how many times a text stands in the log.
func (l *Log) Count(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), what)
}

// Counter returns the highest counter that the node told its pages. A node on a slow
// machine may say meanwhile that it is behind.
func (n *Node) Counter() int64 {
	n.t.Helper()
	var counter int64
	wrong := Wait(func() string {
		w, err := n.Rivers.Watch(n.t.Context(), river.Key{What: river.KindEverything})
		if err != nil {
			return err.Error()
		}
		defer w.Close()
		counter = w.Counter()
		return ""
	})
	if wrong != "" {
		n.t.Fatal(wrong)
	}
	return counter
}
