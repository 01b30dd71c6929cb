package web_test

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// TestPostOfALostRightLeavesOpenPages opens all pages that show a post, on two nodes, while the
// right to the post is taken away on one node. On this node no frame that begins after the answer
// has the post. On the other node no frame has the post once the node has read the change. On both
// nodes the post leaves open pages and the answers to polls, and does not come back when the post
// changes later.
func TestPostOfALostRightLeavesOpenPages(t *testing.T) {
	long(t)
	t.Parallel()
	b, clients, posts := stage(t)
	other := b.twin()
	var slowest time.Duration
	closed := map[string]bool{} // kinds of page with a closed socket
	for _, tt := range b.takings(posts) {
		loser := clients[tt.loser]
		var ears []*ear
		for also, node := range []*bundle{b, other} {
			ears = append(ears, loser.at(node).listening(tt.lost, posts, also)...)
		}
		known := 0
		fayes := make(map[*ear]*fayeEar)
		for _, o := range ears {
			known = max(known, o.unread)
			fayes[o] = o.on.listen(o.page.River)
		}
		shown := func(o *ear, name string) bool {
			id, _ := strconv.ParseInt(posts[name], 10, 64)
			return o.has(timeline.PostID(id))
		}
		had := make(map[*ear][]string)
		for _, o := range ears {
			for _, name := range tt.lost {
				if shown(o, name) {
					had[o] = append(had[o], name)
				}
			}
		}

		b.take(clients, tt)
		since := map[*bundle]int64{b: b.counter()}
		answered := time.Now()
		if err := other.node.WaitPosition(t.Context(), b.node.Position()); err != nil { // a busy machine
			b.waitUntilNothingWrong(func() string { return errorText(other.node.WaitApplied(t.Context())) })
		}
		slowest = max(slowest, time.Since(answered))
		since[other] = other.counter()

		for _, name := range tt.lost { // the author writes another comment on each lost post
			at := slices.IndexFunc(audiences, func(a audience) bool { return a.name == name })
			clients[audiences[at].author].send("POST", "/api/v1/posts/"+posts[name]+"/comments.json",
				object{"comment": object{"text": "again about " + audiences[at].marker() + ", " + tt.name}})
		}
		fence(b, other, clients, tt.loser, ears, known)

		for _, o := range ears {
			want := websocket.StatusCode(0)
			if status := loser.at(o.on).missed(o).status; status != 200 {
				want = realtime.CodeForbidden
			}
			o.on.waitUntilNothingWrong(func() string {
				if code := o.closeCode(); code != want {
					return fmt.Sprintf("%s: the socket of %s, open for %s (the other node's: %v), ended with %d, want %d", tt.name, o.path, tt.loser, o.on == other, code, want)
				}
				return ""
			})
			closed[o.kind()] = closed[o.kind()] || want != 0
			o.on.waitUntilNothingWrong(func() string { return fayes[o].missing(had[o], posts) })
			heard, _ := fayes[o].texts(0)
			if strings.Contains(heard, "-end, "+tt.name) {
				t.Errorf("%s: a client of Faye on %s of %s (the other node's: %v) is told of what came afterwards", tt.name, o.path, tt.loser, o.on == other)
			}
			for _, name := range tt.lost {
				if what := o.textSince("marker-"+name+"-end", since[o.on]); what != "" {
					t.Errorf("%s: %s of %s (the other node's: %v) is told of %s, after %d: %s", tt.name, o.path, tt.loser, o.on == other, name, since[o.on], what)
				}
				if shown(o, name) {
					t.Errorf("%s: %s of %s (the other node's: %v) still shows %s", tt.name, o.path, tt.loser, o.on == other, name)
				}
				if a := loser.at(o.on).missed(o); strings.Contains(a.body, "marker-"+name+"-end") {
					t.Errorf("%s: a poll for %s of %s (the other node's: %v) tells of %s", tt.name, o.path, tt.loser, o.on == other, name)
				}
			}
			fayes[o].close()
			o.close()
		}
		t.Logf("%s: %d open pages", tt.name, len(ears))
	}
	t.Logf("the other node was there after %v at most", slowest)
	for _, kind := range []string{"post", "feed", "sub-feed", "comments", "likes", "calendar", "group"} {
		if !closed[kind] {
			t.Errorf("no page of the kind %q lost its reader", kind)
		}
	}
}

// missing returns a fault if the client has not ended and got no message that the posts are
// gone.
func (e *fayeEar) missing(names []string, posts map[string]string) string {
	told, _ := e.texts(0)
	for _, name := range names {
		if !e.ended() && !strings.Contains(told, `"deleted":`+posts[name]) {
			return fmt.Sprintf("a client of Faye is not told that %s is gone: %s", name, told)
		}
	}
	return ""
}

// kind returns the kind of the page that an ear listens to, if its viewer can lose the page.
func (o *ear) kind() string {
	path, _, _ := strings.Cut(strings.TrimSuffix(o.path, ".json"), "?")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case parts[0] == "filter" || parts[0] == "list" || parts[0] == "s":
		return ""
	case len(parts) == 1 && slices.Contains([]string{"open", "closed", "guild"}, parts[0]):
		return "group"
	case len(parts) == 1:
		return "feed"
	case parts[1] == "private":
		return "sub-feed"
	case parts[1] == "calendar" || parts[1] == "comments" || parts[1] == "likes":
		return parts[1]
	}
	return "post"
}

func errorText(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}

// listening opens all live pages that show the posts, and the likes pages of people, every other
// one as HTML. The first of them differs by node.
func (c *client) listening(names []string, posts map[string]string, also int) (ears []*ear) {
	c.b.t.Helper()
	paths := slices.Clone(everyPage)
	for _, name := range names {
		at := slices.IndexFunc(audiences, func(a audience) bool { return a.name == name })
		paths = append(paths, "/"+audiences[at].author+"/"+posts[name])
	}
	if c.token == "" {
		paths = append([]string{"/", "/filter/everything"}, paths[len(everyPage):]...)
	}
	for _, path := range paths {
		a := c.get(asJSON(path))
		shows := strings.HasSuffix(path, "/likes") || slices.ContainsFunc(names, func(name string) bool { return strings.Contains(a.body, "marker-"+name+"-end") })
		if a.status != 200 || !shows {
			continue
		}
		if live, _ := a.at("river", "live").(bool); !live {
			continue
		}
		uuid, _ := a.at("river", "uuid").(string)
		ears = append(ears, c.openListener(asJSON(path), uuid, (len(ears)+also)%2 == 1))
	}
	if len(ears) == 0 {
		c.b.t.Fatalf("no live page shows any of %v", names)
	}
	return ears
}

// missed returns the answer to a poll by a page that has received nothing since its opening.
func (c *client) missed(o *ear) answer {
	c.b.t.Helper()
	return c.get("/live/changes?" + url.Values{"river": {o.page.River}, "page": {o.path}, "as": {"json"}}.Encode())
}

// fence waits until every open page was sent all changes. It writes posts that mention the
// viewer of the pages until the viewer's count of notices rises: the frame with that count
// is then the last one.
func fence(b, other *bundle, clients map[string]*client, who string, ears []*ear, known int) {
	b.t.Helper()
	by := clients["stranger"]
	if who == "stranger" {
		by = clients["warden"]
	}
	if who == "anonymous" {
		text := fmt.Sprintf("fence %d", b.counter())
		by.post(text, "user")
		for _, o := range ears {
			o.waitText(text)
		}
		return
	}
	unread := known
	for unread <= known { // a notice may have been unread, and then revoked
		by.post("fence for @"+who, "user")
		unread = b.visit(river.Key{Viewer: b.ids[who], What: river.KindHome, TheirID: int64(b.ids[who])}).Unread.Notices
	}
	b.waitUntilNothingWrong(func() string { return errorText(other.node.WaitApplied(b.t.Context())) })
	for _, o := range ears {
		o.counted(unread)
	}
}
