package page

import (
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// CatchUpAction is the API path for reporting how far a viewer has read, and for closing the
// box about events since the last visit.
const CatchUpAction = "/api/v1/catch_up"

// LeftOff is where the viewer's last visit of a page ended.
type LeftOff struct {
	Cursor timeline.Cursor // the newest entry that the viewer saw
	At     time.Time       // when the visit ended
	Above  timeline.Cursor // the last entry of the page above this one; zero: unknown, or this is the first page
}

// CatchUp is what happened at home since the viewer's last visit.
type CatchUp struct {
	Since        time.Time
	Posts, Moved int
	More         bool // there may be more than was counted
	Talked       int  // the viewer's discussions with new comments
	MoreTalked   bool
	Discussions  []CatchUpPost // the newest of them
}

// dismiss returns the button that closes the box.
func dismiss(words catalogue.Language) actionForm {
	return actionForm{Label: words.CatchUpDismiss(), Class: "link", Action: CatchUpAction, Method: "DELETE", ReturnTo: "/"}
}

// A CatchUpPost is a discussion with new comments.
type CatchUpPost struct {
	Path, Text string
	Comments   int
}

// cursorOf returns the place of an entry in its river.
func cursorOf(e *river.Entry) timeline.Cursor {
	if e.Cursor == (timeline.Cursor{}) {
		return timeline.Cursor{FreshAt: e.Fold.Text.FreshAt, Post: e.Fold.Post}
	}
	return e.Cursor
}

// place returns the entry's cursor without the post, which the entry names anyway. By the cursor the
// client keeps the line of the last visit between the right entries.
func (m EntryModel) place() string {
	return strconv.FormatInt(cursorOf(m.Entry).FreshAt, 10)
}

// unseen reports whether an entry of the page is newer than the viewer's last visit.
func (m RiverModel) unseen(i int) bool {
	return m.LeftOff.Cursor.Below(cursorOf(&m.View.Entries[i]))
}

// leftOffAbove reports whether the line of the last visit is above an entry of the page.
// On the first page the line is also put above the uppermost entry, hidden, in case newer
// entries arrive. On another page the line is at the top if the page above ended just
// before it.
func (m RiverModel) leftOffAbove(i int) bool {
	switch {
	case m.LeftOff == nil || m.unseen(i):
		return false
	case i > 0:
		return m.unseen(i - 1)
	}
	return m.top() || m.LeftOff.Cursor.Below(m.LeftOff.Above)
}

// moreUnseen reports whether the whole page is newer than the last visit, and there is a
// page below.
func (m RiverModel) moreUnseen() bool {
	n := len(m.View.Entries)
	return m.LeftOff != nil && n > 0 && m.Older != "" && m.unseen(n-1)
}

// news returns how much happened in words: "34 new posts, 12 came up again".
func (c *CatchUp) news(words catalogue.Language) string {
	posts, moved := words.CatchUpPosts, words.CatchUpMoved
	if c.More {
		posts, moved = words.CatchUpPostsMore, words.CatchUpMovedMore
	}
	var all []string
	if c.Posts > 0 {
		all = append(all, posts(c.Posts))
	}
	if c.Moved > 0 {
		all = append(all, moved(c.Moved))
	}
	if len(all) == 0 {
		return words.CatchUpNone()
	}
	return strings.Join(all, ", ")
}

// talked returns in words how many discussions have new comments.
func (c *CatchUp) talked(words catalogue.Language) string {
	if c.MoreTalked {
		return words.CatchUpTalkedMore(c.Talked)
	}
	return words.CatchUpTalked(c.Talked)
}
