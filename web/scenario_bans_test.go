package web_test

import (
	"slices"
	"strings"
	"testing"
)

// TestBanIsEverywhere: two people with a ban between them comment on and like the posts of a
// third person. Neither finds a trace of the other.
func TestBanIsEverywhere(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol", "david")
	alice := b.as("alice")
	post := alice.post("for all", "user")
	mine := alice.comment(post, "a comment to like")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks"}}).ok()
	clients := map[string]*client{}
	for _, name := range []string{"bobby", "carol", "david"} {
		c := b.as(name)
		clients[name] = c
		c.send("POST", "/api/v1/users/alice/subscribers", nil).ok()
		c.send("POST", "/api/v1/groups/cooks/subscribers", nil).ok()
		c.send("POST", "/api/v1/posts/"+post+"/likes", nil).ok()
		c.send("POST", "/api/v1/posts/"+post+"/favs", nil).ok()
		c.send("POST", "/api/v1/posts/"+post+"/clike/"+mine, nil).ok()
		c.comment(post, "said by "+name)
		alice.send("POST", "/api/v1/users/"+name+"/subscribers", nil).ok()
	}
	alice.send("POST", "/api/v1/groups/cooks/admins/bobby", nil).ok()
	direct := alice.post("to you all", "direct:bobby", "direct:carol", "direct:david")
	// The first requests cache the numbers.
	for _, c := range clients {
		c.get("/alice").html()
		c.get("/cooks").html()
	}
	clients["carol"].send("POST", "/api/v1/users/bobby/ban", nil).result("banned")

	without := func(ids []string, id string) []string {
		return slices.DeleteFunc(slices.Clone(ids), func(one string) bool { return one == id })
	}
	for viewer, other := range map[string]string{"bobby": "3", "carol": "2", "david": ""} {
		c, left := clients[viewer], 3
		if other != "" {
			left = 2
		}
		same := func(what string, got, all []string) {
			t.Helper()
			slices.Sort(got)
			if !slices.Equal(got, without(all, other)) {
				t.Errorf("%s sees %s %v, not %v", viewer, what, got, without(all, other))
			}
		}
		same("likes", c.get("/alice/"+post+"/likes.json").ids("likes"), []string{"2", "3", "4"})
		same("subscribers", c.get("/alice/subscribers.json").ids("subscribers"), []string{"2", "3", "4"})
		same("subscriptions", c.get("/alice/subscriptions.json").ids("subscriptions"), []string{"2", "3", "4"})
		same("members", c.get("/cooks/subscribers.json").ids("subscribers"), []string{"1", "2", "3", "4"})
		if admins := c.get("/api/v1/groups/cooks/admins").ids("admins"); slices.Contains(admins, other) {
			t.Errorf("%s sees the administrators %v", viewer, admins)
		}

		for _, a := range []answer{c.get("/alice/" + post + ".json").ok(), c.get("/alice.json").ok(), c.get("/index.json").ok()} {
			entries := a.at("entries").([]any)
			e := entries[slices.IndexFunc(entries, func(e any) bool { return numberText(at(e, "id")) == post })]
			if n := len(at(e, "likes").([]any)); n != left {
				t.Errorf("%s sees %d likes", viewer, n)
			}
			if at(e, "fav_count") != float64(left) || at(e, "comments_count") != float64(left+1) || at(e, "comments", 0, "clikes_count") != float64(left) {
				t.Errorf("%s sees %v favourites, %v comments, %v likes of one", viewer, at(e, "fav_count"), at(e, "comments_count"), at(e, "comments", 0, "clikes_count"))
			}
			if other != "" && (a.at("users", other) != nil || strings.Contains(a.body, "said by "+map[string]string{"2": "bobby", "3": "carol"}[other])) {
				t.Errorf("%s finds a trace of %s: %s", viewer, other, a.body)
			}
		}
		if l := c.get("/alice/" + post + "/comments.json").ok(); l.at("comments_count") != float64(left+1) || len(l.at("comments").([]any)) != left+1 {
			t.Error(l.body)
		}
		for path, want := range map[string]int{"/api/v1/users/alice": left, "/api/v1/groups/cooks": left + 1} {
			if a := c.get(path).ok(); a.at("counts", "subscribers") != float64(want) {
				t.Errorf("%s: %s has %v subscribers, not %d", viewer, path, a.at("counts", "subscribers"), want)
			}
		}
		if page := c.get("/alice").html(); !strings.Contains(page, `href="/alice/subscribers"`) ||
			other != "" && strings.Contains(page, map[string]string{"2": "Bobby", "3": "Carol"}[other]) {
			t.Errorf("the page of %s tells too much, or has no numbers", viewer)
		}
		if a := c.get("/alice/" + direct + ".json").ok(); other != "" && (a.at("users", other) != nil || len(at(a.json(), "entries", 0, "timelines").([]any)) != left) {
			t.Errorf("%s sees the other recipients of the message: %s", viewer, a.body)
		}
	}
	// The banned person gets the same answer from these lists as from her page.
	for _, path := range []string{"/api/v1/users/carol/subscribers", "/api/v1/users/carol/private/subscribers"} {
		if a := clients["bobby"].send("POST", path, nil); a.status != 404 {
			t.Errorf("the banned person: %s: %d", path, a.status)
		}
	}
	if a := clients["carol"].send("POST", "/api/v1/users/bobby/subscribers", nil); a.status != 403 {
		t.Errorf("a person subscribes to the one they banned: %d", a.status)
	}
	// All other people see both.
	if a := b.visitor().get("/alice.json").ok(); a.at("entries", 0, "fav_count") != 3.0 || len(a.at("entries", 0, "likes").([]any)) != 3 {
		t.Error(a.body)
	}
	if a := b.visitor().get("/api/v1/users/alice").ok(); a.at("counts", "subscribers") != 3.0 {
		t.Error(a.body)
	}
}
