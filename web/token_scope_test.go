package web_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/go-chi/chi/v5"

	"amstel.dev/amstel/internal/apitest"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/openapi"
	"amstel.dev/amstel/web/page"
	"amstel.dev/amstel/web/webfeed"
)

// with is a program with a token of the person's that has these scopes, and expires if lasts is not 0.
func (b *bundle) with(name string, scopes timeline.Scopes, lasts time.Duration) *client {
	b.t.Helper()
	spec := timeline.TokenSpec{Name: "scoped", Scopes: scopes}
	if lasts != 0 {
		spec.Expires = time.Now().Add(lasts)
	}
	secret, err := b.store.NewToken(b.t.Context(), b.ids[name], spec)
	if err != nil {
		b.t.Fatal(err)
	}
	c := b.visitor()
	c.token = secret
	return c
}

// openRoutes are the beginnings of the routes that look at no token.
var openRoutes = []string{
	"/healthz", "/readyz", "/metrics", "/static/", "/robots.txt", "/favicon.ico", "/apple-touch-icon.png", "/service-worker.js",
	"/manifest.webmanifest", "/about/status", "/faye", "/settings/apitokens", "/customize/apitokens", "/api/openapi", "/api/live.schema",
}

// adminRoutes are the routes that need the scope admin, as docs/wire.md has them.
var adminRoutes = []string{
	"PATCH /{name}/edit", "POST /{name}/edit",
	"PATCH /api/v1/groups/{name}", "PATCH /api/v1/site",
	"POST /api/v1/groups/{name}/admins/{who}", "DELETE /api/v1/groups/{name}/admins/{who}",
	"POST /api/v1/groups/{name}/exclusions/{who}", "DELETE /api/v1/groups/{name}/exclusions/{who}",
	"POST /api/v1/groups/{name}/avatar", "DELETE /api/v1/groups/{name}/avatar",
	"POST /api/v1/groups/{name}/cover", "DELETE /api/v1/groups/{name}/cover",
	"GET /settings/suspensions", "GET /api/v1/suspensions", "POST /api/v1/suspensions", "DELETE /api/v1/suspensions/{name}",
	"GET /api/v1/site_changes", "GET /settings/applicants", "GET /api/v1/applicants", "PATCH /api/v1/applicants/{id}",
	"GET /{name}/across_bans", "GET /api/v1/held_posts", "POST /api/v1/held_posts/{post:[0-9]+}", "DELETE /api/v1/held_posts/{post:[0-9]+}",
	"GET /admin", "GET /settings/reports", "GET /api/v1/reports", "PATCH /api/v1/reports/{id}",
	"DELETE /api/v1/groups/{name}/subscribers/{who}", "POST /api/v1/groups/{name}/invitations",
}

// TestEveryRouteNeedsItsScope sends a request to each route with a token of each scope alone. A
// token without the scope of the route is refused with 403 scope, before anything else; a
// token with the scope is not.
func TestEveryRouteNeedsItsScope(t *testing.T) {
	t.Parallel()
	long(t)
	b := setup(t, "warden", "alice")
	post := b.as("alice").send("POST", "/api/v1/posts", object{"post": object{"text": "hoi", "timelines": []string{"user"}}}).ok()
	values := strings.NewReplacer("{post}", post.id("post", "id"), "{post:[0-9]+}", post.id("post", "id"))
	param := regexp.MustCompile(`\{[^{}]*\}`)
	var admin []string
	walked := 0
	documented := make(map[string]*openapi.Operation)
	for _, topic := range openapi.Topics() {
		for _, o := range topic.Operations {
			documented[o.Method+" "+strings.TrimSuffix(o.Path, ".json")] = o
		}
	}
	compared := 0
	for _, scope := range []timeline.Scopes{timeline.ScopeRead, timeline.ScopeWrite, timeline.ScopeAdmin} {
		program := b.with("alice", scope, 0)
		program.accept = "application/json"
		err := chi.Walk(b.site.Routes(), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
			if path, feed := webfeed.Cut(route); feed != nil && path != route || strings.HasPrefix(route, page.PrivateFeeds) {
				return nil // feeds look at no token, but at the secret of their address
			}
			if slices.ContainsFunc(openRoutes, func(open string) bool { return strings.HasPrefix(route, open) }) || method+" "+route == "POST /sh" {
				return nil
			}
			walked++
			needed := timeline.ScopeWrite
			switch {
			case slices.Contains(adminRoutes, method+" "+route):
				needed = timeline.ScopeAdmin
				admin = append(admin, method+" "+route)
			case method == "GET" || method == "HEAD":
				needed = timeline.ScopeRead
			}
			if o := documented[method+" "+strings.TrimSuffix(apitest.Path(route), ".json")]; o != nil && o.Who != "session" && !o.HTML() {
				compared++
				if o.Scope != needed.Names()[0] {
					t.Errorf("web/openapi says that %s %s needs the scope %q, and it needs %v", method, route, o.Scope, needed.Names())
				}
			}
			path := values.Replace(route)
			path = param.ReplaceAllStringFunc(path, func(one string) string {
				switch {
				case strings.Contains(one, "[0-9]+"), one == "{id}":
					return "999999"
				case one == "{name}", one == "{who}":
					return "alice"
				}
				return "1"
			})
			a := program.send(method, path, nil)
			refused := a.status == 403 && strings.Contains(a.body, `"code":"scope"`)
			if refused != (scope != needed) {
				t.Errorf("%s %s needs %v; with a token of %v it is answered %d %.200s", method, path, needed.Names(), scope.Names(), a.status, a.body)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if compared < 3*150 {
		t.Errorf("%d operations of the document were compared", compared)
	}
	if walked < 3*150 || len(admin) != 3*len(adminRoutes) {
		t.Errorf("%d requests were made, %d of them to routes of administrators", walked, len(admin))
	}
}

func TestScopesByAPI(t *testing.T) {
	t.Parallel()
	b := setup(t, "warden", "alice")
	session := b.session("alice")
	create := func(token object) answer { return session.send("POST", "/api/v1/tokens", object{"token": token}) }
	program := func(token object) *client {
		c := b.visitor()
		c.token, _ = create(token).ok().at("token").(string)
		return c
	}
	for _, tt := range []struct {
		token       object
		read, write bool
	}{
		{object{"name": "as programs for Mokum are"}, true, true},
		{object{"name": "reader", "scopes": []string{"read"}}, true, false},
		{object{"name": "by words", "scopes": "read write"}, true, true},
		{object{"name": "writer", "scopes": []string{"write", "write"}}, false, true},
		{object{"name": "all", "scopes": []string{"admin", "read", "write"}}, true, true},
	} {
		p := program(tt.token)
		a := p.get("/alice.json")
		if (a.status == 200) != tt.read || !tt.read && (a.status != 403 || a.at("code") != "scope") {
			t.Errorf("%v reads: %d %s", tt.token, a.status, a.body)
		}
		a = p.send("POST", "/api/v1/posts", object{"post": object{"text": "hoi", "timelines": []string{"user"}}})
		if (a.status == 200) != tt.write || !tt.write && (a.status != 403 || a.at("code") != "scope" || !strings.Contains(a.body, "“write”")) {
			t.Errorf("%v writes: %d %s", tt.token, a.status, a.body)
		}
	}
	list := session.get("/api/v1/tokens").ok()
	if list.at("tokens", 4, "scopes", 0) != "read" || list.at("tokens", 4, "scopes", 1) != "write" || list.at("tokens", 0, "scopes", 2) != "admin" {
		t.Error(list.body)
	}
	for name, bad := range map[string]object{
		"an unknown scope":     {"name": "bot", "scopes": []string{"read", "root"}},
		"no scope":             {"name": "bot", "scopes": []string{}},
		"a scope of no type":   {"name": "bot", "scopes": 7},
		"an end in the past":   {"name": "bot", "expires_at": "2020-01-01T00:00:00Z"},
		"an end that is none":  {"name": "bot", "expires_at": "tomorrow"},
		"days that are none":   {"name": "bot", "days": "-1"},
		"days without end":     {"name": "bot", "days": 1e9},
		"a name of two lines":  {"name": "bot\nnet"},
		"an end that is a map": {"name": "bot", "expires_at": object{}},
	} {
		if a := create(bad); a.status != 422 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	if n := len(session.get("/api/v1/tokens").ok().at("tokens").([]any)); n != 5 {
		t.Errorf("%d tokens, want the five that were right", n)
	}
}

// TestTokenWithoutAdminActsAsAMember checks that a token with the scope write alone has none of the
// rights that its owner has as an administrator of a group and of the site.
func TestTokenWithoutAdminActsAsAMember(t *testing.T) {
	t.Parallel()
	b := setup(t, "warden", "alice", "bob") // the warden administers the site
	b.as("warden").send("POST", "/api/v1/groups", object{"group": object{"name": "rowing", "status": "public", "joining": "request", "posting": "admins"}}).ok()
	warden := map[bool]*client{false: b.with("warden", timeline.ScopeRead|timeline.ScopeWrite, 0), true: b.as("warden")}
	post := b.as("alice").send("POST", "/api/v1/posts", object{"post": object{"text": "hoi", "timelines": []string{"user"}}}).ok().id("post", "id")
	other := warden[false].send("POST", "/api/v1/posts", object{"post": object{"text": "to the group", "timelines": []string{"group:rowing"}}}).ok().id("post", "id")
	comment := b.as("bob").send("POST", "/api/v1/posts/"+post+"/comments", object{"comment": object{"text": "spam"}}).ok().id("id")
	b.as("bob").send("POST", "/api/v1/groups/rowing/subscribers", nil).ok()
	uuid, _ := warden[false].get("/api/v1/subscription_requests").ok().at("subscription_requests", 0, "request", "uuid").(string)
	for _, admin := range []bool{false, true} {
		for _, tt := range []struct {
			method, path string
			status       int // of the token without admin
		}{
			{"PUT", "/api/v1/subscription_requests/" + uuid, 404},
			{"DELETE", "/api/v1/posts/" + post + "/comments/" + comment, 403},
			{"DELETE", "/api/v1/posts/" + post, 403},
		} {
			a := warden[admin].send(tt.method, tt.path, nil)
			if admin && a.status != 200 || !admin && a.status != tt.status {
				t.Errorf("%s %s by a token with admin %v: %d %s", tt.method, tt.path, admin, a.status, a.body)
			}
		}
	}
	warden[false].send("DELETE", "/api/v1/posts/"+other, nil).ok() // the author's right
}

func TestLiveNeedsTheScopeRead(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	uuid := b.as("alice").opens("/alice.json").uuid
	for _, path := range []string{"/live", "/live/changes?river=" + uuid + "&page=/alice"} {
		for scope, refused := range map[timeline.Scopes]bool{timeline.ScopeWrite | timeline.ScopeAdmin: true, timeline.ScopeRead: false} {
			a := b.with("alice", scope, 0).get(path)
			if is := a.status == 403 && strings.Contains(a.body, `"code":"scope"`); is != refused {
				t.Errorf("%s with a token of %v: %d %s", path, scope.Names(), a.status, a.body)
			}
		}
	}
	program := b.with("alice", timeline.ScopeRead, 0)
	if _, f, ok := program.open("/alice", program.opens("/alice.json").uuid, "json"); !ok {
		t.Errorf("a token that may read is told %q", f)
	}
	// The uuid of a page names its token. A token loses the right to read only in the primary.
	name := program.opens("/alice.json").uuid
	if _, err := b.pool.Exec(t.Context(), `update api_tokens set scopes = '{write}'`); err != nil {
		t.Fatal(err)
	}
	client := b.fayeHandshake()
	if reply := b.fayeMeta(object{"channel": "/meta/subscribe", "clientId": client, "subscription": "/rivers/" + name}); reply["successful"] != false {
		t.Errorf("Faye by the uuid of a token that may not read: %v", reply)
	}
}

// TestExpiredTokenEndsOnAllNodes opens pages by a token on two nodes that have cached it. When the
// token expires, both close their sockets and refuse its requests, and neither needs the primary.
func TestExpiredTokenEndsOnAllNodes(t *testing.T) {
	t.Parallel()
	long(t)
	b := setup(t, "alice")
	nodes := []*bundle{b, b.twin()}
	program := b.with("alice", timeline.AllScopes, 6*time.Second)
	var sockets []*socket
	var programs []*client
	for _, node := range nodes {
		p := node.visitor()
		p.token = program.token
		page := p.opens("/alice.json")
		s, f, ok := p.open("/alice", page.uuid, "json")
		if !ok {
			t.Fatalf("the socket is told %q", f)
		}
		sockets, programs = append(sockets, s), append(programs, p)
	}
	for i, s := range sockets {
		var err error
		for err == nil {
			_, _, err = s.conn.Read(t.Context())
		}
		if code := websocket.CloseStatus(err); code != realtime.CodeSignedOut {
			t.Errorf("node %d closes the socket with %d, want %d: %v", i, code, realtime.CodeSignedOut, err)
		}
		if a := programs[i].get("/alice.json"); a.status != 401 || a.at("code") != "bad_token" {
			t.Errorf("node %d answers the expired token %d %s", i, a.status, a.body)
		}
	}
	list := b.session("alice").get("/api/v1/tokens").ok()
	if list.at("tokens", 0, "expired") != true || list.at("tokens", 0, "expires_at") == nil {
		t.Error(list.body)
	}
}
