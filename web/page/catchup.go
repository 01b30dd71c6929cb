package page

import (
	"strings"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// CatchUpAction is where it is told what somebody saw, and what he wants to hear no
// more of.
const CatchUpAction = "/api/v1/catch_up"

// LeftOff is where somebody left off a page.
type LeftOff struct {
	Place timeline.Cursor // the newest entry that he saw
	At    time.Time       // when he went
	Above timeline.Cursor // the last entry of the page above this one; zero: not known, or there is none
}

// CatchUp is what happened at home since somebody's last visit.
type CatchUp struct {
	Since        time.Time
	Posts, Moved int
	More         bool // there may be more than was counted
	Talked       int  // how many of his discussions moved
	MoreTalked   bool
	Discussions  []CatchUpPost // the newest of them
}

// putAway has no more said of what happened.
func putAway(words catalogue.Language) deed {
	return deed{Label: words.CatchUpDismiss(), Class: "link", Action: CatchUpAction, Method: "DELETE", ReturnTo: "/"}
}

// CatchUpPost is a discussion that moved.
type CatchUpPost struct {
	Path, Text string
	Comments   int
}

// placeOf is where an entry stands in its river.
func placeOf(e *river.Entry) timeline.Cursor {
	if e.Place == (timeline.Cursor{}) {
		return timeline.Cursor{FreshAt: e.Fold.Text.FreshAt, Post: e.Fold.Post}
	}
	return e.Place
}

// place is where the entry stands, for the page's client to keep the line
// where somebody left off between the right ones.
func (m EntryModel) place() string { return placeOf(m.Entry).String() }

// unseen says whether an entry of the page is newer than where the viewer left
// off.
func (m RiverModel) unseen(i int) bool {
	return m.LeftOff.Place.Below(placeOf(&m.View.Entries[i]))
}

// leftOffAbove says whether the line where the viewer left off stands above an
// entry of the page. On the first page it does above the uppermost one too, out
// of sight, for what may come above that. On another page it stands there if it
// is just where the page above ended.
func (m RiverModel) leftOffAbove(i int) bool {
	switch {
	case m.LeftOff == nil || m.unseen(i):
		return false
	case i > 0:
		return m.unseen(i - 1)
	}
	return m.top() || m.LeftOff.Place.Below(m.LeftOff.Above)
}

// moreUnseen says whether all of the page is newer than where the viewer left
// off, and it goes on.
func (m RiverModel) moreUnseen() bool {
	n := len(m.View.Entries)
	return m.LeftOff != nil && n > 0 && m.Older != "" && m.unseen(n-1)
}

// news is how much happened: "34 new posts, 12 came up again".
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

// talked is how many discussions moved.
func (c *CatchUp) talked(words catalogue.Language) string {
	if c.MoreTalked {
		return words.CatchUpTalkedMore(c.Talked)
	}
	return words.CatchUpTalked(c.Talked)
}
