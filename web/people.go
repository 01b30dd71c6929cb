package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// showSubscribers lists who follows a person or a group.
func (s *Server) showSubscribers(w http.ResponseWriter, q *request) error {
	whose, err := s.lookup(q.Context(), q.param("name"))
	if err != nil {
		return err
	}
	ids, err := s.store.Subscribers(q.Context(), q.who.User, whose.Name)
	if err != nil {
		return s.closed(place{owner: whose}, err)
	}
	sets, c, err := s.listed(q, whose, ids, nil)
	if err != nil {
		return err
	}
	if q.html {
		m := s.peopleModel(q, whose, sets, c, "Subscribers", ids, nil)
		m.Empty = "Nobody subscribes yet."
		return s.page(w, q, http.StatusOK, page.People(m))
	}
	users, groups := c.shapes(sets)
	s.json(w, q, http.StatusOK, map[string]any{
		"subscribers": notNil(ids), "banned_subscribers": []timeline.UserID{}, "users": users, "groups": groups,
	})
	return nil
}

// showSubscriptions lists whom a person follows.
func (s *Server) showSubscriptions(w http.ResponseWriter, q *request) error {
	whose, err := s.lookup(q.Context(), q.param("name"))
	if err != nil {
		return err
	}
	people, groups, err := s.store.Subscriptions(q.Context(), q.who.User, whose.Name)
	if err != nil {
		return s.closed(place{owner: whose}, err)
	}
	sets, c, err := s.listed(q, whose, people, groups)
	if err != nil {
		return err
	}
	if q.html {
		m := s.peopleModel(q, whose, sets, c, "Subscriptions", people, groups)
		m.Empty = "No subscriptions yet."
		return s.page(w, q, http.StatusOK, page.People(m))
	}
	usersShape, groupsShape := c.shapes(sets)
	s.json(w, q, http.StatusOK, map[string]any{
		"subscriptions": notNil(people), "group_subscriptions": notNil(groups), "users": usersShape, "groups": groupsShape,
	})
	return nil
}

// listed reads what a list of people and groups shows: their cards, whose list
// it is, and who asks.
func (s *Server) listed(q *request, whose owner, people []timeline.UserID, groups []timeline.GroupID) (*timeline.Sets, cards, error) {
	sets, c, err := s.regard(q.Context(), q.who.User, whose)
	if err != nil {
		return nil, c, err
	}
	more, err := s.cards(q.Context(), people, groups)
	if err != nil {
		return nil, c, err
	}
	for id, card := range more.users {
		c.users[id] = card
	}
	for id, card := range more.groups {
		c.groups[id] = card
	}
	return sets, c, nil
}

func (s *Server) peopleModel(q *request, whose owner, sets *timeline.Sets, c cards, heading string, people []timeline.UserID, groups []timeline.GroupID) page.PeopleModel {
	m := page.PeopleModel{Shell: s.shell(q, whose.Name+": "+heading), Heading: heading}
	if m.Viewer != nil {
		m.Viewer.Requests = sets.Incoming
	}
	counts, back := s.headFacts(q.Context(), whose).counts.shown(), q.ownAddress()
	if card := c.users[whose.User]; whose.User != 0 && card != nil {
		m.Head = &page.UserHead{
			Card: card, Counts: counts, Relation: relation(sets, whose), Tab: page.TabPeople, Signed: q.who.signedIn(), ReturnTo: back,
		}
	}
	if card := c.groups[whose.Group]; whose.Group != 0 && card != nil {
		m.Group = &page.GroupHead{Card: card, Counts: counts, Relation: relation(sets, whose), Signed: q.who.signedIn(), ReturnTo: back}
	}
	for _, id := range people {
		if card := c.users[id]; card != nil {
			m.Users = append(m.Users, card)
		}
	}
	for _, id := range groups {
		if card := c.groups[id]; card != nil {
			m.Groups = append(m.Groups, card)
		}
	}
	return m
}
