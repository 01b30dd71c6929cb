package web_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/nodetest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/plainrule"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

var (
	plainSeed   = flag.Uint64("plain.seed", 0, "the seed of what is compared with the plain rule; 0: another each time")
	plainAll    = flag.Bool("plain.all", false, "try all interleavings of flips where otherwise one in three is tried")
	plainRounds = flag.Int("plain.rounds", 1, "how often all pages are compared with the plain rule")
	plainSteps  = flag.Int("plain.steps", 150, "how much happens before each comparison with the plain rule")
)

// A plainSite is a whole site under random writes, with the plain rule beside it: two answers to
// the question of what each viewer may see.
type plainSite struct {
	*bundle
	world   *world.World
	clock   *atomic.Int64 // how far the server's clock is ahead
	clients map[int64]*client
	site    *plainrule.Site // as of the last step
	states  []plainState
	watch   *river.Watch
	open    []*openPage
	ears    map[int64]*plainEar // by viewer
	seen    map[string]int      // how often each thing was compared
	cut     bool                // pages may end early
	tags    map[string][]string // the ETags of each page that viewers were sent
}

// A plainState is what each viewer may see after a step, and the node's counter when the
// node had applied the step.
type plainState struct {
	what    string
	counter int64
	secrets map[int64]map[string]bool // by viewer
	site    *plainrule.Site
}

// newPlainSite starts a site with the people. The test chooses the writes.
func newPlainSite(t *testing.T, pool *pgxpool.Pool, settings river.Settings, people ...string) *plainSite {
	t.Helper()
	long(t)
	return newPlainSiteOf(t, pool, nodetest.Config{River: river.Config{Settings: settings}}, people...)
}

// newPlainSiteOf is newPlainSite with settings of the test, except for the clock.
func newPlainSiteOf(t *testing.T, pool *pgxpool.Pool, config nodetest.Config, people ...string) *plainSite {
	t.Helper()
	p := &plainSite{clock: new(atomic.Int64), clients: make(map[int64]*client), seen: make(map[string]int), ears: make(map[int64]*plainEar), tags: make(map[string][]string)}
	config.Web.Now = p.now
	p.bundle = setupNode(t, pool, config, people...)
	var err error
	p.watch, err = p.node.Watch(t.Context(), river.Key{What: river.KindEverything})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.watch.Close)
	p.recordApplied("the beginning")
	return p
}

// now returns the time of the server's clock. It runs ahead, so that cached numbers are outdated
// before they are compared.
func (p *plainSite) now() time.Time { return time.Now().Add(time.Duration(p.clock.Load())) }

// viewers returns viewer 0 and all people with an account.
func (p *plainSite) viewers() []int64 {
	all := []int64{0}
	for id, who := range p.site.People {
		if !who.Gone() {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	return all
}

// as is a viewer's client.
func (p *plainSite) viewer(v int64) *client {
	p.t.Helper()
	if c := p.clients[v]; c != nil {
		return c
	}
	c := p.visitor()
	if v != 0 {
		secret, err := p.store.NewToken(p.t.Context(), timeline.UserID(v), timeline.TokenSpec{Name: "test", Scopes: timeline.AllScopes})
		if err != nil {
			p.t.Fatal(err)
		}
		c.token = secret
	}
	p.clients[v] = c
	return c
}

// step makes one random write, and notes what each viewer may see after it.
func (p *plainSite) step() {
	p.t.Helper()
	ctx, effect := timeline.WithEffect(p.t.Context())
	what, err := p.world.Step(ctx)
	if err != nil && !world.Refused(err) {
		p.t.Fatalf("%s: %v", what, err)
	}
	before := p.site
	switch {
	case what == "" || err != nil:
		return
	case len(p.states)%5 < 2:
		p.recordState(what) // and the next thing happens at once
	default:
		p.recordApplied(what)
	}
	p.compareEffect(what, effect.Take(), before)
}

// compareEffect checks that a write reports whether it took away something that a viewer could
// read before: the answer to such a write waits until no page shows it.
func (p *plainSite) compareEffect(what string, wrote timeline.Effect, before *plainrule.Site) {
	p.t.Helper()
	taken := func() bool {
		for id, post := range before.Posts {
			for v, who := range before.People {
				if who.Gone() || !before.MayRead(v, post) {
					continue
				}
				now := p.site.Posts[id]
				if now == nil || !p.site.MayRead(v, now) || len(p.site.Comments(v, now)) < len(before.Comments(v, post)) {
					return true
				}
			}
		}
		return false
	}()
	if wrote.Revoked {
		p.seen["revocations"]++
	}
	if taken {
		p.seen["revocations that take something"]++
		// No answer waits for the work of a job, and hiding something from oneself takes no
		// right away.
		if !wrote.Revoked && what != "work off" && !strings.HasPrefix(what, "hide") {
			p.t.Errorf("%s took from someone what they could read, and did not say so", what)
		}
	}
}

// recordApplied records the present state of the site, after the node has applied all changes.
func (p *plainSite) recordApplied(what string) {
	p.t.Helper()
	p.recordState(what)
	if err := p.node.WaitApplied(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	counter := p.watch.Counter()
	for i := len(p.states) - 1; i >= 0 && p.states[i].counter == unseen; i-- {
		p.states[i].counter = counter
	}
}

// unseen is the counter of a state that the node need not have seen.
const unseen = -1

// recordState records the present state of the site, which the node need not have applied yet.
func (p *plainSite) recordState(what string) {
	p.t.Helper()
	site, err := plainrule.Read(p.t.Context(), p.pool)
	if err != nil {
		p.t.Fatal(err)
	}
	if p.site != nil {
		for id, who := range site.People {
			if was := p.site.People[id]; was != nil && was.Gone() && !who.Gone() {
				delete(p.clients, id) // the deletion of an account ends its tokens, and coming back does not restore them
			}
		}
	}
	p.site = site
	now := plainState{what, unseen, make(map[int64]map[string]bool), site}
	for _, v := range p.viewers() {
		may := make(map[string]bool)
		for _, text := range site.Texts(v) {
			for _, secret := range world.Secrets(text) {
				may[secret] = true
			}
		}
		now.secrets[v] = may
	}
	p.states = append(p.states, now)
}

// leaks returns the secrets in a text that its viewer may not see now.
func (p *plainSite) leaks(v int64, text string) (leaked []string) {
	may := p.states[len(p.states)-1].secrets[v]
	for _, secret := range world.Secrets(text) {
		if !may[secret] {
			leaked = append(leaked, secret)
		}
	}
	return leaked
}

// madeFrom returns the states from which a frame may have been made, by the node's counter.
func (p *plainSite) madeFrom(counter int64) []plainState {
	first, _ := slices.BinarySearchFunc(p.states, counter, func(s plainState, c int64) int {
		if s.counter != unseen && s.counter < c { // unseen states come last
			return -1
		}
		return 1
	})
	first = min(first, len(p.states)-1)
	last := first
	for last+1 < len(p.states) && p.states[last+1].counter == p.states[first].counter {
		last++
	}
	return p.states[max(0, first-1) : last+1]
}

// leaksAt returns the secrets and the people in a frame that its viewer may not see in any state
// from which the frame may have been made.
func (p *plainSite) leaksAt(v, counter int64, text string) (leaked []string) {
	states := p.madeFrom(counter)
	ever := func(what string, may func(plainState) bool) {
		if !slices.ContainsFunc(states, may) && len(leaked) < 3 {
			leaked = append(leaked, fmt.Sprintf("%s (between %q and %q)", what, states[0].what, states[len(states)-1].what))
		}
	}
	for _, secret := range world.Secrets(text) {
		ever(secret, func(s plainState) bool { return s.secrets[v][secret] })
	}
	var f struct{ Users map[int64]json.RawMessage }
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		p.t.Fatalf("frame %.80s: %v", text, err)
	}
	for id := range f.Users {
		ever(p.name(id), func(s plainState) bool { return !s.site.Apart(v, id) })
	}
	return leaked
}

// name is how a test speaks of a viewer.
func (p *plainSite) name(v int64) string {
	if v == 0 {
		return "a visitor"
	}
	return p.site.People[v].Name
}

// TestPlainRule: for random people, groups, posts, rights and flips, each page, JSON answer,
// socket frame, count, reason, fold and list shows each viewer exactly what the plain rule
// allows.
func TestPlainRule(t *testing.T) {
	t.Parallel()
	p := newPlainSite(t, pgtest.New(t), river.Settings{})
	p.begin()
	rare := []string{"pages", "entries", "closed pages", "older pages", "posts", "posts not there", "HTML pages", "lists", "frames", "frames of changes", "open pages compared", "messages of Faye", "clients of Faye compared",
		"acts done", "acts refused", "other pages", "revocations that take something", "audiences", "completions", "feeds", "private feeds", "closed feeds", "foreign tags", "directories", "suggestions", "names of the front page", "menus", "histories", "points", "notices", "reports", "held posts", "calendars", "heads", "exports", "exported lines", "scoped tokens"}
	missing := func(what string) bool { return p.seen[what] == 0 }
	p.live(*plainRounds, *plainSteps)
	for more := 0; more < 8 && slices.ContainsFunc(rare, missing); more++ {
		p.live(1, *plainSteps)
	}
	t.Log(p.seen, p.world.Did)
	for _, what := range rare {
		if missing(what) {
			t.Errorf("nothing of the kind was compared: %s", what)
		}
	}
}

// live runs random events, a round at a time, and compares everything after each.
func (p *plainSite) live(rounds, steps int) {
	p.t.Helper()
	rng := rand.New(rand.NewPCG(uint64(steps), 5))
	for round := range rounds {
		for range steps {
			p.step()
			p.reopenPages()
			p.tendEars()
		}
		// Pages may show what restored people wrote together with comments of other accounts that are still to be hidden or erased.
		for more := true; more; p.recordApplied("a part of a job") {
			var err error
			if more, err = p.store.RunAccountJob(p.t.Context()); err != nil {
				p.t.Fatal(err)
			}
		}
		p.recordApplied("the end of the round")
		for range steps / 5 {
			p.act(rng)
		}
		p.compareFrames()
		p.compareAll()
		if !p.cut { // a page deeper than its river gets no changes
			p.compareOpen()
			p.compareEars()
		}
		if p.t.Failed() {
			p.t.Fatalf("in round %d", round+1)
		}
	}
}

// compareAll compares all pages of all viewers with the rule.
func (p *plainSite) compareAll() {
	p.t.Helper()
	p.clock.Add(int64(time.Minute))
	for _, fault := range p.site.Check() {
		p.t.Errorf("the primary: %s", fault)
	}
	for _, v := range p.viewers() {
		p.comparePages(v)
		p.comparePosts(v)
		p.compareOthers(v)
		p.compareAudiences(v)
		p.compareCompletions(v)
		p.compareDirectories(v)
		p.compareSuggestions(v)
		p.compareNotices(v)
		p.compareReports(v)
		p.compareAcross(v)
		p.compareHeld(v)
		p.compareMail(v)
		p.comparePushes(v)
		p.compareCalendars(v)
		if (int(v)+len(p.states))%3 == 0 { // the others in another round
			p.compareExport(v)
			p.compareScopes(v)
		}
	}
	p.compareFront()
}

// compareScopes compares the pages for a token to read, and for one to read and write, with those for a token of all scopes.
func (p *plainSite) compareScopes(v int64) {
	p.t.Helper()
	if v == 0 {
		return
	}
	for _, scopes := range []timeline.Scopes{timeline.ScopeRead, timeline.ScopeRead | timeline.ScopeWrite} {
		secret, err := p.store.NewToken(p.t.Context(), timeline.UserID(v), timeline.TokenSpec{Name: "scoped", Scopes: scopes})
		if err != nil {
			p.t.Fatal(err)
		}
		scoped := p.visitor()
		scoped.token = secret
		for _, path := range []string{"/index.json", "/filter/directs.json"} {
			want, got := world.Secrets(p.viewer(v).get(path).ok().body), world.Secrets(scoped.get(path).ok().body)
			if !slices.Equal(got, want) {
				p.t.Errorf("%s shows a token with %v of %s %v, want %v", path, scopes.Names(), p.name(v), got, want)
			}
			p.seen["scoped tokens"] += len(got)
		}
	}
}

// begin creates a random world, and makes many random writes before the first visit.
func (p *plainSite) begin() {
	p.t.Helper()
	seed := *plainSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano()) % 1_000_000
	}
	p.t.Logf("-plain.seed=%d -plain.rounds=%d -plain.steps=%d", seed, *plainRounds, *plainSteps)
	p.world = world.New(p.t, p.store, seed)
	if _, err := p.store.ArrangeSite(p.t.Context(), timeline.SiteEdit{"quotas.token": "0", "quotas.person": "0", "quotas.address": "0"}); err != nil {
		p.t.Fatal(err)
	}
	for range 400 {
		if what, err := p.world.Step(p.t.Context()); err != nil && !world.Refused(err) {
			p.t.Fatalf("%s: %v", what, err)
		}
	}
	for _, rare := range []string{"report", "hold"} {
		for p.world.Did[rare] < 5 {
			if err := p.world.Do(p.t.Context(), rare); err != nil && !world.Refused(err) {
				p.t.Fatalf("%s: %v", rare, err)
			}
		}
	}
	p.recordApplied("what happened before")
}
