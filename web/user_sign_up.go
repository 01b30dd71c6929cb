package web

import (
	"errors"
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// showSignUp shows the form for signing up.
func (s *Server) showSignUp(w http.ResponseWriter, q *request) error {
	m := page.SignUpModel{Shell: s.shell(q, q.words.AccountSignUp()), Closed: s.rivers.Site().Registration == timeline.RegistrationClosed}
	return s.page(w, q, http.StatusOK, page.SignUp(m))
}

// signUp creates an account, and signs the visitor in.
func (s *Server) signUp(w http.ResponseWriter, q *request) error {
	m := page.SignUpModel{Shell: s.shell(q, q.words.AccountSignUp())}
	id, err := s.signUpAs(w, q, &m)
	if err == nil {
		return s.done(w, q, "/", map[string]any{"user": map[string]any{"id": id, "name": m.Name}})
	}
	if m.Closed = errors.Is(err, timeline.ErrClosed); m.Closed && q.html {
		return s.page(w, q, http.StatusForbidden, page.SignUp(m))
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
		"name": &m.Name, "email": &m.Email, "display_name": &m.DisplayName, "password": &password,
	} {
		if *to, err = user.text(name); err != nil {
			return 0, err
		}
	}
	from := s.client(q)
	id, err := s.store.SignUp(q.Context(), timeline.NewUser{
		Name: m.Name, Email: m.Email, Password: password, DisplayName: m.DisplayName, Stranger: &from,
	})
	if err != nil {
		return 0, err
	}
	if err := s.startSession(w, q, id, false); err != nil {
		return 0, err
	}
	return id, nil
}
