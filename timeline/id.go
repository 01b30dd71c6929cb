package timeline

import (
	"fmt"
	"slices"
)

// Ids are plain numbers, distinct in type so that one can't pass for another.
// Those of posts and comments come from one time-ordered sequence and fit 53
// bits, so they are JSON numbers; user 0 is everybody who is not signed in.
type (
	UserID     int64
	GroupID    int64
	PostID     int64
	CommentID  int64
	TimelineID int64
	ListID     int64
)

// What says which kind of timeline one is.
type What string

// The kinds of timeline. Authors put posts into the base timelines, and only
// those decide who may read them; the filter timelines are filled by the system.
const (
	WhatUser        What = "user"
	WhatUserPrivate What = "user_private"
	WhatUserFYEO    What = "user_fyeo"
	WhatUserDirects What = "user_directs"
	WhatGroup       What = "group"

	WhatUserLikes    What = "user_likes"
	WhatUserComments What = "user_comments"
	WhatUserFavs     What = "user_favs"
	WhatDiscussions  What = "user_discussions"
	WhatMentions     What = "mentions"
	WhatHashtag      What = "hashtag"
	WhatEverything   What = "everything"
	WhatBestOf       What = "best_of"
	WhatMostFaved    What = "most_faved"
)

// Base says whether the timeline is one that decides who may read its posts.
func (w What) Base() bool {
	switch w {
	case WhatUser, WhatUserPrivate, WhatUserFYEO, WhatUserDirects, WhatGroup:
		return true
	}
	return false
}

// OfUser says whether their_id of such a timeline is a person's id.
func (w What) OfUser() bool {
	switch w {
	case WhatUser, WhatUserPrivate, WhatUserFYEO, WhatUserDirects, WhatUserLikes, WhatUserComments, WhatUserFavs, WhatDiscussions, WhatMentions:
		return true
	}
	return false
}

// Access says who may read a timeline.
type Access string

// The kinds of access; see [Sets.Readable].
const (
	AccessPublic    Access = "public"
	AccessProtected Access = "protected"
	AccessPrivate   Access = "private"
	AccessOwner     Access = "owner"
	AccessClosed    Access = "closed"
)

// Covers says whether whoever may read under access b may also read under a:
// nobody gains when one becomes the other.
func (a Access) Covers(b Access) bool { return a.rank() >= b.rank() }

func (a Access) rank() int {
	return slices.Index([]Access{AccessClosed, AccessOwner, AccessPrivate, AccessProtected, AccessPublic}, a)
}

// A Timeline names a timeline and says who may read it.
type Timeline struct {
	ID      TimelineID
	What    What
	TheirID int64
	Access  Access
}

// Cursor is a place in the order of a river: newest first by (FreshAt, Post).
// The zero Cursor stands below every post.
type Cursor struct {
	FreshAt int64 // milliseconds since 1970
	Post    PostID
}

// Top is a Cursor above every post.
var Top = Cursor{FreshAt: 1<<62 - 1, Post: 1<<62 - 1}

// Below says whether c comes after d in a river, that is, whether it is older.
func (c Cursor) Below(d Cursor) bool {
	if c.FreshAt != d.FreshAt {
		return c.FreshAt < d.FreshAt
	}
	return c.Post < d.Post
}

// Compare orders cursors newest first, as rivers do.
func (c Cursor) Compare(d Cursor) int {
	switch {
	case c == d:
		return 0
	case c.Below(d):
		return 1
	}
	return -1
}

// String is the cursor as it stands in an address: "FRESH_MS,ID".
func (c Cursor) String() string { return fmt.Sprintf("%d,%d", c.FreshAt, c.Post) }
