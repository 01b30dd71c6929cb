// Package rights decides what a viewer is offered to do with an entry, for pages and JSON
// alike, by the rules of package timeline and the facts that the entry has. An offer is no
// permission: each write asks the same rules again in its own transaction.
//
// A nil viewer is a viewer without an account.
package rights

import (
	"slices"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// SignedIn reports whether the viewer may write at all.
func SignedIn(s *timeline.Sets) bool { return s != nil && s.MayAct() }

// CanLike reports whether the viewer is offered to like the entry, or to take the
// like back.
func CanLike(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.MayLike(e.Fold.Author) && s.TakesPart(e.Fold.Author, e.Places)
}

// CanFav reports whether the viewer may add the entry to the favourites, or remove it. The
// viewer's own entry may be a favourite too.
func CanFav(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.TakesPart(e.Fold.Author, e.Places)
}

// CanComment reports whether the viewer is offered to comment.
func CanComment(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.MayComment(e.Fold.Author, e.Fold.Text.CommentsDisabled) && s.TakesPart(e.Fold.Author, e.Places)
}

// CanHide reports whether the viewer is offered to hide the post: any but their own.
func CanHide(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.MayAct() && s.User != e.Fold.Author
}

// CanUnhide reports whether the viewer hides this post alone, and so can show it again.
// If the viewer hides all posts of the author, only all of them can be shown again.
func CanUnhide(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.MayAct() && s.HiddenPosts[e.Fold.Post]
}

// CanRemoveFrom returns the groups from which the viewer may remove the post.
func CanRemoveFrom(s *timeline.Sets, e *river.Entry) []timeline.GroupID {
	var groups []timeline.GroupID
	for _, t := range e.Places {
		if group := timeline.GroupID(t.TheirID); t.What == timeline.WhatGroup && s != nil && s.MayRemove(e.Fold.Author, group) {
			groups = append(groups, group)
		}
	}
	return groups
}

// CanLeave reports whether the viewer is a recipient of a direct, and so may leave it.
func CanLeave(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.MayAct() && s.User != e.Fold.Author && Direct(e)
}

// CanAddRecipients reports whether the viewer may send a direct to more people: its
// author may.
func CanAddRecipients(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.MayEdit(e.Fold.Author) && Direct(e)
}

// CanEdit reports whether the viewer may change the post's text.
func CanEdit(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.MayEdit(e.Fold.Author)
}

// CanDelete reports whether the viewer may delete the post.
func CanDelete(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.MayDeletePost(e.Fold.Author)
}

// CanReport reports whether the viewer may report a person, or what the person wrote.
func CanReport(s *timeline.Sets, author timeline.UserID) bool {
	return s != nil && s.MayAct() && s.User != author
}

// CanModerate reports whether the viewer may delete comments of others on the post.
func CanModerate(s *timeline.Sets, e *river.Entry) bool {
	return s != nil && s.MayDeleteComment(0, e.Fold.Author, e.Places)
}

// CommentersAcross returns how many people across a ban from the viewer have commented on the
// entry; 0 unless the viewer moderates the entry, and so may read these comments.
func CommentersAcross(s *timeline.Sets, e *river.Entry) int {
	if s == nil || len(s.Bans) == 0 || !s.Moderates(e.Fold.Author, e.Places) {
		return 0
	}
	return len(s.Across(e.Facts.Commenters))
}

// CanEditComment reports whether the viewer may change the comment's text.
func CanEditComment(s *timeline.Sets, c *timeline.Comment) bool {
	return s != nil && s.MayEdit(c.User)
}

// CanDeleteComment reports whether the viewer may delete the comment.
func CanDeleteComment(s *timeline.Sets, e *river.Entry, c *timeline.Comment) bool {
	return s != nil && s.MayDeleteComment(c.User, e.Fold.Author, e.Places)
}

// CanLikeComment reports whether the viewer is offered to like the comment, or to take
// the like back.
func CanLikeComment(s *timeline.Sets, e *river.Entry, c *timeline.Comment) bool {
	return s != nil && s.MayLike(c.User) && s.TakesPart(e.Fold.Author, e.Places)
}

// CommentLiked reports whether the viewer likes the comment.
func CommentLiked(s *timeline.Sets, c *timeline.Comment) bool {
	return s != nil && s.User != 0 && slices.Contains(c.Likers, s.User)
}

// CommentHidden reports whether the viewer hides the comments of this comment's author.
func CommentHidden(s *timeline.Sets, c *timeline.Comment) bool {
	return s != nil && s.HiddenComments[c.User]
}

// Direct reports whether the post was sent to people only.
func Direct(e *river.Entry) bool {
	other := func(t timeline.Timeline) bool { return t.What != timeline.WhatUserDirects }
	return len(e.Places) > 0 && !slices.ContainsFunc(e.Places, other)
}
