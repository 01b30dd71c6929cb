package web_test

import (
	"strings"
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestMailOfNoticesIsChosen: a person chooses in the settings when they get mail about notices, and stops the mails by the link of a mail,
// without a session: with the button of its page, or with one click in a mail program.
func TestMailOfNoticesIsChosen(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.browser("alice")
	wish := func(name string, want timeline.MailWish) {
		t.Helper()
		if got, err := b.store.MailWish(t.Context(), b.ids[name]); err != nil || got != want {
			t.Errorf("%s wants mail %+v, %v; want %+v", name, got, err, want)
		}
	}
	if page := alice.get("/settings/notices").html(); !strings.Contains(page, `name="mail[often]" value="daily" checked`) || !strings.Contains(page, "Confirm your address") {
		t.Error("the page of the settings does not show the choice")
	}
	alice.form("POST", "/settings/notices?form=notices", "mail[often]", "weekly", "mail[hour]", "0").leadsTo("/settings/notices")
	wish("alice", timeline.MailWish{Often: timeline.MailWeekly, Hour: 0})
	if a := alice.form("POST", "/settings/notices?form=notices", "mail[often]", "often", "mail[hour]", "7"); a.status != 422 {
		t.Errorf("a wish that does not exist: %d", a.status)
	}
	alice.form("POST", "/settings/notices?form=notices", "notifications[like]", "0").leadsTo("/settings/notices")
	wish("alice", timeline.MailWish{Often: timeline.MailWeekly, Hour: 0})

	program := b.as("bobby")
	if a := program.get("/api/v1/notifications/settings.json").ok(); a.at("mail", "often") != "daily" || a.at("mail", "hour") != 8.0 {
		t.Errorf("the settings are %s", a.body)
	}
	if a := program.send("PATCH", "/api/v1/notifications/settings.json", object{"mail": object{"often": "hourly", "hour": 9}}).ok(); a.at("mail", "often") != "hourly" || a.at("mail", "hour") != 9.0 {
		t.Errorf("the changed settings are %s", a.body)
	}
	wish("bobby", timeline.MailWish{Often: timeline.MailHourly, Hour: 9})

	link := func(name string) string {
		t.Helper()
		token, err := b.store.StopToken(t.Context(), b.ids[name])
		if err != nil {
			t.Fatal(err)
		}
		return "/users/stop/" + token
	}
	visitor := b.visitor()
	visitor.http.Jar, visitor.accept = &jar{}, "text/html"
	if page := visitor.get(link("alice")).html(); !strings.Contains(page, `action="`+link("alice")+`"`) {
		t.Errorf("the page of the link has no form: %s", page)
	}
	wish("alice", timeline.MailWish{Often: timeline.MailWeekly, Hour: 0}) // a GET stops nothing
	visitor.form("POST", link("alice")).leadsTo("/users/stopped")
	visitor.get("/users/stopped").html()
	wish("alice", timeline.MailWish{Often: timeline.MailNever, Hour: 0})
	if a := b.visitor().form("POST", link("bobby"), "List-Unsubscribe", "One-Click"); a.status != 200 {
		t.Errorf("one click in a mail program: %d %s", a.status, a.body)
	}
	wish("bobby", timeline.MailWish{Often: timeline.MailNever, Hour: 9})
	if a := b.visitor().form("POST", "/users/stop/1.nonsense"); a.status != 403 || a.at("code") != "bad_link" {
		t.Errorf("a made-up link: %d", a.status)
	}
}
