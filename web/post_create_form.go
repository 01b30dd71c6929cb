package web

import (
	"net/http"
	"net/url"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
)

// postForm returns the form for a new post on a page; nil if the page has none.
func (s *Server) postForm(q *request, v *riverPage) *page.PostForm {
	sets := v.view.Sets
	if sets == nil || !sets.MayAct() || v.part.Query() != "" {
		return nil
	}
	form := &page.PostForm{UUID: newUUID(), ReturnTo: v.address.Path, Languages: v.facts.languages, Files: page.FileFields{FilesHint: s.filesHint()}, PreviewsOff: !s.rivers.Site().LinkPreviews}
	switch {
	case v.address.Key.What == river.KindHome:
		form.To, form.More = s.homePlaces(q, v.view, nil)
	case v.address.Key.What == river.KindUser && v.address.Key.TheirID == int64(sets.User):
		form.To = ownPlaces(q.words, v.view.Users[sets.User])
	case v.address.Key.What == river.KindPrivate && v.address.Key.TheirID == int64(sets.User):
		form.To = ownPlaces(q.words, v.view.Users[sets.User])
		check(form.To, []string{string(timeline.WhatUserPrivate)})
	case v.address.Key.What == river.KindFYEO:
		form.To = []page.Destination{{Value: string(timeline.WhatUserFYEO), Label: q.words.PostToYou(), Checked: true}}
		form.Label = q.words.PostPostFyeo()
	case v.address.Key.What == river.KindGroup:
		card := v.view.Groups[v.address.Owner.Group]
		if card == nil || !sets.MayPost(card.ID, v.address.Owner.Feed, card.Posting) {
			return nil
		}
		form.To = []page.Destination{{Value: "group:" + card.Name, Label: card.DisplayName, Checked: true, Open: page.OpenTo(card.Status)}}
		form.Group = card.DisplayName
		form.Label = q.words.PostPostTo(card.DisplayName)
	case v.address.Key.What == river.KindDirects:
		names := q.URL.Query().Get("to") // from the link on a person's page
		form.Names, form.Label = &names, q.words.PostSend()
	default:
		return nil
	}
	return form
}

// homePlaces returns the places in the form of a home: the viewer's own, the groups that they
// joined last, and the chosen ones; and the number of further places.
func (s *Server) homePlaces(q *request, view *river.View, chosen []string) (to []page.Destination, more int) {
	groups, more := s.joinedGroups.destinationsHere(q.Context(), q.who, view.Sets, chosen)
	return append(ownPlaces(q.words, view.Users[q.who.User]), groups...), more
}

// ownPlaces returns the places that every account has for its own posts.
func ownPlaces(words catalogue.Language, own *timeline.UserCard) []page.Destination {
	open := ""
	if own != nil {
		open = page.OpenTo(own.Status)
	}
	return []page.Destination{
		{Value: string(timeline.WhatUser), Label: words.PostToFeed(), Checked: true, Open: open},
		{Value: string(timeline.WhatUserPrivate), Label: words.PostToPrivate()},
		{Value: string(timeline.WhatUserFYEO), Label: words.PostToYou()},
	}
}

// postAgain shows the page from which a post was sent, with the typed text and its problems.
func (s *Server) postAgain(w http.ResponseWriter, q *request, post timeline.NewPost, f failure, why error) error {
	m, is := s.sentFrom(q, post)
	if !is {
		return why
	}
	var err error
	if m.Form.Files.Rows, err = s.rowsAgain(q, nil, &post.Files); err != nil {
		return err
	}
	m.Form.Problems = q.problems(f)
	return s.page(w, q, f.Status, page.River(m))
}

// askPost shows the page from which a post was sent, with the typed text and the audience of the
// post. It posts nothing.
func (s *Server) askPost(w http.ResponseWriter, q *request) error {
	post, err := newPost(q.body)
	if err != nil {
		return err
	}
	m, is := s.sentFrom(q, post)
	if !is {
		return timeline.ErrNotFound
	}
	if m.Form.Files.Rows, err = s.rowsAgain(q, nil, &post.Files); err != nil {
		return err
	}
	m.Form.Audience = q.audienceOf(page.AboutPost, func() (timeline.Audience, error) {
		return s.store.AudienceOfPost(q.Context(), q.who.User, 0, post.To)
	})
	return s.page(w, q, http.StatusOK, page.River(m))
}

// sentFrom returns the page from which the form of a post was sent, with the typed text, and
// reports whether such a page exists.
func (s *Server) sentFrom(q *request, post timeline.NewPost) (page.RiverModel, bool) {
	path, query, _ := strings.Cut(q.goesTo(""), "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return page.RiverModel{}, false
	}
	where, err := s.addresses.River(q.Context(), q.who.User, strings.TrimSuffix(path, ".json"), values)
	if err != nil {
		return page.RiverModel{}, false
	}
	view, err := s.rivers.Visit(q.Context(), where.Key, address.FirstPage.At)
	if err != nil {
		return page.RiverModel{}, false
	}
	v := &riverPage{address: where, part: address.FirstPage, view: view, facts: s.pageFacts(q.Context(), view.Sets, where, true)}
	m := s.riverModel(q, v)
	if m.Form == nil {
		return m, false
	}
	m.Form.Text, m.Form.CommentsDisabled, m.Form.Lang = post.Text, post.CommentsDisabled, post.Lang
	m.Form.NoPreview = post.LinkPreview != nil && !*post.LinkPreview
	if m.Form.Names != nil {
		names, _ := q.body.in("post")
		typed, _ := names.text("to")
		m.Form.Names = &typed
	}
	if m.Form.More > 0 {
		m.Form.To, m.Form.More = s.homePlaces(q, v.view, post.To)
	}
	check(m.Form.To, post.To)
	return m, true
}
