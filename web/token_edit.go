package web

import (
	"net/http"

	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// A tokenJSON is a token. Only the answer to its creation has the secret.
type tokenJSON struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	CreatedAt string `json:"created_at"`
	SeenAt    string `json:"seen_at,omitempty"`
}

// listTokens serves the visitor's tokens.
func (s *Server) listTokens(w http.ResponseWriter, q *request) error {
	tokens, err := s.store.Tokens(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	list := make([]tokenJSON, 0, len(tokens))
	for _, t := range tokens {
		one := tokenJSON{ID: t.ID, Name: t.Name, CreatedAt: mokum.Stamp(t.CreatedAt)}
		if t.SeenAt != nil {
			one.SeenAt = mokum.Stamp(*t.SeenAt)
		}
		list = append(list, one)
	}
	s.json(w, q, http.StatusOK, map[string]any{"tokens": list})
	return nil
}

// createToken creates a token and shows its secret, this once. A browser keeps the secret for
// the next page, because an address must not contain the secret, and because reloading a page
// that answers a form would make a second token.
func (s *Server) createToken(w http.ResponseWriter, q *request) error {
	secret, err := s.newToken(q)
	if err != nil {
		return s.refuseSettings(w, q, page.TokenForm, err, nil)
	}
	w.Header().Set("Cache-Control", "no-store")
	if !q.html {
		s.json(w, q, http.StatusOK, map[string]any{"token": secret})
		return nil
	}
	s.setSaved(w, q, page.TokenForm, secret)
	return s.done(w, q, page.TokensPath, nil)
}

func (s *Server) newToken(q *request) (string, error) {
	in, err := q.body.in("token")
	if err != nil {
		return "", err
	}
	name, err := in.text("name")
	if err != nil {
		return "", err
	}
	return s.store.NewToken(q.Context(), q.who.User, name)
}

// revokeToken revokes a token of the actor's.
func (s *Server) revokeToken(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	if err := s.store.RevokeToken(q.Context(), q.who.User, id); err != nil {
		return err
	}
	s.people.forgetUser(q.who.User)
	return s.done(w, q, page.TokensPath, map[string]any{"result": "revoked"})
}
