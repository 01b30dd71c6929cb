package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// showComment serves a comment.
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
	if m.Files, err = s.commentFiles(q, post, id); err != nil {
		return err
	}
	return s.page(w, q, http.StatusOK, page.EditComment(m))
}

// commentFiles returns the fields of a form for the files of a comment of the actor's.
func (s *Server) commentFiles(q *request, post timeline.PostID, id timeline.CommentID) (fields page.FileFields, err error) {
	fields.FilesHint = s.filesHint()
	var files []timeline.UploadedFile
	if id != 0 {
		if files, err = s.store.FilesOf(q.Context(), q.who.User, post, id); err != nil {
			return fields, err
		}
		fields.Rows, fields.Mark = fileRows(files)
	}
	return fields, nil
}

// commentAgain shows the form of a comment with the sent values and its problems.
func (s *Server) commentAgain(w http.ResponseWriter, q *request, m page.EditModel, sent *timeline.Files, f failure) (err error) {
	if m.Files, err = s.commentFiles(q, m.Post, m.Comment); err != nil {
		return err
	}
	if m.Files.Rows, err = s.rowsAgain(q, m.Files.Rows, sent); err != nil {
		return err
	}
	m.Problems = q.problems(f)
	return s.page(w, q, f.Status, page.EditComment(m))
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
	if in.has("text") {
		edit.Text = &text
	} else if !in.has("attachment_ids") {
		return &timeline.InvalidError{Field: "text", Reason: "is missing, and so are attachment_ids"}
	}
	if err = q.unkept; err == nil {
		err = s.store.EditComment(q.Context(), q.who.User, post, id, edit)
	}
	if err != nil {
		if f, may := fixableByUser(err); q.html && may && (f.Status == http.StatusUnprocessableEntity || q.unkept != nil) {
			m := page.EditModel{Shell: s.shell(q, q.words.CommentEditTitle()), Author: authorIn(q.goesTo("")), Post: post, Comment: id, Text: text}
			return s.commentAgain(w, q, m, edit.Files, f)
		}
		return err
	}
	return s.answerComment(w, q, post, id)
}
