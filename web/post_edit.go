package web

import (
	"net/http"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
)

// editPost changes a post of the actor's.
func (s *Server) editPost(w http.ResponseWriter, q *request) error {
	id, err := q.post()
	if err != nil {
		return err
	}
	var change timeline.PostEdit
	if change, err = postEdit(q.body); err == nil {
		err = s.store.EditPost(q.Context(), q.who.User, id, change)
	}
	if err != nil {
		if f, may := fixableByUser(err); q.html && may && f.Status == http.StatusUnprocessableEntity {
			return s.postEditAgain(w, q, id, change, f)
		}
		return err
	}
	if change.Lang != nil {
		s.addresses.Languages.Wrote(*change.Lang)
	}
	return s.answerEntry(w, q, id)
}

// postEdit reads what to change; comments_disable is how one client spells it.
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
	if in.has("timelines") {
		if change.To, err = in.texts("timelines"); err != nil {
			return change, err
		}
		if len(change.To) == 0 {
			return change, &timeline.InvalidError{Field: "timelines", Reason: "are empty", Code: "where"}
		}
	}
	if change.Text == nil && change.Lang == nil && change.CommentsDisabled == nil && change.To == nil && !in.has("was") {
		return change, &timeline.InvalidError{Field: "post", Reason: "says nothing to change"}
	}
	return change, nil
}

// answerEntry answers a write to a post with the post as an entry.
func (s *Server) answerEntry(w http.ResponseWriter, q *request, id timeline.PostID) error {
	told, view := s.effectAndView(w, q, id)
	if view == nil {
		return s.done(w, q, "", told) // it is done, even if what it looks like can't be told now
	}
	return s.done(w, q, "", entryAnswer(view, told))
}

// entryAnswer is an entry at the top level, with what the write did beside it.
func entryAnswer(view *river.View, told effect) any {
	c := mokum.Cards{Users: view.Users, Groups: view.Groups}
	answer := struct {
		mokum.Entry
		effect
		Users  mokum.Users  `json:"users"`
		Groups mokum.Groups `json:"groups"`
	}{Entry: mokum.EntryOf(view.Sets, &view.Entries[0], c), effect: told}
	answer.Users, answer.Groups = c.Shapes(view.Sets)
	return answer
}

// authorIn is the name that a post's address begins with.
func authorIn(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return name
}
