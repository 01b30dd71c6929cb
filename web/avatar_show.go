package web

import (
	"net/http"
	"regexp"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// namePattern is what a name looks like, whether or not anybody has it.
var namePattern = regexp.MustCompile(`^[a-z0-9_][a-z0-9_-]{0,48}$`)

// showAvatar draws the picture of somebody without one. It depends on the name
// alone, so it tells nobody who is here.
func (s *Server) showAvatar(w http.ResponseWriter, q *request) error {
	name := q.param("name")
	if !namePattern.MatchString(name) {
		return timeline.ErrNotFound
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age=604800")
	_, _ = w.Write([]byte(page.AvatarSVG(name, "")))
	return nil
}
