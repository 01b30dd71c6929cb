package web_test

import (
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// ruleRows are rules whose violation breaks programs.
var ruleRows = map[string]func(*contract){
	"rule_slashes": func(c *contract) {
		for _, path := range []string{"//alice.json", "///alice.json?page=1", "//index.json", "//alice/" + c.popular + ".json"} {
			c.page(c.b.as("bobby"), path)
		}
		for _, path := range []string{"//alice/" + c.popular + "/comments.json", "//alice/" + c.popular + "/likes.json", "//alice/subscriptions.json"} {
			c.b.as("bobby").get(path).ok().json()
		}
	},
	"rule_origins": func(c *contract) {
		other := c.b.as("alice")
		other.header.Set("Origin", "https://client.example")
		for _, path := range []string{"/alice.json", "/hermit.json", "/no-such-name.json", "/s.json?q=soup", "/api/v1/whoami", "/live/changes", "/api/v1/posts/1", "/alice/" + c.popular + "/comments.json"} {
			if a := other.get(path); a.header.Get("Access-Control-Allow-Origin") != "*" || a.header.Get("Access-Control-Allow-Credentials") != "" {
				c.Errorf("%s: %v", path, a.header)
			}
			asked := other.do("OPTIONS", path, "", nil)
			for _, want := range []string{"X-API-Token", "X-River-Signature", "Content-Type", "Accept"} {
				if !strings.Contains(asked.header.Get("Access-Control-Allow-Headers"), want) {
					c.Errorf("OPTIONS %s does not allow %s", path, want)
				}
			}
			for _, want := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
				if !strings.Contains(asked.header.Get("Access-Control-Allow-Methods"), want) {
					c.Errorf("OPTIONS %s does not allow %s", path, want)
				}
			}
			if asked.status >= 300 || asked.header.Get("Access-Control-Allow-Origin") != "*" {
				c.Errorf("OPTIONS %s: %d %v", path, asked.status, asked.header)
			}
		}
		if a := other.get("/alice"); a.header.Get("Access-Control-Allow-Origin") != "" {
			c.Error("pages for people are open to other sites")
		}
		cookie := c.b.session("alice")
		cookie.header.Set("Origin", "https://client.example")
		c.refused(cookie.send("POST", "/api/v1/posts", object{"post": object{"text": "from elsewhere", "timelines": []string{"user"}}}), 403, "cross_origin")
	},
	"rule_success_is_200": func(c *contract) {
		david := c.b.as("david")
		made := david.send("POST", "/api/v1/posts.json", object{"post": object{"text": "made", "timelines": []string{"user"}}})
		said := david.send("POST", "/api/v1/posts/"+made.id("post", "id")+"/comments.json", object{"comment": object{"text": "said"}})
		group := david.send("POST", "/api/v1/groups", object{"group": object{"name": "divers", "display_name": "Divers"}})
		for what, a := range map[string]answer{"a post": made, "a comment": said, "a group": group} {
			if a.status != 200 {
				c.Errorf("%s was made with %d", what, a.status)
			}
			if _, there := a.json()["error"]; there {
				c.Errorf("%s was made, and the answer has an error: %s", what, a.body)
			}
		}
	},
	"rule_json_ending": func(c *contract) {
		bobby := c.b.as("bobby")
		for _, path := range []string{
			"/api/v1/users/alice", "/api/v1/groups/cooks", "/api/v1/whoami", "/api/v1/subscription_requests", "/api/v1/attachments",
			"/api/v1/posts/alice/" + c.popular + "/comments/" + c.comment,
		} {
			if bare, named := bobby.get(path).ok(), bobby.get(path+".json").ok(); bare.body != named.body {
				c.Errorf("%s is %s, with .json %s", path, bare.body, named.body)
			}
		}
		if a := bobby.get("/alice").ok(); !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
			c.Errorf("a page without .json is %s", a.header.Get("Content-Type"))
		}
	},
	"rule_ids": func(c *contract) {
		for who, path := range map[*client]string{c.b.visitor(): "/fiona.json", c.b.as("fiona"): "/filter/directs.json"} {
			a := c.page(who, path) // in the page's shape, ids are numbers, and the maps by the same ids have them as texts
			if !cmp.Equal(a.at("groups"), any(object{})) || a.at("users") == nil || len(a.at("entries").([]any)) != 0 {
				c.Errorf("an empty page is %s", a.body)
			}
		}
	},
	"rule_cards": func(c *contract) {
		for _, path := range []string{"/index.json", "/alice.json", "/cooks.json", "/alice/" + c.popular + ".json", "/filter/directs.json", "/filter/everything.json", "/bobby/likes.json", "/s.json?q=soup"} {
			if a := c.page(c.b.as("alice"), path); len(posts(a)) == 0 {
				c.Errorf("%s is empty", path)
			}
		}
		for _, path := range []string{"/fiona.json", "/filter/favs.json", "/s.json?q=no-such-word"} { // c.page looks for the caller
			c.page(c.b.as("alice"), path)
		}
	},
	"rule_times": func(c *contract) {
		e := c.entry(c.page(c.b.visitor(), "/alice.json"), c.popular) // the entry's shape defines the form of times and dates
		last := at(e, "comments", 1, "created_at")
		if e["fresh_at"] != last || e["fresh_at"] == e["published_at"] {
			c.Errorf("fresh at %v, with the newest comment at %v", e["fresh_at"], last)
		}
		if plain := c.entry(c.page(c.b.visitor(), "/alice.json"), c.both); plain["fresh_at"] != plain["published_at"] {
			c.Errorf("fresh at %v, published at %v", plain["fresh_at"], plain["published_at"])
		}
	},
	"rule_never_null": func(c *contract) {
		for _, path := range []string{"/index.json", "/alice.json", "/cooks.json", "/alice/" + c.popular + ".json", "/alice/" + c.popular + "/comments.json", "/alice/" + c.popular + "/likes.json", "/alice/subscribers.json", "/alice/subscriptions.json"} {
			if a := c.b.as("bobby").get(path).ok(); strings.Contains(a.body, "null") {
				c.Errorf("%s has a null: %s", path, a.body)
			}
		}
	},
	"rule_booleans": func(c *contract) {
		carol := c.b.as("carol")
		for sent, want := range map[any]any{"false": nil, "true": true, 0: nil, 1: true, false: nil, true: true, "0": nil, "1": true} {
			made := carol.send("POST", "/api/v1/posts.json", object{"post": object{"text": fmt.Sprintf("%T %v", sent, sent), "timelines": []string{"user"}, "comments_disabled": sent, "nsfw": sent}})
			e := c.entry(c.page(carol, "/carol/"+made.id("post", "id")+".json"), made.id("post", "id"))
			if e["comments_disabled"] != want || e["nsfw"] != want {
				c.Errorf("%T %v became %v and %v, want %v", sent, sent, e["comments_disabled"], e["nsfw"], want)
			}
		}
	},
	"rule_folds": func(c *contract) {
		e := c.entry(c.page(c.b.visitor(), "/alice.json"), c.popular)
		if at(e, "comments", 0, "text") != "by bobby" || at(e, "comments", 1, "text") != "by gerda" || len(e["comments"].([]any)) != 2 || e["comments_count"] != 6.0 || e["gap_position"] != 1.0 {
			c.Errorf("folded comments: %v", e)
		}
		gerda := c.b.as("gerda")
		for n := 1; n <= 6; n++ {
			if n == 1 {
				gerda.post("to be talked about", "user")
			}
			post := posts(gerda.get("/gerda.json"))[0]
			gerda.comment(post, "more")
			e := c.entry(c.page(gerda, "/gerda.json"), post)
			shown, gap := n, 0.0
			if n > 4 {
				shown, gap = 2, 1
			}
			if len(e["comments"].([]any)) != shown || e["comments_count"] != float64(n) || e["gap_position"] != gap {
				c.Errorf("of %d comments: %v", n, e)
			}
		}
	},
	"rule_bad_input": func(c *contract) {
		erika := c.b.as("erika")
		posts := "/api/v1/posts/" + c.popular
		for _, bad := range []struct {
			method, path string
			body         any
		}{
			{"GET", "/alice/calendar/0000.json", nil}, {"GET", "/alice/calendar/2024/13.json", nil}, {"GET", "/alice/99999999999999999999.json", nil}, {"GET", "/a%00b.json", nil},
			{"GET", "/%ff%fe.json", nil}, {"GET", "/alice/0/comments.json", nil}, {"GET", "/alice/" + c.popular + "/likes/x.json", nil}, {"GET", "/filter/no-such.json", nil},
			{"GET", "/s.json?q=%ff", nil}, {"GET", "/alice.json?count=x", nil}, {"GET", "/alice.json?max_id=x", nil}, {"GET", "/alice.json?since_id=-1", nil},
			{"PUT", "/api/v1/subscription_requests/no-uuid", nil}, {"DELETE", "/api/v1/subscription_requests/no-uuid", nil}, {"PATCH", "/api/v1/users/x.json", object{"user": object{"description": "?"}}},
			{"PATCH", "/api/v1/users/6.json", object{"user": []int{1}}}, {"PATCH", "/api/v1/users/6.json", object{"user": object{"display_name": object{}}}},
			{"POST", "/api/v1/posts.json", object{"post": object{"text": "x", "timelines": "user,", "attachment_ids": "x"}}}, {"POST", "/api/v1/posts.json", object{"post": object{"text": "x", "timelines": []any{nil}}}},
			{"POST", "/api/v1/posts.json", object{"post": object{"text": "x", "timelines": []string{"group:"}}}}, {"POST", "/api/v1/posts.json", object{"_uuid": "x", "post": object{"text": "x", "timelines": []string{"user"}}}},
			{"PATCH", posts + ".json", object{"post": object{"comments_disable": "perhaps"}}}, {"POST", posts + "/comments.json", object{"comment": nil}}, {"POST", posts + "/comments.json", object{"comment": object{"text": []int{1}}}},
			{"POST", posts + "/comments/x.json", object{"comment": object{"text": "x"}}}, {"POST", posts + "/clike/x.json", nil}, {"POST", "/api/v1/posts/alice/x/likes.json", nil}, {"POST", "/api/v1/posts/alice/1/favs.json", nil},
			{"POST", "/api/v1/users/%00/ban.json", nil}, {"POST", "/api/v1/users/erika/subscribers.json", nil}, {"DELETE", "/api/v1/no-such.json", nil}, {"POST", "/alice.json", nil},
		} {
			a := erika.send(bad.method, bad.path, bad.body)
			said, _ := a.at("error").(string)
			if code, _ := a.at("code").(string); a.status < 400 || a.status >= 500 || said == "" || code == "" || a.at("err") != said {
				c.Errorf("%s %s %v: %d %s", bad.method, bad.path, bad.body, a.status, a.body)
			}
		}
		for _, signature := range []string{"x", "/", "00000000-0000-0000-0000-000000000000/user:alice", strings.Repeat("x", 5000)} { // no river: no entries
			erika.header.Set("X-River-Signature", signature)
			if a := erika.send("DELETE", posts+"/favs", nil).ok(); !cmp.Equal(a.at("entries"), any(object{})) {
				c.Errorf("%.50s: %s", signature, a.body)
			}
		}
	},
	"rule_token": func(c *contract) {
		alice := c.b.as("alice")
		if strings.Trim(alice.token, "0123456789abcdef-") != "" {
			c.Errorf("a token %q", alice.token)
		}
		c.same(alice.get("/api/v1/whoami.json"), "alice", "user", "name")
		form := c.b.visitor()
		form.header.Set("X-API-Token", alice.token)
		c.same(form.get("/user.json"), "alice", "river", "current_user_name")
	},
}
