package web_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stamp is how Mokum writes times.
var stamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)

// plain replaces ids and times, which differ from run to run, by the kind of their object. The
// ids in names get these names.
func plain(v any, names map[float64]string) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			if key == "tag" || key == "epoch" || key == "counter" || key == "position" || key == "uuid" || key == "signature" {
				continue
			}
			out[key] = plain(value, names)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, value := range v {
			out[i] = plain(value, names)
		}
		return out
	case float64:
		if name, is := names[v]; is {
			return name
		}
	case string:
		if stamp.MatchString(v) {
			return "TIME"
		}
		for id, name := range names {
			if v == name {
				continue
			}
			v = strings.ReplaceAll(v, idOf(id), name)
		}
		return regexp.MustCompile(`^\d{4}-\d\d-\d\d$`).ReplaceAllString(v, "DATE")
	}
	return v
}

func idOf(id float64) string { return formatNumber(id) }

func TestShapeOfAPage(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, carol := b.as("alice"), b.as("bobby"), b.as("carol")
	alice.send("POST", "/api/v1/groups.json", object{"group": object{"name": "cooks", "display_name": "Cooks"}}).ok()
	post := alice.post("Soup: https://example.org/a & more", "user", "group:cooks")
	carol.send("POST", "/api/v1/posts/"+post+"/likes", nil).ok()
	comment := bobby.comment(post, "nice")

	a := bobby.get("/alice.json").ok()
	names := map[float64]string{number(t, post): "POST", number(t, comment): "COMMENT"}
	want := object{
		"entries": []any{object{
			"id": "POST", "url": "/cooks/POST", "api_url": "/api/v1/posts/alice/POST", "user_id": 1.0,
			"version": 3.0, "_comments_version": 1.0,
			"text":         "Soup: https://example.org/a & more",
			"text_as_html": `Soup: <a href="https://example.org/a" target="_blank" rel="nofollow noopener">https://example.org/a</a> &amp; more`,
			"parsed_text": []any{
				object{"text": "Soup: "},
				object{"text": "https://example.org/a", "href": "https://example.org/a", "external": true},
				object{"text": " & more"},
			},
			"linebreaks": true, "published_at": "TIME", "fresh_at": "TIME",
			"is_public": true, "status": "public",
			"reason":    object{"user": []any{1.0}, "group": []any{1.0}},
			"timelines": []any{"user", "group:cooks"},
			"likes":     []any{3.0}, "more_likes": 0.0, "fav_count": 0.0, "can_like": true, "can_fav": true, "can_hide": true,
			"comments": []any{object{
				"id": "COMMENT", "post_id": "POST", "user_id": 2.0, "text": "nice", "created_at": "TIME",
				"url": "/cooks/POST#cCOMMENT", "api_url": "/api/v1/posts/alice/POST/comments/COMMENT",
				"can_edit": true, "can_delete": true,
			}},
			"comments_count": 1.0, "gap_position": 0.0, "can_comment": true,
			"attachments": []any{}, "embeds": []any{},
		}},
		"river": object{
			"is_single_post": false, "descriptor": "user:alice", "what": "user",
			"current_user_name": "bobby", "timestamp": "TIME", "live": true,
		},
		"users": object{
			"1": person(1, "alice", "Alice"),
			"2": with(person(2, "bobby", "Bobby"), "is_you", true),
			"3": person(3, "carol", "Carol"),
		},
		"groups": object{"1": object{
			"id": 1.0, "name": "cooks", "display_name": "Cooks", "status": "public", "description": "", "created_at": "DATE",
			"url": "/cooks", "avatar_url": "/system/avatars/cooks.png", "avatar_width": 50.0, "avatar_height": 50.0, "counts": object{}, "nsfw": false,
		}},
	}
	got := plain(a.json(), names).(object)
	slices.SortFunc(at(got, "entries", 0, "timelines").([]any), func(x, y any) int { return -strings.Compare(x.(string), y.(string)) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if signature, uuid := a.at("river", "signature"), a.at("river", "uuid"); signature != uuid.(string)+"/user:alice" {
		t.Errorf("signature %v of %v", signature, uuid)
	}
	if strings.Contains(a.body, "null") {
		t.Errorf("something is null in %s", a.body)
	}
}

// person returns a person as pages have them in JSON.
func person(id float64, name, display string) object {
	return object{
		"id": id, "name": name, "display_name": display, "status": "public", "description": "", "created_at": "DATE",
		"url": "/" + name, "avatar_url": "/system/avatars/" + name + ".png", "avatar_width": 50.0, "avatar_height": 50.0, "counts": object{},
	}
}

func with(o object, key string, value any) object {
	o[key] = value
	return o
}

func TestEmptyPageHasEverything(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	for _, path := range []string{"/alice.json", "/index.json", "/filter/everything.json", "/alice/comments.json", "/alice/likes.json"} {
		a := b.visitor().get(path).ok()
		for _, key := range []string{"entries", "users", "groups", "river"} {
			if a.json()[key] == nil {
				t.Errorf("%s has no %s: %s", path, key, a.body)
			}
		}
		if _, there := a.json()["older_entries_url"]; there {
			t.Errorf("%s has older entries", path)
		}
	}
	// The current user is always in users.
	for _, path := range []string{"/index.json", "/filter/directs.json", "/user.json", "/filter/everything.json"} {
		if a := b.as("alice").get(path).ok(); a.at("users", "1", "is_you") != true || a.at("river", "current_user_name") != "alice" {
			t.Errorf("%s is answered as to a visitor: %s", path, a.body)
		}
	}
}

func TestEveryIDHasACard(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol", "david", "erika", "fiona", "gerda")
	alice := b.as("alice")
	var posts []string
	for range 3 {
		posts = append(posts, alice.post("one more", "user"))
	}
	for _, name := range []string{"bobby", "carol", "david", "erika", "fiona", "gerda"} {
		c := b.as(name)
		c.send("POST", "/api/v1/posts/"+posts[0]+"/likes.json", nil).ok()
		c.comment(posts[1], "me too, says "+name)
	}
	alice.send("POST", "/api/v1/users/bobby/subscribers.json", nil).ok()
	b.as("bobby").post("for alice's eyes", "direct:alice")
	for _, path := range []string{"/index.json", "/alice.json", "/alice/" + posts[1] + ".json", "/filter/directs.json", "/filter/everything.json", "/bobby/comments.json", "/bobby/likes.json"} {
		a := alice.get(path).ok()
		users, groups := a.at("users").(object), a.at("groups").(object)
		if entries := a.at("entries").([]any); len(entries) == 0 {
			t.Errorf("%s is empty", path)
		}
		known := func(id any) {
			if users[numberText(id)] == nil {
				t.Errorf("%s: user %v has no card", path, id)
			}
		}
		for _, entry := range a.at("entries").([]any) {
			known(at(entry, "user_id"))
			for _, id := range at(entry, "likes").([]any) {
				known(id)
			}
			for _, comment := range at(entry, "comments").([]any) {
				known(at(comment, "user_id"))
			}
			for what, ids := range at(entry, "reason").(object) {
				for _, id := range ids.([]any) {
					if what == "group" && groups[numberText(id)] == nil {
						t.Errorf("%s: group %v has no card", path, id)
					} else if what != "group" {
						known(id)
					}
				}
			}
		}
	}
}

func TestFolds(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol", "david", "erika", "fiona", "gerda")
	post := b.as("alice").post("popular", "user")
	for _, name := range []string{"bobby", "carol", "david", "erika", "fiona", "gerda"} {
		c := b.as(name)
		c.send("POST", "/api/v1/posts/"+post+"/likes.json", nil).ok()
		c.comment(post, "by "+name)
	}
	entry := b.visitor().get("/alice.json").at("entries", 0)
	if n := len(at(entry, "comments").([]any)); n != 2 || at(entry, "comments_count") != 6.0 || at(entry, "gap_position") != 1.0 {
		t.Errorf("folded comments: %v", entry)
	}
	if at(entry, "comments", 0, "text") != "by bobby" || at(entry, "comments", 1, "text") != "by gerda" {
		t.Errorf("not the first and the last: %v", at(entry, "comments"))
	}
	if n := len(at(entry, "likes").([]any)); n != 3 || at(entry, "more_likes") != 3.0 {
		t.Errorf("folded likes: %v", entry)
	}
	whole := b.visitor().get("/alice/" + post + ".json")
	if n := len(whole.at("entries", 0, "comments").([]any)); n != 6 || whole.at("river", "is_single_post") != true {
		t.Errorf("the post's page has %d comments", n)
	}
	if c := b.visitor().get("/alice/" + post + "/comments.json"); len(c.at("comments").([]any)) != 6 || c.at("comments_count") != 6.0 ||
		c.at("gap_position") != 0.0 || c.at("users", "7") == nil || c.at("groups") == nil || c.at("river") == nil {
		t.Error(c.body)
	}
	if l := b.visitor().get("/alice/" + post + "/likes.json"); len(l.at("likes").([]any)) != 6 || l.at("more_likes") != 0.0 ||
		l.at("users", "7") == nil || l.at("groups") == nil {
		t.Error(l.body)
	}
}
