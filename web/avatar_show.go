package web

import (
	"net/http"
	"regexp"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// namePattern matches every name that an account can have.
var namePattern = regexp.MustCompile(`^[a-z0-9_][a-z0-9_-]{0,48}$`)

// showAvatar answers with the generated picture of a name. The picture depends on the
// name alone, so it does not tell whether an account has the name.
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
