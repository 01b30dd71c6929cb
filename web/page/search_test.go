package page

import (
	"slices"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
	"amstel.dev/amstel/web/catalogue"
)

// searchPages returns samples of the pages for finding posts, people and groups.
func searchPages() []samplePage {
	cards := sampleCards()
	users := []*timeline.UserCard{cards.Users[joost], cards.Users[emre]}
	groups := []*timeline.GroupCard{cards.Groups[cooks], cards.Groups[gitApply]}
	found := sampleRiver(anneke, river.KindSearch, "Search: canals", "/s?q=canals", sampleEntries()[:2]...)
	found.View.Entries[0].Hits = []string{"canals", "the"}
	found.Search = &SearchModel{Text: "canals", Signed: true, Saved: []discover.SavedSearch{{ID: 1, Name: "<b>water", Query: "#water"}}, Users: users, Groups: groups}
	kept := sampleRiver(anneke, river.KindHashtag, "#water", "/s?q=%23water", sampleEntries()[:1]...)
	kept.Search = &SearchModel{Text: "#water", Tag: "water", Signed: true, Saved: []discover.SavedSearch{{ID: 1, Name: "<b>water", Query: "#water"}}}
	people := []Row{
		{User: cards.Users[joost], Members: 12, Why: "3 recent posts", Signed: true},
		{User: cards.Users[emre], Members: 1, Active: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), Signed: true, Following: Following{Subscribed: true}},
	}
	joined := []Row{{Group: cards.Groups[cooks], Members: 7, Signed: true}, {Group: cards.Groups[gitApply], Signed: true, Following: Following{Requested: true}}}
	newcomer := sampleRiver(anneke, river.KindHome, "Home", "/")
	newcomer.Suggest = &SuggestModel{ReturnTo: "/", Users: slices.Clone(people), Groups: joined}
	for i := range newcomer.Suggest.Users {
		newcomer.Suggest.Users[i].Suggested = true
	}
	stepping := newcomer
	stepping.Steps = &Steps{Follows: 1, Pictures: true}
	front := sampleRiver(0, river.KindEverything, "Everything", "/", sampleEntries()[:1]...)
	front.Front = &Front{People: users, Groups: []Row{{Group: cards.Groups[cooks], Members: 7}}}
	problem := &SearchModel{Text: `-boats`, Problem: "only says what must not be there"}
	taken := &SearchModel{Text: "boats", Signed: true, Problems: Problems{"name": "is already taken"}, Typed: "water"}
	return []samplePage{
		{"search-found", River(found)},
		{"search-kept", River(kept)},
		{"search-none", Search(SearchPageModel{sampleShell(0, "Search", "/s"), &SearchModel{}})},
		{"search-problem", Search(SearchPageModel{sampleShell(0, "Search", "/s?q=-boats"), problem})},
		{"search-not-kept", Search(SearchPageModel{sampleShell(anneke, "Search", "/s?q=boats"), taken})},
		{"find", Directory(DirectoryModel{Shell: sampleShell(anneke, "People and groups", "/filter/people?q=jo"), At: FindPath, Text: "jo", Rows: append(people, joined...), More: true})},
		{"find-none", Directory(DirectoryModel{Shell: sampleShell(0, "People and groups", "/filter/people?q=x"), At: FindPath, Text: "x"})},
		{"groups", Directory(DirectoryModel{
			Shell: sampleShell(0, "Groups", "/filter/groups?page=2"), At: GroupsPath, Older: "/filter/groups?page=3", Newer: "/filter/groups",
			Rows:   []Row{{Group: groups[0], Members: 12}, {Group: groups[1], Members: 1}},
			Orders: Picker{Label: "Order", Choices: []PickerLink{{Text: "Most followed", Href: "/filter/groups", Current: true}, {Text: "By name", Href: "/filter/groups?sort=name"}}},
		})},
		{"people", Directory(DirectoryModel{Shell: sampleShell(anneke, "People", "/filter/people"), At: FindPath, Rows: people, Suggest: newcomer.Suggest})},
		{"front", River(front)},
		{"home-steps", River(stepping)},
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

// The button of a row does one thing, and has the label of the other for the script.
func TestRowsHaveTheButtonThatFits(t *testing.T) {
	t.Parallel()
	cards := sampleCards()
	asking := *cards.Groups[cooks]
	asking.Status, asking.Joining = "public", "request"
	for _, tt := range []struct {
		name                 string
		row                  Row
		method, label, other string
	}{
		{"a person", Row{User: cards.Users[joost], Signed: true}, "", "Subscribe", "Subscribed ✓"},
		{"a followed person", Row{User: cards.Users[joost], Signed: true, Following: Following{Subscribed: true}}, "DELETE", "Subscribed ✓", "Subscribe"},
		{"a group that one asks to join", Row{Group: &asking, Signed: true}, "", "Ask to join", "Asked ✓"},
		{"a group that one has asked to join", Row{Group: &asking, Signed: true, Following: Following{Requested: true}}, "DELETE", "Asked ✓", "Ask to join"},
		{"a group of the viewer", Row{Group: &asking, Signed: true, Following: Following{Subscribed: true}}, "DELETE", "Joined ✓", "Ask to join"},
		{"the viewer", Row{User: cards.Users[joost], Signed: true, Self: true}, "", "", ""},
		{"for a visitor", Row{User: cards.Users[joost]}, "", "", ""},
		{"barred", Row{User: cards.Users[joost], Signed: true, Following: Following{Barred: true}}, "", "", ""},
	} {
		var one actionForm
		if all := tt.row.actions(catalogue.English, "/"); len(all) == 1 {
			one = all[0]
		}
		if one.Method != tt.method || one.Label != tt.label || one.Then != tt.other {
			t.Errorf("%s: %+v", tt.name, one)
		}
	}
}
