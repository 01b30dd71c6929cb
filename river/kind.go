package river

import (
	"slices"

	"amstel.dev/amstel/timeline"
)

// A kind describes one kind of river: the river's timelines, the viewers who may open the river,
// and its special rules.
type kind struct {
	// subject lists the kinds of timeline that feed the river. They belong to the
	// river's TheirID.
	subject []timeline.What
	// gates lists the kinds of timeline, also of TheirID, of which the viewer must be able to read
	// one to open the page. An empty list means a page without a gate. A viewer who can read none
	// gets the error of the first gate.
	gates []timeline.What
	// own: each viewer has one such river, with their own id as TheirID. Other viewers have no
	// address for it.
	own bool
	// home: the viewer's subscriptions feed the river. list: one
	// of the viewer's lists does, with the list's id as TheirID. See kind_homes.go.
	home, list bool
	// listed: the river has only posts with a public or protected place,
	// even if the viewer may read others.
	listed bool
	// named: the river has only posts that mention the viewer, in a text
	// by an author the viewer may see.
	named bool
	// single: the river is the page of one post, TheirID, with all
	// comments.
	single bool
	// search: the river has the posts that match its query; see turn_search.go. Its timelines
	// belong to the people and groups in the query.
	search bool
	// images: the search is for posts with an image whose authors put them into
	// the timelines of subject; the query is empty.
	images bool
	// days: the query is a day, a month or a year, and the river has
	// the posts published then; see kind_day.go.
	days bool
	// unbounded: visitors can ask for any number of such rivers, by inventing queries.
	// Of the rivers that no page has open, only mostMany are kept.
	unbounded bool
	// order is the sort order; empty means by freshness.
	order timeline.Order
}

// ofPerson are the timelines of a person's page.
var ofPerson = []timeline.What{timeline.WhatUser, timeline.WhatUserPrivate, timeline.WhatUserFYEO}

// kinds holds every kind of river.
var kinds = map[Kind]kind{
	// Posts that the viewer's subscriptions wrote, liked or commented on, and the
	// viewer's own.
	KindHome: {own: true, home: true},
	// The same for the people and groups of one list.
	KindList: {list: true},

	// A person's page: their feed and their private sub-feed, each if the viewer may
	// read it; and to themselves their posts for their own eyes only.
	KindUser: {subject: ofPerson, gates: []timeline.What{timeline.WhatUser, timeline.WhatUserPrivate}},
	// A person's private sub-feed alone.
	KindPrivate: {subject: []timeline.What{timeline.WhatUserPrivate}, gates: []timeline.What{timeline.WhatUserPrivate}},
	// The posts that a person published in a day, a month or a year, in the order
	// of publication.
	KindDay: {subject: ofPerson, gates: []timeline.What{timeline.WhatUser, timeline.WhatUserPrivate},
		days: true, unbounded: true, order: timeline.OrderCreated},
	// The posts of a person's page, or of a group, with an image.
	KindPhotos: {subject: ofPerson, gates: []timeline.What{timeline.WhatUser, timeline.WhatUserPrivate},
		search: true, images: true},
	KindGroupPhotos: {subject: []timeline.What{timeline.WhatGroup}, gates: []timeline.What{timeline.WhatGroup}, search: true, images: true},
	// The posts that a person commented on, or likes. A viewer must be able to read
	// the person's feed.
	KindComments: {subject: []timeline.What{timeline.WhatUserComments}, gates: []timeline.What{timeline.WhatUser}},
	KindLikes:    {subject: []timeline.What{timeline.WhatUserLikes}, gates: []timeline.What{timeline.WhatUser}},
	KindGroup:    {subject: []timeline.What{timeline.WhatGroup}, gates: []timeline.What{timeline.WhatGroup}},

	// Rivers that each viewer has for themselves.
	KindFYEO:        {subject: []timeline.What{timeline.WhatUserFYEO}, own: true},
	KindDirects:     {subject: []timeline.What{timeline.WhatUserDirects}, own: true},
	KindFavs:        {subject: []timeline.What{timeline.WhatUserFavs}, own: true},
	KindDiscussions: {subject: []timeline.What{timeline.WhatDiscussions}, own: true},
	KindMentions:    {subject: []timeline.What{timeline.WhatMentions}, own: true, named: true},

	// Rivers that belong to no person or group.
	KindPost:       {single: true},
	KindHashtag:    {subject: []timeline.What{timeline.WhatHashtag}},
	KindSearch:     {search: true, unbounded: true},
	KindEverything: {subject: []timeline.What{timeline.WhatEverything}, listed: true},
	KindBestOf:     {subject: []timeline.What{timeline.WhatBestOf}, listed: true, order: timeline.OrderRanked},
	KindMostFaved:  {subject: []timeline.What{timeline.WhatMostFaved}, listed: true, order: timeline.OrderRanked},
}

// timelines returns the kinds of timelines of TheirID that must be read before a river of this
// kind can be made.
func (k kind) timelines() []timeline.What {
	return append(slices.Clone(k.subject), k.gates...)
}

// grace returns for how many milliseconds a river of this kind is kept after the
// last visit. Homes are kept longer than others.
func (k kind) grace(s Settings) int64 {
	if k.home {
		return s.GraceHome.Milliseconds()
	}
	return s.Grace.Milliseconds()
}

// valid reports whether the key addresses a river that its viewer may ask for. For example, a
// viewer can't ask for the home of another viewer.
func (key Key) valid() bool {
	k, known := kinds[key.What]
	if !known || key.Viewer < 0 || (key.Query != "") != (k.search && !k.images || k.days) {
		return false
	}
	if k.days {
		if _, _, ok := days(key.Query); !ok {
			return false
		}
	}
	if k.own {
		return key.Viewer != 0 && key.TheirID == int64(key.Viewer)
	}
	return !k.list || key.Viewer != 0
}

// Descriptor returns the river's name without its viewer, as in "user:7" or "home".
func (key Key) Descriptor() string {
	name := string(key.What)
	if !kinds[key.What].own && key.TheirID != 0 {
		name += ":" + itoa(key.TheirID)
	}
	if key.Query != "" {
		name += ":" + key.Query
	}
	return name
}
