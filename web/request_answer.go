package web

import (
	"context"
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// A requestJSON is a request to subscribe, in Mokum's shape.
type requestJSON struct {
	Request struct {
		UUID      string          `json:"uuid"`
		UserID    timeline.UserID `json:"user_id"`
		What      timeline.What   `json:"what"`
		TheirID   int64           `json:"their_id"`
		CreatedAt string          `json:"created_at"`
	} `json:"request"`
	FromUser mokum.User `json:"from_user"`
}

// listRequests serves the requests that wait for the visitor's answer.
func (s *Server) listRequests(w http.ResponseWriter, q *request) error {
	requests, c, err := s.requests(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	list := make([]requestJSON, 0, len(requests))
	for _, r := range requests {
		var one requestJSON
		one.Request.UUID, one.Request.UserID = r.UUID, r.From
		one.Request.What, one.Request.TheirID = r.Target.What, r.Target.TheirID
		one.Request.CreatedAt = mokum.Stamp(r.CreatedAt)
		one.FromUser = mokum.UserOf(nil, c.Users[r.From])
		list = append(list, one)
	}
	users, groups := c.Shapes(nil)
	s.json(w, q, http.StatusOK, map[string]any{"subscription_requests": list, "users": users, "groups": groups})
	return nil
}

// showRequests shows the requests and invitations that wait for the visitor's answer.
func (s *Server) showRequests(w http.ResponseWriter, q *request) error {
	if !q.html {
		return s.listRequests(w, q)
	}
	requests, c, err := s.requests(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	m := page.RequestsModel{Shell: s.shell(q, q.words.RequestTitle())}
	for _, r := range requests {
		m.Requests = append(m.Requests, page.Request{
			UUID: r.UUID, From: c.Users[r.From], To: c.Groups[groupOfTimeline(r.Target)], At: r.CreatedAt,
			Private: r.Target.What == timeline.WhatUserPrivate,
		})
	}
	if m.Invitations, err = s.invitedTo(q); err != nil {
		return err
	}
	m.Viewer.Requests = len(requests) + len(m.Invitations)
	return s.page(w, q, http.StatusOK, page.Requests(m))
}

// invitedTo returns the visitor's open invitations. An invitation by a deleted account,
// or to a deleted group, is left out.
func (s *Server) invitedTo(q *request) ([]page.Invitation, error) {
	all, err := s.store.Invitations(q.Context(), q.who.User)
	if err != nil {
		return nil, err
	}
	var from []timeline.UserID
	var to []timeline.GroupID
	for _, i := range all {
		from = append(from, i.From)
		if group := groupOfTimeline(i.Target); group != 0 {
			to = append(to, group)
		}
	}
	c, err := s.cards(q.Context(), from, to)
	if err != nil {
		return nil, err
	}
	var shown []page.Invitation
	for _, i := range all {
		group := groupOfTimeline(i.Target)
		one := page.Invitation{UUID: i.UUID, From: c.Users[i.From], To: c.Groups[group], At: i.CreatedAt, Private: i.Target.What == timeline.WhatUserPrivate}
		if one.From != nil && (group == 0 || one.To != nil) {
			shown = append(shown, one)
		}
	}
	return shown, nil
}

// requests returns the open requests to a person's feeds and groups, with their cards. A
// request by a deleted account, or to a deleted group, is left out.
func (s *Server) requests(ctx context.Context, user timeline.UserID) ([]timeline.Request, mokum.Cards, error) {
	all, err := s.store.Requests(ctx, user)
	if err != nil {
		return nil, mokum.Cards{}, err
	}
	var from []timeline.UserID
	var to []timeline.GroupID
	for _, r := range all {
		from = append(from, r.From)
		if group := groupOfTimeline(r.Target); group != 0 {
			to = append(to, group)
		}
	}
	c, err := s.cards(ctx, from, to)
	if err != nil {
		return nil, mokum.Cards{}, err
	}
	known := all[:0]
	for _, r := range all {
		group := groupOfTimeline(r.Target)
		if c.Users[r.From] != nil && (group == 0 || c.Groups[group] != nil) {
			known = append(known, r)
		}
	}
	return known, c, nil
}

// groupOfTimeline returns the group of a timeline; 0 if the timeline is a person's.
func groupOfTimeline(t timeline.Timeline) timeline.GroupID {
	if t.What != timeline.WhatGroup {
		return 0
	}
	return timeline.GroupID(t.TheirID)
}

// acceptRequest subscribes the sender of a request.
func (s *Server) acceptRequest(w http.ResponseWriter, q *request) error {
	if err := s.store.Accept(q.Context(), q.who.User, q.param("uuid")); err != nil {
		return err
	}
	return s.done(w, q, page.RequestsPath, map[string]any{"result": "accepted"})
}

// rejectRequest ends a request without a subscription.
func (s *Server) rejectRequest(w http.ResponseWriter, q *request) error {
	if err := s.store.Reject(q.Context(), q.who.User, q.param("uuid")); err != nil {
		return err
	}
	return s.done(w, q, page.RequestsPath, map[string]any{"result": "rejected"})
}
