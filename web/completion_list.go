package web

import (
	"net/http"
	"strings"

	"amstel.dev/amstel/web/mokum"
)

// completionsMost is how many people, how many groups, and how many hashtags are offered to
// a visitor who is typing a name.
const completionsMost = 8

// A completionJSON is a person or a group whose name a visitor may be typing.
type completionJSON struct {
	Name        string `json:"name"`
	DisplayName string `json:"display_name"`
	AvatarURL   string `json:"avatar_url"`
}

// listCompletions serves the people and groups whose names a visitor may be typing, or, if
// the text begins with a #, hashtags of the visitor's own posts.
func (s *Server) listCompletions(w http.ResponseWriter, q *request) error {
	typed := q.URL.Query().Get("q")
	if start, is := strings.CutPrefix(typed, "#"); is {
		tags, err := s.discover.CompleteTag(q.Context(), q.who.User, start, completionsMost)
		if err != nil {
			return err
		}
		s.json(w, q, http.StatusOK, map[string]any{"tags": mokum.NotNil(tags)})
		return nil
	}
	people, groups, err := s.discover.Complete(q.Context(), q.who.User, typed, completionsMost)
	if err != nil {
		return err
	}
	c, err := s.cards(q.Context(), people, groups)
	if err != nil {
		return err
	}
	offered := map[string][]completionJSON{"people": {}, "groups": {}}
	for _, card := range shownUsers(c, people) {
		offered["people"] = append(offered["people"], completionJSON{card.Name, card.DisplayName, mokum.AvatarURL(card.AvatarURL, card.Name)})
	}
	for _, card := range shownGroups(c, groups) {
		offered["groups"] = append(offered["groups"], completionJSON{card.Name, card.DisplayName, mokum.AvatarURL(card.AvatarURL, card.Name)})
	}
	s.json(w, q, http.StatusOK, offered)
	return nil
}
