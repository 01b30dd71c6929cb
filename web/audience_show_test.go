package web_test

import (
	"net/http"
	"testing"
	"time"
)

// rename gives a person another name.
func (c *client) rename(id, name string) answer {
	c.b.t.Helper()
	return c.send("PATCH", "/api/v1/users/"+id, object{"user": object{"name": name}})
}

// movedTo fails the test unless the answer redirects to the path.
func (a answer) movedTo(path string) {
	a.t.Helper()
	if a.status != http.StatusMovedPermanently || a.header.Get("Location") != path || a.header.Get("Cache-Control") != "no-cache" {
		a.t.Errorf("%d to %q, kept %q; want 301 to %q", a.status, a.header.Get("Location"), a.header.Get("Cache-Control"), path)
	}
}

// settles waits until another node has found out about a change.
func settles(t *testing.T, is func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !is() {
		if time.Now().After(deadline) {
			t.Fatal("the other node does not find out")
		}
		time.Sleep(20 * time.Millisecond) // a condition of another node: polled
	}
}

func TestAudienceByAPI(t *testing.T) {
	t.Parallel()
	b := setup(t, "warden", "alice", "bobby", "carol")
	alice, bobby := b.as("alice"), b.as("bobby")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks", "status": "private"}}).ok()
	bobby.send("POST", "/api/v1/groups", object{"group": object{"name": "chefs", "display_name": "Chefs", "status": "private"}}).ok()
	bobby.send("POST", "/api/v1/users/alice/subscribers", nil).ok()
	post := alice.post("soup", "user")
	theirs := bobby.post("secret soup", "group:chefs")
	public := bobby.post("open soup", "user")
	for _, tt := range []struct {
		query string
		want  object
	}{
		{"timelines=user", object{"everybody": true, "people": 3.0, "gain": 3.0, "lose": 0.0, "opens": true, "closes": false}},
		{"timelines=group:cooks", object{"everybody": false, "people": 0.0, "gain": 0.0, "lose": 0.0, "opens": false, "closes": false}},
		{"timelines=direct:bobby,direct:carol", object{"everybody": false, "people": 2.0, "gain": 2.0, "lose": 0.0, "opens": false, "closes": false}},
		{"timelines=group:cooks&post=" + post, object{"everybody": false, "people": 0.0, "gain": 0.0, "lose": 3.0, "opens": false, "closes": true}},
		{"status=private", object{"everybody": false, "people": 1.0, "gain": 0.0, "lose": 2.0, "opens": false, "closes": true}},
		{"status=public&group=cooks", object{"everybody": true, "people": 3.0, "gain": 3.0, "lose": 0.0, "opens": true, "closes": false}},
	} {
		a := alice.get("/api/v1/audience?" + tt.query).ok()
		for key, want := range tt.want {
			if got, there := a.json()[key]; !there || got != want {
				t.Errorf("%s: %s is %v, want %v", tt.query, key, got, want)
			}
		}
	}
	// The answer says nothing about posts and feeds that the asker may not change.
	for query, status := range map[string]int{
		"timelines=group:chefs": 403, "timelines=group:nobodys": 422, "timelines=user&post=" + theirs: 404, "timelines=user&post=" + public: 403,
		"timelines=user&post=4711": 404, "timelines=user&post=x": 404, "timelines=": 422, "": 422, "status=private&group=chefs": 403,
		"status=private&group=bobby": 404, "status=private&group=nobodys": 404, "status=secret": 422, "status=fyeo&group=cooks": 422,
		"timelines=direct:no-such-name": 422, "timelines=user,direct:bobby": 422, "timelines=direct:alice": 422,
	} {
		if a := alice.get("/api/v1/audience?" + query); a.status != status {
			t.Errorf("%s: %d, want %d: %s", query, a.status, status, a.body)
		}
	}
	if a := b.visitor().get("/api/v1/audience?timelines=user"); a.status != 401 {
		t.Errorf("a visitor asks: %d", a.status)
	}
}
