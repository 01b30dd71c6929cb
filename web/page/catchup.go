package page

import (
	"strconv"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
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
func putAway() deed {
	return deed{Label: "Put away", Class: "link", Action: CatchUpAction, Method: "DELETE", ReturnTo: "/"}
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
func (c *CatchUp) news() string {
	var text string
	if c.Posts > 0 {
		text = c.counted(c.Posts) + " new post"
		if c.Posts > 1 || c.More {
			text += "s"
		}
	}
	if c.Moved > 0 {
		if text != "" {
			text += ", "
		}
		text += c.counted(c.Moved) + " came up again"
	}
	if text == "" {
		return "no new posts"
	}
	return text
}

func (c *CatchUp) counted(n int) string {
	if c.More {
		return strconv.Itoa(n) + "+"
	}
	return strconv.Itoa(n)
}

// talked is how many discussions moved: "3 of your discussions moved".
func (c *CatchUp) talked() string {
	text := strconv.Itoa(c.Talked)
	if c.MoreTalked {
		text += "+"
	}
	if c.Talked == 1 && !c.MoreTalked {
		return "1 of your discussions moved:"
	}
	return text + " of your discussions moved:"
}

func (p CatchUpPost) comments() string {
	if p.Comments == 1 {
		return "1 comment"
	}
	return strconv.Itoa(p.Comments) + " comments"
}
