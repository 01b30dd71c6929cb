package faulttest

import (
	"fmt"
	"net/url"

	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
)

// OpenDozen has a dozen pages opened, of the kinds that there are: everything,
// homes, people's, a group's, a list, a search, a tag, and a post's own.
func (t *Town) OpenDozen() {
	t.Helper()
	ann, bob, eve := t.World.People[0], t.World.People[1], t.World.People[2]
	list, err := t.Store.CreateList(t.Context(), ann.ID, "Fire")
	t.Must(err)
	for _, p := range t.World.People[1:] {
		if err := t.Store.AddToList(t.Context(), ann.ID, list, timeline.FeedName{Name: p.Name}); !world.Refused(err) {
			t.Must(err)
		}
	}
	for _, one := range []struct {
		viewer timeline.UserID
		path   string
	}{
		{0, "/index.json"},
		{0, "/filter/everything.json"},
		{0, "/" + ann.Name + ".json"},
		{ann.ID, "/index.json"},
		{bob.ID, "/index.json"},
		{eve.ID, "/index.json"},
		{bob.ID, "/" + eve.Name + ".json"},
		{eve.ID, "/" + t.World.Groups[0].Name + ".json"},
		{ann.ID, "/list/Fire.json"},
		{bob.ID, "/s.json?q=" + url.QueryEscape(world.Words[0])},
		{eve.ID, "/s.json?q=" + url.QueryEscape("#"+world.Tags[0]) + "&by=tag"},
		{bob.ID, "/s.json?q=" + url.QueryEscape("#"+world.Tags[0]) + "&by=search"},
		{0, "/filter/best_of.json"},
		{ann.ID, "/filter/discussions.json"},
	} {
		t.Open(one.viewer, one.path)
	}
	for i := range 3 { // those of which something is being said
		if n := len(t.World.Posts) - 1 - i; n >= 0 {
			post := t.World.Posts[n]
			t.Open(post.Author.ID, fmt.Sprintf("/%s/%d.json", post.Author.Name, post.ID))
		}
	}
}

// Steady returns the pages of the dozen that are never refused: the river of everything,
// and the home of the person that never leaves.
func (t *Town) Steady() []*Page { return []*Page{t.pages[0], t.pages[1], t.pages[3]} }
