package web

import (
	"encoding/json"
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// A passkeyJSON is a passkey, as its owner sees it.
type passkeyJSON struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	CreatedAt string `json:"created_at"`
	UsedAt    string `json:"used_at,omitempty"`
}

// listPasskeys serves the visitor's passkeys, without their keys.
func (s *Server) listPasskeys(w http.ResponseWriter, q *request) error {
	all, err := s.store.Passkeys(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	list := make([]passkeyJSON, 0, len(all))
	for _, p := range all {
		one := passkeyJSON{ID: p.ID, Name: p.Name, CreatedAt: mokum.Stamp(p.CreatedAt)}
		if p.UsedAt != nil {
			one.UsedAt = mokum.Stamp(*p.UsedAt)
		}
		list = append(list, one)
	}
	s.json(w, q, http.StatusOK, map[string]any{"passkeys": list})
	return nil
}

// ownPasskeys returns the visitor's passkeys as their page shows them. A new one is offered the name of the visitor's device.
func (s *Server) ownPasskeys(q *request) (*page.Passkeys, error) {
	all, err := s.store.Passkeys(q.Context(), q.who.User)
	own := &page.Passkeys{All: all}
	if browser, system := timeline.DeviceOf(q.UserAgent()); browser != "" || system != "" {
		own.New = q.words.Device(browser, system)
	}
	return own, err
}

// askNewPasskey answers with the options with which the browser makes a passkey for the actor, who gives their password.
func (s *Server) askNewPasskey(w http.ResponseWriter, q *request) error {
	name, err := q.body.text("name")
	if err != nil {
		return err
	}
	if err := s.checkOwner(q); err != nil {
		return err
	}
	options, err := s.store.BeginPasskey(q.Context(), q.who.User, name)
	if err != nil {
		return err
	}
	s.json(w, q, http.StatusOK, map[string]json.RawMessage{"options": options})
	return nil
}

// addPasskey adds the passkey that the browser made with the options of askNewPasskey, for which the actor gave their password.
func (s *Server) addPasskey(w http.ResponseWriter, q *request) error {
	name, err := q.body.text("name")
	if err != nil {
		return err
	}
	made, err := q.body.text("passkey")
	if err != nil {
		return err
	}
	err = s.store.AddPasskey(q.Context(), q.who.User, name, []byte(made))
	return s.answerPasskey(w, q, 0, name, "added", err)
}

// renamePasskey renames a passkey of the actor's.
func (s *Server) renamePasskey(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	name, err := q.body.text("name")
	if err != nil {
		return err
	}
	err = s.store.RenamePasskey(q.Context(), q.who.User, id, name)
	return s.answerPasskey(w, q, id, name, "renamed", err)
}

// removePasskey removes a passkey of the actor's, who gives their password.
func (s *Server) removePasskey(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	if err = s.checkOwner(q); err == nil {
		err = s.store.RemovePasskey(q.Context(), q.who.User, id)
	}
	return s.answerPasskey(w, q, id, "", "removed", err)
}

// answerPasskey responds to a change of a passkey, or of a new one (0). If err is not nil, the settings are shown again with the
// typed name.
func (s *Server) answerPasskey(w http.ResponseWriter, q *request, id int64, name, result string, err error) error {
	if err != nil {
		return s.refuseSettings(w, q, page.PasskeyForm, err, func(m *page.SettingsModel) {
			if m.Passkeys == nil {
				return
			}
			m.Passkeys.Refused, m.Passkeys.Typed = id, name
			if id == 0 {
				m.Passkeys.New = name
			}
		})
	}
	return s.saved(w, q, page.PasskeyForm, map[string]any{"result": result})
}

// checkOwner returns an error unless the body has the actor's password, or the actor signed in by a link a short time ago. An
// actor without a password must have signed in a short time ago.
func (s *Server) checkOwner(q *request) error {
	password, err := q.body.text("password")
	if err != nil || q.who.Forgot(s.now()) {
		return err
	}
	has, err := s.store.HasPassword(q.Context(), q.who.User)
	switch {
	case err != nil:
		return err
	case has:
		return s.store.CheckPassword(q.Context(), q.who.User, password)
	}
	return s.checkRecent(q, "password")
}
