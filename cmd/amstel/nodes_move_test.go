package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/realtime"
	liveclient "amstel.dev/amstel/realtime/client"
)

var (
	nodesSeed  = flag.Uint64("nodes.seed", 1, "the seed of TestPagesMoveBetweenNodes")
	nodesSteps = flag.Int("nodes.steps", 300, "the number of writes in TestPagesMoveBetweenNodes, at least")
)

// TestPagesMoveBetweenNodes opens pages on three nodes behind a proxy that sends each request to
// the next node. Under random writes the test cuts connections and restarts the nodes one by
// one. In the end every open page equals the page of every node, and every river equals a fresh
// build.
func TestPagesMoveBetweenNodes(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(*nodesSeed, 5))
	c := newCluster(t, 3)
	w := world.New(t, c.store, *nodesSeed)
	// The nodes look at imported feeds themselves. The pages of a suspended person end, also if the person is restored.
	w.Without = map[string]bool{"imported feed": true, "suspend": true}
	for range 60 {
		c.step(w)
	}
	tokens := map[*livePage]*world.Person{}
	pages := []*livePage{c.open(c.proxy.URL, "/filter/everything.json", credential{}, 1), c.open(c.proxy.URL, "/index.json?count=7", credential{}, 2)}
	for i, who := range slices.Clone(w.People) {
		token := c.token(who.ID)
		more := []string{"/filter/directs.json", "/filter/discussions.json", "/filter/mentions.json", "/filter/favs.json", "/filter/everything.json"}
		for j, path := range []string{fmt.Sprintf("/index.json?count=%d", 5+3*i), more[i%len(more)]} {
			p := c.open(c.proxy.URL, path, token, uint64(10*i+j+3))
			pages, tokens[p] = append(pages, p), who
		}
	}

	var restarts sync.WaitGroup
	restarted := make(chan struct{})
	restarts.Go(func() {
		defer close(restarted)
		for _, m := range c.nodes {
			c.stopNode(m)
			c.start(m)
		}
	})
	defer restarts.Wait()
	said := map[string]int{} // how often each comment was acknowledged, by text
	for i := 0; ; i++ {
		select {
		case <-restarted:
			if i >= *nodesSteps {
				c.checkPages(w, pages, tokens)
				c.checkWrittenOnce(said)
				return
			}
		default:
		}
		c.step(w)
		if p := pages[rnd.IntN(len(pages))]; i%5 == 0 {
			c.comment(rnd, p, fmt.Sprintf("said %d", i), said)
		} else if i%5 == 1 {
			p.cut()
		}
	}
}

// step makes one random write. A refusal by a rule is no failure.
func (c *cluster) step(w *world.World) {
	c.t.Helper()
	if what, err := w.Step(c.t.Context()); err != nil && !world.Refused(err) {
		c.t.Fatalf("%s: %v", what, err)
	}
}

// comment comments on a random post of a page, through the proxy. It repeats the request under
// the same uuid until a node answers, so that the comment is written once.
func (c *cluster) comment(rnd *rand.Rand, p *livePage, text string, said map[string]int) {
	c.t.Helper()
	p.mu.Lock()
	signature, order := p.page.River, slices.Clone(p.page.Order)
	p.mu.Unlock()
	if p.who == (credential{}) || len(order) == 0 {
		return
	}
	post := order[rnd.IntN(len(order))]
	body := map[string]any{"comment": map[string]any{"text": text}, "_uuid": newUUID(rnd)}
	for {
		a, err := p.post(fmt.Sprintf("/api/v1/posts/%d/comments.json", post), signature, body)
		switch {
		case err != nil || a.status == http.StatusBadGateway || a.status == http.StatusServiceUnavailable:
			continue // a node is being restarted
		case a.status < 300:
			said[text]++
			p.takeAnswer(signature, post, a.body)
		}
		return
	}
}

// newUUID returns a random uuid.
func newUUID(rnd *rand.Rand) string {
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", rnd.Uint32(), rnd.Uint32()>>16, rnd.Uint32()>>20, rnd.Uint32()>>20, rnd.Uint64()>>16)
}

// post sends a POST request of the page's viewer, with the signature of its river.
func (p *livePage) post(path, signature string, body any) (reply, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return reply{}, err
	}
	r, err := http.NewRequestWithContext(p.Context(), http.MethodPost, p.site+path, strings.NewReader(string(text)))
	if err != nil {
		return reply{}, err
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "X-River-Signature": signature} {
		r.Header.Set(name, value)
	}
	p.who.set(r.Header)
	return send(r)
}

// takeAnswer applies the answer to a write of the page's viewer. An answer without a counter
// was read from the primary and is ignored: a patch that is under way could replace the entry
// by an older state.
func (p *livePage) takeAnswer(signature string, post int64, body string) {
	var told struct {
		Epoch    string
		Counter  int64
		Position int64
		Entries  map[string]struct {
			Post struct {
				ID      int64
				Version int
				Tag     string
				Text    string
			}
		}
	}
	if err := json.Unmarshal([]byte(body), &told); err != nil {
		p.Errorf("%s: %v", body, err)
		return
	}
	e, found := told.Entries[signature]
	p.mu.Lock()
	defer p.mu.Unlock()
	p.page.Position = max(p.page.Position, told.Position)
	p.record("answer %s %d at %d: post %d of version %d", told.Epoch, told.Counter, told.Position, post, e.Post.Version)
	if _, there := p.page.Entries[post]; found && there && told.Counter != 0 {
		p.page.Answer(told.Epoch, told.Counter, liveclient.Shown{Post: post, Tag: e.Post.Tag, Version: e.Post.Version, Text: e.Post.Text})
	}
}

// checkPages waits until every page shows the same as every node, and then runs amstel check on
// the nodes' rivers.
func (c *cluster) checkPages(w *world.World, pages []*livePage, of map[*livePage]*world.Person) {
	c.t.Helper()
	if err := w.Finish(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	moved := 0
	for _, p := range pages {
		until(c.t, minute, func() string { return c.difference(p) })
		if code := p.endedWith(); code != 0 && !(code == realtime.CodeSignedOut && slices.Contains(w.Gone, of[p])) {
			c.t.Errorf("%s ended with %d", p.path, code)
		}
		if len(p.epochs) > 1 {
			moved++
		}
		if c.t.Failed() {
			c.t.Fatal(p.describe())
		}
	}
	if moved < len(pages)/2 {
		c.t.Errorf("only %d of %d pages moved to another node", moved, len(pages))
	}
	paths, err := filepath.Glob(filepath.Join(c.data, "river*.db"))
	if err != nil || len(paths) != len(c.nodes) {
		c.t.Errorf("%d nodes have the river DBs %v, %v", len(c.nodes), paths, err)
	}
	for _, path := range paths {
		// The world never stored the files that its rows name.
		if out := must(c.t, "check", "--river", path, c.db); !strings.Contains(out, " 0 differences") {
			c.t.Errorf("check prints %s", out)
		}
	}
}

// difference returns how a page differs from the nodes' pages, or how these differ from one
// another, or an empty string.
func (c *cluster) difference(p *livePage) string {
	if p.endedWith() != 0 {
		return ""
	}
	path, _, _ := strings.Cut(p.path, "?")
	var first *shown
	for i, m := range c.nodes {
		now, err := c.page(c.t.Context(), m.url, path+"?count=100", p.who)
		if err != nil {
			return err.Error()
		}
		if why := p.difference(now); why != "" {
			return fmt.Sprintf("%s, of node %d: %s", p.path, i, why)
		}
		if first == nil {
			first = now
		} else if diff := cmp.Diff(first.Entries, now.Entries); diff != "" {
			return fmt.Sprintf("%s: nodes 0 and %d differ: %s", p.path, i, diff)
		}
	}
	return ""
}

// checkWrittenOnce fails the test for each comment that was written more than once. A comment
// may be missing, because its post or its author's account was deleted.
func (c *cluster) checkWrittenOnce(said map[string]int) {
	c.t.Helper()
	there := 0
	for text := range said {
		var n int
		if err := c.pool.QueryRow(context.Background(), `select count(*) from comments where text = $1`, text).Scan(&n); err != nil {
			c.t.Fatal(err)
		}
		if there += n; n > 1 {
			c.t.Errorf("%q was written %d times", text, n)
		}
	}
	if there == 0 || len(said) < 5 {
		c.t.Errorf("%d comments were acknowledged, %d are there", len(said), there)
	}
}
