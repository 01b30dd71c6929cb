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

// writePause is the time between two requests of the world, of a writer or of the reader, so
// that a machine with other work keeps up.
const writePause = 10 * time.Millisecond

// A Scenario is a primary under random writes, with open pages on its nodes. Tests make one thing
// go wrong and then call [Scenario.CheckAll].
type Scenario struct {
	testing.TB
	Pool  *pgxpool.Pool // connections to the primary that no fault touches
	Store *timeline.Store
	World *world.World

	// Oracle returns what is wrong with the river DB at path, empty if nothing; nil: [river.Check].
	Oracle func(path string) string

	rng *rand.Rand
	web *http.Client

	tokensMu sync.Mutex // writers and the reader use tokens at the same time
	tokens   map[timeline.UserID]string
	writers  []timeline.UserID
	nodes    nodeList
	pages    []*Page
	record   writeRecord
	ever     everReadable
	strict   bool

	writes   atomic.Int64       // how many writes succeeded
	stopLoad context.CancelFunc // tells the load to stop; nil: there is no load
	load     sync.WaitGroup
}

// New returns a scenario on the primary at url, after 150 random writes. The load stops when the
// test ends.
func New(t testing.TB, url string) *Scenario {
	t.Helper()
	return NewAt(t, url, nil)
}

// NewAt is New with a clock for the scenario's own store; nil: time.Now.
func NewAt(t testing.TB, url string, now func() time.Time) *Scenario {
	t.Helper()
	seed := seedOf(t)
	t.Logf("%s=%d", seedEnv, seed)
	scenario := &Scenario{TB: t, Pool: pgtest.Open(t, url), rng: rand.New(rand.NewPCG(seed, 11)), tokens: make(map[timeline.UserID]string)}
	scenario.ever.secrets = make(map[timeline.UserID]map[string]bool)
	scenario.record.acknowledged = make(map[string]bool)
	scenario.Store = timeline.New(scenario.Pool, timeline.Options{Now: now, Argon: pgtest.Argon})
	// Few people make all of the requests.
	_, err := scenario.Store.ArrangeSite(t.Context(), timeline.SiteEdit{"quotas.token": "0", "quotas.person": "0"})
	scenario.Must(err)
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
	// Names are in the addresses of open pages, so they stay. A change of "lift" or of
	// "previews" makes nodes drop all rivers: with it, pages would hardly be sent anything
	// but resets. Nodes may be programs, which look at imported feeds themselves. The pages of a
	// suspended person end, also if the person is restored.
	scenario.World.Without = map[string]bool{
		"rename": true, "rename group": true, "rename list": true, "delete list": true, "lift": true, "previews": true, "imported feed": true, "suspend": true,
	}
	t.Cleanup(scenario.StopLoad)
	for range 150 {
		scenario.step(t.Context())
	}
	return scenario
}

// Strict excludes the writes after which an entry that left a page may come back unchanged, and
// makes pages count such an entry as a fault. A test calls Strict before it opens pages.
func (s *Scenario) Strict() {
	for _, what := range []string{
		"unsubscribe", "withdraw", "remove subscriber", "exclude", "readmit", "ban", "unban", "hide post", "show post", "hide person",
		"remove from list", "mute", "unmute", "own posts", "forward only", "status", "group status", "rank", "bump",
	} {
		s.World.Without[what] = true
	}
	s.strict = true
}

// Must ends the test if err is not nil.
func (s *Scenario) Must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// StartLoad starts the world's writes, the writers and the reader, which run until
// [Scenario.StopLoad]. It does nothing if they run already.
func (s *Scenario) StartLoad() {
	if s.stopLoad != nil {
		return
	}
	// The test's own context ends before its cleanup, and could end in the middle of a write.
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

// StopLoad stops the load, and waits for the requests that are under way.
func (s *Scenario) StopLoad() {
	if s.stopLoad != nil {
		s.stopLoad()
		s.load.Wait()
		s.stopLoad = nil
	}
}

// waitPace waits for writePause. It returns false if ctx ends before.
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

// step writes one random change. While the primary is away it writes nothing.
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

// Until waits until problem returns an empty string. If that takes longer than the limit of a wait,
// it ends the test with failure and the last problem.
func (s *Scenario) Until(failure string, problem func() string) {
	s.Helper()
	if why := Wait(problem); why != "" {
		s.Fatalf("%s: %s", failure, why)
	}
}

// Wait waits until problem returns an empty string, and returns the last problem if that takes
// longer than the limit of a wait.
func Wait(problem func() string) string { return waitUntil(time.Now().Add(waitLimit()), problem) }

// waitUntil calls problem every 20 ms until it returns an empty string or the limit is past, and
// returns the last problem.
func waitUntil(limit time.Time, problem func() string) string {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		why := problem()
		if why == "" || time.Now().After(limit) {
			return why
		}
		<-tick.C
	}
}

// token returns an API token of a person, made at the first call; empty for viewer 0.
func (s *Scenario) token(who timeline.UserID) string {
	s.Helper()
	if who == 0 {
		return ""
	}
	s.tokensMu.Lock()
	defer s.tokensMu.Unlock()
	if s.tokens[who] == "" {
		secret, err := s.Store.NewToken(s.Context(), who, timeline.TokenSpec{Name: "fault test", Scopes: timeline.AllScopes})
		if errors.Is(err, timeline.ErrUnauthorized) { // the account was deleted meanwhile
			secret, err = "a token of no account", nil
		}
		s.Must(err)
		s.tokens[who] = secret
	}
	return s.tokens[who]
}

// existingToken returns a person's token, or an empty string. Unlike token it does not need the
// primary.
func (s *Scenario) existingToken(who timeline.UserID) string {
	s.tokensMu.Lock()
	defer s.tokensMu.Unlock()
	return s.tokens[who]
}

// viewerName returns the name of a viewer, for messages.
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

// WaitForWrites waits until the world and the writers have made count more writes, and starts the
// load if there is none. The load goes on. The test fails if no write succeeds for the limit of a
// wait; all of them together may take longer on a slow machine.
func (s *Scenario) WaitForWrites(count int64) {
	s.Helper()
	s.StartLoad()
	for want := s.writes.Load() + count; s.writes.Load() < want; {
		done := s.writes.Load()
		s.Until("no write succeeds", func() string {
			if s.writes.Load() == done {
				return fmt.Sprintf("%d more are wanted", want-done)
			}
			return ""
		})
	}
}
