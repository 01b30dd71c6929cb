package web_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
	if a := browser.get("/"); !strings.Contains(a.body, "Who to follow") || !strings.Contains(a.body, "1 recent post") {
		t.Errorf("the home has no suggestions")
	}
	if a := browser.get("/filter/people"); !strings.Contains(a.body, "Who to follow") || !strings.Contains(a.body, `value="/filter/people#suggested-u`) {
		t.Errorf("where people are found there are no suggestions")
	}
	b.as("alice").send("POST", "/api/v1/users/carol/subscribers", nil).ok()
	if a := browser.get("/"); strings.Contains(a.body, "Who to follow") {
		t.Errorf("a home with posts has suggestions")
	}
	// A just followed feed stays on the list, with the button to undo.
	if a := browser.get("/filter/people"); !strings.Contains(a.body, `data-then="Subscribe">Subscribed ✓</button>`) {
		t.Errorf("a suggestion went with the click: %s", a.body)
	}
}
