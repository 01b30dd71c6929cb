package web

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// A pushReceiverJSON is a browser that gets pushes, as its owner sees it.
type pushReceiverJSON struct {
	ID        int64  `json:"id"`
	Browser   string `json:"browser,omitempty"`
	System    string `json:"system,omitempty"`
	CreatedAt string `json:"created_at"`
	Current   bool   `json:"current"`
}

// listPushReceivers serves the visitor's browsers that get pushes, and the key with which a browser asks its push service for an endpoint.
func (s *Server) listPushReceivers(w http.ResponseWriter, q *request) error {
	if s.config.PushKey == nil {
		return timeline.ErrNotFound
	}
	m, err := s.pushes(q)
	if err != nil {
		return err
	}
	list := make([]pushReceiverJSON, 0, len(m.Receivers))
	for _, one := range m.Receivers {
		list = append(list, pushReceiverJSON{one.ID, one.Browser, one.System, mokum.Stamp(one.CreatedAt), one.Current})
	}
	s.json(w, q, http.StatusOK, map[string]any{"key": m.Key, "receivers": list})
	return nil
}

// pushes returns the visitor's browsers that get pushes, as their page shows them; nil on a site without pushes.
func (s *Server) pushes(q *request) (*page.Pushes, error) {
	if s.config.PushKey == nil {
		return nil, nil
	}
	key, err := s.config.PushKey(q.Context())
	if err != nil {
		return nil, err
	}
	found, err := s.store.PushReceivers(q.Context(), q.who.User)
	if err != nil {
		return nil, err
	}
	m := &page.Pushes{Key: key}
	for _, one := range found {
		current := bytes.Equal(one.Hash, q.who.Hash)
		m.On = m.On || current
		m.Receivers = append(m.Receivers, page.PushReceiver{ID: one.ID, Browser: one.Browser, System: one.System, CreatedAt: one.CreatedAt, Current: current})
	}
	return m, nil
}

// addPushReceiver has the browser of the actor's session get pushes. The body is the JSON of a PushSubscription, as browsers make it.
func (s *Server) addPushReceiver(w http.ResponseWriter, q *request) error {
	if s.config.PushKey == nil {
		return timeline.ErrNotFound
	}
	var at timeline.PushEndpoint
	var err error
	if at.Address, err = q.body.text("endpoint"); err != nil {
		return err
	}
	keys, err := q.body.in("keys")
	if err != nil {
		return err
	}
	if at.PublicKey, err = keyIn(keys, "p256dh"); err != nil {
		return err
	}
	if at.Auth, err = keyIn(keys, "auth"); err != nil {
		return err
	}
	if err := s.store.AddPushReceiver(q.Context(), q.who.User, q.who.Hash, at); err != nil {
		return err
	}
	return s.done(w, q, page.NoticeSettingsPath, map[string]any{"result": "on"})
}

// keyIn returns a key of a browser, which is in base64 for addresses.
func keyIn(keys input, name string) ([]byte, error) {
	text, err := keys.text(name)
	if err != nil {
		return nil, err
	}
	key, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return nil, &timeline.InvalidError{Field: "keys", Reason: "are not those of a browser"}
	}
	return key, nil
}

// removePushReceiver has one of the actor's browsers get no more pushes.
func (s *Server) removePushReceiver(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err == nil {
		err = s.store.RemovePushReceiver(q.Context(), q.who.User, id)
	}
	if err != nil {
		return err
	}
	return s.saved(w, q, page.PushForm, map[string]any{"result": "off"})
}
