package main

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/timeline"
)

// A known is a person with four credentials, and a home that is open by each of them on every node.
type known struct {
	id    timeline.UserID
	name  string
	by    map[string]credential
	pages map[string][]*livePage // by the name of the credential, one on each node
}

// Names of credentials.
const (
	phone = "session of the phone"
	desk  = "session of the desk"
	bot   = "token of a bot"
	app   = "token of an app"
)

const password = "correct horse"

// newKnown makes an account with its credentials and open pages.
func (c *cluster) newKnown(name string) *known {
	c.t.Helper()
	id, err := c.store.SignUp(c.t.Context(), timeline.NewUser{Name: name, Email: name + "@example.org", Password: password})
	if err != nil {
		c.t.Fatal(err)
	}
	k := &known{id: id, name: name, pages: make(map[string][]*livePage)}
	k.by = map[string]credential{phone: c.session(id), desk: c.session(id), bot: c.token(id), app: c.token(id)}
	for what, who := range k.by {
		for i, m := range c.nodes {
			k.pages[what] = append(k.pages[what], c.open(m.url, "/index.json", who, uint64(i)))
		}
	}
	return k
}

// TestEndedSessionsEndEverywhere ends sessions and tokens on one node while pages are open by
// them on all nodes. One node is down meanwhile, and comes back with its river DB. In the end
// every node refuses the credentials and has closed their pages, and all other credentials and
// pages go on.
func TestEndedSessionsEndEverywhere(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 3)
	c.newKnown("first") // the first account is the site's administrator
	for _, tt := range []struct {
		name string
		end  func(*known)
		ends []string
	}{
		{"signedout", func(k *known) { c.form(k.by[desk], "/users/sign_out") }, []string{desk}},
		{"revoked", func(k *known) {
			tokens, err := c.store.Tokens(t.Context(), k.id)
			if err != nil || len(tokens) != 2 {
				t.Fatal(tokens, err)
			}
			for _, token := range tokens { // both, because the answer does not name the tokens
				c.form(k.by[desk], fmt.Sprintf("/api/v1/tokens/%d", token.ID), "_method", "DELETE")
			}
		}, []string{bot, app}},
		{"newpassword", func(k *known) {
			a := c.form(k.by[desk], "/api/v1/password", "_method", "PATCH", "password[old]", password, "password[new]", "battery staple")
			k.by["session after"] = sessionOf(a)
		}, []string{phone, desk}},
		{"newpasswordbyoperator", func(k *known) {
			must(t, "user", "password", k.name, "--password=battery staple", c.db)
		}, []string{phone, desk}},
		{"suspended", func(k *known) { must(t, "user", "suspend", k.name, c.db) }, []string{phone, desk, bot, app}},
		{"deleted", func(k *known) {
			c.form(k.by[desk], fmt.Sprintf("/api/v1/users/%d", k.id), "_method", "DELETE", "password", password)
		}, []string{phone, desk, bot, app}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := c.newKnown(tt.name)
			down := c.nodes[2]
			c.stopNode(down)
			tt.end(k)
			began := time.Now()
			c.start(down)
			dead := make(map[string]bool)
			for _, what := range tt.ends {
				dead[what] = true
				for _, m := range c.nodes {
					c.waitUnknown(t, m, k, what)
				}
				for _, p := range k.pages[what] {
					until(t, minute, func() string {
						if code := p.endedWith(); code != realtime.CodeSignedOut {
							return fmt.Sprintf("a page by %s at %s ended with %d", what, p.site, code)
						}
						return ""
					})
				}
			}
			t.Logf("every node refuses them after %v", time.Since(began))
			for what, who := range k.by {
				if dead[what] {
					continue
				}
				for _, m := range c.nodes {
					until(t, minute, func() string { return c.whyUnknown(m, k.name, who) })
				}
				for _, p := range k.pages[what] {
					if code := p.endedWith(); code != 0 {
						t.Errorf("a page by %s ended with %d", what, code)
					}
				}
			}
			// The remaining pages show a new post; the others do not.
			if len(dead) < len(k.by) {
				text := "after all that, " + tt.name
				if _, err := c.store.CreatePost(t.Context(), k.id, timeline.NewPost{To: []string{"user"}, Text: text}); err != nil {
					t.Fatal(err)
				}
				for what, pages := range k.pages {
					for _, p := range pages {
						if !dead[what] {
							p.waitShows(text)
						} else if strings.Contains(p.describe(), text) {
							t.Errorf("a page by %s is shown the new post", what)
						}
					}
				}
			}
			for _, pages := range k.pages {
				for _, p := range pages {
					p.close()
				}
			}
		})
	}
}

// sessionOf returns the session in the cookie of an answer.
func sessionOf(a reply) credential {
	for _, cookie := range (&http.Response{Header: a.header}).Cookies() {
		if cookie.Name == "amstel" {
			return credential{session: cookie.Value}
		}
	}
	return credential{}
}

// waitUnknown waits until a node no longer accepts an ended credential. From then on requests
// of the API are answered 401, and pages as to a visitor.
func (c *cluster) waitUnknown(t *testing.T, m *member, k *known, what string) {
	t.Helper()
	who := k.by[what]
	until(t, minute, func() string {
		a, err := ask(t.Context(), http.MethodGet, m.url+"/api/v1/whoami", who, nil)
		if err != nil || a.status != http.StatusUnauthorized {
			return fmt.Sprintf("whoami by %s at %s: %v, %d %s, want 401", what, m.url, err, a.status, a.body)
		}
		return ""
	})
	p := k.pages[what][0]
	poll := "/live/changes?" + url.Values{"river": {p.page.River}, "page": {p.path}}.Encode()
	if a, err := ask(t.Context(), http.MethodGet, m.url+poll, who, nil); err != nil || a.status != http.StatusUnauthorized {
		t.Errorf("a poll by %s at %s: %v, %d %s", what, m.url, err, a.status, a.body)
	}
	a, err := ask(t.Context(), http.MethodGet, m.url+"/index.json", who, nil)
	if err != nil || strings.Contains(a.body, `"`+k.name+`"`) {
		t.Errorf("the home by %s at %s: %v, %d %.200s", what, m.url, err, a.status, a.body)
	}
}
