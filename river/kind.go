package river

import (
	"slices"

	"amstel.dev/amstel/timeline"
)

// A kind says how a sort of river is made: which timelines feed it, who may
// open it, and what is special about it.
type kind struct {
	// subject are the kinds of timeline of the river's their id that feed it.
	subject []timeline.What
	// gates are the timelines of their id of which one must be readable to open
	// the page; none: there is no gate. The first says why, where none is.
	gates []timeline.What
	// own says that only the viewer himself has such a river, with his id: its
	// address names nobody.
	own bool
	// home says that the viewer's feeds feed it, and list that those of one of
	// his lists do, their id; see kind_homes.go.
	home, list bool
	// listed says that only posts with a public or protected place are in it,
	// even for those who may read others.
	listed bool
	// named says that only posts are in it in which somebody names the viewer
	// whom he may see.
	named bool
	// single says that it is the page of one post, their id, with all comments.
	single bool
	// search says that what matches its query is in it; see turn_search.go. Its
	// timelines are those that the query speaks of.
	search bool
	// days says that its query is a day, a month or a year in which its posts
	// were published; see kind_day.go.
	days bool
	// many says that anybody can think of any number of them, so that no more than
	// so many are kept that nobody has open.
	unbounded bool
	// order is how it is sorted, where not by what is fresh.
	order timeline.Order
}

// kinds has every kind of river.
var kinds = map[Kind]kind{
	// What those whom one follows write, like and comment on, and one's own.
	KindHome: {own: true, home: true},
	// The same of chosen people and groups.
	KindList: {list: true},

	// A person's page: his feed, and his private sub-feed for those who may.
	KindUser: {subject: []timeline.What{timeline.WhatUser, timeline.WhatUserPrivate}, gates: []timeline.What{timeline.WhatUser, timeline.WhatUserPrivate}},
	// His private sub-feed alone.
	KindPrivate: {subject: []timeline.What{timeline.WhatUserPrivate}, gates: []timeline.What{timeline.WhatUserPrivate}},
	// What he wrote on a day, in the order of writing.
	KindDay: {subject: []timeline.What{timeline.WhatUser, timeline.WhatUserPrivate}, gates: []timeline.What{timeline.WhatUser, timeline.WhatUserPrivate},
		days: true, unbounded: true, order: timeline.OrderCreated},
	// What he commented on, and likes, for those who may read his feed.
	KindComments: {subject: []timeline.What{timeline.WhatUserComments}, gates: []timeline.What{timeline.WhatUser}},
	KindLikes:    {subject: []timeline.What{timeline.WhatUserLikes}, gates: []timeline.What{timeline.WhatUser}},
	KindGroup:    {subject: []timeline.What{timeline.WhatGroup}, gates: []timeline.What{timeline.WhatGroup}},

	// The viewer's own.
	KindFYEO:        {subject: []timeline.What{timeline.WhatUserFYEO}, own: true},
	KindDirects:     {subject: []timeline.What{timeline.WhatUserDirects}, own: true},
	KindFavs:        {subject: []timeline.What{timeline.WhatUserFavs}, own: true},
	KindDiscussions: {subject: []timeline.What{timeline.WhatDiscussions}, own: true},
	KindMentions:    {subject: []timeline.What{timeline.WhatMentions}, own: true, named: true},

	// The whole site's.
	KindPost:       {single: true},
	KindHashtag:    {subject: []timeline.What{timeline.WhatHashtag}},
	KindSearch:     {search: true, unbounded: true},
	KindEverything: {subject: []timeline.What{timeline.WhatEverything}, listed: true},
	KindBestOf:     {subject: []timeline.What{timeline.WhatBestOf}, listed: true, order: timeline.OrderRanked},
	KindMostFaved:  {subject: []timeline.What{timeline.WhatMostFaved}, listed: true, order: timeline.OrderRanked},
}

// timelines lists the kinds of timeline to read of their id before a river of
// this kind can be made.
func (k kind) timelines() []timeline.What {
	return append(slices.Clone(k.subject), k.gates...)
}

// grace says how the river expires: a home one later than others.
func (k kind) grace(s Settings) int64 {
	if k.home {
		return s.GraceHome.Milliseconds()
	}
	return s.Grace.Milliseconds()
}

// valid says whether anybody may ask for such a river at all: some can't be
// addressed for others.
func (key Key) valid() bool {
	k, known := kinds[key.What]
	if !known || key.Viewer < 0 || (key.Query != "") != (k.search || k.days) {
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

// Descriptor is the river's name without its viewer: "user:7", "home".
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
