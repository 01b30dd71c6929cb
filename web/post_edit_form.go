package web

import (
	"net/http"
	"slices"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
)

// showPostEdit shows the form for editing and moving a post to its author.
func (s *Server) showPostEdit(w http.ResponseWriter, q *request) error {
	id, err := q.post()
	if err != nil {
		return err
	}
	m, err := s.postEdits(q, id)
	if err != nil {
		return err
	}
	return s.page(w, q, http.StatusOK, page.EditPost(m))
}

// askPostEdit shows the form with the sent values, and the audience that the post would have
// then. It changes nothing.
func (s *Server) askPostEdit(w http.ResponseWriter, q *request) error {
	id, err := q.post()
	if err != nil {
		return err
	}
	m, err := s.postEdits(q, id)
	if err != nil {
		return err
	}
	change, err := postEdit(q.body)
	if err := s.fillPostEdit(q, &m, change); err != nil {
		return err
	}
	m.Audience = q.audienceOf(page.AboutMove, func() (timeline.Audience, error) {
		if err != nil {
			return timeline.Audience{}, err
		}
		return s.store.AudienceOfPost(q.Context(), q.who.User, id, checked(m.To))
	})
	return s.page(w, q, http.StatusOK, page.EditPost(m))
}

// postEditAgain shows the form with the sent values and its problems.
func (s *Server) postEditAgain(w http.ResponseWriter, q *request, id timeline.PostID, change timeline.PostEdit, f failure) error {
	m, err := s.postEdits(q, id)
	if err != nil {
		return err
	}
	if err := s.fillPostEdit(q, &m, change); err != nil {
		return err
	}
	m.Problems = q.problems(f)
	return s.page(w, q, f.Status, page.EditPost(m))
}

// fillPostEdit sets the form to the sent input.
func (s *Server) fillPostEdit(q *request, m *page.EditPostModel, change timeline.PostEdit) (err error) {
	fillTyped(&m.Text, change.Text)
	fillTyped(&m.Lang, change.Lang)
	if change.CommentsDisabled != nil {
		m.CommentsDisabled = *change.CommentsDisabled
	}
	if change.LinkPreview != nil {
		m.LinkPreview = *change.LinkPreview
	}
	if change.To != nil {
		check(m.To, change.To)
	}
	m.Files.Rows, err = s.rowsAgain(q, m.Files.Rows, change.Files)
	return err
}

// checked returns the places that are checked.
func checked(places []page.Destination) (named []string) {
	for _, place := range places {
		if place.Checked {
			named = append(named, place.Value)
		}
	}
	return named
}

// flagText returns a boolean as a form has it.
func flagText(on bool) string {
	if on {
		return "1"
	}
	return "0"
}

// check checks the places that are named, and unchecks all others.
func check(places []page.Destination, named []string) {
	for i := range places {
		places[i].Checked = slices.Contains(named, places[i].Value)
	}
}

// postEdits returns the form with the post as it is.
func (s *Server) postEdits(q *request, id timeline.PostID) (page.EditPostModel, error) {
	m := page.EditPostModel{Shell: s.shell(q, q.words.PostEditTitle()), Post: id}
	head, err := s.store.FindPost(q.Context(), q.who.User, id)
	if err != nil {
		return m, err
	}
	if head.Author != q.who.User {
		return m, timeline.ErrForbidden
	}
	m.Author, m.Text, m.CommentsDisabled, m.LinkPreview = head.AuthorName, head.Text, head.CommentsDisabled, head.LinkPreview
	if m.Detected = head.Lang; head.LangGiven {
		m.Lang = head.Lang
	}
	m.Initial = page.Initial{
		{Name: "post[was][text]", Value: m.Text}, {Name: "post[was][lang]", Value: m.Lang},
		{Name: "post[was][comments_disabled]", Value: flagText(m.CommentsDisabled)},
		{Name: "post[was][link_preview]", Value: flagText(m.LinkPreview)},
	}
	files, err := s.store.FilesOf(q.Context(), q.who.User, id, 0)
	if err != nil {
		return m, err
	}
	m.Files.FilesHint = s.filesHint()
	m.Files.Rows, m.Files.Mark = fileRows(files)
	var sentTo []timeline.UserID
	var in []string
	for _, t := range head.Places {
		switch t.What {
		case timeline.WhatUserDirects:
			m.Direct = true
			if to := timeline.UserID(t.TheirID); to != head.Author {
				sentTo = append(sentTo, to)
			}
		case timeline.WhatUser, timeline.WhatUserPrivate, timeline.WhatUserFYEO:
			in = append(in, string(t.What))
		}
	}
	sets, _, err := s.setsAndCards(q.Context(), q.who.User, address.Owner{})
	if err != nil {
		return m, err
	}
	m.Viewer.Requests = sets.Incoming
	if m.Direct {
		c, err := s.cards(q.Context(), sentTo, nil)
		if err != nil {
			return m, err
		}
		m.Recipients = shownUsers(c, sentTo)
		return m, nil
	}
	m.To = append(ownPlaces(q.words, nil), s.joinedGroups.destinations(q.Context(), q.who, sets)...)
	for _, name := range head.GroupNames {
		in = append(in, "group:"+name)
		known := func(d page.Destination) bool { return d.Value == "group:"+name }
		if !slices.ContainsFunc(m.To, known) {
			// The post is in this group, but the author can no longer post to the group.
			m.To = append(m.To, page.Destination{Value: "group:" + name, Label: name})
		}
	}
	check(m.To, in)
	for _, place := range checked(m.To) {
		m.Initial = append(m.Initial, page.Initial{{Name: "post[was][timelines][]", Value: place}}...)
	}
	return m, nil
}

// audienceOf returns the answer to "Who will see this?" on a form, or the reason why there is no
// answer.
func (q *request) audienceOf(about page.Subject, ask func() (timeline.Audience, error)) *page.Audience {
	found, err := ask()
	if err != nil {
		return &page.Audience{About: about, Refuse: explain(err).inPage(q.words)}
	}
	return &page.Audience{About: about, Audience: found}
}
