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
	// home says that the viewer's feeds feed it.
	home bool
	// listed says that only posts with a public or protected place are in it,
	// even for those who may read others.
	listed bool
	// single says that it is the page of one post, their id, with all comments.
	single bool
}

// kinds has every kind of river.
var kinds = map[Kind]kind{
	KindHome:       {own: true, home: true},
	KindUser:       {subject: []timeline.What{timeline.WhatUser, timeline.WhatUserPrivate}, gates: []timeline.What{timeline.WhatUser, timeline.WhatUserPrivate}},
	KindComments:   {subject: []timeline.What{timeline.WhatUserComments}, gates: []timeline.What{timeline.WhatUser}},
	KindLikes:      {subject: []timeline.What{timeline.WhatUserLikes}, gates: []timeline.What{timeline.WhatUser}},
	KindGroup:      {subject: []timeline.What{timeline.WhatGroup}, gates: []timeline.What{timeline.WhatGroup}},
	KindDirects:    {subject: []timeline.What{timeline.WhatUserDirects}, own: true},
	KindFavs:       {subject: []timeline.What{timeline.WhatUserFavs}, own: true},
	KindPost:       {single: true},
	KindEverything: {subject: []timeline.What{timeline.WhatEverything}, listed: true},
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
	if !known || key.Viewer < 0 {
		return false
	}
	if k.own {
		return key.Viewer != 0 && key.TheirID == int64(key.Viewer)
	}
	return true
}

// Descriptor is the river's name without its viewer: "user:7", "home".
func (key Key) Descriptor() string {
	if kinds[key.What].own || key.TheirID == 0 {
		return string(key.What)
	}
	return string(key.What) + ":" + itoa(key.TheirID)
}
