package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	"amstel.dev/amstel/web/openapi"
	"amstel.dev/amstel/web/page"
)

// showDocument returns a handler that serves a document about the interface for programs, which is the
// same for all clients. Content returns the document.
func showDocument(mediaType string, content func() []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body := content()
		sum := sha256.Sum256(body)
		header := w.Header()
		header.Set("Content-Type", mediaType)
		header.Set("ETag", `W/"`+hex.EncodeToString(sum[:8])+`"`) // weak, as the answer may be compressed
		header.Set("Cache-Control", "public, no-cache")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	}
}

// The documents: the OpenAPI document, and the JSON Schema of frames.
var (
	showOpenAPI    = showDocument(jsonType, openapi.Document)
	showLiveSchema = showDocument("application/schema+json", openapi.Live)
)

// showAPI shows the page about the interface for programs.
func (s *Server) showAPI(w http.ResponseWriter, q *request) error {
	shell := s.shell(q, q.words.ApiTitle())
	shell.NoIndex = false
	return s.page(w, q, http.StatusOK, page.API(page.APIModel{Shell: shell, Site: s.public}))
}
