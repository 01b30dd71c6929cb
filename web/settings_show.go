package web

import (
	"net/http"
	"strconv"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
)

// showSettings shows the visitor's settings.
func (s *Server) showSettings(w http.ResponseWriter, q *request) error {
	m, err := s.settings(q)
	if err != nil {
		return err
	}
	return s.page(w, q, http.StatusOK, page.Settings(m))
}

func (s *Server) settings(q *request) (page.SettingsModel, error) {
	m := page.SettingsModel{Shell: s.shell(q, q.words.SettingsTitle()), User: q.who.User}
	sets, c, err := s.setsAndCards(q.Context(), q.who.User, address.Owner{})
	if err != nil {
		return m, err
	}
	card := c.Users[q.who.User]
	if card == nil {
		return m, timeline.ErrUnauthorized
	}
	m.Admin = sets.Admin
	m.Viewer = &page.Viewer{Card: card, Requests: sets.Incoming, Unread: m.Viewer.Unread}
	if s.config.Files != nil {
		m.Pictures = &page.Pictures{Avatar: card.AvatarURL, Cover: card.CoverURL}
	}
	m.Name, m.DisplayName, m.Description, m.Status = card.Name, card.DisplayName, card.Description, card.Status
	if m.DirectsFrom, err = s.store.DirectsFrom(q.Context(), q.who.User); err != nil {
		return m, err
	}
	if m.Lang, err = s.store.WritesIn(q.Context(), q.who.User); err != nil {
		return m, err
	}
	m.OwnPosts, m.PageLanguage = !sets.OwnLeftOut, q.who.Language
	m.Initial = page.Initial{
		{Name: "user[was][name]", Value: m.Name}, {Name: "user[was][display_name]", Value: m.DisplayName},
		{Name: "user[was][description]", Value: m.Description}, {Name: "user[was][status]", Value: m.Status},
		{Name: "user[was][directs_from]", Value: m.DirectsFrom}, {Name: "user[was][own_posts]", Value: strconv.FormatBool(m.OwnPosts)},
		{Name: "user[was][lang]", Value: m.Lang}, {Name: "user[was][page_language]", Value: m.PageLanguage},
	}
	tokens, err := s.store.Tokens(q.Context(), q.who.User)
	if err != nil {
		return m, err
	}
	for _, t := range tokens {
		m.Tokens = append(m.Tokens, page.Token(t))
	}
	return m, nil
}

// askSettings shows the settings as they were sent, and the audience that the feed would
// have then. It changes nothing.
func (s *Server) askSettings(w http.ResponseWriter, q *request) error {
	m, err := s.settings(q)
	if err != nil {
		return err
	}
	edit, err := profileEdit(q.body)
	if err != nil {
		return err
	}
	fillProfile(&m, edit)
	m.Audience = q.audienceOf(page.AboutFeed, func() (timeline.Audience, error) {
		return s.store.AudienceOfStatus(q.Context(), q.who.User, q.who.Name, m.Status)
	})
	return s.page(w, q, http.StatusOK, page.Settings(m))
}

// fillProfile puts what was typed into the form.
func fillProfile(m *page.SettingsModel, edit timeline.ProfileEdit) {
	fillTyped(&m.Name, edit.Name)
	fillTyped(&m.DisplayName, edit.DisplayName)
	fillTyped(&m.Description, edit.Description)
	fillTyped(&m.Status, edit.Status)
	fillTyped(&m.DirectsFrom, edit.DirectsFrom)
	if edit.OwnPosts != nil {
		m.OwnPosts = *edit.OwnPosts
	}
	fillTyped(&m.Lang, edit.Lang)
	fillTyped(&m.PageLanguage, edit.PageLanguage)
}

// settingsAgain shows the settings, with the problems of one of their forms, which change
// adds.
func (s *Server) settingsAgain(w http.ResponseWriter, q *request, f failure, change func(*page.SettingsModel)) error {
	m, err := s.settings(q)
	if err != nil {
		return err
	}
	change(&m)
	return s.page(w, q, f.Status, page.Settings(m))
}
