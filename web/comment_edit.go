package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// showComment answers with a comment.
func (s *Server) showComment(w http.ResponseWriter, q *request) error {
	post, id, err := q.comment()
	if err != nil {
		return err
	}
	comment, _, err := s.commentAs(q, post, id, nil)
	if err != nil {
		return err
	}
	s.json(w, q, http.StatusOK, comment)
	return nil
}

// showCommentEdit shows the form for editing a comment to the author of the comment.
func (s *Server) showCommentEdit(w http.ResponseWriter, q *request) error {
	post, id, err := q.comment()
	if err != nil {
		return err
	}
	comment, err := s.store.Comment(q.Context(), q.who.User, post, id)
	if err != nil {
		return err
	}
	if comment.User != q.who.User {
		return timeline.ErrForbidden
	}
	m := page.EditModel{Shell: s.shell(q, q.words.CommentEditTitle()), Author: q.param("name"), Post: post, Comment: id, Text: comment.Text}
	return s.page(w, q, http.StatusOK, page.EditComment(m))
}

// editComment changes the text, the files or both of a comment that the actor wrote.
func (s *Server) editComment(w http.ResponseWriter, q *request) error {
	post, id, err := q.comment()
	if err != nil {
		return err
	}
	in, err := q.body.in("comment")
	if err != nil {
		return err
	}
	var edit timeline.CommentEdit
	if edit.Files, err = in.files(); err != nil {
		return err
	}
	if edit.Files != nil {
		edit.Files.Most = s.mostFiles()
	}
	text, err := in.text("text")
	if err != nil {
		return err
	}
	if edit.Files == nil || in.has("text") {
		edit.Text = &text
	}
	if err := s.store.EditComment(q.Context(), q.who.User, post, id, edit); err != nil {
		if f, may := fixableByUser(err); q.html && may && f.Status == http.StatusUnprocessableEntity {
			m := page.EditModel{Shell: s.shell(q, q.words.CommentEditTitle()), Author: authorIn(q.goesTo("")), Post: post, Comment: id, Text: text, Problems: q.problems(f)}
			return s.page(w, q, f.Status, page.EditComment(m))
		}
		return err
	}
	return s.answerComment(w, q, post, id)
}
