package page

import (
	"slices"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// What a viewer is offered to do with an entry that he sees. Package timeline
// decides whether he may when he does it; these say the same from what is at
// hand, for pages and for JSON.

// signedIn says whether the viewer may write at all.
func signedIn(s *timeline.Sets) bool { return s != nil && s.User != 0 && !s.Suspended }

// CanLike says whether the viewer is offered to like the entry (or to take his
// like back): anybody's but his own.
func CanLike(s *timeline.Sets, e *river.Entry) bool {
	return signedIn(s) && e.Fold.Author != s.User
}

// CanComment says whether the viewer is offered to comment. Where comments are
// disabled they are so for everybody.
func CanComment(s *timeline.Sets, e *river.Entry) bool {
	return signedIn(s) && !e.Fold.Text.CommentsDisabled
}

// CanEdit says whether the viewer may change the post's text.
func CanEdit(s *timeline.Sets, e *river.Entry) bool {
	return signedIn(s) && e.Fold.Author == s.User
}

// CanDelete says whether the viewer may delete the post: the author, and an
// administrator of the site.
func CanDelete(s *timeline.Sets, e *river.Entry) bool {
	return signedIn(s) && (e.Fold.Author == s.User || s.Admin)
}

// CanModerate says whether the viewer may delete other people's comments of the
// post: the author, and an administrator of the site.
func CanModerate(s *timeline.Sets, e *river.Entry) bool {
	return CanDelete(s, e)
}

// CanEditComment says whether the viewer may change the comment's text.
func CanEditComment(s *timeline.Sets, c *timeline.Comment) bool {
	return signedIn(s) && c.User == s.User
}

// CanDeleteComment says whether the viewer may delete the comment: who wrote
// it, and who may moderate the post.
func CanDeleteComment(s *timeline.Sets, e *river.Entry, c *timeline.Comment) bool {
	return signedIn(s) && (c.User == s.User || CanModerate(s, e))
}

// Direct says whether the post was sent to people only.
func Direct(e *river.Entry) bool {
	isDirect := func(t timeline.Timeline) bool { return t.What == timeline.WhatUserDirects }
	return len(e.Places) > 0 && !slices.ContainsFunc(e.Places, func(t timeline.Timeline) bool { return !isDirect(t) })
}
