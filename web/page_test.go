package web_test

import (
	"strings"
	"testing"
)

func TestPages(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	post := alice.post("hello https://example.org/x", "user")
	bobby.comment(post, "hi @alice")

	page := b.anybody().get("/alice.json").ok()
	if page.at("entries", 0, "text") != "hello https://example.org/x" {
		t.Error(page.body)
	}
	html := b.anybody().get("/alice").ok()
	if !strings.Contains(html.body, "hello") {
		t.Error(html.body)
	}
}
