package web

import (
	"net/http"

	"amstel.dev/amstel/timeline/discover"
	"amstel.dev/amstel/timeline/query"
	"amstel.dev/amstel/web/page"
)

// A savedJSON is a saved search.
type savedJSON struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Query string `json:"query"`
	URL   string `json:"url"`
}

func savedOf(s discover.SavedSearch) savedJSON {
	return savedJSON{s.ID, s.Name, s.Query, page.SearchesPath(s.Query)}
}

// listSearches serves the visitor's saved searches.
func (s *Server) listSearches(w http.ResponseWriter, q *request) error {
	saved, err := s.discover.SavedSearches(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	all := make([]savedJSON, 0, len(saved))
	for _, one := range saved {
		all = append(all, savedOf(one))
	}
	s.json(w, q, http.StatusOK, map[string]any{"searches": all})
	return nil
}

// saveSearch saves a search under a name.
func (s *Server) saveSearch(w http.ResponseWriter, q *request) error {
	name, err := q.body.text("name")
	if err != nil {
		return err
	}
	text, err := q.body.text("q")
	if err != nil {
		return err
	}
	saved, err := s.discover.SaveSearch(q.Context(), q.who.User, name, text)
	if err != nil {
		return s.notSaved(w, q, 0, text, err)
	}
	return s.done(w, q, page.SearchesPath(saved.Query), map[string]any{"search": savedOf(saved)})
}

// renameSearch renames a saved search.
func (s *Server) renameSearch(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	name, err := q.body.text("name")
	if err != nil {
		return err
	}
	if err := s.discover.RenameSearch(q.Context(), q.who.User, id, name); err != nil {
		return s.notSaved(w, q, id, "", err)
	}
	return s.done(w, q, page.SearchPath, map[string]any{"result": "renamed"})
}

// dropSearch deletes a saved search.
func (s *Server) dropSearch(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	if err := s.discover.DropSearch(q.Context(), q.who.User, id); err != nil {
		return err
	}
	return s.done(w, q, page.SearchPath, map[string]any{"result": "deleted"})
}

// notSaved shows a search again with the problems of the form that saves the search or, with an
// id, of the form that renames a saved search.
func (s *Server) notSaved(w http.ResponseWriter, q *request, id int64, text string, err error) error {
	f, may := fixableByUser(err)
	if !q.html || !may {
		return err
	}
	m := &page.SearchModel{Text: text, Problems: q.problems(f), At: id}
	m.Typed, _ = q.body.text("name")
	if reason, bad := q.badQuery(err); bad {
		m.Problem = reason
	} else if search, err := query.Parse(text); err == nil {
		m.Text = search.String()
	}
	if id != 0 {
		saved, err := s.discover.SavedSearches(q.Context(), q.who.User)
		if err != nil {
			return err
		}
		for _, one := range saved {
			if one.ID == id {
				m.Text = one.Query
			}
		}
	}
	return s.searchAgain(w, q, f.Status, m)
}
