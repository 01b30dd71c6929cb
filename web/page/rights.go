package page

import (
	"slices"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// What a viewer is offered to do with an entry that he sees, for pages and for
// JSON: the rules of package timeline, asked with what an entry has at hand. A
// nil viewer is everybody who is not signed in.

// signedIn says whether the viewer may write at all.
func signedIn(s *timeline.Sets) bool { return s != nil && s.MayAct() }

// CanLike says whether the viewer is offered to like the entry, or to take his
// like back.
func CanLike(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.MayLike(e.Fold.Author)
}

// CanComment says whether the viewer is offered to comment.
func CanComment(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.MayComment(e.Fold.Author, e.Fold.Text.CommentsDisabled)
}

// CanEdit says whether the viewer may change the post's text.
func CanEdit(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.MayEdit(e.Fold.Author)
}

// CanDelete says whether the viewer may delete the post.
func CanDelete(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.MayDeletePost(e.Fold.Author)
}

// CanModerate says whether the viewer may delete anybody's comments of the post.
func CanModerate(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.MayDeleteComment(0, e.Fold.Author, e.Places)
}

// CanEditComment says whether the viewer may change the comment's text.
func CanEditComment(s *timeline.Sets, c *timeline.Comment) bool {
	return s != nil && s.MayEdit(c.User)
}

// CanDeleteComment says whether the viewer may delete the comment.
func CanDeleteComment(s *timeline.Sets, e *river.Entry, c *timeline.Comment) bool {
	return s != nil && s.MayDeleteComment(c.User, e.Fold.Author, e.Places)
}

// Direct says whether the post was sent to people only.
func Direct(e *river.Entry) bool {
	other := func(t timeline.Timeline) bool { return t.What != timeline.WhatUserDirects }
	return len(e.Places) > 0 && !slices.ContainsFunc(e.Places, other)
}
