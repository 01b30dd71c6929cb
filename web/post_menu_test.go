package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// menu asks for the menu of a post as the script does on a page.
func (c *client) menu(page, author, post string) answer {
	c.b.t.Helper()
	at := *c
	at.header = c.header.Clone()
	if at.header == nil {
		at.header = http.Header{}
	}
	at.header.Set("Referer", c.b.http.URL+page)
	return at.get("/" + author + "/" + post + "/menu")
}

// TestPostMenu: the menu of a post has the reasons of the page that the viewer came from, and
// leads back to that page. If that page does not have the post, the menu uses the post's own
// page.
func TestPostMenu(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby := b.as("alice"), b.as("bobby")
	alice.send("POST", "/api/v1/users/bobby/subscribers", nil).ok()
	post := bobby.post("something said", "user")
	alice.shows("/index.json", "something said")
	const subscribed, own = "You subscribe to <a href=\"/bobby\"><bdi>Bobby</bdi></a>.", "This is the post&#39;s own page."
	for _, tt := range []struct{ name, from, says, back string }{
		{"from home", b.http.URL + "/?page=1", subscribed, "/?page=1#p" + post},
		{"from the post's page", b.http.URL + "/bobby/" + post, own, "/bobby/" + post + "#p" + post},
		{"from a page without the post", b.http.URL + "/carol", own, "/bobby/" + post + "#p" + post},
		{"from a page that is of no river", b.http.URL + "/settings", own, "/bobby/" + post + "#p" + post},
		{"from a page that is not there", b.http.URL + "/nobody-here", own, "/bobby/" + post + "#p" + post},
		{"from another site", "https://example.org/", own, "/bobby/" + post + "#p" + post},
		{"from nowhere", "", own, "/bobby/" + post + "#p" + post},
	} {
		t.Run(tt.name, func(t *testing.T) {
			alice.header.Set("Referer", tt.from)
			menu := alice.get("/bobby/" + post + "/menu").html()
			for _, want := range []string{tt.says, `href="` + tt.back + `"`, "/hide.json"} {
				if !strings.Contains(menu, want) {
					t.Errorf("the menu lacks %s: %s", want, menu)
				}
			}
		})
	}
	bobby.send("POST", "/api/v1/users/alice/ban", nil).ok()
	alice.header.Set("Referer", b.http.URL+"/")
	if a := alice.get("/bobby/" + post + "/menu"); a.status != 404 || strings.Contains(a.body, "something said") {
		t.Errorf("the menu of a post across a ban: %d %s", a.status, a.body)
	}
	if a := b.visitor().get("/bobby/" + post + "/menu"); a.status != 401 && a.status != 303 {
		t.Errorf("the menu for a visitor: %d", a.status)
	}
}

// TestCommentDeletePage: only people who may delete a comment get the page that asks for
// confirmation. It leads back to the page that they came from.
func TestCommentDeletePage(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, carol := b.as("alice"), b.as("bobby"), b.as("carol")
	post := alice.post("something said", "user")
	comment := bobby.comment(post, "an answer")
	address := "/alice/" + post + "/comments/" + comment + "/delete"
	for _, who := range []*client{bobby, alice} {
		who.header.Set("Referer", b.http.URL+"/filter/everything")
		who.get(address).offers("DELETE /api/v1/posts/" + post + "/comments/" + comment + ".json")
		if page := who.get(address).html(); !strings.Contains(page, `name="return_to" value="/filter/everything#p`+post+`"`) {
			t.Errorf("the page does not lead back: %s", page)
		}
	}
	if a := carol.get(address); a.status != http.StatusForbidden || strings.Contains(a.body, "DELETE") {
		t.Errorf("the page for another reader: %d %s", a.status, a.body)
	}
	if a := alice.get("/alice/" + post + "/comments/1/delete"); a.status != http.StatusNotFound {
		t.Errorf("the page of no comment: %d", a.status)
	}
	if a := b.visitor().get(address); a.status != http.StatusUnauthorized && a.status != http.StatusSeeOther {
		t.Errorf("the page for a visitor: %d", a.status)
	}
	direct := alice.post("between two", "direct:bobby")
	said := bobby.comment(direct, "a secret")
	if a := carol.get("/alice/" + direct + "/comments/" + said + "/delete"); a.status != http.StatusNotFound || strings.Contains(a.body, "secret") {
		t.Errorf("the page of a comment on a post that its reader can't read: %d %s", a.status, a.body)
	}
}
