package web_test

import (
	"strings"
	"testing"
)

// TestReport: a person reports a post and a comment by the forms, the administrator decides by the form and by the API, and all who
// are concerned are told. No one who is not an administrator sees a report.
func TestReport(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "chloe") // alice administers the site
	alice, chloe := b.browser("alice"), b.browser("chloe")
	post := b.as("bobby").post("cheap watches", "user")
	comment := b.as("bobby").comment(post, "buy cheap watches")
	link := `/settings/report?post=` + post
	if page := chloe.get("/bobby/" + post + "/menu").html(); !strings.Contains(page, link) {
		t.Error("the menu of a post has no link to the form")
	}
	if page := chloe.get("/bobby/" + post).html(); !strings.Contains(page, "comment="+comment) {
		t.Error("a comment has no link to the form")
	}
	if page := b.browser("bobby").get("/bobby/" + post + "/menu").html(); strings.Contains(page, link) {
		t.Error("the author is offered to report the own post")
	}
	if page := chloe.get("/bobby").html(); !strings.Contains(page, "/settings/report?name=bobby") {
		t.Error("the menu about a person has no link to the form")
	}
	if page := chloe.get(link).html(); !strings.Contains(page, "Report a post by @bobby") || !strings.Contains(page, "cheap watches") || strings.Contains(page, "report[quote]") {
		t.Errorf("the form:\n%s", page)
	}
	if a := chloe.form("POST", "/settings/report?form=report", "report[post_id]", post, "report[reason]", " "); a.status != 422 || !strings.Contains(a.body, "Fill this in.") {
		t.Errorf("a report without a reason: %d %s", a.status, a.body)
	}
	chloe.form("POST", "/settings/report?form=report", "report[post_id]", post, "report[reason]", "spam & more").leadsTo("/settings/report")
	if page := chloe.get("/settings/report").html(); !strings.Contains(page, "Your report was sent") {
		t.Errorf("after the report:\n%s", page)
	}
	b.as("chloe").send("POST", "/api/v1/reports.json", object{"report": object{"post_id": post, "comment_id": comment, "reason": "spam too"}}).ok()

	for what, a := range map[string]answer{
		"the list": b.as("chloe").get("/api/v1/reports.json"),
		"the page": chloe.get("/settings/reports"),
	} {
		if a.status != 403 || strings.Contains(a.body, "spam") {
			t.Errorf("%s for a person who administers nothing: %d %s", what, a.status, a.body)
		}
	}
	if a := b.as("chloe").send("PATCH", "/api/v1/reports/1.json", object{"decision": object{"act": "dismiss"}}); a.status != 404 {
		t.Errorf("a decision by a person who administers nothing: %d", a.status)
	}
	if page := alice.get("/notifications").html(); strings.Count(page, "A report waits for a decision.") != 2 {
		t.Errorf("the administrator is told:\n%s", page)
	}
	page := alice.get("/settings/reports").html()
	for _, want := range []string{"@chloe reports a post by @bobby.", "@chloe reports a comment by @bobby.", "spam &amp; more", "buy cheap watches", "Suspend @bobby"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of reports has no %q:\n%s", want, page)
		}
	}
	list := b.as("alice").get("/api/v1/reports.json").ok()
	first, second := list.at("reports", 1), list.at("reports", 0)
	if list.at("open") != 2.0 || first.(map[string]any)["text"] != "cheap watches" || second.(map[string]any)["reason"] != "spam too" {
		t.Errorf("the API lists %s", list.body)
	}
	if a := alice.form("POST", "/settings/reports?form=decide", "decision[id]", "1", "decision[act]", "warn"); a.status != 422 || !strings.Contains(a.body, "Fill this in.") {
		t.Errorf("a warning without a reason: %d", a.status)
	}
	if a := alice.form("POST", "/settings/reports?form=decide", "decision[id]", "1", "decision[act]", "suspend", "decision[days]", "soon"); a.status != 422 || !strings.Contains(a.body, `value="soon"`) {
		t.Errorf("a suspension for a bad number of days: %d", a.status)
	}
	alice.form("POST", "/settings/reports?form=decide", "decision[id]", "1", "decision[act]", "warn", "decision[reason]", "No advertising, please.").leadsTo("/settings/reports")
	b.as("alice").send("PATCH", "/api/v1/reports/2.json", object{"decision": object{"act": "delete", "reason": "advertising"}}).ok()
	if page := alice.get("/settings/reports").html(); !strings.Contains(page, "@alice warned @bobby.") || !strings.Contains(page, "@alice deleted a comment by @bobby.") || !strings.Contains(page, "No report waits for you.") {
		t.Errorf("the decided reports:\n%s", page)
	}
	if page := chloe.get("/bobby/" + post).html(); strings.Contains(page, "buy cheap watches") {
		t.Error("the deleted comment is shown")
	}
	told := b.browser("bobby").get("/notifications").html()
	for _, want := range []string{"The administrators of the site warn you:", "No advertising, please.", "deleted the comment that you wrote on", "/settings/report?decision="} {
		if !strings.Contains(told, want) {
			t.Errorf("the author is not told %q:\n%s", want, told)
		}
	}
	if strings.Contains(told, "alice") || strings.Contains(told, "chloe") {
		t.Error("the author is told who reported or decided")
	}
	if page := chloe.get("/notifications").html(); strings.Count(page, "and acted on it") != 2 || strings.Contains(page, "No advertising") {
		t.Errorf("the person who reported is told:\n%s", page)
	}

	if body := b.as("chloe").get("/notifications.json").ok().body; strings.Contains(body, "warn") || strings.Contains(body, "delete_comment") || strings.Count(body, `"act":"acted"`) != 2 {
		t.Errorf("the API tells the person who reported %s", body)
	}

	b.browser("bobby").form("POST", "/settings/report?form=report", "report[decision_id]", "1", "report[reason]", "they are good watches").leadsTo("/settings/report")
	if page := alice.get("/settings/reports").html(); !strings.Contains(page, "@bobby objects to a decision.") || !strings.Contains(page, "they are good watches") {
		t.Errorf("the objection:\n%s", page)
	}
	alice.form("POST", "/settings/reports?form=decide", "decision[id]", "3", "decision[act]", "dismiss", "decision[reason]", "Perhaps, but not here.").leadsTo("/settings/reports")
	if page := b.browser("bobby").get("/notifications").html(); !strings.Contains(page, "Their decision stands.") || !strings.Contains(page, "Perhaps, but not here.") {
		t.Errorf("the answer to the objection:\n%s", page)
	}
}

// TestReportToAGroup: the form offers the administrators of the groups of a post, and the post leaves the group. The form of a post
// that not all may read offers to pass the text on.
func TestReportToAGroup(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "chloe")
	b.as("bobby").send("POST", "/api/v1/groups.json", object{"group": object{"name": "sluis", "display_name": "The lock", "posting": "anybody"}}).ok()
	post := b.as("chloe").post("about watches", "group:sluis")
	page := b.browser("alice").get("/settings/report?post=" + post).html()
	if !strings.Contains(page, "The administrators of The lock") || !strings.Contains(page, `value="sluis"`) {
		t.Errorf("the form:\n%s", page)
	}
	b.browser("alice").form("POST", "/settings/report?form=report", "report[post_id]", post, "report[group]", "sluis", "report[reason]", "off topic").leadsTo("/settings/report")
	if page := b.browser("bobby").get("/settings/reports").html(); !strings.Contains(page, "Take the post out of The lock") || strings.Contains(page, "Suspend @chloe") {
		t.Errorf("the reports of the administrator of the group:\n%s", page)
	}
	if page := b.browser("alice").get("/settings/reports").html(); strings.Contains(page, "off topic") {
		t.Error("the administrator of the site sees a report to a group")
	}
	b.browser("bobby").form("POST", "/settings/reports?form=decide", "decision[id]", "1", "decision[act]", "delete", "decision[reason]", "This is about locks.").leadsTo("/settings/reports")
	if page := b.browser("alice").get("/sluis").html(); strings.Contains(page, "about watches") {
		t.Error("the post is in the group")
	}
	if page := b.browser("chloe").get("/notifications").html(); !strings.Contains(page, "The administrators of The lock took the post") || !strings.Contains(page, "This is about locks.") {
		t.Errorf("the author is told:\n%s", page)
	}
	secret := b.as("chloe").post("for some", "user_private")
	if page := b.browser("chloe").get("/settings/report?post=" + secret); page.status != 200 || !strings.Contains(page.body, "report[quote]") {
		t.Errorf("the form of a private post: %d", page.status)
	}
	if page := b.browser("alice").get("/settings/report?post=" + secret); page.status != 404 || strings.Contains(page.body, "for some") {
		t.Errorf("the form of a post that the viewer may not read: %d", page.status)
	}
}

// TestAdminPage: an administrator of the site sees its numbers and finds its people; no one else does.
func TestAdminPage(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "chloe") // alice administers the site
	b.as("chloe").send("POST", "/api/v1/reports.json", object{"report": object{"name": "bobby", "reason": "spam"}}).ok()
	alice := b.browser("alice")
	page := alice.get("/admin").html()
	for _, want := range []string{`href="/chloe"`, "administrator", "1 open report", "Open reports", "/settings/suspensions?name=bobby"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q:\n%s", want, page)
		}
	}
	if page := alice.get("/admin?q=bob").html(); !strings.Contains(page, `href="/bobby"`) || strings.Contains(page, `class="author" href="/chloe"`) {
		t.Errorf("a search for bob finds:\n%s", page)
	}
	if got := b.as("alice").get("/admin.json?q=chl").ok(); got.at("people", 0, "name") != "chloe" || got.at("numbers", "people") != 3.0 || got.at("numbers", "reports") != 1.0 {
		t.Errorf("the JSON is %s", got.body)
	}
	for _, path := range []string{"/admin", "/admin.json"} {
		if a := b.browser("bobby").get(path); a.status != 403 || strings.Contains(a.body, "chloe") {
			t.Errorf("%s for a person who is no administrator: %d", path, a.status)
		}
	}
}
