package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// A listJSON is one of the visitor's lists, with its people, the people's private sub-feeds and
// its groups, by their ids.
type listJSON struct {
	ID      timeline.ListID    `json:"id"`
	Name    string             `json:"name"`
	URL     string             `json:"url"`
	Users   []timeline.UserID  `json:"user_ids"`
	Private []timeline.UserID  `json:"private_ids"`
	Groups  []timeline.GroupID `json:"group_ids"`
}

func listOf(l timeline.OwnList) listJSON {
	shown := listJSON{
		ID: l.ID, Name: l.Name, URL: page.ListPath(l.Name),
		Users: []timeline.UserID{}, Private: []timeline.UserID{}, Groups: []timeline.GroupID{},
	}
	for _, t := range l.Members {
		switch t.What {
		case timeline.WhatGroup:
			shown.Groups = append(shown.Groups, timeline.GroupID(t.TheirID))
		case timeline.WhatUserPrivate:
			shown.Private = append(shown.Private, timeline.UserID(t.TheirID))
		default:
			shown.Users = append(shown.Users, timeline.UserID(t.TheirID))
		}
	}
	return shown
}

// ownLists returns a person's lists, with the cards of the people and groups in them.
func (s *Server) ownLists(ctx context.Context, owner timeline.UserID) ([]listJSON, mokum.Cards, error) {
	all, err := s.store.Lists(ctx, owner)
	if err != nil {
		return nil, mokum.Cards{}, err
	}
	lists := make([]listJSON, 0, len(all))
	var people []timeline.UserID
	var groups []timeline.GroupID
	for _, l := range all {
		one := listOf(l)
		lists = append(lists, one)
		people, groups = append(append(people, one.Users...), one.Private...), append(groups, one.Groups...)
	}
	c, err := s.cards(ctx, people, groups)
	return lists, c, err
}

// listLists serves the visitor's lists.
func (s *Server) listLists(w http.ResponseWriter, q *request) error {
	lists, c, err := s.ownLists(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	users, groups := c.Shapes(nil)
	s.json(w, q, http.StatusOK, map[string]any{"lists": lists, "users": users, "groups": groups})
	return nil
}

// showLists shows the page for editing the visitor's lists.
func (s *Server) showLists(w http.ResponseWriter, q *request) error {
	m, err := s.listsModel(q)
	if err != nil {
		return err
	}
	return s.page(w, q, http.StatusOK, page.Lists(m))
}

func (s *Server) listsModel(q *request) (page.ListsModel, error) {
	m := page.ListsModel{Shell: s.settingsShell(q, page.MyListsPath)}
	m.Path = page.MyListsPath
	sets, own, err := s.setsAndCards(q.Context(), q.who.User, address.Owner{})
	if err != nil {
		return m, err
	}
	m.Viewer.Requests = sets.Incoming
	m.Viewer.Lists = listNames(sets)
	if card := own.Users[q.who.User]; card != nil {
		m.Viewer.Card = card
	}
	lists, c, err := s.ownLists(q.Context(), q.who.User)
	for _, l := range lists {
		one := page.OwnList{ID: l.ID, Name: l.Name, Users: shownUsers(c, l.Users), Private: shownUsers(c, l.Private)}
		for _, id := range l.Groups {
			if card := c.Groups[id]; card != nil {
				one.Groups = append(one.Groups, card)
			}
		}
		byName := func(a, b *timeline.UserCard) int { return cmp.Compare(a.Name, b.Name) }
		slices.SortFunc(one.Users, byName)
		slices.SortFunc(one.Private, byName)
		slices.SortFunc(one.Groups, func(a, b *timeline.GroupCard) int { return cmp.Compare(a.Name, b.Name) })
		m.Lists = append(m.Lists, one)
	}
	return m, err
}

// listsAgain shows the lists, with the problems of one of their forms.
func (s *Server) listsAgain(w http.ResponseWriter, q *request, f failure, at timeline.ListID, adding bool) error {
	m, err := s.listsModel(q)
	if err != nil {
		return err
	}
	m.Problems, m.At, m.Adding = q.problems(f), at, adding
	m.Typed, _ = q.body.text("name")
	return s.page(w, q, f.Status, page.Lists(m))
}

// list returns one of the visitor's lists.
func (s *Server) list(q *request, id timeline.ListID) (listJSON, error) {
	all, err := s.store.Lists(q.Context(), q.who.User)
	if err != nil {
		return listJSON{}, err
	}
	for _, l := range all {
		if l.ID == id {
			return listOf(l), nil
		}
	}
	return listJSON{}, timeline.ErrNotFound
}
