package web_test

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// A quarry is a site that gets random requests: without a session, by token and by cookie.
type quarry struct {
	site           *web.Server
	node           *river.Node
	token, session string
	feed           string // the secret of a private address
	post           timeline.PostID
	comment        timeline.CommentID
}

func newQuarry(f *testing.F) *quarry {
	f.Helper()
	must := func(err error) {
		if err != nil {
			f.Fatal(err)
		}
	}
	ctx := context.WithoutCancel(f.Context())
	store := timeline.New(pgtest.New(f), timeline.Options{Argon: pgtest.Argon, Mails: true})
	ids := make(map[string]timeline.UserID)
	for _, name := range []string{"warden", "alice", "bobby"} {
		id, err := store.SignUp(ctx, timeline.NewUser{Name: name, Email: name + "@example.org", Password: "password of " + name})
		must(err)
		ids[name] = id
	}
	q := new(quarry)
	var err error
	q.post, err = store.CreatePost(ctx, ids["alice"], timeline.NewPost{To: []string{"user"}, Text: "a red boat #amstel @bobby", Lang: "en"})
	must(err)
	q.comment, err = store.AddComment(ctx, ids["bobby"], q.post, timeline.NewComment{Text: "of wood"})
	must(err)
	_, err = store.CreateGroup(ctx, ids["alice"], timeline.NewGroup{Name: "rowing"})
	must(err)
	q.token, err = store.NewToken(ctx, ids["alice"], timeline.TokenSpec{Name: "fuzz", Scopes: timeline.AllScopes})
	must(err)
	_, err = store.ArrangeSite(ctx, timeline.SiteEdit{"quotas.token": "0", "quotas.person": "0", "quotas.address": "0"})
	must(err)
	_, q.feed, err = store.NewFeedAddress(ctx, ids["alice"], timeline.FeedAddress{Page: "/", Kind: "home", TheirID: int64(ids["alice"])})
	must(err)
	q.session, err = store.NewSession(ctx, ids["bobby"], true, "fuzz")
	must(err)
	q.node, err = river.Open(ctx, river.Config{Store: store, Path: filepath.Join(f.TempDir(), "river.db"), Ended: func(hash []byte) { q.site.Ended(hash) }})
	must(err)
	q.site, err = web.New(web.Config{Store: store, Rivers: q.node, URL: "http://amstel.example", WritesPerMinute: 1 << 30, TrustProxy: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}})
	must(err)
	looping, end := context.WithCancel(ctx)
	var loop sync.WaitGroup
	loop.Go(func() {
		if err := q.node.Run(looping); err != nil && !errors.Is(err, context.Canceled) {
			f.Errorf("the loop: %v", err)
		}
	})
	f.Cleanup(func() { end(); loop.Wait() })
	for q.node.WaitApplied(ctx) != nil { // until its first turn the node reports, each time after a moment, that it is behind
	}
	return q
}

// ask sends a request as one of several clients: a visitor, alice by token, bobby by cookie,
// or a client with random headers.
func (q *quarry) ask(t *testing.T, who uint8, method, path, query, kind, header, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://amstel.example/", strings.NewReader(body)).WithContext(t.Context())
	r.Method, r.URL = method, &url.URL{Path: path, RawQuery: query}
	r.RequestURI = r.URL.RequestURI()
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	for _, name := range []string{"Accept", "X-River-Signature", "X-Amstel-As", "If-None-Match", "Accept-Encoding", "Accept-Language", "Referer", "User-Agent", "X-Forwarded-For"} {
		if header != "" {
			r.Header.Set(name, header)
		}
	}
	switch who % 6 {
	case 1:
		r.Header.Set("X-API-Token", q.token)
	case 2:
		r.AddCookie(&http.Cookie{Name: "amstel", Value: q.session})
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	case 3:
		// a client with random cookies
		r.Header["Cookie"] = []string{"amstel=" + header + "; amstel-position=" + header + "; amstel-caught-up=" + header}
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	case 4:
		r.Header.Set("X-API-Token", header)
	case 5:
		r.Header.Set("Authorization", header)
		r.Header.Set("Origin", header)
	}
	w := httptest.NewRecorder()
	q.site.ServeHTTP(w, r)
	return w
}

// FuzzSite sends any request to the whole site. The site always answers, and never with a
// fault. JSON answers are valid JSON, and redirects lead to this site.
func FuzzSite(f *testing.F) {
	long(f)
	q := newQuarry(f)
	post := strconv.FormatInt(int64(q.post), 10)
	comment := strconv.FormatInt(int64(q.comment), 10)
	const form, inJSON = "application/x-www-form-urlencoded", "application/json"
	for _, path := range []string{
		"/", "//", "/index", "/alice", "/alice.json", "//alice.json", "/Alice", "/alice/", "/alice/private", "/alice/comments", "/alice/likes.json", "/alice/calendar", "/alice/calendar/2026/11", "/alice/subscribers", "/alice/subscriptions.json",
		"/alice/" + post, "/alice/" + post + ".json", "/alice/" + post + "/comments.json", "/alice/" + post + "/likes.json", "/alice/" + post + "/edit", "/alice/" + post + "/comments/" + comment + "/edit", "/alice/9223372036854775807", "/alice/9223372036854775808",
		"/rowing", "/rowing/edit", "/user", "/user.json", "/s", "/s.json", "/list/x", "/filter/everything", "/filter/everything/en", "/filter/everything/xx", "/filter/best_of", "/filter/most_faved/en", "/filter/directs", "/filter/favs.json", "/filter/x",
		"/settings", "/settings/people", "/settings/lists", "/settings/site", "/requests", "/notifications", "/notifications.json", "/groups", "/groups/new", "/about", "/about/status", "/api", "/users/sign_in", "/users/sign_up", "/users/forgot", "/users/link/x", "/healthz", "/readyz",
		"/static/amstel.css", "/system/avatars/alice.svg", "/system/avatars/\x00.svg", "/\x00", "/\xff", "/a\nb", "/%2f", "/..", "/alice/../bobby", "/alice//private", "/.json", "/api/v1/whoami", "/api/v1/users/alice", "/api/v1/users/\x00", "/api/v1/groups/rowing", "/api/v1/tokens",
		"/api/v1/subscription_requests", "/api/v1/invitations", "/api/v1/audience", "/live", "/live/changes", "/catch_up", "/filter/groups", "/filter/people", "/settings/notices", "/metrics", "/api/v1/catch_up", "/api/v1/lists", "/api/v1/searches", "/api/v1/suggestions", "/api/v1/site", "/api/v1/notifications/unread", "/favicon.ico", "/robots.txt", "/alice.atom", "/alice.rss", "/index.feed.json", "//alice.atom", "/alice/" + post + ".atom", "/alice/private.rss", "/s.atom", "/filter/best_of/en.rss", "/alice/calendar/2026.feed.json", "/list/x.atom", "/settings.atom", "/.atom", "/x.atom.rss.json", "/feed/" + q.feed + ".atom", "/feed/" + q.feed + ".rss", "/feed/" + q.feed + ".feed.json", "/feed/x.atom", "/feed/\x00.rss", "/feed/" + q.feed, "/feed/files/1/x/1/medium.jpg", "/api/v1/feed_addresses", "/settings/feeds", "/api/v1/intakes", "/settings/imports?to=\x00", "/api/v1/groups/rowing/intakes",
		"/" + strings.Repeat("a", 5000), "/alice" + strings.Repeat("/x", 500), "*", "",
	} {
		for who := range uint8(4) {
			f.Add(who, "GET", path, "", "", "text/html", "")
		}
		f.Add(uint8(1), "GET", path, "page=2&q=boat&count=3&timelines=user&period=week&to=x&why=1&before=1,1&start_from=x&return_to=//x", "", "application/json", "")
	}
	for _, query := range []string{"q=boat", "q=%23amstel", "q=%00", "q=%ff", "q=from:alice", "q=" + strings.Repeat("a", 600), "before=9223372036854775807,9223372036854775807", "max_id=" + post, "since_id=9223372036854775807", "start_from=9999-12-31T23:59:59Z", "order=top&page=2", "order=created&max_id=" + post, "count=100&page=101",
		"page=10001", "after=9223372036854775806,1&before=9223372036854775807,1", "exclude_replies=1&page=3", "%zz", ";", "a=b&&=&c", "run=9223372036854775807", "period=%00"} {
		for _, path := range []string{"/index.json", "/alice.json", "/s.json", "/filter/best_of.json", "/alice/calendar/2026.json", "/filter/groups.json", "/notifications.json", "/rowing/subscribers.json"} {
			f.Add(uint8(1), "GET", path, query, "", "", "")
		}
	}
	for _, one := range []struct{ method, path, kind, body string }{
		{"POST", "/api/v1/posts", inJSON, `{"post":{"text":"hoi","timelines":["user"],"nsfw":"1","lang":"en"},"_uuid":"0f8fad5b-d9cb-469f-a165-70867728950e"}`}, {"POST", "/api/v1/posts", inJSON, `{"post":{"text":"a\u0000","timelines":["user"]}}`},
		{"POST", "/api/v1/posts", inJSON, `{"post":{"text":"x","timelines":["group:\u0000"]}}`}, {"POST", "/api/v1/posts", inJSON, `{"post":{"text":"x","timelines":["direct:bobby"],"to":"bobby","platform":"\u0007"}}`}, {"POST", "/api/v1/posts", form, "post[text]=x&post[timelines][]=user&return_to=/alice"},
		{"POST", "/api/v1/posts", form, "post[text]=&post[timelines][]=user&return_to=/s?q=%00"}, {"POST", "/posts/audience", form, "post[text]=x&post[timelines][]=user&return_to=/"}, {"PATCH", "/api/v1/posts/" + post, inJSON, `{"post":{"text":"new","comments_disable":1}}`},
		{"POST", "/api/v1/posts/" + post, form, "_method=PATCH&post[text]=y&was[text]=y"}, {"POST", "/api/v1/posts/" + post + "/comments", inJSON, `{"comment":{"text":"ho"}}`}, {"POST", "/api/v1/posts/" + post + "/comments/" + comment, inJSON, `{"comment":{"text":"hi"}}`},
		{"POST", "/api/v1/posts/" + post + "/likes", "", ""}, {"DELETE", "/api/v1/posts/" + post + "/likes", "", ""}, {"POST", "/api/v1/posts/" + post + "/favs", "", ""}, {"POST", "/api/v1/posts/" + post + "/hide", "", ""}, {"POST", "/api/v1/posts/" + post + "/clike/" + comment, "", ""},
		{"POST", "/api/v1/posts/" + post + "/recipients", inJSON, `{"to":"bobby, \u0000"}`}, {"POST", "/api/v1/users/alice/subscribers", inJSON, `{"forward_only":true}`}, {"PATCH", "/api/v1/users/alice/subscribers", inJSON, `{"forward_only":"0"}`}, {"POST", "/api/v1/users/bobby/ban", "", ""}, {"DELETE", "/api/v1/users/bobby/ban", "", ""},
		{"PATCH", "/api/v1/users/2", inJSON, `{"user":{"display_name":"A","description":"d","status":"private","name":"alice","email":"a@b.c"}}`}, {"POST", "/api/v1/groups", inJSON, `{"group":{"name":"walkers","display_name":"W","status":"public","posting":"admins"}}`}, {"PATCH", "/api/v1/groups/rowing", inJSON, `{"group":{"description":"x"}}`},
		{"POST", "/api/v1/groups/rowing/admins/bobby", "", ""}, {"POST", "/api/v1/groups/rowing/exclusions/bobby", "", ""}, {"POST", "/api/v1/users/alice/invitations", inJSON, `{"to":"bobby"}`}, {"PUT", "/api/v1/invitations/x", "", ""}, {"PUT", "/api/v1/subscription_requests/0f8fad5b-d9cb-469f-a165-70867728950e", "", ""},
		{"POST", "/api/v1/tokens", inJSON, `{"token":{"name":"t"}}`}, {"DELETE", "/api/v1/tokens/9223372036854775807", "", ""}, {"POST", "/api/v1/feed_addresses", inJSON, `{"feed_address":{"page":"/alice?q=\u0000&before=x"}}`}, {"POST", "/settings/feeds?form=feed", form, "feed_address[page]=%ff"}, {"DELETE", "/api/v1/feed_addresses/9223372036854775807", "", ""}, {"POST", "/api/v1/intakes", inJSON, `{"intake":{"address":"\u0000","to":"user"}}`}, {"POST", "/settings/imports?form=intake", form, "intake[address]=%ff&intake[to]=x"}, {"PATCH", "/api/v1/intakes/1", inJSON, `{"intake":{"state":"gone"}}`}, {"POST", "/api/v1/intakes/9223372036854775808/look", "", ""}, {"PATCH", "/api/v1/password", inJSON, `{"password":{"old":"x","new":"\u0000"}}`}, {"POST", "/users/sign_in", form, "user[email]=alice&user[password]=%00&return_to=//x"}, {"POST", "/users/sign_in", form, "user[email]=%ff"},
		{"POST", "/users/sign_up", form, "user[name]=newone&user[email]=n@e.org&user[password]=long%20enough"}, {"POST", "/users/sign_out", form, ""}, {"POST", "/users/forgot", form, "login=anna"}, {"POST", "/users/link/x", "", ""}, {"PATCH", "/settings", form, "user[status]=private"}, {"POST", "/api/v1/lists", inJSON, `{"list":{"name":"friends"}}`}, {"POST", "/api/v1/notifications/read", inJSON, `{"upto":1,"post":"7"}`},
		{"POST", "/api/v1/lists/1/members", inJSON, `{"name":"bobby","user":"\u0000"}`}, {"PATCH", "/api/v1/lists/1", inJSON, `{"list":{"name":"\u0000"}}`}, {"PATCH", "/api/v1/searches/1", inJSON, `{"search":{"name":"x"}}`}, {"PATCH", "/api/v1/notifications/settings", inJSON, `{"notifications":{"like":"off","x":1}}`}, {"DELETE", "/api/v1/catch_up", "", ""},
		{"POST", "/api/v1/catch_up", inJSON, `{"page":"/","post":"` + post + `","fresh_at":"2026-11-20T12:00:00Z"}`}, {"PATCH", "/rowing/edit", form, "group[status]=x"}, {"OPTIONS", "/api/v1/posts", "", ""}, {"HEAD", "/alice", "", ""}, {"TRACE", "/", "", ""}, {"FOO", "/alice", "", ""}, {"POST", "/alice", "multipart/form-data; boundary=x", "--x--"},
		{"DELETE", "/api/v1/users/2", inJSON, `{"password":"wrong"}`}, {"PATCH", "/api/v1/site", inJSON, `{"site":{"bump":"freefeed"}}`}, {"POST", "/api/v1/searches", inJSON, `{"search":{"q":"boat"}}`}, {"POST", "/api/v1/posts/" + post + "/groups/rowing", "", ""},
	} {
		for _, who := range []uint8{0, 1, 2} {
			f.Add(who, one.method, one.path, "", one.kind, "", one.body)
		}
	}
	f.Add(uint8(3), "GET", "/", "", "", "9223372036854775807", "")
	for who := range uint8(6) {
		for _, header := range []string{"\xff\"", "Bearer x", "Bearer \xff", "http://amstel.example", "https://evil.example", "null", "192.0.2.7, 10.0.0.1, x", ";=,", "html", "01234567-89ab-8def-8123-456789abcdef/user:alice"} {
			f.Add(who, "GET", "/alice", "", "", header, "")
			f.Add(who, "POST", "/api/v1/posts/"+post+"/likes", "", "", header, "")
		}
	}
	f.Fuzz(func(t *testing.T, who uint8, method, path, query, kind, header, body string) {
		if method == "" || strings.ContainsAny(method, " \r\n") || strings.ContainsAny(header+kind, "\r\n\x00") || path == "/live" {
			return // clients can't send this to a server
		}
		w := q.ask(t, who, method, path, query, kind, header, body)
		said := w.Header()
		switch {
		case w.Code == http.StatusServiceUnavailable && said.Get("Retry-After") != "": // the machine is slow
		case w.Code >= 500:
			t.Fatalf("%s %q?%q by %d with %q %q: %d %.400s", method, path, query, who%6, kind, body, w.Code, w.Body)
		case w.Body.Len() > 4<<20:
			t.Errorf("%s %q?%q: %d bytes", method, path, query, w.Body.Len())
		}
		for name, values := range said {
			if strings.ContainsAny(strings.Join(values, ""), "\r\n\x00") {
				t.Errorf("%s %q?%q: the header %s is %q", method, path, query, name, values)
			}
		}
		if to := said.Get("Location"); to != "" {
			if at, err := url.Parse(to); err != nil || at.Host != "" && at.Host != "amstel.example" || strings.HasPrefix(to, "//") || strings.ContainsRune(to, '\\') {
				t.Errorf("%s %q?%q leads to %q", method, path, query, to)
			}
		}
		if said.Get("Content-Encoding") != "" || method == http.MethodHead || w.Body.Len() == 0 {
			return
		}
		switch kind := said.Get("Content-Type"); {
		case strings.HasPrefix(kind, "application/json"), strings.HasPrefix(kind, "application/feed+json"):
			if !json.Valid(w.Body.Bytes()) {
				t.Errorf("%s %q?%q: JSON that is none: %.400s", method, path, query, w.Body)
			}
			if w.Code >= 400 && !strings.Contains(w.Body.String(), `"error":"`) {
				t.Errorf("%s %q?%q: %d without a sentence: %.400s", method, path, query, w.Code, w.Body)
			}
		case strings.HasPrefix(kind, "application/atom+xml"), strings.HasPrefix(kind, "application/rss+xml"):
			if err := xml.Unmarshal(w.Body.Bytes(), new(struct{})); err != nil {
				t.Errorf("%s %q?%q: XML that is none: %v: %.400s", method, path, query, err, w.Body)
			}
		case strings.HasPrefix(kind, "text/html"):
			if !utf8.Valid(w.Body.Bytes()) || strings.ContainsRune(w.Body.String(), 0) {
				t.Errorf("%s %q?%q: a page that is no text", method, path, query)
			}
		}
	})
}

// FuzzResolve: open pages send random names of rivers. The name is found or refused; nothing
// breaks. If the name is the session's own, the address does not matter.
func FuzzResolve(f *testing.F) {
	q := newQuarry(f)
	for _, page := range []string{
		"", "/", "/index.json", "alice", "/alice?page=2", "//alice//private", "/alice/1", "/s?q=%23amstel", "/s?q=%00", "/s", "/list/x", "/list/%00", "/filter/everything/en?count=7", "/filter/best_of?period=day&run=1", "/alice/calendar/2026/11/20",
		"http://evil.example/alice", "/%00", "/%ff", "/%", "?", "#", "/alice?before=1,1&after=2,2", "/alice?max_id=1", "/alice?since_id=" + strconv.FormatInt(int64(q.post), 10), "/alice/" + strconv.FormatInt(int64(q.post), 10) + "?page=7", "/\x00", "/a b", strings.Repeat("/x", 2000), "/rowing/comments",
	} {
		f.Add(page, int64(0), false)
		f.Add(page, int64(2), true)
	}
	f.Fuzz(func(t *testing.T, page string, viewer int64, named bool) {
		if viewer < 0 || viewer > 3 {
			return
		}
		var is func(river.Key) bool
		if named {
			is = func(river.Key) bool { return false }
		}
		key, at, err := q.site.Addresses().Resolve(t.Context(), timeline.UserID(viewer), page, is)
		if err != nil {
			_, invalid := errors.AsType[*timeline.InvalidError](err)
			if !invalid && !errors.Is(err, timeline.ErrNotFound) && !errors.Is(err, timeline.ErrForbidden) && !errors.Is(err, timeline.ErrUnauthorized) && !errors.Is(err, river.ErrBehind) {
				t.Fatalf("%q: %v", page, err)
			}
			return
		}
		if key.Viewer != timeline.UserID(viewer) || at.Count < 1 || at.Count > 100 || at.Skip < 0 || at.Skip > 10_000 {
			t.Fatalf("%q is %+v, %+v", page, key, at)
		}
		if _, err := q.node.Visit(t.Context(), key, at); err != nil {
			_, invalid := errors.AsType[*timeline.InvalidError](err)
			if !invalid && !errors.Is(err, timeline.ErrNotFound) && !errors.Is(err, timeline.ErrForbidden) && !errors.Is(err, timeline.ErrUnauthorized) && !errors.Is(err, river.ErrBehind) {
				t.Fatalf("%q: visit %+v at %+v: %v", page, key, at, err)
			}
		}
	})
}
