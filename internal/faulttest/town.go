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

// pace is the time between two things that a world or a clerk does, so that a
// machine with other work keeps up.
const pace = 10 * time.Millisecond

// A Town is a primary under random writes, with open pages on its nodes.
type Town struct {
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
	clerks   []timeline.UserID
	nodes    nodes
	pages    []*Page
	ledger   ledger
	ever     ever
	strict   bool

	did  atomic.Int64       // how much happened
	busy context.CancelFunc // ends what happens; nil: nothing does
	all  sync.WaitGroup
}

// New founds a town on a primary, on which some has happened.
func New(t testing.TB, url string) *Town {
	t.Helper()
	return NewAt(t, url, nil)
}

// NewAt is New by a clock that is the test's; nil: the one on the wall.
func NewAt(t testing.TB, url string, now func() time.Time) *Town {
	t.Helper()
	if testing.Short() {
		t.Skip("puts a town under fire")
	}
	it := seed(t)
	t.Logf("%s=%d", seedEnv, it)
	town := &Town{TB: t, Pool: pgtest.Open(t, url), rng: rand.New(rand.NewPCG(it, 11)), tokens: make(map[timeline.UserID]string)}
	town.ever.may = make(map[timeline.UserID]map[string]bool)
	town.ledger.done = make(map[string]bool)
	town.Store = timeline.New(town.Pool, timeline.Options{Now: now, Argon: pgtest.Argon})
	transport := &http.Transport{MaxIdleConnsPerHost: 8, DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	town.web = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, name := range []string{"clerk", "scribe"} {
		id, err := town.Store.SignUp(t.Context(), timeline.NewUser{Name: name, Email: name + "@example.org", Password: "correct horse"})
		town.Must(err)
		town.clerks = append(town.clerks, id)
		town.token(id)
	}
	town.World = world.New(t, town.Store, it)
	// What people and places are called is in the addresses of open pages; and a
	// town that starts over all the time would show nothing else.
	town.World.Without = map[string]bool{"rename": true, "rename group": true, "rename list": true, "delete list": true, "lift": true}
	t.Cleanup(town.Rest)
	for range 150 {
		town.step(t.Context())
	}
	return town
}

// Strict has nothing happen by which what was taken from a page may be given back
// as it was: there an entry that comes again is newer. It is for the time before
// pages are opened.
func (t *Town) Strict() {
	for _, what := range []string{
		"unsubscribe", "withdraw", "remove subscriber", "exclude", "readmit", "ban", "unban", "hide post", "show post", "hide person",
		"remove from list", "mute", "unmute", "own posts", "forward only", "status", "group status", "rank", "bump",
	} {
		t.World.Without[what] = true
	}
	t.strict = true
}

// Must ends the test with an error.
func (t *Town) Must(err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Begin has things happen, until [Town.Rest].
func (t *Town) Begin() {
	if t.busy != nil {
		return
	}
	// The test's own context ends before its cleanup, in the middle of a write.
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	t.busy = stop
	t.all.Go(func() {
		for t.paced(ctx) {
			t.step(ctx)
		}
	})
	for i := range t.clerks {
		t.all.Go(func() { t.clerk(ctx, i) })
	}
	seed := t.rng.Uint64()
	t.all.Go(func() { t.wander(ctx, rand.New(rand.NewPCG(seed, 7))) })
}

// Rest ends what happens, when all that is under way is done.
func (t *Town) Rest() {
	if t.busy != nil {
		t.busy()
		t.all.Wait()
		t.busy = nil
	}
}

// paced waits a moment, and says whether things go on.
func (t *Town) paced(ctx context.Context) bool {
	timer := time.NewTimer(pace)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// step has something happen. A primary that is away refuses it.
func (t *Town) step(ctx context.Context) {
	if t.ever.due {
		if t.ever.look(t); t.ever.due {
			return // the primary is away
		}
	}
	what, err := t.World.Step(context.WithoutCancel(ctx))
	if err != nil && !world.Refused(err) && !errors.Is(err, timeline.ErrUnavailable) {
		t.Errorf("%s: %v", what, err)
	}
	if what != "" && err == nil {
		t.did.Add(1)
	}
	t.ever.look(t)
}

// Until waits until nothing is wrong any more.
func (t *Town) Until(what string, wrong func() string) {
	t.Helper()
	if why := Wait(wrong); why != "" {
		t.Fatalf("%s: %s", what, why)
	}
}

// Wait waits until nothing is wrong any more, and says what still is when that
// does not come.
func Wait(wrong func() string) string { return waitTill(time.Now().Add(patience()), wrong) }

func waitTill(limit time.Time, wrong func() string) string {
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
func (t *Town) token(who timeline.UserID) string {
	t.Helper()
	if who == 0 {
		return ""
	}
	t.tokensMu.Lock()
	defer t.tokensMu.Unlock()
	if t.tokens[who] == "" {
		secret, err := t.Store.NewToken(t.Context(), who, "fault test")
		if errors.Is(err, timeline.ErrUnauthorized) { // the account was deleted meanwhile
			secret, err = "a token of no account", nil
		}
		t.Must(err)
		t.tokens[who] = secret
	}
	return t.tokens[who]
}

// given returns the token that a person was given already, or none.
func (t *Town) given(who timeline.UserID) string {
	t.tokensMu.Lock()
	defer t.tokensMu.Unlock()
	return t.tokens[who]
}

// name is how a test speaks of a viewer.
func (t *Town) name(viewer timeline.UserID) string {
	for _, list := range [][]*world.Person{t.World.People, t.World.Gone} {
		for _, p := range list {
			if p.ID == viewer {
				return p.Name
			}
		}
	}
	return fmt.Sprintf("viewer %d", viewer)
}

// Busy waits until so many more things happened, by the world and the clerks. It fails
// the test if nothing happens for as long as [patience]: a slow machine may need longer for
// all of them.
func (t *Town) Busy(many int64) {
	t.Helper()
	t.Begin()
	for to := t.did.Load() + many; t.did.Load() < to; {
		done := t.did.Load()
		t.Until("nothing happens", func() string {
			if t.did.Load() == done {
				return fmt.Sprintf("%d things to go", to-done)
			}
			return ""
		})
	}
}
