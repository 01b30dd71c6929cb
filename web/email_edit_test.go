package web_test

import (
	"strings"
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestAddressIsConfirmed follows a person who changes their address: the page of their account says what to do, the link of the mail
// confirms the address, and the present one can be kept instead.
func TestAddressIsConfirmed(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.browser("alice")
	says := func(want ...string) {
		t.Helper()
		page := alice.get("/settings/account").html()
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("the page of the account does not say %q", text)
			}
		}
	}
	link := func(address string) string {
		t.Helper()
		secret, err := b.store.NewEmailLink(t.Context(), b.ids["alice"], address)
		if err != nil {
			t.Fatal(err)
		}
		return "/users/confirm/" + secret
	}
	says("Open the link in the mail that we sent to alice@example.org", "Send the mail again")
	alice.form("POST", "/api/v1/email/confirmation.json", "return_to", "/settings/account").leadsTo("/settings/account")
	first := link("alice@example.org")
	visitor := b.visitor()
	visitor.http.Jar, visitor.accept = &jar{}, "text/html"
	if page := visitor.get(first).html(); !strings.Contains(page, `action="`+first+`"`) {
		t.Errorf("the page of the link has no form: %s", page)
	}
	says("confirmed yet") // a GET confirms nothing
	visitor.form("POST", first).leadsTo("/users/confirmed")
	visitor.get("/users/confirmed").html()
	says("The address is confirmed.")
	if a := b.visitor().form("POST", first); a.status != 403 || a.at("code") != "bad_link" {
		t.Errorf("the link again: %d", a.status)
	}

	if a := alice.form("POST", "/settings/account?form=email", "email", "new@example.org", "password", "wrong"); a.status != 422 {
		t.Errorf("a new address with a wrong password: %d", a.status)
	}
	alice.form("POST", "/settings/account?form=email", "email", "new@example.org", "password", "password of alice").leadsTo("/settings/account")
	says("We sent a mail to new@example.org", "Keep the present address", `value="alice@example.org"`)
	alice.form("POST", "/api/v1/email/confirmation.json", "_method", "DELETE", "return_to", "/settings/account").leadsTo("/settings/account")
	says("The address is confirmed.")

	// An address of another account: nothing tells so, but the confirmation fails.
	session := b.session("alice")
	if a := session.send("PATCH", "/api/v1/email.json", object{"email": "bobby@example.org", "password": "password of alice"}).ok(); a.at("result") != "changed" {
		t.Errorf("a taken address: %s", a.body)
	}
	says("We sent a mail to bobby@example.org")
	if a := b.visitor().form("POST", link("bobby@example.org")); a.status != 409 {
		t.Errorf("the confirmation of a taken address: %d %s", a.status, a.body)
	}
	if email, err := b.store.Email(t.Context(), b.ids["alice"]); err != nil || email != (timeline.Email{Address: "alice@example.org", Confirmed: true, Wanted: "bobby@example.org"}) {
		t.Errorf("in the end: %+v, %v", email, err)
	}
	for range 10 {
		session.send("POST", "/api/v1/email/confirmation.json", nil)
	}
	if a := session.send("POST", "/api/v1/email/confirmation.json", nil); a.status != 429 {
		t.Errorf("many mails in an hour: %d", a.status)
	}
}
