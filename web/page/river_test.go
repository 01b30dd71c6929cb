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

// pageOf renders a page of a river and parses it.
func pageOf(t *testing.T, m RiverModel) *html.Node {
	t.Helper()
	return parse(t, render(t, River(m)))
}

func TestRiverIsWhatTheClientReads(t *testing.T) {
	t.Parallel()
	m := sampleRiver(anneke, river.KindHome, "Home", "/?page=2", sampleEntries()...)
	m.Older, m.Newer = "/?page=3", "/"
	main := one(t, pageOf(t, m), "#river")
	want := map[string]string{
		"id": "river", "class": "river river-home", "data-river": m.UUID, "data-epoch": "e1", "data-counter": "42",
		"data-position": "1234", "data-page": "/?page=2", "data-live": "true", "data-viewer": "anneke",
	}
	got := map[string]string{}
	for _, a := range main.Attr {
		got[a.Key] = a.Val
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("main (-want +got):\n%s", diff)
	}
	var children []string
	for _, c := range below(main, false) {
		children = append(children, c.Data)
	}
	wanted := append(strings.Fields(strings.Repeat("article ", len(m.View.Entries))), "div", "nav")
	if diff := cmp.Diff(wanted, children); diff != "" {
		t.Errorf("its children (-want +got):\n%s", diff)
	}
	if got := attr(one(t, main, "nav.pages a[rel=next]"), "href"); got != "/?page=3" {
		t.Errorf("older is at %q", got)
	}
	if got := attr(one(t, main, "nav.pages a[rel=prev]"), "href"); got != "/" {
		t.Errorf("newer is at %q", got)
	}
}

func TestRiverThatIsNotLiveSaysSo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		live bool
		uuid string
		want string
	}{
		{"held and named", true, "u", "true"},
		{"read from the primary", false, "u", "false"},
		{"without a name", true, "", "false"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := sampleRiver(0, river.KindEverything, "", "/")
			m.View.Live, m.UUID, m.Path = tt.live, tt.uuid, "/asked"
			main := one(t, pageOf(t, m), "#river")
			if attr(main, "data-live") != tt.want || attr(main, "data-viewer") != "" || attr(main, "data-page") != "/asked" {
				t.Errorf("main is %v", main.Attr)
			}
		})
	}
}

func TestRiverTakesKeptFragments(t *testing.T) {
	t.Parallel()
	m := sampleRiver(0, river.KindEverything, "", "/", sampleEntries()[:3]...)
	kept := m.View.Entries[1].Fold.Post
	m.Fragment = func(e *river.Entry) (string, bool) {
		return `<article id="kept"></article>`, e.Fold.Post == kept
	}
	var got []string
	for _, a := range all(pageOf(t, m), "#river > article") {
		got = append(got, attr(a, "id"))
	}
	if diff := cmp.Diff([]string{"p31", "kept", "p29"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRiverSaysWhatToDoWhereItIsEmpty(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind river.Kind
		want string
	}{
		{river.KindHome, "press Subscribe"},
		{river.KindUser, "What Joost van Dam writes"},
		{river.KindComments, "Posts that Joost van Dam comments on"},
		{river.KindPhotos, "Posts by Joost van Dam with a photo"},
		{river.KindGroupPhotos, "Posts in this group with a photo"},
		{river.KindLikes, "Posts that Joost van Dam likes"},
		{river.KindGroup, "No posts in this group yet"},
		{river.KindDirects, "No direct messages yet"},
		{river.KindFavs, "No favourites yet"},
		{river.KindEverything, "No posts yet"},
		{river.KindPost, "This post isn't here any more"},
	} {
		t.Run(string(tt.kind), func(t *testing.T) {
			t.Parallel()
			m := sampleRiver(anneke, tt.kind, "", "/x")
			m.User = &UserHead{Card: sampleCards().Users[joost]}
			if got := words(one(t, pageOf(t, m), "#river > div.empty")); !strings.Contains(got, tt.want) {
				t.Errorf("%q does not say %q", got, tt.want)
			}
			m.Newer = "/x"
			if got := words(one(t, pageOf(t, m), "#river > div.empty")); got != "That's all. There are no older posts." {
				t.Errorf("a later page says %q", got)
			}
		})
	}
}

// offers returns the actions that a head offers: method, path, label.
func offers(t *testing.T, head *html.Node) (found []string) {
	t.Helper()
	for _, f := range all(head, "form") {
		method := "POST"
		for _, m := range all(f, "input[name=_method]") {
			method = attr(m, "value")
		}
		if back := one(t, f, "input[name=return_to]"); attr(back, "value") != "/back" {
			t.Errorf("the form to %q leads back to %q", attr(f, "action"), attr(back, "value"))
		}
		found = append(found, method+" "+attr(f, "action")+" "+words(one(t, f, "button")))
	}
	for _, a := range all(head, ".subject-acts a") {
		found = append(found, "GET "+attr(a, "href")+" "+words(a))
	}
	return found
}

func TestUserHeadOffersWhatFits(t *testing.T) {
	t.Parallel()
	const api = " /api/v1/users/x"
	away := []string{"POST" + api + "/hide.json Hide posts", "POST" + api + "/hide_comments.json Hide comments", "POST" + api + "/exclusion.json Block", "POST" + api + "/ban.json Ban",
		"GET /filter/directs?to=x Send a direct message", "GET " + ComparePath + " What is the difference?", "GET /settings/report?name=x Report…"}
	private := []string{"POST" + api + "/private/subscribers.json Ask to read the private feed"}
	ask := []string{"POST" + api + "/subscribers.json Ask to subscribe", "POST" + api + "/subscribers.json Ask to subscribe to new posts only"}
	for _, tt := range []struct {
		name, status string
		signed       bool
		relation     Relation
		want         [][]string
	}{
		{"a visitor signs in", "public", false, Relation{}, [][]string{{"GET /users/sign_in?return_to=%2Fback Sign in to subscribe"}}},
		{"a stranger subscribes", "public", true, Relation{}, [][]string{
			{"POST" + api + "/subscribers.json Subscribe", "POST" + api + "/subscribers.json Subscribe to new posts only"}, private, away}},
		{"or asks to", "private", true, Relation{}, [][]string{ask, private, away}},
		{"a protected feed is asked, too", "protected", true, Relation{}, [][]string{ask, private, away}},
		{"no one subscribes to a feed for the owner's eyes only", "fyeo", true, Relation{}, [][]string{private, away}},
		{"nor does an excluded person", "public", true, Relation{Barred: true, Private: Following{Barred: true}}, [][]string{away}},
		{"a person who asked withdraws the request", "private", true, Relation{Requested: true, Private: Following{Requested: true}}, [][]string{
			{"DELETE" + api + "/subscribers.json Withdraw request", "DELETE" + api + "/private/subscribers.json Withdraw the request for the private feed"}, away}},
		{"an invited person answers", "private", true, Relation{Invitation: "i1", Private: Following{Invitation: "i2"}}, [][]string{
			{"PUT /api/v1/invitations/i1.json Accept the invitation", "DELETE /api/v1/invitations/i1.json Decline",
				"PUT /api/v1/invitations/i2.json Accept the invitation", "DELETE /api/v1/invitations/i2.json Decline"}, away}},
		{"a subscriber leaves", "private", true, Relation{Subscribed: true, Private: Following{Subscribed: true}}, [][]string{
			{"DELETE" + api + "/subscribers.json Unsubscribe", "PATCH" + api + "/subscribers.json Only new posts on my home page",
				"DELETE" + api + "/private/subscribers.json Leave the private feed"}, away}},
		{"or has all of it again", "public", true, Relation{Subscribed: true, ForwardOnly: true}, [][]string{
			{"DELETE" + api + "/subscribers.json Unsubscribe", "PATCH" + api + "/subscribers.json Show older posts on my home page too"}, private, away}},
		{"what was done is undone", "fyeo", true, Relation{HidesPosts: true, HidesComments: true, Excluded: true}, [][]string{private, {
			"DELETE" + api + "/hide.json Show posts again", "DELETE" + api + "/hide_comments.json Show comments again",
			"DELETE" + api + "/exclusion.json Unblock from my feed", "POST" + api + "/ban.json Ban", away[len(away)-3], away[len(away)-2], away[len(away)-1]}}},
		{"a person who banned unbans first", "public", true, Relation{Banned: true}, [][]string{{"DELETE" + api + "/ban.json Unban"}}},
		{"one's own profile is edited", "public", true, Relation{Self: true}, [][]string{{"GET /settings Edit profile"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			head := &UserHead{Card: &timeline.UserCard{Name: "x", Status: tt.status}, Relation: tt.relation, Signed: tt.signed, ReturnTo: "/back"}
			if diff := cmp.Diff(slices.Concat(tt.want...), offers(t, parse(t, render(t, userHead(catalogue.English, head))))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestGroupHeadOffersWhatFits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		signed   bool
		relation Relation
		want     []string
	}{
		{"a visitor", false, Relation{}, []string{"GET /users/sign_in?return_to=%2Fback Sign in to join"}},
		{"a stranger", true, Relation{}, []string{"POST /api/v1/groups/x/subscribers.json Join", "POST /api/v1/groups/x/subscribers.json Join for new posts only"}},
		{"a stranger blocked from the group", true, Relation{Barred: true}, nil},
		{"a member", true, Relation{Subscribed: true, Admin: true}, []string{
			"DELETE /api/v1/groups/x/subscribers.json Leave", "PATCH /api/v1/groups/x/subscribers.json Only new posts on my home page", "GET /x/edit Edit group", "GET /settings/reports Reports"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			head := &GroupHead{Card: &timeline.GroupCard{Name: "x", Status: "public"}, Relation: tt.relation, Signed: tt.signed, ReturnTo: "/back"}
			doc := parse(t, render(t, groupHead(catalogue.English, head)))
			if diff := cmp.Diff(tt.want, offers(t, doc)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := strings.Contains(words(one(t, doc, ".subject-at")), "you administer it"); got != tt.relation.Admin {
				t.Errorf("said to administer it: %v", got)
			}
		})
	}
}

func TestHeadShowsReaders(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ status, class, want string }{
		{"public", "", ""},
		{"disallow-robots", "", ""},
		{"protected", "fa-shield", "Protected feed: only people who are signed in can read it"},
		{"private", "fa-lock", "Private feed: only approved subscribers can read it"},
		{"fyeo", "fa-eye", "For your eyes only"},
	} {
		t.Run(tt.status, func(t *testing.T) {
			t.Parallel()
			doc := parse(t, render(t, userHead(catalogue.English, &UserHead{Card: &timeline.UserCard{Name: "x", Status: tt.status}})))
			got := ""
			for _, p := range all(doc, ".bem-feedinfo__description p.standing") {
				got += words(p)
				if !fits(p, "."+tt.class) || len(all(p, "i.icon")) != 1 {
					t.Errorf("%q has the class %q", words(p), attr(p, "class"))
				}
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestHeadLinksToPeopleAndTabs(t *testing.T) {
	t.Parallel()
	head := &UserHead{Card: &timeline.UserCard{Name: "joost", Status: "public"}, Tab: TabLikes, Counts: Counts{ptr(1), ptr(20)}}
	doc := parse(t, render(t, userHead(catalogue.English, head)))
	if got := words(one(t, doc, `.stats .stats-item a[href="/joost/subscribers"]`)); got != "1 subscriber" {
		t.Errorf("subscribers: %q", got)
	}
	if got := words(one(t, doc, `.stats .stats-item a[href="/joost/subscriptions"]`)); got != "20 subscriptions" {
		t.Errorf("subscriptions: %q", got)
	}
	if got := attr(one(t, doc, "nav.tabs a[aria-current=page]"), "href"); got != "/joost/likes" {
		t.Errorf("the tab is %q", got)
	}
	head.Closed = true
	if doc := parse(t, render(t, userHead(catalogue.English, head))); len(all(doc, "nav.tabs")) != 0 || len(all(doc, ".stats")) != 1 {
		t.Error("a closed page shows more, or less, than how many people there are")
	}
}
