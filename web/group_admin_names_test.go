package web_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestGroupPageNamesItsAdministrators checks which people the page of a group names, as administrators
// come and go.
func TestGroupPageNamesItsAdministrators(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, carol, visitor := b.browser("alice"), b.browser("bobby"), b.browser("carol"), b.visitor()
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

// TestGroupPageShowsFacesOfMembers: the faces beside the number of members are first those of
// people the viewer subscribes to, and never those of people across a ban.
func TestGroupPageShowsFacesOfMembers(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	b.as("alice").send("POST", "/api/v1/groups", object{"group": object{"name": "kitchen", "display_name": "Kitchen"}}).ok()
	b.as("bobby").send("POST", "/api/v1/groups/kitchen/subscribers", nil).ok()
	face := regexp.MustCompile(`/system/avatars/([a-z]*)\.svg`)
	faces := func(want string, reader *client) {
		t.Helper()
		_, stats, _ := strings.Cut(reader.get("/kitchen").html(), `class="stats-faces"`)
		stats, _, _ = strings.Cut(stats, "</a>")
		var names []string
		for _, found := range face.FindAllStringSubmatch(stats, -1) {
			names = append(names, found[1])
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("the faces are %q, want %q", got, want)
		}
	}
	visitor, carol := b.visitor(), b.browser("carol")
	visitor.accept = "text/html"
	faces("bobby alice", visitor)
	b.as("carol").send("POST", "/api/v1/users/alice/subscribers", nil).ok()
	faces("alice bobby", carol)
	b.as("bobby").send("POST", "/api/v1/users/carol/ban", nil).ok()
	faces("alice", carol)
	b.as("alice").send("PATCH", "/api/v1/groups/kitchen", object{"group": object{"status": "private"}}).ok()
	if page := carol.get("/kitchen").body; !strings.Contains(page, "Kitchen") || strings.Contains(page, `/avatars/alice.`) {
		t.Errorf("a stranger sees who is in a private group: %s", page)
	}
}
