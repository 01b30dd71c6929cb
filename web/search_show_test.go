package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func search(text string) string { return "/s.json?q=" + url.QueryEscape(text) }

func TestSearchByAPI(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, visitor := b.as("alice"), b.as("bobby"), b.visitor()
	boats := alice.post("Red boats on the #amstel", "user")
	bobby.post("a bicycle", "user")
	alice.post("boats for my eyes", "user_fyeo")
	bobby.comment(boats, "with an oar")
	visitor.shows(search("boat"), "Red boats on the #amstel")
	alice.shows(search("boat"), "Red boats on the #amstel", "boats for my eyes")
	visitor.shows(search("in:comments oar"), "Red boats on the #amstel")
	visitor.shows(search("#amstel"), "Red boats on the #amstel")
	visitor.shows(search("commented-by:bobby"), "Red boats on the #amstel")
	visitor.shows(search("from:bobby -bicycle"))
	page := visitor.get(search("red boats")).ok()
	if diff := cmp.Diff(any([]any{"boats", "red"}), page.at("entries", 0, "hits")); diff != "" {
		t.Errorf("hits: %s", diff)
	}
	if html := page.at("entries", 0, "text_as_html"); html != `Red boats on the <a href="/s?q=%23amstel">#amstel</a>` {
		t.Errorf("text %q", html)
	}
	for _, text := range []string{"", "-boats", "from:no_such_name", "the", "before:then"} {
		if a := visitor.get(search(text)); a.status != http.StatusUnprocessableEntity || at(a.json(), "fields", "q") == nil {
			t.Errorf("%q answers %d %s", text, a.status, a.body)
		}
	}
	// A new match is found at once; posts of a banned person are not found any more.
	bobby.post("a boat too", "user")
	visitor.shows(search("boat"), "a boat too", "Red boats on the #amstel")
	alice.send("POST", "/api/v1/users/bobby/ban", nil).ok()
	bobby.shows(search("boat"), "a boat too")
	alice.shows(search("in:comments oar"))
}

func TestSearchPageMendsWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	visitor := b.visitor()
	visitor.accept = "text/html"
	if a := visitor.get("/s"); a.status != http.StatusOK || !strings.Contains(a.body, "liked-by:anna") {
		t.Errorf("no search answers %d", a.status)
	}
	for text, says := range map[string]string{
		"-<>": "There is no word to search for", "x from:no_such_name": "There is no one called no_such_name", "the": "That word is too common", "x\xff": "be saved. Remove them",
	} {
		a := visitor.get("/s?q=" + url.QueryEscape(text))
		if a.status != http.StatusUnprocessableEntity || !strings.Contains(a.body, says) || !strings.Contains(a.body, `id="search-text"`) {
			t.Errorf("%q answers %d, and not %q", text, a.status, says)
		}
	}
	b.as("alice").post("boats & <b>oars", "user")
	if a := visitor.get("/s?q=OARS+alice"); a.status != http.StatusOK || !strings.Contains(a.body, "Nothing found") {
		t.Errorf("nothing is found: %d", a.status)
	}
	if a := visitor.get("/s?q=oars"); !strings.Contains(a.body, "&lt;b&gt;<mark>oars</mark>") {
		t.Errorf("not marked: %s", a.body)
	}
	if a := visitor.get("/s?q=Alic"); !strings.Contains(a.body, "People and groups") || !strings.Contains(a.body, `href="/alice"`) {
		t.Error("alice is not found by her name")
	}
	if a := visitor.get("/s?q=%23unused-tag"); a.status != http.StatusOK || !strings.Contains(a.body, "#unused-tag") {
		t.Errorf("a tag of no post answers %d", a.status)
	}
}
