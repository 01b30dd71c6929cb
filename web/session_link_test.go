package web_test

import (
	"strings"
	"testing"
)

func TestOneTimeLink(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	imported, err := b.store.SignUp(t.Context(), newPasswordless("imported"))
	if err != nil {
		t.Fatal(err)
	}
	secret, err := b.store.NewLink(t.Context(), imported)
	if err != nil {
		t.Fatal(err)
	}
	c := b.visitor()
	c.http.Jar, c.accept = &jar{}, "text/html"
	c.get("/users/link/" + secret).html() // a program that previews links opens the page
	c.get("/users/link/" + secret).html()
	c.form("POST", "/users/link/"+secret).leadsTo("/settings/account")
	if page := c.get("/").html(); !strings.Contains(page, `data-viewer="imported"`) {
		t.Error("the link signed no one in")
	}
	// There is no old password to confirm.
	c.form("POST", "/api/v1/password.json", "_method", "PATCH", "password[old]", "-", "password[new]", "the first one", "return_to", "/settings").leadsTo("/settings")
	for _, path := range []string{"/users/link/" + secret, "/users/link/nonsense"} {
		if a := b.visitor().form("POST", path); a.status != 403 || a.at("code") != "bad_link" {
			t.Errorf("%s again: %d", path, a.status)
		}
	}
}
