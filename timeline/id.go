package timeline

import (
	"fmt"
	"slices"
)

// Ids are numbers. Each kind of id has a type of its own, so that the compiler tells them apart.
// Ids of posts and comments come from one sequence that is ordered by time, and fit into 53 bits,
// so that JavaScript reads them exactly. UserID 0 stands for all visitors.
type (
	UserID       int64
	GroupID      int64
	PostID       int64
	CommentID    int64
	TimelineID   int64
	ListID       int64
	AttachmentID int64
)

// What is the kind of a timeline.
type What string

// The kinds of timeline. Authors put posts into the base timelines, and only these decide
// about the access to a post. The system fills the others, the filter timelines.
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

// Base reports whether the kind is a base timeline. Base timelines decide which viewers may read a post.
func (w What) Base() bool {
	switch w {
	case WhatUser, WhatUserPrivate, WhatUserFYEO, WhatUserDirects, WhatGroup:
		return true
	}
	return false
}

// OfUser reports whether timelines of the kind belong to people, so that their TheirID is the id of
// a person.
func (w What) OfUser() bool {
	switch w {
	case WhatUser, WhatUserPrivate, WhatUserFYEO, WhatUserDirects, WhatUserLikes, WhatUserComments, WhatUserFavs, WhatDiscussions, WhatMentions:
		return true
	}
	return false
}

// Access is the rule by which viewers may read a timeline.
type Access string

// The kinds of access; see [Sets.Readable].
const (
	AccessPublic    Access = "public"
	AccessProtected Access = "protected"
	AccessPrivate   Access = "private"
	AccessOwner     Access = "owner"
	AccessClosed    Access = "closed"
)

// Covers reports whether all viewers who may read under access b may also read under a, so
// that no viewer gains when a timeline's access changes from a to b.
func (a Access) Covers(b Access) bool { return a.rank() >= b.rank() }

// rank returns the place of the access among all kinds of access, from the narrowest, 0, to the
// widest.
func (a Access) rank() int {
	return slices.Index([]Access{AccessClosed, AccessOwner, AccessPrivate, AccessProtected, AccessPublic}, a)
}

// A Timeline holds the identity of a timeline and its access, without its entries.
type Timeline struct {
	ID      TimelineID
	What    What
	TheirID int64 // id of the owner: a person, group, hashtag, language or ranking
	Access  Access
}

// A Cursor is a place in the order of a river, which is newest first by (FreshAt, Post).
// The zero Cursor is below every post.
type Cursor struct {
	FreshAt int64 // milliseconds since 1970
	Post    PostID
}

// Top is a Cursor above every post.
var Top = Cursor{FreshAt: 1<<62 - 1, Post: 1<<62 - 1}

// Below reports whether c comes after d in a river, that is, whether c is older.
func (c Cursor) Below(d Cursor) bool {
	if c.FreshAt != d.FreshAt {
		return c.FreshAt < d.FreshAt
	}
	return c.Post < d.Post
}

// Compare returns -1 if c comes before d in a river, 0 if they are equal, and 1 if c comes
// after d. With slices.SortFunc it sorts newest first.
func (c Cursor) Compare(d Cursor) int {
	switch {
	case c == d:
		return 0
	case c.Below(d):
		return 1
	}
	return -1
}

// String returns the cursor in the form that URLs have, "FRESH_MS,ID": "1700000000000,42".
func (c Cursor) String() string { return fmt.Sprintf("%d,%d", c.FreshAt, c.Post) }
