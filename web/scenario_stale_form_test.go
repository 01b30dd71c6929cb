package web_test

import (
	"maps"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// fields returns the fields of the form that changes the thing at an address, as a browser
// sends them untouched.
func (a answer) fields(address string) url.Values {
	a.t.Helper()
	doc, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		a.t.Fatal(err)
	}
	for form := range doc.Descendants() {
		if form.Data != "form" || valueOf(form, "action") != address {
			continue
		}
		all := url.Values{}
		for f := range form.Descendants() {
			_, checked := find(f, "checked")
			kind := valueOf(f, "type")
			switch {
			case f.Data == "textarea" && f.FirstChild != nil:
				all.Add(valueOf(f, "name"), f.FirstChild.Data)
			case f.Data == "textarea":
				all.Add(valueOf(f, "name"), "")
			case f.Data == "input" && (kind != "radio" && kind != "checkbox" || checked):
				all.Add(valueOf(f, "name"), valueOf(f, "value"))
			}
		}
		if all.Get("_method") == "PATCH" || all.Has("_action") || strings.Contains(address, "?form=") {
			return all
		}
	}
	a.t.Fatalf("no form changes %s", address)
	return nil
}

func find(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func valueOf(n *html.Node, name string) string {
	value, _ := find(n, name)
	return value
}

// pairs are fields as (*client).form takes them, with some of them changed.
func pairs(fields url.Values, changed ...string) (all []string) {
	fields = maps.Clone(fields)
	for i := 0; i < len(changed); i += 2 {
		fields.Set(changed[i], changed[i+1])
	}
	for name, values := range fields {
		for _, value := range values {
			all = append(all, name, value)
		}
	}
	return all
}

// TestStaleFormsTakeNothingBack: a form was open in another tab while a feed went private, a
// post moved to the private feed, and a group was closed. Sending the form changes only the
// fields that were edited in it.
func TestStaleFormsTakeNothingBack(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice, api := b.browser("alice"), b.as("alice")
	id := api.post("hoi", "user")
	api.send("POST", "/api/v1/groups.json", object{"group": object{"name": "chess", "status": "public"}}).ok()

	settings := alice.get("/settings").ok().fields("/settings?form=profile")
	edit := alice.get("/alice/" + id + "/edit").ok().fields("/alice/" + id + "/edit")
	group := alice.get("/chess/edit").ok().fields("/chess/edit")

	api.send("PATCH", "/api/v1/users/1.json", object{"user": object{"status": "private"}}).ok()
	api.send("PATCH", "/api/v1/posts/"+id+".json", object{"post": object{"timelines": []string{"user_private"}}}).ok()
	api.send("PATCH", "/api/v1/groups/chess.json", object{"group": object{"status": "private", "posting": "admins"}}).ok()

	alice.form("POST", "/settings?form=profile", pairs(settings, "user[display_name]", "Alice L.")...)
	alice.form("POST", "/alice/"+id+"/edit", pairs(edit, "post[text]", "hoi!")...)
	alice.form("POST", "/chess/edit", pairs(group, "group[description]", "e4")...)

	user := api.get("/api/v1/users/alice.json").ok()
	if user.at("status") != "private" || user.at("display_name") != "Alice L." {
		t.Errorf("the profile is %v", user.body)
	}
	post := api.get("/alice/" + id + ".json").ok()
	if places := post.at("entries", 0, "timelines"); post.at("entries", 0, "text") != "hoi!" || len(places.([]any)) != 1 || places.([]any)[0] != "user_private" {
		t.Errorf("the post is %v in %v", post.at("entries", 0, "text"), places)
	}
	chess := api.get("/api/v1/groups/chess.json").ok()
	if chess.at("status") != "private" || chess.at("posting") != "admins" || chess.at("description") != "e4" {
		t.Errorf("the group is %v", chess.body)
	}

	// A field that was changed in such a form counts, and a form without a change is accepted.
	privacy := alice.get("/settings/privacy").ok().fields("/settings/privacy?form=privacy")
	alice.form("POST", "/settings/privacy?form=privacy", pairs(privacy, "user[status]", "protected")...)
	if user := api.get("/api/v1/users/alice.json").ok(); user.at("status") != "protected" {
		t.Errorf("the status is %v", user.at("status"))
	}
	same := alice.get("/settings/privacy").ok().fields("/settings/privacy?form=privacy")
	if a := alice.form("POST", "/settings/privacy?form=privacy", pairs(same)...); a.status != 303 {
		t.Errorf("a form that changes nothing: %d", a.status)
	}
}
