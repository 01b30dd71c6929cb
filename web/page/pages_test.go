package page

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// A samplePage is one page in one of its states, rich or empty.
type samplePage struct {
	name string
	page templ.Component
}

func ptr[T any](v T) *T { return &v }

// saved returns the frame of a page after one of its forms was saved.
func saved(s Shell, form SettingsForm) Shell {
	s.Saved = form
	return s
}

// samplePages returns all pages, each in the states in which it looks different.
func samplePages() []samplePage {
	all := append(riverPages(), headPages()...)
	all = append(all, kindPages()...)
	all = append(all, samplePage{"post-menu", EntryMenu(sampleShell(anneke, "", "/"), model(anneke, sampleEntries()[0]))})
	all = append(all, historyPages()...)
	all = append(all, searchPages()...)
	all = append(all, accountPages()...)
	return append(all, errorPages()...)
}

func riverPages() []samplePage {
	home := sampleRiver(anneke, river.KindHome, "Home", "/", sampleEntries()...)
	home.Form = &PostForm{ReturnTo: "/", To: []Destination{
		{Value: "user", Label: "your feed", Checked: true}, {Value: "group:cooks", Label: "Cooks of Noord"}, {Value: "group:git-apply", Label: "git apply"},
	}}
	home.Form.Audience = &Audience{Audience: timeline.Audience{People: 12}, About: AboutPost}
	home.Older = "/?before=1779090000000,24"
	home.Notice = "Your post is up."

	newcomer := sampleRiver(anneke, river.KindHome, "Home", "/")
	newcomer.Form = &PostForm{ReturnTo: "/", To: []Destination{{Value: "user", Label: "your feed", Checked: true}}}

	refused := newcomer
	refused.Form = &PostForm{Text: "too long", Problems: Problems{"text": "is too long", "timelines": "is empty"}, To: home.Form.To}

	behind := sampleRiver(anneke, river.KindEverything, "Everything", EverythingPath, sampleEntries()[2:]...)
	behind.Behind = true
	behind.Newer = EverythingPath
	behind.Older = EverythingPath + "?before=1,2"

	mine := post(33, anneke, "Shall we three go?", to(directsOf(anneke), directsOf(emre)), locked, commented(0, said{emre, "Yes."}, said{pieter, "No."}))
	directs := sampleRiver(anneke, river.KindDirects, "Directs", DirectsPath, sampleEntries()[4], mine,
		post(34, anneke, "In two groups.", to(groupFeed(cooks), with(timeline.AccessPrivate, groupFeed(gitApply)))))
	directs.View.Sets.HiddenComments = map[timeline.UserID]bool{pieter: true}
	directs.Form = &PostForm{Names: ptr("emre"), Label: "Send", ReturnTo: DirectsPath}
	quiet := sampleRiver(anneke, river.KindDirects, "Directs", DirectsPath)
	quiet.Form = &PostForm{Names: ptr(""), Label: "Send", Problems: Problems{"to": "names no account"}}

	favs := sampleRiver(anneke, river.KindFavs, "Favourites", FavsPath, sampleEntries()[0])
	kept := sampleRiver(anneke, river.KindFavs, "Favourites", FavsPath)

	one := post(31, joost, sampleEntries()[0].Fold.Text.Text, single, likedBy(4, olga, anneke, emre), liked, commented(0,
		said{emre, "Monday then. Who brings the coffee?"}, said{vera, "Я!"}, said{pieter, "Is there room for a bicycle?\n\nAsking for a friend with a very large bicycle."},
		said{anneke, "There is room for forty metres of gravel."}, said{joost, "See https://example.nl/sluizen."}, said{sanne, "Worth every toe."}))
	alone := post(29, anneke, "No comments so far.", single)

	return []samplePage{
		{"home", River(home)},
		{"home-back", River(backHome())},
		{"home-newcomer", River(newcomer)},
		{"home-refused", River(refused)},
		{"everything-behind", River(behind)},
		{"everything-anonymous", River(sampleRiver(0, river.KindEverything, "", "/", sampleEntries()[:4]...))},
		{"everything-empty", River(sampleRiver(0, river.KindEverything, "", "/"))},
		{"favs", River(favs)},
		{"favs-empty", River(kept)},
		{"directs", River(directs)},
		{"directs-empty", River(quiet)},
		{"post", River(sampleRiver(anneke, river.KindPost, "Joost van Dam: The lock at Zeeburg", "/joost/31", one))},
		{"post-anonymous", River(sampleRiver(0, river.KindPost, "A post", "/anneke/29", alone))},
	}
}

func headPages() []samplePage {
	cards := sampleCards()
	person := func(viewer, of timeline.UserID, tab Tab, kind river.Kind, r Relation, entries ...river.Entry) RiverModel {
		card := cards.Users[of]
		m := sampleRiver(viewer, kind, card.DisplayName, "/"+card.Name, entries...)
		m.User = &UserHead{Card: card, Tab: tab, Relation: r, Signed: viewer != 0, ReturnTo: m.Path, Counts: Counts{ptr(128), ptr(1)}}
		return m
	}
	own := person(anneke, anneke, TabPosts, river.KindUser, Relation{Self: true}, sampleEntries()[2])
	own.Form = &PostForm{ReturnTo: "/anneke", To: []Destination{{Value: "user", Label: "your feed", Checked: true}}}

	group := sampleRiver(anneke, river.KindGroup, "Cooks of Noord", "/cooks", sampleEntries()[1])
	group.Group = &GroupHead{
		Card: cards.Groups[cooks], Relation: Relation{Subscribed: true, Admin: true}, Signed: true, ReturnTo: "/cooks",
		Counts: Counts{Subscribers: ptr(17)}, Admins: []*timeline.UserCard{cards.Users[anneke], cards.Users[sanne]},
	}
	group.Form = &PostForm{Label: "Post to Cooks of Noord", To: []Destination{{Value: "group:cooks", Label: "Cooks of Noord", Checked: true}}}
	closed := sampleRiver(0, river.KindGroup, "git apply", "/git-apply")
	closed.Group = &GroupHead{Card: cards.Groups[gitApply]}

	return []samplePage{
		{"user", River(person(anneke, joost, TabPosts, river.KindUser, Relation{Subscribed: true, SubscribedToYou: true}, sampleEntries()[0]))},
		{"user-own", River(own)},
		{"user-anonymous", River(person(0, joost, TabPosts, river.KindUser, Relation{}, sampleEntries()[0]))},
		{"user-comments", River(person(anneke, lotte, TabComments, river.KindComments, Relation{}, sampleEntries()[3]))},
		{"user-likes-empty", River(person(anneke, pieter, TabLikes, river.KindLikes, Relation{Requested: true}))},
		{"user-banned", River(person(anneke, pieter, TabPosts, river.KindUser, Relation{Banned: true}))},
		{"user-private", River(person(anneke, sanne, TabPosts, river.KindUser, Relation{Requested: true}, sampleEntries()[1]))},
		{"user-invited", River(person(anneke, vera, TabPosts, river.KindUser, Relation{Invitation: "88", Private: Following{Invitation: "89"}, HidesComments: true}, sampleEntries()[3]))},
		{"user-kept-away", River(person(anneke, olga, TabPosts, river.KindUser, Relation{Subscribed: true, ForwardOnly: true, HidesPosts: true, HidesComments: true, Excluded: true,
			Private: Following{Subscribed: true}}, sampleEntries()[7]))},
		{"user-barred", River(person(anneke, vera, TabPosts, river.KindUser, Relation{Barred: true, Private: Following{Requested: true}}, sampleEntries()[3]))},
		{"group", River(group)},
		{"group-empty", River(closed)},
		{"people", People(PeopleModel{Shell: sampleShell(anneke, "Subscriptions", "/joost/subscriptions"), Heading: "Subscriptions", Head: own.User,
			Users: []*timeline.UserCard{cards.Users[joost], cards.Users[sanne], cards.Users[vera], cards.Users[lotte]}, Groups: []*timeline.GroupCard{cards.Groups[cooks]}})},
		{"people-empty", People(PeopleModel{Shell: sampleShell(0, "Members", "/cooks/subscribers"), Heading: "Members", Group: closed.Group, Empty: "No one yet."})},
		{"people-kept", People(PeopleModel{Shell: sampleShell(anneke, "Subscribers", "/anneke/subscribers"), Heading: "Subscribers", Head: own.User,
			Users: []*timeline.UserCard{cards.Users[joost], cards.Users[sanne]}, Manager: &Manager{Self: anneke, Name: "anneke"}})},
		{"members-kept", People(PeopleModel{Shell: sampleShell(anneke, "Members", "/cooks/subscribers"), Heading: "Members", Group: group.Group,
			Users: []*timeline.UserCard{cards.Users[anneke], cards.Users[sanne], cards.Users[vera]}, Manager: &Manager{Self: anneke, Name: "cooks", Group: true,
				Admins: map[timeline.UserID]bool{anneke: true, sanne: true}}})},
	}
}

func accountPages() []samplePage {
	cards := sampleCards()
	signIn := Shell{Title: "Sign in", Path: SignInPath, CSRF: "csrf-token-1"}
	seen := at("2026-11-19 07:00:00")
	shell := func(title, path string) Shell { return sampleShell(anneke, title, path) }
	choices := []Destination{{Value: "user", Label: "your feed", Checked: true}, {Value: "user_private", Label: "your private feed", Checked: false}, {Value: "user_fyeo", Label: "only you", Checked: false}, {Value: "group:cooks", Label: "Cooks of Noord", Checked: true}}
	ends, ended := at("2027-11-19 07:00:00"), at("2026-11-18 07:00:00")
	tokens := []Token{
		{ID: 1, Name: "Android", Scopes: []string{"read", "write"}, CreatedAt: at("2026-01-02 03:04:05"), SeenAt: &seen, Used: 1234, Limit: 5000},
		{ID: 2, Scopes: []string{"admin"}, CreatedAt: at("2026-02-02 03:04:05"), ExpiresAt: &ends, Used: 1},
		{ID: 3, Name: "Bridge", Scopes: []string{"read"}, CreatedAt: at("2026-02-03 03:04:05"), ExpiresAt: &ended, Expired: true, Limit: 5000},
	}
	return []samplePage{
		{"sign-in", SignIn(SignInModel{Shell: signIn, Remember: true, ReturnTo: "/joost"})},
		{"sign-in-refused", SignIn(SignInModel{Shell: signIn, Email: "anneke", Problems: Problems{"": "The name and the password do not go together."}})},
		{"sign-in-with-mail", SignIn(SignInModel{Shell: signIn, Mails: true})},
		{"sign-in-with-passkey", SignIn(SignInModel{Shell: signIn, Mails: true, Passkeys: true, ReturnTo: "/joost"})},
		{"mails", Mails(MailsModel{Shell: shell("Mails", MailsPath), Mails: []SentMail{{At: seen, To: "anna@example.org", Subject: "Sign in", Site: "http://127.0.0.1:8080", Text: "Hello.\n\nSign in:\nhttp://127.0.0.1:8080/users/link/x-y_z\n\nBye."}}})},
		{"mails-none", Mails(MailsModel{Shell: shell("Mails", MailsPath)})},
		{"stop", Stop(StopModel{Shell: Shell{Title: "Stop mails", Path: "/users/stop/x"}, Path: "/users/stop/x"})},
		{"stopped", Stop(StopModel{Shell: Shell{Title: "The mails are stopped", Path: StoppedPath}, Done: true})},
		{"settings-notices-mail", NoticeSettings(NoticeSettingsModel{Shell: shell("Notifications", NoticeSettingsPath), Mail: &MailWish{Often: "daily", Hour: 8, Confirmed: true}})},
		{"settings-notices-push", NoticeSettings(NoticeSettingsModel{Shell: shell("Notifications", NoticeSettingsPath), Pushes: &Pushes{Key: "BCVxsr7N"}})},
		{"settings-notices-pushes", NoticeSettings(NoticeSettingsModel{Shell: shell("Notifications", NoticeSettingsPath), Pushes: &Pushes{
			On: true, Receivers: []PushReceiver{{ID: 2, Browser: "Firefox", System: "Android", CreatedAt: seen, Current: true}, {ID: 1, CreatedAt: seen}},
		}})},
		{"settings-notices-unconfirmed", NoticeSettings(NoticeSettingsModel{Shell: shell("Notifications", NoticeSettingsPath), Mail: &MailWish{Often: "never"}, Problems: Problems{"often": "is wrong"}})},
		{"confirm", Confirm(ConfirmModel{Shell: Shell{Title: "Confirm your address", Path: "/users/confirm/x"}, Path: "/users/confirm/x"})},
		{"confirmed", Confirm(ConfirmModel{Shell: Shell{Title: "The address is confirmed", Path: ConfirmedPath}, Done: true})},
		{"settings-account-unconfirmed", Settings(SettingsModel{Shell: shell("Account", AccountPath), Page: AccountPath, HasPassword: true, Mails: true, Email: "anneke@example.org"})},
		{"settings-account-new-address", Settings(SettingsModel{Shell: shell("Account", AccountPath), Page: AccountPath, HasPassword: true, Mails: true, Email: "anneke@example.org", EmailConfirmed: true, EmailWanted: "new@example.org"})},
		{"settings-account-failed", Settings(SettingsModel{Shell: shell("Account", AccountPath), Page: AccountPath, HasPassword: true, Mails: true, Email: "anneke@example.org", EmailConfirmed: true, EmailFailed: true})},
		{"settings-account-confirmed", Settings(SettingsModel{Shell: shell("Account", AccountPath), Page: AccountPath, HasPassword: true, Mails: true, Email: "anneke@example.org", EmailConfirmed: true})},
		{"forgot", Forgot(ForgotModel{Shell: Shell{Title: "Forgot your password?", Path: ForgotPath}})},
		{"forgot-sent", Forgot(ForgotModel{Shell: Shell{Title: "Forgot your password?", Path: ForgotPath}, Sent: true})},
		{"forgot-refused", Forgot(ForgotModel{Shell: Shell{Title: "Forgot your password?", Path: ForgotPath}, Problems: Problems{"login": "is missing", "": "Too many attempts."}})},
		{"settings-account-by-link", Settings(SettingsModel{Shell: shell("Account", AccountPath), Page: AccountPath, HasPassword: true, Forgot: true})},
		{"sign-up", SignUp(SignUpModel{Shell: Shell{Title: "Sign up", Path: SignUpPath, CSRF: "csrf-token-2"}})},
		{"sign-up-approval", SignUp(SignUpModel{Shell: Shell{Title: "Sign up", Path: SignUpPath}, Approval: true, About: "bridges", Problems: Problems{"about": "is too long"}})},
		{"applicants", Applicants(ApplicantsModel{Shell: shell("New people", ApplicantsPath), People: cards.Users, Waiting: []timeline.Applicant{
			{ID: 1, Name: "carla", DisplayName: "Carla <b>", About: "I like <i>bridges</i>.", CreatedAt: seen}, {ID: 2, Name: "dirk", DisplayName: "Dirk", InvitedBy: joost, CreatedAt: seen}}})},
		{"sign-up-refused", SignUp(SignUpModel{Shell: signIn, Name: "ab", Email: "a@example.org", Problems: Problems{"name": "has at least 3 characters", "password": "is empty", "tribe": "is unknown"}})},
		{"requests", Requests(RequestsModel{Shell: shell("Requests", RequestsPath), Requests: []Request{
			{UUID: "6f1c", From: cards.Users[vera], At: seen}, {UUID: "6f1d", From: cards.Users[pieter], To: cards.Groups[gitApply], At: seen},
			{UUID: "6f1e", From: cards.Users[emre], At: seen, Private: true},
		}, Invitations: []Invitation{{UUID: "70", From: cards.Users[sanne], At: seen, Private: true}, {UUID: "71", From: cards.Users[joost], To: cards.Groups[cooks], At: seen}}})},
		{"notifications", Notices(sampleNotices(shell("Notifications", NoticesPath), cards.Users[vera], ""))},
		{"notifications-none", Notices(NoticesModel{Shell: shell("Notifications", NoticesPath)})},
		{"notifications-settings", NoticeSettings(sampleNoticeSettings(shell("Notifications", NoticeSettingsPath), Problems{"notifications": "are of no kind"}))},
		{"requests-empty", Requests(RequestsModel{Shell: shell("Requests", RequestsPath)})},
		{"new-group", NewGroup(NewGroupModel{Shell: shell("New group", NewGroupPath)})},
		{"new-group-refused", NewGroup(NewGroupModel{Shell: shell("New group", NewGroupPath), Name: "cooks", Status: "private", Problems: Problems{"name": "is taken"}})},
		{"settings", Settings(SettingsModel{Shell: saved(shell("Profile", SettingsPath), ProfileForm), Page: SettingsPath, DisplayName: "Anneke de Wit", Description: "Here."})},
		{"settings-account", Settings(SettingsModel{Shell: saved(shell("Account", AccountPath), NameForm), Page: AccountPath, Name: "anneke", HasPassword: true,
			Sessions: []Session{{ID: 1, Browser: "Firefox", System: "Android", CreatedAt: seen, SeenAt: seen}, {ID: 2, Browser: "Safari", CreatedAt: seen, SeenAt: seen}, {ID: 3, Current: true}}})},
		{"settings-account-passkeys", Settings(SettingsModel{Shell: saved(shell("Account", AccountPath), PasskeyForm), Page: AccountPath, Name: "anneke", HasPassword: true,
			Passkeys: &Passkeys{New: "Firefox on Linux", All: []timeline.Passkey{{ID: 1, Name: "my phone", CreatedAt: seen, UsedAt: &seen}, {ID: 2, Name: "a key", CreatedAt: seen}}}})},
		{"settings-account-passkeys-none", Settings(SettingsModel{Shell: shell("Account", AccountPath), Page: AccountPath, Name: "anneke", Passkeys: &Passkeys{New: "Firefox on Linux"}})},
		{"settings-account-passkey-refused", Settings(SettingsModel{Shell: shell("Account", AccountPath), Page: AccountPath, Name: "anneke", HasPassword: true, Refused: PasskeyForm, Problems: Problems{"password": "is wrong", "name": "is empty"},
			Passkeys: &Passkeys{New: "a key", Refused: 1, Typed: "x", All: []timeline.Passkey{{ID: 1, Name: "my phone", CreatedAt: seen}}}})},
		{"settings-privacy", Settings(SettingsModel{Shell: saved(shell("Privacy", PrivacyPath), PrivacyForm), Page: PrivacyPath, Status: "disallow-robots", DirectsFrom: "subscriptions",
			Audience: &Audience{Audience: timeline.Audience{People: 0, Lose: 40, Closes: true}, About: AboutFeed}})},
		{"settings-appearance", Settings(SettingsModel{Shell: saved(shell("Appearance", AppearancePath), AppearanceForm), Page: AppearancePath})},
		{"settings-tokens", Settings(SettingsModel{Shell: shell("API tokens", TokensPath), Page: TokensPath, Tokens: tokens, NewToken: "5e0f7c6a-9f64-4f9b-8f0b-0f4b6c1d2e3f"})},
		{"settings-data", Settings(SettingsModel{Shell: shell("Your data", DataPath), Page: DataPath})},
		{"settings-data-groups", Settings(SettingsModel{Shell: shell("Your data", DataPath), Page: DataPath,
			GroupsLeft: []GroupLeft{{Group: cards.Groups[cooks], Heir: cards.Users[joost]}, {Group: cards.Groups[gitApply]}}})},
		{"leaving", Leaving(LeavingModel{Shell: Shell{Title: "You deleted this account", Path: SignInPath}, Path: LinkPath + "x", EraseAt: at("2026-06-01 09:00:00")})},
		{"invite", SignUpLinks(SignUpLinksModel{Shell: shell("Invite people", SignUpLinksPath), New: "https://amstel.example/users/sign_up?link=x", Uses: "many", Days: "7",
			Problems: Problems{"uses": "is no number"}, Links: []timeline.SignUpLink{{ID: 1, CreatedAt: at("2026-05-18 09:00:00"), ExpiresAt: at("2026-05-25 09:00:00"), Uses: 5, Used: 2}},
			Came: []*timeline.UserCard{sampleCards().Users[joost]}})},
		{"invite-closed", SignUpLinks(SignUpLinksModel{Shell: shell("Invite people", SignUpLinksPath), Closed: true})},
		{"admin", Admin(AdminModel{Shell: shell("Administration", AdminPath), Overview: timeline.Overview{People: 3, Reports: 2, Bytes: 123_456_789}, Name: "j", Older: AdminPath + "?before=2", People: sampleCards().Users,
			Failed:   []timeline.FailedMail{{User: joost, At: at("2026-05-18 09:00:00"), Fault: "550 5.1.1 <…>: no such user"}, {User: 99, At: at("2026-05-17 09:00:00"), Fault: "no answer"}},
			Accounts: []timeline.Account{{ID: joost, CreatedAt: at("2026-05-18 09:00:00"), InvitedBy: anneke, Reports: 2}, {ID: anneke, CreatedAt: at("2026-05-01 09:00:00"), SeenAt: ptr(at("2026-05-18 09:00:00")), Admin: true, Suspended: true, EraseAt: ptr(at("2026-06-01 09:00:00"))}}})},
		{"report", Report(ReportModel{Shell: shell("Report", ReportPath), Draft: timeline.ReportDraft{Post: 31, Reason: "too <b>long</b>"}, Form: &timeline.ReportForm{
			Author: "joost", Who: "joost", Text: "The lock & the barge", Private: true, Groups: []*timeline.GroupCard{{ID: 1, Name: "cooks", DisplayName: "Cooks"}},
		}, Problems: Problems{"reason": "is too long"}})},
		{"report-sent", Report(ReportModel{Shell: shell("Sent", ReportPath)})},
		{"across-comments", Across(AcrossModel{Shell: shell("Hidden by a ban", "/joost/31/across_bans"), More: "/joost/31/across_bans?after=2", AcrossBans: &timeline.AcrossBans{
			Users: cards.Users, Groups: cards.Groups, Posts: []timeline.PostAcrossBan{{ID: 31, Author: joost, PublishedAt: seen}},
			Comments: []timeline.CommentAcrossBan{{ID: 1, User: pieter, Text: "So <you> say.", CreatedAt: seen}, {ID: 2, User: emre, Files: 2, CreatedAt: seen}},
		}})},
		{"across-post", Across(AcrossModel{Shell: shell("Hidden by a ban", "/pieter/32/across_bans"), AcrossBans: &timeline.AcrossBans{
			Users: cards.Users, Groups: cards.Groups, Posts: []timeline.PostAcrossBan{{ID: 32, Author: pieter, Text: "Buy this", PublishedAt: seen, Groups: []timeline.GroupID{cooks}}},
		}})},
		{"across-group", Across(AcrossModel{Shell: shell("Hidden by a ban", "/cooks/across_bans"), AcrossBans: &timeline.AcrossBans{
			Users: cards.Users, Groups: cards.Groups, Group: cooks,
			Posts: []timeline.PostAcrossBan{{ID: 32, Author: pieter, Text: "Buy & sell", Files: 1, Comments: 3, PublishedAt: seen, Groups: []timeline.GroupID{cooks}}},
		}})},
		{"across-group-none", Across(AcrossModel{Shell: shell("Hidden by a ban", "/cooks/across_bans"), AcrossBans: &timeline.AcrossBans{Groups: cards.Groups, Group: cooks}})},
		{"reports", Reports(sampleReports(shell("Reports", ReportsPath)))},
		{"site", Site(SiteModel{Shell: shell("The site", SitePath), Settings: timeline.DefaultSite().ForPage(), Problems: Problems{"best_of.like": "is too much", "bump": "is one of two"}, People: cards.Users, Changes: []timeline.SiteChange{
			{At: seen, By: anneke, Setting: "registration", Was: "open", Value: "approval"}, {At: seen, Setting: "rules", Value: "Be kind.\nPost no watches."}}})},
		{"settings-refused", Settings(SettingsModel{Shell: shell("Profile", SettingsPath), Page: SettingsPath, Refused: ProfileForm, Problems: Problems{"display_name": "is empty"}})},
		{"settings-account-refused", Settings(SettingsModel{Shell: shell("Account", AccountPath), Page: AccountPath, HasPassword: true, Refused: PasswordForm, Problems: Problems{"old": "is wrong", "new": "is short"}})},
		{"settings-privacy-refused", Settings(SettingsModel{Shell: shell("Privacy", PrivacyPath), Page: PrivacyPath, Refused: PrivacyForm, Problems: Problems{"status": "is none", "directs_from": "is none"}})},
		{"settings-appearance-refused", Settings(SettingsModel{Shell: shell("Appearance", AppearancePath), Page: AppearancePath, Refused: AppearanceForm, Problems: Problems{"page_language": "is none", "own_posts": "is none"}})},
		{"settings-tokens-refused", Settings(SettingsModel{Shell: shell("API tokens", TokensPath), Page: TokensPath, Refused: TokenForm, Problems: Problems{"name": "is empty"}})},
		{"settings-data-refused", Settings(SettingsModel{Shell: shell("Your data", DataPath), Page: DataPath, Refused: DeleteForm, Problems: Problems{"password": "is wrong"}})},
		{"edit-post", EditPost(EditPostModel{Shell: shell("Edit post", "/anneke/29/edit"), Author: "anneke", Post: 29, Text: "Small thing I like about this place.",
			To: choices, Audience: &Audience{Audience: timeline.Audience{People: 12, Gain: 3, Lose: 5, Closes: true}, About: AboutMove}})},
		{"edit-post-refused", EditPost(EditPostModel{Shell: shell("Edit post", "/anneke/29/edit"), Author: "anneke", Post: 29, To: choices,
			Audience: &Audience{About: AboutMove, Refuse: "This is not for you to see or do."}, Problems: Problems{"text": "is empty", "timelines": "are empty"}})},
		{"edit-direct", EditPost(EditPostModel{Shell: shell("Edit post", "/emre/27/edit"), Author: "emre", Post: 27, Text: "Friday?", Direct: true,
			Recipients: []*timeline.UserCard{cards.Users[anneke], cards.Users[olga]}, Problems: Problems{"to": "names no account"}})},
		{"edit-group", EditGroup(EditGroupModel{Shell: shell("Edit group", "/cooks/edit"), Self: anneke, Group: cards.Groups[cooks], Typed: *cards.Groups[cooks],
			Audience: &Audience{Audience: timeline.Audience{Everybody: true, People: 40, Opens: true}, About: AboutGroup},
			Admins:   []*timeline.UserCard{cards.Users[anneke], cards.Users[sanne]}, Blocked: []*timeline.UserCard{cards.Users[pieter]},
			Invited: []Invitation{{UUID: "1", Who: cards.Users[vera], To: cards.Groups[cooks], At: seen}}})},
		{"edit-group-refused", EditGroup(EditGroupModel{Shell: shell("Edit group", "/cooks/edit"), Self: anneke, Group: cards.Groups[cooks], Problems: Problems{"name": "is taken", "": "Not now"}})},
		{"people-of-mine", MyPeople(MyPeopleModel{Shell: shell("People", MyPeoplePath), Name: "anneke", Banned: []*timeline.UserCard{cards.Users[pieter]},
			Muted:    []MutedPerson{{cards.Users[olga], true, true}, {cards.Users[emre], false, true}, {cards.Users[joost], true, false}},
			Hidden:   []HiddenPerson{{cards.Users[olga], true, true}, {cards.Users[emre], false, true}, {cards.Users[joost], true, false}},
			Excluded: []*timeline.UserCard{cards.Users[emre]}, Subscribers: []*timeline.UserCard{cards.Users[sanne], cards.Users[lotte]},
			Invited: []Invitation{{UUID: "1", Who: cards.Users[vera], At: seen}, {UUID: "2", Who: cards.Users[joost], At: seen, Private: true}}})},
		{"lists", Lists(sampleLists(shell("Lists", MyListsPath)))},
		{"lists-none", Lists(ListsModel{Shell: shell("Lists", MyListsPath), Problems: Problems{"name": "is empty"}})},
		{"people-of-mine-none", MyPeople(MyPeopleModel{Shell: shell("People", MyPeoplePath), Name: "anneke"})},
		{"edit-comment", EditComment(EditModel{Shell: shell("Edit comment", "/joost/31/comments/3100/edit"), Author: "joost", Post: 31, Comment: 3100, Text: "And tests?", Problems: Problems{"text": "is empty"}})},
		{"share-button", ShareButton(ShareButtonModel{Shell: Shell{Title: "The share button", Path: SharePath}, Site: "https://amstel.example"})},
		{"shared", Shared(SharedModel{Shell: shell("Share a page", SharePath), Form: &PostForm{Text: "A title", To: choices,
			Links: []string{"https://example.org/1.jpg", "https://example.org/" + strings.Repeat("long/", 30) + "2.jpg"}}})},
		{"about", About(AboutModel{Shell: Shell{Title: "About Amstel", Path: AboutPath}})},
		{"about-in-words", About(AboutModel{Shell: Shell{Title: "About Amstel", Path: AboutPath}, About: "A place for people who like *bridges*.\n\nIt is run by @anneke."})},
		{"rules", Rules(RulesModel{Shell: Shell{Title: "Rules of Amstel", Path: RulesPath}, Rules: "- Be kind.\n- Post no watches.", Since: seen})},
		{"status", Status(sampleStatus(sampleShell(anneke, "Status", StatusPath)))},
		{"status-starting", Status(StatusModel{Shell: Shell{Title: "Status", Path: StatusPath}, State: "starting", Age: 24 * time.Hour})},
	}
}

func errorPages() []samplePage {
	cards := sampleCards()
	fault := func(u timeline.UserID, status int) ErrorModel {
		return ErrorModel{Shell: sampleShell(u, "Sorry", "/somewhere"), Status: status}
	}
	closed := fault(anneke, 403)
	closed.Message = "Sanne Bakker's feed is private."
	closed.User = &UserHead{Card: cards.Users[sanne], Signed: true, Closed: true, ReturnTo: "/sanne"}
	group := fault(0, 403)
	group.Group = &GroupHead{Card: cards.Groups[gitApply], Closed: true}
	busy := fault(0, 503)
	busy.Retry = 5
	slow := fault(anneke, 429)
	slow.Retry = 600
	return []samplePage{
		{"error-404", Error(fault(0, 404))},
		{"error-403-user", Error(closed)},
		{"error-403-group", Error(group)},
		{"error-401", Error(fault(0, 401))},
		{"error-503", Error(busy)},
		{"error-429", Error(slow)},
		{"error-500", Error(fault(anneke, 500))},
		{"error-422", Error(fault(anneke, 422))},
		{"error-418", Error(fault(anneke, 418))},
		{"error-599", Error(fault(anneke, 599))},
	}
}

// sampleReports returns the page of reports with one of each kind.
func sampleReports(shell Shell) ReportsModel {
	people := sampleCards().Users
	at := time.Date(2026, 5, 18, 9, 0, 0, 0, time.UTC)
	open := &timeline.ReportPage{Users: people, Groups: map[timeline.GroupID]*timeline.GroupCard{1: {ID: 1, Name: "cooks", DisplayName: "Cooks"}}, Reports: []timeline.Report{
		{ID: 6, At: at, By: emre, User: joost, Reason: "Insults\nall day."},
		{ID: 5, At: at, By: emre, User: joost, Author: anneke, Post: 31, Comment: 2, Reason: "Spam", Text: "Buy <b>watches</b>", Before: 2},
		{ID: 4, At: at, By: emre, User: joost, Author: joost, Post: 31, Group: 1, Reason: "Off topic", Text: "Trams"},
		{ID: 3, At: at, By: emre, User: joost, Post: 32, Reason: "A threat", Quote: "I know where you live"},
		{ID: 2, At: at, By: joost, User: joost, Objection: 1, Reason: "It was a joke."},
	}}
	closed := &timeline.ReportPage{Users: people, Reports: []timeline.Report{
		{ID: 1, At: at, By: emre, User: joost, Reason: "Spam", Closed: &timeline.JournalEntry{ID: 1, At: at, By: anneke, Act: timeline.ActSuspend, User: joost, Reason: "spam", Until: at.AddDate(0, 0, 3)}},
	}}
	held := []timeline.HeldPost{
		{ID: 40, Author: emre, Text: "See <https://example.org>", To: []string{"user", "user_private", "group:cooks"}, At: at},
		{ID: 41, Author: 99, To: []string{"group:cooks"}, Files: 2, At: at, Hidden: true, Changed: true},
	}
	return ReportsModel{Shell: shell, Held: held, Authors: people, Open: open, Closed: closed, Older: ReportsPath + "?before=2", Refused: Refused{ID: 6, Days: "soon",
		Decision: timeline.Decision{Act: timeline.ActSuspend}, Problems: Problems{"days": "is no number"}}}
}
