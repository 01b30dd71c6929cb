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

// A riverPage is a page of a river while a request is answered.
type riverPage struct {
	address address.Address // which river
	part    address.Range   // which part of the river
	view    *river.View
	facts   *headFacts // the facts for the head of the page; nil: not read yet
	caught  caughtUpWith
}

// headFacts are the facts above a page's entries, which no river holds.
type headFacts struct {
	counts    headCounts
	admins    []*timeline.UserCard // of the page's group
	members   []*timeline.UserCard // of the page's group, some of them
	weights   timeline.Weights     // of the ranking that the page shows
	languages []text.Language      // in use
	days      *discover.Calendar   // of the month or year that is shown, on the page of a day
	found     *found               // the people and groups that a search may mean
}

// cacheKey returns a text that differs if any of the facts but the counts differ, for the
// validator of a cached page.
func (f headFacts) cacheKey() string {
	if f.days != nil {
		return fmt.Sprint(*f.days)
	}
	if f.found != nil {
		return f.found.text()
	}
	var codes strings.Builder
	for _, card := range slices.Concat(f.admins, f.members) {
		fmt.Fprintf(&codes, "%d %q %q %q ", card.ID, card.Name, card.DisplayName, card.AvatarURL)
	}
	if f.weights != (timeline.Weights{}) {
		fmt.Fprint(&codes, f.weights)
	}
	for _, l := range f.languages {
		codes.WriteString(l.Code)
	}
	return codes.String()
}

// caughtUpWith has the facts about the viewer's last visit that a page shows.
type caughtUpWith struct {
	left *page.LeftOff // the end of the last visit; nil: there was none, or the page does not record visits
	news bool          // the page tells what happened since
	box  *page.CatchUp // what happened since; nil: nothing did, or the page does not tell
	kept bool          // this visit is recorded, too
}

// json returns the end of the last visit in Mokum's shape, or nil.
func (c caughtUpWith) json() *mokum.LeftOff {
	if c.left == nil {
		return nil
	}
	return &mokum.LeftOff{FreshAt: mokum.Stamp(time.UnixMilli(c.left.Cursor.FreshAt)), Post: c.left.Cursor.Post, At: mokum.Stamp(c.left.At)}
}

// older returns the ranges of the page below; see [address.Range.Older]. The page below a
// ranking's page is of the same run of the ranking.
func (v *riverPage) older() (byNumber, exact address.Range) {
	from := v.part
	if v.address.Ranked() {
		from.Run = v.view.Run
	}
	return from.Older(*v.view.Older, !v.address.Ranked() && v.address.Key.What != river.KindDay && from.Order == river.OrderOwn)
}

// unindexed reports whether the page tells search engines not to index it: if its owner or an
// author on the page has the status disallow-robots, or if the page is a search, because the
// number of searches is unlimited.
func (v *riverPage) unindexed() bool {
	return v.address.ShownKind() == river.KindSearch || v.status() == "disallow-robots" || slices.ContainsFunc(v.view.Entries, func(e river.Entry) bool {
		card := v.view.Users[e.Fold.Author]
		return card != nil && card.Status == "disallow-robots"
	})
}

// status returns the status of the page's owner; empty if there is none.
func (v *riverPage) status() string {
	if card := v.view.Users[v.address.Owner.User]; v.address.Owner.User != 0 && card != nil {
		return card.Status
	}
	if card := v.view.Groups[v.address.Owner.Group]; v.address.Owner.Group != 0 && card != nil {
		return card.Status
	}
	return ""
}

// ownerName returns the name of the page's owner by the cards of the river, and reports
// whether the owner's account is deleted or suspended. The name is empty if the river has no such card.
func (v *riverPage) ownerName() (name string, gone bool) {
	if card := v.view.Users[v.address.Owner.User]; v.address.Owner.User != 0 && card != nil {
		return card.Name, card.Gone()
	}
	if card := v.view.Groups[v.address.Owner.Group]; v.address.Owner.Group != 0 && card != nil {
		return card.Name, card.Status == timeline.StatusDeleted
	}
	return "", false
}

// movedTo returns the post's own address if the page was requested under a name that is
// neither the author's nor a name of a group with the post. Otherwise it returns false.
func (v *riverPage) movedTo() (string, bool) {
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
		return "", false // the author's card is missing, so any name will do
	}
	return "/" + author + "/" + strconv.FormatInt(int64(e.Fold.Post), 10), true
}
