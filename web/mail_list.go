package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// showMails shows the mails of a site that keeps them in a folder, to the person who tries the site on this machine. The
// mails have links that sign people in, so the page does not exist for clients of another machine.
func (s *Server) showMails(w http.ResponseWriter, q *request) error {
	if s.config.Mails == nil || !ClientNetwork(q.Context()).Addr().IsLoopback() {
		return timeline.ErrNotFound
	}
	kept, err := s.config.Mails()
	if err != nil {
		return err
	}
	m := page.MailsModel{Shell: s.shell(q, q.words.MailsTitle()), Mails: kept}
	for i := range m.Mails {
		m.Mails[i].Site = s.public
	}
	w.Header().Set("Cache-Control", "no-store")
	return s.page(w, q, http.StatusOK, page.Mails(m))
}
