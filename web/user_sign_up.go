package web

import (
	"errors"
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// showSignUp shows the form for signing up, or says why there is none.
func (s *Server) showSignUp(w http.ResponseWriter, q *request) error {
	m := page.SignUpModel{Shell: s.shell(q, q.words.AccountSignUp()), Link: q.URL.Query().Get("link")}
	registration := s.rivers.Site().Registration
	m.Approval = registration == timeline.RegistrationApproval
	switch {
	case registration == timeline.RegistrationClosed:
		m.Closed = q.words.FailureRegistrationClosed()
	case m.Link != "":
		works, err := s.store.SignUpLinkWorks(q.Context(), m.Link)
		if err != nil {
			return err
		}
		if !works {
			m.Closed = q.words.WrongSignUpLink()
		}
	case registration == timeline.RegistrationLink:
		m.Closed = q.words.FailureRegistrationByLink()
	}
	return s.page(w, q, http.StatusOK, page.SignUp(m))
}

// signUp creates an account, and signs the visitor in, or makes the visitor an applicant.
func (s *Server) signUp(w http.ResponseWriter, q *request) error {
	m := page.SignUpModel{Shell: s.shell(q, q.words.AccountSignUp()), Approval: s.rivers.Site().Registration == timeline.RegistrationApproval}
	id, err := s.signUpAs(w, q, &m)
	if err == nil {
		return s.done(w, q, "/", map[string]any{"user": map[string]any{"id": id, "name": m.Name}})
	}
	if q.html && errors.Is(err, timeline.ErrWaiting) {
		m.Closed = q.words.FailureWaiting()
		return s.page(w, q, http.StatusOK, page.SignUp(m))
	}
	if q.html && (errors.Is(err, timeline.ErrClosed) || errors.Is(err, timeline.ErrByLink)) {
		f := explain(err)
		m.Closed = f.inPage(q.words)
		return s.page(w, q, f.Status, page.SignUp(m))
	}
	if f, may := fixableByUser(err); q.html && may {
		m.Problems = q.problems(f)
		return s.page(w, q, f.Status, page.SignUp(m))
	}
	return err
}

func (s *Server) signUpAs(w http.ResponseWriter, q *request, m *page.SignUpModel) (timeline.UserID, error) {
	user, err := q.body.in("user")
	if err != nil {
		return 0, err
	}
	var password string
	for name, to := range map[string]*string{
		"name": &m.Name, "email": &m.Email, "display_name": &m.DisplayName, "password": &password, "link": &m.Link, "about": &m.About,
	} {
		if *to, err = user.text(name); err != nil {
			return 0, err
		}
	}
	if m.Agrees, err = user.set("rules"); err != nil {
		return 0, err
	}
	from := s.client(q)
	id, err := s.store.SignUp(q.Context(), timeline.NewUser{
		Name: m.Name, Email: m.Email, Password: password, DisplayName: m.DisplayName, Stranger: &from, Link: m.Link, About: m.About, Agrees: m.Agrees,
	})
	if err != nil {
		return 0, err
	}
	if err := s.startSession(w, q, id, false); err != nil {
		return 0, err
	}
	return id, nil
}
