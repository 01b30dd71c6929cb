package web_test

import (
	"regexp"
	"strings"
	"testing"
)

// savedBeside reports whether the page says "Saved" beside the button of a form.
func (a answer) savedBeside(form string) bool {
	a.t.Helper()
	return strings.Contains(a.body, `id="`+form+`-saved" role="status"`) && strings.Contains(a.body, `aria-describedby="`+form+`-saved"`)
}

// TestSavedIsSaidAgainIfTheBrowserGaveUpItsRequest: a browser requests a page ahead of the page's service worker, gives the
// request up, and the worker asks again.
func TestSavedIsSaidAgainIfTheBrowserGaveUpItsRequest(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice := b.browser("alice")
	const header = "Service-Worker-Navigation-Preload"
	secret := regexp.MustCompile(`<input class="secret" type="text" value="[a-f0-9-]+"`)
	for _, test := range []struct {
		name  string
		ahead []bool // whether each request is sent ahead
		says  []bool // whether its page says what was saved
	}{
		{"the worker asks again", []bool{true, false, false}, []bool{true, true, false}},
		{"the page is loaded again", []bool{true, true, true}, []bool{true, false, false}},
		{"no worker", []bool{false, false}, []bool{true, false}},
	} {
		alice.header.Del(header)
		alice.form("POST", "/settings/tokens?form=token", "token[name]", "clock", "token[scopes][]", "read").leadsTo("/settings/tokens")
		for i, ahead := range test.ahead {
			alice.header.Del(header)
			if ahead {
				alice.header.Set(header, "true")
			}
			if said := secret.MatchString(alice.get("/settings/tokens").ok().body); said != test.says[i] {
				t.Errorf("%s: request %d shows the secret: %v, want %v", test.name, i, said, test.says[i])
			}
		}
	}
}

// TestSettingsByForm sends the forms of the settings as a browser without script does. Each
// answers on its own page, once.
func TestSettingsByForm(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice, elsewhere := b.browser("alice"), b.browser("alice")
	alice.form("POST", "/settings?form=profile", "user[display_name]", "Alice Again", "user[description]", "hi").leadsTo("/settings")
	page := alice.get("/settings").ok()
	if !strings.Contains(page.body, `value="Alice Again"`) || !page.savedBeside("profile") {
		t.Error("the profile is as it was, or does not say that it was saved")
	}
	if alice.get("/settings").savedBeside("profile") {
		t.Error("a reload says again that it was saved")
	}
	if page := alice.get("/about").html(); !strings.Contains(page, "Alice Again") {
		t.Error("the name in the navigation is as it was")
	}
	alice.form("POST", "/settings/privacy?form=privacy", "user[status]", "protected").leadsTo("/settings/privacy")
	if a := b.visitor().get("/alice.json"); a.status != 403 {
		t.Errorf("a protected page, not signed in: %d", a.status)
	}
	if a := alice.get("/api/v1/users/alice"); a.at("visit_times") != true {
		t.Errorf("the times of visits are kept at first: %v", a.at("visit_times"))
	}
	alice.form("POST", "/settings/privacy?form=privacy", "user[visit_times]", "false").leadsTo("/settings/privacy")
	if shown := alice.get("/settings/privacy").fields("/settings/privacy?form=privacy"); shown.Get("user[visit_times]") != "false" || shown.Get("user[status]") != "protected" {
		t.Errorf("after the times were refused the form has %v", shown)
	}
	if a := alice.get("/api/v1/users/alice"); a.at("visit_times") != false {
		t.Errorf("after they were refused: %v", a.at("visit_times"))
	}
	if a := b.visitor().get("/api/v1/users/alice"); a.at("visit_times") != nil {
		t.Errorf("others are told of it: %v", a.at("visit_times"))
	}
	elsewhere.form("POST", "/settings/appearance?form=appearance", "user[own_posts]", "false").leadsTo("/settings/appearance")
	if alice.get("/settings/appearance").savedBeside("appearance") || !elsewhere.get("/settings/appearance").savedBeside("appearance") {
		t.Error("another browser is told of the form, or this one is not")
	}

	wrong := alice.form("POST", "/settings/account?form=password", "password[old]", "not it at all", "password[new]", "brand new one")
	field := regexp.MustCompile(`<input id="password-old"[^>]*>`).FindString(wrong.body)
	if wrong.status != 422 || !strings.Contains(wrong.body, "your current password.") || !strings.Contains(field, "autofocus") || !strings.Contains(field, `aria-invalid="true"`) {
		t.Errorf("a wrong password: %d %s", wrong.status, wrong.body)
	}
	short := alice.form("POST", "/settings/account?form=password", "password[old]", "password of alice", "password[new]", "short")
	if short.status != 422 {
		t.Errorf("a short password: %d", short.status)
	}
	alice.form("POST", "/settings/account?form=password", "password[old]", "password of alice", "password[new]", "brand new one").leadsTo("/settings/account")
	if !alice.get("/settings/account").ok().savedBeside("password") {
		t.Error("a new password is not said to be saved")
	}
	if a := elsewhere.get("/settings"); a.status != 303 {
		t.Errorf("signed in elsewhere after a new password: %d", a.status)
	}
	program := b.visitor()
	program.accept = "application/json"
	if a := program.send("POST", "/users/sign_in", object{"user": object{"name": "alice", "password": "brand new one"}}); a.status != 200 {
		t.Errorf("the new password: %d %s", a.status, a.body)
	}
}

// TestNewTokenIsShownOnce creates a token by a form, and loads the page twice.
func TestNewTokenIsShownOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.browser("alice")
	alice.form("POST", "/settings/tokens?form=token", "token[name]", "bot").leadsTo("/settings/tokens")
	first := alice.get("/settings/tokens")
	secret := regexp.MustCompile(`<input class="secret" type="text" value="([a-f0-9-]+)"`).FindStringSubmatch(first.html())
	if secret == nil || first.header.Get("Cache-Control") != "no-store" {
		t.Fatal(first.body)
	}
	if again := alice.get("/settings/tokens").html(); strings.Contains(again, secret[1]) || strings.Count(again, "Revoke") != 1 {
		t.Error("a reload shows the token again, or makes another")
	}
	bot := b.visitor()
	bot.header.Set("Authorization", "Bearer "+secret[1])
	bot.get("/api/v1/whoami").ok()
	if a := alice.form("POST", "/settings/tokens?form=token", "token[name]", strings.Repeat("x", 5000)); a.status != 422 || !strings.Contains(a.body, `id="token-name-problem"`) {
		t.Errorf("a token with too long a name: %d", a.status)
	}
	// The secret waits in the browser for the page of its own account only.
	alice.form("POST", "/settings/tokens?form=token", "token[name]", "another").leadsTo("/settings/tokens")
	alice.form("POST", "/users/sign_in", "user[email]", "bobby", "user[password]", "password of bobby").leadsTo("/")
	if page := alice.get("/settings/tokens").html(); strings.Contains(page, `class="secret"`) {
		t.Error("another person is shown the token")
	}
}

// TestFormsOfSettingsStandOnTheirPages sends forms to pages that do not have them.
func TestFormsOfSettingsStandOnTheirPages(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	bobby := b.browser("bobby")
	for address, want := range map[string]int{
		"/settings?form=password": 404, "/settings/account": 404, "/settings/account?form=nonsense": 404, "/settings/nonsense": 404,
		"/settings/site?form=site": 403, "/settings/privacy?form=privacy": 422,
	} {
		if a := bobby.form("POST", address, "site[bump]", "freefeed", "user[status]", "nonsense"); a.status != want {
			t.Errorf("%s answers %d, want %d", address, a.status, want)
		}
	}
	if a := b.as("alice").form("POST", "/settings?form=profile", "user[display_name]", "A bot"); a.status != 403 {
		t.Errorf("a token sends a form: %d", a.status)
	}
	if a := b.visitor().form("POST", "/settings?form=profile", "user[display_name]", "Anybody"); a.status != 401 {
		t.Errorf("a visitor sends a form: %d", a.status)
	}
}

// TestPagesAreInTheReadersLook sets the look of one person. Only the pages of this person have
// it.
func TestPagesAreInTheReadersLook(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	post := b.as("bobby").post("look", "user")
	alice, bobby, visitor := b.browser("alice"), b.browser("bobby"), b.visitor()
	visitor.accept = "text/html"
	first := visitor.get("/bobby/" + post).html()
	if !strings.Contains(first, ` UTC</time>`) || strings.Contains(first, "data-theme") || strings.Contains(first, "data-zone") {
		t.Error("a visitor's page has a look, or does not name its zone")
	}
	alice.form("POST", "/settings/appearance?form=appearance", "user[theme]", "dark", "user[density]", "compact", "user[time_zone]", "Asia/Tokyo").leadsTo("/settings/appearance")
	for _, path := range []string{"/bobby/" + post, "/", "/settings/appearance", "/about", "/no/such/page"} {
		page := alice.get(path).body
		for _, want := range []string{`data-theme="dark"`, `data-density="compact"`, `data-zone="Asia/Tokyo"`, `<meta name="color-scheme" content="dark"`, `<meta name="theme-color" content="#12181b"`} {
			if !strings.Contains(page, want) {
				t.Errorf("%s does not have %s", path, want)
			}
		}
	}
	if page := alice.get("/bobby/" + post).html(); !strings.Contains(page, ` JST</time>`) || strings.Contains(page, ` UTC</time>`) {
		t.Error("the times are not in the reader's zone")
	}
	if page := alice.get("/settings/appearance").html(); !strings.Contains(page, `<option value="Asia/Tokyo" selected>Tokyo</option>`) || !strings.Contains(page, `value="dark" checked`) {
		t.Error("the page does not show the look")
	}
	if page := bobby.get("/bobby/" + post).html(); strings.Contains(page, "JST") || strings.Contains(page, "data-theme") {
		t.Error("another person's page has the look")
	}
	if page := visitor.get("/bobby/" + post).html(); page != first {
		t.Error("the page that visitors share has changed")
	}
	if a := alice.form("POST", "/settings/appearance?form=appearance", "user[time_zone]", "Europe/Atlantis"); a.status != 422 || !strings.Contains(a.body, "Choose one of") {
		t.Errorf("a zone that is none: %d", a.status)
	}
	// A zone that is missing from the list can still be chosen.
	b.as("alice").send("PATCH", "/api/v1/users/"+numberOf(b.ids["alice"])+".json", object{"user": object{"time_zone": "Asia/Calcutta"}}).ok()
	if page := alice.get("/settings/appearance").html(); !strings.Contains(page, `<option value="Asia/Calcutta" selected>`) {
		t.Error("the page does not show the zone")
	}
}
