package web_test

import (
	"strings"
	"testing"
)

// TestHistory checks that the mark of an edited post and comment leads to the texts before, as
// a page and as JSON, and that their author can delete them without a script.
func TestHistory(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	post := alice.post("opens at nien", "user")
	comment := bobby.comment(post, "sure??")
	alice.send("PATCH", "/api/v1/posts/"+post, object{"post": object{"text": "opens at nine"}}).ok()
	bobby.send("PATCH", "/api/v1/posts/"+post+"/comments/"+comment, object{"comment": object{"text": "sure?"}}).ok()
	path := "/alice/" + post
	for what, at := range map[string]string{"post": path + "/history", "comment": path + "/comments/" + comment + "/history"} {
		if !strings.Contains(b.visitor().get(path).html(), `href="`+at+`"`) {
			t.Errorf("no mark leads to the history of the %s", what)
		}
	}
	page := b.visitor().get(path + "/history").html()
	if !strings.Contains(page, "nien") || !strings.Contains(page, `name="robots" content="noindex"`) || strings.Contains(page, `value="DELETE"`) {
		t.Errorf("the page for a visitor is %s", page)
	}
	told := b.visitor().get("/api/v1/posts/" + post + "/comments/" + comment + "/history").ok()
	if told.at("versions", 0, "text") != "sure??" || told.at("versions", 1, "text") != "sure?" || told.at("can_delete") != false {
		t.Errorf("the history of the comment is %s", told.body)
	}
	if a := bobby.send("DELETE", "/api/v1/posts/"+post+"/history", nil); a.status != 403 {
		t.Errorf("another person deletes the history of a post: %d", a.status)
	}
	browser := alice
	browser.accept = "text/html"
	a := browser.form("POST", "/api/v1/posts/"+post+"/history.json", "_method", "DELETE", "return_to", path+"/history")
	if a.status != 303 || a.header.Get("Location") != path+"/history" {
		t.Errorf("the form answers %d, to %s", a.status, a.header.Get("Location"))
	}
	if page := browser.get(path + "/history").html(); strings.Contains(page, "nien") || !strings.Contains(page, "no earlier texts") {
		t.Errorf("after the history was deleted, the page is %s", page)
	}
	for _, gone := range []string{"/alice/1/history", path + "/comments/1/history"} {
		if a := b.visitor().get(gone); a.status != 404 {
			t.Errorf("%s: %d", gone, a.status)
		}
	}
}
