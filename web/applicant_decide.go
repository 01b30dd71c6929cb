package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// manyApplicants is how many applicants the page shows, those first who wait for the longest time.
const manyApplicants = 100

// decideApplicant accepts or refuses the applicant that the path names, for an administrator of the site.
func (s *Server) decideApplicant(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	in, err := q.body.in("applicant")
	if err != nil {
		return err
	}
	accept, err := in.set("accept")
	if err != nil {
		return err
	}
	reason, err := in.text("reason")
	if err != nil {
		return err
	}
	if accept {
		if err := s.store.AcceptApplicant(q.Context(), q.who.User, id); err != nil {
			return err
		}
		return s.done(w, q, page.ApplicantsPath, map[string]any{"result": "accepted"})
	}
	if err := s.store.RefuseApplicant(q.Context(), q.who.User, id, reason); err != nil {
		return err
	}
	return s.done(w, q, page.ApplicantsPath, map[string]any{"result": "refused"})
}

// showApplicants shows who waits for an administrator of the site to accept them.
func (s *Server) showApplicants(w http.ResponseWriter, q *request) error {
	waiting, err := s.store.Applicants(q.Context(), q.who.User, manyApplicants)
	if err != nil {
		return err
	}
	var people []timeline.UserID
	for _, a := range waiting {
		people = append(people, a.InvitedBy)
	}
	c, err := s.cards(q.Context(), people, nil)
	if err != nil {
		return err
	}
	if q.html {
		m := page.ApplicantsModel{Shell: s.settingsShell(q, page.ApplicantsPath), Waiting: waiting, People: c.Users}
		m.Viewer.Admin = true
		return s.page(w, q, http.StatusOK, page.Applicants(m))
	}
	all := make([]applicantJSON, 0, len(waiting))
	for _, a := range waiting {
		one := applicantJSON{ID: a.ID, Name: a.Name, DisplayName: a.DisplayName, About: a.About, CreatedAt: mokum.Stamp(a.CreatedAt)}
		if by := c.Users[a.InvitedBy]; by != nil {
			one.InvitedBy = by.Name
		}
		all = append(all, one)
	}
	s.json(w, q, http.StatusOK, map[string]any{"applicants": all})
	return nil
}

// An applicantJSON is an applicant as administrators of the site get it.
type applicantJSON struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	DisplayName string `json:"display_name"`
	About       string `json:"about,omitempty"`
	InvitedBy   string `json:"invited_by,omitempty"`
	CreatedAt   string `json:"created_at"`
}
