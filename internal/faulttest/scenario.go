package faulttest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
)

// writePause is the time between two things that a world or a clerk does, so that a
// machine with other work keeps up.
const writePause = 10 * time.Millisecond

// A Scenario is a primary under random writes, with open pages on its nodes.
type Scenario struct {
	testing.TB
	Pool  *pgxpool.Pool // the test's own way to the primary
	Store *timeline.Store
	World *world.World

	// Oracle says what is wrong with a node's river DB; nil: [river.Check].
	Oracle func(path string) string

	rng *rand.Rand
	web *http.Client

	tokensMu sync.Mutex // writers and readers ask at the same time
	tokens   map[timeline.UserID]string
	writers  []timeline.UserID
	nodes    nodeList
	pages    []*Page
	record   writeRecord
	ever     everReadable
	strict   bool

	writes   atomic.Int64       // how much happened
	stopLoad context.CancelFunc // ends what happens; nil: nothing does
	load     sync.WaitGroup
}

// New founds a scenario on a primary, on which some has happened.
func New(t testing.TB, url string) *Scenario {
	t.Helper()
	return NewAt(t, url, nil)
}

// NewAt is New by a clock that is the test's; nil: the one on the wall.
func NewAt(t testing.TB, url string, now func() time.Time) *Scenario {
	t.Helper()
	if testing.Short() {
		t.Skip("puts a scenario under fire")
	}
	seed := seedOf(t)
	t.Logf("%s=%d", seedEnv, seed)
	scenario := &Scenario{TB: t, Pool: pgtest.Open(t, url), rng: rand.New(rand.NewPCG(seed, 11)), tokens: make(map[timeline.UserID]string)}
	scenario.ever.secrets = make(map[timeline.UserID]map[string]bool)
	scenario.record.acknowledged = make(map[string]bool)
	scenario.Store = timeline.New(scenario.Pool, timeline.Options{Now: now, Argon: pgtest.Argon})
	transport := &http.Transport{MaxIdleConnsPerHost: 8, DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	scenario.web = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, name := range []string{"writer", "other-writer"} {
		id, err := scenario.Store.SignUp(t.Context(), timeline.NewUser{Name: name, Email: name + "@example.org", Password: "correct horse"})
		scenario.Must(err)
		scenario.writers = append(scenario.writers, id)
		scenario.token(id)
	}
	scenario.World = world.New(t, scenario.Store, seed)
	// What people and places are called is in the addresses of open pages; and a
	// scenario that starts over all the time would show nothing else.
	scenario.World.Without = map[string]bool{"rename": true, "rename group": true, "rename list": true, "delete list": true, "lift": true}
	t.Cleanup(scenario.StopLoad)
	for range 150 {
		scenario.step(t.Context())
	}
	return scenario
}

// Strict has nothing happen by which what was taken from a page may be given back
// as it was: there an entry that comes again is newer. It is for the time before
// pages are opened.
func (s *Scenario) Strict() {
	for _, what := range []string{
		"unsubscribe", "withdraw", "remove subscriber", "exclude", "readmit", "ban", "unban", "hide post", "show post", "hide person",
		"remove from list", "mute", "unmute", "own posts", "forward only", "status", "group status", "rank", "bump",
	} {
		s.World.Without[what] = true
	}
	s.strict = true
}

// Must ends the test with an error.
func (s *Scenario) Must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// StartLoad has things happen, until [Scenario.StopLoad].
func (s *Scenario) StartLoad() {
	if s.stopLoad != nil {
		return
	}
	// The test's own context ends before its cleanup, in the middle of a write.
	ctx, stop := context.WithCancel(context.WithoutCancel(s.Context()))
	s.stopLoad = stop
	s.load.Go(func() {
		for s.waitPace(ctx) {
			s.step(ctx)
		}
	})
	for i := range s.writers {
		s.load.Go(func() { s.runWriter(ctx, i) })
	}
	seed := s.rng.Uint64()
	s.load.Go(func() { s.runReader(ctx, rand.New(rand.NewPCG(seed, 7))) })
}

// StopLoad ends what happens, when all that is under way is done.
func (s *Scenario) StopLoad() {
	if s.stopLoad != nil {
		s.stopLoad()
		s.load.Wait()
		s.stopLoad = nil
	}
}

// waitPace waits a moment, and says whether things go on.
func (s *Scenario) waitPace(ctx context.Context) bool {
	timer := time.NewTimer(writePause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// step has something happen. A primary that is away refuses it.
func (s *Scenario) step(ctx context.Context) {
	if s.ever.stale {
		if s.ever.update(s); s.ever.stale {
			return // the primary is away
		}
	}
	what, err := s.World.Step(context.WithoutCancel(ctx))
	if err != nil && !world.Refused(err) && !errors.Is(err, timeline.ErrUnavailable) {
		s.Errorf("%s: %v", what, err)
	}
	if what != "" && err == nil {
		s.writes.Add(1)
	}
	s.ever.update(s)
}

// Until waits until nothing is wrong any more.
func (s *Scenario) Until(what string, wrong func() string) {
	s.Helper()
	if why := Wait(wrong); why != "" {
		s.Fatalf("%s: %s", what, why)
	}
}

// Wait waits until nothing is wrong any more, and says what still is when that
// does not come.
func Wait(wrong func() string) string { return waitUntil(time.Now().Add(waitLimit()), wrong) }

func waitUntil(limit time.Time, wrong func() string) string {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		why := wrong()
		if why == "" || time.Now().After(limit) {
			return why
		}
		<-tick.C
	}
}

// token returns a person's token for programs.
func (s *Scenario) token(who timeline.UserID) string {
	s.Helper()
	if who == 0 {
		return ""
	}
	s.tokensMu.Lock()
	defer s.tokensMu.Unlock()
	if s.tokens[who] == "" {
		secret, err := s.Store.NewToken(s.Context(), who, "fault test")
		if errors.Is(err, timeline.ErrUnauthorized) { // the account was deleted meanwhile
			secret, err = "a token of no account", nil
		}
		s.Must(err)
		s.tokens[who] = secret
	}
	return s.tokens[who]
}

// existingToken returns the token that a person was given already, or none.
func (s *Scenario) existingToken(who timeline.UserID) string {
	s.tokensMu.Lock()
	defer s.tokensMu.Unlock()
	return s.tokens[who]
}

// viewerName is how a test speaks of a viewer.
func (s *Scenario) viewerName(viewer timeline.UserID) string {
	for _, list := range [][]*world.Person{s.World.People, s.World.Gone} {
		for _, p := range list {
			if p.ID == viewer {
				return p.Name
			}
		}
	}
	return fmt.Sprintf("viewer %d", viewer)
}

// WaitForWrites has so many things happen, by the world and the clerks.
func (s *Scenario) WaitForWrites(many int64) {
	s.Helper()
	s.StartLoad()
	for to := s.writes.Load() + many; s.writes.Load() < to; {
		done := s.writes.Load()
		s.Until("nothing happens", func() string {
			if s.writes.Load() == done {
				return fmt.Sprintf("%d things to go", to-done)
			}
			return ""
		})
	}
}
