package web

import (
	"net/http"

	"amstel.dev/amstel/web/page"
)

// showGroups shows the directory of groups, those with the most members first.
func (s *Server) showGroups(w http.ResponseWriter, q *request) error {
	m := page.DirectoryModel{Shell: s.shell(q, q.words.FindGroupsTitle()), At: page.GroupsPath}
	m.NoIndex = false
	return s.showDirectory(w, q, s.groupDirectory(), m, "found_groups", "members")
}
