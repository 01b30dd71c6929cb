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

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/query"
)

var (
	oracleSeed  = flag.Uint64("oracle.seed", 0, "the seed of the oracle's random run; 0: another each time")
	oracleSteps = flag.Int("oracle.steps", 300, "how long the oracle's random run is, at least")
	soak        = flag.Bool("soak", false, "try all combinations where otherwise some are tried, and run at random for long")
)

// soaked returns all with the flag -soak, else some.
func soaked(some, all int) int {
	if *soak {
		return all
	}
	return some
}

// removeRiverDB removes the river DB under the running node.
func (p *testSite) removeRiverDB() {
	p.t.Helper()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(p.path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			p.t.Fatal(err)
		}
	}
}

// A run is a random life of a site: people write, see package world, and a node suffers
// faults.
type run struct {
	*testSite
	world *world.World
	rng   *rand.Rand
	pages []*page
	did   map[string]int
	calm  bool // no fault takes the node's rivers away

	repeats int  // the loop's
	alone   bool // builds run without a write beside them: such a write is under way, or rivers are compared
}

func newRun(t testing.TB, seed uint64, faults faults) *run {
	t.Helper()
	r := &run{testSite: newTestSite(t), rng: rand.New(rand.NewPCG(seed, 1)), did: make(map[string]int)}
	r.stop()
	r.world = world.New(t, r.store, seed)
	for _, who := range r.world.People {
		r.people[who.Name] = who.ID
	}
	r.faults = faults
	r.faults.repeat = func() bool { r.repeats++; return r.repeats%3 == 0 }
	if r.faults.building == nil {
		r.faults.registered, r.faults.building = r.race("write before a build reads"), r.race("write while a build reads")
	}
	r.set.Deepest = []int{8, 14, 60}[seed%3] // small, so that pages continue below what rivers hold
	r.set.Shallow = 3
	r.set.OpenMost, r.set.Marks, r.set.chunk = r.set.Deepest*4/3, 5, 4
	r.set.tombstones = 30 * time.Minute // less than pages sleep, and than rivers live
	r.set.SaveAgain = time.Millisecond  // turns wait for a river DB that is lost again and again
	r.set.Memory = r.budget()
	r.start()
	r.world.Without = make(map[string]bool) // so that there are pages below the first one
	for _, what := range world.Kinds() {
		r.world.Without[what] = what != "post"
	}
	for range 40 {
		what, err := r.world.Step(t.Context())
		r.allowed(what, err)
	}
	r.world.Without = nil
	return r
}

// race returns a hook of builds that has things happen beside one build of three,
// and every other time a turn that reads them before the build is installed.
//
// Builds begin only while the run waits for them, so the run's own goroutine does
// nothing meanwhile.
func (r *run) race(what string) func() {
	return func() {
		if r.world == nil || r.alone || r.rng.IntN(3) > 0 {
			return
		}
		r.alone = true
		defer func() { r.alone = false }()
		for range 1 + r.rng.IntN(3) {
			r.clock.advance(time.Millisecond)
			name, err := r.world.Step(r.t.Context())
			if err == nil {
				r.did[name]++
				r.did[what]++
			} else if !world.Refused(err) {
				r.t.Errorf("%s, %s: %v", what, name, err)
			}
		}
		if r.rng.IntN(2) == 0 && r.node.WaitApplied(r.t.Context()) == nil {
			r.did["turn while a build reads"]++
		}
	}
}

func pick[T any](r *run, from []T) T { return from[r.rng.IntN(len(from))] }

// allowed counts a step that succeeded. A step refused by a rule does not count.
func (r *run) allowed(what string, err error) {
	r.t.Helper()
	switch {
	case err == nil:
		r.did[what]++
	case !world.Refused(err):
		r.t.Fatalf("%s: %v", what, err)
	}
}

// step makes one random write, or one fault of the node.
func (r *run) step() {
	r.clock.advance(time.Duration(r.rng.IntN(3)) * time.Millisecond) // ties are frequent
	n := r.rng.IntN(100)
	if r.calm && n >= 95 {
		n = 70
	}
	switch {
	case n < 60:
		what, err := r.world.Step(r.t.Context())
		r.allowed(what, err)
	case n < 72:
		r.visitPage(false)
	case n < 77:
		r.visitPage(true)
	case n < 91:
		r.browse()
	case n < 93:
		r.pause()
	case n < 95:
		r.expire(time.Duration(35+r.rng.IntN(20))*time.Minute, "nap")
	case n < 96:
		r.expire(time.Duration(1+r.rng.IntN(5))*time.Hour, "expire")
	case n < 97:
		r.removeRiverDB()
		r.did["lost river DB"]++
	case n < 98:
		r.cut()
	default:
		r.kill()
	}
}

// expire lets time pass, and lets the node drop outdated data. After a nap only tombstones are
// outdated; the rivers live on.
func (r *run) expire(after time.Duration, what string) {
	r.clock.advance(after)
	r.node.Expire()
	r.sync()
	r.did[what]++
}

// cut ends every connection to the primary, as a restart of the primary does.
func (r *run) cut() {
	const query = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
	// Each cut connection gets its error at its next use; later actions begin on new
	// connections.
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
		{viewer, KindUser, whose, ""}, {viewer, KindPhotos, whose, ""}, {viewer, KindGroupPhotos, int64(pick(r, r.world.Groups).ID), ""}, {viewer, KindComments, whose, ""}, {viewer, KindLikes, whose, ""},
		{viewer, KindGroup, int64(pick(r, r.world.Groups).ID), ""}, {viewer, KindDirects, int64(viewer), ""}, {viewer, KindFavs, int64(viewer), ""},
		{viewer, KindEverything, 0, ""}, {viewer, KindPost, int64(r.post(15)), ""}, {viewer, KindPost, int64(r.post(15)), ""},
	})
}

// filtered returns a random page of the kinds that the site itself fills.
func (r *run) filtered(viewer timeline.UserID, whose int64) Key {
	own := func(kind Kind) Key { return Key{viewer, kind, int64(viewer), ""} }
	lang := pick(r, append([]string{""}, world.Languages...))
	ranked := timeline.RankedID(lang, pick(r, timeline.Periods()))
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
			"commented-by:" + name(), "has:image", "-has:image", "has:audio", "after:2026-11-20", "before:2026-11-21",
			"-from:" + name(), "-group:" + pick(r, r.world.Groups).Name, "-liked-by:" + name(), "-commented-by:" + name(), "-#" + pick(r, world.Tags),
		}))
	}
	if r.rng.IntN(4) == 0 {
		terms = terms[1:]
	}
	search, err := query.Parse(strings.Join(terms, " "))
	if err != nil {
		r.allowed("search", err)
		return everything(viewer)
	}
	return Key{Viewer: viewer, What: KindSearch, Query: search.String()}
}

// post returns one of the newest posts, or the id of a missing post.
func (r *run) post(newest int) timeline.PostID {
	if all := r.world.Posts; len(all) > 0 {
		return pick(r, all[max(0, len(all)-newest):]).ID
	}
	return 1
}

// visitPage visits a page, at times after the viewer's home was built ahead; with older, a page
// that need not begin at the top.
func (r *run) visitPage(older bool) {
	key, at := r.key(), At{Count: 1 + r.rng.IntN(10)}
	if older {
		at = r.at(key)
	}
	if r.rng.IntN(4) == 0 { // most tries find the home there, or too little room
		home := Key{Viewer: key.Viewer, What: KindHome, TheirID: int64(key.Viewer)}
		switch built, err := r.node.Prepare(r.t.Context(), home); {
		case errors.Is(err, ErrBusy), err == nil && !built:
		default:
			r.allowed("built ahead", err)
		}
	}
	v, err := r.node.Visit(r.t.Context(), key, at)
	if r.allowed("visit", err); err == nil && !v.Live {
		r.did["visit deeper than is held"]++
	}
}

// at returns random options of a page, as addresses have them.
func (r *run) at(key Key) At {
	at := r.part(key)
	for _, name := range at.parts() {
		r.did["asked "+name]++
	}
	return at
}

func (r *run) part(key Key) At {
	at := At{Count: 1 + r.rng.IntN(8), NoReplies: r.rng.IntN(3) == 0}
	switch r.rng.IntN(8) {
	case 0, 1, 2: // page after page
		for depth := 1 + r.rng.IntN(9); depth > 0; depth-- {
			v, err := r.node.Visit(r.t.Context(), key, at)
			if r.allowed("older", err); err != nil || v.Older == nil {
				return at
			}
			at.Before = *v.Older
		}
	case 3:
		at.Skip = at.Count * (1 + r.rng.IntN(5))
	case 4: // down to the last of the pages above it
		if above, found := r.somewhere(key); found {
			at.After = above
		}
	case 5:
		if below, found := r.somewhere(key); found {
			at.StartFrom = below.FreshAt + r.rng.Int64N(2)
		}
	case 6:
		above, found := r.somewhere(key)
		if below, more := r.somewhere(key); found && more && above.Below(below) {
			at.After, at.Before = above, below
		}
	}
	return at
}

// somewhere returns the present place of a random entry of a river.
func (r *run) somewhere(key Key) (timeline.Cursor, bool) {
	v, err := r.node.Visit(r.t.Context(), key, At{Count: 40})
	if err != nil || len(v.Entries) == 0 {
		return timeline.Cursor{}, false
	}
	return pick(r, v.Entries).Cursor, true
}

// parts returns the names of the options of a page that is not the top of its river.
func (at At) parts() (names []string) {
	for name, is := range map[string]bool{"before": at.Before != timeline.Cursor{}, "after": at.After != timeline.Cursor{},
		"start from": at.StartFrom != 0, "by number": at.Skip > 0, "without replies": at.NoReplies} {
		if is {
			names = append(names, name)
		}
	}
	return names
}

// pause stops the loop during a burst of parallel writes, so that the next turn finds repeats,
// bursts and out-of-order changes.
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

// kill ends the node without a drain, and starts another one on its files.
func (r *run) kill() {
	for _, page := range r.pages {
		page.close()
	}
	r.stop()
	r.evicted()
	r.set.Memory = r.budget()
	r.start()
	r.did["killed node"]++
}

// live runs the site, and compares.
func (r *run) live(steps int) (found []string) {
	for i := range steps {
		r.calm = i > steps/2 // so that many rivers live when they are compared
		r.world.Without = map[string]bool{"lift": r.calm, "previews": r.calm}
		r.step()
	}
	r.waitSettled()
	r.evicted()
	// A page that wakes up for the comparison has rivers built. A write that races such a build would
	// be in what is read later, and not in what was read earlier.
	r.alone = true
	defer func() { r.alone = false }()
	found, rivers := r.compare()
	for _, page := range slices.Clone(r.pages) {
		found = append(found, page.compare()...)
	}
	r.did["rivers compared"] += rivers
	for range 10 {
		found = append(found, r.samePage()...)
	}
	found = append(found, r.toTheBottom()...)
	for _, page := range r.pages {
		page.close()
	}
	return found
}

// samePage fails unless a page of a river equals a fresh build of the page.
func (r *run) samePage() (found []string) {
	key := r.key()
	at := r.at(key)
	r.waitSettled()
	held, err := r.node.Visit(r.t.Context(), key, at)
	if err != nil || !held.Live {
		r.allowed("page compared", err)
		return nil
	}
	fresh, err := r.node.FromPrimary(r.t.Context(), key, at)
	if err != nil {
		return []string{fmt.Sprintf("page %v %+v is refused by a fresh build: %v", key, at, err)}
	}
	r.did["page compared"]++
	if diff := cmp.Diff(haveOf(fresh), haveOf(held)); diff != "" {
		return []string{fmt.Sprintf("page %v %+v differs (-fresh +held): %s", key, at, diff)}
	}
	return nil
}

// toTheBottom compares the pages of a river, one below the other, with a fresh build: the
// first pages come from the held entries, the others from the primary.
func (r *run) toTheBottom() []string {
	key := everything(pick(r, r.world.People).ID)
	var have []Have
	for at := (At{Count: 7}); ; {
		v, err := r.node.Visit(r.t.Context(), key, at)
		r.must(err)
		if !v.Live {
			r.did["visit deeper than is held"]++
		}
		if have = append(have, haveOf(v)...); v.Older == nil || len(have) >= 100 {
			break
		}
		at.Before = *v.Older
	}
	fresh, err := r.node.FromPrimary(r.t.Context(), key, At{Count: 100})
	r.must(err)
	if diff := cmp.Diff(haveOf(fresh), have[:min(len(have), 100)]); diff != "" {
		return []string{fmt.Sprintf("pages of %v down to the bottom differ (-fresh +held): %s", key, diff)}
	}
	return nil
}

// seedOf returns the seed of a random run. It skips the test in short mode.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	racetest.Long(t)
	seed := *oracleSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-oracle.seed=%d -oracle.steps=%d", seed, *oracleSteps)
	return seed
}

// often is how often each event must happen in the oracle's run before the run may end. With
// fewer events the run would not test them.
var often = map[string]int{
	"visit": 50, "older": 10, "expire": 1, "nap": 5, "lost river DB": 1, "cut connections": 1, "killed node": 1, "evicted": 1, "shortened": 1, "built ahead": 1, "pause": 1, "at once": 10,
	"page opened": 10, "page patched": 5, "page resumed": 5, "page woke after tombstones went": 1,
	"asked before": 5, "asked after": 5, "asked start from": 5, "asked by number": 5, "asked without replies": 5, "visit deeper than is held": 1,
	"write before a build reads": 5, "write while a build reads": 5, "turn while a build reads": 5, "rivers compared": 120, "page compared": 50,
}

// TestOracle: for any interleaving of writes and faults, every living river equals a fresh build
// of the river, and every open page equals its river.
func TestOracle(t *testing.T) {
	t.Parallel()
	seed := seedOf(t)
	const usual, mostRounds = 300, 12 // steps; the most rounds of a run that waits for rare events
	var mu sync.Mutex
	did := make(map[string]int)
	// missing lists the events that have not happened often enough yet.
	missing := func() (all []string) {
		if *oracleSteps < usual {
			return nil
		}
		for what, least := range often {
			if did[what] < least {
				all = append(all, fmt.Sprintf("%s: %d times, not %d", what, did[what], least))
			}
		}
		var rare []string
		for _, what := range world.Kinds() {
			if did[what] == 0 {
				rare = append(rare, what)
			}
		}
		if most := len(world.Kinds()) / 10; len(rare) > most {
			all = append(all, fmt.Sprintf("more than %d kinds never: %v", most, rare))
		}
		return all
	}
	t.Run("runs", func(t *testing.T) {
		for i := range uint64(3) {
			t.Run(fmt.Sprint(seed+i), func(t *testing.T) {
				t.Parallel()
				r := newRun(t, seed+i, faults{})
				const rounds = 3
				for round := 1; ; round++ {
					for _, line := range r.live(*oracleSteps / rounds) {
						t.Error(line[:min(len(line), 1200)])
					}
					if t.Failed() {
						t.FailNow()
					}
					mu.Lock()
					for what, n := range r.did {
						did[what] += n
					}
					clear(r.did)
					more := len(missing()) > 0
					mu.Unlock()
					if round >= rounds && !more || round == mostRounds {
						return
					}
				}
			})
		}
	})
	t.Log(did)
	for _, what := range missing() {
		t.Errorf("happened too seldom: %s", what)
	}
}

// TestOracleNotices breaks the protocols on purpose: the oracle must notice.
func TestOracleNotices(t *testing.T) {
	t.Parallel()
	seed := seedOf(t)
	for _, test := range []struct {
		name   string
		faults faults
	}{
		{"a dropped mark", faults{dropMarks: true}},
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
					var builds atomic.Int64
					r.faults.building = func() {
						// Every other build is left alone: a comment can change the viewer's sets, and
						// then the build begins again, which a comment in each build would repeat for ever.
						if builds.Add(1)%2 == 1 && busy.CompareAndSwap(false, true) {
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
				r.store.Pool().Close() // many runs may follow
				if len(found) > 0 {
					t.Logf("noticed in run %d: %s", i+1, found[0])
					return
				}
			}
			t.Error("the oracle did not notice")
		})
	}
}

// recent returns the ids of the newest posts. It takes none of the node's slots, because a
// builder that calls it may have the only slot.
func (r *run) recent() []timeline.PostID {
	const query = `select id from posts where deleted_at is null order by fresh_at desc, id desc limit 5`
	rows, err := r.store.Pool().Query(r.t.Context(), query)
	if err != nil {
		return nil
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[timeline.PostID])
	if err != nil {
		return nil
	}
	return ids
}
