package web

import (
	"net/http"
	"slices"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// madeComment is a comment in the answer to its making.
type madeComment struct {
	commentJSON
	effect
	Users      usersJSON `json:"users"`
	Realm      int       `json:"realm"`
	ExternalID *string   `json:"external_id"`
}

// createComment comments on a post.
func (s *Server) createComment(w http.ResponseWriter, q *request) error {
	post, err := q.post()
	if err != nil {
		return err
	}
	comment, err := newComment(q.body)
	if err != nil {
		return err
	}
	id, err := s.store.AddComment(q.Context(), q.who.User, post, comment)
	if err != nil {
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
	comment.UUID, err = body.text("_uuid")
	return comment, err
}

// answerComment answers a write to a comment with the comment.
func (s *Server) answerComment(w http.ResponseWriter, q *request, post timeline.PostID, id timeline.CommentID) error {
	told, view := s.actedOn(w, q, post)
	if q.html {
		return s.done(w, q, "", nil)
	}
	comment, err := s.store.Comment(q.Context(), q.who.User, post, id)
	if err != nil {
		return err
	}
	if shownIn(view, id) == nil {
		view = s.alone(q, post) // where it is folded, what is shown of it is not known
	}
	answer := madeComment{effect: told, commentJSON: commentAlone(view, comment, q.who)}
	answer.Users = usersJSON{}
	if view != nil {
		answer.Users.add(view.Sets, view.Users[comment.User])
	}
	answer.Users.add(nil, q.who.card())
	return s.done(w, q, "", answer)
}

// shownIn is a comment as the viewer is shown it in a view of its post; nil if it
// isn't there, or folded.
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

// commentAlone puts a comment into Mokum's shape, beside the entry of its post
// where that is at hand.
func commentAlone(view *river.View, comment *timeline.Comment, who visitor) commentJSON {
	if view != nil && len(view.Entries) == 1 && view.Sets != nil {
		// The one that he is shown leaves out what others did who are not there for
		// him, and says what he did.
		if shown := shownIn(view, comment.ID); shown != nil {
			comment = shown
		}
		return commentOf(view.Sets, &view.Entries[0], comment, cards{view.Users, view.Groups})
	}
	// How many like it is left out: what is counted there is counted for everybody,
	// whoever is not there for him.
	shown := commentJSON{
		ID: comment.ID, PostID: comment.Post, UserID: comment.User, Text: comment.Text, Platform: comment.Platform,
		CreatedAt: stamp(comment.CreatedAt),
		URL:       "/-/" + idText(comment.Post) + "#c" + idText(comment.ID),
		APIURL:    "/api/v1/posts/" + idText(comment.Post) + "/comments/" + idText(comment.ID),
		CanEdit:   who.User == comment.User, CanDelete: who.User == comment.User,
	}
	shown.TextAsHTML, shown.ParsedText = linked(comment.Text)
	if comment.UpdatedAt != nil {
		shown.UpdatedAt = stamp(*comment.UpdatedAt)
	}
	return shown
}
