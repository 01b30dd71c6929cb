package web

import (
	"net/http"
	"net/url"
	"strconv"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// manyCame is how many of the people who came by someone's links the page shows.
const manyCame = 200

// createSignUpLink makes a link with which others can sign up, and answers with its address, which no later answer has.
func (s *Server) createSignUpLink(w http.ResponseWriter, q *request) error {
	m := page.SignUpLinksModel{}
	in, err := q.body.in("link")
	if err == nil {
		m.Uses, err = in.text("uses")
	}
	if err == nil {
		m.Days, err = in.text("days")
	}
	var secret string
	if err == nil {
		secret, err = s.newSignUpLink(q, m.Uses, m.Days)
	}
	if err != nil {
		if f, may := fixableByUser(err); q.html && may {
			m.Problems = q.problems(f)
			return s.signUpLinksPage(w, q, f.Status, m)
		}
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	if q.html {
		s.setSaved(w, q, page.SignUpLinkForm, secret)
		return s.done(w, q, page.SignUpLinksPath, nil)
	}
	s.json(w, q, http.StatusOK, map[string]any{"url": s.signUpAddress(secret)})
	return nil
}

func (s *Server) newSignUpLink(q *request, uses, days string) (string, error) {
	numbers := make([]int, 2)
	for i, one := range []struct{ field, text string }{{"uses", uses}, {"days", days}} {
		n, err := strconv.Atoi(one.text)
		if err != nil {
			return "", &timeline.InvalidError{Field: one.field, Reason: "is not a number", Code: "number"}
		}
		numbers[i] = n
	}
	return s.store.NewSignUpLink(q.Context(), q.who.User, numbers[0], numbers[1])
}

// signUpAddress returns the address of the form for signing up with a link.
func (s *Server) signUpAddress(secret string) string {
	return s.public + page.SignUpPath + "?" + url.Values{"link": {secret}}.Encode()
}

// showSignUpLinks shows the page on which the visitor makes links for others.
func (s *Server) showSignUpLinks(w http.ResponseWriter, q *request) error {
	if !q.html {
		return s.listSignUpLinks(w, q)
	}
	m := page.SignUpLinksModel{Uses: "1", Days: "7"}
	if saved, secret := s.justSaved(w, q); saved == page.SignUpLinkForm {
		m.New = s.signUpAddress(secret)
		w.Header().Set("Cache-Control", "no-store")
	}
	return s.signUpLinksPage(w, q, http.StatusOK, m)
}

// signUpLinks returns the visitor's links that still work, and the people who came by any of the visitor's links.
func (s *Server) signUpLinks(q *request) (links []timeline.SignUpLink, came []*timeline.UserCard, err error) {
	links, ids, err := s.store.SignUpLinks(q.Context(), q.who.User, manyCame)
	if err != nil {
		return nil, nil, err
	}
	c, err := s.cards(q.Context(), ids, nil)
	for _, id := range ids {
		if who := c.Users[id]; who != nil {
			came = append(came, who)
		}
	}
	return links, came, err
}

// signUpLinksPage fills in the links and who came by them, and shows the page.
func (s *Server) signUpLinksPage(w http.ResponseWriter, q *request, status int, m page.SignUpLinksModel) error {
	var err error
	if m.Links, m.Came, err = s.signUpLinks(q); err != nil {
		return err
	}
	m.Shell, m.Closed = s.settingsShell(q, page.SignUpLinksPath), s.rivers.Site().Registration == timeline.RegistrationClosed
	return s.page(w, q, status, page.SignUpLinks(m))
}

// A signUpLinkJSON is a sign-up link without its secret.
type signUpLinkJSON struct {
	ID        int64  `json:"id"`
	CreatedAt string `json:"created_at"`
	ExpiresAt string `json:"expires_at"`
	Uses      int    `json:"uses"`
	Used      int    `json:"used"`
}

// listSignUpLinks serves the visitor's links that still work, and the names of those who came by any of them.
func (s *Server) listSignUpLinks(w http.ResponseWriter, q *request) error {
	links, came, err := s.signUpLinks(q)
	if err != nil {
		return err
	}
	list, names := make([]signUpLinkJSON, 0, len(links)), make([]string, 0, len(came))
	for _, l := range links {
		list = append(list, signUpLinkJSON{ID: l.ID, CreatedAt: mokum.Stamp(l.CreatedAt), ExpiresAt: mokum.Stamp(l.ExpiresAt), Uses: l.Uses, Used: l.Used})
	}
	for _, who := range came {
		names = append(names, who.Name)
	}
	s.json(w, q, http.StatusOK, map[string]any{"links": list, "came": names})
	return nil
}

// revokeSignUpLink ends a link of the actor's.
func (s *Server) revokeSignUpLink(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	if err := s.store.RevokeSignUpLink(q.Context(), q.who.User, id); err != nil {
		return err
	}
	return s.done(w, q, page.SignUpLinksPath, map[string]any{"result": "revoked"})
}
