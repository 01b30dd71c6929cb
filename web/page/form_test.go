package page

import (
	"slices"
	"strings"
	"testing"

	"amstel.dev/amstel/web/catalogue"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// sent returns the fields that an untouched form sends, by their names. Radio buttons and
// checkboxes send a value only if they are checked.
func sent(form *html.Node) map[string][]string {
	fields := map[string][]string{}
	for _, n := range below(form, true) {
		name := attr(n, "name")
		switch {
		case n.Data == "textarea":
			fields[name] = append(fields[name], words(n))
		case n.Data != "input" || attr(n, "type") == "file": // no file is chosen
		case (attr(n, "type") == "checkbox" || attr(n, "type") == "radio") && !has(n, "checked"):
		default:
			fields[name] = append(fields[name], attr(n, "value"))
		}
	}
	return fields
}

func TestPostForm(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		form PostForm
		want map[string][]string
	}{
		{"to one place", PostForm{ReturnTo: "/", UUID: "u", To: []Destination{{Value: "user", Label: "your feed", Checked: true}}},
			map[string][]string{"return_to": {"/"}, "_uuid": {"u"}, "post[timelines][]": {"user"}, "post[text]": {""}, "post[link_preview]": {"0", "1"}}},
		{"to some of several", PostForm{To: []Destination{{Value: "user", Label: "your feed", Checked: true}, {Value: "group:a", Label: "A", Checked: false}, {Value: "group:b", Label: "B", Checked: true}}},
			map[string][]string{"post[timelines][]": {"user", "group:b"}, "post[text]": {""}, "post[link_preview]": {"0", "1"}}},
		{"to people", PostForm{Names: ptr("joost, emre"), Text: "hoi", CommentsDisabled: true, NoPreview: true},
			map[string][]string{"post[to]": {"joost, emre"}, "post[text]": {"hoi"}, "post[comments_disabled]": {"1"}, "post[link_preview]": {"0"}}},
		{"on a site without previews", PostForm{To: []Destination{{Value: "user", Checked: true}}, PreviewsOff: true},
			map[string][]string{"post[timelines][]": {"user"}, "post[text]": {""}}},
		{"to some of several, on a site without previews", PostForm{To: []Destination{{Value: "user", Checked: true}, {Value: "group:b"}}, PreviewsOff: true},
			map[string][]string{"post[timelines][]": {"user"}, "post[text]": {""}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			form := one(t, parse(t, render(t, postForm(catalogue.English, &tt.form))), "form")
			if attr(form, "action") != "/" {
				t.Errorf("it goes to %q", attr(form, "action"))
			}
			tt.want["_action"] = []string{"/api/v1/posts.json"}
			if diff := cmp.Diff(tt.want, sent(form)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPostFormSaysWhereItGoes(t *testing.T) {
	t.Parallel()
	f := PostForm{To: []Destination{{Value: "user", Label: "your feed", Checked: true}, {Value: "group:a", Label: "A", Checked: true}}}
	if got := words(one(t, parse(t, render(t, postForm(catalogue.English, &f))), "summary")); got != "To your feed, A" {
		t.Errorf("%q", got)
	}
	f.To[0].Checked, f.To[1].Checked = false, false
	if got := words(one(t, parse(t, render(t, postForm(catalogue.English, &f))), "summary")); got != "Choose where it goes" {
		t.Errorf("%q", got)
	}
}

// TestRefusedFormsKeepWhatWasTyped: a form that is shown again keeps the typed text, in the fields
// that the API reads.
func TestRefusedFormsKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	account := Shell{Path: SignUpPath}
	settings := func(path string) string {
		return render(t, Settings(SettingsModel{Shell: account, Page: path, Name: "dee", Email: "dee@example.org", HasPassword: true, DirectsFrom: "subscriptions", DisplayName: "D", Description: "about me", Status: "private",
			TokenTyped: TokenTyped{Name: "bot", Days: "90", Scopes: []string{"read", "admin"}}}))
	}
	for _, tt := range []struct {
		name   string
		page   string
		action string
		want   map[string][]string
	}{
		{"sign in", render(t, SignIn(SignInModel{Shell: account, Email: "joost", Remember: true, ReturnTo: "/x"})), SignInPath,
			map[string][]string{"user[email]": {"joost"}, "user[password]": {""}, "user[remember_me]": {"1"}, "return_to": {"/x"}}},
		{"forgot", render(t, Forgot(ForgotModel{Shell: account, Login: "joost"})), ForgotPath, map[string][]string{"login": {"joost"}}},
		{"sign up", render(t, SignUp(SignUpModel{Shell: account, Name: "n", Email: "e", DisplayName: "d"})), SignUpPath,
			map[string][]string{"user[name]": {"n"}, "user[email]": {"e"}, "user[password]": {""}, "user[display_name]": {"d"}}},
		{"new group", render(t, NewGroup(NewGroupModel{Shell: account, Name: "n", DisplayName: "d", Description: "a", Status: "private"})), NewGroupPath,
			map[string][]string{"_action": {"/api/v1/groups.json"}, "group[name]": {"n"}, "group[display_name]": {"d"}, "group[description]": {"a"}, "group[status]": {"private"}, "group[posting]": {"members"}, "group[joining]": {"open"}}},
		{"group", render(t, EditGroup(EditGroupModel{Shell: account, Group: &timeline.GroupCard{Name: "cooks"}, Typed: timeline.GroupCard{
			Name: "n", DisplayName: "d", Description: "a", Status: "protected", Posting: "admins", Joining: "request", NSFW: true}})), "/cooks/edit",
			map[string][]string{"_action": {"/api/v1/groups/cooks.json"}, "_method": {"PATCH"}, "return_to": {"/cooks/edit"}, "group[name]": {"n"}, "group[display_name]": {"d"}, "group[description]": {"a"},
				"group[status]": {"protected"}, "group[posting]": {"admins"}, "group[joining]": {"request"}, "group[nsfw]": {"0", "1"}}},
		{"profile", settings(SettingsPath), "/settings?form=profile", map[string][]string{"user[display_name]": {"D"}, "user[description]": {"about me"}}},
		{"name", settings(AccountPath), "/settings/account?form=name", map[string][]string{"user[name]": {"dee"}}},
		{"e-mail", settings(AccountPath), "/settings/account?form=email", map[string][]string{"email": {"dee@example.org"}, "password": {""}}},
		{"password", settings(AccountPath), "/settings/account?form=password", map[string][]string{"password[old]": {""}, "password[new]": {""}}},
		{"privacy", settings(PrivacyPath), "/settings/privacy?form=privacy", map[string][]string{"user[status]": {"private"}, "user[directs_from]": {"subscriptions"}, "user[visit_times]": {"false"}}},
		{"appearance", settings(AppearancePath), "/settings/appearance?form=appearance", map[string][]string{"user[theme]": {"system"}, "user[density]": {"comfortable"}, "user[own_posts]": {"false"}}},
		{"token", settings(TokensPath), "/settings/tokens?form=token", map[string][]string{"token[name]": {"bot"}, "token[scopes][]": {"", "read", "admin"}}},
		{"delete", settings(DataPath), "/settings/data?form=delete", map[string][]string{"password": {""}}},
		{"post", render(t, EditPost(EditPostModel{Shell: account, Author: "joost", Post: 31, Text: "a & b", CommentsDisabled: true, LinkPreview: true, To: []Destination{{Value: "user", Label: "your feed", Checked: false}, {Value: "group:a", Label: "A", Checked: true}}})), "/joost/31/edit",
			map[string][]string{"_action": {"/api/v1/posts/31.json"}, "_method": {"PATCH"}, "return_to": {"/joost/31"}, "post[text]": {"a & b"}, "post[timelines][]": {"", "group:a"}, "post[comments_disabled]": {"0", "1"}, "post[link_preview]": {"0", "1"}}},
		{"comment", render(t, EditComment(EditModel{Shell: account, Author: "joost", Post: 31, Comment: 55, Text: "c"})), "/joost/31/comments/55/edit",
			map[string][]string{"_action": {"/api/v1/posts/31/comments/55.json"}, "_method": {"PATCH"}, "return_to": {"/joost/31#c55"}, "comment[text]": {"c"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			form := all(parse(t, tt.page), `main form[action="`+tt.action+`"]`)[0]
			if diff := cmp.Diff(tt.want, sent(form)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestProblemsStandBesideTheirFields(t *testing.T) {
	t.Parallel()
	doc := parse(t, render(t, SignUp(SignUpModel{Shell: Shell{Path: SignUpPath}, Problems: Problems{
		"name": "It is taken.", "password": "Choose a longer one.", "": "Not now.", "captcha": "A captcha is missing.",
	}})))
	name := one(t, doc, "#user-name")
	if attr(name, "aria-invalid") != "true" || !slices.Contains(strings.Fields(attr(name, "aria-describedby")), "user-name-problem") {
		t.Errorf("the field does not say that it is wrong: %v", name.Attr)
	}
	for id, want := range map[string]string{"#user-name-problem": "It is taken.", "#user-password-problem": "Choose a longer one."} {
		if got := words(one(t, doc, id)); got != want {
			t.Errorf("%s is %q, want %q", id, got, want)
		}
	}
	if diff := cmp.Diff([]string{"Not now.", "A captcha is missing."}, texts(all(doc, "form div.problems[role=alert] p"))); diff != "" {
		t.Errorf("the rest (-want +got):\n%s", diff)
	}
	if !has(name, "autofocus") {
		t.Error("the first field that is wrong does not get the focus")
	}
	if email := one(t, doc, "#user-email"); has(email, "aria-invalid") || has(email, "autofocus") {
		t.Error("a field that is fine is said to be wrong")
	}
}

func TestRequestsAreAnswered(t *testing.T) {
	t.Parallel()
	m := RequestsModel{Shell: sampleShell(anneke, "Requests", RequestsPath), Requests: []Request{{UUID: "6f1c", From: sampleCards().Users[vera]}},
		Invitations: []Invitation{{UUID: "77aa", From: sampleCards().Users[olga], Private: true}}}
	var got []string
	for _, f := range all(one(t, parse(t, render(t, Requests(m))), "main"), "form") {
		got = append(got, attr(f, "action")+" "+sent(f)["_method"][0]+" "+words(one(t, f, "button")))
	}
	want := []string{"/api/v1/invitations/77aa.json PUT Accept", "/api/v1/invitations/77aa.json DELETE Decline", "/api/v1/subscription_requests/6f1c PUT Accept", "/api/v1/subscription_requests/6f1c DELETE Reject"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSavedStandsBesideItsButton(t *testing.T) {
	t.Parallel()
	shell := sampleShell(anneke, "Account", AccountPath)
	shell.Saved = PasswordForm
	doc := parse(t, render(t, Settings(SettingsModel{Shell: shell, Page: AccountPath, HasPassword: true})))
	saved := one(t, doc, `form[action="/settings/account?form=password"] .saved[role=status]`)
	button := one(t, doc, `button[autofocus]`)
	if words(saved) != "Saved" || words(button) != "Change password" || attr(button, "aria-describedby") != attr(saved, "id") {
		t.Errorf("%q is described by %q, %q", words(button), attr(button, "aria-describedby"), words(saved))
	}
}

func TestTokenIsShownOnce(t *testing.T) {
	t.Parallel()
	m := SettingsModel{Shell: sampleShell(anneke, "Settings", TokensPath), Page: TokensPath, NewToken: "5e0f-7c", Tokens: []Token{{ID: 3, Name: "bot"}}}
	doc := parse(t, render(t, Settings(m)))
	if secret := one(t, doc, "input.secret"); attr(secret, "value") != "5e0f-7c" || !has(secret, "autofocus") || !has(secret, "readonly") {
		t.Errorf("the secret is %v", secret.Attr)
	}
	if got := sent(one(t, doc, `form[action="/api/v1/tokens/3.json"]`)); got["_method"][0] != "DELETE" {
		t.Errorf("a token is revoked by %v", got)
	}
	m.NewToken = ""
	if doc := parse(t, render(t, Settings(m))); len(all(doc, "input.secret")) != 0 {
		t.Error("there is a secret without one")
	}
}

// TestOneFormForComments: a page of many posts has one form for comments, as a template. The
// form on a post's own page has a key.
func TestOneFormForComments(t *testing.T) {
	t.Parallel()
	key := func() string { return "the-key" }
	m := sampleRiver(anneke, river.KindHome, "Home", "/x?page=2", sampleEntries()[:2]...)
	m.NewUUID = key
	want := map[string][]string{"_action": {""}, "return_to": {"/x?page=2#"}, "comment[text]": {""}}
	if diff := cmp.Diff(want, sent(one(t, pageOf(t, m), "form.comment-form"))); diff != "" {
		t.Errorf("on a page of many posts (-want +got):\n%s", diff)
	}
	m = sampleRiver(anneke, river.KindPost, "Post", "/joost/9", post(9, joost, "x", single))
	m.NewUUID = key
	want = map[string][]string{"_action": {"/api/v1/posts/9/comments.json"}, "_uuid": {"the-key"}, "comment[text]": {""}}
	if diff := cmp.Diff(want, sent(one(t, pageOf(t, m), "form.comment-form"))); diff != "" {
		t.Errorf("on a post's own page (-want +got):\n%s", diff)
	}
}

// TestPasswordFormAfterALink: a person who signed in by a link is not asked for the old password, except for a new e-mail
// address.
func TestPasswordFormAfterALink(t *testing.T) {
	t.Parallel()
	doc := parse(t, render(t, Settings(SettingsModel{Shell: sampleShell(anneke, "Account", AccountPath), Page: AccountPath, HasPassword: true, Forgot: true})))
	if n := len(all(doc, "#password-old")); n != 0 || len(all(doc, "#email-password")) != 1 {
		t.Errorf("%d fields for the old password, and %d beside the address", n, len(all(doc, "#email-password")))
	}
}

// TestPasswordFormWithoutPassword: a person without a password is not asked for it, and can set
// one.
func TestPasswordFormWithoutPassword(t *testing.T) {
	t.Parallel()
	for has, want := range map[bool]string{true: "Change password", false: "Set password"} {
		doc := parse(t, render(t, Settings(SettingsModel{Shell: sampleShell(anneke, "Account", AccountPath), Page: AccountPath, HasPassword: has})))
		form := one(t, doc, `form[action="/settings/account?form=password"]`)
		if got := words(one(t, form, "button")); got != want || len(all(form, "#password-old")) == 1 != has {
			t.Errorf("with a password %v: the button says %q", has, got)
		}
	}
}
