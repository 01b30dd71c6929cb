package web_test

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// shapes holds the fields of each kind of object with their types. A field with a name that ends with
// "?" may be absent; the type "true" is a boolean that is absent when false. Other fields are
// errors, and no field may be null except "external_id".
var shapes = map[string]map[string]string{
	"page": {
		"entries": "[]entry", "river": "river", "users": "{}user", "groups": "{}group",
		"older_entries_url?": "json path", "precise_older_entries_url?": "json path", "newer_entries_url?": "json path",
	},
	"river": {
		"uuid": "uuid", "is_single_post": "bool", "signature": "text", "descriptor": "text", "what": "text", "current_user_name?": "text",
		"timestamp": "time", "epoch?": "text", "counter": "int", "position": "int", "live?": "true", "behind?": "true", "left_off?": "any",
	},
	"entry":   entryShape,
	"made":    with2(entryShape, map[string]string{"comments_version": "int", "comments_disabled": "bool", "nsfw": "bool", "created_at": "time", "updated_at": "time", "my_change": "true"}),
	"comment": commentShape,
	"part":    {"text": "text", "href?": "text", "external?": "true"},
	"user": {
		"id": "int", "name": "name", "display_name": "text", "status": "status", "description": "text", "created_at?": "date", "url": "path",
		"avatar_url": "path", "avatar_width": "int", "avatar_height": "int", "counts": "counts", "is_you?": "true",
		"you_are_subscribed?": "true", "subscribed_to_you?": "true", "is_hidden?": "true", "is_banned?": "true", "you_requested?": "true",
		"you_are_invited?": "true", "forward_only?": "true", "private_feed?": "any", "cover_url?": "path",
	},
	"group": {
		"id": "int", "name": "name", "display_name": "text", "status": "status", "description": "text", "created_at": "date", "nsfw": "bool", "url": "path",
		"avatar_url": "path", "avatar_width": "int", "avatar_height": "int", "counts": "counts",
		"you_are_subscribed?": "true", "you_are_admin?": "true", "you_requested?": "true", "you_are_invited?": "true", "forward_only?": "true", "cover_url?": "path",
	},
	"counts":       {"subscribers?": "int", "subscriptions?": "int"},
	"effect entry": {"post": "entry", "users": "{}user", "groups": "{}group"},
}

var entryShape = map[string]string{
	"id": "int", "url": "path", "api_url": "path", "user_id": "int", "version": "int", "_comments_version": "int", "text": "text",
	"text_as_html?": "text", "parsed_text?": "[]part", "linebreaks?": "true", "lang?": "text", "published_at": "time", "fresh_at": "time",
	"is_public": "bool", "status": "status", "is_direct?": "true", "nsfw?": "true", "comments_disabled?": "true", "platform?": "text",
	"reason": "reason", "timelines?": "[]text", "likes": "[]int", "more_likes": "int", "fav_count": "int", "user_liked?": "true", "user_faved?": "true",
	"can_like?": "true", "can_fav?": "true", "comments": "[]comment", "comments_count": "int", "gap_position": "int", "gap_clikes_count?": "int",
	"can_comment": "bool", "can_edit?": "true", "can_delete?": "true", "can_moderate?": "true", "can_removefrom?": "[]text", "can_leave?": "true",
	"can_add_recipients?": "true", "can_hide?": "true", "can_unhide?": "true", "attachments": "[]any", "embeds": "[]any", "hits?": "[]text", "tag": "text",
	"updated_at?": "time",
}

var commentShape = map[string]string{
	"id": "int", "post_id": "int", "user_id": "int", "text": "text", "text_as_html?": "text", "parsed_text?": "[]part", "platform?": "text",
	"created_at": "time", "updated_at?": "time", "url": "text", "api_url": "path", "clikes_count?": "int", "user_liked?": "true", "can_like?": "true",
	"is_hidden?": "true", "can_edit?": "true", "can_delete?": "true", "can_moderate?": "true", "attachments?": "[]any",
}

// with2 returns a shape with more fields; a field that is in both is of the second.
func with2(shape, more map[string]string) map[string]string {
	all := maps.Clone(shape)
	for name, is := range more {
		delete(all, name+"?")
		all[name] = is
	}
	return all
}

// texts are the types whose values are texts.
var texts = map[string]*regexp.Regexp{
	"text": regexp.MustCompile(``), "time": stamp, "date": regexp.MustCompile(`^\d{4}-\d\d-\d\d$`), "name": regexp.MustCompile(`^[a-z0-9_][a-z0-9_-]{2,48}$`),
	"path": regexp.MustCompile(`^/[^/]`), "json path": regexp.MustCompile(`^/[^?]+\.json($|\?)`), "uuid": regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`),
	"status": regexp.MustCompile(`^(public|disallow-robots|protected|private|fyeo|deleted)$`),
}

// misshapen returns what is wrong with a value of a type; empty if nothing is.
func misshapen(where, is string, v any) (wrong []string) {
	no := []string{fmt.Sprintf("%s is no %s: %v", where, is, v)}
	if is == "any" {
		if v == nil {
			return no
		}
		return nil
	}
	if of, isList := strings.CutPrefix(is, "[]"); isList {
		list, ok := v.([]any)
		if !ok {
			return no
		}
		for i, one := range list {
			wrong = append(wrong, misshapen(fmt.Sprintf("%s[%d]", where, i), of, one)...)
		}
		return wrong
	}
	if of, isMap := strings.CutPrefix(is, "{}"); isMap {
		all, ok := v.(object)
		if !ok {
			return no
		}
		for id, one := range all {
			if numberText(at(one, "id")) != id {
				wrong = append(wrong, fmt.Sprintf("%s has %v under %s", where, one, id))
			}
			wrong = append(wrong, misshapen(where+"["+id+"]", of, one)...)
		}
		return wrong
	}
	switch is {
	case "int":
		if n, ok := v.(float64); !ok || n < 0 || n != float64(int64(n)) {
			return no
		}
		return nil
	case "bool", "true":
		if b, ok := v.(bool); !ok || is == "true" && !b {
			return no
		}
		return nil
	case "reason":
		all, ok := v.(object)
		if !ok {
			return no
		}
		for key, ids := range all {
			if !slices.Contains([]string{"user", "group", "user_private", "user_fyeo", "user_directs_received", "user_directs_sent", "user_likes", "user_comments"}, key) {
				wrong = append(wrong, where+" has "+key)
			}
			wrong = append(wrong, misshapen(where+"."+key, "[]int", ids)...)
		}
		return wrong
	}
	if pattern := texts[is]; pattern != nil {
		if text, ok := v.(string); !ok || !pattern.MatchString(text) {
			return no
		}
		return nil
	}
	fields, has := v.(object)
	if !has || shapes[is] == nil {
		return no
	}
	left := maps.Clone(fields)
	for name, of := range shapes[is] {
		name, optional := strings.CutSuffix(name, "?")
		one, there := fields[name]
		delete(left, name)
		switch {
		case there:
			wrong = append(wrong, misshapen(where+"."+name, of, one)...)
		case !optional:
			wrong = append(wrong, where+" has no "+name)
		}
	}
	for name := range left {
		wrong = append(wrong, where+" has "+name+", which no program knows")
	}
	return wrong
}

// shaped fails the row unless a value is of a type, and returns the answer.
func (c *contract) shaped(a answer, is string, path ...any) answer {
	c.Helper()
	for _, wrong := range misshapen(strings.Trim(is, "[]{}"), is, a.ok().at(path...)) {
		c.Error(wrong)
	}
	return a
}

// page reads a page. It fails the row unless the page has its shape, and the cards of all people
// and groups that it names.
func (c *contract) page(who *client, path string) answer {
	c.Helper()
	a := c.shaped(who.get(path), "page")
	users, groups := a.at("users").(object), a.at("groups").(object)
	known := func(what string, id any) {
		in := users
		if what == "group" {
			in = groups
		}
		if in[numberText(id)] == nil {
			c.Errorf("%s: %s %v has no card", path, what, id)
		}
	}
	for _, e := range a.at("entries").([]any) {
		known("author", at(e, "user_id"))
		for _, id := range at(e, "likes").([]any) {
			known("liker", id)
		}
		for _, comment := range at(e, "comments").([]any) {
			known("commenter", at(comment, "user_id"))
		}
		for key, ids := range at(e, "reason").(object) {
			for _, id := range ids.([]any) {
				known(key, id)
			}
		}
	}
	if name := a.at("river", "current_user_name"); name != nil && !slices.ContainsFunc(slices.Collect(maps.Values(users)), func(card any) bool {
		return at(card, "name") == name && at(card, "is_you") == true
	}) {
		c.Errorf("%s does not have the person who asks: %v", path, users)
	}
	return a
}

// shapeRows are the shapes, with the values that the site of the rows has in them.
var shapeRows = map[string]func(*contract){
	"shape_page": func(c *contract) {
		erika := c.b.as("erika")
		for range 27 {
			erika.post("one of many", "user")
		}
		first := c.page(erika, "/erika.json")
		last := first.at("entries", 24).(object)
		if n := len(posts(first)); n != 25 {
			c.Errorf("a page of %d entries", n)
		}
		from, _, _ := strings.Cut(last["fresh_at"].(string), ".")
		c.same(first, "/erika.json?page=2", "older_entries_url")
		precise, err := url.Parse(first.at("precise_older_entries_url").(string)) // our field beside Mokum's is exact to the millisecond
		if asked := precise.Query(); err != nil || precise.Path != "/erika.json" || asked.Get("page") != "2" || asked.Get("start_from") != from+"Z" {
			c.Errorf("the precise link is %v, %v", precise, err)
		}
		c.same(first, nil, "newer_entries_url")
		second := c.page(erika, "/erika.json?page=2")
		c.same(second, nil, "older_entries_url")
		c.same(second, nil, "precise_older_entries_url")
		if got := posts(second); len(got) != 2 || slices.Contains(posts(first), got[0]) {
			c.Errorf("the second page has %v", got)
		}
		if newer, _ := second.at("newer_entries_url").(string); !strings.HasPrefix(newer, "/erika.json") {
			c.Errorf("newer entries at %q", newer)
		}
	},
	"shape_river": func(c *contract) {
		alice, bobby := c.page(c.b.as("alice"), "/alice.json"), c.page(c.b.as("bobby"), "/alice.json")
		if alice.at("river", "uuid") == bobby.at("river", "uuid") {
			c.Error("two people have one uuid")
		}
		for key, want := range (object{"descriptor": "user:alice", "what": "user", "current_user_name": "alice", "is_single_post": false,
			"signature": alice.at("river", "uuid").(string) + "/user:alice"}) {
			c.same(alice, want, "river", key)
		}
		if a, b := c.page(c.b.visitor(), "/alice.json"), c.page(c.b.visitor(), "/alice.json"); a.at("river", "uuid") != b.at("river", "uuid") || a.at("river", "current_user_name") != nil {
			c.Error("visitors do not share a river")
		}
		c.same(c.page(c.b.visitor(), "/alice/"+c.popular+".json"), true, "river", "is_single_post")
	},
	"shape_entry": func(c *contract) {
		e := c.entry(c.page(c.b.as("bobby"), "/alice.json"), c.popular)
		for _, own := range []string{"tag", "lang", "version", "published_at", "fresh_at", "comments"} {
			delete(e, own)
		}
		want := object{
			"id": e["id"], "url": "/alice/" + c.popular, "api_url": "/api/v1/posts/alice/" + c.popular, "user_id": 2.0, "_comments_version": e["_comments_version"],
			"text": popularText, "linebreaks": true,
			"text_as_html": `Soup &amp; &lt;b&gt;: <a href="https://example.org/a" target="_blank" rel="nofollow noopener">https://example.org/a</a>` +
				"\n" + `<a href="/bobby">@bobby</a> <a href="/s?q=%23soup">#soup</a>`,
			"parsed_text": []any{
				object{"text": "Soup & <b>: "}, object{"text": "https://example.org/a", "href": "https://example.org/a", "external": true}, object{"text": "\n"},
				object{"text": "@bobby", "href": "/bobby"}, object{"text": " "}, object{"text": "#soup", "href": "/s?q=%23soup"},
			},
			"is_public": true, "status": "public", "reason": object{}, "timelines": []any{"user"},
			"likes": []any{6.0, 7.0, 8.0}, "more_likes": 3.0, "fav_count": 0.0, "user_liked": true, "can_like": true, "can_fav": true, "can_comment": true, "can_hide": true,
			"comments_count": 6.0, "gap_position": 1.0, "gap_clikes_count": 1.0, "attachments": []any{}, "embeds": []any{},
		}
		if diff := cmp.Diff(want, e); diff != "" {
			c.Error(diff)
		}
		own := c.page(c.b.as("alice"), "/alice.json")
		for post, want := range map[string]object{
			c.popular: {"can_edit": true, "can_delete": true, "can_moderate": true, "can_fav": true, "can_like": nil, "can_hide": nil, "user_liked": nil, "is_direct": nil},
			c.both:    {"url": "/cooks/" + c.both, "api_url": "/api/v1/posts/alice/" + c.both, "status": "public"},
			c.secret:  {"is_public": false, "status": "private", "text_as_html": nil, "parsed_text": nil},
			c.eyes:    {"is_public": false, "status": "fyeo"},
			c.nsfw:    {"nsfw": true, "comments_disabled": true, "can_comment": true},
		} {
			for key, value := range want {
				if got := c.entry(own, post)[key]; got != value {
					c.Errorf("%s of %v is %v, want %v", key, c.entry(own, post)["text"], got, value)
				}
			}
		}
		if e := c.entry(own, c.both); !cmp.Equal(e["can_removefrom"], any([]any{"cooks"})) {
			c.Errorf("can be removed from %v", e["can_removefrom"])
		}
	},
	"shape_reason": func(c *contract) {
		alice, bobby := c.b.as("alice"), c.b.as("bobby")
		one := []any{2.0}
		own := c.page(alice, "/alice.json")
		for post, want := range map[string]object{
			c.popular: {}, c.both: {"user": one, "group": []any{1.0}}, c.secret: {"user_private": one}, c.eyes: {"user_fyeo": one},
		} {
			if got := c.entry(own, post)["reason"]; !cmp.Equal(got, any(want)) {
				c.Errorf("on one's own page: %v, want %v", got, want)
			}
		}
		plain := alice.post("plain", "user")
		far := c.b.as("carol").post("from afar", "user")
		bobby.send("POST", "/api/v1/posts/"+far+"/likes", nil).result("liked")
		bobby.comment(far, "hello")
		for what, check := range map[string]struct {
			page answer
			post string
			want object
		}{
			"a friend's likes and comments": {c.page(alice, "/index.json"), far, object{"user_likes": []any{3.0}, "user_comments": []any{3.0}}},
			"a direct, sent":                {c.page(alice, "/filter/directs.json"), c.direct, object{"user_directs_sent": []any{3.0}}},
			"a direct, received":            {c.page(bobby, "/filter/directs.json"), c.direct, object{"user_directs_received": []any{2.0, 3.0}}},
			"a friend's post at home":       {c.page(bobby, "/index.json"), plain, object{}},
		} {
			if got := c.entry(check.page, check.post)["reason"]; !cmp.Equal(got, any(check.want)) {
				c.Errorf("%s: %v, want %v", what, got, check.want)
			}
		}
	},
	"shape_comment": func(c *contract) {
		said := at(c.entry(c.page(c.b.as("bobby"), "/alice/"+c.popular+".json"), c.popular), "comments", 0).(object)
		delete(said, "created_at")
		want := object{
			"id": number(c.T, c.comment), "post_id": number(c.T, c.popular), "user_id": 3.0, "text": "by bobby",
			"url": "/alice/" + c.popular + "#c" + c.comment, "api_url": "/api/v1/posts/alice/" + c.popular + "/comments/" + c.comment,
			"can_edit": true, "can_delete": true,
		}
		if diff := cmp.Diff(want, said); diff != "" {
			c.Error(diff)
		}
		theirs := c.page(c.b.as("alice"), "/alice/"+c.popular+".json")
		for key, want := range (object{"can_moderate": true, "can_like": true, "can_edit": nil, "can_delete": nil}) {
			c.same(theirs, want, "entries", 0, "comments", 0, key)
		}
		c.same(theirs, 1.0, "entries", 0, "comments", 2, "clikes_count")
		c.same(c.page(c.b.as("bobby"), "/alice/"+c.popular+".json"), true, "entries", 0, "comments", 2, "user_liked")
	},
	"shape_user": func(c *contract) {
		a := c.page(c.b.as("alice"), "/alice/"+c.popular+".json")
		want := object{
			"id": 3.0, "name": "bobby", "display_name": "Bobby", "status": "public", "description": "", "created_at": a.at("users", "3", "created_at"), "url": "/bobby",
			"avatar_url": "/system/avatars/bobby.png", "avatar_width": 50.0, "avatar_height": 50.0, "counts": object{},
			"you_are_subscribed": true, "subscribed_to_you": true,
		}
		if diff := cmp.Diff(want, a.at("users", "3")); diff != "" {
			c.Error(diff)
		}
		c.same(a, true, "users", "2", "is_you")
		for _, key := range []string{"you_are_subscribed", "subscribed_to_you", "is_you", "is_hidden"} {
			c.same(a, nil, "users", "4", key)
		}
		if png := c.b.visitor().get("/system/avatars/bobby.png").ok(); png.header.Get("Content-Type") != "image/png" || !strings.HasPrefix(png.body, "\x89PNG") {
			c.Errorf("an avatar of %s", png.header.Get("Content-Type"))
		}
	},
	"shape_group": func(c *contract) {
		a := c.page(c.b.as("alice"), "/alice.json")
		for key, want := range (object{"name": "cooks", "display_name": "Cooks", "description": "We cook.", "nsfw": false, "url": "/cooks", "you_are_subscribed": true, "you_are_admin": true}) {
			c.same(a, want, "groups", "1", key)
		}
		c.same(c.page(c.b.as("bobby"), "/alice.json"), nil, "groups", "1", "you_are_subscribed")
	},
	"shape_links": func(c *contract) {
		long := "https://example.org/" + strings.Repeat("x", 60)
		post := c.b.as("gerda").post(c.b.http.URL+"/alice "+long, "user")
		e := c.entry(c.page(c.b.visitor(), "/gerda.json"), post)
		want := []any{
			object{"text": c.b.http.URL + "/alice", "href": c.b.http.URL + "/alice"}, object{"text": " "},
			object{"text": long[:61] + "...", "href": long, "external": true},
		}
		if diff := cmp.Diff(want, e["parsed_text"]); diff != "" {
			c.Error(diff)
		}
		if html := e["text_as_html"].(string); !strings.HasPrefix(html, `<a href="`+c.b.http.URL+`/alice">`) || strings.Count(html, "_blank") != 1 {
			c.Error(html)
		}
		shown := c.b.visitor()
		shown.accept = "text/html"
		if page := shown.get("/gerda/" + post).ok(); !strings.Contains(page.body, `<a href="`+c.b.http.URL+`/alice">`) {
			c.Error("a page shows a link to the site as one to another site")
		}
	},
	"shape_updates": func(c *contract) {
		alice := c.b.as("alice")
		river := c.page(alice, "/alice.json").at("river").(object)
		uuid, signature := river["uuid"].(string), river["signature"].(string)
		body := object{"post": object{"text": "an update", "timelines": []string{"user"}}}
		if made := alice.send("POST", "/api/v1/posts.json", body).ok(); !cmp.Equal(made.at("entries"), any(object{})) {
			c.Errorf("entries without the header: %s", made.body)
		}
		for _, named := range [][]string{{uuid, uuid}, {signature, uuid, signature}} {
			alice.header.Set("X-River-Signature", named[0])
			made := c.shaped(alice.send("POST", "/api/v1/posts.json", body), "made", "post")
			entries := made.at("entries").(object)
			if len(entries) != len(named)-1 {
				c.Errorf("entries under %v, want %v", slices.Collect(maps.Keys(entries)), named[1:])
			}
			for _, name := range named[1:] {
				c.shaped(made, "effect entry", "entries", name)
				c.same(made, made.at("post", "id"), "entries", name, "post", "id")
			}
			for key, want := range (object{"text": "an update", "my_change": true, "nsfw": false, "comments_disabled": false, "version": 1.0, "comments_version": 0.0}) {
				c.same(made, want, "post", key)
			}
			said := alice.send("POST", "/api/v1/posts/"+made.id("post", "id")+"/comments", object{"comment": object{"text": "hm"}}).ok()
			c.same(said, said.at("id"), "entries", uuid, "post", "comments", 0, "id")
		}
	},
	"shape_errors": func(c *contract) {
		alice, visitor := c.b.as("alice"), c.b.visitor()
		bad := c.b.visitor()
		bad.token = "00000000-0000-0000-0000-000000000000"
		c.refused(visitor.send("POST", "/api/v1/posts", object{}), 401, "unauthorized")
		c.refused(bad.get("/api/v1/whoami.json"), 401, "bad_token")
		c.refused(alice.get("/hermit.json"), 403, "forbidden")
		c.refused(alice.get("/nobody-here.json"), 404, "not_found")
		c.refused(visitor.get("/alice/"+c.secret+".json"), 404, "not_found")
		c.refused(alice.send("PUT", "/api/v1/whoami", nil), 405, "method_not_allowed")
		c.refused(alice.send("POST", "/api/v1/posts", "{"), 400, "bad_request")
		c.refused(alice.do("POST", "/api/v1/posts", "application/xml", strings.NewReader("<post/>")), 415, "unsupported_media_type")
		c.refused(alice.send("POST", "/api/v1/posts", object{"post": object{"text": strings.Repeat("x", 300<<10)}}), 413, "too_large")
		wrong := alice.send("POST", "/api/v1/posts", object{"post": object{"text": "", "timelines": []string{"user"}}})
		c.refused(wrong, 422, "invalid")
		if _, said := wrong.at("fields", "text").(string); !said {
			c.Error(wrong.body)
		}
	},
}
