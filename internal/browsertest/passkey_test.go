package browsertest

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// newLocalhostSite is newSite at the address http://localhost, for which browsers make passkeys.
func newLocalhostSite(t *testing.T, people ...string) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	s := newSiteAt(t, "http://localhost:"+port, people...)
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: s.HTTP.Config.Handler, ReadHeaderTimeout: patience}}
	server.Start()
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return s
}

// authenticator gives a tab an authenticator, which keeps passkeys and knows its person.
func (tb *tab) authenticator() {
	tb.Helper()
	tb.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		if _, err := chromedp.Call(ctx, webauthn.Enable, webauthn.EnableParams{}); err != nil {
			return err
		}
		_, err := chromedp.Call(ctx, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Ctap2version: webauthn.Ctap2versionCtap21, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
			DefaultBackupEligibility: true, DefaultBackupState: true,
		}})
		return err
	}))
}

// TestPasskeyInABrowser signs up, adds a passkey, signs out, signs in with the passkey, and removes it, in a browser with an
// authenticator.
func TestPasskeyInABrowser(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := newLocalhostSite(t, "ann")
	tb := b.visitor(s, "a newcomer")
	tb.authenticator()
	tb.open("/users/sign_up")
	for selector, text := range map[string]string{"#user-name": "dora", "#user-display": "Dora", "#user-email": "dora@example.org", "#user-password": "correct horse battery"} {
		tb.enter(selector, text)
	}
	tb.leave("form[action='/users/sign_up'] button.primary")
	tb.sees("the home page", `location.pathname === "/" && document.querySelector(".nav-me")`)

	const form, row = `form[data-passkey]`, `document.querySelector("section[aria-labelledby=passkeys] .row")`
	tb.open("/settings/account")
	tb.sees("no passkey", `!`+row)
	tb.rewrite("#passkey-name", "my laptop")
	tb.enter("#passkey-password", "wrong")
	tb.click(form + " button.primary")
	tb.sees("that the password is wrong", `document.querySelector("form[data-passkey] [role=alert]").innerText === "That isn't your password."`)
	tb.rewrite("#passkey-password", "correct horse battery")
	tb.leave(form + " button.primary")
	tb.sees("the passkey", row+`?.innerText.includes("my laptop")`)
	tb.sees("that it was not used", row+`.innerText.includes("not used yet")`)
	tb.enter("#passkey-password", "correct horse battery")
	tb.click(form + " button.primary") // this authenticator has one already
	tb.sees("that the browser made none", `document.querySelector("form[data-passkey] [role=alert]").innerText.startsWith("Your browser made no passkey.")`)

	signOut := func() {
		t.Helper()
		tb.eval(`document.querySelector("form[action='/users/sign_out']").submit()`)
		tb.sees("the front page", `!document.querySelector(".nav-me")`)
	}
	signOut()
	// The list below the login field is left out: a virtual authenticator answers it at no certain time.
	tb.before(`if (globalThis.PublicKeyCredential) { PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false) }`)
	tb.open("/users/sign_in?return_to=/settings/account")
	tb.click("input[name='user[remember_me]']")
	tb.leave(form + " button")
	tb.sees("the page that was asked for", `location.pathname === "/settings/account"`)
	tb.sees("that the passkey was used", row+`.innerText.includes("last used")`)
	var remembered int
	s.must(s.pool.QueryRow(t.Context(), `select count(*) from sessions where remember and user_id = (select id from users where name = 'dora')`).Scan(&remembered))
	if remembered != 1 { // the one of the sign-up ended
		t.Errorf("%d sessions are remembered, want one", remembered)
	}

	tb.click("section[aria-labelledby=passkeys] .row summary")
	tb.enter("section[aria-labelledby=passkeys] .row input[type=password]", "correct horse battery")
	tb.leave("section[aria-labelledby=passkeys] .row button.danger")
	tb.sees("no passkey", `document.querySelector("#passkey-name") && !`+row)
	signOut()
	tb.open("/users/sign_in")
	tb.leave(form + " button")
	tb.sees("that a removed passkey does not work", `document.querySelector(".problems")?.innerText.startsWith("This passkey didn't work.")`)
}
