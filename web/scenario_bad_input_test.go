package web_test

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// tally counts the rows of every table that a request could change.
func (b *bundle) tally() map[string]int {
	b.t.Helper()
	tables := []string{
		"users", "names", "groups", "posts", "comments", "likes", "comment_likes", "timeline_entries", "subscriptions",
		"subscription_requests", "invitations", "bans", "sessions", "api_tokens", "submissions", "change_log", "changes",
		"favs", "hidden_posts", "hidden_users", "group_admins", "timeline_excluded", "jobs",
	}
	var counts []string
	for _, table := range tables {
		counts = append(counts, "(select count(*) from "+pgx.Identifier{table}.Sanitize()+")")
	}
	// One statement sees one state of all tables, although the sequencer may move rows from
	// changes to change_log at any time.
	rows := make([]int, len(tables))
	err := b.pool.QueryRow(context.WithoutCancel(b.t.Context()), "select array["+strings.Join(counts, ", ")+"]").Scan(&rows)
	if err != nil {
		b.t.Fatal(err)
	}
	tally := make(map[string]int)
	for i, table := range tables {
		if table == "change_log" {
			table = "changes"
		}
		tally[table] += rows[i]
	}
	return tally
}

func TestBadInputChangesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t, "warden", "alice", "bobby", "carol") // the first administers the site, and so may delete
	alice, bobby := b.as("alice"), b.as("bobby")
	carol := b.as("carol")
	carol.send("PATCH", "/api/v1/users/4", object{"user": object{"status": "private"}}).ok()
	hidden := carol.post("not for alice", "user")
	hiddenComment := carol.comment(hidden, "nor this")
	post := alice.post("fine", "user")
	comment := alice.comment(post, "fine too")
	other := bobby.post("of bobby", "user")
	otherComment := bobby.comment(post, "of bobby")
	b.session("bobby").send("POST", "/api/v1/tokens", object{"token": object{"name": "of bobby"}}).ok()
	session := b.session("alice")
	bobbysToken := bobby.get("/api/v1/tokens").id("tokens", 0, "id")
	bobby.send("POST", "/api/v1/groups", object{"group": object{"name": "chefs", "display_name": "Chefs"}}).ok()
	alice.send("POST", "/api/v1/groups/chefs/subscribers", nil).ok()
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks"}}).ok()
	inGroup := bobby.post("of bobby for chefs", "group:chefs")
	direct := alice.post("psst", "direct:bobby")
	body := func(text any, more ...any) object {
		o := object{"text": text, "timelines": []string{"user"}}
		for i := 0; i < len(more); i += 2 {
			o[more[i].(string)] = more[i+1]
		}
		return object{"post": o}
	}
	said := func(text any) object { return object{"comment": object{"text": text}} }
	comments := "/api/v1/posts/" + post + "/comments"
	for _, tt := range []struct {
		name, method, path string
		body               any
		status             int
		field              string
	}{
		{"a post without a word", "POST", "/api/v1/posts", body(""), 422, "text"},
		{"a post of blanks", "POST", "/api/v1/posts", body(" \n\t "), 422, "text"},
		{"a post that is too long", "POST", "/api/v1/posts", body(strings.Repeat("ж", 3001)), 422, "text"},
		{"a text that is a number", "POST", "/api/v1/posts", body(7), 422, "text"},
		{"a text that is a list", "POST", "/api/v1/posts", body([]string{"a"}), 422, "text"},
		{"a text with a zero in it", "POST", "/api/v1/posts", body("a\x00b"), 422, "text"},
		{"a post that is a text", "POST", "/api/v1/posts", object{"post": "text"}, 422, "post"},
		{"no post at all", "POST", "/api/v1/posts", object{}, 422, ""},
		{"an empty body", "POST", "/api/v1/posts", "", 422, ""},
		{"no JSON", "POST", "/api/v1/posts", "{", 400, ""},
		{"JSON that is a list", "POST", "/api/v1/posts", "[1]", 400, ""},
		{"JSON twice", "POST", "/api/v1/posts", "{}{}", 400, ""},
		{"JSON that is no UTF-8", "POST", "/api/v1/posts", "{\"post\":{\"text\":\"\xff\xfe\",\"timelines\":[\"user\"]}}", 422, "body"},
		{"a boolean that is none", "POST", "/api/v1/posts", body("x", "nsfw", "perhaps"), 422, "nsfw"},
		{"a platform that is a number", "POST", "/api/v1/posts", body("x", "platform", 1), 422, "platform"},
		{"nowhere", "POST", "/api/v1/posts", body("x", "timelines", []string{}), 422, "timelines"},
		{"a place that is a number", "POST", "/api/v1/posts", body("x", "timelines", []int{1}), 422, "timelines"},
		{"a place that is none", "POST", "/api/v1/posts", body("x", "timelines", []string{"everything"}), 422, "timelines"},
		{"a group that is not there", "POST", "/api/v1/posts", body("x", "timelines", []string{"group:nobodys"}), 422, "timelines"},
		{"a direct to an unknown name", "POST", "/api/v1/posts", body("x", "timelines", []string{"direct:no-such-name"}), 422, "timelines"},
		{"a direct that is public as well", "POST", "/api/v1/posts", body("x", "timelines", []string{"user", "direct:bobby"}), 422, "timelines"},
		{"a _uuid that is none", "POST", "/api/v1/posts", with(body("x"), "_uuid", "1"), 422, "_uuid"},
		{"a _uuid that is a number", "POST", "/api/v1/posts", with(body("x"), "_uuid", 1), 422, "_uuid"},

		{"an edit of another person's post", "PATCH", "/api/v1/posts/" + other, body("mine"), 403, ""},
		{"an edit to nothing", "PATCH", "/api/v1/posts/" + post, body(""), 422, "text"},
		{"an edit that says nothing", "PATCH", "/api/v1/posts/" + post, object{"post": object{}}, 422, "post"},
		{"an edit of what may not be seen", "PATCH", "/api/v1/posts/" + hidden, body("mine"), 404, ""},
		{"another person's post deleted", "DELETE", "/api/v1/posts/" + other, nil, 403, ""},
		{"a hidden post deleted", "DELETE", "/api/v1/posts/" + hidden, nil, 404, ""},
		{"a post that never was", "DELETE", "/api/v1/posts/4711", nil, 404, ""},
		{"a post whose id is too large", "DELETE", "/api/v1/posts/99999999999999999999", nil, 404, ""},
		{"a post whose id is none", "DELETE", "/api/v1/posts/0", nil, 404, ""},

		{"a comment without a word", "POST", comments, said(""), 422, "text"},
		{"a comment that is too long", "POST", comments, said(strings.Repeat("x", 3001)), 422, "text"},
		{"a comment that is a number", "POST", comments, said(1), 422, "text"},
		{"a comment on what may not be seen", "POST", "/api/v1/posts/" + hidden + "/comments", said("hello?"), 404, ""},
		{"a comment on what never was", "POST", "/api/v1/posts/4711/comments", said("hello?"), 404, ""},
		{"another person's comment edited", "PATCH", comments + "/" + otherComment, said("mine"), 403, ""},
		{"a comment of another post", "PATCH", "/api/v1/posts/" + other + "/comments/" + comment, said("moved"), 404, ""},
		{"a hidden comment edited", "PATCH", "/api/v1/posts/" + hidden + "/comments/" + hiddenComment, said("mine"), 404, ""},
		{"a hidden comment deleted by way of another post", "DELETE", comments + "/" + hiddenComment, nil, 404, ""},
		{"a comment that never was", "DELETE", comments + "/4711", nil, 404, ""},

		{"a like of one's own", "POST", "/api/v1/posts/" + post + "/likes", nil, 422, "post"},
		{"a like of what may not be seen", "POST", "/api/v1/posts/" + hidden + "/likes", nil, 404, ""},
		{"a like of one's own comment", "POST", "/api/v1/posts/" + post + "/clike/" + comment, nil, 422, "comment"},
		{"a like of a hidden comment", "POST", "/api/v1/posts/" + hidden + "/clike/" + hiddenComment, nil, 404, ""},

		{"a subscription to an unknown name", "POST", "/api/v1/users/no-such-name/subscribers", nil, 404, ""},
		{"oneself followed", "POST", "/api/v1/users/alice/subscribers", nil, 422, "name"},
		{"oneself banned", "POST", "/api/v1/users/alice/ban", nil, 422, "name"},
		{"a ban of an unknown name", "POST", "/api/v1/users/no-such-name/ban", nil, 404, ""},
		{"a request that never was", "PUT", "/api/v1/subscription_requests/0f8fad5b-d9cb-469f-a165-70867728950e", nil, 404, ""},
		{"a request that is none", "DELETE", "/api/v1/subscription_requests/1", nil, 404, ""},

		{"another person's profile", "PATCH", "/api/v1/users/3", object{"user": object{"description": "a fool"}}, 403, ""},
		{"a profile by name", "PATCH", "/api/v1/users/alice", object{"user": object{"description": "x"}}, 403, ""},
		{"a status that is none", "PATCH", "/api/v1/users/2", object{"user": object{"status": "invisible"}}, 422, "status"},
		{"a display name that is too long", "PATCH", "/api/v1/users/2", object{"user": object{"display_name": strings.Repeat("x", 51)}}, 422, "display_name"},
		{"a description that is an object", "PATCH", "/api/v1/users/2", object{"user": object{"description": object{}}}, 422, "description"},
		{"a profile of nothing", "PATCH", "/api/v1/users/2", object{}, 422, "user"},

		{"a group with a reserved name", "POST", "/api/v1/groups", object{"group": object{"name": "settings", "display_name": "x"}}, 422, "name"},
		{"a group with a person's name", "POST", "/api/v1/groups", object{"group": object{"name": "bobby", "display_name": "x"}}, 409, "name"},
		{"a group with no name", "POST", "/api/v1/groups", object{"group": object{"display_name": "x"}}, 422, "name"},
		{"a group of an unknown status", "POST", "/api/v1/groups", object{"group": object{"name": "fine-one", "status": "secret"}}, 422, "status"},

		{"an own feed followed in private", "POST", "/api/v1/users/alice/private/subscribers", nil, 422, "name"},
		{"a group's private sub-feed", "POST", "/api/v1/users/chefs/private/subscribers", nil, 404, ""},
		{"a subscription forward only perhaps", "POST", "/api/v1/users/bobby/subscribers", object{"forward_only": "perhaps"}, 422, "forward_only"},
		{"a policy that is none", "PATCH", "/api/v1/groups/chefs/subscribers", object{"forward_only": 7}, 422, "forward_only"},
		{"a policy of nothing", "PATCH", "/api/v1/groups/chefs/subscribers", object{}, 422, "forward_only"},
		{"a policy of no subscription", "PATCH", "/api/v1/users/bobby/subscribers", object{"forward_only": true}, 404, ""},
		{"another person's subscriber removed", "DELETE", "/api/v1/groups/chefs/subscribers/bobby", nil, 403, ""},
		{"an unknown subscriber removed", "DELETE", "/api/v1/users/alice/subscribers/no-such-name", nil, 404, ""},
		{"a group removed", "DELETE", "/api/v1/users/alice/subscribers/chefs", nil, 422, "name"},
		{"an invitation without a name", "POST", "/api/v1/users/alice/invitations", object{}, 422, "to"},
		{"an invitation of a number", "POST", "/api/v1/users/alice/invitations", object{"to": 7}, 422, "to"},
		{"an invitation of an unknown name", "POST", "/api/v1/users/alice/private/invitations", object{"to": "no-such-name"}, 422, ""},
		{"an invitation of oneself", "POST", "/api/v1/users/alice/invitations", object{"to": "alice"}, 422, "name"},
		{"an invitation to another person's feed", "POST", "/api/v1/users/bobby/invitations", object{"to": "carol"}, 403, ""},
		{"an invitation to another person's group", "POST", "/api/v1/groups/chefs/invitations", object{"to": "carol"}, 403, ""},
		{"an invitation that never was", "PUT", "/api/v1/invitations/0f8fad5b-d9cb-469f-a165-70867728950e", nil, 404, ""},
		{"an invitation that is none", "DELETE", "/api/v1/invitations/1", nil, 404, ""},
		{"oneself excluded", "POST", "/api/v1/users/alice/exclusion", nil, 422, "name"},
		{"an unknown name excluded", "POST", "/api/v1/users/no-such-name/exclusion", nil, 404, ""},
		{"a group excluded", "POST", "/api/v1/users/chefs/exclusion", nil, 404, ""},
		{"a person blocked from another person's group", "POST", "/api/v1/groups/chefs/exclusions/carol", nil, 403, ""},
		{"oneself blocked", "POST", "/api/v1/groups/cooks/exclusions/alice", nil, 422, "name"},

		{"oneself hidden", "POST", "/api/v1/users/alice/hide", nil, 422, "name"},
		{"an unknown name hidden", "POST", "/api/v1/users/no-such-name/hide_comments", nil, 404, ""},
		{"a group hidden", "POST", "/api/v1/users/chefs/hide", nil, 404, ""},
		{"a hidden post hidden", "POST", "/api/v1/posts/" + hidden + "/hide", nil, 404, ""},
		{"a favourite that may not be seen", "POST", "/api/v1/posts/" + hidden + "/favs", nil, 404, ""},

		{"a post moved nowhere", "PATCH", "/api/v1/posts/" + post, object{"post": object{"timelines": []string{}}}, 422, "timelines"},
		{"a post moved to a number", "PATCH", "/api/v1/posts/" + post, object{"post": object{"timelines": []int{1}}}, 422, "timelines"},
		{"a post moved to no place", "PATCH", "/api/v1/posts/" + post, object{"post": object{"timelines": []string{"user_directs"}}}, 422, "timelines"},
		{"a post made a direct", "PATCH", "/api/v1/posts/" + post, object{"post": object{"timelines": []string{"direct:bobby"}}}, 422, "timelines"},
		{"a direct made a post", "PATCH", "/api/v1/posts/" + direct, object{"post": object{"timelines": []string{"user"}}}, 422, "timelines"},
		{"another person's post moved", "PATCH", "/api/v1/posts/" + other, object{"post": object{"timelines": []string{"user"}}}, 403, ""},
		{"another person's post out of a group", "DELETE", "/api/v1/posts/" + inGroup + "/groups/chefs", nil, 403, ""},
		{"a post out of no group", "DELETE", "/api/v1/posts/" + post + "/groups/nobodys", nil, 404, ""},
		{"a hidden post out of a group", "DELETE", "/api/v1/posts/" + hidden + "/groups/chefs", nil, 404, ""},
		{"recipients of no direct", "POST", "/api/v1/posts/" + post + "/recipients", object{"to": "bobby"}, 422, "post"},
		{"recipients that are none", "POST", "/api/v1/posts/" + direct + "/recipients", object{"to": " , "}, 422, "to"},
		{"recipients that are a number", "POST", "/api/v1/posts/" + direct + "/recipients", object{"to": 7}, 422, "to"},
		{"an unknown recipient", "POST", "/api/v1/posts/" + direct + "/recipients", object{"to": "no-such-name"}, 422, "timelines"},
		{"an own direct left", "DELETE", "/api/v1/posts/" + direct + "/recipients", nil, 403, ""},
		{"a post left", "DELETE", "/api/v1/posts/" + other + "/recipients", nil, 422, "post"},

		{"another person's group", "PATCH", "/api/v1/groups/chefs", object{"group": object{"description": "of fools"}}, 403, ""},
		{"a group of nothing new", "PATCH", "/api/v1/groups/cooks", object{}, 422, "group"},
		{"a group that poses as a person", "PATCH", "/api/v1/groups/alice", object{"group": object{"description": "x"}}, 404, ""},
		{"a group for one's own eyes", "PATCH", "/api/v1/groups/cooks", object{"group": object{"status": "fyeo"}}, 422, "status"},
		{"a group with a wrong posting rule", "PATCH", "/api/v1/groups/cooks", object{"group": object{"posting": "no-one"}}, 422, "posting"},
		{"a group that one joins somehow", "PATCH", "/api/v1/groups/cooks", object{"group": object{"joining": "somehow"}}, 422, "joining"},
		{"a group that is perhaps not safe", "PATCH", "/api/v1/groups/cooks", object{"group": object{"nsfw": "perhaps"}}, 422, "nsfw"},
		{"a group with another's name", "PATCH", "/api/v1/groups/cooks", object{"group": object{"name": "chefs"}}, 409, "name"},
		{"an administrator of another person's group", "POST", "/api/v1/groups/chefs/admins/alice", nil, 403, ""},
		{"an administrator who is no member", "POST", "/api/v1/groups/cooks/admins/bobby", nil, 422, "name"},
		{"an unknown administrator", "POST", "/api/v1/groups/cooks/admins/no-such-name", nil, 404, ""},
		{"the last administrator", "DELETE", "/api/v1/groups/cooks/admins/alice", nil, 409, ""},

		{"a name that is taken", "PATCH", "/api/v1/users/2", object{"user": object{"name": "bobby"}}, 409, "name"},
		{"a name that is reserved", "PATCH", "/api/v1/users/2", object{"user": object{"name": "settings"}}, 422, "name"},
		{"a name that is none", "PATCH", "/api/v1/users/2", object{"user": object{"name": "A B"}}, 422, "name"},
		{"directs from an unknown choice", "PATCH", "/api/v1/users/2", object{"user": object{"directs_from": "neighbours"}}, 422, "directs_from"},
		{"an account deleted without a password", "DELETE", "/api/v1/users/2", nil, 422, "password"},
		{"an account deleted with a number", "DELETE", "/api/v1/users/2", object{"password": 7}, 422, "password"},
		{"another person's account deleted", "DELETE", "/api/v1/users/3", object{"password": "password of bobby"}, 403, ""},
		{"another person's account deleted by name", "DELETE", "/api/v1/users/bobby", object{"password": "password of bobby"}, 403, ""},

		{"another person's token", "DELETE", "/api/v1/tokens/" + bobbysToken, nil, 404, ""},
		{"a token without a name", "POST", "/api/v1/tokens", object{"token": object{"name": []int{}}}, 422, "name"},
		{"a method that is none here", "PUT", "/api/v1/posts", body("x"), 405, ""},
		{"an address that is none", "POST", "/api/v1/nothing", body("x"), 404, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := b.tally()
			by := alice
			if tt.method == "DELETE" && strings.HasPrefix(tt.path, "/api/v1/users/") || tt.path == "/api/v1/tokens" {
				by = session
			}
			a := by.send(tt.method, tt.path, tt.body)
			if a.status != tt.status || a.at("error") == "" || a.at("err") != a.at("error") || a.at("code") == nil {
				t.Errorf("%d, want %d: %s", a.status, tt.status, a.body)
			}
			if tt.field != "" && a.at("fields", tt.field) == nil {
				t.Errorf("no word on %s: %s", tt.field, a.body)
			}
			if strings.Contains(a.body, "not for alice") || strings.Contains(a.body, "SQLSTATE") {
				t.Errorf("it tells too much: %s", a.body)
			}
			if diff := cmp.Diff(before, b.tally()); diff != "" {
				t.Errorf("something changed:\n%s", diff)
			}
		})
	}

	// Without a session every write is refused, for each kind of body.
	before := b.tally()
	for _, c := range [][2]string{
		{"POST", "/api/v1/posts"}, {"PATCH", "/api/v1/posts/" + post}, {"DELETE", "/api/v1/posts/" + post}, {"POST", comments},
		{"DELETE", comments + "/" + comment}, {"POST", "/api/v1/posts/" + post + "/likes"}, {"POST", "/api/v1/users/alice/subscribers"},
		{"POST", "/api/v1/users/alice/ban"}, {"POST", "/api/v1/groups"}, {"POST", "/api/v1/tokens"}, {"PATCH", "/api/v1/users/1"},
		{"PUT", "/api/v1/subscription_requests/0f8fad5b-d9cb-469f-a165-70867728950e"}, {"PATCH", "/api/v1/password"},
		{"DELETE", "/api/v1/users/2"}, {"POST", "/api/v1/users/alice/private/subscribers"}, {"PATCH", "/api/v1/users/alice/subscribers"},
		{"DELETE", "/api/v1/users/alice/subscribers/bobby"}, {"POST", "/api/v1/users/alice/invitations"}, {"POST", "/api/v1/users/alice/exclusion"},
		{"POST", "/api/v1/groups/cooks/exclusions/alice"}, {"POST", "/api/v1/users/alice/hide"}, {"DELETE", "/api/v1/users/alice/hide_comments"},
		{"POST", "/api/v1/posts/" + post + "/hide"}, {"POST", "/api/v1/posts/" + post + "/favs"}, {"PATCH", "/api/v1/groups/cooks"},
		{"POST", "/api/v1/groups/cooks/admins/alice"}, {"DELETE", "/api/v1/posts/" + inGroup + "/groups/chefs"},
		{"POST", "/api/v1/posts/" + direct + "/recipients"}, {"DELETE", "/api/v1/posts/" + direct + "/recipients"},
		{"PUT", "/api/v1/invitations/0f8fad5b-d9cb-469f-a165-70867728950e"}, {"GET", "/api/v1/invitations"}, {"GET", "/api/v1/audience"}, {"GET", "/filter/favs.json"},
		{"GET", "/api/v1/whoami"}, {"GET", "/api/v1/tokens"}, {"GET", "/api/v1/subscription_requests"}, {"GET", "/filter/directs.json"}, {"GET", "/user.json"},
	} {
		if a := b.visitor().send(c[0], c[1], object{}); a.status != 401 || a.at("code") != "unauthorized" {
			t.Errorf("%s %s by a visitor: %d %s", c[0], c[1], a.status, a.body)
		}
	}
	if after := b.tally(); !maps.Equal(before, after) {
		t.Errorf("a visitor changed something: %s", cmp.Diff(before, after))
	}
}

func TestBadForms(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice := b.as("alice")
	before := b.tally()
	for name, body := range map[string]string{
		"no UTF-8":               "post[text]=%ff&post[timelines][]=user",
		"a field in two ways":    "post=x&post[text]=y&post[timelines][]=user",
		"a key that is no UTF-8": "%ff=x",
		"a bad escape":           "post[text]=%zz",
	} {
		if a := alice.do("POST", "/api/v1/posts", "application/x-www-form-urlencoded", strings.NewReader(body)); a.status != 422 && a.status != 400 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	if a := alice.do("POST", "/api/v1/posts", "application/xml", strings.NewReader("<post/>")); a.status != 415 {
		t.Errorf("XML: %d", a.status)
	}
	if a := alice.do("POST", "/api/v1/posts", "multipart/form-data", strings.NewReader("x")); a.status != 400 {
		t.Errorf("a form without a boundary: %d", a.status)
	}
	if diff := cmp.Diff(before, b.tally()); diff != "" {
		t.Error(diff)
	}
}

func TestBadAddresses(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	post := b.as("alice").post("here", "user")
	for path, status := range map[string]int{
		"/no-such-name": 404, "/no-such-name.json": 404, "/alice/4711": 404, "/alice/4711.json": 404, "/alice/0.json": 404,
		"/alice/99999999999999999999.json": 404, "/alice/nothing": 404, "/a%00b": 404, "/%ff": 404, "/filter": 404, "/filter/nothing": 404,
		"/users": 404, "/users/nothing": 404, "/api/v1/nothing": 404, "/alice/" + post + "/nothing": 404, "/alice/comments/nothing": 404,
		"/%2f%2f": 200, "/..%2f..%2fetc%2fpasswd": 404, "/alice/subscribers/nothing": 404, "/static/nothing.css": 404, "/live/nothing": 404,
		"/alice.json?page=x": 422, "/alice.json?count=1000": 422, "/alice.json?before=1": 422, "/alice.json?start_from=tomorrow": 422,
		"/alice?page=-1": 422, "/ALICE": 200, "/ALICE.json": 200, "/alice/": 404, "/alice.json?page=": 200, "/alice.json?unknown=1": 200,
		"/system/avatars/alice.svg": 200, "/system/avatars/%3Cscript%3E.svg": 404,
	} {
		if a := b.visitor().get(path); a.status != status {
			t.Errorf("%s: %d, want %d\n%.300s", path, a.status, status, a.body)
		}
	}
	if a := b.visitor().do("POST", "/alice", "", nil); a.status != 405 {
		t.Errorf("POST to a page: %d", a.status)
	}
}
