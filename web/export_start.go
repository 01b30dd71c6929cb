package web

import (
	"net/http"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// An exportJSON is an export, as the person who started the export sees it.
type exportJSON struct {
	ID        int64  `json:"id"`
	State     string `json:"state"` // "queued", "ready" or "failed"
	CreatedAt string `json:"created_at"`
	Done      int    `json:"done"`  // posts that are written
	Posts     int    `json:"posts"` // all posts; 0 before the work has begun
	Size      int64  `json:"size,omitempty"`
	URL       string `json:"url,omitempty"`
	Until     string `json:"until,omitempty"` // when it is deleted
}

// startExport queues an export of everything that belongs to the actor.
func (s *Server) startExport(w http.ResponseWriter, q *request) error {
	if s.config.Files == nil {
		return timeline.ErrNotFound
	}
	e, err := s.store.StartExport(q.Context(), q.who.User, q.words.Code())
	if err != nil {
		return err
	}
	return s.done(w, q, page.DataPath, map[string]any{"export": exportAnswer(q, e)})
}

// listExports serves the visitor's exports, the newest first.
func (s *Server) listExports(w http.ResponseWriter, q *request) error {
	all, err := s.store.Exports(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	list := make([]exportJSON, 0, len(all))
	for _, e := range all {
		list = append(list, exportAnswer(q, e))
	}
	s.json(w, q, http.StatusOK, map[string]any{"exports": list})
	return nil
}

// exportAnswer returns an export as the API has it.
func exportAnswer(q *request, e timeline.Export) exportJSON {
	one := exportJSON{ID: e.ID, State: e.State, CreatedAt: mokum.Stamp(e.CreatedAt), Done: e.Done, Posts: e.Posts}
	if e.State != timeline.ExportQueued {
		one.Until = mokum.Stamp(e.Until)
	}
	if e.State == timeline.ExportReady {
		one.Size, one.URL = e.Size, page.ExportPath(e.ID, q.who.Name, e.CreatedAt)
	}
	return one
}

// deleteExport deletes an export of the actor's, or cancels it before it is ready.
func (s *Server) deleteExport(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	if err := s.store.DeleteExport(q.Context(), q.who.User, id); err != nil {
		return err
	}
	return s.done(w, q, page.DataPath, map[string]any{"result": "deleted"})
}

// downloadExport serves the file of an export to the person who started the export. All others get 404.
func (s *Server) downloadExport(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	e, err := s.store.ReadyExport(q.Context(), q.who.User, id)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "private, no-store")
	w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
	return s.serveFile(w, q, timeline.AttachedFile{
		Rendition: timeline.Rendition{File: e.File, MediaType: "application/zip", Size: e.Size},
		FileName:  q.who.Name + "-" + e.CreatedAt.UTC().Format(time.DateOnly) + ".zip",
	})
}

// ownExport returns the visitor's exports for the settings page, the newest first.
func (s *Server) ownExport(q *request) (*page.OwnExport, error) {
	all, err := s.store.Exports(q.Context(), q.who.User)
	if err != nil {
		return nil, err
	}
	shown := &page.OwnExport{}
	for _, e := range all {
		one := page.OneExport{ID: e.ID, State: e.State, Done: e.Done, Posts: e.Posts, Size: e.Size, CreatedAt: e.CreatedAt}
		if e.State == timeline.ExportReady {
			one.URL = page.ExportPath(e.ID, q.who.Name, e.CreatedAt)
		}
		shown.All = append(shown.All, one)
		shown.Waiting = shown.Waiting || e.State == timeline.ExportQueued
	}
	return shown, nil
}
