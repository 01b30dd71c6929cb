package browsertest

import (
	"fmt"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// mostShift is the greatest layout shift of a page, a tenth of what https://web.dev/articles/cls
// calls good.
const mostShift = 0.01

// countShifts is a script that collects all layout shifts of a page, also of before the script.
const countShifts = `window.shifts = [];
window.observer = new PerformanceObserver((list) => window.shifts.push(...list.getEntries()));
window.observer.observe({type: "layout-shift", buffered: true});`

// shift returns the sum of the layout shifts since the last call, and the elements that moved.
func (tb *tab) shift() (score float64, moved string) {
	tb.Helper()
	// The browser reports the shifts of a frame after the frame.
	tb.eval("window.framed = false; requestAnimationFrame(() => requestAnimationFrame(() => { window.framed = true; }))")
	tb.sees("two frames", "window.framed")
	tb.eval("window.shifts.push(...window.observer.takeRecords()); window.counted = window.shifts; window.shifts = []")
	score = value[float64](tb, "window.counted.reduce((sum, one) => sum + one.value, 0)")
	moved = value[string](tb, `window.counted.flatMap((one) => one.sources.map((s) =>
		(s.node?.outerHTML ?? s.node?.textContent ?? "an element that is gone").slice(0, 80) + " at " + s.currentRect.x + ", " + s.currentRect.y)).join("\n")`)
	return score, moved
}

// shifts tests that pages do not move when they are opened, nor while changes arrive out of sight of
// readers. A change in sight moves the part of the page below it, and so does a new post if the reader is
// at the top of the page.
func shifts(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	var posts []timeline.PostID
	for i := range 25 {
		posts = append(posts, s.post("ann", fmt.Sprintf("post number %d", i)))
		s.published(posts[i], time.Now().Add(time.Duration(i-50)*time.Hour)) // so that no time changes meanwhile
	}
	fresh := s.post("ann", "a post with many comments")
	s.published(fresh, time.Now().Add(-100*time.Hour))
	for i := range 30 {
		s.comment("bob", fresh, fmt.Sprintf("comment number %d", i)) // the script writes "now" or "1 minute ago" beside it
	}
	s.shown()
	ann := b.person(s, "ann")
	for _, path := range []string{fmt.Sprintf("/ann/%d", posts[20]), fmt.Sprintf("/ann/%d", fresh), "/ann", "/"} {
		ann.live(path)
		ann.eval(countShifts)
		if score, moved := ann.shift(); score > mostShift {
			t.Errorf("%s moves by %.4f when it is opened:\n%s", path, score, moved)
		}
	}
	ann.eval(fmt.Sprintf("document.querySelector('%s').scrollIntoView({behavior: 'instant'})", entry(posts[12])))
	ann.shift() // is not of changes
	for i := range 10 {
		s.post("bob", fmt.Sprintf("new words %d", i))
		s.comment("bob", posts[20+i%5], fmt.Sprintf("a comment %d", i)) // raises a post that is above
	}
	ann.reads("a comment 9")
	if score, moved := ann.shift(); score > mostShift {
		t.Errorf("a page that is read moves by %.4f while changes arrive:\n%s", score, moved)
	}
}
