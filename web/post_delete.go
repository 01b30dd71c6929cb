package web

import "net/http"

// deletePost deletes a post with its comments, likes and files.
func (s *Server) deletePost(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "/", "deleted", s.store.DeletePost)
}
