package page

import (
	"testing"

	"amstel.dev/amstel/web/catalogue"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"amstel.dev/amstel/timeline"
)

// sampleLists returns the page of a viewer's lists, with a refused name for one of them.
func sampleLists(shell Shell) ListsModel {
	c := sampleCards()
	return ListsModel{
		Shell: shell, Problems: Problems{"name": "The name is already taken."}, Typed: "Neighbours", At: 4,
		Lists: []OwnList{
			{ID: 3, Name: "Cooks & more", Users: []*timeline.UserCard{c.Users[joost], c.Users[vera]}, Private: []*timeline.UserCard{c.Users[vera]}, Groups: []*timeline.GroupCard{c.Groups[cooks]}},
			{ID: 4, Name: "Соседи"},
		},
	}
}

// formsIn returns the forms of a page: the address of each, and its untouched fields.
func formsIn(root *html.Node) (found []string) {
	for _, form := range all(root, "form") {
		line := attr(form, "action")
		for _, input := range all(form, "input[type=hidden]") {
			if name := attr(input, "name"); name != "return_to" && name != "post" {
				line += " " + name + "=" + attr(input, "value")
			}
		}
		found = append(found, line)
	}
	return found
}

func TestListsPage(t *testing.T) {
	t.Parallel()
	doc := parse(t, render(t, Lists(sampleLists(sampleShell(anneke, "Lists", MyListsPath)))))
	main := one(t, doc, "main")
	want := []string{
		"/api/v1/lists/3/members.json _method=DELETE name=joost",
		"/api/v1/lists/3/members.json _method=DELETE name=vera",
		"/api/v1/lists/3/members.json _method=DELETE name=vera private=1",
		"/api/v1/lists/3/members.json _method=DELETE name=cooks",
		"/settings/lists _action=/api/v1/lists/3/members.json",
		"/settings/lists _action=/api/v1/lists/3.json _method=PATCH",
		"/api/v1/lists/3.json _method=DELETE",
		"/settings/lists _action=/api/v1/lists/4/members.json",
		"/settings/lists _action=/api/v1/lists/4.json _method=PATCH",
		"/api/v1/lists/4.json _method=DELETE",
		"/settings/lists _action=/api/v1/lists.json",
	}
	if diff := cmp.Diff(want, formsIn(main)); diff != "" {
		t.Errorf("forms (-want +got):\n%s", diff)
	}
	for id, value := range map[string]string{"name-3": "Cooks & more", "name-4": "Neighbours", "new-list-name": "", "add-4": ""} {
		if got := attr(one(t, main, "#"+id), "value"); got != value {
			t.Errorf("the field %s has %q, want %q", id, got, value)
		}
	}
	if got := texts(all(main, ".problem")); len(got) != 1 || got[0] != "The name is already taken." {
		t.Errorf("problems: %q", got)
	}
	if got := attr(one(t, main, "#list-3 a"), "href"); got != "/list/Cooks%20&%20more" {
		t.Errorf("the list is at %q", got)
	}
}

func TestListMenu(t *testing.T) {
	t.Parallel()
	menu := parse(t, render(t, ListMenu(catalogue.English, []ListChoice{
		{ID: 1, Name: "in", In: true, May: true, PrivateMay: true},
		{ID: 2, Name: "out", May: true, PrivateIn: true},
		{ID: 3, Name: "shut"},
	}, "vera", "/vera")))
	want := []string{
		"/api/v1/lists/1/members.json _method=DELETE name=vera",
		"/api/v1/lists/1/members.json name=vera private=1",
		"/api/v1/lists/2/members.json name=vera",
		"/api/v1/lists/2/members.json _method=DELETE name=vera private=1",
	}
	if diff := cmp.Diff(want, formsIn(menu)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
