package web

import (
	"context"
	"net/http"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/query"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// showSearch shows what a search finds, which is a river; or, where there is
// nothing to search for, or it can't be understood, the form to say what.
func (s *Server) showSearch(w http.ResponseWriter, q *request) error {
	text := q.URL.Query().Get("q")
	if q.html && strings.TrimSpace(text) == "" {
		return s.searchAgain(w, q, http.StatusOK, &page.SearchModel{})
	}
	err := s.showRiver(w, q)
	if !q.html {
		return err
	}
	for _, wrong := range invalid(err) {
		if wrong.Field == "q" {
			return s.searchAgain(w, q, http.StatusUnprocessableEntity, &page.SearchModel{Text: strings.ToValidUTF8(text, "�"), Problem: wrong.Reason})
		}
	}
	return err
}

// searchAgain shows the form for a search, with what is wrong.
func (s *Server) searchAgain(w http.ResponseWriter, q *request, status int, m *page.SearchModel) error {
	if err := s.savedSearches(q, m); err != nil {
		return err
	}
	shell := s.shell(q, "Search")
	shell.Path = page.SearchesPath(m.Text)
	return s.page(w, q, status, page.Search(page.SearchPageModel{Shell: shell, Search: m}))
}

// savedSearches fills in what the asker keeps.
func (s *Server) savedSearches(q *request, m *page.SearchModel) (err error) {
	if m.Signed = q.who.signedIn(); m.Signed {
		m.Saved, err = s.discover.SavedSearches(q.Context(), q.who.User)
	}
	return err
}

// fewFound is how many people, and groups, stand above the posts that a search
// found.
const fewFound = 4

// found are people and groups, in their order.
type found struct {
	people []timeline.UserID
	groups []timeline.GroupID
	mokum.Cards
}

// text tells it from another.
func (f *found) text() string {
	if f == nil {
		return ""
	}
	var names []string
	for _, card := range shownUsers(f.Cards, f.people) {
		names = append(names, card.Name, card.DisplayName, card.AvatarURL, card.Status)
	}
	for _, card := range shownGroups(f.Cards, f.groups) {
		names = append(names, card.Name, card.DisplayName, card.AvatarURL, card.Status)
	}
	return strings.Join(names, "\n")
}

func shownGroups(c mokum.Cards, ids []timeline.GroupID) []*timeline.GroupCard {
	var all []*timeline.GroupCard
	for _, id := range ids {
		if card := c.Groups[id]; card != nil {
			all = append(all, card)
		}
	}
	return all
}

// findFew finds the people and groups whom the words of a search may mean; none
// where it asks for anything else.
func (s *Server) findFew(ctx context.Context, viewer timeline.UserID, search query.Search) *found {
	if len(search.Words) == 0 || search.String() != (query.Search{Words: search.Words}).String() {
		return nil
	}
	f, err := s.foundBy(ctx, viewer, strings.Join(search.Words, " "), fewFound)
	if err != nil {
		s.log.DebugContext(ctx, "people and groups of a search", "err", err)
		return nil
	}
	return f
}

func (s *Server) foundBy(ctx context.Context, viewer timeline.UserID, text string, most int) (*found, error) {
	var f found
	var err error
	if f.people, f.groups, err = s.discover.Find(ctx, viewer, text, most); err != nil {
		return nil, err
	}
	f.Cards, err = s.cards(ctx, f.people, f.groups)
	return &f, err
}

// searchHead is what stands above what a search found; nil: the page is of none.
func (s *Server) searchHead(q *request, v *visited) *page.SearchModel {
	if v.address.Path != page.SearchPath {
		return nil
	}
	m := &page.SearchModel{Text: v.address.Name, Tag: v.address.Tag()}
	if err := s.savedSearches(q, m); err != nil {
		s.log.DebugContext(q.Context(), "searches", "user", q.who.User, "err", err)
	}
	if f := v.facts.found; f != nil {
		m.Users, m.Groups = shownUsers(f.Cards, f.people), shownGroups(f.Cards, f.groups)
	}
	return m
}
