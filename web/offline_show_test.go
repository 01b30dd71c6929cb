package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestReadersAreNamedForTheServiceWorker reads the header by which a service worker
// distinguishes readers. The header is the same on all pages of one session, and differs between
// sessions.
func TestReadersAreNamedForTheServiceWorker(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	b.as("alice").post("here", "user")
	named := func(c *client, path string, status int) string {
		t.Helper()
		c.accept = "text/html"
		a := c.get(path)
		if a.status != status {
			t.Errorf("%s: %d, want %d", path, a.status, status)
		}
		return a.header.Get("Amstel-Reader")
	}
	names := map[string]string{}
	for who, c := range map[string]*client{"alice": b.browser("alice"), "alice again": b.browser("alice"), "bobby": b.browser("bobby"), "anyone": b.visitor()} {
		name := named(c, "/alice", http.StatusOK)
		for path, status := range map[string]int{"/alice": 200, "/about": 200, "/filter/everything": 200, "/nobody-here": 404} {
			if again := named(c, path, status); again != name {
				t.Errorf("on %s %s has the name %q, not %q", path, who, again, name)
			}
		}
		if other, taken := names[name]; taken || name == "" || len(name) > 20 {
			t.Errorf("%s has the name %q, as has %s", who, name, other)
		}
		names[name] = who
		if c.accept = ""; c.get("/alice.json").ok().header.Get("Amstel-Reader") != "" || c.get("/system/avatars/alice.png").ok().header.Get("Amstel-Reader") != "" {
			t.Errorf("what is no page names %s", who)
		}
	}
	if names["anyone"] != "anyone" {
		t.Errorf("readers without a session have no name in common: %v", names)
	}
	leaver := b.browser("alice")
	leaver.form("POST", "/users/sign_out")
	if name := named(leaver, "/alice", http.StatusOK); name != "anyone" {
		t.Errorf("after signing out the reader is %q", name)
	}
}

// TestOfflinePageIsForAllReaders reads the page shown in place of others without a connection.
// Neither the page nor the worker says anything about the reader.
func TestOfflinePageIsForAllReaders(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice, visitor := b.browser("alice"), b.visitor()
	body := alice.read("en", "/about/offline").ok().body
	if body != visitor.read("en", "/about/offline").ok().body || strings.Contains(body, "alice") {
		t.Errorf("the page is not the same for all readers: %s", body)
	}
	if !strings.Contains(body, `<section id="kept" hidden>`) || strings.Contains(body, "<form") {
		t.Errorf("the page is %s", body)
	}
	if !strings.Contains(visitor.read("ru", "/about/offline").ok().body, "Нет соединения") {
		t.Error("the page does not speak Russian")
	}
	worker := visitor.get("/service-worker.js").ok()
	if worker.header.Get("Content-Type") != "text/javascript; charset=utf-8" || worker.header.Get("Cache-Control") != "no-cache" || len(worker.body) > 8<<10 {
		t.Errorf("the worker of %d bytes is %v", len(worker.body), worker.header)
	}
	for path, kept := range map[string]bool{"/alice": true, "/": true, "/about": false, "/settings": false, "/alice/subscribers": false, "/about/offline": false} {
		if has := strings.Contains(alice.read("en", path).ok().body, `<meta name="offline" content="You are offline. This is the page as of {at};`); has != kept {
			t.Errorf("%s may be kept: %v, want %v", path, has, kept)
		}
	}
}
