package web_test

import (
	"html"
	"regexp"
	"strings"
	"testing"
)

var (
	templates = regexp.MustCompile(`(?s)<template[^>]*>.*?</template>`)
	formTag   = regexp.MustCompile(`(?s)<form[^>]*action="([^"]*)"[^>]*>.*?</form>`)
	methodTag = regexp.MustCompile(`name="_method" value="([A-Z]+)"`)
	actionTag = regexp.MustCompile(`name="_action" value="([^"]+)"`)
	hrefTag   = regexp.MustCompile(`(?:href|src)="(/[^"]*)"`)
)

// TestLinksAndFormsLeadSomewhere follows each link of all pages, and requests the targets of
// their forms.
func TestLinksAndFormsLeadSomewhere(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby := b.as("alice"), b.as("bobby")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks"}}).ok()
	post := alice.post("to https://example.org and @bobby", "user", "group:cooks")
	comment := bobby.comment(post, "@alice, see http://example.com")
	theirs := bobby.post("of bobby", "user")
	alice.comment(theirs, "mine")
	alice.send("PATCH", "/api/v1/users/1", object{"user": object{"status": "private"}}).ok()
	b.as("carol").send("POST", "/api/v1/users/alice/subscribers", nil).ok()
	alice.send("POST", "/api/v1/users/bobby/subscribers", nil).ok()
	alice.send("POST", "/api/v1/posts/"+theirs+"/likes", nil).ok()
	bobby.post("psst", "direct:alice")

	seen := map[string]bool{}
	forms := map[string]bool{}
	for _, c := range []*client{alice, b.as("carol"), b.visitor()} {
		c.accept = "text/html"
		queue := []string{
			"/", "/alice/" + post + "/edit", "/alice/" + post + "/comments/" + comment + "/edit", "/cooks", "/bobby/" + theirs,
			"/filter/directs", "/settings", "/requests", "/groups/new", "/users/sign_in", "/users/sign_up", "/about", "/alice/subscribers", "/bobby/subscriptions",
		}
		visited := map[string]bool{}
		for len(queue) > 0 {
			path := queue[0]
			queue = queue[1:]
			if visited[path] || strings.HasPrefix(path, "/static/") { // other tests cover files
				continue
			}
			visited[path] = true
			a := c.get(path)
			seen[path] = true
			if a.status == 404 && !strings.HasSuffix(path, "/edit") {
				t.Errorf("a link leads to %s, where nothing is", path)
			}
			if !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
				continue
			}
			for _, m := range hrefTag.FindAllStringSubmatch(a.body, -1) {
				to, _, _ := strings.Cut(html.UnescapeString(m[1]), "#")
				if !visited[to] {
					queue = append(queue, to)
				}
			}
			// The script sets the action of a form in a template when it uses the template.
			for _, m := range formTag.FindAllStringSubmatch(templates.ReplaceAllString(a.body, ""), -1) {
				method := "POST"
				if strings.Contains(m[0], `method="get"`) {
					method = "GET"
				}
				if hidden := methodTag.FindStringSubmatch(m[0]); hidden != nil {
					method = hidden[1]
				}
				does := ""
				if hidden := actionTag.FindStringSubmatch(m[0]); hidden != nil {
					does = html.UnescapeString(hidden[1])
				}
				forms[method+" "+html.UnescapeString(m[1])+" "+does] = true
			}
		}
	}
	visitor := b.visitor()
	for form := range forms {
		method, action, _ := strings.Cut(form, " ")
		action, does, _ := strings.Cut(action, " ")
		// Each form leads to an action that exists. A visitor is refused, as all of
		// them need an account.
		if method == "GET" {
			if a := visitor.get(action + "?q=bridge"); a.status != 200 && a.status != 303 {
				t.Errorf("a form asks %s: %d", action, a.status)
			}
			continue
		}
		if a := visitor.form("POST", action, "_method", method, "_action", does); a.status == 404 || a.status == 405 || a.status >= 500 {
			t.Errorf("a form leads to %s: %d", form, a.status)
		}
	}
	if len(seen) < 25 || len(forms) < 20 {
		t.Errorf("only %d links and %d forms", len(seen), len(forms))
	}
}
