package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/timeline"
)

var nodesLong = flag.Bool("nodes.long", false, "wait until a node without its primary shows nothing, and until proxies may close quiet sockets")

// A lagging is a cluster of two nodes. One reaches the primary through a link that the test can
// freeze.
type lagging struct {
	*cluster
	*link
	good, bad *member
	anna      timeline.UserID
	posts     int
}

// newLagging starts both nodes, and makes the account anna.
func newLagging(t *testing.T) *lagging {
	t.Helper()
	l := &lagging{cluster: newCluster(t, 1)}
	l.good, l.bad = l.nodes[0], &member{address: steadyAddress(t)}
	l.link, l.bad.db = newLink(t, l.db)
	l.cluster.start(l.bad)
	l.nodes = append(l.nodes, l.bad)
	l.anna, _ = l.person("anna")
	return l
}

// post publishes a post by anna, and returns its text and the position of the log.
func (l *lagging) post() (string, int64) {
	l.t.Helper()
	l.posts++
	text := fmt.Sprintf("post %d", l.posts)
	if _, err := l.store.CreatePost(l.t.Context(), l.anna, timeline.NewPost{To: []string{"user"}, Text: text}); err != nil {
		l.t.Fatal(err)
	}
	position, err := l.store.Sequence(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	return text, position
}

// get reads a path from the lagging node, and ends the test if there is no answer.
func (l *lagging) get(path string, who credential) reply {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), minute)
	defer cancel()
	a, err := ask(ctx, http.MethodGet, l.bad.url+path, who, nil)
	if err != nil {
		l.t.Fatalf("%s: %v", path, err)
	}
	return a
}

// waitStatus waits until the lagging node answers a path with a status.
func (l *lagging) waitStatus(path string, status int) {
	l.t.Helper()
	until(l.t, minute, func() string {
		if a := l.get(path, credential{}); a.status != status {
			return fmt.Sprintf("%s answers %d, want %d: %s", path, a.status, status, a.body)
		}
		return ""
	})
}

// waitShows waits until the page shows a post with a text.
func (p *livePage) waitShows(text string) {
	p.Helper()
	until(p.T, minute, func() string {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, e := range p.page.Entries {
			if e.Text == text {
				return ""
			}
		}
		return fmt.Sprintf("%s does not show %q; its last events:\n%s", p.path, text, strings.Join(p.history, "\n"))
	})
}

// banner is the line on pages of a node that is behind.
const banner = `<div id="banner" role="status">`

// TestANodeThatLagsSaysSo freezes a node's link to the primary. The node shows the pages that it holds,
// marked as behind, answers requests for others with 503, and refuses open pages that have seen a later
// position. After the thaw its pages are right again.
func TestANodeThatLagsSaysSo(t *testing.T) {
	t.Parallel()
	l := newLagging(t)
	text, _ := l.post()
	page := l.open(l.bad.url, "/filter/everything.json", credential{}, 1)
	page.waitShows(text)
	held := l.get("/filter/everything", credential{})
	if held.status != http.StatusOK || strings.Contains(held.body, banner) {
		t.Fatalf("before the freeze a page is answered %d, or has the banner", held.status)
	}
	_, bert := l.person("bert")
	other := l.open(l.bad.url, "/index.json", bert, 2)

	l.freeze()
	thawed := false
	defer func() {
		if !thawed {
			l.thaw()
		}
	}()
	late, position := l.post()
	l.waitStatus("/readyz", http.StatusServiceUnavailable)
	if a := l.get("/healthz", credential{}); a.status != http.StatusOK {
		t.Errorf("/healthz of a node that is behind answers %d", a.status)
	}
	// The node shows the pages it holds, with the banner. It does not show pages that need the
	// loop.
	if a := l.get("/filter/everything", credential{}); a.status != http.StatusOK || !strings.Contains(a.body, banner) || strings.Contains(a.body, late) {
		t.Errorf("a page that the node holds is answered %d, with the banner: %v", a.status, strings.Contains(a.body, banner))
	}
	if a := l.get("/filter/everything.json", bert); a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
		t.Errorf("a page that the node does not hold is answered %d %.100s", a.status, a.body)
	}
	if a := l.get("/index.json", bert); a.status != http.StatusOK || !strings.Contains(a.body, `"behind":true`) {
		t.Errorf("a page of bert that the node holds is answered %d %.100s", a.status, a.body)
	}
	// The node refuses a page that has seen a later position than the node has applied.
	l.checkRefused(position)
	if code := page.endedWith(); code != 0 {
		t.Errorf("an open page ended with %d", code)
	}
	if *nodesLong {
		l.waitBlind(page)
	}

	l.thaw()
	thawed = true
	l.waitStatus("/readyz", http.StatusOK)
	page.waitShows(late)
	if a := l.get("/filter/everything", credential{}); a.status != http.StatusOK || strings.Contains(a.body, banner) || !strings.Contains(a.body, late) {
		t.Errorf("after the thaw a page is answered %d, with the banner: %v", a.status, strings.Contains(a.body, banner))
	}
	for _, p := range []*livePage{page, other} {
		until(t, minute, func() string { return l.difference(p) })
	}
}

// checkRefused connects a page with a position to the lagging node, and fails the test unless
// the node closes the socket with CodeBehind before any frame that shows something.
func (l *lagging) checkRefused(position int64) {
	l.t.Helper()
	var now *shown
	until(l.t, minute, func() string { // on a slow machine the good node may be behind as well
		var err error
		if now, err = l.page(l.t.Context(), l.good.url, "/filter/everything.json", credential{}); err != nil {
			return err.Error()
		}
		return ""
	})
	p := newLivePage(l.t, l.bad.url, "/filter/everything.json", credential{}, now)
	p.page.Position = position
	told := len(p.page.Entries)
	conn, _, err := websocket.Dial(l.t.Context(), l.bad.url+"/live", &websocket.DialOptions{Subprotocols: []string{realtime.Subprotocol}})
	if err != nil {
		l.t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	if code := websocket.CloseStatus(p.follow(l.t.Context(), conn)); code != realtime.CodeBehind || len(p.epochs) > 0 || len(p.page.Entries) != told {
		l.t.Errorf("a page from position %d is told %v and closed with %d, want only CodeBehind", position, p.history, code)
	}
}

// waitBlind waits until the lagging node closes the open page, and answers pages 503.
func (l *lagging) waitBlind(page *livePage) {
	l.t.Helper()
	until(l.t, 2*time.Minute, func() string {
		page.mu.Lock()
		defer page.mu.Unlock()
		if page.closed[realtime.CodeBehind] == 0 {
			return "the open page is not closed with CodeBehind"
		}
		return ""
	})
	l.waitStatus("/filter/everything", http.StatusServiceUnavailable)
}

// TestANodeFarBehindStartsOver freezes a node until it can't follow the log any more: too many
// changes, another epoch, or a pruned log. The node starts over, and its page gets a new river.
func TestANodeFarBehindStartsOver(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ what, query string }{
		{"more changes than are worth reading", `insert into changes (kind, user_id) select 'card', 1 from generate_series(1, 20001)`},
		{"another log", `update log_head set uuid = gen_random_uuid()`},
		{"a log that was pruned", `insert into changes (kind, user_id) select 'card', 1 from generate_series(1, 10)`},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			l := newLagging(t)
			text, _ := l.post()
			page := l.open(l.bad.url, "/filter/everything.json", credential{}, 1)
			page.waitShows(text)
			l.freeze()
			if _, err := l.pool.Exec(t.Context(), tt.query); err != nil {
				t.Error(err)
			}
			late, _ := l.post()
			if strings.Contains(tt.what, "pruned") {
				if _, err := l.pool.Exec(t.Context(), `delete from change_log where position < (select position from log_head)`); err != nil {
					t.Error(err)
				}
			}
			l.thaw()
			page.waitShows(late)
			until(t, minute, func() string { return l.difference(page) })
			page.mu.Lock()
			defer page.mu.Unlock()
			if page.closed[realtime.CodeOverload] == 0 || len(page.epochs) < 2 {
				t.Errorf("the page was not given a new river: %v", page.history)
			}
		})
	}
}

// TestASessionThatEndsWhileANodeLags ends a session while a node can't read the log. To requests of the
// session, the node still shows the pages that it holds, marked as behind. After the thaw it closes the
// session's open page, which never showed a post from after the end of the session.
func TestASessionThatEndsWhileANodeLags(t *testing.T) {
	t.Parallel()
	l := newLagging(t)
	before, _ := l.post()
	who, stranger := l.session(l.anna), l.session(l.anna)
	page := l.open(l.bad.url, "/index.json", who, 1)
	page.waitShows(before)

	l.freeze()
	thawed := false
	defer func() {
		if !thawed {
			l.thaw()
		}
	}()
	l.form(who, "/users/sign_out")
	after, _ := l.post()
	l.waitStatus("/readyz", http.StatusServiceUnavailable)
	if a := l.get("/index.json", who); a.status != http.StatusOK || !strings.Contains(a.body, `"behind":true`) || strings.Contains(a.body, after) {
		t.Errorf("a page of the session that the node knew is answered %d %.100s", a.status, a.body)
	}
	if a := l.get("/index.json", stranger); a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
		t.Errorf("a page of a session that the node did not know is answered %d %.100s", a.status, a.body)
	}

	l.thaw()
	thawed = true
	until(t, minute, func() string {
		if code := page.endedWith(); code != realtime.CodeSignedOut {
			return fmt.Sprintf("the page ended with %d", code)
		}
		return ""
	})
	for _, e := range page.page.Entries {
		if e.Text == after {
			t.Error("the page was shown a post from after the end of its session")
		}
	}
	if a := l.get("/api/v1/whoami", who); a.status != http.StatusUnauthorized {
		t.Errorf("after the thaw whoami of the ended session is answered %d %s", a.status, a.body)
	}
	l.waitStatus("/readyz", http.StatusOK)
	if why := l.whyUnknown(l.bad, "anna", stranger); why != "" {
		t.Error(why)
	}
}
