package importer

import (
	"time"

	"amstel.dev/amstel/timeline"
)

// outcome is what a batch has to write, in the order of its lines.
type outcome struct {
	posts        []*post
	comments     []*comment
	likes        []timed[postLike]
	commentLikes []commentLiked
	mentions     []mention
	follows      map[pair]time.Time // subscriptions, since when
	bans         map[[2]timeline.UserID]time.Time
	ended        map[pair]bool // subscriptions and requests that bans ended

	entries []*entry
	entered map[place]bool
	latest  map[timeline.TimelineID]int64 // the newest fresh_at that came into a timeline

	touched         map[timeline.PostID]*post // that were there, and got something
	touchedComments map[timeline.CommentID]*comment

	remembered []imported
}

// timed is something and when it was done.
type timed[T any] struct {
	what T
	at   time.Time
}

// commentLiked is a like of a comment, with the comment's post.
type commentLiked struct {
	commentLike
	post timeline.PostID
	at   time.Time
}

// A mention is that a text names somebody.
type mention struct {
	post    timeline.PostID
	comment *timeline.CommentID // nil: the post's own
	by, of  timeline.UserID
}

// A place is a post in a timeline.
type place struct {
	post     timeline.PostID
	timeline timeline.TimelineID
}

// An entry is a row of a timeline; its fresh_at is the post's in the end.
type entry struct {
	post     *post
	timeline timeline.TimelineID
	at       int64 // milliseconds
}

// imported is a row of the table of that name.
type imported struct {
	what, external string
	theirID        int64
}

func newOutcome() outcome {
	return outcome{
		follows:         make(map[pair]time.Time),
		bans:            make(map[[2]timeline.UserID]time.Time),
		ended:           make(map[pair]bool),
		entered:         make(map[place]bool),
		latest:          make(map[timeline.TimelineID]int64),
		touched:         make(map[timeline.PostID]*post),
		touchedComments: make(map[timeline.CommentID]*comment),
	}
}

// enter puts a post into a timeline; the first time counts.
func (o *outcome) enter(p *post, id timeline.TimelineID, at time.Time) {
	o.raise(id, p.freshAt)
	where := place{p.id, id}
	if !o.entered[where] {
		o.entered[where] = true
		o.entries = append(o.entries, &entry{p, id, at.UnixMilli()})
	}
}

// raise remembers that the timeline got an entry of that time.
func (o *outcome) raise(id timeline.TimelineID, freshAt int64) {
	o.latest[id] = max(o.latest[id], freshAt)
}

// touch remembers that the post gets something.
func (o *outcome) touch(p *post) {
	if p.line == nil {
		o.touched[p.id] = p
	}
}

// touchComment remembers that the comment gets something.
func (o *outcome) touchComment(c *comment) {
	if c.line == nil {
		o.touchedComments[c.id] = c
	}
}

func (o *outcome) subscribe(follow pair, at time.Time) {
	if _, there := o.follows[follow]; !there {
		o.follows[follow] = at
	}
}

func (o *outcome) unsubscribe(follow pair) {
	delete(o.follows, follow)
	o.ended[follow] = true
}

func (o *outcome) ban(user, target timeline.UserID, at time.Time) {
	o.bans[[2]timeline.UserID{user, target}] = at
}

func (o *outcome) remember(l *line, theirID int64) {
	o.remembered = append(o.remembered, imported{l.kind.String(), l.external(), theirID})
}
