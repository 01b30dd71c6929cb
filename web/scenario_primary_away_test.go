package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/web"
)

// after asks until the answer is right; the node works in its own time.
func (b *bundle) after(what string, ask func() answer, good func(answer) bool) answer {
	b.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		a := ask()
		if good(a) {
			return a
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("%s: %d %v %.500s", what, a.status, a.header, a.body)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestPrimaryAway(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	server := pgtest.Server(t)
	const behind = 3 * time.Second // a slow machine may need longer, so pages that must be up to date are asked for again
	b := setupWith(t, pgtest.Open(t, server.URL()), web.Config{BehindAfter: behind},
		river.Settings{Limits: river.Limits{Behind: behind, Blind: time.Hour, Poll: 50 * time.Millisecond}}, "alice", "bobby")
	alice, bobby, visitor := b.browser("alice"), b.as("bobby"), b.visitor()
	alice.form("POST", "/api/v1/posts.json", "post[text]", "kept in mind", "post[timelines][]", "user", "return_to", "/").leadsTo("/")
	const banner = `<div id="banner" role="status">`
	held := map[string]*client{"/": alice, "/alice": visitor, "/alice.json": bobby}
	upToDate := func(a answer) bool {
		return a.status == http.StatusOK && !strings.Contains(a.body, banner) && !strings.Contains(a.body, `"behind":true`)
	}
	for path, c := range held {
		a := b.after(path+" before", func() answer { return c.get(path) }, upToDate)
		if !strings.Contains(a.body, "kept in mind") {
			t.Fatalf("%s before: %s", path, a.body)
		}
	}

	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	b.after("a node without a primary is not ready", func() answer { return visitor.get("/readyz") },
		func(a answer) bool {
			return a.status == 503 && strings.Contains(a.body, "not ready") && a.header.Get("Retry-After") != ""
		})
	if a := visitor.get("/healthz"); a.status != 200 {
		t.Errorf("the process lives, but: %d", a.status)
	}
	for path, c := range held {
		a := c.get(path)
		if a.status != 200 || !strings.Contains(a.body, "kept in mind") {
			t.Errorf("%s, which is held: %d %.500s", path, a.status, a.body)
		}
		if says := strings.Contains(a.body, banner) || strings.Contains(a.body, `"behind":true`); !says {
			t.Errorf("%s does not say that it may be old", path)
		}
	}
	away := func(name string, a answer) {
		t.Helper()
		if a.status != 503 || a.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %v %.300s", name, a.status, a.header, a.body)
		}
	}
	away("a page that is not held", bobby.get("/bobby/comments.json"))
	away("a post", bobby.send("POST", "/api/v1/posts.json", object{"post": object{"text": "lost?", "timelines": []string{"user"}}}))
	away("a post by form", alice.form("POST", "/api/v1/posts.json", "post[text]", "lost?", "post[timelines][]", "user", "return_to", "/"))
	away("a subscription", bobby.send("POST", "/api/v1/users/alice/subscribers", nil))
	away("signing in", visitor.form("POST", "/users/sign_in", "user[email]", "bobby", "user[password]", "password of bobby"))
	stranger := b.visitor()
	stranger.header.Set("Cookie", "amstel=unknown-session")
	away("a session that this node does not know", stranger.get("/alice"))
	if a := alice.form("POST", "/api/v1/posts.json", "post[text]", "lost?", "post[timelines][]", "user"); !strings.Contains(a.body, "Nothing is lost") {
		t.Errorf("it is not said politely: %s", a.body)
	}

	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.after("ready again by itself", func() answer { return visitor.get("/readyz") }, func(a answer) bool { return a.status == http.StatusOK })
	bobby.post("and on it goes", "user")
	for path, c := range held {
		a := b.after(path+" afterwards", func() answer { return c.get(path) }, upToDate)
		if strings.Contains(a.body, "lost?") {
			t.Errorf("%s afterwards: %s", path, a.body)
		}
	}
	a := b.after("everything afterwards", func() answer { return visitor.get("/filter/everything.json") }, upToDate)
	if a.at("entries", 0, "text") != "and on it goes" {
		t.Error(a.body)
	}
}
