package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// showForgot shows the form for a person who forgot their password. On a site without mail there is no such page.
func (s *Server) showForgot(w http.ResponseWriter, q *request) error {
	if !s.store.Mails() {
		return timeline.ErrNotFound
	}
	return s.page(w, q, http.StatusOK, page.Forgot(page.ForgotModel{Shell: s.shell(q, q.words.AccountForgotTitle()), Sent: q.URL.Query().Has("sent")}))
}

// mailLink mails a link for signing in to the address of the account that a person types. The answer is the same
// whether or not there is such an account.
func (s *Server) mailLink(w http.ResponseWriter, q *request) error {
	if !s.store.Mails() {
		return timeline.ErrNotFound
	}
	login, err := q.body.text("login")
	if err == nil {
		err = s.store.MailLink(q.Context(), login, s.client(q))
	}
	if err == nil {
		return s.done(w, q, page.ForgotPath+"?sent", map[string]any{"result": "sent"})
	}
	if f, may := fixableByUser(err); q.html && may {
		m := page.ForgotModel{Shell: s.shell(q, q.words.AccountForgotTitle()), Login: login, Problems: q.problems(f)}
		return s.page(w, q, f.Status, page.Forgot(m))
	}
	return err
}
