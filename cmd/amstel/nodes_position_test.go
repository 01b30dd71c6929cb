package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/realtime"
)

// TestOnesOwnWritesAreReadOnEveryNode writes on one node and reads at once on another, which
// gets the primary's messages 3 ms late. Both a page load and an open page that connects there
// show the write, or report an older position.
func TestOnesOwnWritesAreReadOnEveryNode(t *testing.T) {
	t.Parallel()
	const writes = 20
	c := newCluster(t, 1)
	far := &member{address: steadyAddress(t)}
	var way *link
	way, far.db = newLink(t, c.db)
	way.delay = 3 * time.Millisecond
	c.start(far)
	c.nodes = append(c.nodes, far)
	anna, _ := c.person("anna")
	who := c.session(anna)
	reached := 0
	for i := range writes {
		here, there := c.nodes[0], c.nodes[1]
		var before *shown
		until(t, minute, func() (why string) { before, why = c.read(there, who); return why })
		post, position, cookie := c.publish(here, who, fmt.Sprintf("post %d", i))

		// A page load has the position in a cookie. A node too slow to reach the position shows
		// an older state.
		browser := who
		browser.position = cookie
		var now *shown
		until(t, minute, func() (why string) { now, why = c.read(there, browser); return why })
		has := slices.ContainsFunc(now.Entries, func(e entry) bool { return e.ID == post })
		if now.River.Position >= position {
			reached++
			if !has {
				t.Errorf("at position %d, want %d, the other node does not show post %d", now.River.Position, position, i)
			}
		}
		// An open page has the position in its sub. A node too slow to reach the position closes
		// the socket with 4011.
		until(t, minute, func() string { return c.connect(there, who, before, position, post) })
	}
	if reached < writes/2 {
		t.Errorf("the other node reached the position in time for only %d of %d writes", reached, writes)
	}
}

// read reads the home of a viewer from a node.
func (c *cluster) read(m *member, who credential) (page *shown, why string) {
	page, err := c.page(c.t.Context(), m.url, "/index.json", who)
	if err != nil {
		return nil, err.Error()
	}
	return page, ""
}

// publish publishes a post on a node, and returns the post's id, and the position in the answer
// and its cookie.
func (c *cluster) publish(m *member, who credential, text string) (post int64, position int64, cookie string) {
	c.t.Helper()
	body := map[string]any{"post": map[string]any{"text": text, "timelines": []string{"user"}}}
	a, err := ask(c.t.Context(), http.MethodPost, m.url+"/api/v1/posts.json", who, body)
	if err != nil || a.status >= 300 {
		c.t.Fatalf("%v, %d %s", err, a.status, a.body)
	}
	var answer struct {
		Position int64
		Post     struct{ ID int64 }
	}
	if err := json.Unmarshal([]byte(a.body), &answer); err != nil {
		c.t.Fatal(err)
	}
	for _, one := range a.header.Values("Set-Cookie") {
		if name, rest, _ := strings.Cut(one, "="); name == "amstel-position" {
			cookie, _, _ = strings.Cut(rest, ";")
		}
	}
	if answer.Position == 0 || cookie != fmt.Sprint(answer.Position) {
		c.t.Fatalf("the answer has position %d, its cookie %q", answer.Position, cookie)
	}
	return answer.Post.ID, answer.Position, cookie
}

// connect connects a page that was read before a post was published to a node, and fails the
// test unless the first frames show the post. It returns why the node can't be followed now,
// such as a close with 4011.
func (c *cluster) connect(m *member, who credential, before *shown, position int64, post int64) string {
	c.t.Helper()
	p := newLivePage(c.t, m.url, "/index.json", who, before)
	p.page.Position = position
	header := http.Header{"Origin": {m.url}}
	who.set(header)
	conn, _, err := websocket.Dial(c.t.Context(), m.url+"/live", &websocket.DialOptions{HTTPHeader: header, Subprotocols: []string{realtime.Subprotocol}})
	if err != nil {
		return err.Error()
	}
	defer func() { _ = conn.CloseNow() }()
	if err := conn.Write(c.t.Context(), websocket.MessageText, p.sub(conn)); err != nil {
		return err.Error()
	}
	for range 2 { // a hello and a patch
		_, data, err := conn.Read(c.t.Context())
		if err != nil {
			return err.Error() // 4011: the caller tries again
		}
		if _, err := p.take(data); err != nil {
			c.t.Fatal(err)
		}
	}
	if _, has := p.page.Entries[post]; !has {
		c.t.Errorf("a page from position %d is not shown the post: %v", position, p.history)
	}
	return ""
}
