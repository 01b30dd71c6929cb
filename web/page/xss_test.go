package page

import (
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// evil are texts that try to be more than text. Each runs or shows the word pwned if it
// succeeds.
var evil = []string{
	`<script>pwned()</script>`,
	`</script><script>pwned()</script>`,
	`"><img src=x onerror=pwned()>`,
	`' onmouseover='pwned()' x='`,
	`" onfocus="pwned()" autofocus="`,
	`javascript:pwned()`,
	`</textarea><script>pwned()</script>`,
	`</title><script>pwned()</script>`,
	`https://a.nl/"onmouseover="pwned()`,
	`https://a.nl/'><script>pwned()</script>`,
	`https://javascript:pwned()@a.nl/x`,
	"https://a.nl/\x00<svg/onload=pwned()>",
	`@joost"onclick="pwned()`,
	`<!--`, `]]>`, `{{pwned()}}`, `&lt;script&gt;pwned()&lt;/script&gt;`,
	"\u202epwned", "\xff<script>pwned()</script>",
}

// evilPages returns pages with the text in each place where people can write.
func evilPages(s string) []templ.Component {
	u := &timeline.UserCard{ID: 1, Name: s, DisplayName: s, Description: s, Status: s, AvatarURL: ""}
	pictured := &timeline.UserCard{ID: 2, Name: "b", DisplayName: s, AvatarURL: s, CoverURL: s, Status: "private"}
	g := &timeline.GroupCard{ID: 1, Name: s, DisplayName: s, Description: s, Status: s, AvatarURL: s, CoverURL: s}
	shell := Shell{Title: s, Description: s, Path: "/" + s, CSRF: s, Notice: s, Problem: s, Viewer: &Viewer{Card: u}}

	e := post(1, 1, s, to(groupFeed(1), directsOf(1)), likedBy(2, 1, 2), commented(3, said{1, s}, said{2, s}), because1(timeline.WhatUserLikes, 1, 2))
	e.Tag, e.River, e.Hits = s, river.Key{Viewer: 1, What: river.KindHome}, []string{s}
	e.Fold.Text.Platform = s
	e.Fold.Comments.Comments[0].Platform = s
	made := []timeline.Rendition{{Name: "grid", MediaType: s}, {Name: "grid2x", MediaType: s}, {Name: "original", MediaType: s}}
	e.Fold.Attachments = []timeline.Attachment{
		{ID: 1, FileName: s, Kind: s}, {ID: 2, FileName: s, Alt: s, Renditions: made}, {ID: 3, FileName: s, Renditions: made},
		{ID: 4, FileName: s, Kind: "audio", Renditions: made[2:]}, {ID: 5, FileName: s, Kind: "video", Renditions: made[2:]},
	}
	e.Fold.Comments.Comments[1].Attachments = e.Fold.Attachments
	for _, why := range append(timeline.Refusals(), "") {
		e.Fold.Text.Unready = append(e.Fold.Text.Unready, timeline.Unready{ID: 1, FileName: s, Refused: why})
	}
	rows := FileFields{
		Rows: []FileRow{{ID: 1, FileName: s, Alt: s, Thumb: s, Kept: true}, {ID: 2, FileName: s, Refused: timeline.RefusedPixels}}, Mark: s, FilesHint: FilesHint{Most: 1, Size: 1},
	}
	folded := post(2, 2, s, hidden1, nsfw)
	quiet := post(3, 2, s, faved(2), commented(0, said{2, s}), to(privateFeedOf(2)), locked)
	direct := post(4, 1, s, to(directsOf(1), directsOf(2)), locked)
	sets := sampleSets(1)
	sets.HiddenComments = map[timeline.UserID]bool{2: true}
	sets.Administers = map[timeline.GroupID]bool{1: true}

	m := RiverModel{
		Shell: shell, UUID: s, Older: "/" + s, Newer: "/" + s, NewUUID: func() string { return s },
		View: &river.View{
			Key: river.Key{Viewer: 1, What: river.KindUser}, Epoch: s, Live: true, Sets: sets, Entries: []river.Entry{e, folded, quiet, direct},
			Users: map[timeline.UserID]*timeline.UserCard{1: u, 2: pictured}, Groups: map[timeline.GroupID]*timeline.GroupCard{1: g},
		},
		User:  &UserHead{Card: pictured, Tab: Tab(s), Signed: true, ReturnTo: s, Relation: Relation{Invitation: s, Private: Following{Invitation: s}, Lists: []ListChoice{{ID: 1, Name: s, May: true, PrivateIn: true}}}},
		Group: &GroupHead{Card: g, Relation: Relation{Admin: true, Subscribed: true}, Admins: []*timeline.UserCard{u}, Signed: true, ReturnTo: s},
		Form: &PostForm{Text: s, Names: &s, Label: s, ReturnTo: s, UUID: s, Problems: Problems{"text": s, "to": s, "timelines": s, s: s},
			To: []Destination{{Value: s, Label: s, Checked: true}, {Value: s, Label: s}}},
	}
	group := m
	view := *m.View
	view.Key.What = river.KindGroup
	group.View = &view
	single := m
	alone := view
	alone.Key.What = river.KindPost
	single.View = &alone

	all := []*timeline.UserCard{u, pictured}
	invited := []Invitation{{UUID: s, From: u, Who: pictured, To: g}, {UUID: s, From: pictured, Who: u, Private: true}}
	problems := Problems{"": s, "name": s, "email": s, "password": s, "display_name": s, "description": s, "status": s, "text": s, "old": s, "new": s}
	settings := func(path string, form SettingsForm) templ.Component {
		return Settings(SettingsModel{Shell: shell, Page: path, Refused: form, Problems: problems, Name: s, DirectsFrom: s, Audience: &Audience{Refuse: s}, DisplayName: s,
			Description: s, Status: s, Lang: s, PageLanguage: s, NewToken: s, Tokens: []Token{{Name: s}},
			Email: s, EmailWanted: s, Mails: true, HasPassword: true, Sessions: []Session{{Browser: s, System: s}, {System: s}}, Theme: s,
			Passkeys: &Passkeys{New: s, Typed: s, Refused: 1, All: []timeline.Passkey{{ID: 1, Name: s}, {ID: 2, Name: s}}}, Density: s, TimeZone: s,
			Pictures: &Pictures{Avatar: s, Cover: s, Problems: map[timeline.PictureRole]Problems{timeline.Avatar: problems, timeline.Cover: {"cover": s}}}})
	}
	return []templ.Component{
		River(m), River(group), River(single),
		SignIn(SignInModel{Shell: shell, Email: s, Problems: problems, ReturnTo: s, Passkeys: true}),
		Mails(MailsModel{Shell: shell, Mails: []SentMail{{To: s, Subject: s, Text: s + " https://x/" + s, Site: "https://x"}}}),
		Forgot(ForgotModel{Shell: shell, Login: s, Problems: Problems{"": s, "login": s}}),
		SignUp(SignUpModel{Shell: shell, Name: s, Email: s, DisplayName: s, Problems: problems}),
		Requests(RequestsModel{Shell: shell, Requests: []Request{{UUID: s, From: u, To: g}, {UUID: s, From: pictured}}, Invitations: invited}),
		Notices(sampleNotices(shell, u, s)), Notices(sampleNotices(shell, pictured, s)), NoticeSettings(sampleNoticeSettings(shell, problems)),
		People(PeopleModel{Shell: shell, Heading: s, Users: []*timeline.UserCard{u, pictured}, Groups: []*timeline.GroupCard{g}}),
		NewGroup(NewGroupModel{Shell: shell, Name: s, DisplayName: s, Description: s, Status: s, Problems: problems}),
		EditPost(EditPostModel{Shell: shell, Author: s, Post: 1, Text: s, Files: rows, Problems: problems, To: m.Form.To, Audience: &Audience{Refuse: s}}),
		EditPost(EditPostModel{Shell: shell, Author: s, Post: 1, Text: s, Problems: problems, Direct: true, Recipients: all}),
		EditGroup(EditGroupModel{Shell: shell, Group: g, Pictures: &Pictures{Avatar: s, Group: s}, Typed: *g, Problems: problems, Audience: &Audience{Refuse: s}, Admins: all, Blocked: all, Invited: invited}),
		MyPeople(MyPeopleModel{Shell: shell, Name: s, Banned: all, Excluded: all, Subscribers: all, Invited: invited,
			Muted:  []MutedPerson{{u, true, true}, {pictured, false, true}},
			Hidden: []HiddenPerson{{u, true, true}, {pictured, false, true}}}),
		Lists(ListsModel{Shell: shell, Problems: problems, Typed: s, Lists: []OwnList{{ID: 1, Name: s, Users: all, Private: all, Groups: []*timeline.GroupCard{g}}}}),
		People(PeopleModel{Shell: shell, Heading: s, Users: all, Manager: &Manager{Name: s, Group: true}}),
		People(PeopleModel{Shell: shell, Heading: s, Users: all, Manager: &Manager{Name: s}}),
		EditComment(EditModel{Shell: shell, Author: s, Post: 1, Comment: 2, Text: s, Files: rows, Problems: problems}),
		EditComment(EditModel{Shell: shell, Post: 1, Text: s, Files: rows, ReturnTo: "/x" + s, UUID: s, Problems: problems}),
		settings(SettingsPath, ProfileForm), settings(AccountPath, NameForm), settings(AccountPath, EmailForm), settings(AccountPath, PasswordForm), settings(AccountPath, PasskeyForm), settings(PrivacyPath, PrivacyForm),
		settings(AppearancePath, AppearanceForm), settings(TokensPath, TokenForm), settings(DataPath, DeleteForm),
		Error(ErrorModel{Shell: shell, Status: 403, Message: s, User: m.User}),
		Error(ErrorModel{Shell: shell, Status: 503, Message: s, Group: m.Group}),
	}
}

func TestWhatPeopleWriteStaysText(t *testing.T) {
	t.Parallel()
	for _, s := range evil {
		t.Run(s, func(t *testing.T) {
			t.Parallel()
			for i, p := range evilPages(s) {
				checkHarmless(t, i, parse(t, render(t, p)))
			}
			linked, _ := Linkify(s, "")
			checkHarmless(t, -2, parse(t, "<div>"+linked+"</div>"))
		})
	}
}

// takesFocus reports whether pages give an element the focus themselves: a field that was
// refused, and the secret of a new token.
func takesFocus(n *html.Node) bool {
	return attr(n, "aria-invalid") == "true" || attr(n, "class") == "secret"
}

// checkHarmless fails the test unless the page has the text only as plain text.
func checkHarmless(t *testing.T, page int, doc *html.Node) {
	t.Helper()
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.CommentNode {
			t.Errorf("page %d has a comment: %q", page, n.Data)
		}
		if n.Type == html.ElementNode {
			if n.Data == "script" && attr(n, "type") != "module" {
				t.Errorf("page %d has a script", page)
			}
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "autofocus" && !takesFocus(n) || a.Key == "style" {
					t.Errorf("page %d: %s has %s=%q", page, n.Data, a.Key, a.Val)
				}
				leads := a.Key == "href" || a.Key == "action" || a.Key == "formaction"
				if leads && !strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "http") && !strings.HasPrefix(a.Val, "#") {
					t.Errorf("page %d: %s leads to %q", page, n.Data, a.Val)
				}
				if leads && strings.HasPrefix(a.Val, "//") {
					t.Errorf("page %d: %s leads to the site %q", page, n.Data, a.Val)
				}
			}
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(doc)
}
