package web_test

import (
	"strings"

	"github.com/google/go-cmp/cmp"
)

// apiRows are the endpoints under /api/v1.
var apiRows = map[string]func(*contract){
	"api_whoami": func(c *contract) {
		a := c.b.as("alice").get("/api/v1/whoami.json").ok()
		c.same(a, "alice", "user", "name")
		c.same(a, true, "user", "is_you")
		bad := c.b.visitor()
		for _, bad.token = range []string{"", "no-such-token", "00000000-0000-0000-0000-000000000000"} {
			if a := bad.get("/api/v1/whoami.json"); a.status != 401 {
				c.Errorf("token %q: %d", bad.token, a.status)
			}
		}
	},
	"api_user": func(c *contract) {
		a := c.b.as("alice").get("/api/v1/users/bobby").ok()
		for key, want := range (object{"name": "bobby", "id": 3.0, "you_are_subscribed": true, "subscribed_to_you": true}) {
			c.same(a, want, key)
			c.same(a, want, "user", key)
		}
		c.same(a, 1.0, "counts", "subscribers")
		for _, name := range []string{"cooks", "no-such-name"} { // then clients ask for a group
			c.refused(c.b.as("alice").get("/api/v1/users/"+name+".json"), 404, "not_found")
		}
	},
	"api_edit_user": func(c *contract) {
		gerda := c.b.as("gerda")
		a := gerda.send("PATCH", "/api/v1/users/8.json", object{"user": object{"description": "Hi.", "display_name": "Gerda G.", "status": "disallow-robots"}}).ok()
		for key, want := range (object{"description": "Hi.", "display_name": "Gerda G.", "status": "disallow-robots"}) {
			c.same(a, want, "user", key)
		}
		c.refused(gerda.send("PATCH", "/api/v1/users/2.json", object{"user": object{"description": "Hi."}}), 403, "forbidden")
		c.refused(gerda.send("PATCH", "/api/v1/users/8.json", object{"user": object{"status": "invisible"}}), 422, "invalid")
	},
	"api_group": func(c *contract) {
		a := c.b.visitor().get("/api/v1/groups/cooks.json").ok()
		c.same(a, "cooks", "name")
		c.same(a, false, "nsfw")
		c.refused(c.b.visitor().get("/api/v1/groups/alice.json"), 404, "not_found")
	},
	"api_subscribe": func(c *contract) {
		fiona := c.b.as("fiona")
		for _, feed := range []string{"users/carol", "groups/cooks"} {
			fiona.send("POST", "/api/v1/"+feed+"/subscribers.json", nil).result("subscribed")
			c.same(fiona.get("/api/v1/"+feed), true, "you_are_subscribed")
			fiona.send("DELETE", "/api/v1/"+feed+"/subscribers.json", nil).result("unsubscribed")
			c.same(fiona.get("/api/v1/"+feed), nil, "you_are_subscribed")
		}
		fiona.send("POST", "/api/v1/users/hermit/subscribers.json", nil).result("requested")
		fiona.send("DELETE", "/api/v1/users/hermit/subscribers.json", nil).result("unsubscribed")
		c.refused(fiona.send("POST", "/api/v1/users/no-such-name/subscribers.json", nil), 404, "not_found")
	},
	"api_ban": func(c *contract) {
		fiona := c.b.as("fiona")
		fiona.send("POST", "/api/v1/users/erika/ban.json", nil).result("banned")
		c.same(fiona.get("/api/v1/users/erika"), true, "is_banned")
		c.refused(c.b.as("erika").get("/api/v1/users/fiona"), 404, "not_found")
		fiona.send("DELETE", "/api/v1/users/erika/ban.json", nil).result("unbanned")
		c.refused(fiona.send("POST", "/api/v1/users/no-such-name/ban.json", nil), 404, "not_found")
	},
	"api_requests": func(c *contract) {
		hermit, carol := c.b.as("hermit"), c.b.as("carol")
		for _, answer := range []string{"DELETE", "PUT"} {
			carol.send("POST", "/api/v1/users/hermit/subscribers.json", nil).result("requested")
			a := hermit.get("/api/v1/subscription_requests.json").ok()
			for key, want := range (object{"user_id": 4.0, "what": "user", "their_id": 9.0}) {
				c.same(a, want, "subscription_requests", 0, "request", key)
			}
			c.shaped(a, "uuid", "subscription_requests", 0, "request", "uuid")
			c.shaped(a, "user", "subscription_requests", 0, "from_user")
			c.same(a, "carol", "subscription_requests", 0, "from_user", "name")
			at := "/api/v1/subscription_requests/" + a.at("subscription_requests", 0, "request", "uuid").(string)
			c.refused(carol.send(answer, at, nil), 404, "not_found")
			hermit.send(answer, at, nil).ok()
			c.refused(hermit.send(answer, at, nil), 404, "not_found")
			if status, want := carol.get("/hermit.json").status, map[string]int{"DELETE": 403, "PUT": 200}[answer]; status != want {
				c.Errorf("after %s: %d", answer, status)
			}
		}
		carol.send("DELETE", "/api/v1/users/hermit/subscribers.json", nil).result("unsubscribed")
	},
	"api_post": func(c *contract) {
		david := c.b.as("david")
		david.send("POST", "/api/v1/groups/cooks/subscribers", nil).result("subscribed")
		uuid := "8d9cdb4e-0f7e-4b3a-9b0e-3f1c2b7a6d55"
		body := object{"_uuid": uuid, "post": object{
			"text": "from afar", "timelines": []string{"user", "group:cooks"}, "comments_disabled": "false", "nsfw": "0", "linebreaks": true, "attachment_ids": []int{}, "platform": "Android App",
		}}
		made := c.shaped(david.send("POST", "/api/v1/posts.json", body), "made", "post")
		for key, want := range (object{"text": "from afar", "platform": "Android App", "linebreaks": true, "version": 1.0, "comments_version": 0.0, "my_change": true, "comments_disabled": false, "nsfw": false}) {
			c.same(made, want, "post", key)
		}
		if !cmp.Equal(made.at("post", "timelines"), any([]any{"user", "group:cooks"})) && !cmp.Equal(made.at("post", "timelines"), any([]any{"group:cooks", "user"})) {
			c.Error(made.body)
		}
		if again := david.send("POST", "/api/v1/posts.json", body).ok(); again.id("post", "id") != made.id("post", "id") {
			c.Error("one _uuid made two posts")
		}
		for place, status := range map[string]string{"user": "public", "group:cooks": "public", "direct:alice": "private", "user_private": "private", "user_fyeo": "fyeo"} {
			a := david.send("POST", "/api/v1/posts", object{"post": object{"text": "to " + place, "timelines": []string{place}}}).ok()
			c.same(a, status, "post", "status")
		}
		several := david.send("POST", "/api/v1/posts", object{"post": object{"text": "to two", "timelines": []string{"direct:alice", "direct:bobby"}}}).ok()
		c.same(several, true, "post", "is_direct")
		form := david.form("POST", "/api/v1/posts.json", "post[text]", "a form", "post[timelines][]", "user").ok()
		c.same(form, "a form", "post", "text")
	},
	"api_edit_post": func(c *contract) {
		david := c.b.as("david")
		post := david.post("to be edited", "user")
		for _, at := range []string{"posts/" + post + ".json", "posts/david/" + post} {
			a := david.send("PATCH", "/api/v1/"+at, object{"post": object{"text": "edited at " + at}}).ok()
			c.same(a, "edited at "+at, "text")
			c.same(a, number(c.T, post), "id")
		}
		for name, values := range map[string]map[any]any{"comments_disable": {1: true, 0: nil}, "comments_disabled": {"true": true, "false": nil}} {
			for sent, want := range values {
				c.same(david.send("PATCH", "/api/v1/posts/"+post+".json", object{"post": object{name: sent}}), want, "comments_disabled")
			}
		}
		c.refused(c.b.as("erika").send("PATCH", "/api/v1/posts/"+post, object{"post": object{"text": "mine"}}), 403, "forbidden")
	},
	"api_delete_post": func(c *contract) {
		david := c.b.as("david")
		for _, at := range []string{"posts/", "posts/david/"} {
			post := david.post("to be deleted", "user")
			c.refused(c.b.as("erika").send("DELETE", "/api/v1/"+at+post+".json", nil), 403, "forbidden")
			david.send("DELETE", "/api/v1/"+at+post+".json", nil).result("deleted")
			c.refused(david.get("/david/"+post+".json"), 404, "not_found")
		}
	},
	"api_like": func(c *contract) {
		david := c.b.as("david")
		for _, at := range []string{"posts/" + c.both + "/likes", "posts/alice/" + c.both + "/likes.json"} {
			for range 2 { // twice is once
				david.do("POST", "/api/v1/"+at, "application/json", strings.NewReader("")).result("liked")
			}
			if e := c.entry(c.page(david, "/alice.json"), c.both); e["user_liked"] != true || len(e["likes"].([]any)) != 1 {
				c.Errorf("after a like: %v", e)
			}
			david.send("DELETE", "/api/v1/"+at, nil).result("unliked")
		}
		c.refused(c.b.as("alice").send("POST", "/api/v1/posts/"+c.both+"/likes", nil), 422, "invalid")
	},
	"api_clike": func(c *contract) {
		david, at := c.b.as("david"), "/api/v1/posts/alice/"+c.popular+"/clike/"+c.comment+".json"
		david.send("POST", at, nil).result("liked")
		a := david.get("/api/v1/posts/alice/" + c.popular + "/comments/" + c.comment).ok()
		c.same(a, 1.0, "clikes_count")
		c.same(a, true, "user_liked")
		c.same(a, nil, "clikes")
		david.send("DELETE", at, nil).result("unliked")
		c.refused(c.b.as("bobby").send("POST", at, nil), 422, "invalid")
	},
	"api_hide": func(c *contract) {
		david := c.b.as("david")
		david.send("POST", "/api/v1/posts/"+c.both+"/hide.json", nil).ok()
		if e := c.entry(c.page(david, "/alice.json"), c.both); e["can_unhide"] != true || e["can_hide"] != nil {
			c.Errorf("hidden: %v", e)
		}
		david.send("DELETE", "/api/v1/posts/"+c.both+"/hide.json", nil).ok()
		if e := c.entry(c.page(david, "/alice.json"), c.both); e["can_unhide"] != nil || e["can_hide"] != true {
			c.Errorf("shown again: %v", e)
		}
	},
	"api_favs": func(c *contract) {
		david := c.b.as("david")
		for _, at := range []string{"posts/" + c.both, "posts/alice/" + c.both} {
			david.send("POST", "/api/v1/"+at+"/favs.json", nil).result("faved")
			david.send("DELETE", "/api/v1/"+at+"/favs.json", nil).result("unfaved")
		}
		own := david.post("mine", "user")
		david.send("POST", "/api/v1/posts/"+own+"/favs", nil).result("faved") // a favourite may be one's own post
		c.refused(david.send("POST", "/api/v1/posts/"+c.eyes+"/favs", nil), 404, "not_found")
	},
	"api_comment": func(c *contract) {
		david := c.b.as("david")
		post := david.post("say something", "user")
		body := object{"_uuid": "8d9cdb4e-0f7e-4b3a-9b0e-3f1c2b7a6d56", "comment": object{"text": "well, https://example.org/", "platform": "Android App", "attachment_ids": []int{}}}
		made := david.send("POST", "/api/v1/posts/"+post+"/comments.json", body).ok()
		shown := made.json()
		for _, beside := range []string{"entries", "users", "realm", "external_id", "position"} {
			if _, there := shown[beside]; !there {
				c.Errorf("a new comment has no %s: %s", beside, made.body)
			}
			delete(shown, beside)
		}
		for _, wrong := range misshapen("a new comment", "comment", shown) {
			c.Error(wrong)
		}
		for key, want := range (object{"text": "well, https://example.org/", "platform": "Android App", "realm": 0.0, "external_id": nil, "updated_at": made.at("created_at"), "user_id": 5.0, "post_id": number(c.T, post)}) {
			c.same(made, want, key)
		}
		if made.at("updated_at") == nil {
			c.Error("a new comment has no updated_at")
		}
		if again := david.send("POST", "/api/v1/posts/david/"+post+"/comments", body).ok(); again.id("id") != made.id("id") {
			c.Error("one _uuid made two comments")
		}
		if e := c.entry(c.page(david, "/david.json"), post); at(e, "comments", 0, "updated_at") != nil { // edited comments have the field
			c.Errorf("a comment that was never edited: %v", e)
		}
		c.refused(c.b.as("bobby").send("POST", "/api/v1/posts/"+c.nsfw+"/comments.json", object{"comment": object{"text": "closed"}}), 403, "forbidden")
	},
	"api_edit_comment": func(c *contract) {
		david := c.b.as("david")
		post := david.post("say something else", "user")
		comment := david.comment(post, "well")
		for i, method := range []string{"POST", "PATCH", "PUT"} {
			at := []string{"/api/v1/posts/" + post, "/api/v1/posts/david/" + post}[i%2] + "/comments/" + comment + ".json"
			a := david.send(method, at, object{"comment": object{"text": "by " + method}}).ok()
			c.same(a, "by "+method, "text")
			if a.at("updated_at") == nil || a.at("updated_at") == a.at("created_at") {
				c.Errorf("an edited comment: %s", a.body)
			}
			c.refused(c.b.as("erika").send(method, at, object{"comment": object{"text": "mine"}}), 403, "forbidden")
		}
	},
	"api_get_comment": func(c *contract) {
		at := "/api/v1/posts/alice/" + c.popular + "/comments/" + c.comment
		for _, who := range []*client{c.b.as("carol"), c.b.session("carol"), c.b.visitor()} {
			c.shaped(who.get(at), "comment")
		}
		c.refused(c.b.as("carol").get("/api/v1/posts/alice/"+c.both+"/comments/"+c.comment), 404, "not_found")
	},
	"api_delete_comment": func(c *contract) {
		david, erika := c.b.as("david"), c.b.as("erika")
		post := david.post("say it again", "user")
		for _, by := range []*client{erika, david} { // the commenter, and the author of the post
			at := "/api/v1/posts/" + post + "/comments/" + erika.comment(post, "well") + ".json"
			c.refused(c.b.as("fiona").send("DELETE", at, nil), 403, "forbidden")
			by.send("DELETE", at, nil).ok()
			c.refused(by.send("DELETE", at, nil), 404, "not_found")
		}
	},
}
