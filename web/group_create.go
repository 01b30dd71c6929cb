package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// showGroupCreate shows the form for a new group.
func (s *Server) showGroupCreate(w http.ResponseWriter, q *request) error {
	return s.page(w, q, http.StatusOK, page.NewGroup(page.NewGroupModel{Shell: s.shell(q, q.words.GroupNewTitle())}))
}

// createGroup creates a group, with the actor as its administrator.
func (s *Server) createGroup(w http.ResponseWriter, q *request) error {
	group, err := newGroup(q.body)
	if err == nil {
		_, err = s.store.CreateGroup(q.Context(), q.who.User, group)
	}
	if err != nil {
		if f, may := fixableByUser(err); q.html && may {
			m := page.NewGroupModel{
				Shell: s.shell(q, q.words.GroupNewTitle()), Problems: q.problems(f),
				Name: group.Name, DisplayName: group.DisplayName, Description: group.Description,
				Status: group.Status, Posting: group.Posting, Joining: group.Joining,
			}
			return s.page(w, q, f.Status, page.NewGroup(m))
		}
		return err
	}
	whose, err := s.addresses.Names.Lookup(q.Context(), group.Name)
	if err != nil {
		return err
	}
	answer, err := s.groupAs(q, whose)
	if err != nil {
		return err
	}
	return s.done(w, q, "/"+whose.Name, answer)
}

func newGroup(body input) (group timeline.NewGroup, err error) {
	in, err := body.in("group")
	if err != nil {
		return group, err
	}
	for name, to := range map[string]*string{
		"name": &group.Name, "display_name": &group.DisplayName, "description": &group.Description,
		"status": &group.Status, "posting": &group.Posting, "joining": &group.Joining,
	} {
		if *to, err = in.text(name); err != nil {
			return group, err
		}
	}
	group.NSFW, err = in.set("nsfw")
	return group, err
}
