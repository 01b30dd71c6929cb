package web_test

import (
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/web"
)

func TestOtherSitesCantWrite(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	post := b.as("bobby").post("like me", "user")
	for _, headers := range []map[string]string{
		{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
		{"Sec-Fetch-Site": "same-site"},
		{"Origin": "https://evil.example"},
	} {
		alice := b.browser("alice")
		for name, value := range headers {
			alice.header.Set(name, value)
		}
		for _, a := range []answer{
			alice.form("POST", "/api/v1/posts/"+post+"/likes.json"),
			alice.form("POST", "/api/v1/posts.json", "post[text]", "not mine", "post[timelines][]", "user"),
			alice.form("POST", "/api/v1/posts/"+post+".json", "_method", "DELETE"),
			alice.form("POST", "/users/sign_out"),
			alice.form("POST", "/users/sign_in", "user[email]", "bobby", "user[password]", "password of bobby"),
		} {
			if a.status != 403 || !strings.Contains(a.body, "another site") {
				t.Errorf("with %v: %d %s", headers, a.status, a.body)
			}
		}
		alice.get("/settings").html() // still signed in, and may read
	}
	if page := b.visitor().get("/bobby.json"); len(page.at("entries", 0, "likes").([]any)) != 0 {
		t.Error("another site gave a like")
	}
	if page := b.visitor().get("/alice.json"); len(page.at("entries").([]any)) != 0 {
		t.Error("another site wrote a post")
	}

	// Other sites may send a token: browsers don't add it by themselves, as they do cookies.
	bot := b.as("alice")
	bot.header.Set("Origin", "https://client.example")
	bot.header.Set("Sec-Fetch-Site", "cross-site")
	bot.send("POST", "/api/v1/posts/"+post+"/likes.json", nil).ok()
	// And our own pages are our own.
	alice := b.browser("alice")
	alice.header.Set("Sec-Fetch-Site", "same-origin")
	alice.header.Set("Origin", b.http.URL)
	alice.form("POST", "/api/v1/posts/"+post+"/likes.json", "_method", "DELETE", "return_to", "/").leadsTo("/")
}

func TestOtherSitesMayRead(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	c := b.visitor()
	c.header.Set("Origin", "https://client.example")
	for _, path := range []string{"/alice.json", "/index.json", "/no-such-name.json", "/api/v1/users/alice", "/api/v1/whoami.json", "//alice.json"} {
		if a := c.get(path); a.header.Get("Access-Control-Allow-Origin") != "*" || a.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: %v", path, a.header)
		}
	}
	if a := c.get("/alice"); a.header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("pages for people are open to other sites")
	}
	for _, path := range []string{"/alice.json", "/api/v1/posts", "/api/v1/posts/1/likes.json"} {
		a := c.do("OPTIONS", path, "", nil)
		methods, headers := a.header.Get("Access-Control-Allow-Methods"), a.header.Get("Access-Control-Allow-Headers")
		if a.status >= 300 || a.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("OPTIONS %s: %d", path, a.status)
		}
		for _, want := range []string{"PUT", "PATCH", "DELETE", "POST"} {
			if !strings.Contains(methods, want) {
				t.Errorf("OPTIONS %s does not allow %s", path, want)
			}
		}
		for _, want := range []string{"X-API-Token", "X-River-Signature", "Content-Type", "Accept", "Authorization", "If-None-Match"} {
			if !strings.Contains(headers, want) {
				t.Errorf("OPTIONS %s does not allow %s", path, want)
			}
		}
	}
}

func TestSlashesAtTheStart(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice := b.as("alice")
	post := alice.post("hello", "user")
	for _, path := range []string{"//alice.json", "///alice.json", "//alice.json?page=1", "//index.json", "//alice/" + post + ".json", "//alice/" + post + "/comments.json", "//alice", "//"} {
		if a := b.visitor().get(path); a.status != 200 || !strings.Contains(a.body, "hello") && !strings.Contains(a.body, "comments_count") {
			t.Errorf("%s: %d %.200s", path, a.status, a.body)
		}
	}
	alice.send("POST", "//api/v1/posts/"+post+"/comments.json", object{"comment": object{"text": "hi"}}).ok()
}

func TestTokensThatAreNone(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	for _, c := range []map[string]string{
		{"X-API-Token": "00000000-0000-0000-0000-000000000000"},
		{"Authorization": "Bearer nonsense"},
		{"Authorization": "Bearer "},
	} {
		bot := b.visitor()
		for name, value := range c {
			bot.header.Set(name, value)
		}
		for _, path := range []string{"/alice.json", "/api/v1/whoami", "/"} {
			if a := bot.get(path); a.status != 401 {
				t.Errorf("%s with %v: %d", path, c, a.status)
			}
		}
		if a := bot.get("/api/v1/whoami"); a.at("code") != "bad_token" || a.at("err") != a.at("error") || a.header.Get("WWW-Authenticate") == "" {
			t.Error(a.body)
		}
	}
	// An invalid session cookie counts as none.
	c := b.visitor()
	c.header.Set("Cookie", "amstel=nonsense")
	if a := c.get("/alice").ok(); !strings.Contains(a.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("the cookie stays: %v", a.header)
	}
	if a := c.get("/api/v1/whoami"); a.status != 401 || a.at("code") != "unauthorized" {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	for _, path := range []string{"/", "/alice.json", "/no-such-name", "/static/amstel.css"} {
		a := b.visitor().get(path)
		policy := a.header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'self'", "img-src 'self' blob: data:", "connect-src 'self' ws://", "frame-ancestors 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: the policy is %q", path, policy)
			}
		}
		if strings.Contains(policy, "unsafe") || a.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, a.header)
		}
	}
	if a := b.visitor().do("HEAD", "/alice", "", nil); a.status != 200 || a.body != "" {
		t.Errorf("HEAD: %d, %d bytes", a.status, len(a.body))
	}

	c := b.visitor()
	c.header.Set("Accept-Encoding", "gzip")
	for _, path := range []string{"/alice", "/alice", "/about"} { // rendered, held, and not of a river
		a := c.get(path)
		if a.header.Get("Content-Encoding") != "gzip" || !strings.Contains(a.header.Get("Vary"), "Accept-Encoding") {
			t.Fatalf("%s: %v", path, a.header)
		}
		z, err := gzip.NewReader(strings.NewReader(a.body))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(z); err != nil || !strings.HasPrefix(strings.ToLower(string(text)), "<!doctype html>") {
			t.Errorf("%s: %v %.100s", path, err, text)
		}
	}
}

func TestNotModified(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice := b.as("alice")
	alice.post("one", "user")
	for _, path := range []string{"/alice", "/alice.json"} {
		c := b.visitor()
		first := c.get(path).ok()
		etag := first.header.Get("ETag")
		if etag == "" {
			t.Fatalf("%s has no ETag", path)
		}
		c.header.Set("If-None-Match", etag)
		if a := c.get(path); a.status != 304 || a.body != "" || a.header.Get("ETag") != etag {
			t.Errorf("%s again: %d, %d bytes", path, a.status, len(a.body))
		}
		alice.post("two", "user")
		if a := c.get(path); a.status != 200 || a.header.Get("ETag") == etag || !strings.Contains(a.body, "two") {
			t.Errorf("%s after a change: %d", path, a.status)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	b := setupOn(t, pgtest.New(t), web.Config{WritesPerMinute: 5, BodyLimit: 4 << 10}, "alice")
	alice := b.as("alice")
	large := strings.Repeat("x", 5<<10)
	if a := alice.send("POST", "/api/v1/posts.json", object{"post": object{"text": large}}); a.status != 413 || a.at("code") != "too_large" {
		t.Errorf("a large body: %d %s", a.status, a.body)
	}
	if a := alice.form("POST", "/api/v1/posts.json", "post[text]", large); a.status != 413 {
		t.Errorf("a large form: %d %s", a.status, a.body)
	}
	for range 4 {
		alice.post("fine", "user")
	}
	if a := alice.send("POST", "/api/v1/posts.json", object{"post": object{"text": "too many", "timelines": []string{"user"}}}); a.status != 429 || a.header.Get("Retry-After") == "" || a.at("code") != "throttled" {
		t.Errorf("the sixth write of a minute: %d %v %s", a.status, a.header, a.body)
	}
	alice.get("/alice.json").ok() // reading is not limited
}

// line keeps the last line of a log.
type line struct{ strings.Builder }

func TestLogNamesRoutesAndBelievesTrustedProxiesOnly(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for _, tt := range []struct {
		name, from, forwarded, want string
		trusted                     []netip.Prefix
	}{
		{"no proxy is trusted", "203.0.113.7:4711", "198.51.100.1", "from=203.0.113.7", nil},
		{"a proxy that is trusted", "10.0.0.2:4711", "198.51.100.1", "from=198.51.100.1", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}},
		{"a client that is no proxy", "203.0.113.7:4711", "198.51.100.1", "from=203.0.113.7", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}},
		{"a header that the client sent to the proxy", "10.0.0.2:4711", "1.2.3.4, 198.51.100.1", "from=198.51.100.1", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var log line
			b := setupOn(t, pool, web.Config{TrustProxy: tt.trusted, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
			log.Reset()
			r := httptest.NewRequestWithContext(t.Context(), "GET", "/users/link/verysecret", nil)
			r.RemoteAddr = tt.from
			r.Header.Set("X-Forwarded-For", tt.forwarded)
			b.site.ServeHTTP(httptest.NewRecorder(), r)
			if got := log.String(); !strings.Contains(got, tt.want) || !strings.Contains(got, "route=/users/link/{secret}") ||
				strings.Contains(got, "verysecret") || strings.Count(got, "\n") != 1 {
				t.Errorf("the log has %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSecureCookie(t *testing.T) {
	t.Parallel()
	b := setupOn(t, pgtest.New(t), web.Config{URL: "https://amstel.example"}, "alice")
	a := b.visitor().form("POST", "/users/sign_in", "user[email]", "alice", "user[password]", "password of alice").ok()
	if cookie := a.header.Get("Set-Cookie"); !strings.HasPrefix(cookie, "__Host-amstel=") || !strings.Contains(cookie, "Secure") || !strings.Contains(cookie, "Path=/") || strings.Contains(cookie, "Domain") {
		t.Errorf("the cookie is %q", cookie)
	}
	if a := b.visitor().get("/"); !strings.Contains(a.header.Get("Content-Security-Policy"), "wss://amstel.example") {
		t.Error(a.header)
	}
}

func TestWrapServesAnythingBehindTheSame(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wrapped := b.site.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "static") }))
	w := httptest.NewRecorder()
	wrapped.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/any/thing.json", nil))
	if w.Code != 200 || w.Body.String() != "static" || w.Header().Get("Content-Security-Policy") == "" || w.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%d %s %v", w.Code, w.Body, w.Header())
	}
}
