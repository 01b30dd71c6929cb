package page

import (
	"maps"
	"slices"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/rights"
)

// A Why is one reason why an entry is on a page, in words, with what undoes it.
type Why struct {
	Kind string // as among the reasons of the API, or one that says what the page is
	ID   int64  // whose; 0: nobody's
	// The words, with a person or a group between them.
	Before string
	Who    named
	After  string
	Undo   *Undo // nil: nothing does
}

// Text is the reason in words.
func (w Why) Text() string { return w.Before + w.Who.Text + w.After }

// who is the person or the group between the words, if there is one.
func (w Why) who() []named {
	if w.Who == (named{}) {
		return nil
	}
	return []named{w.Who}
}

// Undo is a write that ends a reason.
type Undo struct {
	Label, Method, Path string
	Body                map[string]any // of texts, booleans and objects of them; nil: it has none
	Ask, Sure           string         // as of a deed
}

// Whys are all the reasons why an entry is where it is, for who may undo them:
// one that nothing undoes is told as well. Nobody is told who is not signed in,
// as he sees what everybody sees.
func Whys(viewer *timeline.Sets, e *river.Entry, cards Cards) []Why {
	m := EntryModel{Entry: e, Sets: viewer, Cards: cards}
	return m.whys()
}

func (m EntryModel) whys() []Why {
	if !rights.SignedIn(m.Sets) {
		return nil
	}
	switch m.Entry.River.What {
	case "":
		return nil
	case river.KindHome, river.KindList:
		return m.homely()
	case river.KindPost:
		return []Why{{Kind: "post", Before: "this is the post's own page"}}
	case river.KindSearch:
		return []Why{{Kind: "search", Before: m.found()}}
	}
	var all []Why
	for _, what := range slices.Sorted(maps.Keys(m.Entry.Reasons)) {
		for _, id := range m.Entry.Reasons[what] {
			all = append(all, m.paged(what, id))
		}
	}
	return all
}

// homely are the reasons in a home or a list: what those do whom it follows.
func (m EntryModel) homely() []Why {
	var all []Why
	told := make(map[int64]bool) // people of a list who may be taken out of it
	for _, what := range []timeline.What{
		timeline.WhatUser, timeline.WhatUserPrivate, timeline.WhatUserFYEO, timeline.WhatUserDirects, timeline.WhatGroup,
		timeline.WhatUserLikes, timeline.WhatUserComments,
	} {
		for _, id := range m.Entry.Reasons[what] {
			why := m.placed(what, id)
			switch what {
			case timeline.WhatUserLikes, timeline.WhatUserComments:
				why = m.done(what, id)
			}
			if slices.ContainsFunc(all, func(w Why) bool { return w.Kind == why.Kind && w.ID == why.ID }) {
				continue // one's own post, in several of one's own feeds
			}
			all = append(all, why)
			told[id] = told[id] || what == timeline.WhatUser
		}
	}
	if !m.inList() {
		return all
	}
	// Who brought it without having written it can be taken out as well.
	for _, what := range []timeline.What{timeline.WhatUserLikes, timeline.WhatUserComments} {
		for _, id := range m.Entry.Reasons[what] {
			if told[id] {
				continue
			}
			told[id] = true
			who := m.person(timeline.UserID(id))
			is := " is in this list"
			if m.me(id) {
				is = " are in this list"
			}
			all = append(all, Why{Kind: "list", ID: m.Entry.River.TheirID, Who: who, After: is, Undo: m.takeOut(m.user(timeline.UserID(id)).Name, false)})
		}
	}
	return all
}

func (m EntryModel) inList() bool { return m.Entry.River.What == river.KindList }

func (m EntryModel) me(id int64) bool { return id == int64(m.Sets.User) }

// own says whether the viewer wrote the post.
func (m EntryModel) own() bool { return m.fold().Author == m.Sets.User }

// placed is the reason that a post of a home is in a feed that is followed there.
func (m EntryModel) placed(what timeline.What, id int64) Why {
	w := Why{Kind: string(what), ID: id}
	list := m.inList()
	switch {
	case what == timeline.WhatGroup:
		card := m.group(timeline.GroupID(id))
		w.Before, w.Who = "posted to ", namedGroup(card)
		if list {
			w.After, w.Undo = ", which is in this list", m.takeOut(card.Name, false)
			return w
		}
		w.After = ", which you are a member of"
		w.Undo = &Undo{Label: "Leave " + w.Who.Text, Method: "DELETE", Path: groupAPI(card.Name) + "/subscribers"}
	case m.me(id) && !m.own(): // what is the viewer's, and not by him: his directs
		w.Before, w.Who, w.After = "sent to you by ", namedUser(m.author()), ""
		if rights.CanLeave(m.Sets, m.Entry) {
			w.Undo = &Undo{Label: "Leave", Method: "DELETE", Path: postAPI(m.fold().Post) + "/recipients", Ask: askLeaving, Sure: sureLeaving}
		}
	case m.me(id) && list:
		w.Kind, w.Before = string(timeline.WhatUser), "your own post, and your feed is in this list"
		w.Undo = m.takeOut(m.author().Name, what == timeline.WhatUserPrivate)
	case m.me(id):
		w.Kind, w.Before = string(timeline.WhatUser), "your own post"
		w.Undo = &Undo{Label: "Leave my own posts out of my home", Method: "PATCH", Path: meAPI(m.Sets.User), Body: map[string]any{"user": map[string]any{"own_posts": false}}}
	case what == timeline.WhatUserPrivate:
		card := m.user(timeline.UserID(id))
		w.Before, w.Who = "posted to the private feed of ", namedUser(card)
		if list {
			w.After, w.Undo = ", which is in this list", m.takeOut(card.Name, true)
			return w
		}
		w.After = ", which you subscribe to"
		w.Undo = &Undo{Label: "Leave the private feed", Method: "DELETE", Path: userAPI(card.Name) + "/private/subscribers"}
	default:
		card := m.user(timeline.UserID(id))
		w.Before, w.Who = "posted by ", namedUser(card)
		if list {
			w.After, w.Undo = ", who is in this list", m.takeOut(card.Name, false)
			return w
		}
		w.After = ", whom you follow"
		w.Undo = &Undo{Label: "Unsubscribe", Method: "DELETE", Path: userAPI(card.Name) + "/subscribers"}
	}
	return w
}

// takeOut takes a feed out of the list that is shown.
func (m EntryModel) takeOut(name string, private bool) *Undo {
	body := map[string]any{"name": name}
	if private {
		body["private"] = true
	}
	return &Undo{Label: "Take out of this list", Method: "DELETE", Path: listAPI(timeline.ListID(m.Entry.River.TheirID)) + "/members", Body: body}
}

// done is the reason that somebody liked the post, or commented on it.
func (m EntryModel) done(what timeline.What, id int64) Why {
	card := m.user(timeline.UserID(id))
	w := Why{Kind: string(what), ID: id, Before: "commented on by ", Who: m.person(timeline.UserID(id))}
	hides, part := "comments on", "comments"
	if what == timeline.WhatUserLikes {
		w.Before, hides, part = "liked by ", "likes", "likes"
	}
	switch {
	case !m.me(id):
		w.Undo = &Undo{Label: "Hide what " + w.Who.Text + " " + hides, Method: "POST", Path: userAPI(card.Name) + "/mute", Body: map[string]any{part: true}}
	case what == timeline.WhatUserLikes:
		w.Undo = &Undo{Label: "Unlike", Method: "DELETE", Path: postAPI(m.fold().Post) + "/likes"}
	}
	return w
}

// paged is the reason that a post has on a page of another kind: what the page
// is of brought it there, and only what the viewer did himself can be undone.
func (m EntryModel) paged(what timeline.What, id int64) Why {
	w := Why{Kind: string(what), ID: id}
	switch what {
	case timeline.WhatUser, timeline.WhatUserPrivate:
		w.Before, w.Who, w.After = "posted by ", m.person(timeline.UserID(id)), ", whose page this is"
		if what == timeline.WhatUserPrivate {
			w.Before = "posted to the private feed of "
		}
		if m.me(id) {
			w.Before, w.Who, w.After = "your own post", named{}, ""
		}
	case timeline.WhatGroup:
		w.Before, w.Who, w.After = "posted to ", namedGroup(m.group(timeline.GroupID(id))), ", whose page this is"
	case timeline.WhatUserLikes, timeline.WhatUserComments:
		w = m.done(what, id)
		if !m.me(id) {
			w.After, w.Undo = ", whose page this is", nil
		}
	case timeline.WhatUserFYEO:
		w.Before = "you posted it for your eyes only"
	case timeline.WhatUserDirects:
		if w = m.placed(what, id); m.own() {
			w = Why{Kind: string(what), ID: id, Before: "you sent it"}
		}
	case timeline.WhatUserFavs:
		w.Before = "one of your favourites"
		w.Undo = &Undo{Label: "Unfavourite", Method: "DELETE", Path: postAPI(m.fold().Post) + "/favs"}
	case timeline.WhatDiscussions:
		if w.Before = "you commented on it"; m.own() {
			w.Before = "you wrote it"
		}
	case timeline.WhatMentions:
		w.Before = "somebody names you in it, or in a comment on it"
	case timeline.WhatHashtag:
		w.Before = "its text has the hashtag of this page"
	case timeline.WhatEverything:
		if w.Before = "it is not private, and this page has everything that is not"; id != 0 {
			w.Before = "it is in the language of this page"
		}
	case timeline.WhatBestOf:
		w.Before = "it is among those that people like, keep and comment on most"
	case timeline.WhatMostFaved:
		w.Before = "it is among those that most people made a favourite"
	default:
		w.Before = "it belongs to this page"
	}
	return w
}

// found says what of a post a search found.
func (m EntryModel) found() string {
	if len(m.Entry.Hits) == 0 {
		return "it is what this search asks for"
	}
	return "it has what this search asks for: " + strings.Join(m.Entry.Hits, ", ")
}

// deed is the form of an undo, which says of which entry it was asked for, so
// that the answer can say what became of that.
func (m EntryModel) deed(u *Undo) deed {
	d := deed{
		Label: u.Label, Class: "link", Action: u.Path + ".json", ReturnTo: m.back(), Ask: u.Ask, Sure: u.Sure,
		Fields: append(u.fields(), sending{"post", m.id()}),
	}
	if u.Method != "POST" {
		d.Method = u.Method
	}
	return d
}

// fields are the body as a form sends it.
func (u *Undo) fields() []sending {
	var all []sending
	for _, name := range slices.Sorted(maps.Keys(u.Body)) {
		if part, is := u.Body[name].(map[string]any); is {
			for _, key := range slices.Sorted(maps.Keys(part)) {
				all = append(all, sending{name + "[" + key + "]", formValue(part[key])})
			}
			continue
		}
		all = append(all, sending{name, formValue(u.Body[name])})
	}
	return all
}

// formValue is a value of a body as a form sends it.
func formValue(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		if v {
			return "1"
		}
	}
	return "0"
}
