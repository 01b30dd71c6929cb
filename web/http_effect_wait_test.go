package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// ordered is a node, and the visitor's connection, in the order of what they do.
type ordered struct {
	noRivers
	http.ResponseWriter
	did []string
}

func (o *ordered) WaitApplied(context.Context) error { o.did = append(o.did, "sync"); return nil }
func (o *ordered) WaitRevoked()                      { o.did = append(o.did, "tighten") }
func (o *ordered) WriteHeader(status int) {
	o.did = append(o.did, "answer")
	o.ResponseWriter.WriteHeader(status)
}

// TestNoAnswerBeginsBeforeItsEffect: an answer waits until pages have the effect of the
// write, for each way to answer, even if the action does not ask for the wait.
func TestNoAnswerBeginsBeforeItsEffect(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(*Server, http.ResponseWriter, *request) error{
		"done": func(s *Server, w http.ResponseWriter, q *request) error { return s.done(w, q, "/", "x") },
		"json": func(s *Server, w http.ResponseWriter, q *request) error { s.json(w, q, 200, "x"); return nil },
		"page": func(s *Server, w http.ResponseWriter, q *request) error {
			return s.page(w, q, 200, page.About(page.AboutModel{}))
		},
		"other": func(_ *Server, w http.ResponseWriter, q *request) error {
			http.Redirect(w, q.Request, "/", http.StatusSeeOther)
			return nil
		},
		"error": func(*Server, http.ResponseWriter, *request) error { return timeline.ErrConflict },
	} {
		for _, tt := range []struct {
			wrote timeline.Effect
			want  []string
		}{
			{timeline.Effect{}, []string{"answer"}},
			{timeline.Effect{Changed: true}, []string{"sync", "answer"}},
			{timeline.Effect{Changed: true, Revoked: true}, []string{"tighten", "answer"}},
			{timeline.Effect{Revoked: true}, []string{"tighten", "answer"}},
		} {
			o := &ordered{ResponseWriter: httptest.NewRecorder()}
			s, err := New(Config{Rivers: o, URL: "http://amstel.example"})
			if err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequestWithContext(t.Context(), "POST", "/api/v1/posts", strings.NewReader("{}"))
			r.Header.Set("Content-Type", "application/json")
			s.handle(func(w http.ResponseWriter, q *request) error {
				*q.wrote = tt.wrote
				return answer(s, w, q)
			})(o, r)
			if !slices.Equal(o.did, tt.want) {
				t.Errorf("%s after %+v: %v, want %v", name, tt.wrote, o.did, tt.want)
			}
		}
	}
}
