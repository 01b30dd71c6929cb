package faulttest

import (
	"fmt"
	"net/url"

	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
)

// OpenPages opens seventeen pages of all kinds, by several viewers: everything, homes, pages
// of people and of a group, a list, searches, a tag, a ranking, discussions, and three posts.
func (s *Scenario) OpenPages() {
	s.Helper()
	ann, bob, eve := s.World.People[0], s.World.People[1], s.World.People[2]
	list, err := s.Store.CreateList(s.Context(), ann.ID, "Fire")
	s.Must(err)
	for _, p := range s.World.People[1:] {
		if err := s.Store.AddToList(s.Context(), ann.ID, list, timeline.FeedName{Name: p.Name}); !world.Refused(err) {
			s.Must(err)
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
		{eve.ID, "/" + s.World.Groups[0].Name + ".json"},
		{ann.ID, "/list/Fire.json"},
		{bob.ID, "/s.json?q=" + url.QueryEscape(world.Words[0])},
		{eve.ID, "/s.json?q=" + url.QueryEscape("#"+world.Tags[0]) + "&by=tag"},
		{bob.ID, "/s.json?q=" + url.QueryEscape("#"+world.Tags[0]) + "&by=search"},
		{0, "/filter/best_of.json"},
		{ann.ID, "/filter/discussions.json"},
	} {
		s.Open(one.viewer, one.path)
	}
	for i := range 3 { // the newest posts, on which people comment most
		if n := len(s.World.Posts) - 1 - i; n >= 0 {
			post := s.World.Posts[n]
			s.Open(post.Author.ID, fmt.Sprintf("/%s/%d.json", post.Author.Name, post.ID))
		}
	}
}

// AlwaysOpen returns the pages that are never refused: both rivers of everything, and the home
// of the one person with an account that is never deleted.
func (s *Scenario) AlwaysOpen() []*Page { return []*Page{s.pages[0], s.pages[1], s.pages[3]} }
