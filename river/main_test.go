package river

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }

// A clock is a site's time, in milliseconds; only advance moves it.
type clock struct{ ms atomic.Int64 }

func (c *clock) now() time.Time          { return time.UnixMilli(c.ms.Load()).UTC() }
func (c *clock) advance(d time.Duration) { c.ms.Add(d.Milliseconds()) }

// patience is the time limit for work that hangs, or that only a slow machine makes late. It is
// far longer than a busy machine ever stands still.
const patience = time.Minute

// patient sets the time limits of a node to patience, so that a slow machine changes no
// result. Tests about a limit set it to less.
func (s *Settings) patient() {
	for _, limit := range []*time.Duration{&s.Patience, &s.Tight, &s.Behind, &s.Blind, &s.Turn, &s.Search, &s.Answer, &s.saveWithin} {
		*limit = patience
	}
}

// waitUntil waits until the condition holds, and fails the test if that takes longer than patience.
func waitUntil(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("in %v it does not come to this: %s", patience, what)
		}
	}
}

// A testSite is a node on a fresh site, with people whom tests call by name.
type testSite struct {
	t      testing.TB
	store  *timeline.Store
	node   *Node
	clock  *clock
	path   string
	people map[string]timeline.UserID
	groups map[string]timeline.GroupID
	set    Settings
	faults faults
	checks access
	config func(*Config) // changes of a test; nil: none
	excess atomic.Bool   // the last turn left more to drop
	stop   func()
	cancel func() // begins the stop of the node
}

// newTestSite makes a site with the people, all public, and starts a node on it.
func newTestSite(t testing.TB, names ...string) *testSite {
	t.Helper()
	p := &testSite{t: t, clock: &clock{}, path: filepath.Join(t.TempDir(), "river.db"), people: make(map[string]timeline.UserID), groups: make(map[string]timeline.GroupID)}
	p.clock.ms.Store(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC).UnixMilli())
	p.store = timeline.New(pgtest.New(t), timeline.Options{Now: p.clock.now, Argon: pgtest.Argon})
	for _, name := range names {
		id, err := p.store.SignUp(t.Context(), timeline.NewUser{Name: name, Email: name + "@example.org", Password: "correct horse"})
		p.must(err)
		p.people[name] = id
	}
	p.set.patient()
	t.Cleanup(func() { p.stop() })
	p.start()
	return p
}

// start opens a node on the river DB and runs its loop; p.stop stops the node.
func (p *testSite) start() {
	p.t.Helper()
	config := Config{Store: p.store, Path: p.path, Settings: p.set, Now: p.clock.now, Log: slog.New(slog.NewTextHandler(logged{p.t}, &slog.HandlerOptions{Level: slog.LevelError})), checks: p.checks}
	hooks := p.faults
	config.hooks = &hooks
	if p.config != nil {
		p.config(&config)
	}
	node, err := Open(p.t.Context(), config)
	p.must(err)
	p.node, hooks.node, hooks.excess = node, node, &p.excess
	ctx, cancel := context.WithCancel(context.WithoutCancel(p.t.Context()))
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := node.Run(ctx); err != nil {
			p.t.Errorf("the loop: %v", err)
		}
	})
	p.cancel = cancel
	p.stop = sync.OnceFunc(func() { cancel(); wg.Wait() })
	<-node.wait(nil)
}

// long skips, in short mode, a test with many lives of a node, or many posts.
func long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long")
	}
}

type logged struct{ t testing.TB }

func (l logged) Write(b []byte) (int, error) {
	if !strings.Contains(string(b), "no such file") { // a lost river DB is meant
		l.t.Log(strings.TrimSpace(string(b)))
	}
	return len(b), nil
}

func (p *testSite) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *testSite) sync() {
	p.t.Helper()
	p.must(p.node.WaitApplied(p.t.Context()))
}

// user returns the id of a person; "" is viewer 0.
func (p *testSite) user(name string) timeline.UserID {
	p.t.Helper()
	if name == "" {
		return 0
	}
	id, known := p.people[name]
	if !known {
		p.t.Fatalf("there is no %s", name)
	}
	return id
}

// post publishes a post, to the author's feed unless to names another place, a second after the
// post before.
func (p *testSite) post(author, text string, to ...string) timeline.PostID {
	p.t.Helper()
	if len(to) == 0 {
		to = []string{"user"}
	}
	p.clock.advance(time.Second)
	id, err := p.store.CreatePost(p.t.Context(), p.user(author), timeline.NewPost{To: to, Text: text})
	p.must(err)
	return id
}

func (p *testSite) comment(author string, post timeline.PostID, text string) timeline.CommentID {
	p.t.Helper()
	p.clock.advance(time.Second)
	id, err := p.store.AddComment(p.t.Context(), p.user(author), post, timeline.NewComment{Text: text})
	p.must(err)
	return id
}

func (p *testSite) like(user string, post timeline.PostID) {
	p.t.Helper()
	p.must(p.store.Like(p.t.Context(), p.user(user), post))
}

func (p *testSite) follow(user, name string) {
	p.t.Helper()
	_, err := p.store.Subscribe(p.t.Context(), p.user(user), timeline.FeedName{Name: name}, timeline.SubscribeOptions{})
	p.must(err)
}

func (p *testSite) status(user, status string) {
	p.t.Helper()
	p.must(p.store.SetProfile(p.t.Context(), p.user(user), timeline.ProfileEdit{Status: &status}))
}

// home, page and so on are keys.
func (p *testSite) home(viewer string) Key {
	return Key{Viewer: p.user(viewer), What: KindHome, TheirID: int64(p.user(viewer))}
}

func (p *testSite) page(viewer string, kind Kind, whose string) Key {
	return Key{Viewer: p.user(viewer), What: kind, TheirID: int64(p.user(whose))}
}

func everything(viewer timeline.UserID) Key { return Key{Viewer: viewer, What: KindEverything} }

func single(viewer timeline.UserID, post timeline.PostID) Key {
	return Key{Viewer: viewer, What: KindPost, TheirID: int64(post)}
}

// visit answers the texts of a page, newest first.
func (p *testSite) visit(key Key) []string {
	p.t.Helper()
	v, err := p.node.Visit(p.t.Context(), key, At{})
	p.must(err)
	return texts(v.Entries)
}

func texts(entries []Entry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, e.Fold.Text.Text)
	}
	return all
}

// refused wants a visit to end in an error.
func (p *testSite) refused(key Key, want error) {
	p.t.Helper()
	if _, err := p.node.Visit(p.t.Context(), key, At{}); !errors.Is(err, want) {
		p.t.Errorf("visit of %+v: %v, want %v", key, err, want)
	}
}

// waitSettled waits until the loop has done all work that turns put off.
func (p *testSite) waitSettled() {
	p.t.Helper()
	for range 2000 {
		p.sync()
		if p.node.settled() && !p.excess.Load() {
			return
		}
	}
	p.t.Fatalf("the loop does not come to an end: %v, more to drop: %t", p.node.unsettled(), p.excess.Load())
}

// settled reports whether the node has done all work that turns put off.
func (n *Node) settled() bool { return len(n.unsettled()) == 0 }

// unsettled lists the work that turns put off.
func (n *Node) unsettled() (left []string) {
	if n.dbIncomplete.Load() {
		left = append(left, "the river DB is not whole")
	}
	n.builds.mu.Lock()
	for id := range n.builds.under {
		left = append(left, fmt.Sprintf("a build of %v from %v is under way", id.key, id.from))
	}
	n.builds.mu.Unlock()
	n.mu.RLock()
	defer n.mu.RUnlock()
	if over := n.st.bytes + n.deepPages.bytes.Load() - n.cfg.Settings.Memory; over > 0 && !n.full.Load() {
		left = append(left, fmt.Sprintf("%d bytes too many are held", over))
	}
	for _, rv := range n.st.rivers {
		if !rv.upToDate() {
			left = append(left, fmt.Sprintf("%v has %d marks, and is stale since %d down from %v", rv.key, len(rv.marks), rv.stale, rv.swept))
		}
	}
	for _, j := range n.st.jobs {
		left = append(left, fmt.Sprintf("a %s of timeline %d is at %v", j.kind, j.timeline, j.at))
	}
	return left
}

// compareAll compares every river, in memory and in SQLite, with a fresh build of the river. It
// returns the number of rivers.
func (p *testSite) compareAll() int {
	p.t.Helper()
	p.waitSettled()
	found, n := p.compare()
	for _, line := range found {
		p.t.Error(line)
	}
	return n
}

// miscounted lists the people with another count of notices on the node than in the primary.
func (p *testSite) miscounted() (found []string) {
	p.t.Helper()
	sn, err := p.store.Snapshot(p.t.Context())
	p.must(err)
	defer sn.Close()
	p.node.mu.RLock()
	defer p.node.mu.RUnlock()
	for user, v := range p.node.st.viewers {
		if user == 0 {
			continue
		}
		unread, err := sn.Unread(p.t.Context(), map[timeline.UserID]*timeline.Sets{user: v.sets})
		p.must(err)
		if want := unread[user]; v.unread == nil || want != nil && (want.Count != v.unread.Count || want.Directs != v.unread.Directs) {
			found = append(found, fmt.Sprintf("viewer %d has not read %v, and should have %v", user, v.unread, want))
		}
	}
	return found
}

// compare lists the differences from a fresh build, in memory and in SQLite.
func (p *testSite) compare() (found []string, rivers int) {
	p.t.Helper()
	report := func(where string) func(string) {
		return func(line string) { found = append(found, where+": "+line) }
	}
	p.node.mu.RLock()
	c := &check{store: p.store, st: p.node.st, final: true, report: report("memory"), again: make(map[Key]bool)}
	err := c.run(p.t.Context(), nil, nil)
	p.node.mu.RUnlock()
	p.must(err)
	found = append(found, p.miscounted()...)
	found = append(found, p.node.misweighed()...)
	sum, err := Check(p.t.Context(), p.store, p.path, CheckOptions{Tries: 1}, report("SQLite"))
	p.must(err)
	if sum.Rivers != c.sum.Rivers || sum.Entries != c.sum.Entries {
		found = append(found, "SQLite and memory do not hold the same rivers")
	}
	return found, c.sum.Rivers
}
