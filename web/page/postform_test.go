package page

import "testing"

// TestFormSaysWhoReads checks the sentence of the form for a post, for each status of the author's
// own feed, and for several places.
func TestFormSaysWhoReads(t *testing.T) {
	t.Parallel()
	words := sampleShell(anneke, "", "/").Words
	feed := func(status string) Destination {
		return Destination{Value: "user", Open: OpenTo(status), Checked: true}
	}
	group := Destination{Value: "group:cooks", Label: "Cooks", Open: OpenTo("private"), Checked: true}
	for _, tt := range []struct {
		name string
		to   []Destination
		want string
	}{
		{"a public feed", []Destination{feed("public")}, words.AudienceForAll()},
		{"a feed that search engines leave out", []Destination{feed("disallow-robots")}, words.AudienceForAll()},
		{"a protected feed", []Destination{feed("protected")}, words.AudienceForSignedIn()},
		{"a private feed", []Destination{feed("private")}, words.AudienceForSome(words.PostForSubscribers())},
		{"a closed feed", []Destination{feed("fyeo")}, words.AudienceForSome(words.PostForYou())},
		{"a feed of a status that is not known", []Destination{feed("")}, words.AudienceForSome(words.PostForSubscribers())},
		{"a closed feed and a group", []Destination{feed("fyeo"), group}, words.AudienceForSome(words.PostForYou() + ", " + words.PostForMembers("Cooks"))},
		{"a private group and a public feed", []Destination{group, feed("public")}, words.AudienceForAll()},
		{"no place", []Destination{{Value: "user", Open: OpenToAll}}, words.PostChooseWhere() + "."},
	} {
		if got := (&PostForm{To: tt.to}).readers(words); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
