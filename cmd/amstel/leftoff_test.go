package main

import (
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestLeftOffPlacesSurviveTheNode stops a node just after a page was read. Before it ends, the
// node writes where the reader left off.
func TestLeftOffPlacesSurviveTheNode(t *testing.T) {
	long(t)
	t.Parallel()
	pool, db := fresh(t)
	data := t.TempDir()
	must(t, "user", "add", "anna", "--email=anna@example.org", db)
	store := timeline.New(pool, timeline.Options{})
	named, err := store.Lookup(t.Context(), "anna")
	if err != nil {
		t.Fatal(err)
	}
	anna := named.User
	if _, err := store.CreatePost(t.Context(), anna, timeline.NewPost{To: []string{"user"}, Text: "seen"}); err != nil {
		t.Fatal(err)
	}
	s := start(t, "serve", "--listen=127.0.0.1:0", "--data", data, db)
	link := strings.TrimSpace(must(t, "user", "link", "anna", "--data", data, db))
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	response, err := client.PostForm(link, url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if status, text := get(t, client, s.url+"/anna"); status != http.StatusOK || !strings.Contains(text, `data-keeps="true"`) {
		t.Fatalf("anna's page answers %d\n%s", status, text)
	}
	s.stop()
	if l, err := store.LeftOff(t.Context(), anna, fmt.Sprintf("user:%d", anna)); err != nil || l.Seen == (timeline.Cursor{}) {
		t.Errorf("anna left off at %+v, %v", l, err)
	}
}
