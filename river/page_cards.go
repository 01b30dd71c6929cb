package river

import "amstel.dev/amstel/timeline"

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
	for what, ids := range reasons {
		for _, id := range ids {
			c.visitTimeline(what, id)
		}
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

// visitSubject visits the viewer of a river, and the person or group that its page is
// about.
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
