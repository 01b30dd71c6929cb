package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// showSettings shows what people arrange for themselves.
func (s *Server) showSettings(w http.ResponseWriter, q *request) error {
	m, err := s.settings(q)
	if err != nil {
		return err
	}
	return s.page(w, q, http.StatusOK, page.Settings(m))
}

func (s *Server) settings(q *request) (page.SettingsModel, error) {
	m := page.SettingsModel{Shell: s.shell(q, "Settings"), User: q.who.User}
	sets, c, err := s.regard(q.Context(), q.who.User, owner{})
	if err != nil {
		return m, err
	}
	card := c.users[q.who.User]
	if card == nil {
		return m, timeline.ErrUnauthorized
	}
	m.Viewer = &page.Viewer{Card: card, Requests: sets.Incoming}
	m.DisplayName, m.Description, m.Status = card.DisplayName, card.Description, card.Status
	tokens, err := s.store.Tokens(q.Context(), q.who.User)
	if err != nil {
		return m, err
	}
	for _, t := range tokens {
		m.Tokens = append(m.Tokens, page.Token(t))
	}
	return m, nil
}

// settingsAgain shows the settings with what is wrong with one of their forms.
func (s *Server) settingsAgain(w http.ResponseWriter, q *request, f failure, change func(*page.SettingsModel)) error {
	m, err := s.settings(q)
	if err != nil {
		return err
	}
	change(&m)
	return s.page(w, q, f.Status, page.Settings(m))
}
