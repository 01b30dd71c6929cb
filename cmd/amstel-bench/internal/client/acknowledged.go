package client

import "amstel.dev/amstel/timeline"

// Acknowledged are the writes that were answered with success, so that the site must have them.
type Acknowledged struct {
	Texts   []string // of posts and comments, each unlike all others
	Likes   []Like
	Follows []Follow
}

// A Like is a like of a post.
type Like struct {
	By   string
	Post timeline.PostID
}

// A Follow is a subscription to the feed of a person.
type Follow struct{ By, Feed string }

// Count returns the number of writes.
func (a *Acknowledged) Count() int { return len(a.Texts) + len(a.Likes) + len(a.Follows) }
