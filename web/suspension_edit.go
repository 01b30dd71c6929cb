package web

import (
	"context"
	"net/http"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// suspendedAtOnce is how long an answer waits for the job that withholds what a suspended person wrote, or shows it
// again. Of a person who wrote more, the rest follows within seconds or minutes.
const suspendedAtOnce = 5 * time.Second

// suspend suspends the account that the body names, for an administrator of the site.
func (s *Server) suspend(w http.ResponseWriter, q *request) error {
	in, err := q.body.in("suspension")
	var name, reason, typed string
	var days int
	if err == nil {
		name, err = in.text("name")
	}
	if err == nil {
		reason, err = in.text("reason")
	}
	if err == nil {
		typed, err = in.text("days")
	}
	if err == nil {
		days, err = readDays(typed)
	}
	if err == nil {
		err = s.store.SuspendPerson(q.Context(), q.who.User, name, reason, days)
	}
	if err != nil {
		if f, may := fixableByUser(err); q.html && may && f.Status == http.StatusUnprocessableEntity {
			return s.suspensionsPage(w, q, f.Status, page.SuspensionsModel{Name: name, Reason: reason, Days: typed, Problems: q.problems(f)})
		}
		return err
	}
	s.finishSuspensions(q)
	return s.saved(w, q, page.SuspendForm, map[string]any{"result": "suspended"})
}

// restore ends the suspension of the account that the path names, for an administrator of the site.
func (s *Server) restore(w http.ResponseWriter, q *request) error {
	if err := s.store.RestorePerson(q.Context(), q.who.User, q.param("name")); err != nil {
		return err
	}
	s.finishSuspensions(q)
	return s.done(w, q, page.SuspensionsPath, map[string]any{"result": "restored"})
}

// finishSuspensions waits until all is withheld or shown again, as far as [suspendedAtOnce] suffices. An error is only
// logged: the suspension or its end is committed, and a node does the rest soon.
func (s *Server) finishSuspensions(q *request) {
	ctx, cancel := context.WithTimeout(q.Context(), suspendedAtOnce)
	defer cancel()
	if err := timeline.FinishSuspensions(ctx, s.store); err != nil {
		s.log.WarnContext(q.Context(), "a suspension or its end takes effect on comments and likes only later", "err", err)
	}
}

// The numbers of rows on the page.
const (
	manySuspensions = 500
	manyEntries     = 100
)

// showSuspensions shows the suspended accounts and the journal to administrators of the site.
func (s *Server) showSuspensions(w http.ResponseWriter, q *request) error {
	if !q.html {
		return s.listSuspensions(w, q)
	}
	saved, _ := s.justSaved(w, q)
	m := page.SuspensionsModel{Name: q.URL.Query().Get("name")}
	m.Saved = saved
	return s.suspensionsPage(w, q, http.StatusOK, m)
}

// suspensionsPage fills in the rows of the page, and shows it.
func (s *Server) suspensionsPage(w http.ResponseWriter, q *request, status int, m page.SuspensionsModel) error {
	suspended, err := s.store.Suspensions(q.Context(), q.who.User, manySuspensions)
	if err != nil {
		return err
	}
	journal, err := s.store.Journal(q.Context(), q.who.User, manyEntries)
	if err != nil {
		return err
	}
	var people []timeline.UserID
	var groups []timeline.GroupID
	for _, list := range [][]timeline.JournalEntry{suspended, journal} {
		for _, e := range list {
			people, groups = append(people, e.User, e.By), append(groups, e.Group)
		}
	}
	c, err := s.cards(q.Context(), people, groups)
	if err != nil {
		return err
	}
	saved := m.Saved
	m.Shell, m.Suspended, m.Journal, m.People, m.Groups = s.settingsShell(q, page.SuspensionsPath), suspended, journal, c.Users, c.Groups
	m.Saved, m.Viewer.Admin = saved, true
	return s.page(w, q, status, page.Suspensions(m))
}

// listSuspensions serves the suspended accounts to administrators of the site.
func (s *Server) listSuspensions(w http.ResponseWriter, q *request) error {
	suspended, err := s.store.Suspensions(q.Context(), q.who.User, manySuspensions)
	if err != nil {
		return err
	}
	var people []timeline.UserID
	for _, e := range suspended {
		people = append(people, e.User, e.By)
	}
	c, err := s.cards(q.Context(), people, nil)
	if err != nil {
		return err
	}
	all := make([]suspensionJSON, 0, len(suspended))
	for _, e := range suspended {
		one := suspensionJSON{At: mokum.Stamp(e.At), Reason: e.Reason}
		if card := c.Users[e.User]; card != nil {
			one.Name = card.Name
		}
		if card := c.Users[e.By]; card != nil {
			one.By = card.Name
		}
		if !e.Until.IsZero() {
			one.Until = mokum.Stamp(e.Until)
		}
		all = append(all, one)
	}
	s.json(w, q, http.StatusOK, map[string]any{"suspensions": all})
	return nil
}

// A suspensionJSON is a suspension as administrators of the site get it. By is empty if the operator of the server
// suspended the account.
type suspensionJSON struct {
	Name   string `json:"name"`
	At     string `json:"at"`
	By     string `json:"by,omitempty"`
	Reason string `json:"reason,omitempty"`
	Until  string `json:"until,omitempty"`
}
