package web

import (
	"net/http"
	"strconv"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
	"amstel.dev/amstel/web/quota"
)

// showSettings shows a page of the visitor's settings.
func (s *Server) showSettings(path string) action {
	return func(w http.ResponseWriter, q *request) error {
		m, err := s.settings(q, path)
		if err != nil {
			return err
		}
		var secret string
		if m.Saved, secret = s.justSaved(w, q); secret != "" {
			w.Header().Set("Cache-Control", "no-store")
			if m.Saved == page.FeedForm {
				m.NewFeed = s.privateFeeds(secret)
			} else {
				m.NewToken = secret
			}
		}
		return s.page(w, q, http.StatusOK, page.Settings(m))
	}
}

// settings returns the content of a page of the visitor's settings.
func (s *Server) settings(q *request, path string) (page.SettingsModel, error) {
	m := page.SettingsModel{Shell: s.settingsShell(q, path), Page: path}
	sets, c, err := s.setsAndCards(q.Context(), q.who.User, address.Owner{})
	if err != nil {
		return m, err
	}
	card := c.Users[q.who.User]
	if card == nil {
		return m, timeline.ErrUnauthorized
	}
	m.Viewer.Card, m.Viewer.Requests, m.Viewer.Admin = card, sets.Incoming, sets.Admin
	m.Name, m.DisplayName, m.Description, m.Status = card.Name, card.DisplayName, card.Description, card.Status
	switch path {
	case page.SettingsPath:
		if s.config.Files != nil {
			m.Pictures = &page.Pictures{Avatar: card.AvatarURL, Cover: card.CoverURL}
		}
		m.Lang, err = s.store.WritesIn(q.Context(), q.who.User)
		m.Initial = was("display_name", m.DisplayName, "description", m.Description, "lang", m.Lang)
	case page.AccountPath:
		m.Initial = was("name", m.Name)
		err = s.accountSettings(q, &m)
	case page.PrivacyPath:
		m.DirectsFrom, err = s.store.DirectsFrom(q.Context(), q.who.User)
		if err == nil {
			m.KeepsVisits, err = s.store.KeepsVisits(q.Context(), q.who.User)
		}
		m.Initial = was("status", m.Status, "directs_from", m.DirectsFrom, "visit_times", strconv.FormatBool(m.KeepsVisits))
	case page.AppearancePath:
		m.OwnPosts, m.PageLanguage = !sets.OwnLeftOut, q.who.Language
		m.Theme, m.Density, m.TimeZone = q.who.Theme, q.who.Density, q.who.TimeZone
		m.Initial = was("own_posts", strconv.FormatBool(m.OwnPosts), "page_language", m.PageLanguage,
			"theme", m.Theme, "density", m.Density, "time_zone", m.TimeZone)
	case page.FeedsPath:
		err = s.feedSettings(q, &m)
	case page.IntakesPath:
		err = s.intakeSettings(q, sets, &m)
	case page.DataPath:
		if s.config.Files != nil {
			m.Export, err = s.ownExport(q)
		}
		if err == nil {
			m.GroupsLeft, err = s.groupsLeft(q)
		}
	case page.TokensPath:
		if m.Tokens, err = s.ownTokens(q); err == nil {
			err = s.fillUsed(q, &m)
		}
		m.TokenTyped.Scopes = timeline.DefaultScopes.Names()
	}
	return m, err
}

// groupsLeft returns the groups with no other administrator than the viewer, and what happens to each without the viewer.
func (s *Server) groupsLeft(q *request) (all []page.GroupLeft, err error) {
	left, err := s.store.GroupsLeft(q.Context(), q.who.User)
	if err != nil {
		return nil, err
	}
	var heirs []timeline.UserID
	var groups []timeline.GroupID
	for _, g := range left {
		heirs, groups = append(heirs, g.Heir), append(groups, g.Group)
	}
	c, err := s.cards(q.Context(), heirs, groups)
	for _, g := range left {
		if group := c.Groups[g.Group]; group != nil {
			all = append(all, page.GroupLeft{Group: group, Heir: c.Users[g.Heir]})
		}
	}
	return all, err
}

// accountSettings fills in the e-mail address, the password's state and the sessions.
func (s *Server) accountSettings(q *request, m *page.SettingsModel) (err error) {
	email, err := s.store.Email(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	m.Email, m.EmailConfirmed, m.EmailFailed, m.EmailWanted, m.Mails = email.Address, email.Confirmed, email.Failed, email.Wanted, s.store.Mails()
	if m.HasPassword, err = s.store.HasPassword(q.Context(), q.who.User); err != nil {
		return err
	}
	m.Forgot = q.who.Forgot(s.now())
	if m.Sessions, err = s.ownSessions(q); err != nil || !s.store.TakesPasskeys() {
		return err
	}
	m.Passkeys, err = s.ownPasskeys(q)
	return err
}

// settingsShell returns the frame around a page of the visitor's settings.
func (s *Server) settingsShell(q *request, path string) page.Shell {
	shell := s.shell(q, page.SettingsTitle(q.words, path)+" · "+q.words.SettingsTitle())
	shell.Path = path // also when the page answers a form
	return shell
}

// was returns the values of a form of the profile, from names and values in turn.
func was(fields ...string) (initial page.Initial) {
	for i := 0; i < len(fields); i += 2 {
		initial = append(initial, struct{ Name, Value string }{"user[was][" + fields[i] + "]", fields[i+1]})
	}
	return initial
}

// ownTokens returns the visitor's tokens as their page shows them.
func (s *Server) ownTokens(q *request) (all []page.Token, err error) {
	tokens, err := s.store.Tokens(q.Context(), q.who.User)
	for _, t := range tokens {
		all = append(all, page.Token{
			ID: t.ID, Name: t.Name, Scopes: t.Scopes.Names(), CreatedAt: t.CreatedAt, SeenAt: t.SeenAt, ExpiresAt: t.ExpiresAt, Expired: t.Expired(s.now()),
		})
	}
	return all, err
}

// fillUsed adds how many requests there were in this hour: of each token, and of the person.
func (s *Server) fillUsed(q *request, m *page.SettingsModel) error {
	keys := []quota.Key{quota.OfPerson(q.who.User)}
	for _, t := range m.Tokens {
		keys = append(keys, quota.OfToken(t.ID))
	}
	used, err := s.quotas.Used(q.Context(), keys)
	if err != nil {
		return err
	}
	limits := s.rivers.Site().Quotas
	m.Used, m.Limit = used[0], limits.Person
	for i := range m.Tokens {
		m.Tokens[i].Used, m.Tokens[i].Limit = used[i+1], limits.Token
	}
	return nil
}

// askPrivacy shows the privacy settings with the sent values, and the audience that the feed
// would have then. It changes nothing.
func (s *Server) askPrivacy(w http.ResponseWriter, q *request) error {
	m, err := s.settings(q, page.PrivacyPath)
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

// fillProfile puts the typed values into the form.
func fillProfile(m *page.SettingsModel, edit timeline.ProfileEdit) {
	fillTyped(&m.Name, edit.Name)
	fillTyped(&m.DisplayName, edit.DisplayName)
	fillTyped(&m.Description, edit.Description)
	fillTyped(&m.Status, edit.Status)
	fillTyped(&m.DirectsFrom, edit.DirectsFrom)
	if edit.OwnPosts != nil {
		m.OwnPosts = *edit.OwnPosts
	}
	if edit.KeepsVisits != nil {
		m.KeepsVisits = *edit.KeepsVisits
	}
	fillTyped(&m.Lang, edit.Lang)
	fillTyped(&m.PageLanguage, edit.PageLanguage)
	fillTyped(&m.Theme, edit.Theme)
	fillTyped(&m.Density, edit.Density)
	fillTyped(&m.TimeZone, edit.TimeZone)
}

// refuseSettings responds to a form of the settings that was refused with err: it shows the page of
// the form again, with the problems and the additions of fill. It returns err if the request came
// from a program, or if a person can't mend the error.
func (s *Server) refuseSettings(w http.ResponseWriter, q *request, form page.SettingsForm, err error, fill func(*page.SettingsModel)) error {
	f, may := fixableByUser(err)
	if !q.html || !may {
		return err
	}
	m, err := s.settings(q, form.Page())
	if err != nil {
		return err
	}
	m.Refused, m.Problems = form, q.problems(f)
	if fill != nil {
		fill(&m)
	}
	return s.page(w, q, f.Status, page.Settings(m))
}
