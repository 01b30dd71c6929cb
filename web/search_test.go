package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

func search(text string) string { return "/s.json?q=" + url.QueryEscape(text) }

func TestSearchByAPI(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, anybody := b.as("alice"), b.as("bobby"), b.anybody()
	boats := alice.post("Red boats on the #amstel", "user")
	bobby.post("a bicycle", "user")
	alice.post("boats for my eyes", "user_fyeo")
	bobby.comment(boats, "with an oar")
	anybody.shows(search("boat"), "Red boats on the #amstel")
	alice.shows(search("boat"), "Red boats on the #amstel", "boats for my eyes")
	anybody.shows(search("in:comments oar"), "Red boats on the #amstel")
	anybody.shows(search("#amstel"), "Red boats on the #amstel")
	anybody.shows(search("commented-by:bobby"), "Red boats on the #amstel")
	anybody.shows(search("from:bobby -bicycle"))
	page := anybody.get(search("red boats")).ok()
	if diff := cmp.Diff(any([]any{"boats", "red"}), page.at("entries", 0, "hits")); diff != "" {
		t.Errorf("hits: %s", diff)
	}
	if html := page.at("entries", 0, "text_as_html"); html != `Red boats on the <a href="/s?q=%23amstel">#amstel</a>` {
		t.Errorf("text %q", html)
	}
	for _, text := range []string{"", "-boats", "from:nobody_here", "the", "before:then"} {
		if a := anybody.get(search(text)); a.status != http.StatusUnprocessableEntity || at(a.json(), "fields", "q") == nil {
			t.Errorf("%q answers %d %s", text, a.status, a.body)
		}
	}
	// A new match is there at once; one who is banned is found no more.
	bobby.post("a boat too", "user")
	anybody.shows(search("boat"), "a boat too", "Red boats on the #amstel")
	alice.send("POST", "/api/v1/users/bobby/ban", nil).ok()
	bobby.shows(search("boat"), "a boat too")
	alice.shows(search("in:comments oar"))
}

func TestSearchPageMendsWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	anybody := b.anybody()
	anybody.accept = "text/html"
	if a := anybody.get("/s"); a.status != http.StatusOK || !strings.Contains(a.body, "liked-by:anna") {
		t.Errorf("no search answers %d", a.status)
	}
	for text, says := range map[string]string{
		"-<>": "has no word in it", "x from:nobody_here": "nobody has that name", "the": "only words that are in every text", "x\xff": "not valid UTF-8",
	} {
		a := anybody.get("/s?q=" + url.QueryEscape(text))
		if a.status != http.StatusUnprocessableEntity || !strings.Contains(a.body, says) || !strings.Contains(a.body, `id="search-text"`) {
			t.Errorf("%q answers %d, and not %q", text, a.status, says)
		}
	}
	b.as("alice").post("boats & <b>oars", "user")
	if a := anybody.get("/s?q=OARS+alice"); a.status != http.StatusOK || !strings.Contains(a.body, "Nothing found") {
		t.Errorf("nothing is found: %d", a.status)
	}
	if a := anybody.get("/s?q=oars"); !strings.Contains(a.body, "&lt;b&gt;<mark>oars</mark>") {
		t.Errorf("not marked: %s", a.body)
	}
	if a := anybody.get("/s?q=Alic"); !strings.Contains(a.body, "People and groups") || !strings.Contains(a.body, `href="/alice"`) {
		t.Error("alice is not found by her name")
	}
	if a := anybody.get("/s?q=%23nobody-tags"); a.status != http.StatusOK || !strings.Contains(a.body, "#nobody-tags") {
		t.Errorf("a tag of nobody's answers %d", a.status)
	}
}

func TestSearchesAreKept(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.as("alice")
	made := alice.send("POST", "/api/v1/searches", object{"name": "Water", "q": "BOATS  #Amstel"}).ok()
	want := map[string]any{"id": made.at("search", "id"), "name": "Water", "query": "boats #amstel", "url": "/s?q=boats+%23amstel"}
	if diff := cmp.Diff(any(want), made.at("search")); diff != "" {
		t.Error(diff)
	}
	one := "/api/v1/searches/" + made.id("search", "id")
	if a := alice.send("POST", "/api/v1/searches", object{"name": "water", "q": "x"}); a.status != http.StatusConflict {
		t.Errorf("the name again answers %d", a.status)
	}
	if a := alice.send("POST", "/api/v1/searches", object{"q": "-x"}); a.status != http.StatusUnprocessableEntity {
		t.Errorf("nonsense answers %d", a.status)
	}
	if a := b.as("bobby").send("DELETE", one, nil); a.status != http.StatusNotFound {
		t.Errorf("another's answers %d", a.status)
	}
	if a := b.anybody().get("/api/v1/searches"); a.status != http.StatusUnauthorized {
		t.Errorf("nobody's answers %d", a.status)
	}
	alice.send("PATCH", one, object{"name": "Rivers"}).ok()
	if got := alice.get("/api/v1/searches").ok().at("searches", 0, "name"); got != "Rivers" {
		t.Errorf("renamed to %q", got)
	}
	browser := b.browser("alice")
	browser.accept = "text/html"
	if a := browser.get("/s?q=%23amstel+boats"); !strings.Contains(a.body, "You keep this search") && !strings.Contains(a.body, "Rivers") {
		t.Errorf("the page does not say so: %s", a.body)
	}
	if a := browser.form("POST", "/api/v1/searches.json", "name", "RIVERS", "q", "oars", "return_to", "/s?q=oars"); a.status != http.StatusConflict || !strings.Contains(a.body, "taken already") {
		t.Errorf("a form with a name that is taken answers %d", a.status)
	}
	if a := browser.form("POST", "/api/v1/searches.json", "name", "oars", "q", "oars", "return_to", "/s?q=oars"); a.status != http.StatusOK && a.status != http.StatusSeeOther {
		t.Errorf("a form answers %d", a.status)
	}
	alice.send("DELETE", one, nil).ok()
	if got, _ := alice.get("/api/v1/searches").ok().at("searches").([]any); len(got) != 1 {
		t.Errorf("%d are left", len(got))
	}
}

func TestPeopleAndGroupsAreFound(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "alison", "bobby")
	alice := b.as("alice")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "kitchen", "display_name": "Kitchen", "status": "private"}}).ok()
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "garden", "display_name": "Garden", "description": "by the kitchen"}}).ok()
	b.as("bobby").send("POST", "/api/v1/groups/garden/subscribers", nil).ok()
	anybody := b.anybody()
	a := anybody.get("/filter/people.json?q=ALI").ok()
	if diff := cmp.Diff(any([]any{float64(b.ids["alice"]), float64(b.ids["alison"])}), a.at("found_users")); diff != "" || a.at("users", numberOf(b.ids["alice"]), "name") != "alice" {
		t.Errorf("%s%s", diff, a.body)
	}
	a = anybody.get("/filter/groups.json").ok()
	if a.at("found_groups", 0, "members") != 2.0 || a.at("found_groups", 1, "members") != 1.0 || a.at("groups", formatNumber(a.at("found_groups", 1, "id").(float64)), "status") != "private" {
		t.Errorf("groups %s", a.body)
	}
	if a := anybody.get("/filter/groups.json?q=kitch").ok(); len(a.at("found_groups").([]any)) != 2 {
		t.Errorf("groups %s", a.body)
	}
	for _, path := range []string{"/filter/people.json?q=", "/filter/people.json?q=%21", "/filter/groups.json?page=0", "/filter/groups.json?q=%21"} {
		if a := anybody.get(path); a.status != http.StatusUnprocessableEntity {
			t.Errorf("%s answers %d", path, a.status)
		}
	}
	anybody.accept = "text/html"
	for path, says := range map[string]string{
		"/filter/people": "Find", "/filter/people?q=bob": `href="/bobby"`, "/filter/people?q=zzz": "Nobody here is called that", "/filter/groups": "1 member, private",
		"/filter/groups?q=garden": "2 members",
	} {
		if a := anybody.get(path); a.status != http.StatusOK || !strings.Contains(a.body, says) {
			t.Errorf("%s answers %d, and not %q", path, a.status, says)
		}
	}
	if a := anybody.get("/filter/people?q=%21"); a.status != http.StatusUnprocessableEntity || !strings.Contains(a.body, "find-text") {
		t.Errorf("nonsense answers %d", a.status)
	}
	b.as("bobby").send("POST", "/api/v1/users/alison/ban", nil).ok()
	if a := b.as("alison").get("/filter/people.json?q=bobby").ok(); len(a.at("found_users").([]any)) != 0 {
		t.Errorf("found across a ban: %s", a.body)
	}
}

// Members of all groups are counted once in a while, those of a group in which
// somebody just did something at once, and without whom one must not know of.
func TestDirectoryCountsMembersOnceInAWhile(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol", "david")
	for _, name := range []string{"kitchen", "garden"} {
		b.as("alice").send("POST", "/api/v1/groups", object{"group": object{"name": name}}).ok()
	}
	members := func(who *client) map[string]float64 {
		t.Helper()
		a, all := who.get("/filter/groups.json").ok(), make(map[string]float64)
		for i := range a.at("found_groups").([]any) {
			name := a.at("groups", formatNumber(a.at("found_groups", i, "id").(float64)), "name").(string)
			all[name] = a.at("found_groups", i, "members").(float64)
		}
		return all
	}
	shows := func(when string, who *client, kitchen, garden float64) {
		t.Helper()
		if diff := cmp.Diff(map[string]float64{"kitchen": kitchen, "garden": garden}, members(who)); diff != "" {
			t.Errorf("%s:\n%s", when, diff)
		}
	}
	shows("at first", b.anybody(), 1, 1)
	if _, err := b.store.Subscribe(t.Context(), b.ids["carol"], timeline.FeedName{Name: "garden"}, timeline.SubscribeOptions{}); err != nil {
		t.Fatal(err)
	}
	shows("after another process let somebody in", b.anybody(), 1, 1)
	b.as("bobby").send("POST", "/api/v1/groups/kitchen/subscribers", nil).ok()
	shows("after bobby came", b.anybody(), 2, 1)
	b.as("bobby").send("POST", "/api/v1/groups/garden/subscribers", nil).ok()
	shows("after he came to the other", b.anybody(), 2, 3)
	b.as("david").send("POST", "/api/v1/users/bobby/ban", nil).ok()
	shows("across a ban", b.as("david"), 1, 2)
	shows("for others", b.anybody(), 2, 3)
	b.as("alice").send("POST", "/api/v1/groups", object{"group": object{"name": "cellar"}}).ok()
	if got := members(b.anybody()); got["cellar"] != 1 {
		t.Errorf("a new group: %v", got)
	}
}

func TestSuggestionsStandInAnEmptyHome(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	b.as("carol").post("busy", "user")
	a := b.as("alice").get("/api/v1/suggestions").ok()
	if diff := cmp.Diff(any([]any{map[string]any{"id": float64(b.ids["carol"]), "friends": 0.0}}), a.at("suggested_users")); diff != "" {
		t.Error(diff)
	}
	browser := b.browser("alice")
	browser.accept = "text/html"
	if a := browser.get("/"); !strings.Contains(a.body, "Whom to follow") || !strings.Contains(a.body, "busy of late") {
		t.Errorf("the home has no suggestions")
	}
	if a := browser.get("/filter/people"); !strings.Contains(a.body, "Whom to follow") || !strings.Contains(a.body, `value="/filter/people"`) {
		t.Errorf("where people are found there are no suggestions")
	}
	b.as("alice").send("POST", "/api/v1/users/carol/subscribers", nil).ok()
	if a := browser.get("/"); strings.Contains(a.body, "Whom to follow") {
		t.Errorf("a home with posts has suggestions")
	}
}
