package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
)

// editGroup changes a group that the actor administers.
func (s *Server) editGroup(w http.ResponseWriter, q *request) error {
	whose, err := s.named(q, true)
	if err != nil {
		return err
	}
	edit, err := groupEdit(q.body)
	if err == nil {
		err = s.store.EditGroup(q.Context(), q.who.User, whose.Name, edit)
	}
	if err != nil {
		if f, may := fixableByUser(err); q.html && may && f.Status != http.StatusForbidden {
			return s.groupEditAgain(w, q, whose, edit, f)
		}
		return err
	}
	s.addresses.Names.Forget(whose.Account())
	if whose, err = s.addresses.Names.Lookup(q.Context(), whose.Name); err != nil {
		return err
	}
	answer, err := s.groupAs(q, whose)
	if err != nil {
		return err
	}
	return s.done(w, q, "/"+whose.Name, answer)
}

func groupEdit(body input) (edit timeline.GroupEdit, err error) {
	in, err := body.in("group")
	if err == nil {
		in, err = in.changed()
	}
	if err != nil {
		return edit, err
	}
	for name, to := range map[string]**string{
		"name": &edit.Name, "display_name": &edit.DisplayName, "description": &edit.Description,
		"status": &edit.Status, "posting": &edit.Posting, "joining": &edit.Joining,
	} {
		if *to, err = in.optional(name); err != nil {
			return edit, err
		}
	}
	if edit.NSFW, err = in.flag("nsfw"); err != nil {
		return edit, err
	}
	if edit == (timeline.GroupEdit{}) && !in.has("was") {
		return edit, &timeline.InvalidError{Field: "group", Reason: "has no setting to change"}
	}
	return edit, nil
}
