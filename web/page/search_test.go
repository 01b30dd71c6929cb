package page

import (
	"strings"
	"testing"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
)

// searchPages are samples of the pages on which things are found.
func searchPages() []samplePage {
	cards := sampleCards()
	users := []*timeline.UserCard{cards.Users[joost], cards.Users[emre]}
	groups := []*timeline.GroupCard{cards.Groups[cooks], cards.Groups[gitApply]}
	found := sampleRiver(anneke, river.KindSearch, "Search: canals", "/s?q=canals", sampleEntries()[:2]...)
	found.View.Entries[0].Hits = []string{"canals", "the"}
	found.Search = &SearchModel{Text: "canals", Signed: true, Saved: []discover.SavedSearch{{ID: 1, Name: "<b>water", Query: "#water"}}, Users: users, Groups: groups}
	kept := sampleRiver(anneke, river.KindHashtag, "#water", "/s?q=%23water", sampleEntries()[:1]...)
	kept.Search = &SearchModel{Text: "#water", Tag: "water", Signed: true, Saved: []discover.SavedSearch{{ID: 1, Name: "<b>water", Query: "#water"}}}
	newcomer := sampleRiver(anneke, river.KindHome, "Home", "/")
	newcomer.Suggest = &SuggestModel{Users: []SuggestedUser{{cards.Users[joost], 3}, {cards.Users[emre], 0}}, Groups: []SuggestedGroup{{cards.Groups[cooks], 1}}}
	problem := &SearchModel{Text: `-boats`, Problem: "only says what must not be there"}
	taken := &SearchModel{Text: "boats", Signed: true, Problems: Problems{"name": "is taken already"}, Typed: "water"}
	return []samplePage{
		{"search-found", River(found)},
		{"search-kept", River(kept)},
		{"search-none", Search(SearchPageModel{sampleShell(0, "Search", "/s"), &SearchModel{}})},
		{"search-problem", Search(SearchPageModel{sampleShell(0, "Search", "/s?q=-boats"), problem})},
		{"search-not-kept", Search(SearchPageModel{sampleShell(anneke, "Search", "/s?q=boats"), taken})},
		{"find", Find(FindModel{Shell: sampleShell(anneke, "People and groups", "/filter/people?q=jo"), Text: "jo", Users: users, Groups: groups})},
		{"find-none", Find(FindModel{Shell: sampleShell(0, "People and groups", "/filter/people?q=x"), Text: "x"})},
		{"groups", Directory(DirectoryModel{
			Shell: sampleShell(0, "Groups", "/filter/groups?page=2"), Older: "/filter/groups?page=3", Newer: "/filter/groups",
			Groups: []GroupListed{{groups[0], 12}, {groups[1], 1}},
		})},
		{"home-suggestions", River(newcomer)},
	}
}

func TestSearchHeadShowsWhatIsTyped(t *testing.T) {
	t.Parallel()
	doc := parse(t, render(t, Search(SearchPageModel{sampleShell(0, "Search", "/s"), &SearchModel{Text: `"red boat" <b>`, Problem: "The search is odd."}})))
	if got := attr(one(t, doc, "#search-text"), "value"); got != `"red boat" <b>` {
		t.Errorf("the field has %q", got)
	}
	if got := words(one(t, doc, "#search-text-problem")); got != "The search is odd." {
		t.Errorf("it says %q", got)
	}
	if help := words(one(t, doc, ".search-help dl")); !strings.Contains(help, "liked-by:anna") {
		t.Errorf("the help is %q", help)
	}
}

func TestHitsAreMarked(t *testing.T) {
	t.Parallel()
	e := post(1, joost, "Boats by the canal", commented(0, said{emre, "No boats here."}))
	e.Hits = []string{"boats"}
	doc := pageOf(t, sampleRiver(anneke, river.KindSearch, "", "/s?q=boats", e))
	if n := strings.Count(render(t, River(sampleRiver(anneke, river.KindSearch, "", "/s?q=boats", e))), "<mark>"); n != 2 {
		t.Errorf("%d words are marked, want 2", n)
	}
	if got := words(one(t, doc, ".bem-post__text mark")); got != "Boats" {
		t.Errorf("marked is %q", got)
	}
}
