package web

import (
	"context"
	"net/http"
	"slices"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// Intakes fetches and adds the feeds of other sites; the Worker of package internal/intake
// implements it.
type Intakes interface {
	// Add adds the feed at an address to a person's intakes into a place, and posts its newest
	// items. Its errors are those of [timeline.Store.AddIntake], and a [timeline.InvalidError] if
	// no feed can be had at the address.
	Add(ctx context.Context, actor timeline.UserID, to, address string) (id int64, err error)
}

// An intakeJSON is an intake as its owner and the administrators of its group see it. Only its
// owner gets the address.
type intakeJSON struct {
	ID           int64  `json:"id"`
	UserID       int64  `json:"user_id"`
	To           string `json:"to"`
	Address      string `json:"address,omitempty"`
	Title        string `json:"title"`
	SiteURL      string `json:"site_url,omitempty"`
	State        string `json:"state"`
	Fault        string `json:"fault,omitempty"`
	Reason       string `json:"reason,omitempty"`
	CreatedAt    string `json:"created_at"`
	CheckedAt    string `json:"checked_at,omitempty"`
	FailingSince string `json:"failing_since,omitempty"`
	DueAt        string `json:"due_at,omitempty"`
	Posts        int    `json:"posts"`
	Skipped      int    `json:"skipped,omitempty"`
}

func intakeOf(n page.Intake) intakeJSON {
	stamp := func(at *time.Time) string {
		if at == nil {
			return ""
		}
		return mokum.Stamp(*at)
	}
	shown := intakeJSON{
		ID: n.ID, UserID: int64(n.User), To: n.To, Address: n.Address, Title: n.Title, SiteURL: n.Site, State: n.State, Fault: n.Fault,
		CreatedAt: mokum.Stamp(n.CreatedAt), CheckedAt: stamp(n.CheckedAt), FailingSince: stamp(n.FailingSince), Posts: n.Posts,
	}
	if n.Fault != "" {
		fault := timeline.IntakeFault{Code: n.Fault, Detail: n.Detail}
		shown.Reason = fault.Error()
	}
	if n.Own {
		shown.Skipped = n.Skipped
	}
	if n.State == timeline.IntakeOn {
		shown.DueAt = mokum.Stamp(n.DueAt)
	}
	return shown
}

// shownIntakes returns intakes with the places that their posts go to, and with their owners.
func (s *Server) shownIntakes(q *request, list []timeline.Intake) ([]page.Intake, error) {
	var people []timeline.UserID
	var groups []timeline.GroupID
	for _, n := range list {
		people = append(people, n.User)
		if n.Feed.What == timeline.WhatGroup {
			groups = append(groups, timeline.GroupID(n.Feed.TheirID))
		}
	}
	c, err := s.cards(q.Context(), people, groups)
	if err != nil {
		return nil, err
	}
	shown := make([]page.Intake, 0, len(list))
	for _, n := range list {
		one := page.Intake{Intake: n, To: string(n.Feed.What), Owner: c.Users[n.User], Own: n.User == q.who.User, Now: s.now()}
		if group := c.Groups[timeline.GroupID(n.Feed.TheirID)]; n.Feed.What == timeline.WhatGroup && group != nil {
			one.To, one.Group = "group:"+group.Name, group
		}
		if n.Fault != "" {
			one.Problem = wrongIn(q.words, (&timeline.IntakeFault{Code: n.Fault, Detail: n.Detail}).Invalid())
		}
		if n.SkippedFor != nil && one.Own {
			one.Skipping = wrongIn(q.words, n.SkippedFor)
		}
		shown = append(shown, one)
	}
	return shown, nil
}

// listIntakes serves the visitor's intakes.
func (s *Server) listIntakes(w http.ResponseWriter, q *request) error {
	list, err := s.store.Intakes(q.Context(), q.who.User)
	return s.sendIntakes(w, q, list, err)
}

// listGroupIntakes serves the intakes into a group that the visitor administers.
func (s *Server) listGroupIntakes(w http.ResponseWriter, q *request) error {
	whose, err := s.named(q, true)
	if err != nil {
		return err
	}
	list, err := s.store.GroupIntakes(q.Context(), q.who.User, whose.Group)
	return s.sendIntakes(w, q, list, err)
}

// sendIntakes serves a list of intakes. It returns err if reading the list failed.
func (s *Server) sendIntakes(w http.ResponseWriter, q *request, list []timeline.Intake, err error) error {
	if err != nil {
		return err
	}
	shown, err := s.shownIntakes(q, list)
	if err != nil {
		return err
	}
	all := make([]intakeJSON, 0, len(shown))
	for _, n := range shown {
		all = append(all, intakeOf(n))
	}
	s.json(w, q, http.StatusOK, map[string]any{"intakes": all})
	return nil
}

// addIntake adds the feed at an address to the actor's intakes.
func (s *Server) addIntake(w http.ResponseWriter, q *request) error {
	var address, to string
	in, err := q.body.in("intake")
	if err == nil {
		address, err = in.text("address")
	}
	if err == nil {
		to, err = in.text("to")
	}
	switch {
	case err != nil:
	case s.config.Intakes == nil:
		return timeline.ErrNotFound
	case s.rivers.Site().Intakes == 0:
		err = &timeline.InvalidError{Field: "address", Reason: "can't be imported: this site imports no feeds", Code: "intake_off"}
	case address == "":
		err = &timeline.InvalidError{Field: "address", Reason: "is empty", Code: "empty"}
	}
	var id int64
	if err == nil {
		id, err = s.config.Intakes.Add(q.Context(), q.who.User, to, address)
	}
	if err != nil {
		return s.refuseSettings(w, q, page.IntakeForm, err, func(m *page.SettingsModel) { m.IntakeAddress, m.IntakeTo = address, to })
	}
	list, err := s.store.Intakes(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	shown, err := s.shownIntakes(q, list)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(shown, func(n page.Intake) bool { return n.ID == id })
	if at < 0 {
		return timeline.ErrNotFound // removed in the meantime
	}
	return s.saved(w, q, page.IntakeForm, map[string]any{"intake": intakeOf(shown[at])})
}

// editIntake pauses an intake of the actor's, or lets it go on.
func (s *Server) editIntake(w http.ResponseWriter, q *request) error {
	in, err := q.body.in("intake")
	if err != nil {
		return err
	}
	state, err := in.text("state")
	if err != nil {
		return err
	}
	if state != timeline.IntakeOn && state != timeline.IntakePaused {
		return &timeline.InvalidError{Field: "state", Reason: "is neither on nor paused", Code: "choice"}
	}
	return s.changeIntake(w, q, timeline.IntakeEdit{Pause: new(state == timeline.IntakePaused)}, state)
}

// lookAtIntake makes the feed of an intake of the actor's due, so that a worker fetches the feed soon.
func (s *Server) lookAtIntake(w http.ResponseWriter, q *request) error {
	return s.changeIntake(w, q, timeline.IntakeEdit{Look: true}, "due")
}

func (s *Server) changeIntake(w http.ResponseWriter, q *request, edit timeline.IntakeEdit, result string) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	if err := s.store.EditIntake(q.Context(), q.who.User, id, edit); err != nil {
		return err
	}
	return s.done(w, q, page.IntakesPath, map[string]any{"result": result})
}

// removeIntake removes an intake of the actor's, or into a group that the actor administers.
func (s *Server) removeIntake(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	if err := s.store.RemoveIntake(q.Context(), q.who.User, id); err != nil {
		return err
	}
	return s.done(w, q, page.IntakesPath, map[string]any{"result": "removed"})
}

// intakeSettings fills in the visitor's intakes, and the places that their posts can go to.
func (s *Server) intakeSettings(q *request, sets *timeline.Sets, m *page.SettingsModel) error {
	list, err := s.store.Intakes(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	if m.Intakes, err = s.shownIntakes(q, list); err != nil {
		return err
	}
	m.IntakesOff = s.config.Intakes == nil || s.rivers.Site().Intakes == 0
	m.IntakePlaces = append(ownPlaces(q.words, nil), s.joinedGroups.destinations(q.Context(), q.who, sets)...)
	m.IntakeTo = q.URL.Query().Get("to")
	return nil
}
