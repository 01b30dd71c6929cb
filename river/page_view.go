package river

import (
	"errors"
	"time"

	"amstel.dev/amstel/timeline"
)

// A Kind names a kind of page. For each kind, the table in kind.go gives the river's timelines,
// the viewers who may ask for the page, and the special rules.
type Kind string

// The kinds of river.
const (
	KindHome       Kind = "home"          // their id: the viewer
	KindUser       Kind = "user"          // their id: a person
	KindComments   Kind = "user_comments" // their id: a person
	KindLikes      Kind = "user_likes"    // their id: a person
	KindGroup      Kind = "group"         // their id: a group
	KindDirects    Kind = "directs"       // their id: the viewer
	KindFavs       Kind = "favs"          // their id: the viewer
	KindPost       Kind = "post"          // their id: a post
	KindEverything Kind = "everything"    // their id: 0, or a language's (timeline.LangID)

	KindPrivate     Kind = "user_private" // their id: a person
	KindFYEO        Kind = "user_fyeo"    // their id: the viewer
	KindDay         Kind = "day"          // their id: a person; query: "2024", "2024-05" or "2024-05-01", UTC
	KindPhotos      Kind = "photos"       // their id: a person
	KindGroupPhotos Kind = "group_photos" // their id: a group
	KindDiscussions Kind = "discussions"  // their id: the viewer
	KindMentions    Kind = "mentions"     // their id: the viewer
	KindList        Kind = "list"         // their id: one of the viewer's lists
	KindHashtag     Kind = "hashtag"      // their id: a hashtag
	KindBestOf      Kind = "best_of"      // their id: timeline.RankedID
	KindMostFaved   Kind = "most_faved"   // their id: timeline.RankedID
	KindSearch      Kind = "search"       // their id: 0; query: query.Search.String
)

// A Key names a river: its page and its viewer. Viewer 0 stands for all visitors without a
// session.
type Key struct {
	Viewer  timeline.UserID
	What    Kind
	TheirID int64
	Query   string
}

// At is the part of a river that a page shows. The zero value is the top. The page
// of a single post has no parts and ignores At.
type At struct {
	Before    timeline.Cursor // only entries below it; zero: from the top
	StartFrom int64           // only entries with FreshAt below it (ms); 0: no such bound
	Skip      int             // entries to pass over first (pages by number)
	Count     int             // entries wanted, 1 to 100; 0: 25
	After     timeline.Cursor // only entries above it; zero: down to the bottom
	Run       int64           // of a ranking: the number of the run to show; 0: the latest
	NoReplies bool            // leaves out entries that are here only because of a comment or a like
	Order     Order           // an order other than the river's own, in which the page is read from the primary and is not live
}

// Order is the order of a page.
type Order string

// The orders of pages.
const (
	OrderOwn     Order = ""        // the river's own order
	OrderCreated Order = "created" // by publication
	OrderTop     Order = "top"     // the first 500 entries in the river's own order, sorted by score
)

// A View is the content of a page of a river, in one state. All values behind its pointers are
// shared and must not be changed.
type View struct {
	Key      Key
	Epoch    string // of the river; empty if the page was read from the primary
	Counter  int64  // the node's counter when the view was made
	Changed  int64  // the counter at which anything on the page last changed
	Position int64  // the position of the change log that the view contains
	Live     bool   // false: read from the primary for this answer only
	Age      time.Duration
	Sets     *timeline.Sets // the viewer's
	Entries  []Entry
	Users    map[timeline.UserID]*timeline.UserCard
	Groups   map[timeline.GroupID]*timeline.GroupCard
	Older    *timeline.Cursor // the cursor below which the next page begins; nil at the bottom
	Number   int              // entries passed over before this page
	Unread   Unread           // what the viewer has not read
	Run      int64            // of a ranking: the run that is shown
	followed int64            // see [CacheKey]
}

// An Entry is one post in one river, as the viewer sees it.
type Entry struct {
	River   Key // the river that shows the entry
	Facts   *timeline.Facts
	Fold    *timeline.Fold // the viewer's own, if bans leave people out of it
	Reasons Reasons
	Liked   bool // by the viewer
	Faved   bool // the viewer's favourite
	Hidden  bool // by the viewer
	// Places are the decisive timelines that the viewer may read, for "posted to";
	// all of them if the viewer is the author.
	Places []timeline.Timeline
	// Public reports whether all viewers may read the post, signed in or not.
	Public bool
	Tag    string // a hash of everything that the viewer is shown of the entry
	// Cursor is the entry's cursor in the river's order.
	Cursor timeline.Cursor
	// Points are the points of the post in the ranking that the river is, in thousandths, counted
	// from the likes, comments and favourites that the viewer is shown; 0 in other rivers. The tag
	// has the counts, and not the weights, which are the site's.
	Points int64
	// Hits are the words that a search found, in lower case, in the form in which the post has
	// them.
	Hits []string
}

// Post returns the id of the entry's post; 0 if the entry has neither facts nor a fold.
func (e *Entry) Post() timeline.PostID {
	switch {
	case e.Facts != nil:
		return e.Facts.ID
	case e.Fold != nil:
		return e.Fold.Post
	}
	return 0
}

// Errors of rivers; also [timeline.ErrNotFound] and [timeline.ErrForbidden].
var (
	// ErrBehind reports that the node can't guarantee correct pages, because the node is behind
	// or sealed. The client should come back later.
	ErrBehind = errors.New("this server is catching up")
	// ErrGone reports that a watched river ended: it was dropped, or its viewer may no longer
	// open it. The page must watch the river again.
	ErrGone = errors.New("this river ended")
)

// Window is the part of a river that an open page shows: the entries below High and at or above
// Low. An entry that leaves the window disappears from the page.
//
// A window of fewer than Count entries is filled from below: a patch lowers Low to the cursor of
// the entry that completes the number, or to the lowest cursor that the river holds. So a page
// shows Count entries or more, or all that exist. If the river holds too few after an entry left,
// the river is extended, and a later patch fills the window. For example, a page of 25 entries
// loses one because its author deleted it: the same patch brings the 26th entry.
type Window struct {
	High, Low timeline.Cursor
	NoReplies bool            // as At.NoReplies
	Still     bool            // the page is not kept up to date, because its order differs from the river's
	Count     int             // how many entries the page asked for; 0: the window is not filled
	Bottom    timeline.Cursor // the lowest that Low may become
	// Single says that the client receives each change alone and can't replace its whole page. A
	// patch then has all removals and, of very many changes, the uppermost.
	Single bool
}

// Have is an entry that a page already shows.
type Have struct {
	Post timeline.PostID
	Tag  string
}

// Resume is the state of a page that connects again.
type Resume struct {
	At      At
	Epoch   string
	Counter int64
	Have    []Have
	Poll    bool // the client polls, and does not say which entries the page has
}

// A Patch takes a page from one state of a river to another, in one step.
type Patch struct {
	Epoch    string
	From, To int64
	Position int64
	// Reset asks the page to show Entries alone, and to forget everything else.
	// There are no Ops then.
	Reset   bool
	Entries []Entry
	Ops     []Op
	// Filled is the window that the page shows after the patch, if the patch fills
	// the window; nil: the window is unchanged.
	Filled *Window
	Sets   *timeline.Sets
	Users  map[timeline.UserID]*timeline.UserCard
	Groups map[timeline.GroupID]*timeline.GroupCard
	Unread Unread // as View.Unread
}

// Op is one entry's part of a patch.
type Op struct {
	Post  timeline.PostID
	Gone  bool
	After timeline.PostID // the entry above this one on the page; 0: this entry is the first
	Entry *Entry          // nil iff gone
}
