package web_test

import (
	"strconv"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/racetest"
)

// TestHeldPostsInTheBrowser: the author of a post with a link is told that the post waits; an
// administrator reads the post on the page of reports, and publishes or deletes it there.
func TestHeldPostsInTheBrowser(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby", "chloe")
	alice, bobby := b.browser("alice"), b.browser("bobby")
	b.as("alice").send("PATCH", "/api/v1/site.json", object{"site": object{"newcomers": object{"days": 3}, "refused": "cheap watches"}}).ok()
	if a := b.as("chloe").get("/api/v1/site.json").ok(); a.at("site", "newcomers", "days") != 3.0 || strings.Contains(a.body, "watches") {
		t.Errorf("the public settings are %s", a.body)
	}
	if page := alice.get("/settings/site").html(); !strings.Contains(page, ">cheap watches</textarea>") {
		t.Error("the page of the settings does not have the refused words")
	}
	bobbys := b.as("bobby")
	if a := bobbys.send("POST", "/api/v1/posts", object{"post": object{"text": "Cheap watches!", "timelines": []string{"user"}}}); a.status != 422 || !strings.Contains(a.body, "cheap watches") {
		t.Errorf("a refused word: %d %s", a.status, a.body)
	}
	good := bobbys.post("read <this>: https://example.org/good", "user")
	bad := bobbys.post("https://example.org/bad", "user")
	if page := bobby.get("/bobby/" + good).html(); !strings.Contains(page, "Only you and the administrators of this site see this post until they publish it.") {
		t.Error("the author is not told that the post waits")
	}
	if a := bobbys.get("/bobby/" + good + ".json").ok(); a.at("entries", 0, "is_held") != true {
		t.Errorf("the API does not tell the author that the post waits: %s", a.body)
	}
	if a := b.as("chloe").get("/bobby/" + good + ".json"); a.status != 404 {
		t.Errorf("a post that waits is served to another person: %d", a.status)
	}
	if a := b.as("alice").get("/admin.json").ok(); a.at("numbers", "held_posts") != 2.0 {
		t.Errorf("the numbers of the site are %s", a.body)
	}
	page := alice.get("/settings/reports").html()
	for _, want := range []string{"Waiting for you", "@bobby posts to their feed:", "read &lt;this&gt;: https://example.org/good", "/api/v1/held_posts/" + bad + ".json"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of reports has no %q:\n%s", want, page)
		}
	}
	alice.form("POST", "/api/v1/held_posts/"+good+".json", "return_to", "/settings/reports").leadsTo("/settings/reports")
	alice.form("POST", "/api/v1/held_posts/"+bad+".json", "_method", "DELETE", "reason", "No advertising.", "return_to", "/settings/reports").leadsTo("/settings/reports")
	if a := b.as("chloe").get("/bobby/" + good + ".json").ok(); strings.Contains(a.body, "is_held") {
		t.Error("the published post is told to wait")
	}
	if page := alice.get("/settings/suspensions").html(); !strings.Contains(page, "@alice published a post by @bobby that waited.") {
		t.Errorf("the journal lacks the publication:\n%s", page)
	}
	if page := alice.get("/settings/reports").html(); strings.Contains(page, "Waiting for you") {
		t.Error("the decided posts are still listed")
	}
	if page := bobby.get("/notifications").html(); !strings.Contains(page, "No advertising.") {
		t.Error("the author is not told the reason")
	}

	// An administrator hides a reported post, and publishes it again.
	b.as("chloe").send("POST", "/api/v1/reports.json", object{"report": object{"post_id": good, "reason": "an address"}}).ok()
	list := b.as("alice").get("/api/v1/reports.json").ok()
	if page := alice.get("/settings/reports").html(); !strings.Contains(page, "Hide the post") {
		t.Errorf("the page of reports offers no hiding:\n%s", page)
	}
	report := "/api/v1/reports/" + strconv.Itoa(int(list.at("reports", 0, "id").(float64))) + ".json"
	b.as("alice").send("PATCH", report, object{"decision": object{"act": "hide", "reason": "Leave out the address."}}).ok()
	if a := b.as("chloe").get("/bobby/" + good + ".json"); a.status != 404 {
		t.Errorf("a hidden post is served to another person: %d", a.status)
	}
	if a := b.as("alice").get("/api/v1/held_posts.json").ok(); a.at("posts", 0, "is_hidden") != true {
		t.Errorf("the posts that wait: %s", a.body)
	}
	if page := alice.get("/settings/reports").html(); !strings.Contains(page, "Hidden by an administrator") || !strings.Contains(page, "@alice hid a post by @bobby.") {
		t.Errorf("the page of reports does not have the hidden post:\n%s", page)
	}
	if page := bobby.get("/notifications").html(); !strings.Contains(page, "hid the post that you wrote") || !strings.Contains(page, "Leave out the address.") {
		t.Errorf("the author is not told:\n%s", page)
	}
	alice.form("POST", "/api/v1/held_posts/"+good+".json", "return_to", "/settings/reports").leadsTo("/settings/reports")
	b.as("chloe").get("/bobby/" + good + ".json").ok()
	if a := b.as("alice").send("POST", "/api/v1/held_posts/"+bad+".json", nil); a.status != 409 {
		t.Errorf("the second decision: %d, want 409", a.status)
	}
	if page := bobby.get("/settings/reports"); page.status != 403 {
		t.Errorf("the page for another person: %d", page.status)
	}
}
