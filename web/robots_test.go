package web_test

import (
	"strings"
	"testing"
)

// What somebody wrote who asks search engines to leave him alone is on no page
// that they are to keep: not his own, not the post's, not everybody's.
func TestSearchEnginesAreAsked(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bert")
	alice, bert := b.as("alice"), b.browser("bert")
	b.as("bert").post("for everybody", "user")
	id := alice.post("not for search engines", "user")
	asked := func(path string) bool {
		t.Helper()
		return strings.Contains(bert.get(path).ok().body, `<meta name="robots" content="noindex"`)
	}
	pages := map[string]bool{"/alice": true, "/alice/" + id: true, "/filter/everything": true, "/bert": false}
	for path := range pages {
		if asked(path) {
			t.Errorf("%s: search engines are kept out before anybody asks", path)
		}
	}
	alice.send("PATCH", "/api/v1/users/1", object{"user": object{"status": "disallow-robots"}}).ok()
	for path, want := range pages {
		if asked(path) != want {
			t.Errorf("%s: asked to leave it alone: %v, want %v", path, !want, want)
		}
	}
}
