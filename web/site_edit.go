package web

import (
	"encoding/json"
	"fmt"
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// shownSiteChanges is how many changes of settings the page shows, and the API lists.
const shownSiteChanges = 30

// showSite shows the settings of the site to administrators.
func (s *Server) showSite(w http.ResponseWriter, q *request) error {
	if !q.html {
		return s.showSiteSettings(w, q)
	}
	saved, _ := s.justSaved(w, q)
	return s.sitePage(w, q, http.StatusOK, saved, nil, nil)
}

// sitePage shows the settings of the site, with the typed values and their problems.
func (s *Server) sitePage(w http.ResponseWriter, q *request, status int, saved page.SettingsForm, typed timeline.SiteEdit, wrong page.Problems) error {
	sets, _, err := s.setsAndCards(q.Context(), q.who.User, address.Owner{})
	if err != nil {
		return err
	}
	if !sets.Admin {
		return timeline.ErrForbidden
	}
	settings, err := s.store.SiteSettings(q.Context())
	if err != nil {
		return err
	}
	m := page.SiteModel{Shell: s.settingsShell(q, page.SitePath), Settings: settings.ForPage(), Problems: wrong}
	m.Saved, m.Viewer.Admin = saved, true
	if m.Changes, m.People, err = s.siteChanges(q); err != nil {
		return err
	}
	for i, one := range m.Settings {
		m.Initial = append(m.Initial, struct{ Name, Value string }{"site[was][" + one.Key + "]", one.Value})
		if value, is := typed[one.Key]; is {
			m.Settings[i].Value = value
		}
	}
	return s.page(w, q, status, page.Site(m))
}

// siteChanges returns the last changes of the settings, and the cards of the administrators who made them.
func (s *Server) siteChanges(q *request) ([]timeline.SiteChange, map[timeline.UserID]*timeline.UserCard, error) {
	changes, err := s.store.SiteChanges(q.Context(), q.who.User, shownSiteChanges)
	if err != nil {
		return nil, nil, err
	}
	people := make([]timeline.UserID, 0, len(changes))
	for _, c := range changes {
		people = append(people, c.By)
	}
	c, err := s.cards(q.Context(), people, nil)
	return changes, c.Users, err
}

// A siteChangeJSON is a change of a setting.
type siteChangeJSON struct {
	At      string `json:"at"`
	By      string `json:"by,omitempty"`
	Setting string `json:"setting"`
	Was     string `json:"was"`
	Value   string `json:"value"`
}

// listSiteChanges serves the last changes of the settings to administrators.
func (s *Server) listSiteChanges(w http.ResponseWriter, q *request) error {
	changes, people, err := s.siteChanges(q)
	if err != nil {
		return err
	}
	list := make([]siteChangeJSON, 0, len(changes))
	for _, c := range changes {
		one := siteChangeJSON{At: mokum.Stamp(c.At), Setting: c.Setting, Was: c.Was, Value: c.Value}
		if by := people[c.By]; by != nil {
			one.By = by.Name
		}
		list = append(list, one)
	}
	s.json(w, q, http.StatusOK, map[string]any{"changes": list})
	return nil
}

// showSiteSettings serves the settings of the site, which are public.
func (s *Server) showSiteSettings(w http.ResponseWriter, q *request) error {
	settings, err := s.store.SiteSettings(q.Context())
	if err != nil {
		return err
	}
	s.json(w, q, http.StatusOK, map[string]any{"site": settings})
	return nil
}

// editSite changes the settings of the site that the body names.
func (s *Server) editSite(w http.ResponseWriter, q *request) error {
	edit, err := siteEdit(q.body)
	var settings timeline.SiteSettings
	switch {
	case err != nil:
	case len(edit) == 0 && q.html: // the form was sent without a change
		return s.saved(w, q, page.SiteForm, nil)
	default:
		settings, err = s.store.SetSiteSettings(q.Context(), q.who.User, edit)
	}
	if err != nil {
		if f, may := fixableByUser(err); q.html && may && f.Status == http.StatusUnprocessableEntity {
			return s.sitePage(w, q, f.Status, "", edit, q.problems(f))
		}
		return err
	}
	return s.saved(w, q, page.SiteForm, map[string]any{"site": settings})
}

// siteEdit reads settings by their keys, or as the object with which the API answers;
// each part may be left out.
func siteEdit(body input) (timeline.SiteEdit, error) {
	in, err := body.in("site")
	if err == nil {
		in, err = in.changed()
	}
	if err != nil {
		return nil, err
	}
	edit := make(timeline.SiteEdit)
	return edit, gather(edit, "", in)
}

// gather adds the settings of a part of the body to edit, under the key of the part.
func gather(edit timeline.SiteEdit, under string, in input) error {
	for key := range in {
		if under == "" && key == "was" {
			continue
		}
		full := under + key
		switch value := in[key].(type) {
		case string, nil:
			text, err := in.text(key)
			if err != nil {
				return &timeline.InvalidError{Field: full, Reason: "has a character that can't be kept", Code: "characters"}
			}
			edit[full] = text
		case bool, json.Number:
			edit[full] = fmt.Sprint(value)
		case input, map[string]any:
			part, err := in.in(key)
			if err == nil && under == "" {
				err = gather(edit, full+".", part)
			} else if err == nil {
				err = &timeline.InvalidError{Field: full, Reason: "has no parts"}
			}
			if err != nil {
				return err
			}
		default:
			return &timeline.InvalidError{Field: full, Reason: "is not one value"}
		}
	}
	return nil
}
