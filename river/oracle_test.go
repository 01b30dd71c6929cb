package river

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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

// A run is a random life of a site.
type run struct {
	*place
	rng   *rand.Rand
	names []string
	posts []timeline.PostID
	wrote map[timeline.PostID]timeline.UserID
	talks map[timeline.PostID][]timeline.CommentID
	pages []*page
	said  map[timeline.CommentID]timeline.UserID
	did   map[string]int

	repeats int // the loop's
}

func newRun(t testing.TB, seed uint64, faults faults) *run {
	r := &run{rng: rand.New(rand.NewPCG(seed, 1)), wrote: make(map[timeline.PostID]timeline.UserID), talks: make(map[timeline.PostID][]timeline.CommentID), said: make(map[timeline.CommentID]timeline.UserID), did: make(map[string]int)}
	for i := range 8 {
		r.names = append(r.names, fmt.Sprintf("user%d", i))
	}
	r.place = newPlace(t, r.names...)
	r.stop()
	r.faults = faults
	r.faults.repeat = func() bool { r.repeats++; return r.repeats%3 == 0 }
	r.set.Deepest, r.set.OpenMost, r.set.Marks, r.set.Chunk = 60, 80, 5, 4
	r.set.Acted = time.Minute
	r.start()
	for i := range 2 {
		name := fmt.Sprintf("group%d", i)
		id, err := r.store.CreateGroup(t.Context(), r.user(r.names[i]), timeline.NewGroup{Name: name, DisplayName: name, Status: []string{"public", "private"}[i]})
		r.must(err)
		r.groups[name] = id
	}
	return r
}

func pick[T any](r *run, from []T) T { return from[r.rng.IntN(len(from))] }

// allowed counts a step that happened; one that a rule refused is none.
func (r *run) allowed(what string, err error) {
	r.t.Helper()
	var invalid *timeline.InvalidError
	switch {
	case err == nil:
		r.did[what]++
	case errors.Is(err, timeline.ErrNotFound), errors.Is(err, timeline.ErrForbidden), errors.Is(err, timeline.ErrConflict), errors.As(err, &invalid):
	default:
		r.t.Fatalf("%s: %v", what, err)
	}
}

// step does one thing that people do, or that befalls a node.
func (r *run) step() {
	ctx, who := r.t.Context(), pick(r, r.names)
	user, other := r.user(who), pick(r, r.names)
	var post timeline.PostID
	if len(r.posts) > 0 {
		post = pick(r, r.posts[max(0, len(r.posts)-25):])
	}
	r.clock.advance(time.Duration(r.rng.IntN(3)) * time.Millisecond) // ties are frequent
	n := r.rng.IntN(100)
	if post == 0 {
		n = 0
	}
	switch {
	case n < 14:
		to := pick(r, [][]string{{"user"}, {"user"}, {"user"}, {"group:group0"}, {"group:group1"}, {"user", "group:group0"}, {"direct:" + other}, {"user_fyeo"}})
		id, err := r.store.CreatePost(ctx, user, timeline.NewPost{To: to, Text: fmt.Sprintf("post %d of %s", len(r.posts), who)})
		if err == nil {
			r.posts = append(r.posts, id)
			r.wrote[id] = user
		}
		r.allowed("post", err)
	case n < 30:
		id, err := r.store.AddComment(ctx, user, post, timeline.NewComment{Text: "a comment"})
		if err == nil {
			r.talks[post] = append(r.talks[post], id)
			r.said[id] = user
		}
		r.allowed("comment", err)
	case n < 39:
		r.allowed("like", r.store.Like(ctx, user, post))
	case n < 43:
		r.allowed("unlike", r.store.Unlike(ctx, user, post))
	case n < 46:
		text := fmt.Sprintf("edited %d", r.rng.IntN(1000))
		r.allowed("edit", r.store.EditPost(ctx, r.wrote[post], post, timeline.PostEdit{Text: &text}))
	case n < 48:
		r.allowed("delete", r.store.DeletePost(ctx, r.wrote[post], post))
	case n < 52:
		for _, newer := range slices.Backward(r.posts) { // one that has comments
			if post = newer; len(r.talks[post]) > 0 {
				break
			}
		}
		if talk := r.talks[post]; len(talk) > 0 {
			c := pick(r, talk)
			switch r.rng.IntN(3) {
			case 0:
				r.allowed("edit comment", r.store.EditComment(ctx, r.said[c], post, c, "edited"))
			case 1:
				r.allowed("delete comment", r.store.DeleteComment(ctx, r.said[c], post, c))
			default:
				r.allowed("like comment", r.store.LikeComment(ctx, user, post, c))
			}
		}
	case n < 57:
		_, err := r.store.Subscribe(ctx, user, timeline.FeedName{Name: pick(r, []string{other, other, other, "group0", "group1"})}, timeline.SubscribeOptions{})
		r.allowed("subscribe", err)
	case n < 59:
		r.allowed("unsubscribe", r.store.Unsubscribe(ctx, user, timeline.FeedName{Name: pick(r, []string{other, other, "group0", "group1"})}))
	case n < 61:
		requests, err := r.store.Requests(ctx, user)
		r.must(err)
		for _, q := range requests {
			r.allowed("accept", r.store.Accept(ctx, user, q.UUID))
		}
	case n < 63:
		r.allowed("ban", r.store.Ban(ctx, user, other))
	case n < 65:
		r.allowed("unban", r.store.Unban(ctx, user, other))
	case n < 68:
		status := pick(r, []string{"public", "protected", "private"})
		r.allowed("status", r.store.SetProfile(ctx, user, timeline.ProfileEdit{Status: &status}))
	case n < 69:
		name := fmt.Sprintf("%s the %d", who, r.rng.IntN(100))
		r.allowed("rename", r.store.SetProfile(ctx, user, timeline.ProfileEdit{DisplayName: &name}))
	case n < 83:
		r.look(false)
	case n < 87:
		r.look(true)
	case n < 94:
		r.browse()
	case n < 96:
		r.pause()
	case n < 97:
		r.clock.advance(time.Duration(1+r.rng.IntN(5)) * time.Hour)
		r.node.Expire()
		r.sync()
		r.did["expire"]++
	case n < 98:
		r.lose()
		r.did["lost river DB"]++
	default:
		r.kill()
	}
}

// key is a random page.
func (r *run) key() Key {
	viewer := r.user(pick(r, append([]string{"", ""}, r.names...)))
	whose := int64(r.user(pick(r, r.names)))
	var post int64 = 1
	if len(r.posts) > 0 {
		post = int64(pick(r, r.posts[max(0, len(r.posts)-15):]))
	}
	return pick(r, []Key{
		{viewer, KindHome, int64(viewer), ""}, {viewer, KindHome, int64(viewer), ""}, {viewer, KindHome, int64(viewer), ""},
		{viewer, KindUser, whose, ""}, {viewer, KindComments, whose, ""}, {viewer, KindLikes, whose, ""},
		{viewer, KindGroup, int64(pick(r, slices.Collect(maps.Values(r.groups)))), ""},
		{viewer, KindDirects, int64(viewer), ""}, {viewer, KindEverything, 0, ""}, {viewer, KindPost, post, ""}, {viewer, KindPost, post, ""},
	})
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
		who, post := pick(r, r.names), timeline.PostID(0)
		if len(r.posts) > 0 {
			post = pick(r, r.posts[max(0, len(r.posts)-5):])
		}
		like := r.rng.IntN(2) == 0
		go func() {
			if like {
				writes <- r.store.Like(r.t.Context(), r.user(who), post)
				return
			}
			_, err := r.store.AddComment(r.t.Context(), r.user(who), post, timeline.NewComment{Text: "at once"})
			writes <- err
		}()
	}
	for range cap(writes) {
		r.allowed("at once", <-writes)
	}
	r.node.mu.RUnlock()
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
	for range steps {
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
	for _, what := range []string{"post", "comment", "like", "unlike", "edit", "delete", "edit comment", "delete comment", "like comment",
		"subscribe", "unsubscribe", "accept", "ban", "unban", "status", "rename", "visit", "older", "expire", "lost river DB", "killed node",
		"pause", "at once", "page opened", "page patched", "page resumed", "rivers compared"} {
		if did[what] == 0 && *oracleSteps >= 600 {
			t.Errorf("nothing of the kind happened: %s", what)
		}
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
					r.faults.building = func() {
						if busy.CompareAndSwap(false, true) {
							defer busy.Store(false)
							for _, post := range r.recent() {
								_ = r.store.Like(t.Context(), r.user(r.names[int(post)%len(r.names)]), post) // most are refused
							}
						}
					}
					r.stop()
					r.start()
				}
				found := r.live(150)
				r.stop()
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
