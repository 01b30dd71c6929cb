package web_test

import (
	"strings"
	"testing"

	"amstel.dev/amstel/internal/nodetest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// TestDevicesAreSignedOut signs out one device, and then all others, by the forms of the page.
func TestDevicesAreSignedOut(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	const account = "/settings/account"
	alice, phone, tablet, bobby := b.browser("alice"), b.browser("alice"), b.browser("alice"), b.browser("bobby")
	phone.form("POST", "/users/sign_out").leadsTo("/")
	phone.header.Set("User-Agent", "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0")
	phone.form("POST", "/users/sign_in", "user[email]", "alice", "user[password]", "password of alice").leadsTo("/")
	page := alice.get(account).says("this device, now", "Firefox on Android", "Unknown device", "Sign out all other devices")
	if strings.Count(page.body, `<input type="hidden" name="_method" value="DELETE"`) != 3 {
		t.Error("not every other device can be signed out")
	}
	list := b.session("alice").get("/api/v1/sessions.json").ok()
	id := ""
	for i := range list.at("sessions").([]any) {
		if list.at("sessions", i, "system") == "Android" {
			id = list.id("sessions", i, "id")
		}
	}
	if a := bobby.press("DELETE", "/api/v1/sessions/"+id+".json"); a.status != 404 {
		t.Errorf("another person's device: %d", a.status)
	}
	if a := b.as("alice").send("DELETE", "/api/v1/sessions", nil); a.status != 403 || a.at("code") != "not_by_token" {
		t.Errorf("by a token: %d", a.status)
	}
	phone.get(account).ok()
	alice.press("DELETE", "/api/v1/sessions/"+id+".json", "return_to", account).leadsTo(account)
	alice.get(account).says("Signed out")
	if a := phone.get(account); a.status != 303 {
		t.Errorf("a device that was signed out: %d", a.status)
	}
	tablet.get(account).ok()
	alice.press("DELETE", "/api/v1/sessions.json", "return_to", account).leadsTo(account)
	if page := alice.get(account).html(); strings.Contains(page, "Sign out all other devices") {
		t.Error("other devices are still listed")
	}
	if a := tablet.get(account); a.status != 303 {
		t.Errorf("another device: %d", a.status)
	}
	bobby.get(account).ok()
}

// TestEmailIsChanged, on a site without mail, at once.
func TestEmailIsChanged(t *testing.T) {
	t.Parallel()
	b := setupStore(t, pgtest.New(t), timeline.Options{Argon: pgtest.Argon}, nodetest.Config{}, "alice", "bobby")
	alice := b.browser("alice")
	const form = "/settings/account?form=email"
	alice.form("POST", form, "email", "alice@new.example", "password", "password of alice").leadsTo("/settings/account")
	if page := alice.get("/settings/account").ok(); !page.savedBeside("email") || !strings.Contains(page.body, `value="alice@new.example"`) {
		t.Error("the address is not shown, or not said to be saved")
	}
	if a := b.visitor().form("POST", "/users/sign_in", "user[email]", "Alice@new.example", "user[password]", "password of alice"); a.status != 302 {
		t.Errorf("signing in by the new address: %d", a.status)
	}
	for _, tt := range []struct {
		email, password, problem string
		status                   int
	}{
		{"mallory@example.org", "not it", "email-password-problem", 422},
		{"no address", "password of alice", "email-address-problem", 422},
		{"bobby@example.org", "password of alice", "email-address-problem", 409},
	} {
		a := alice.form("POST", form, "email", tt.email, "password", tt.password)
		if a.status != tt.status || !strings.Contains(a.body, tt.problem) || !strings.Contains(a.body, `value="`+tt.email+`"`) {
			t.Errorf("%s: %d, without %s or what was typed", tt.email, a.status, tt.problem)
		}
	}
	if a := b.as("alice").send("PATCH", "/api/v1/email", object{"email": "x@example.org", "password": "password of alice"}); a.status != 403 {
		t.Errorf("by a token: %d", a.status)
	}
	for range 10 {
		alice.form("POST", form, "email", "bobby@example.org", "password", "password of alice")
	}
	if a := alice.form("POST", form, "email", "alice@other.example", "password", "password of alice"); a.status != 429 {
		t.Errorf("after many tries: %d", a.status)
	}
}
