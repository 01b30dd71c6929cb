package importer

import (
	"time"

	"amstel.dev/amstel/timeline"
)

// pendingRows are the rows that a batch will write, in the order of its lines.
type pendingRows struct {
	posts        []*post
	comments     []*comment
	likes        []timed[postLike]
	commentLikes []commentLiked
	mentions     []mention
	files        []file
	favs         []timed[postLike]
	extras       map[kind][]extra
	follows      map[pair]following // new subscriptions
	bans         map[[2]timeline.UserID]time.Time
	ended        map[pair]bool // subscriptions, requests and invitations that bans end

	entries []*entry
	entered map[entryKey]bool
	latest  map[timeline.TimelineID]int64 // the highest fresh_at of the new entries of each timeline

	touched         map[timeline.PostID]*post // existing posts that get comments, likes or favourites
	touchedComments map[timeline.CommentID]*comment

	imported []importedRow
}

// A timed is a value with the time of its creation.
type timed[T any] struct {
	what T
	at   time.Time
}

// commentLiked is a like of a comment, with the post of the comment and the time.
type commentLiked struct {
	commentLike
	post timeline.PostID
	at   time.Time
}

// A mention says that a text names a person.
type mention struct {
	post    timeline.PostID
	comment *timeline.CommentID // nil: the post's own text
	by, of  timeline.UserID
}

// An entryKey identifies an entry: a post in a timeline.
type entryKey struct {
	post     timeline.PostID
	timeline timeline.TimelineID
}

// An entry is a new row of a timeline. Its fresh_at is written last, when the freshness of the post
// after the whole batch is known.
type entry struct {
	post     *post
	timeline timeline.TimelineID
	at       int64 // when the post entered the timeline, in milliseconds since 1970
}

// An importedRow is a row of the table imported.
type importedRow struct {
	what, external string
	theirID        int64
}

func newPendingRows() pendingRows {
	return pendingRows{
		extras:          make(map[kind][]extra),
		follows:         make(map[pair]following),
		bans:            make(map[[2]timeline.UserID]time.Time),
		ended:           make(map[pair]bool),
		entered:         make(map[entryKey]bool),
		latest:          make(map[timeline.TimelineID]int64),
		touched:         make(map[timeline.PostID]*post),
		touchedComments: make(map[timeline.CommentID]*comment),
	}
}

// enter adds a post to a timeline, unless the batch has added it before.
func (o *pendingRows) enter(p *post, id timeline.TimelineID, at time.Time) {
	o.raise(id, p.freshAt)
	where := entryKey{p.id, id}
	if !o.entered[where] {
		o.entered[where] = true
		o.entries = append(o.entries, &entry{p, id, at.UnixMilli()})
	}
}

// raise notes that the timeline got an entry with this freshness, in milliseconds.
func (o *pendingRows) raise(id timeline.TimelineID, freshAt int64) {
	o.latest[id] = max(o.latest[id], freshAt)
}

// touch notes that a post gets a comment, a like or a favourite, if the post existed before.
func (o *pendingRows) touch(p *post) {
	if p.line == nil {
		o.touched[p.id] = p
	}
}

// touchComment notes that a comment gets a like, if the comment existed before.
func (o *pendingRows) touchComment(c *comment) {
	if c.line == nil {
		o.touchedComments[c.id] = c
	}
}

func (o *pendingRows) subscribe(follow pair, at time.Time, since *time.Time) {
	if _, there := o.follows[follow]; !there {
		o.follows[follow] = following{at, since}
	}
}

// A following holds the times of a new subscription.
type following struct {
	at    time.Time
	since *time.Time // when it became forward only; nil: it is not
}

func (o *pendingRows) unsubscribe(follow pair) {
	delete(o.follows, follow)
	o.ended[follow] = true
}

func (o *pendingRows) ban(user, target timeline.UserID, at time.Time) {
	o.bans[[2]timeline.UserID{user, target}] = at
}

func (o *pendingRows) markImported(l *line, theirID int64) {
	o.imported = append(o.imported, importedRow{l.kind.String(), l.external(), theirID})
}
