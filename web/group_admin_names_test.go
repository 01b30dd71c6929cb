package web_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestGroupPageNamesItsAdministrators checks whom the page of a group names, as administrators
// come and go.
func TestGroupPageNamesItsAdministrators(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, carol, visitor := b.browser("alice"), b.browser("bobby"), b.browser("carol"), b.anybody()
	visitor.accept = "text/html"
	b.as("alice").send("POST", "/api/v1/groups", object{"group": object{"name": "kitchen", "display_name": "Kitchen"}}).ok()
	b.as("bobby").send("POST", "/api/v1/groups/kitchen/subscribers", nil).ok()
	line := regexp.MustCompile(`(?s)<p class="subject-admins">(.*?)</p>`)
	runBy := func(want string, readers ...*client) {
		t.Helper()
		for i, c := range readers {
			found := line.FindStringSubmatch(c.get("/kitchen").html())
			if found == nil {
				t.Errorf("reader %d reads no administrators", i)
				continue
			}
			words := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(found[1], "")), " ")
			if words != want {
				t.Errorf("reader %d reads %q, want %q", i, words, want)
			}
		}
	}
	runBy("Administrators: Alice", alice, bobby, carol, visitor)
	b.as("alice").send("POST", "/api/v1/groups/kitchen/admins/bobby", nil).ok()
	runBy("Administrators: Alice and Bobby", alice, visitor)
	b.as("bobby").send("POST", "/api/v1/users/carol/ban", nil).ok()
	runBy("Administrators: Alice", carol)
	b.as("alice").send("DELETE", "/api/v1/groups/kitchen/admins/bobby", nil).ok()
	runBy("Administrators: Alice", alice, visitor)
}
