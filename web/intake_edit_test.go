package web_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// feeds takes the place of the worker: it finds a feed with one item at each address but one.
type feeds struct{ store *timeline.Store }

func (f *feeds) Add(ctx context.Context, actor timeline.UserID, to, address string) (int64, error) {
	if strings.Contains(address, "absent") {
		return 0, (&timeline.IntakeFault{Code: timeline.IntakeStatus, Detail: "404 Not Found"}).Invalid()
	}
	item := timeline.IntakeItem{Key: timeline.IntakeKey{byte(len(address))}, Title: "Soup for @bobby", Link: "https://blog.example/soup", Text: "With leeks."}
	feed := timeline.IntakeDocument{Title: "Soup & more", Site: "https://blog.example/", Items: []timeline.IntakeItem{item}}
	l, err := f.store.AddIntake(ctx, actor, timeline.NewIntake{To: to, Address: address, Feed: feed}, time.Minute)
	if err != nil {
		return 0, err
	}
	if err := f.store.PostItem(ctx, *l, feed.Title, item); err != nil {
		return 0, err
	}
	return l.ID, f.store.FinishIntake(ctx, *l, &feed, feed.Items, "", time.Hour)
}

func setupFeeds(t *testing.T, people ...string) *bundle {
	f := &feeds{}
	b := setupOn(t, pgtest.New(t), web.Config{Intakes: f}, people...)
	f.store = b.store
	return b
}

// TestIntakesByAPI: a program adds, lists, pauses and removes feeds; their posts name their source,
// mention no one, and are as private as the place they go to.
func TestIntakesByAPI(t *testing.T) {
	t.Parallel()
	b := setupFeeds(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	add := func(address, to string) answer {
		return alice.send("POST", "/api/v1/intakes", object{"intake": object{"address": address, "to": to}})
	}
	made := add("https://blog.example/feed", "user").ok()
	if made.at("intake", "title") != "Soup & more" || made.at("intake", "state") != "on" || made.at("intake", "to") != "user" || made.at("intake", "posts") != 1.0 {
		t.Errorf("%s", made.body)
	}
	page := bobby.get("/alice.json").ok()
	if page.at("entries", 0, "platform") != "Soup & more" || page.at("entries", 0, "text") != "Soup for @\u2060bobby\nhttps://blog.example/soup\n\nWith leeks." {
		t.Errorf("the post is %v", page.at("entries", 0))
	}
	if n := bobby.get("/api/v1/notifications.json").ok(); strings.Contains(n.body, "mention") {
		t.Errorf("an imported name is a mention: %s", n.body)
	}
	add("https://blog.example/private", "user_private").ok()
	if got := alice.get("/alice/private.json").ok(); got.at("entries", 0, "platform") != "Soup & more" {
		t.Errorf("the author sees %s", got.body)
	}
	for _, reader := range []*client{bobby, b.visitor()} {
		if got := reader.get("/alice/private.json"); got.status != 403 && got.status != 401 || strings.Contains(got.body, "Soup") {
			t.Errorf("another reads an imported post of a private feed: %d %s", got.status, got.body)
		}
		if got := reader.get("/alice.json").ok(); len(ids(got.at("entries"))) != 1 {
			t.Errorf("another sees %s", got.body)
		}
	}
	for _, tt := range []struct {
		address, to string
		status      int
		says        string
	}{
		{"https://blog.example/absent", "user", 422, "404 Not Found"}, {"", "user", 422, "is empty"}, {"https://blog.example/feed", "user", 422, "already"},
		{"https://blog.example/x", "group:none", 422, "does not exist"}, {"https://blog.example/x", "direct:bobby", 422, "none of"}, {"https://blog.example/x", "", 422, "none of"},
	} {
		if a := add(tt.address, tt.to); a.status != tt.status || !strings.Contains(a.body, tt.says) {
			t.Errorf("%q to %q: %d %s", tt.address, tt.to, a.status, a.body)
		}
	}
	id := made.id("intake", "id")
	for _, one := range []struct {
		method, path string
		body         object
		result       string
	}{
		{"POST", "/look", nil, "due"}, {"PATCH", "", object{"intake": object{"state": "paused"}}, "paused"}, {"PATCH", "", object{"intake": object{"state": "on"}}, "on"}, {"DELETE", "", nil, "removed"},
	} {
		path := "/api/v1/intakes/" + id + one.path
		if a := bobby.send(one.method, path, one.body); a.status != 404 {
			t.Errorf("another's %s: %d %s", one.method, a.status, a.body)
		}
		if a := alice.send(one.method, path, one.body).ok(); a.at("result") != one.result {
			t.Errorf("%s %s", one.method, a.body)
		}
	}
	if a := alice.send("PATCH", "/api/v1/intakes/"+id, object{"intake": object{"state": "stopped"}}); a.status != 422 {
		t.Errorf("an unknown state: %d", a.status)
	}
	if left := alice.get("/api/v1/intakes").ok(); len(ids(left.at("intakes"))) != 1 || bobby.get("/api/v1/intakes").ok().body == left.body {
		t.Errorf("left are %s", left.body)
	}
}

// TestIntakePages: the pages of the settings and of a group show feeds, the fault of one, and the
// forms for all actions, without script.
func TestIntakePages(t *testing.T) {
	t.Parallel()
	b := setupFeeds(t, "warden", "alice", "bobby")
	alice, bobby := b.browser("alice"), b.browser("bobby")
	b.session("bobby").send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks", "status": "public"}}).ok()
	b.session("alice").send("POST", "/api/v1/groups/cooks/subscribers", nil).ok()
	form := alice.get("/settings/imports?to=group:cooks").ok()
	if !strings.Contains(form.body, `<option value="group:cooks" selected>Cooks</option>`) {
		t.Errorf("the group is not chosen: %s", form.body)
	}
	bad := alice.form("POST", "/settings/imports?form=intake", "intake[address]", "https://blog.example/absent", "intake[to]", "group:cooks")
	for _, part := range []string{"The site refused: 404 Not Found. Check that the feed opens", `value="https://blog.example/absent"`, `<option value="group:cooks" selected>`} {
		if bad.status != 422 || !strings.Contains(bad.body, part) {
			t.Errorf("a refused form, %d, has no %s", bad.status, part)
		}
	}
	if a := alice.form("POST", "/settings/imports?form=intake", "intake[address]", "https://blog.example/?secret", "intake[to]", "group:cooks"); a.status != 303 || a.header.Get("Location") != "/settings/imports" {
		t.Fatalf("%d %s", a.status, a.body)
	}
	id := b.session("alice").get("/api/v1/intakes").ok().id("intakes", 0, "id")
	if _, err := b.pool.Exec(t.Context(), `update intakes set fault = 'intake_status', detail = '<503>', failing_since = now()`); err != nil {
		t.Fatal(err)
	}
	own := alice.get("/settings/imports").ok()
	for _, part := range []string{"Soup &amp; more", "?secret", "The site refused: &lt;503&gt;.", "It has been failing since", `<span class="mark">Cooks</span>`, "Next check in 60 minutes.", "1 post so far.", `action="/api/v1/intakes/` + id + `/look.json"`} {
		if !strings.Contains(own.body, part) {
			t.Errorf("the page has no %s: %s", part, own.body)
		}
	}
	if _, err := b.pool.Exec(t.Context(), `
		insert into notices (user_id, kind, intake_id, timeline_id) select user_id, 'intake', id, timeline_id from intakes`); err != nil {
		t.Fatal(err)
	}
	told := alice.get("/notifications").ok().body
	for _, part := range []string{"A feed that you import has been failing for a day or longer:", `<a href="/settings/imports"><bdi>Soup &amp; more</bdi>`, "The site refused: &lt;503&gt;."} {
		if !strings.Contains(told, part) {
			t.Errorf("the page of notices has no %s: %s", part, told)
		}
	}
	notice := b.as("alice").get("/api/v1/notifications").ok()
	if notice.at("unread") != 1.0 || notice.at("notifications", 0, "kind") != "intake" || notice.id("notifications", 0, "intake_id") != id ||
		notice.at("notifications", 0, "text") != "Soup & more" || notice.at("notifications", 0, "url") != "/settings/imports" || notice.at("notifications", 0, "what") != "group" {
		t.Errorf("the notice is %s", notice.body)
	}
	group := bobby.get("/cooks/edit").ok()
	if !strings.Contains(group.body, "Soup &amp; more") || strings.Contains(group.body, "?secret") || strings.Contains(group.body, "/look.json") {
		t.Error("the page of the group's administrators has no feed, its address, or the actions of its owner")
	}
	api := b.as("bobby").get("/api/v1/groups/cooks/intakes").ok()
	if strings.Contains(api.body, "secret") || api.at("intakes", 0, "to") != "group:cooks" || b.as("alice").get("/api/v1/groups/cooks/intakes").status != 403 {
		t.Errorf("%s", api.body)
	}
	b.as("alice").send("POST", "/api/v1/users/bobby/ban", nil).ok()
	for _, path := range []string{"/cooks/edit", "/api/v1/groups/cooks/intakes"} {
		if across := bobby.get(path).ok(); strings.Contains(across.body, "Soup") || strings.Contains(across.body, "alice") {
			t.Errorf("%s tells of a person across a ban: %s", path, across.body)
		}
	}
	b.as("alice").send("DELETE", "/api/v1/users/bobby/ban", nil).ok()
	if a := bobby.form("POST", "/api/v1/intakes/"+id+".json", "_method", "DELETE", "return_to", "/cooks/edit"); a.status != 303 || a.header.Get("Location") != "/cooks/edit" {
		t.Errorf("an administrator removes it: %d %s", a.status, a.body)
	}
	b.session("warden").send("PATCH", "/api/v1/site", object{"site": object{"intakes": 0}}).ok()
	b.as("warden").post("after which the node knows the setting", "user")
	if off := alice.get("/settings/imports").ok(); strings.Contains(off.body, "intake[address]") || !strings.Contains(off.body, "not imported on this site") {
		t.Error("a site that imports nothing offers it")
	}
	if a := b.as("alice").send("POST", "/api/v1/intakes", object{"intake": object{"address": "https://blog.example/", "to": "user"}}); a.status != 422 {
		t.Errorf("switched off: %d", a.status)
	}
}
