package web_test

import (
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
)

// holds fails the row unless a page has the posts, and none of the others.
func (c *contract) holds(who *client, path string, with []string, without ...string) answer {
	c.Helper()
	a := c.page(who, path)
	for _, post := range with {
		if !slices.Contains(posts(a), post) {
			c.Errorf("%s lacks %s: %v", path, post, posts(a))
		}
	}
	for _, post := range without {
		if slices.Contains(posts(a), post) {
			c.Errorf("%s has %s", path, post)
		}
	}
	return a
}

// pageRows are the pages as JSON.
var pageRows = map[string]func(*contract){
	"page_index": func(c *contract) {
		c.same(c.holds(c.b.as("bobby"), "/index.json", []string{c.popular, c.both, c.direct}, c.secret, c.eyes), "home", "river", "what")
		c.same(c.holds(c.b.visitor(), "/index.json", []string{c.popular}, c.secret, c.eyes, c.direct), "everything", "river", "what")
	},
	"page_user": func(c *contract) {
		c.holds(c.b.as("alice"), "/alice.json", []string{c.popular, c.both, c.secret, c.eyes}, c.direct) // posts for one's own eyes too
		for _, who := range []*client{c.b.as("bobby"), c.b.visitor()} {
			c.holds(who, "/alice.json", []string{c.popular, c.both}, c.secret, c.eyes, c.direct)
		}
		c.refused(c.b.visitor().get("/hermit.json"), 403, "forbidden")
		c.refused(c.b.visitor().get("/no-such-name.json"), 404, "not_found")
	},
	"page_group":    func(c *contract) { c.holds(c.b.visitor(), "/cooks.json", []string{c.both}, c.popular) },
	"page_comments": func(c *contract) { c.holds(c.b.visitor(), "/bobby/comments.json", []string{c.popular}, c.both) },
	"page_likes":    func(c *contract) { c.holds(c.b.visitor(), "/bobby/likes.json", []string{c.popular}, c.both) },
	"page_calendar": func(c *contract) {
		day := time.Now().UTC()
		for _, form := range []string{"2006", "2006/01", "2006/01/02"} {
			c.holds(c.b.visitor(), "/alice/calendar/"+day.Format(form)+".json", []string{c.popular, c.both}, c.secret)
		}
	},
	"page_post": func(c *contract) {
		for _, path := range []string{"/alice/" + c.both + ".json", "/cooks/" + c.both + ".json"} {
			if a := c.holds(c.b.visitor(), path, []string{c.both}); len(posts(a)) != 1 || a.at("river", "is_single_post") != true {
				c.Error(a.body)
			}
		}
		whole := c.page(c.b.visitor(), "/alice/"+c.popular+".json")
		if n := len(whole.at("entries", 0, "comments").([]any)); n != 6 {
			c.Errorf("%d comments of 6", n)
		}
		for _, key := range []string{"older_entries_url", "precise_older_entries_url", "newer_entries_url"} {
			c.same(whole, nil, key)
		}
		c.refused(c.b.as("bobby").get("/alice/"+c.eyes+".json"), 404, "not_found")
	},
	"page_post_comments": func(c *contract) {
		a := c.b.visitor().get("/alice/" + c.popular + "/comments.json").ok()
		for path, is := range map[string]string{"comments": "[]comment", "comments_count": "int", "gap_position": "int", "groups": "{}group", "river": "river", "users": "{}user"} {
			c.shaped(a, is, path)
		}
		if len(a.at("comments").([]any)) != 6 || a.at("comments_count") != 6.0 || a.at("gap_position") != 0.0 || len(a.json()) != 6 {
			c.Error(a.body)
		}
	},
	"page_post_likes": func(c *contract) {
		a := c.b.as("carol").get("/alice/" + c.popular + "/likes.json").ok()
		for path, is := range map[string]string{"likes": "[]int", "groups": "{}group", "users": "{}user"} {
			c.shaped(a, is, path)
		}
		for key, want := range (object{"more_likes": 0.0, "fav_count": 0.0, "can_fav": true, "can_like": true}) {
			c.same(a, want, key)
		}
		if likes := a.ids("likes"); len(likes) != 6 || a.at("users", likes[5]) == nil {
			c.Error(a.body)
		}
		own := c.b.as("alice").get("/alice/" + c.popular + "/likes.json").ok()
		c.same(own, true, "can_fav")
		c.same(own, false, "can_like")
	},
	"page_subscribers": func(c *contract) {
		alice := c.b.as("alice")
		alice.send("POST", "/api/v1/users/erika/ban", nil).result("banned")
		a := alice.get("/alice/subscribers.json").ok()
		c.shaped(a, "{}user", "users")
		if !slices.Equal(a.ids("subscribers"), []string{"3"}) || !slices.Equal(a.ids("banned_subscribers"), []string{"6"}) || a.at("users", "6", "is_banned") != true || a.at("users", "3", "subscribed_to_you") != true {
			c.Error(a.body)
		}
		for _, who := range []*client{c.b.as("bobby"), c.b.visitor()} {
			if a := who.get("/alice/subscribers.json").ok(); !slices.Equal(a.ids("subscribers"), []string{"3"}) || !cmp.Equal(a.at("banned_subscribers"), any([]any{})) {
				c.Error(a.body)
			}
		}
		alice.send("DELETE", "/api/v1/users/erika/ban", nil).result("unbanned")
	},
	"page_subscriptions": func(c *contract) {
		a := c.b.as("alice").get("/alice/subscriptions.json").ok()
		c.shaped(c.shaped(a, "{}user", "users"), "{}group", "groups")
		if !slices.Equal(a.ids("subscriptions"), []string{"3"}) || !slices.Equal(a.ids("group_subscriptions"), []string{"1"}) || a.at("groups", "1", "you_are_subscribed") != true {
			c.Error(a.body)
		}
	},
	"page_subscriptions_2016": func(c *contract) {
		alice := c.b.as("alice")
		alice.accept = "application/json"
		a := alice.get("//alice/subscriptions.json").ok()
		c.shaped(c.shaped(a, "user", "subscriptions", 0, "user"), "group", "group_subscriptions", 0, "group")
		for _, want := range []struct {
			value any
			path  []any
		}{{"bobby", []any{"subscriptions", 0, "user", "name"}}, {true, []any{"subscriptions", 0, "mutual"}}, {"cooks", []any{"group_subscriptions", 0, "group", "name"}}} {
			c.same(a, want.value, want.path...)
		}
		if theirs := alice.get("/bobby/subscriptions.json").ok(); !slices.Equal(theirs.ids("subscriptions"), []string{"2"}) {
			c.Errorf("of another person: %s", theirs.body)
		}
	},
	"page_favs": func(c *contract) {
		gerda, own := c.b.as("gerda"), c.b.as("gerda").post("worth it", "user")
		for _, post := range []string{own, c.both} {
			gerda.send("POST", "/api/v1/posts/"+post+"/favs.json", nil).result("faved")
		}
		a := c.holds(gerda, "/filter/favs.json", []string{own, c.both}, c.popular)
		if e := c.entry(a, own); e["user_faved"] != true || e["fav_count"] != 1.0 || e["can_fav"] != true || e["can_like"] != nil {
			c.Errorf("one's own favourite: %v", e)
		}
		gerda.send("DELETE", "/api/v1/posts/"+c.both+"/favs.json", nil).result("unfaved")
		c.holds(gerda, "/filter/favs.json", []string{own}, c.both)
		c.refused(c.b.visitor().get("/filter/favs.json"), 401, "unauthorized")
	},
	"page_directs": func(c *contract) {
		for _, name := range []string{"alice", "bobby"} {
			if e := c.entry(c.holds(c.b.as(name), "/filter/directs.json", []string{c.direct}, c.popular), c.direct); e["is_direct"] != true || e["is_public"] != false {
				c.Errorf("a direct: %v", e)
			}
		}
		c.holds(c.b.as("carol"), "/filter/directs.json", nil, c.direct)
	},
	"page_discussions": func(c *contract) {
		c.holds(c.b.as("fiona"), "/filter/discussions.json", []string{c.popular}, c.both)
	},
	"page_everything": func(c *contract) {
		c.holds(c.b.visitor(), "/filter/everything.json?count=100", []string{c.popular, c.both}, c.secret, c.eyes, c.direct)
	},
	"page_best_of": func(c *contract) { c.page(c.b.visitor(), "/filter/best_of.json") },
	"page_search": func(c *contract) {
		c.holds(c.b.visitor(), "/s.json?q=soup", []string{c.popular}, c.both)
		c.holds(c.b.visitor(), "/s.json?q=%23soup", []string{c.popular}, c.both)
		c.holds(c.b.visitor(), "/s.json?q=soup&page=2", nil, c.popular)
		c.refused(c.b.visitor().get("/s.json?q="+strings.Repeat("x", 3000)), 422, "invalid")
	},
	"page_who_asks": func(c *contract) {
		a := c.holds(c.b.as("alice"), "/user.json", []string{c.popular})
		c.same(a, "alice", "river", "current_user_name")
		c.refused(c.b.visitor().get("/user.json"), 401, "unauthorized")
		c.refused(c.b.visitor().send("POST", "/api/v1/users", object{"user": object{"name": "user", "email": "u@example.org", "password": "a long password"}}), 422, "invalid")
	},
	"page_from_a_time": func(c *contract) {
		hermit := c.b.as("hermit")
		var ids []string
		for _, text := range []string{"oldest", "older", "newest"} {
			ids = append(ids, hermit.post(text, "user"))
		}
		last := c.entry(c.page(hermit, "/hermit.json"), ids[2])["fresh_at"].(string)
		at, err := time.Parse("2006-01-02T15:04:05.000Z", last)
		if err != nil {
			c.Fatal(err)
		}
		after := at.Add(time.Second).UTC()
		for _, from := range []string{after.Format("2006-01-02T15:04:05Z"), strings.ReplaceAll(after.Format("2006-01-02 15:04:05-07:00"), " ", "%20"), after.Format("2006-01-02") + "+" + after.Format("15:04:05") + "%2B00:00"} {
			for _, page := range []string{"", "page=2&"} {
				c.holds(hermit, "/hermit.json?"+page+"start_from="+from, ids)
			}
		}
		c.holds(hermit, "/hermit.json?page=2&start_from=2016-06-18T18:08:14Z", nil, ids...)
		c.holds(hermit, "/hermit.json?page=1", ids)
		for _, bad := range []string{"page=0", "page=x", "page=-1", "start_from=yesterday", "page=99999999999999999999"} {
			if a := hermit.get("/hermit.json?" + bad); a.status < 400 || a.status >= 500 || a.at("error") == nil {
				c.Errorf("%s: %d %s", bad, a.status, a.body)
			}
		}
	},
}
