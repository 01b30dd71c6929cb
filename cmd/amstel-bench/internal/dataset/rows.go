package dataset

import (
	"time"

	"amstel.dev/amstel/timeline"
)

// userKinds lists the timelines that each person has, with the access of a public person's timelines.
var userKinds = [...]struct {
	What   timeline.What
	Access timeline.Access
}{
	{timeline.WhatUser, timeline.AccessPublic},
	{timeline.WhatUserLikes, timeline.AccessPublic},
	{timeline.WhatUserComments, timeline.AccessPublic},
	{timeline.WhatUserFavs, timeline.AccessOwner},
	{timeline.WhatUserPrivate, timeline.AccessPrivate},
	{timeline.WhatUserFYEO, timeline.AccessOwner},
	{timeline.WhatUserDirects, timeline.AccessOwner},
	{timeline.WhatMentions, timeline.AccessOwner},
	{timeline.WhatDiscussions, timeline.AccessOwner},
}

// Indices of timelines in userKinds.
const (
	ownFeed = iota
	ownLikes
	ownComments
	ownFavs

	ownDiscussions = 8
)

// siteWide is the number of timelines that belong to the site: everything and the rankings. They have
// the lowest ids. The timeline of everything is the first.
const siteWide = 11

// timelineOf returns the id of a person's timeline. kind is an index in userKinds.
func timelineOf(u timeline.UserID, kind int) int64 {
	return siteWide + 1 + (int64(u)-1)*int64(len(userKinds)) + int64(kind)
}

// groupTimeline returns the id of a group's timeline, in a community with this number of people.
func groupTimeline(people int, g timeline.GroupID) int64 {
	return timelineOf(timeline.UserID(people+1), 0) + int64(g) - 1
}

// eachTimeline calls add for each timeline of the people and the public groups of a community.
func eachTimeline(people, groups int, add func(id int64, what timeline.What, their int64, access timeline.Access)) {
	for u := timeline.UserID(1); int(u) <= people; u++ {
		for i, kind := range userKinds {
			add(timelineOf(u, i), kind.What, int64(u), kind.Access)
		}
	}
	for g := timeline.GroupID(1); int(g) <= groups; g++ {
		add(groupTimeline(people, g), timeline.WhatGroup, int64(g), timeline.AccessPublic)
	}
}

// latestBound returns the column latest_at of a timeline whose freshest entry has this freshness, or that
// has no entries if it is 0.
func latestBound(fresh int64) int64 {
	if fresh == 0 {
		return 0
	}
	return (fresh/60_000 + 1) * 60_000
}

// idAt returns an id in the form of the primary's ids: the seconds since 2000, then a sequence number.
func idAt(at time.Time, sequence int) int64 {
	return (at.Unix()-946684800)<<22 | int64(sequence&(1<<18-1))
}
