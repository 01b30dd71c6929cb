package web

import (
	"net/http"
	"regexp"
	"strings"

	"amstel.dev/amstel/internal/identicon"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// namePattern matches every name that an account can have.
var namePattern = regexp.MustCompile(`^[a-z0-9_][a-z0-9_-]{0,48}$`)

// showGenerated serves the generated picture of a name, which the name alone decides.
// So the picture does not tell whether an account has the name.
func (s *Server) showGenerated(mediaType string, draw func(name string) []byte) action {
	return func(w http.ResponseWriter, q *request) error {
		name := q.param("name")
		if !namePattern.MatchString(name) {
			return timeline.ErrNotFound
		}
		w.Header().Set("Content-Type", mediaType)
		w.Header().Set("Cache-Control", "public, max-age=604800")
		_, _ = w.Write(draw(name)) // a client that disconnects is not a server error
		return nil
	}
}

// generatedPNG returns the generated picture of a name for clients that can't show SVG, and
// for previews of links.
func generatedPNG(name string) []byte { return identicon.PNG(name, page.GeneratedPixels) }

// showPicture serves an avatar or a cover that a person or a group has at present.
func (s *Server) showPicture(role timeline.PictureRole) action {
	return func(w http.ResponseWriter, q *request) error {
		text, large := strings.CutSuffix(q.param("file"), "-large")
		var small timeline.FileName
		if err := small.UnmarshalText([]byte(text)); err != nil {
			return timeline.ErrNotFound
		}
		file, err := s.store.PictureFile(q.Context(), role, small, large)
		if err != nil {
			return err
		}
		header := w.Header()
		header.Del("Set-Cookie") // caches keep the answer for all readers
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
		header.Set("Cross-Origin-Resource-Policy", "cross-origin")
		return s.serveFile(w, q, timeline.AttachedFile{Rendition: timeline.Rendition{File: file, MediaType: "image/jpeg"}, FileName: string(role) + ".jpg"})
	}
}
