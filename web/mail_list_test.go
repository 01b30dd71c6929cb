package web_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/web"
	"amstel.dev/amstel/web/page"
)

// TestMailsAreShownOnThisMachine: the mails of a site that keeps them are shown to clients of this machine, with links, and to no others.
func TestMailsAreShownOnThisMachine(t *testing.T) {
	t.Parallel()
	if a := setup(t).visitor().get("/about/mails"); a.status != 404 {
		t.Errorf("a site that sends its mails: %d", a.status)
	}
	var fault error
	var public string
	kept := func() ([]page.SentMail, error) {
		return []page.SentMail{{At: time.Now(), To: "anna@example.org", Subject: "Sign in", Text: "Hello.\n" + public + "/users/link/x-y_z\nBye."}}, fault
	}
	b := setupOn(t, pgtest.New(t), web.Config{Mails: kept})
	public = b.http.URL
	c := b.visitor()
	c.accept = "text/html"
	mails := c.get("/about/mails").html()
	if !strings.Contains(mails, `<a href="/users/link/x-y_z">`+public+`/users/link/x-y_z</a>`) || !strings.Contains(mails, "anna@example.org") {
		t.Errorf("the page is %s", mails)
	}
	proxied := setupOn(t, pgtest.New(t), web.Config{Mails: kept, TrustProxy: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}).visitor()
	proxied.header.Set("X-Forwarded-For", "192.0.2.7")
	if a := proxied.get("/about/mails"); a.status != 404 {
		t.Errorf("a client of another machine: %d", a.status)
	}
	fault = errors.New("no folder")
	if a := c.get("/about/mails"); a.status != 500 {
		t.Errorf("a folder that can't be read: %d", a.status)
	}
}
