package web

import (
	"net/http"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
)

// editPost changes a post that the actor wrote.
func (s *Server) editPost(w http.ResponseWriter, q *request) error {
	id, err := q.post()
	if err != nil {
		return err
	}
	var change timeline.PostEdit
	if change, err = postEdit(q.body); err == nil {
		err = q.unkept
	}
	if err == nil {
		if change.Files != nil {
			change.Files.Most = s.mostFiles()
		}
		err = s.store.EditPost(q.Context(), q.who.User, id, change)
	}
	if err != nil {
		if f, may := fixableByUser(err); q.html && may && (f.Status == http.StatusUnprocessableEntity || q.unkept != nil) {
			return s.postEditAgain(w, q, id, change, f)
		}
		return err
	}
	if change.Lang != nil {
		s.addresses.Languages.Wrote(*change.Lang)
	}
	return s.answerEntry(w, q, id)
}

// postEdit reads the changes of a post from the body. One known client spells
// comments_disabled as comments_disable.
func postEdit(body input) (change timeline.PostEdit, err error) {
	in, err := body.in("post")
	if err == nil {
		in, err = in.changed()
	}
	if err != nil {
		return change, err
	}
	if change.Text, err = in.optional("text"); err != nil {
		return change, err
	}
	if change.Lang, err = in.optional("lang"); err != nil {
		return change, err
	}
	for _, name := range []string{"comments_disabled", "comments_disable"} {
		if change.CommentsDisabled == nil {
			if change.CommentsDisabled, err = in.flag(name); err != nil {
				return change, err
			}
		}
	}
	if change.LinkPreview, err = in.flag("link_preview"); err != nil {
		return change, err
	}
	if change.Files, err = in.files(); err != nil {
		return change, err
	}
	if in.has("timelines") {
		if change.To, err = in.texts("timelines"); err != nil {
			return change, err
		}
		if len(change.To) == 0 {
			return change, &timeline.InvalidError{Field: "timelines", Reason: "are empty", Code: "where"}
		}
	}
	if change.Text == nil && change.Lang == nil && change.CommentsDisabled == nil && change.To == nil && change.Files == nil && change.LinkPreview == nil && !in.has("was") {
		return change, &timeline.InvalidError{Field: "post", Reason: "has no setting to change"}
	}
	return change, nil
}

// answerEntry responds to a write to a post with the entry of the post.
func (s *Server) answerEntry(w http.ResponseWriter, q *request, id timeline.PostID) error {
	told, view := s.effectAndView(w, q, id)
	if view == nil {
		return s.done(w, q, "", told) // the write is done, even if the entry can't be read now
	}
	return s.done(w, q, "", entryAnswer(view, s.cardsOf(view), told))
}

// entryAnswer returns an entry with its fields at the top level, and the effect of the
// write beside them.
func entryAnswer(view *river.View, c mokum.Cards, told effect) any {
	answer := struct {
		mokum.Entry
		effect
		Users  mokum.Users  `json:"users"`
		Groups mokum.Groups `json:"groups"`
	}{Entry: mokum.EntryOf(view.Sets, &view.Entries[0], c), effect: told}
	answer.Users, answer.Groups = c.Shapes(view.Sets)
	return answer
}

// authorIn returns the name at the beginning of a post's address.
func authorIn(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return name
}
