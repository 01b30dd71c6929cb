package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// A tokenJSON is a token. Only the answer to its creation has the secret.
type tokenJSON struct {
	ID        int64    `json:"id"`
	Name      string   `json:"name"`
	Scopes    []string `json:"scopes"`
	CreatedAt string   `json:"created_at"`
	SeenAt    string   `json:"seen_at,omitempty"`
	ExpiresAt string   `json:"expires_at,omitempty"`
	Expired   bool     `json:"expired,omitempty"`
}

// listTokens serves the visitor's tokens.
func (s *Server) listTokens(w http.ResponseWriter, q *request) error {
	tokens, err := s.store.Tokens(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	list := make([]tokenJSON, 0, len(tokens))
	for _, t := range tokens {
		one := tokenJSON{
			ID: t.ID, Name: t.Name, Scopes: mokum.NotNil(t.Scopes.Names()), CreatedAt: mokum.Stamp(t.CreatedAt), Expired: t.Expired(s.now()),
		}
		if t.SeenAt != nil {
			one.SeenAt = mokum.Stamp(*t.SeenAt)
		}
		if t.ExpiresAt != nil {
			one.ExpiresAt = mokum.Stamp(*t.ExpiresAt)
		}
		list = append(list, one)
	}
	s.json(w, q, http.StatusOK, map[string]any{"tokens": list})
	return nil
}

// createToken creates a token, and answers with its secret, which no later answer has. For a form,
// a cookie brings the secret to the next page: an address must not contain the secret, and a page
// that answers the form directly would make a second token when it is reloaded.
func (s *Server) createToken(w http.ResponseWriter, q *request) error {
	secret, err := s.newToken(q)
	if err != nil {
		return s.refuseSettings(w, q, page.TokenForm, err, q.fillToken)
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
	spec := timeline.TokenSpec{}
	if spec.Name, err = in.text("name"); err != nil {
		return "", err
	}
	if spec.Scopes, err = in.scopes(); err != nil {
		return "", err
	}
	if spec.Expires, err = in.expires(s.now()); err != nil {
		return "", err
	}
	return s.store.NewToken(q.Context(), q.who.User, spec)
}

// scopes returns the scopes of a new token: a list of names, or one text with blanks between them;
// the default if no scopes are sent. A form whose boxes are all empty sends an empty list, which is
// refused.
func (in input) scopes() (timeline.Scopes, error) {
	typed, err := in.texts("scopes")
	if err != nil {
		return 0, err
	}
	names := strings.Fields(strings.Join(typed, " "))
	if in.has("scopes") && len(names) == 0 {
		return 0, &timeline.InvalidError{Field: "scopes", Reason: "are empty: name some of read, write and admin", Code: "no_scope"}
	}
	return timeline.ParseScopes(names)
}

// maxTokenDays bounds the days after which a new token may expire.
const maxTokenDays = 3650

// expires returns when a new token expires: the time expires_at, or so many days from now; zero if
// neither is sent.
func (in input) expires(now time.Time) (time.Time, error) {
	at, err := in.text("expires_at")
	if err != nil {
		return time.Time{}, err
	}
	if at = strings.TrimSpace(at); at != "" {
		expires, err := time.Parse(time.RFC3339, at)
		if err != nil || expires.Year() > 9999 {
			return time.Time{}, &timeline.InvalidError{Field: "expires_at", Reason: "is not a time like 2027-01-31T12:00:00Z"}
		}
		return expires, nil
	}
	days, err := in.text("days")
	if number, is := in["days"].(json.Number); is {
		days, err = number.String(), nil
	}
	if err != nil || days == "" {
		return time.Time{}, err
	}
	n, err := strconv.Atoi(days)
	if err != nil || n < 1 || n > maxTokenDays {
		return time.Time{}, &timeline.InvalidError{Field: "days", Reason: fmt.Sprintf("is a number from 1 to %d", maxTokenDays), Code: "number"}
	}
	return now.AddDate(0, 0, n), nil
}

// fillToken puts the typed values into the form of a new token.
func (q *request) fillToken(m *page.SettingsModel) {
	in, err := q.body.in("token")
	if err != nil {
		return
	}
	m.TokenTyped.Name, _ = in.text("name")
	m.TokenTyped.Days, _ = in.text("days")
	m.TokenTyped.Scopes, _ = in.texts("scopes")
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
