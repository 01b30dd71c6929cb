package web

import (
	"cmp"
	"net/http"
	"slices"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// A madeComment is a new or changed comment in the answer to the write. It always has
// updated_at, which elsewhere only an edited comment has.
type madeComment struct {
	mokum.Comment
	effect
	Users      mokum.Users `json:"users"`
	Realm      int         `json:"realm"`
	ExternalID *string     `json:"external_id"`
}

// createComment adds a comment to a post.
func (s *Server) createComment(w http.ResponseWriter, q *request) error {
	post, err := q.post()
	if err != nil {
		return err
	}
	comment, err := newComment(q.body)
	if err != nil {
		return err
	}
	comment.Files.Most = s.mostFiles()
	var id timeline.CommentID
	if err = q.unkept; err == nil {
		id, err = s.store.AddComment(q.Context(), q.who.User, post, comment)
	}
	if err != nil {
		if f, may := fixableByUser(err); q.html && may && (f.Status == http.StatusUnprocessableEntity || q.unkept != nil) {
			m := page.EditModel{Shell: s.shell(q, q.words.CommentNewTitle()), Post: post, Text: comment.Text, Address: q.formAddress(), ReturnTo: q.goesTo("/"), UUID: newUUID()}
			return s.commentAgain(w, q, m, &comment.Files, f)
		}
		return err
	}
	return s.answerComment(w, q, post, id)
}

func newComment(body input) (comment timeline.NewComment, err error) {
	in, err := body.in("comment")
	if err != nil {
		return comment, err
	}
	if comment.Text, err = in.text("text"); err != nil {
		return comment, err
	}
	if comment.Platform, err = in.text("platform"); err != nil {
		return comment, err
	}
	files, err := in.files()
	if err != nil {
		return comment, err
	}
	if files != nil {
		comment.Files = *files
	}
	comment.UUID, err = body.text("_uuid")
	return comment, err
}

// answerComment responds to a write to a comment with the comment.
func (s *Server) answerComment(w http.ResponseWriter, q *request, post timeline.PostID, id timeline.CommentID) error {
	told, view := s.effectOn(w, q, post)
	if q.html {
		return s.done(w, q, q.sentFromPage("#c"+mokum.IDText(id)), nil)
	}
	comment, view, err := s.commentAs(q, post, id, view)
	if err != nil {
		return err
	}
	answer := madeComment{effect: told, Comment: comment, Users: mokum.Users{}}
	answer.UpdatedAt = cmp.Or(answer.UpdatedAt, answer.CreatedAt)
	if view != nil {
		answer.Users.Add(view.Sets, view.Users[comment.UserID])
	}
	answer.Users.Add(nil, q.who.card())
	return s.done(w, q, "", answer)
}

// commentAs returns a comment as the visitor sees the comment, and the view with it: the given
// view; or, if the comment is collapsed there, a view of the post's own page. A comment in neither
// view is read from the primary.
func (s *Server) commentAs(q *request, post timeline.PostID, id timeline.CommentID, view *river.View) (mokum.Comment, *river.View, error) {
	comment := shownIn(view, id)
	if comment == nil && q.shown {
		view = s.rivers.EntryFromMemory(q.who.User, post, true)
		comment = shownIn(view, id)
	}
	if comment == nil {
		view = s.singlePostView(q, post)
		comment = shownIn(view, id)
	}
	if comment == nil {
		var err error
		if comment, err = s.store.Comment(q.Context(), q.who.User, post, id); err != nil {
			return mokum.Comment{}, nil, err
		}
	}
	return s.commentAlone(view, comment, q.who), view, nil
}

// shownIn returns a comment from a view of its post, or nil if the view lacks the comment or
// collapses it.
func shownIn(view *river.View, id timeline.CommentID) *timeline.Comment {
	if view == nil || len(view.Entries) != 1 {
		return nil
	}
	comments := view.Entries[0].Fold.Comments.Comments
	at := slices.IndexFunc(comments, func(c timeline.Comment) bool { return c.ID == id })
	if at < 0 {
		return nil
	}
	return &comments[at]
}

// commentAlone returns a comment in Mokum's shape, by the view of its post. Without a
// view the number of likes is left out: the primary counts all likes, but the viewer may
// not see those of people on the other side of a ban.
func (s *Server) commentAlone(view *river.View, comment *timeline.Comment, who visitor) mokum.Comment {
	if view != nil && len(view.Entries) == 1 && view.Sets != nil {
		return mokum.CommentOf(view.Sets, &view.Entries[0], comment, s.cardsOf(view))
	}
	shown := mokum.CommentText(comment, false, s.host)
	shown.URL = "/-/" + mokum.IDText(comment.Post) + "#c" + mokum.IDText(comment.ID)
	shown.APIURL = "/api/v1/posts/" + mokum.IDText(comment.Post) + "/comments/" + mokum.IDText(comment.ID)
	shown.CanEdit = who.User == comment.User
	shown.CanDelete = shown.CanEdit
	return shown
}
