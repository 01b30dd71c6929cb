package river

import (
	"amstel.dev/amstel/timeline"
)

// A cardVisitor calls a function for each person and each group with a card that is shown.
type cardVisitor struct {
	user  func(timeline.UserID)
	group func(timeline.GroupID)
}

func (c cardVisitor) visitFold(f *timeline.Fold) {
	if f == nil {
		return
	}
	c.user(f.Author)
	for _, u := range f.Likes.Users {
		c.user(u)
	}
	for i := range f.Comments.Comments {
		c.user(f.Comments.Comments[i].User)
	}
}

// visitPlaces visits the author of a post, and the owners of the timelines in which the
// author put the post.
func (c cardVisitor) visitPlaces(f *timeline.Facts, timelines func(timeline.TimelineID) (timeline.Timeline, bool)) {
	c.user(f.Author)
	for _, id := range f.Places {
		if t, known := timelines(id); known {
			c.visitTimeline(t.What, t.TheirID)
		}
	}
}

func (c cardVisitor) visitReasons(reasons Reasons) {
	for what, id := range reasons.All() {
		c.visitTimeline(what, id)
	}
}

func (c cardVisitor) visitTimeline(what timeline.What, their int64) {
	switch {
	case what == timeline.WhatGroup:
		c.group(timeline.GroupID(their))
	case what.OfUser():
		c.user(timeline.UserID(their))
	}
}

// visitEntry visits the cards that an entry shows, always in the same order.
func (c cardVisitor) visitEntry(e *Entry) {
	c.visitFold(e.Fold)
	for _, t := range e.Places {
		c.visitTimeline(t.What, t.TheirID)
	}
	c.visitReasons(e.Reasons)
}

// VisitCards calls a function with each person, and another with each group, that the entry shows a
// card of; with some of them several times.
func (e *Entry) VisitCards(user func(timeline.UserID), group func(timeline.GroupID)) {
	cardVisitor{user, group}.visitEntry(e)
}

// visitSubject visits the viewer of a river, and the person or group whose page the river is.
func (c cardVisitor) visitSubject(key Key) {
	if key.Viewer != 0 {
		c.user(key.Viewer)
	}
	switch key.What {
	case KindUser, KindPrivate, KindDay, KindPhotos, KindComments, KindLikes:
		c.user(timeline.UserID(key.TheirID))
	case KindGroup, KindGroupPhotos:
		c.group(timeline.GroupID(key.TheirID))
	}
}
