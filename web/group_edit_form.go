package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
)

// showGroupEdit shows the form for editing a group to its administrators.
func (s *Server) showGroupEdit(w http.ResponseWriter, q *request) error {
	whose, err := s.named(q, true)
	if err != nil {
		return err
	}
	if err := whose.AskedAs(q.askedName()); err != nil {
		return err
	}
	m, err := s.groupEdits(q, whose)
	if err != nil {
		return err
	}
	return s.page(w, q, http.StatusOK, page.EditGroup(m))
}

// askGroupEdit shows the form with the sent values, and the audience that the group would have
// then. It changes nothing.
func (s *Server) askGroupEdit(w http.ResponseWriter, q *request) error {
	whose, err := s.named(q, true)
	if err != nil {
		return err
	}
	m, err := s.groupEdits(q, whose)
	if err != nil {
		return err
	}
	edit, err := groupEdit(q.body)
	if err != nil {
		return err
	}
	fillGroup(&m.Typed, edit)
	m.Audience = q.audienceOf(page.AboutGroup, func() (timeline.Audience, error) {
		return s.store.AudienceOfStatus(q.Context(), q.who.User, whose.Name, m.Typed.Status)
	})
	return s.page(w, q, http.StatusOK, page.EditGroup(m))
}

// groupEditAgain shows the form with the sent values and its problems.
func (s *Server) groupEditAgain(w http.ResponseWriter, q *request, whose address.Owner, edit timeline.GroupEdit, f failure) error {
	m, err := s.groupEdits(q, whose)
	if err != nil {
		return err
	}
	fillGroup(&m.Typed, edit)
	m.Problems = q.problems(f)
	return s.page(w, q, f.Status, page.EditGroup(m))
}

// fillGroup puts the typed values into the form.
func fillGroup(typed *timeline.GroupCard, edit timeline.GroupEdit) {
	fillTyped(&typed.Name, edit.Name)
	fillTyped(&typed.DisplayName, edit.DisplayName)
	fillTyped(&typed.Description, edit.Description)
	fillTyped(&typed.Status, edit.Status)
	fillTyped(&typed.Posting, edit.Posting)
	fillTyped(&typed.Joining, edit.Joining)
	if edit.NSFW != nil {
		typed.NSFW = *edit.NSFW
	}
}

// groupEdits returns the form with the group as it is.
func (s *Server) groupEdits(q *request, whose address.Owner) (page.EditGroupModel, error) {
	m := page.EditGroupModel{Shell: s.shell(q, q.words.GroupEditTitle()), Self: q.who.User}
	sets, c, err := s.setsAndCards(q.Context(), q.who.User, whose)
	if err != nil {
		return m, err
	}
	if !sets.Administers[whose.Group] {
		return m, timeline.ErrForbidden
	}
	if m.Group = c.Groups[whose.Group]; m.Group == nil {
		return m, timeline.ErrNotFound
	}
	m.Typed, m.Viewer.Requests = *m.Group, sets.Incoming
	g := m.Group
	if s.config.Files != nil {
		m.Pictures = &page.Pictures{Avatar: g.AvatarURL, Cover: g.CoverURL, Group: g.Name}
	}
	m.Initial = page.Initial{
		{Name: "group[was][name]", Value: g.Name}, {Name: "group[was][display_name]", Value: g.DisplayName},
		{Name: "group[was][description]", Value: g.Description}, {Name: "group[was][status]", Value: g.Status},
		{Name: "group[was][posting]", Value: g.Posting}, {Name: "group[was][joining]", Value: g.Joining},
		{Name: "group[was][nsfw]", Value: flagText(g.NSFW)},
	}
	feed := timeline.FeedName{Name: whose.Name}
	admins, err := s.store.Admins(q.Context(), q.who.User, whose.Name)
	if err != nil {
		return m, err
	}
	blocked, err := s.store.Excluded(q.Context(), q.who.User, feed)
	if err != nil {
		return m, err
	}
	if m.Invited, err = s.sentInvitations(q, feed); err != nil {
		return m, err
	}
	intakes, err := s.store.GroupIntakes(q.Context(), q.who.User, whose.Group)
	if err != nil {
		return m, err
	}
	if m.Intakes, err = s.shownIntakes(q, intakes); err != nil {
		return m, err
	}
	if m.Admins, err = s.shown(q, admins); err != nil {
		return m, err
	}
	m.Blocked, err = s.shown(q, blocked)
	return m, err
}

// sentInvitations returns the open invitations to a feed of the visitor's, with the
// invited people.
func (s *Server) sentInvitations(q *request, feed timeline.FeedName) ([]page.Invitation, error) {
	all, err := s.store.SentInvitations(q.Context(), q.who.User, feed)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	var to []timeline.UserID
	for _, i := range all {
		to = append(to, i.To)
	}
	c, err := s.cards(q.Context(), to, nil)
	if err != nil {
		return nil, err
	}
	var shown []page.Invitation
	for _, i := range all {
		if card := c.Users[i.To]; card != nil {
			shown = append(shown, page.Invitation{UUID: i.UUID, Who: card, At: i.CreatedAt, Private: feed.Private})
		}
	}
	return shown, nil
}

// shown returns the cards of people, in the order of their ids in the list.
func (s *Server) shown(q *request, ids []timeline.UserID) ([]*timeline.UserCard, error) {
	c, err := s.cards(q.Context(), ids, nil)
	return shownUsers(c, ids), err
}
