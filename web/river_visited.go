package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// visited is a page of a river on its way to being shown.
type visited struct {
	address address.Address // which river
	part    address.Range   // which part of it
	view    *river.View
	facts   *headFacts // nil: not read yet
	caught  caughtUpWith
}

// headFacts are what the top of a page says of a person or a group, and no river
// holds.
type headFacts struct {
	counts    headCounts
	languages []text.Language    // in use
	days      *discover.Calendar // of the month or year that is shown, on the page of a day
	found     *found             // whom a search may mean
}

// around is all of it but the counts, for telling it from what it was.
func (f headFacts) around() string {
	if f.days != nil {
		return fmt.Sprint(*f.days)
	}
	if f.found != nil {
		return f.found.text()
	}
	var codes strings.Builder
	for _, l := range f.languages {
		codes.WriteString(l.Code)
	}
	return codes.String()
}

// caughtUpWith is what a page says of the visit before this one.
type caughtUpWith struct {
	left *page.LeftOff // where it left off; nil: there was none, or the page has no such place
	box  *page.CatchUp // what happened since; nil: nothing is said of it
	kept bool          // that he was here is kept, too
}

// json is nil where there is no such place.
func (c caughtUpWith) json() *mokum.LeftOff {
	if c.left == nil {
		return nil
	}
	return &mokum.LeftOff{FreshAt: mokum.Stamp(time.UnixMilli(c.left.Place.FreshAt)), Post: c.left.Place.Post, At: mokum.Stamp(c.left.At)}
}

// older is what asks for the page below; see [address.Range.Older]. What follows a
// ranking's page is of the same run.
func (v *visited) older() (byNumber, exact address.Range) {
	from := v.part
	if v.address.Ranked() {
		from.Run = v.view.Run
	}
	return from.Older(*v.view.Older, !v.address.Ranked() && v.address.Key.What != river.KindDay && from.Order == river.OrderOwn)
}

// unindexed says whether search engines are asked to leave the page alone: it is
// of somebody who asks that, or has what somebody wrote who does; or it is one of
// a search, of which there is no end.
func (v *visited) unindexed() bool {
	return v.address.What() == river.KindSearch || v.status() == "disallow-robots" || slices.ContainsFunc(v.view.Entries, func(e river.Entry) bool {
		card := v.view.Users[e.Fold.Author]
		return card != nil && card.Status == "disallow-robots"
	})
}

// status is the owner's, as the page knows it.
func (v *visited) status() string {
	if card := v.view.Users[v.address.Owner.User]; v.address.Owner.User != 0 && card != nil {
		return card.Status
	}
	if card := v.view.Groups[v.address.Owner.Group]; v.address.Owner.Group != 0 && card != nil {
		return card.Status
	}
	return ""
}

// called is what the river says its owner is called, and whether the owner is gone;
// no name where the river doesn't say.
func (v *visited) called() (name string, gone bool) {
	if card := v.view.Users[v.address.Owner.User]; v.address.Owner.User != 0 && card != nil {
		return card.Name, card.Status == timeline.StatusDeleted
	}
	if card := v.view.Groups[v.address.Owner.Group]; v.address.Owner.Group != 0 && card != nil {
		return card.Name, card.Status == timeline.StatusDeleted
	}
	return "", false
}

// movedTo is the post's own address where the page was asked for under a name
// that the post is not found under: neither its author's nor its groups'.
func (v *visited) movedTo() (string, bool) {
	e := &v.view.Entries[0]
	c := mokum.Cards{Users: v.view.Users, Groups: v.view.Groups}
	name, _, _ := strings.Cut(strings.TrimPrefix(v.address.Path, "/"), "/")
	author := mokum.AuthorName(e, c)
	if name == author {
		return "", false
	}
	for _, t := range e.Places {
		if t.What != timeline.WhatGroup {
			continue
		}
		if card := c.Groups[timeline.GroupID(t.TheirID)]; card != nil && card.Name == name {
			return "", false
		}
	}
	if author == "-" {
		return "", false // who wrote it is not known: any name will do
	}
	return "/" + author + "/" + strconv.FormatInt(int64(e.Fold.Post), 10), true
}
