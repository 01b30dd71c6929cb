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

// Options configure a node in the test's process. The zero value is a node as servers have it.
type Options struct {
	River    string           // the path of the river DB
	Listen   string           // host:port; empty: a free port of this machine
	Now      func() time.Time // the clock; nil: time.Now
	Settings river.Settings
	Away     time.Duration              // how old the node's state may be before it closes open pages; 0: the default
	Poison   func(timeline.PostID) bool // reports whether rendering a post panics; nil: none does
}

// A Node is a node in the test's process, with the parts that amstel gives a node.
type Node struct {
	Endpoint
	Rivers *river.Node
	Live   *realtime.Server
	Store  *timeline.Store
	Log    *Log
	Stop   func() // stops the node, as SIGTERM does; a second call does nothing

	t       testing.TB
	url     string
	options Options
}

// Restart stops the node, and starts a new one at the same address with the same river DB.
func (n *Node) Restart() *Node {
	n.t.Helper()
	n.Stop()
	n.options.Listen = strings.TrimPrefix(n.URL, "http://")
	return Start(n.t, n.url, n.options)
}

// behind is the time without a turn after which a node reports that it is behind: the default of
// servers, so that pages are told while a fault lasts. Package nodetest has a minute.
const behind = 2 * time.Second

// Start starts a node on the primary at url, and stops the node when the test ends. If the test
// failed it prints the end of the node's log.
func Start(t testing.TB, url string, o Options) *Node {
	t.Helper()
	n := &Node{Endpoint: Endpoint{River: o.River}, Log: new(Log), t: t, url: url, options: o}
	log := slog.New(slog.NewTextHandler(n.Log, nil))
	n.Store = timeline.New(pgtest.Open(t, url), timeline.Options{Now: o.Now, Argon: pgtest.Argon})
	config := river.Config{Path: o.River, Settings: o.Settings, Log: log}
	if o.Now != nil { // as with a real clock, time goes on evenly inside rivers when the clock is set
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

// A Log holds the log of a node.
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

// Count returns how many times the log contains a text.
func (l *Log) Count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), text)
}

// Counter returns the highest counter that the node sent to pages. It tries again if the node is
// behind, as a node on a slow machine may be.
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
