package page

import (
	"strconv"
	"strings"
	"testing"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/web/static"
)

func TestNavigation(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		shell Shell
		want  []string
	}{
		{"for visitors", Shell{Path: "/joost?page=2"}, []string{
			"/ Everything", "/filter/best_of Best of", "/filter/groups Groups", "/about About", "/users/sign_in?return_to=%2Fjoost%3Fpage%3D2 Sign in", "/users/sign_up Sign up"}},
		{"from the first page signing in leads home", Shell{Path: "/"}, []string{
			"/ Everything *", "/filter/best_of Best of", "/filter/groups Groups", "/about About", "/users/sign_in Sign in", "/users/sign_up Sign up"}},
		{"for people who are signed in", sampleShell(anneke, "", "/anneke?page=2"), []string{
			"/anneke Anneke de Wit *", "/ Home", "/filter/discussions Discussions", "/#post-form Write", "/filter/directs Directs 0", "/notifications Notifications 0",
			"/requests Requests 2",
			"/filter/favs Favourites", "/filter/mentions Mentions", "/filter/everything Everything", "/filter/best_of Best of", "/filter/fyeo For your eyes only",
			"/filter/people People", "/cooks Cooks of Noord", "/filter/groups All groups", "/groups/new New group",
			"/list/night%20watch night watch", "/settings/lists Edit lists", "/settings Settings"}},
	} {
		if tt.shell.Viewer != nil {
			tt.shell.Viewer.Lists = []string{"night watch"}
			tt.shell.Viewer.Groups = []*timeline.GroupCard{{Name: "cooks", DisplayName: "Cooks of Noord"}}
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			nav := one(t, parse(t, render(t, navigation(tt.shell))), "nav")
			var got []string
			for _, a := range all(nav, "a") {
				line := attr(a, "href") + " " + words(a)
				if attr(a, "aria-current") == "page" {
					line += " *"
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			signsOut := len(all(nav, `form[action="/users/sign_out"]`)) == 1
			if signsOut != (tt.shell.Viewer != nil) {
				t.Errorf("offers to sign out: %v", signsOut)
			}
		})
	}
}

func TestNavigationHasNoCountOfZero(t *testing.T) {
	t.Parallel()
	s := sampleShell(anneke, "", "/")
	s.Viewer.Requests = 0
	for _, badge := range all(parse(t, render(t, navigation(s))), ".badge, [data-unread]") {
		if !has(badge, "hidden") {
			t.Errorf("there is a count of %q", words(badge))
		}
	}
}

func TestNoticesAreCounted(t *testing.T) {
	t.Parallel()
	for unread, want := range map[int]string{0: "", 7: "7", 99: "99", 100: "99+"} {
		s := sampleShell(anneke, "", "/")
		s.Viewer.Unread = river.Unread{Notices: unread, Directs: 100 - unread}
		doc := parse(t, render(t, navigation(s)))
		badge := one(t, doc, `a[href="/notifications"] #notices`)
		if attr(badge, "data-unread") != strconv.Itoa(unread) || has(badge, "hidden") != (unread == 0) || unread > 0 && words(badge) != want {
			t.Errorf("%d unread are shown as %v %q", unread, badge.Attr, words(badge))
		}
		directs := one(t, doc, `a[href="/filter/directs"] #directs`)
		if attr(directs, "data-unread") != strconv.Itoa(100-unread) || has(directs, "hidden") != (unread == 100) {
			t.Errorf("%d directs are shown as %v", 100-unread, directs.Attr)
		}
	}
	if found := all(parse(t, render(t, navigation(Shell{Path: "/"}))), "#notices, #directs"); len(found) != 0 {
		t.Error("a visitor has notices")
	}
}

func TestSearchFieldKeepsTheSearch(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"/s?q=from%3Ajoost+%22two+words%22": `from:joost "two words"`, "/": "", "/joost?q=x": "", "/s?q=%zz": ""} {
		doc := parse(t, render(t, navigation(Shell{Path: path})))
		if got := attr(one(t, doc, `form[action="/s"] input[name=q]`), "value"); got != want {
			t.Errorf("on %s it has %q, want %q", path, got, want)
		}
	}
}

func TestShellShows(t *testing.T) {
	t.Parallel()
	doc := parse(t, render(t, Layout(Shell{Title: "T", Description: "D", Notice: "Done.", Problem: "Not done.", Behind: true, NoIndex: true}, about(AboutModel{}))))
	for selector, want := range map[string]string{"title": "T · Amstel", "p.notice[role=status]": "Done.", "p.problems[role=alert]": "Not done."} {
		if got := words(one(t, doc, selector)); got != want {
			t.Errorf("%s is %q, want %q", selector, got, want)
		}
	}
	if got := attr(one(t, doc, "meta[name=description]"), "content"); got != "D" {
		t.Errorf("the description is %q", got)
	}
	if got := attr(one(t, doc, "meta[name=robots]"), "content"); got != "noindex" {
		t.Errorf("robots are told %q", got)
	}
	if banner := one(t, doc, "#banner"); has(banner, "hidden") || !strings.Contains(words(banner), "delayed") {
		t.Errorf("the banner is hidden, or says %q", words(banner))
	}
	if got := attr(one(t, doc, "script"), "src"); got != static.Path("client.js") {
		t.Errorf("the client is at %q", got)
	}
	plain := parse(t, render(t, Layout(Shell{}, about(AboutModel{}))))
	if !has(one(t, plain, "#banner"), "hidden") || words(one(t, plain, "title")) != "Amstel" {
		t.Error("a plain page has a banner, or a title of its own")
	}
	if n := len(all(plain, "meta[name=robots]")) + len(all(plain, "meta[name=description]")) + len(all(plain, "meta[name=csrf-token]")); n != 0 {
		t.Errorf("a plain page has %d things it was not given", n)
	}
}

// TestCSRFMetaStandsAlone checks the element that backup scripts look for, character by
// character.
func TestCSRFMetaStandsAlone(t *testing.T) {
	t.Parallel()
	source := render(t, SignIn(SignInModel{Shell: Shell{Path: SignInPath, CSRF: `a"b`}}))
	if !strings.Contains(source, "\n"+`<meta name="csrf-token" content="a&#34;b" />`+"\n") {
		t.Error("the line is not there")
	}
	if got := attr(one(t, parse(t, source), "main form input[name=authenticity_token]"), "value"); got != `a"b` {
		t.Errorf("the form sends %q", got)
	}
}

func TestErrorPages(t *testing.T) {
	t.Parallel()
	head := &UserHead{Card: sampleCards().Users[sanne], Signed: true, Closed: true, ReturnTo: "/sanne"}
	related := func(r Relation) *UserHead {
		related := *head
		related.Relation = r
		return &related
	}
	for _, tt := range []struct {
		name  string
		model ErrorModel
		says  string
		link  string // of the button in main; empty: none
	}{
		{"404 for a visitor", ErrorModel{Shell: Shell{Path: "/x"}, Status: 404}, "This page isn't here", "/users/sign_in?return_to=%2Fx"},
		{"404", ErrorModel{Shell: sampleShell(anneke, "", "/x"), Status: 404}, "This page isn't here", "/"},
		{"401", ErrorModel{Shell: Shell{Path: "/x"}, Status: 401}, "Sign in first", "/users/sign_in?return_to=%2Fx"},
		{"403 of a person's feed", ErrorModel{Shell: sampleShell(anneke, "", "/sanne"), Status: 403, User: head}, "Ask to subscribe, and you can read it", ""},
		{"403 of the feed of a person whom the viewer banned", ErrorModel{Shell: sampleShell(anneke, "", "/sanne"), Status: 403, User: related(Relation{Banned: true})}, "Unban them first", ""},
		{"403 of a feed that the viewer asked for", ErrorModel{Shell: sampleShell(anneke, "", "/sanne"), Status: 403, User: related(Relation{Requested: true})}, "You have asked.", ""},
		{"503", ErrorModel{Shell: Shell{Path: "/x?y=1"}, Status: 503, Retry: 1}, "Try again in 1 second.", "/x?y=1"},
		{"503 without a time", ErrorModel{Shell: Shell{Path: "/x"}, Status: 503}, "Try again in a moment.", "/x"},
		{"503 of an address that looks like another site", ErrorModel{Shell: Shell{Path: "//evil.example/x"}, Status: 503}, "503", "/evil.example/x"},
		{"429", ErrorModel{Shell: Shell{Path: "/x"}, Status: 429, Retry: 601}, "Try again in 11 minutes.", "/x"},
		{"500", ErrorModel{Shell: sampleShell(anneke, "", "/x"), Status: 500}, "Something went wrong", "/"},
		{"a sentence of its own", ErrorModel{Shell: sampleShell(anneke, "", "/x"), Status: 422, Message: "The text is empty."}, "The text is empty.", "/"},
		{"a status without a sentence of its own", ErrorModel{Shell: sampleShell(anneke, "", "/x"), Status: 599}, "That didn't work", "/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doc := parse(t, render(t, Error(tt.model)))
			main := one(t, doc, "main")
			if got := words(main); !strings.Contains(got, tt.says) {
				t.Errorf("%q does not say %q", got, tt.says)
			}
			link := ""
			for _, a := range all(main, "a.button") {
				link = attr(a, "href")
			}
			if link != tt.link {
				t.Errorf("it leads to %q, want %q", link, tt.link)
			}
			asks := len(all(doc, `form[action="/api/v1/users/sanne/subscribers.json"] button.primary`)) == 1
			if asks != (tt.model.User == head) {
				t.Errorf("offers to ask: %v", asks)
			}
		})
	}
}
