package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// showHistory shows the texts that a post or comment had, as far as the viewer may read them.
func (s *Server) showHistory(w http.ResponseWriter, q *request) error {
	post, comment, err := q.postOrComment()
	if err != nil {
		return err
	}
	h, err := s.store.History(q.Context(), q.who.User, post, comment)
	if err != nil {
		return err
	}
	if !q.html {
		type version struct {
			Text      string `json:"text"`
			WrittenAt string `json:"written_at"`
		}
		var versions []version
		for _, v := range h.Versions {
			versions = append(versions, version{v.Text, mokum.Stamp(v.WrittenAt)})
		}
		s.json(w, q, http.StatusOK, map[string]any{"versions": versions, "can_delete": h.Mine && len(versions) > 1})
		return nil
	}
	m := page.HistoryModel{
		Shell: s.shell(q, ""), Author: h.AuthorName, Post: post, Comment: comment, Versions: h.Versions, Mine: h.Mine,
	}
	m.Title = page.HistoryTitle(m)
	return s.page(w, q, http.StatusOK, page.History(m))
}

// deleteHistory deletes the earlier texts of a post or comment of the actor's.
func (s *Server) deleteHistory(w http.ResponseWriter, q *request) error {
	post, comment, err := q.postOrComment()
	if err != nil {
		return err
	}
	if err := s.store.DeleteHistory(q.Context(), q.who.User, post, comment); err != nil {
		return err
	}
	return s.doneTo(w, q, post, "", "deleted")
}

// postOrComment returns the ids of the post and of the comment in the path; the second is 0 in
// the path of a post.
func (q *request) postOrComment() (timeline.PostID, timeline.CommentID, error) {
	if q.param("comment") == "" {
		post, err := q.post()
		return post, 0, err
	}
	return q.comment()
}
