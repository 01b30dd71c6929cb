package web_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/internal/attachment"
	"amstel.dev/amstel/internal/audit"
	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/nodetest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
	"amstel.dev/amstel/web/webfeed"
)

var (
	walkFor  = flag.Duration("walk.for", 0, "how long the random walk through the API lasts; 0: one round of some hundred requests")
	walkSeed = flag.Uint64("walk.seed", 0, "the seed of the random walk through the API; 0: another each time")
)

// A randomWalk sends random requests of the OpenAPI document to a site, as several people at once. It checks
// each answer by the document (package apitest) and by the plain rule.
type randomWalk struct {
	*plainSite
	keeper  *attachment.Keeper
	photos  [][]byte
	asked   []walkOperation
	schemas map[string]any
	recluse map[string]bool // the secrets that no walker may ever be shown
	texts   atomic.Int64    // with a secret that walkers wrote
	// The things that a step may name, in the last state.
	names, groups, uuids []string
	posts                []int64
	secrets              []string         // all that there are
	files                map[string]int64 // by the secret in the name or description of a file: the owner

	mu        sync.Mutex
	succeeded map[string]int // by operation
	statuses  map[int]int
	compared  map[string]int // kinds of answers whose secrets were compared with the rule
}

// TestRandomWalk sends random requests of the API. In each round people first write and read in parallel: no
// answer is a fault, the document allows each, and none has a secret of the recluses, whom no walker may
// read. Then they read while nothing is written: no answer has a secret that the plain rule refuses. At the
// end the primary is sound, and the node's rivers equal fresh builds of them.
func TestRandomWalk(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	seed := *walkSeed
	if seed == 0 {
		seed = rand.Uint64N(1_000_000)
	}
	t.Logf("-walk.seed=%d -walk.for=%s", seed, *walkFor)
	w := newWalk(t, seed)
	until := time.Now().Add(*walkFor)
	for round := uint64(0); !w.enough() || time.Now().Before(until); round++ {
		w.round(seed + round<<32)
		if t.Failed() {
			break
		}
	}
	if *walkFor > 0 {
		w.compareAll()
	}
	w.end()
	w.t.Logf("%d of %d operations succeeded, and the secrets in answers of %d were compared; statuses %v",
		len(w.succeeded), len(w.asked), len(w.compared), w.statuses)
}

// newWalk starts a site with a random world on it, and with two recluses.
func newWalk(t *testing.T, seed uint64) *randomWalk {
	t.Helper()
	files, err := filestore.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	})
	late, faults := &lateKeeper{}, slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
	w := &randomWalk{recluse: make(map[string]bool), succeeded: make(map[string]int), statuses: make(map[int]int), compared: make(map[string]int)}
	w.plainSite = newPlainSiteOf(t, pgtest.New(t), nodetest.Config{Web: web.Config{WritesPerMinute: 1 << 30, Files: late, Log: faults}, Odd: true})
	late.Keeper = attachment.New(w.store, files, attachment.Options{Maker: fakeMaker{}})
	w.keeper = late.Keeper
	w.asked, w.schemas = walkOperations(t)
	w.world = world.New(t, w.store, seed)
	for range 300 {
		if what, err := w.world.Step(t.Context()); err != nil && !world.Refused(err) {
			t.Fatalf("%s: %v", what, err)
		}
	}
	for shade := range uint8(4) {
		w.photos = append(w.photos, photo(t, shade))
	}
	w.seclude()
	return w
}

// seclude signs two recluses up, who write to themselves, to each other, and to a group of theirs.
func (w *randomWalk) seclude() {
	w.t.Helper()
	must := func(err error) {
		w.t.Helper()
		if err != nil {
			w.t.Fatal(err)
		}
	}
	status, ctx := "private", w.t.Context()
	var ids [2]timeline.UserID
	for i := range ids {
		name := fmt.Sprintf("recluse%d", i+1)
		var err error
		ids[i], err = w.store.SignUp(ctx, newPasswordless(name))
		must(err)
		must(w.store.SetProfile(ctx, ids[i], timeline.ProfileEdit{Status: &status}))
	}
	_, err := w.store.CreateGroup(ctx, ids[0], timeline.NewGroup{Name: "cloister", Status: "private", Joining: "request", Posting: "members"})
	must(err)
	for i, to := range []string{"user", "user_fyeo", "user_private", "direct:recluse2", "group:cloister"} {
		text := func(n int) string {
			secret := fmt.Sprintf("secret%05dx", 99000+10*i+n)
			w.recluse[secret] = true
			return "quiet " + secret + " #amstel bridge"
		}
		post, err := w.store.CreatePost(ctx, ids[0], timeline.NewPost{To: []string{to}, Text: text(0)})
		must(err)
		_, err = w.store.AddComment(ctx, ids[0], post, timeline.NewComment{Text: text(1)})
		must(err)
	}
}

// round lets all viewers walk: while things are written, and while nothing is.
func (w *randomWalk) round(seed uint64) {
	w.t.Helper()
	writes, reads := 60, 40 // of each walker
	if *walkFor > 0 {
		writes, reads = 200, 100
	}
	// A walker who administers the site may have set anything.
	if _, err := w.store.ArrangeSite(w.t.Context(), timeline.SiteEdit{"quotas.token": "0", "quotas.person": "0", "quotas.address": "0"}); err != nil {
		w.t.Fatal(err)
	}
	w.look()
	w.all(seed, writes, false)
	if err := w.world.Finish(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	w.look()
	w.clock.Add(int64(time.Minute))
	w.all(seed+1, reads, true)
}

// look records the state of the site, and what there is to name in it.
func (w *randomWalk) look() {
	w.t.Helper()
	w.recordApplied("the walk so far")
	w.names, w.groups, w.uuids, w.posts, w.secrets = nil, nil, nil, nil, nil
	for _, who := range w.site.People {
		w.names = append(w.names, who.Name)
	}
	for _, g := range w.site.Groups {
		w.groups = append(w.groups, g.Name)
	}
	for id, post := range w.site.Posts {
		w.posts = append(w.posts, id)
		w.secrets = append(w.secrets, world.Secrets(post.Text)...)
		for _, c := range post.Comments {
			w.secrets = append(w.secrets, world.Secrets(c.Text)...)
		}
	}
	for _, list := range []*[]string{&w.names, &w.groups, &w.secrets} {
		slices.Sort(*list)
	}
	slices.Sort(w.posts)
	w.readFiles()
	rows, err := w.pool.Query(w.t.Context(), `select id::text from subscription_requests union all select id::text from invitations order by 1`)
	if err != nil {
		w.t.Fatal(err)
	}
	for rows.Next() {
		var uuid string
		if err := rows.Scan(&uuid); err != nil {
			w.t.Fatal(err)
		}
		w.uuids = append(w.uuids, uuid)
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
}

// readFiles reads the owners of files. They may see their files that are in no post yet, about which the plain
// rule says nothing.
func (w *randomWalk) readFiles() {
	w.t.Helper()
	w.files = make(map[string]int64)
	rows, err := w.pool.Query(w.t.Context(), `select user_id, file_name || ' ' || alt from attachments`)
	if err != nil {
		w.t.Fatal(err)
	}
	var owner int64
	var named string
	if _, err := pgx.ForEachRow(rows, []any{&owner, &named}, func() error {
		for _, secret := range world.Secrets(named) {
			w.files[secret] = owner
		}
		return nil
	}); err != nil {
		w.t.Fatal(err)
	}
}

// all lets a visitor and all people except the recluses make some steps each, in parallel.
func (w *randomWalk) all(seed uint64, steps int, quiet bool) {
	var walkers sync.WaitGroup
	for _, v := range w.viewers() {
		if v != 0 && strings.HasPrefix(w.site.People[v].Name, "recluse") {
			continue
		}
		one := &walker{randomWalk: w, viewer: v, quiet: quiet, rng: rand.New(rand.NewPCG(seed, uint64(v))), http: w.visitor().http}
		walkers.Go(func() {
			for range steps {
				one.step()
			}
		})
	}
	walkers.Wait()
}

// A walker is a viewer who walks. Only one goroutine may use it.
type walker struct {
	*randomWalk
	viewer int64
	quiet  bool // nothing is written meanwhile
	rng    *rand.Rand
	http   *http.Client
	tokens [4]string // full, to read, to write, and of a session
}

// likely returns true with a probability of percent in a hundred.
func (o *walker) likely(percent int) bool { return o.rng.IntN(100) < percent }

// step sends one random request, and looks at the answer.
func (o *walker) step() {
	op := o.asked[o.rng.IntN(len(o.asked))]
	for o.quiet && (op.method != "GET" || !op.lists() && o.likely(70)) {
		op = o.asked[o.rng.IntN(len(o.asked))]
	}
	r := o.request(op)
	viewer, credential := o.sign(r)
	var body string
	var status int
	if cut := o.likely(3); cut && r.body != nil {
		status, body = o.sendCut(r)
	} else {
		status, body = o.send(r)
	}
	if status == http.StatusUnauthorized && credential >= 0 {
		o.tokens[credential] = "" // it was revoked
	}
	o.mu.Lock()
	o.statuses[status]++
	if status > 0 && status < 300 {
		o.succeeded[op.id]++
	}
	o.mu.Unlock()
	if status >= 500 {
		o.t.Errorf("%s %s by %d is answered %d %.500s; sent: %.2000q", r.method, r.target, o.viewer, status, body, r.body)
	}
	o.compare(op, r, viewer, body)
}

// sign gives a request the credentials of the walker, mostly: a token of all scopes, to read or to write, or a
// session; or none, or a wrong one. It returns the viewer to the site, and the credential, -1 for others.
func (o *walker) sign(r *walkRequest) (viewer int64, credential int) {
	if o.viewer == 0 || o.likely(4) {
		return 0, -1
	}
	if o.likely(2) {
		r.header.Set("X-API-Token", odd[o.rng.IntN(len(odd))])
		return o.viewer, -1
	}
	n := []int{0, 0, 0, 0, 1, 2, 3, 3}[o.rng.IntN(8)]
	if o.tokens[n] == "" {
		secret, err := "", error(nil)
		if n == 3 {
			secret, err = o.store.NewSession(o.t.Context(), timeline.UserID(o.viewer), true, "")
		} else {
			scopes := []timeline.Scopes{timeline.AllScopes, timeline.ScopeRead, timeline.ScopeWrite}[n]
			secret, err = o.store.NewToken(o.t.Context(), timeline.UserID(o.viewer), timeline.TokenSpec{Name: "walk", Scopes: scopes})
		}
		if err != nil { // the account was deleted, or has its tokens already
			return 0, -1
		}
		o.tokens[n] = secret
	}
	switch {
	case n == 3:
		r.header.Set("Cookie", "amstel="+o.tokens[n])
		r.header.Set("Origin", o.randomWalk.http.URL)
	case o.likely(30):
		r.header.Set("Authorization", "Bearer "+o.tokens[n])
	default:
		r.header.Set("X-API-Token", o.tokens[n])
	}
	return o.viewer, n
}

// compare compares the secrets in an answer with those that its viewer may be shown: at any time none of
// the recluses, and while nothing is written those of the plain rule alone. What the request has itself is no leak.
func (o *walker) compare(op walkOperation, r *walkRequest, viewer int64, body string) {
	if path, feed := webfeed.Cut(op.path); feed != nil && path != op.path {
		viewer = 0 // feeds look at no token: all readers get that of visitors
	}
	sent := r.target + string(r.body)
	for _, secret := range world.Secrets(body) {
		if o.recluse[secret] && !strings.Contains(sent, secret) {
			o.t.Errorf("%s %s shows %d the secret %s of a recluse", r.method, r.target, viewer, secret)
			return
		}
	}
	if !o.quiet || strings.Contains(op.path, "/history") { // which is compared with its own rule afterwards
		return
	}
	leaked := slices.DeleteFunc(o.leaks(viewer, body), func(secret string) bool {
		return strings.Contains(sent, secret) || viewer != 0 && o.files[secret] == viewer
	})
	if len(leaked) > 0 {
		o.t.Errorf("%s %s shows %d the secrets %v, which the plain rule refuses", r.method, r.target, viewer, leaked)
	}
	if len(world.Secrets(body)) > 0 {
		o.mu.Lock()
		o.compared[op.id]++
		o.mu.Unlock()
	}
}

// end checks the primary, the river DB and the files as `amstel check` and the tests' audit do.
func (w *randomWalk) end() {
	w.t.Helper()
	ctx := w.t.Context()
	faults, err := audit.Check(ctx, w.pool)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, fault := range faults {
		w.t.Error(fault)
	}
	if err := w.node.WaitApplied(ctx); err != nil {
		w.t.Fatal(err)
	}
	sum, err := river.Check(ctx, w.store, w.river, river.CheckOptions{}, func(line string) { w.t.Error(line) })
	if err != nil || sum.Rivers == 0 || sum.Differences > 0 || sum.Unsettled > 0 {
		w.t.Errorf("the check of the river DB: %+v, %v", sum, err)
	}
	if _, err := w.keeper.Check(ctx, true, func(line string) {
		if !strings.Contains(line, strings.Repeat("0", 60)) { // as the names of files are that the world only says there are
			w.t.Error(line)
		}
	}); err != nil {
		w.t.Error(err)
	}
}

// enough reports whether the walk has seen enough to say something.
func (w *randomWalk) enough() bool { return len(w.succeeded) >= 80 && len(w.compared) >= 15 }

// send sends a request, and returns its answer. The status is 0 if no client can send the request.
func (o *walker) send(w *walkRequest) (status int, body string) {
	r, err := http.NewRequestWithContext(o.t.Context(), w.method, o.randomWalk.http.URL, bytes.NewReader(w.body))
	if err != nil {
		return 0, ""
	}
	path, query, _ := strings.Cut(w.target, "?")
	r.URL.Opaque = "//" + r.URL.Host + path // unchanged
	r.URL.RawQuery = query
	maps.Copy(r.Header, w.header)
	answer, err := o.http.Do(r)
	if err != nil {
		if strings.Contains(err.Error(), "invalid") { // header or address, before anything is sent
			return 0, ""
		}
		o.t.Errorf("%s %s: %v", w.method, w.target, err)
		return 0, ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		o.t.Errorf("%s %s: %v", w.method, w.target, err)
	}
	return answer.StatusCode, string(text)
}
