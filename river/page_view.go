package river

import (
	"errors"
	"time"

	"amstel.dev/amstel/timeline"
)

// Kind says which page a river is of; kind.go has what each is fed by, who may
// ask for it and what is special about it.
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
	KindDiscussions Kind = "discussions"  // their id: the viewer
	KindMentions    Kind = "mentions"     // their id: the viewer
	KindList        Kind = "list"         // their id: one of the viewer's lists
	KindHashtag     Kind = "hashtag"      // their id: a hashtag
	KindBestOf      Kind = "best_of"      // their id: timeline.RankedID
	KindMostFaved   Kind = "most_faved"   // their id: timeline.RankedID
	KindSearch      Kind = "search"       // their id: 0; query: query.Search.String
)

// Key names a river: what one viewer sees on one page. Viewer 0 is everybody
// who is not signed in.
type Key struct {
	Viewer  timeline.UserID
	What    Kind
	TheirID int64
	Query   string
}

// At says which part of a river a page shows. The zero value is the top. The page
// of a single post has no parts: it shows the post whatever is asked for.
type At struct {
	Before    timeline.Cursor // only entries below it; zero: from the top
	StartFrom int64           // only entries with FreshAt below it (ms); 0: no such bound
	Skip      int             // entries to pass over first (pages by number)
	Count     int             // entries wanted, 1 to 100; 0: 25
	After     timeline.Cursor // only entries above it; zero: down to the bottom
	Run       int64           // of a ranking: as that run left it; 0: as of now
	NoReplies bool            // without what is here only by somebody's comment or like
	Order     Order           // other than the river's own: read from the primary, and not live
}

// Order is one of a page that is not its river's own.
type Order string

// The orders that a page can be asked for in.
const (
	OrderOwn     Order = ""        // the river's
	OrderCreated Order = "created" // by publication
	OrderTop     Order = "top"     // the 500 first of the river's own order, by score
)

// View is what a page shows of a river, in one state. Everything it points to
// is shared and must not be changed.
type View struct {
	Key      Key
	Epoch    string // of the river; empty where it was read from the primary
	Counter  int64  // the state of the river that this shows
	Changed  int64  // the counter at which what the river shows last changed
	Position int64  // of the change log
	Live     bool   // false: read from the primary for this answer only, not held
	Age      time.Duration
	Sets     *timeline.Sets // the viewer's
	Entries  []Entry
	Users    map[timeline.UserID]*timeline.UserCard
	Groups   map[timeline.GroupID]*timeline.GroupCard
	Older    *timeline.Cursor // the last entry's place, where more exists below; nil at the bottom
	Number   int              // entries passed over before this page
	Unread   int              // notices that the viewer has not read, at most 100
	Run      int64            // of a ranking: whose run it shows
}

// Entry is one post in one river, as its viewer is shown it.
type Entry struct {
	River   Key // that shows it
	Facts   *timeline.Facts
	Fold    *timeline.Fold // his own where bans leave people out
	Reasons Reasons
	Liked   bool // by the viewer
	Faved   bool // the viewer's favourite
	Hidden  bool // by the viewer
	// Places are the decisive timelines that the viewer may read (the author:
	// all of them), for "posted to".
	Places []timeline.Timeline
	// Public says whether everybody may read the post, signed in or not.
	Public bool
	Tag    string // a hash of everything that the viewer is shown of it
	// Place is where it stands in the river's order.
	Place timeline.Cursor
	// Hits are the words, as they are written, that a search found; lower case.
	Hits []string
}

// Reasons say why an entry is in a river: the timelines that brought it there
// and the places it was posted to, by kind; ids sorted, at most 20 a kind.
type Reasons map[timeline.What][]int64

// Errors of rivers; also [timeline.ErrNotFound] and [timeline.ErrForbidden].
var (
	// ErrBehind says that the node can't vouch for what it would show: come back.
	ErrBehind = errors.New("this server is catching up")
	// ErrGone says that a watched river ended: dropped, or not to be
	// opened by its viewer any more. Watch it anew.
	ErrGone = errors.New("this river ended")
)

// Window is the part of a river that an open page shows: entries below High and
// at or above Low. What leaves the window is gone from the page.
//
// A window of fewer than Count entries is filled from below: a patch lowers Low to
// the place of the entry that makes up the number, or to the lowest that the river
// holds. So a page shows Count entries or more, or all that there are. Where the
// river holds too few after an entry left, it is extended, and a later patch fills
// the window.
type Window struct {
	High, Low timeline.Cursor
	NoReplies bool            // as At.NoReplies
	Still     bool            // the page is not followed: it is in an order of its own
	Count     int             // how many entries the page asked for; 0: the window is not filled
	Bottom    timeline.Cursor // the lowest that Low may become
}

// Have is an entry that a page shows.
type Have struct {
	Post timeline.PostID
	Tag  string
}

// Resume is what a page that connects knows.
type Resume struct {
	At      At
	Epoch   string
	Counter int64
	Have    []Have
	Poll    bool // the page does not tell which entries it has
}

// Patch brings a page from one state of a river to another, in one step.
type Patch struct {
	Epoch    string
	From, To int64
	Position int64
	// Reset says to show just Entries and forget all else; there are no Ops.
	Reset   bool
	Entries []Entry
	Ops     []Op
	// Filled is the window that the page shows from then on, where the patch fills
	// the window that it was made for; nil: the same.
	Filled *Window
	Sets   *timeline.Sets
	Users  map[timeline.UserID]*timeline.UserCard
	Groups map[timeline.GroupID]*timeline.GroupCard
	Unread int // as View.Unread
}

// Op is one entry's part of a patch.
type Op struct {
	Post  timeline.PostID
	Gone  bool
	After timeline.PostID // the entry above it on the page; 0: it is the first
	Entry *Entry          // nil iff gone
}
