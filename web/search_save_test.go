package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSearchesAreKept(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.as("alice")
	made := alice.send("POST", "/api/v1/searches", object{"name": "Water", "q": "BOATS  #Amstel"}).ok()
	want := map[string]any{"id": made.at("search", "id"), "name": "Water", "query": "boats #amstel", "url": "/s?q=boats+%23amstel"}
	if diff := cmp.Diff(any(want), made.at("search")); diff != "" {
		t.Error(diff)
	}
	one := "/api/v1/searches/" + made.id("search", "id")
	if a := alice.send("POST", "/api/v1/searches", object{"name": "water", "q": "x"}); a.status != http.StatusConflict {
		t.Errorf("the name again answers %d", a.status)
	}
	if a := alice.send("POST", "/api/v1/searches", object{"q": "-x"}); a.status != http.StatusUnprocessableEntity {
		t.Errorf("nonsense answers %d", a.status)
	}
	if a := b.as("bobby").send("DELETE", one, nil); a.status != http.StatusNotFound {
		t.Errorf("another's answers %d", a.status)
	}
	if a := b.visitor().get("/api/v1/searches"); a.status != http.StatusUnauthorized {
		t.Errorf("a visitor's searches: %d", a.status)
	}
	alice.send("PATCH", one, object{"name": "Rivers"}).ok()
	if got := alice.get("/api/v1/searches").ok().at("searches", 0, "name"); got != "Rivers" {
		t.Errorf("renamed to %q", got)
	}
	browser := b.browser("alice")
	browser.accept = "text/html"
	if a := browser.get("/s?q=%23amstel+boats"); !strings.Contains(a.body, "You saved this search") && !strings.Contains(a.body, "Rivers") {
		t.Errorf("the page does not say so: %s", a.body)
	}
	if a := browser.form("POST", "/api/v1/searches.json", "name", "RIVERS", "q", "oars", "return_to", "/s?q=oars"); a.status != http.StatusConflict || !strings.Contains(a.body, "already taken") {
		t.Errorf("a form with a name that is taken answers %d", a.status)
	}
	if a := browser.form("POST", "/api/v1/searches.json", "name", "oars", "q", "oars", "return_to", "/s?q=oars"); a.status != http.StatusOK && a.status != http.StatusSeeOther {
		t.Errorf("a form answers %d", a.status)
	}
	alice.send("DELETE", one, nil).ok()
	if got, _ := alice.get("/api/v1/searches").ok().at("searches").([]any); len(got) != 1 {
		t.Errorf("%d are left", len(got))
	}
}
