package river

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
)

var (
	oracleSeed  = flag.Uint64("oracle.seed", 0, "the seed of the oracle's random run; 0: another each time")
	oracleSteps = flag.Int("oracle.steps", 600, "how long the oracle's random run is")
)

// lose removes the river DB under the running node.
func (p *place) lose() {
	p.t.Helper()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(p.path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			p.t.Fatal(err)
		}
	}
}

// A run is a random life of a site: what people do on it, see package world, and
// what befalls a node.
type run struct {
	*place
	world *world.World
	rng   *rand.Rand
	pages []*page
	did   map[string]int
	calm  bool // nothing befalls the node that takes its rivers away

	repeats int // the loop's
}

func newRun(t testing.TB, seed uint64, faults faults) *run {
	r := &run{place: newPlace(t), rng: rand.New(rand.NewPCG(seed, 1)), did: make(map[string]int)}
	r.stop()
	r.world = world.New(t, r.store, seed)
	for _, who := range r.world.People {
		r.people[who.Name] = who.ID
	}
	r.faults = faults
	r.faults.repeat = func() bool { r.repeats++; return r.repeats%3 == 0 }
	r.set.Deepest, r.set.OpenMost, r.set.Marks, r.set.Chunk = 60, 80, 5, 4
	r.set.Acted = time.Minute
	r.start()
	return r
}

func pick[T any](r *run, from []T) T { return from[r.rng.IntN(len(from))] }

// allowed counts a step that happened; one that a rule refused is none.
func (r *run) allowed(what string, err error) {
	r.t.Helper()
	switch {
	case err == nil:
		r.did[what]++
	case !world.Refused(err):
		r.t.Fatalf("%s: %v", what, err)
	}
}

// step does one thing that people do, or that befalls a node.
func (r *run) step() {
	r.clock.advance(time.Duration(r.rng.IntN(3)) * time.Millisecond) // ties are frequent
	n := r.rng.IntN(100)
	if r.calm && n >= 95 {
		n = 70
	}
	switch {
	case n < 66:
		what, err := r.world.Step(r.t.Context())
		r.allowed(what, err)
	case n < 81:
		r.look(false)
	case n < 85:
		r.look(true)
	case n < 93:
		r.browse()
	case n < 95:
		r.pause()
	case n < 96:
		r.clock.advance(time.Duration(1+r.rng.IntN(5)) * time.Hour)
		r.node.Expire()
		r.sync()
		r.did["expire"]++
	case n < 97:
		r.lose()
		r.did["lost river DB"]++
	case n < 98:
		r.cut()
	default:
		r.kill()
	}
}

// cut ends every connection to the primary, as its restart does.
func (r *run) cut() {
	const query = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
	// Whoever was cut off is told so in the middle of something; what people do
	// next begins on new connections.
	_, err := r.store.Pool().Exec(r.t.Context(), query)
	r.store.Pool().Reset()
	if err == nil {
		r.did["cut connections"]++
	}
}

// key is a random page.
func (r *run) key() Key {
	viewer := timeline.UserID(0)
	if r.rng.IntN(5) > 0 {
		viewer = pick(r, append(r.world.People, r.world.Gone...)).ID
	}
	whose := int64(pick(r, append(r.world.People, r.world.Gone...)).ID)
	if r.rng.IntN(2) == 0 {
		return r.filtered(viewer, whose)
	}
	return pick(r, []Key{
		{viewer, KindHome, int64(viewer), ""}, {viewer, KindHome, int64(viewer), ""}, {viewer, KindHome, int64(viewer), ""},
		{viewer, KindUser, whose, ""}, {viewer, KindComments, whose, ""}, {viewer, KindLikes, whose, ""},
		{viewer, KindGroup, int64(pick(r, r.world.Groups).ID), ""}, {viewer, KindDirects, int64(viewer), ""}, {viewer, KindFavs, int64(viewer), ""},
		{viewer, KindEverything, 0, ""}, {viewer, KindPost, int64(r.post(15)), ""}, {viewer, KindPost, int64(r.post(15)), ""},
	})
}

// filtered is a random page of the kinds that the site itself fills.
func (r *run) filtered(viewer timeline.UserID, whose int64) Key {
	own := func(kind Kind) Key { return Key{viewer, kind, int64(viewer), ""} }
	lang := pick(r, append([]string{""}, world.Languages...))
	ranked := timeline.RankedID(lang, pick(r, []timeline.Period{timeline.Ever, timeline.Day, timeline.Week, timeline.Month}))
	keys := []Key{
		{viewer, KindPrivate, whose, ""}, own(KindFYEO), own(KindDiscussions), own(KindDiscussions), own(KindMentions), own(KindMentions),
		{viewer, KindDay, whose, r.clock.now().Format(pick(r, []string{"2006-01-02", "2006-01", "2006"}))},
		{viewer, KindEverything, timeline.LangID(lang), ""}, {viewer, KindBestOf, ranked, ""}, {viewer, KindMostFaved, ranked, ""},
		r.query(viewer), r.query(viewer), r.query(viewer),
	}
	for _, tag := range r.ids(`select id from hashtags`) {
		keys = append(keys, Key{viewer, KindHashtag, tag, ""})
	}
	for _, list := range r.ids(`select id from lists where user_id = $1`, viewer) {
		keys = append(keys, Key{viewer, KindList, list, ""})
	}
	return pick(r, keys)
}

// query is a random search.
func (r *run) query(viewer timeline.UserID) Key {
	name := func() string { return pick(r, r.world.People).Name }
	terms := []string{pick(r, world.Words)}
	for range r.rng.IntN(3) {
		terms = append(terms, pick(r, []string{
			pick(r, world.Words), "-" + pick(r, world.Words), `"` + pick(r, world.Words) + " " + pick(r, world.Words) + `"`,
			"#" + pick(r, world.Tags), "from:" + name(), "group:" + pick(r, r.world.Groups).Name, "in:comments", "liked-by:" + name(),
			"commented-by:" + name(), "after:2026-11-20", "before:2026-11-21",
			"-from:" + name(), "-group:" + pick(r, r.world.Groups).Name, "-liked-by:" + name(), "-commented-by:" + name(), "-#" + pick(r, world.Tags),
		}))
	}
	if r.rng.IntN(4) == 0 {
		terms = terms[1:]
	}
	search, err := timeline.ParseSearch(strings.Join(terms, " "))
	if err != nil {
		r.allowed("search", err)
		return everything(viewer)
	}
	return Key{Viewer: viewer, What: KindSearch, Query: search.String()}
}

// post is one of the newest few, or none that there is.
func (r *run) post(newest int) timeline.PostID {
	if all := r.world.Posts; len(all) > 0 {
		return pick(r, all[max(0, len(all)-newest):]).ID
	}
	return 1
}

// look visits a page, or one further down.
func (r *run) look(older bool) {
	at := At{Count: 1 + r.rng.IntN(10)}
	key := r.key()
	v, err := r.node.Visit(r.t.Context(), key, at)
	for depth := 0; err == nil && older && v.Older != nil && depth < 4; depth++ {
		at.Before = *v.Older
		v, err = r.node.Visit(r.t.Context(), key, at)
		r.did["older"]++
	}
	r.allowed("visit", err)
}

// pause stops the loop while much is written, by several at once, so that the
// turn after it finds repeats, bursts, and what is out of order.
func (r *run) pause() {
	r.node.mu.RLock() // a turn can't be published
	writes := make(chan error, 12)
	for range cap(writes) {
		who, post, like := pick(r, r.world.People).ID, r.post(5), r.rng.IntN(2) == 0
		go func() {
			if like {
				writes <- r.store.Like(r.t.Context(), who, post)
				return
			}
			_, err := r.store.AddComment(r.t.Context(), who, post, timeline.NewComment{Text: "at once"})
			writes <- err
		}()
	}
	var results []error
	for range cap(writes) {
		results = append(results, <-writes)
	}
	r.node.mu.RUnlock()
	for _, err := range results {
		r.allowed("at once", err)
	}
	r.did["pause"]++
}

// kill ends the node without a word, and starts another on what it left.
func (r *run) kill() {
	for _, page := range r.pages {
		page.shut()
	}
	r.stop()
	r.start()
	r.did["killed node"]++
}

// live runs the site, and compares.
func (r *run) live(steps int) (found []string) {
	for i := range steps {
		r.calm = i > steps/2 // so that many rivers live when they are compared
		r.world.Without = map[string]bool{"lift": r.calm}
		r.step()
	}
	r.settle()
	found, rivers := r.compare()
	for _, page := range slices.Clone(r.pages) {
		found = append(found, page.compare()...)
	}
	r.did["rivers compared"] += rivers
	for _, page := range r.pages {
		page.shut()
	}
	return found
}

func seedOf(t *testing.T) uint64 {
	seed := *oracleSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-oracle.seed=%d -oracle.steps=%d", seed, *oracleSteps)
	return seed
}

// TestOracle: for any interleaving of what people do and what befalls a node,
// every living river shows what a fresh build of it shows, and every open page
// what its river shows.
func TestOracle(t *testing.T) {
	t.Parallel()
	seed := seedOf(t)
	var mu sync.Mutex
	did := make(map[string]int)
	t.Run("runs", func(t *testing.T) {
		for i := range uint64(3) {
			t.Run(fmt.Sprint(seed+i), func(t *testing.T) {
				t.Parallel()
				r := newRun(t, seed+i, faults{})
				for range 4 {
					for _, line := range r.live(*oracleSteps / 4) {
						t.Error(line[:min(len(line), 1200)])
					}
					if t.Failed() {
						t.FailNow()
					}
				}
				mu.Lock()
				defer mu.Unlock()
				for what, n := range r.did {
					did[what] += n
				}
			})
		}
	})
	t.Log(did)
	for _, what := range []string{"visit", "older", "expire", "lost river DB", "cut connections", "killed node",
		"pause", "at once", "page opened", "page patched", "page resumed", "rivers compared"} {
		if did[what] == 0 && *oracleSteps >= 600 {
			t.Errorf("nothing of the kind happened: %s", what)
		}
	}
	var rare []string
	for _, what := range world.Kinds() {
		if did[what] == 0 {
			rare = append(rare, what)
		}
	}
	if most := len(world.Kinds()) / 10; len(rare) > most && *oracleSteps >= 600 {
		t.Errorf("nothing of these kinds happened, which are more than %d: %v", most, rare)
	}
}

// TestOracleNotices breaks the protocols on purpose: the oracle must see it.
func TestOracleNotices(t *testing.T) {
	t.Parallel()
	seed := seedOf(t)
	for _, test := range []struct {
		name   string
		faults faults
	}{
		{"a dropped mark", faults{dropMark: func() bool { return true }}},
		{"a build installed early", faults{early: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for i := range uint64(20) {
				r := newRun(t, seed+i, test.faults)
				if test.name == "a build installed early" {
					var busy atomic.Bool
					var people []timeline.UserID
					for _, who := range r.world.People {
						people = append(people, who.ID)
					}
					r.faults.building = func() {
						if busy.CompareAndSwap(false, true) {
							defer busy.Store(false)
							for _, post := range r.recent() {
								who := people[int(post)%len(people)]
								_, _ = r.store.AddComment(t.Context(), who, post, timeline.NewComment{Text: "meanwhile"}) // some are refused
							}
						}
					}
					r.stop()
					r.start()
				}
				found := r.live(150)
				r.stop()
				r.store.Pool().Close() // there may be many runs
				if len(found) > 0 {
					t.Logf("noticed in run %d: %s", i+1, found[0])
					return
				}
			}
			t.Error("the oracle did not notice")
		})
	}
}

// recent are a few of the newest posts, read from the primary: a builder asks,
// beside the run.
func (r *run) recent() []timeline.PostID {
	v, err := r.node.FromPrimary(r.t.Context(), everything(0), At{Count: 5})
	if err != nil {
		return nil
	}
	var ids []timeline.PostID
	for _, e := range v.Entries {
		ids = append(ids, e.Facts.ID)
	}
	return ids
}
