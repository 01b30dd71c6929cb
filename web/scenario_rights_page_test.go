package web_test

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"amstel.dev/amstel/timeline"
)

// offered are the forms of a page, and the buttons with an address of their own: method and
// address, or the path of the API that the form names.
func offered(body string) []string {
	form := regexp.MustCompile(`(?s)<form[^>]*action="([^"]*)"[^>]*>(.*?)</form>`)
	method := regexp.MustCompile(`name="_method" value="([A-Z]*)"`)
	action := regexp.MustCompile(`name="_action" value="([^"]*)"`)
	var all []string
	for _, f := range form.FindAllStringSubmatch(body, -1) {
		how := "POST"
		if m := method.FindStringSubmatch(f[2]); m != nil {
			how = cmp.Or(m[1], how)
		}
		does := f[1]
		if m := action.FindStringSubmatch(f[2]); m != nil {
			does = m[1]
		}
		all = append(all, how+" "+does)
	}
	button := regexp.MustCompile(`<button[^>]* formaction="([^"]*)"(?: name="_method" value="([A-Z]*)")?`)
	for _, b := range button.FindAllStringSubmatch(body, -1) {
		all = append(all, cmp.Or(b[2], "POST")+" "+b[1])
	}
	return all
}

// offers fails the test unless the page has the forms.
func (a answer) offers(forms ...string) answer {
	a.t.Helper()
	found := offered(a.body)
	for _, want := range forms {
		if !slices.Contains(found, want) {
			a.t.Errorf("%q is not among %q", want, found)
		}
	}
	return a
}

// press sends a form of a page. The form has its method in a field.
func (c *client) press(method, path string, fields ...string) answer {
	c.b.t.Helper()
	return c.form("POST", path, append(fields, "_method", method)...)
}

// says fails the test unless the page has the words.
func (a answer) says(words ...string) answer {
	a.t.Helper()
	body := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(a.body, " ")), " ")
	for _, want := range words {
		if !strings.Contains(body, want) {
			a.t.Errorf("the page does not say %q:\n%s", want, body)
		}
	}
	return a
}

func TestPersonsMenuUndoesEachOfItsActions(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.browser("alice")
	for _, tt := range []struct{ path, mark string }{
		{"/exclusion.json", "ou blocked them from your feed"},
		{"/hide.json", "ou hide their posts"},
		{"/hide_comments.json", "ou hide their comments"},
		{"/ban.json", "ou banned them"},
	} {
		address := "/api/v1/users/bobby" + tt.path
		alice.get("/bobby").offers("POST " + address)
		alice.form("POST", address, "return_to", "/bobby").leadsTo("/bobby")
		alice.get("/bobby").offers("DELETE " + address).says(tt.mark)
		alice.get("/settings/people").offers("DELETE " + address).says("Bobby")
		alice.press("DELETE", address, "return_to", "/settings/people").leadsTo("/settings/people")
		if people := alice.get("/settings/people").html(); strings.Contains(people, "Bobby") {
			t.Errorf("%s: still on the list", tt.path)
		}
		alice.get("/bobby").offers("POST " + address)
	}
}

func TestMenuLeadsToDirects(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.browser("alice")
	if page := alice.get("/bobby").html(); !strings.Contains(page, `href="/filter/directs?to=bobby"`) {
		t.Error("the page has no form for a direct message")
	}
	if page := alice.get("/filter/directs?to=bobby").html(); !strings.Contains(page, `name="post[to]" type="text" value="bobby"`) {
		t.Error("the form lacks the recipient")
	}
}

func TestSubscribingFromNowOn(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.browser("alice")
	const address = "/api/v1/users/bobby/subscribers.json"
	alice.form("POST", address, "forward_only", "1", "return_to", "/bobby").leadsTo("/bobby")
	alice.get("/bobby").says("You subscribe to new posts only", "Show older posts on my home page too").offers("PATCH "+address, "DELETE "+address)
	alice.press("PATCH", address, "forward_only", "0", "return_to", "/bobby").leadsTo("/bobby")
	alice.get("/bobby").says("Only new posts on my home page")
}

func TestPrivateFeedOnPages(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, carol := b.browser("alice"), b.browser("bobby"), b.browser("carol")
	const private = "/api/v1/users/alice/private/subscribers.json"

	bobby.get("/alice").offers("POST " + private)
	bobby.form("POST", private, "return_to", "/alice").leadsTo("/alice")
	bobby.get("/alice").offers("DELETE " + private).says("Withdraw the request for the private feed")
	requests := alice.get("/requests").says("Bobby asks to subscribe to your private feed").html()
	accept := regexp.MustCompile(`/api/v1/subscription_requests/[^"]*`).FindString(requests)
	alice.press("PUT", accept, "return_to", "/requests").leadsTo("/requests")
	bobby.get("/alice").says("Leave the private feed")
	alice.get("/settings/people").says("Bobby").offers("DELETE /api/v1/users/alice/private/subscribers/bobby.json")

	alice.form("POST", "/api/v1/users/alice/private/invitations.json", "to", "carol", "return_to", "/settings/people").leadsTo("/settings/people")
	alice.get("/settings/people").says("to your private feed", "Withdraw")
	invitation := regexp.MustCompile(`/api/v1/invitations/[^"]*`).FindString(carol.get("/requests").says("Alice invites you to subscribe to their private feed").html())
	carol.get("/alice").offers("PUT "+invitation, "DELETE "+invitation).says("Accept the invitation")
	carol.press("PUT", invitation, "return_to", "/alice").leadsTo("/alice")
	carol.get("/alice").says("Leave the private feed")
}

func TestManagersOfSubscribers(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, carol := b.browser("alice"), b.browser("bobby"), b.browser("carol")
	alice.form("POST", "/api/v1/groups.json", "group[name]", "cooks", "group[display_name]", "Cooks").leadsTo("/cooks")
	for _, c := range []*client{bobby, carol} {
		c.form("POST", "/api/v1/groups/cooks/subscribers.json").leadsTo("/cooks")
	}
	const api = "/api/v1/groups/cooks"
	alice.get("/cooks/subscribers").offers("POST "+api+"/admins/bobby.json", "DELETE "+api+"/subscribers/bobby.json", "POST "+api+"/exclusions/bobby.json", "DELETE "+api+"/admins/alice.json")
	if forms := offered(bobby.get("/cooks/subscribers").html()); slices.Contains(forms, "DELETE "+api+"/subscribers/carol.json") {
		t.Errorf("a member is offered to remove another: %q", forms)
	}
	alice.form("POST", api+"/admins/bobby.json", "return_to", "/cooks/subscribers").leadsTo("/cooks/subscribers")
	alice.get("/cooks/subscribers").offers("DELETE "+api+"/admins/bobby.json").says("Administrators:", "administrator")
	alice.form("POST", api+"/exclusions/carol.json", "return_to", "/cooks/subscribers").leadsTo("/cooks/subscribers")
	carol.get("/cooks").says("The administrators have blocked you from this group.")
	alice.get("/cooks/edit").offers("DELETE "+api+"/exclusions/carol.json", "POST "+api+"/invitations.json", "PATCH "+api+".json").says("Carol", "Blocked")
	if a := carol.get("/cooks/edit"); a.status != http.StatusForbidden {
		t.Errorf("a stranger edits the group: %d", a.status)
	}
	again := alice.press("PATCH", api+".json", "group[name]", "cooks", "group[display_name]", "", "group[description]", "typed", "group[status]", "private", "return_to", "/cooks/edit")
	if again.status != http.StatusUnprocessableEntity || !strings.Contains(again.body, "typed") || !strings.Contains(again.body, `value="private" checked`) {
		t.Errorf("%d %s", again.status, again.body)
	}
	alice.press("DELETE", "/api/v1/users/alice/subscribers/zoe.json").html404()
}

// numberOf returns an id in the form of addresses.
func numberOf(id timeline.UserID) string { return strconv.FormatInt(int64(id), 10) }

// html404 fails the test unless the answer is the "not found" page.
func (a answer) html404() {
	a.t.Helper()
	if a.status != http.StatusNotFound || !strings.Contains(a.header.Get("Content-Type"), "text/html") {
		a.t.Errorf("%d %s", a.status, a.body)
	}
}

func TestFormsShowTheAudience(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby := b.browser("alice"), b.browser("bobby")
	bobby.form("POST", "/api/v1/users/alice/subscribers.json").leadsTo("/alice")

	home := alice.form("POST", "/posts/audience", "post[text]", "half a thought", "post[timelines][]", "user", "return_to", "/").says("Everyone will see this.", "half a thought")
	if !strings.Contains(home.body, `value="user" checked`) {
		t.Error("the form forgot where it goes")
	}
	alice.form("POST", "/posts/audience", "post[text]", "", "post[timelines][]", "user_fyeo", "return_to", "/alice").says("Only you will see this.")
	alice.form("POST", "/posts/audience", "post[text]", "x", "return_to", "/").says("Choose where the post goes.")

	post := b.as("alice").post("to be moved", "user")
	edit := "/alice/" + post + "/edit"
	alice.get(edit).says("your private feed", "only you", "Who will see this?")
	alice.press("PATCH", edit, "post[text]", "to be moved, soon", "post[timelines][]", "user_fyeo", "post[comments_disabled]", "1").says(
		"Only you will see this. 2 people, and everyone who is not signed in, will no longer see it.", "to be moved, soon")
	if got := bobby.get("/alice").html(); strings.Contains(got, "soon") || !strings.Contains(got, "to be moved") {
		t.Error("asking changed the post")
	}
	alice.press("PATCH", "/api/v1/posts/"+post+".json", "post[text]", "hidden now", "post[timelines][]", "user_fyeo", "post[comments_disabled]", "0", "return_to", "/alice").leadsTo("/alice")
	if got := bobby.get("/alice").html(); strings.Contains(got, "to be moved") || strings.Contains(got, "hidden now") {
		t.Error("a post that was moved to its author's eyes is seen by another")
	}

	alice.form("POST", "/settings/privacy?form=audience", "user[display_name]", "Typed", "user[status]", "private").says("1 person will see your feed. 1 person, and everyone who is not signed in, will no longer see it.")
	if got := bobby.get("/alice").html(); strings.Contains(got, "Typed") {
		t.Error("asking changed the profile")
	}
	alice.form("POST", "/api/v1/groups.json", "group[name]", "cooks", "group[display_name]", "Cooks").leadsTo("/cooks")
	alice.press("PATCH", "/cooks/edit", "group[display_name]", "Cooks", "group[status]", "private").says("Only you will see the group.")
}

func TestDirectIsEditedByAddingPeople(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, carol := b.browser("alice"), b.browser("carol")
	post := b.as("alice").post("between us", "direct:bobby")
	page := alice.get("/alice/"+post+"/edit").offers("POST /api/v1/posts/"+post+"/recipients.json").says("Sent to", "Bobby")
	if strings.Contains(page.body, "post[timelines]") {
		t.Error("a direct can be moved")
	}
	alice.form("POST", "/api/v1/posts/"+post+"/recipients.json", "to", "carol", "return_to", "/alice/"+post).leadsTo("/alice/" + post)
	carol.get("/filter/directs").says("between us")
	carol.menu("/filter/directs", "alice", post).offers("DELETE /api/v1/posts/" + post + "/recipients.json")
	carol.press("DELETE", "/api/v1/posts/"+post+"/recipients.json", "return_to", "/filter/directs").leadsTo("/filter/directs")
	if strings.Contains(carol.get("/filter/directs").html(), "between us") {
		t.Error("a viewer who left still sees it")
	}
}

func TestSettingsKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.browser("alice")
	alice.press("PATCH", "/api/v1/users/"+numberOf(b.ids["alice"])+".json", "user[name]", "alice", "user[display_name]", "Alice", "user[directs_from]", "subscriptions", "return_to", "/settings").leadsTo("/settings")
	if got := alice.get("/settings/privacy").html(); !strings.Contains(got, `value="subscriptions" checked`) {
		t.Error("whose directs are taken was not kept")
	}
	taken := alice.form("POST", "/settings/account?form=name", "user[name]", "bobby")
	if taken.status != http.StatusConflict || !strings.Contains(taken.body, `value="bobby"`) || !strings.Contains(taken.body, "taken") {
		t.Errorf("a name that is taken: %d %s", taken.status, taken.body)
	}
	wrong := alice.form("POST", "/settings/data?form=delete", "password", "not it")
	if wrong.status < 400 || !strings.Contains(wrong.body, "Delete my account") {
		t.Errorf("a wrong password: %d %s", wrong.status, wrong.body)
	}
	alice.get("/settings").html()
}
