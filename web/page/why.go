package page

import (
	"maps"
	"slices"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/rights"
)

// A Why is one reason why an entry is on a page, in words, with the action that ends the
// reason.
type Why struct {
	Kind string // a reason of the API, or a word for what the page is
	ID   int64  // of the person or group of the reason; 0: there is none
	// Words is the sentence, which may have a gap for a person or a group.
	Words catalogue.Filled
	Who   named
	Undo  *Undo // nil: nothing ends the reason
}

// Text returns the reason in words.
func (w Why) Text() string { return w.Words.Text(w.Who.Text) }

// An Undo is a write that ends a reason.
type Undo struct {
	Label, Method, Path string
	Body                map[string]any // of texts, booleans and objects of them; nil: it has none
	Ask, Sure           string         // as of an actionForm
}

// Whys returns all reasons why an entry is where it is, also those that no action ends. A
// viewer without an account gets none, because all such viewers see the same.
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
		return m.homeReasons()
	case river.KindPost:
		return []Why{{Kind: "post", Words: noGap(m.Words.WhyOwnPage())}}
	case river.KindSearch:
		return []Why{{Kind: "search", Words: noGap(m.found())}}
	case river.KindPhotos, river.KindGroupPhotos:
		return []Why{{Kind: "photos", Words: noGap(m.Words.WhyPhotos())}}
	}
	var all []Why
	for what, id := range m.Entry.Reasons.All() {
		all = append(all, m.otherReason(what, id))
	}
	return all
}

// homeReasons returns the reasons in a home or a list: the acts of the people and groups that
// it follows.
func (m EntryModel) homeReasons() []Why {
	var all []Why
	offered := make(map[int64]bool) // people for whom all already has a removal
	for _, what := range []timeline.What{
		timeline.WhatUser, timeline.WhatUserPrivate, timeline.WhatUserFYEO, timeline.WhatUserDirects, timeline.WhatGroup,
		timeline.WhatUserLikes, timeline.WhatUserComments,
	} {
		for _, id := range m.Entry.Reasons.Of(what) {
			why := m.followed(what, id)
			switch what {
			case timeline.WhatUserLikes, timeline.WhatUserComments:
				why = m.reaction(what, id)
			}
			if slices.ContainsFunc(all, func(w Why) bool { return w.Kind == why.Kind && w.ID == why.ID }) {
				continue // the viewer's own post, in several of their feeds
			}
			all = append(all, why)
			offered[id] = offered[id] || what == timeline.WhatUser
		}
	}
	if !m.inList() {
		return all
	}
	// People can also be removed from the list if their like or comment brought the post.
	for _, what := range []timeline.What{timeline.WhatUserLikes, timeline.WhatUserComments} {
		for _, id := range m.Entry.Reasons.Of(what) {
			if offered[id] {
				continue
			}
			offered[id] = true
			who := m.person(timeline.UserID(id))
			is := m.Words.WhyInList()
			if m.me(id) {
				is = noGap(m.Words.WhyYouInList())
			}
			all = append(all, Why{Kind: "list", ID: m.Entry.River.TheirID, Words: is, Who: who, Undo: m.removeFromList(m.user(timeline.UserID(id)).Name, false)})
		}
	}
	return all
}

func (m EntryModel) inList() bool { return m.Entry.River.What == river.KindList }

func (m EntryModel) me(id int64) bool { return id == int64(m.Sets.User) }

// own reports whether the viewer wrote the post.
func (m EntryModel) own() bool { return m.fold().Author == m.Sets.User }

// followed returns the reason for a post in a feed that the home or list follows.
func (m EntryModel) followed(what timeline.What, id int64) Why {
	w := Why{Kind: string(what), ID: id}
	list := m.inList()
	switch {
	case what == timeline.WhatGroup:
		card := m.group(timeline.GroupID(id))
		w.Words, w.Who = m.Words.WhyGroup(), namedGroup(card)
		if list {
			w.Words, w.Undo = m.Words.WhyGroupList(), m.removeFromList(card.Name, false)
			return w
		}
		w.Undo = &Undo{Label: m.Words.WhyLeaveGroup(w.Who.Text), Method: "DELETE", Path: groupAPI(card.Name) + "/subscribers"}
	case m.me(id) && !m.own(): // in a feed of the viewer's, but not by the viewer: a direct
		w.Words, w.Who = m.Words.WhySent(), namedUser(m.author())
		if rights.CanLeave(m.Sets, m.Entry) {
			w.Undo = &Undo{Label: m.Words.WhyLeave(), Method: "DELETE", Path: postAPI(m.fold().Post) + "/recipients", Ask: m.Words.EntryLeaveAsk(), Sure: m.Words.EntryLeaveSure()}
		}
	case m.me(id) && list:
		w.Kind, w.Words = string(timeline.WhatUser), noGap(m.Words.WhyOwnList())
		w.Undo = m.removeFromList(m.author().Name, what == timeline.WhatUserPrivate)
	case m.me(id):
		w.Kind, w.Words = string(timeline.WhatUser), noGap(m.Words.WhyOwn())
		w.Undo = &Undo{Label: m.Words.WhyOwnHide(), Method: "PATCH", Path: meAPI(m.Sets.User), Body: map[string]any{"user": map[string]any{"own_posts": false}}}
	case what == timeline.WhatUserPrivate:
		card := m.user(timeline.UserID(id))
		w.Words, w.Who = m.Words.WhyPrivate(), namedUser(card)
		if list {
			w.Words, w.Undo = m.Words.WhyPrivateList(), m.removeFromList(card.Name, true)
			return w
		}
		w.Undo = &Undo{Label: m.Words.WhyLeavePrivate(), Method: "DELETE", Path: userAPI(card.Name) + "/private/subscribers"}
	default:
		card := m.user(timeline.UserID(id))
		w.Words, w.Who = m.Words.WhyPerson(), namedUser(card)
		if list {
			w.Words, w.Undo = m.Words.WhyPersonList(), m.removeFromList(card.Name, false)
			return w
		}
		w.Undo = &Undo{Label: m.Words.WhyUnsubscribe(), Method: "DELETE", Path: userAPI(card.Name) + "/subscribers"}
	}
	return w
}

// removeFromList returns the action that removes a feed from the list of the page.
func (m EntryModel) removeFromList(name string, private bool) *Undo {
	body := map[string]any{"name": name}
	if private {
		body["private"] = true
	}
	return &Undo{Label: m.Words.WhyTakeOut(), Method: "DELETE", Path: listAPI(timeline.ListID(m.Entry.River.TheirID)) + "/members", Body: body}
}

// reaction returns the reason for a post that a person liked or commented on.
func (m EntryModel) reaction(what timeline.What, id int64) Why {
	card := m.user(timeline.UserID(id))
	who := namedUser(card)
	w := Why{Kind: string(what), ID: id, Words: m.Words.WhyCommented(), Who: who}
	mute, part := m.Words.WhyMuteComments, "comments"
	if what == timeline.WhatUserLikes {
		w.Words, mute, part = m.Words.WhyLiked(), m.Words.WhyMuteLikes, "likes"
	}
	switch {
	case !m.me(id):
		w.Undo = &Undo{Label: mute(who.Text), Method: "POST", Path: userAPI(card.Name) + "/mute", Body: map[string]any{part: true}}
	case what == timeline.WhatUserLikes:
		w.Words = noGap(m.Words.WhyYouLiked())
		w.Undo = &Undo{Label: m.Words.WhyUnlike(), Method: "DELETE", Path: postAPI(m.fold().Post) + "/likes"}
	default:
		w.Words = noGap(m.Words.WhyYouCommented())
	}
	return w
}

// noGap returns a sentence without a gap.
func noGap(sentence string) catalogue.Filled { return catalogue.Filled(sentence) }

// otherReason returns the reason for a post on a page that is neither a home nor a list:
// the page's subject brought the post there, and only the viewer's own action can be
// undone.
func (m EntryModel) otherReason(what timeline.What, id int64) Why {
	w := Why{Kind: string(what), ID: id}
	switch what {
	case timeline.WhatUser, timeline.WhatUserPrivate:
		w.Words, w.Who = m.Words.WhyPagePerson(), m.person(timeline.UserID(id))
		if what == timeline.WhatUserPrivate {
			w.Words = m.Words.WhyPagePrivate()
		}
		if m.me(id) {
			w.Words, w.Who = noGap(m.Words.WhyOwn()), named{}
		}
	case timeline.WhatGroup:
		w.Words, w.Who = m.Words.WhyPageGroup(), namedGroup(m.group(timeline.GroupID(id)))
	case timeline.WhatUserLikes, timeline.WhatUserComments:
		w = m.reaction(what, id)
		if !m.me(id) {
			w.Words, w.Undo = m.Words.WhyPageLiked(), nil
			if what == timeline.WhatUserComments {
				w.Words = m.Words.WhyPageCommented()
			}
		}
	case timeline.WhatUserFYEO:
		w.Words = noGap(m.Words.WhyFyeo())
	case timeline.WhatUserDirects:
		if w = m.followed(what, id); m.own() {
			w = Why{Kind: string(what), ID: id, Words: noGap(m.Words.WhyYouSent())}
		}
	case timeline.WhatUserFavs:
		w.Words = noGap(m.Words.WhyFav())
		w.Undo = &Undo{Label: m.Words.WhyUnfavourite(), Method: "DELETE", Path: postAPI(m.fold().Post) + "/favs"}
	case timeline.WhatDiscussions:
		if w.Words = noGap(m.Words.WhyYouCommented()); m.own() {
			w.Words = noGap(m.Words.WhyYouWrote())
		}
	case timeline.WhatMentions:
		w.Words = noGap(m.Words.WhyMention())
	case timeline.WhatHashtag:
		w.Words = noGap(m.Words.WhyTag())
	case timeline.WhatEverything:
		if w.Words = noGap(m.Words.WhyEverything()); id != 0 {
			w.Words = noGap(m.Words.WhyLanguage())
		}
	case timeline.WhatBestOf:
		w.Words = noGap(m.Words.WhyBest())
	case timeline.WhatMostFaved:
		w.Words = noGap(m.Words.WhyFaved())
	default:
		w.Words = noGap(m.Words.WhyBelongs())
	}
	return w
}

// found returns the words of a search that its post has, in a sentence.
func (m EntryModel) found() string {
	if len(m.Entry.Hits) == 0 {
		return m.Words.WhyMatches()
	}
	return m.Words.WhyMatchesWords(strings.Join(m.Entry.Hits, ", "))
}

// undoForm returns the form of an undo. The form names the entry, so that the answer can
// say what became of the entry.
func (m EntryModel) undoForm(u *Undo) actionForm {
	d := actionForm{
		Label: u.Label, Class: "link", Action: u.Path + ".json", ReturnTo: m.back(), Ask: u.Ask, Sure: u.Sure,
		Fields: append(u.fields(), sending{"post", m.id()}),
	}
	if u.Method != "POST" {
		d.Method = u.Method
	}
	return d
}

// fields returns the body as hidden fields of a form.
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

// formValue returns a value of a body as a form sends it.
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
