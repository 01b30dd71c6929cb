package river

import (
	"errors"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

func TestHotPageTakesNoStatement(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.follow("ann", "bob")
	p.post("bob", "one")
	p.visit(p.home("ann"))
	p.stop() // the loop has ended and SQLite is closed: any caller of them fails
	before := p.store.Pool().Stat().AcquireCount()
	want(t, "home", p.visit(p.home("ann")), "one")
	if n := p.store.Pool().Stat().AcquireCount() - before; n != 0 {
		t.Errorf("a hot page took %d connections to the primary", n)
	}
}

func TestPrimaryAway(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	server := pgtest.Server(t)
	pool := pgtest.Open(t, server.URL())
	p := &testSite{t: t, clock: &clock{}, path: t.TempDir() + "/river.db", people: make(map[string]timeline.UserID)}
	p.clock.ms.Store(time.Now().UnixMilli())
	p.store = timeline.New(pool, timeline.Options{Argon: pgtest.Argon})
	id, err := p.store.SignUp(t.Context(), timeline.NewUser{Name: "ann", Email: "ann@example.org", Password: "correct horse"})
	p.must(err)
	p.people["ann"] = id
	p.set.patient()
	p.set.Poll = 20 * time.Millisecond
	p.set.Behind, p.set.Blind = 50*time.Millisecond, time.Hour
	t.Cleanup(func() { p.stop() })
	p.start()
	p.post("ann", "one")
	patient := func() []string {
		t.Helper()
		for { // on a slow machine the node may be behind for a moment
			v, err := p.node.Visit(t.Context(), everything(0), At{})
			if errors.Is(err, ErrBehind) || err == nil && !v.Live {
				continue
			}
			p.must(err)
			return texts(v.Entries)
		}
	}
	want(t, "at first", patient(), "one")
	p.must(server.Kill())
	for p.node.Age() <= p.set.Behind {
		<-time.After(time.Millisecond)
	}
	want(t, "what the node holds", p.visit(everything(0)), "one")
	if _, err := p.node.Visit(t.Context(), p.page("", KindUser, "ann"), At{}); !errors.Is(err, ErrBehind) {
		t.Errorf("what it does not hold: %v, want %v", err, ErrBehind)
	}
	if _, err := p.store.CreatePost(t.Context(), p.user("ann"), timeline.NewPost{To: []string{"user"}, Text: "lost?"}); !errors.Is(err, timeline.ErrUnavailable) {
		t.Errorf("a write: %v, want %v", err, timeline.ErrUnavailable)
	}
	p.must(server.Restart(t.Context()))
	<-p.node.wait(nil) // the node recovers by itself
	p.post("ann", "two")
	<-p.node.wait(nil)
	want(t, "afterwards", patient(), "two", "one")
	for !p.node.settled() {
		<-p.node.wait(nil)
	}
	if found, _ := p.compare(); len(found) > 0 {
		t.Error(found)
	}
}
