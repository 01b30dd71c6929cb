package web_test

import (
	"strings"
	"testing"
)

func TestNoticeSettings(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby, browser := b.as("alice"), b.as("bobby"), b.browser("alice")
	const api = "/api/v1/notifications/settings.json"
	page := browser.get("/settings/notices").html()
	if strings.Count(page, `type="checkbox"`) != 11 || strings.Count(page, `value="1" checked`) != 11 {
		t.Error("not all eleven kinds are there and wanted")
	}
	// The form unchecks the box of likes. The box of comments was checked when the form was
	// shown, and has been unchecked elsewhere: the form does not check it again.
	alice.send("PATCH", api, object{"notifications": object{"comment": false}}).ok()
	browser.form("POST", api, "_method", "PATCH", "return_to", "/settings/notices",
		"notifications[was][like]", "1", "notifications[like]", "0",
		"notifications[was][comment]", "1", "notifications[comment]", "0", "notifications[comment]", "1",
	).leadsTo("/settings/notices")
	set := alice.get(api).ok()
	for kind, want := range map[string]bool{"like": false, "comment": false, "mention": true, "subscriber": true} {
		if set.at("notifications", kind) != want {
			t.Errorf("%s: %v, want %v", kind, set.at("notifications", kind), want)
		}
	}
	post := alice.post("mine", "user")
	bobby.send("POST", "/api/v1/posts/"+post+"/likes.json", nil).ok()
	if a := alice.get("/api/v1/notifications.json").ok(); len(a.at("notifications").([]any)) != 0 {
		t.Errorf("a kind that is not wanted is told: %s", a.body)
	}
	for _, body := range []any{object{"notifications": object{"gossip": true}}, object{"notifications": object{"like": "perhaps"}}, object{"notifications": 1}} {
		if a := alice.send("PATCH", api, body); a.status != 422 {
			t.Errorf("%v: %d", body, a.status)
		}
	}
}
