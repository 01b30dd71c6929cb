package web_test

import (
	"encoding/json"
	"regexp"
	"strings"
)

// finds fails the row unless the page matches each pattern.
func (c *contract) finds(a answer, patterns ...string) {
	c.Helper()
	for _, pattern := range patterns {
		if !regexp.MustCompile(pattern).MatchString(a.body) {
			c.Errorf("the page lacks %s:\n%s", pattern, a.body)
		}
	}
}

// htmlRows are the parts of pages that programs and extensions read.
var htmlRows = map[string]func(*contract){
	"html_hooks": func(c *contract) {
		carol := c.b.browser("carol")
		page := carol.get("/alice").ok()
		c.finds(page,
			`<article class="[^"]*\bbem-post\b[^"]*"[^>]* data-post-id="`+c.popular+`"`, `<a class="bem-post__timestamp-link" href="/alice/`+c.popular+`"`,
			`class="[^"]*\bbem-post__comments\b`, `class="[^"]*\bbem-post__comment\b`, `class="[^"]*\bbem-post__comment-text\b`,
			`class="[^"]*\bbem-post__comment-rest\b[^"]*">\s*<a class="author" href="/bobby"`, `class="[^"]*\bbem-post__more-comments\b`, `class="[^"]*\bbem-post__likes\b`,
			`class="bem-post__likes-list">[^\n]*<button class="link">2 other people</button>\s*liked this</span>`, `class="[^"]*\bbem-feedinfo__description\b`,
			`<ul class="stats"><li class="stats-item"><a href="/alice/subscribers">`)
		single := carol.get("/alice/" + c.popular).ok()
		c.finds(single, `<a name="c`+c.comment+`"[^>]* href="/alice/`+c.popular+`#c`+c.comment+`"`, `id="c`+c.comment+`"`)
		if likers := carol.get("/alice/" + c.popular + "/likes").ok(); strings.Count(likers.body, `<a class="card"`) != 6 {
			c.Errorf("the button of the likes leads to %s", likers.body)
		}
	},
	"html_store": func(c *contract) {
		for _, who := range []*client{c.b.browser("bobby"), c.b.visitor()} {
			who.accept = "text/html"
			page := who.get("/alice").ok()
			var store struct {
				Manager object `json:"river_manager"`
			}
			if err := json.Unmarshal([]byte(page.store), &store); err != nil {
				c.Fatalf("%v: %.300s", err, page.store)
			}
			if strings.ContainsAny(page.store, "<>&") {
				c.Errorf("the store has signs of HTML: %s", page.store)
			}
			for _, wrong := range append(misshapen("entries", "[]entry", store.Manager["entries"]), misshapen("users", "{}user", store.Manager["users"])...) {
				c.Error(wrong)
			}
			if !strings.Contains(page.store, `"id":`+c.popular) || strings.Contains(page.store, `"id":`+c.eyes) || at(store.Manager, "users", "2", "name") != "alice" {
				c.Errorf("the store of the page: %s", page.store)
			}
		}
	},
	"html_user": func(c *contract) {
		visitor := c.b.visitor()
		visitor.accept = "text/html"
		for path, status := range map[string]int{"/alice": 200, "/cooks": 200, "/hermit": 200, "/no-such-name": 404, "/hermit/likes": 403} {
			if a := visitor.get(path); a.status != status {
				c.Errorf("%s: %d, want %d", path, a.status, status)
			}
		}
		c.b.as("alice").send("POST", "/api/v1/users/david/ban", nil).result("banned")
		if a := c.b.browser("david").get("/alice"); a.status != 404 {
			c.Errorf("by a banned person: %d", a.status)
		}
		c.b.as("alice").send("DELETE", "/api/v1/users/david/ban", nil).result("unbanned")
	},
	"html_private_feed": func(c *contract) {
		hidden := c.b.as("hermit").post("nobody sees this", "user")
		for _, who := range []*client{c.b.browser("bobby"), c.b.visitor()} {
			who.accept = "text/html"
			page := who.get("/hermit").ok()
			c.finds(page, `bem-feedinfo__description">.*I am alone\..*<p class="standing fa-lock">.*Private feed`, `<ul class="stats"><li class="stats-item"><a href="/hermit/subscribers">`, `<meta name="robots" content="noindex">`)
			if strings.Contains(page.body, "nobody sees") || strings.Contains(page.body, hidden) || page.store != "" {
				c.Errorf("the page of a private person has what they write: %s", page.body)
			}
			c.refused(who.get("/hermit.json"), 403, "forbidden")
		}
	},
}
