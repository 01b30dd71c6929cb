package web_test

import (
	"encoding/json"
	"image"
	"regexp"
	"strings"
	"testing"

	"amstel.dev/amstel/web/page"
)

// A robotsRule is a line of robots.txt.
type robotsRule struct {
	pattern string
	allows  bool
}

// fetches reports whether search engines fetch an address, by RFC 9309: the longest matching
// pattern decides; of two equally long ones, the one that allows.
func fetches(rules []robotsRule, address string) bool {
	length, allowed := -1, true
	for _, r := range rules {
		form := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSuffix(r.pattern, "$")), `\*`, ".*")
		if strings.HasSuffix(r.pattern, "$") {
			form += "$"
		}
		if regexp.MustCompile("^"+form).MatchString(address) && (len(r.pattern) > length || len(r.pattern) == length && r.allows) {
			length, allowed = len(r.pattern), r.allows
		}
	}
	return allowed
}

// TestRobotsAndNoindexAgree reads robots.txt. Search engines fetch all pages of people, groups,
// posts and hashtags, and so see which of these ask not to be indexed. A page that they may not
// fetch must not be indexed.
func TestRobotsAndNoindexAgree(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "settings2", "livestock", "apiary")
	alice, visitor := b.as("alice"), b.visitor()
	visitor.accept = "text/html"
	post := alice.post("to #tea", "user")
	alice.send("PATCH", "/api/v1/users/1", object{"user": object{"status": "disallow-robots"}}).ok()
	file := visitor.get("/robots.txt").ok()
	if kind := file.header.Get("Content-Type"); kind != "text/plain; charset=utf-8" {
		t.Errorf("robots.txt is %q", kind)
	}
	lines := strings.Split(strings.TrimSpace(file.body), "\n")
	if lines[0] != "User-agent: *" {
		t.Errorf("robots.txt begins with %q", lines[0])
	}
	var rules []robotsRule
	for _, line := range lines[1:] {
		name, pattern, _ := strings.Cut(line, ": ")
		if name != "Allow" && name != "Disallow" || !strings.HasPrefix(pattern, "/") {
			t.Fatalf("robots.txt has the line %q", line)
		}
		rules = append(rules, robotsRule{pattern, name == "Allow"})
	}
	for path, fetched := range map[string]bool{
		"/": true, "/?page=2": true, "/alice": true, "/alice/" + post: true, "/alice/likes": true, "/settings2": true, "/livestock": true, "/apiary": true, "/s?q=%23tea": true,
		"/filter/everything": true, "/filter/best_of": true, "/filter/groups": true, "/about": true, page.ManifestFile: true, "/favicon.ico": true, "/alice/calendar/2026/11": true,
		"/s": false, "/s?q=tea": false, "/settings": false, "/settings/people": false, "/requests": false, "/notifications": false, "/groups/new": false, "/users/sign_in": false,
		"/users/sign_up": false, "/alice/" + post + "/edit": false, "/filter/people": false, "/alice.json": false, "/alice.json?page=2": false, "/api/v1/users/alice": false, "/live": false, "/attachments/1/medium.jpg": false,
	} {
		if got := fetches(rules, path); got != fetched {
			t.Errorf("%s is fetched: %v, want %v", path, got, fetched)
		}
		a := visitor.get(path)
		indexed := a.status == 200 && strings.HasPrefix(a.header.Get("Content-Type"), "text/html") && !strings.Contains(a.body, `<meta name="robots" content="noindex"`)
		if indexed && !fetched {
			t.Errorf("robots.txt keeps search engines from %s, and the page does not", path)
		}
	}
	if !strings.Contains(visitor.get("/alice").ok().body, `<meta name="robots" content="noindex"`) {
		t.Error("a person who asks for it has a page to index")
	}
}

// TestManifest reads the manifest that a page links to, in both languages, and its icons.
func TestManifest(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	visitor := b.visitor()
	link := regexp.MustCompile(`<link rel="manifest" href="([^"]*)"`)
	for language, about := range map[string]string{"en": "A small social network that updates as you read.", "ru": "Небольшая социальная сеть"} {
		found := link.FindStringSubmatch(visitor.read(language, "/").ok().body)
		if found == nil {
			t.Fatal("a page has no manifest")
		}
		file := visitor.get(found[1]).ok()
		var m page.Manifest
		if err := json.Unmarshal([]byte(file.body), &m); err != nil {
			t.Fatal(err)
		}
		if file.header.Get("Content-Type") != "application/manifest+json" || m.Lang != language || !strings.HasPrefix(m.Description, about) || m.ID != "/" || m.StartURL != "/" || m.Display != "standalone" {
			t.Errorf("in %s it is %+v", language, m)
		}
		for _, icon := range m.Icons {
			got := visitor.get(icon.Src).ok()
			if got.header.Get("Content-Type") != icon.Type {
				t.Errorf("%s is %q", icon.Src, got.header.Get("Content-Type"))
			}
			if icon.Type != "image/png" {
				continue
			}
			size, _, err := image.DecodeConfig(strings.NewReader(got.body))
			if want := strings.Repeat("x"+numberText(float64(size.Width)), 2)[1:]; err != nil || icon.Sizes != want {
				t.Errorf("%s has %s pixels, not %s: %v", icon.Src, want, icon.Sizes, err)
			}
		}
	}
	for path, kind := range map[string]string{"/favicon.ico": "image/vnd.microsoft.icon", "/apple-touch-icon.png": "image/png"} {
		if a := visitor.get(path).ok(); a.header.Get("Content-Type") != kind || len(a.body) == 0 {
			t.Errorf("%s is %q, of %d bytes", path, a.header.Get("Content-Type"), len(a.body))
		}
	}
}
