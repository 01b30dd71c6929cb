package river

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/timeline"
)

// TestPageThatComesBackIsToldTheDifference: a page of 3 entries connects again, and names the entries that it
// shows. The patch has the differences.
func TestPageThatComesBackIsToldTheDifference(t *testing.T) {
	t.Parallel()
	known := func(a *alone, shows string) Resume {
		return Resume{At: At{Count: 3}, Epoch: "epoch", Counter: 90, Have: a.have(shows)}
	}
	many := func(a *alone, n int) {
		for i := range n {
			a.add(timeline.PostID(100+i), int64(100+i)).changed = 95
		}
	}
	for _, test := range []struct {
		name string
		page func(a *alone) Resume
		want string
	}{
		// A page with a usable counter gets the changes since; tags are not compared.
		{"nothing happened", func(a *alone) Resume { return known(a, "9! 8 7") }, ""},
		{"a like", func(a *alone) Resume { a.liked(7, 95); return known(a, "9 8 7") }, "7 after 8"},
		{"a page of another life", func(a *alone) Resume { r := known(a, "9! 8 7"); r.Epoch = "another"; return r }, "9 first"},
		{"a page of another life, that has one of them", func(a *alone) Resume { r := known(a, "8!"); r.Epoch = "another"; return r }, "9 first; 8 after 9; 7 after 8"},
		{"a page from before the first tombstone", func(a *alone) Resume { a.st.purged = 91; return known(a, "9! 8 7") }, "9 first"},
		{"a page from the first tombstone", func(a *alone) Resume { a.st.purged = 90; return known(a, "9! 8 7") }, ""},
		{"a page from before the floor rose", func(a *alone) Resume { a.rv.trimmed = 91; return known(a, "9! 8 7") }, "9 first"},
		{"a page from when the floor rose", func(a *alone) Resume { a.rv.trimmed = 90; return known(a, "9! 8 7") }, ""},
		{"a page from the future", func(a *alone) Resume { r := known(a, "9! 8 7"); r.Counter = 100; return r }, "9 first"},
		{"a page from now", func(a *alone) Resume { r := known(a, "9! 8 7"); r.Counter = 99; return r }, ""},
		{"a page of which all left", func(a *alone) Resume { a.rv.finished = true; return known(a, "3 2") }, "9 first; 8 after 9; 7 after 8; 3 gone; 2 gone"},
		{"a page with an unknown post, of a river that holds the page", func(a *alone) Resume { r := known(a, "9! 8 7 3"); r.Epoch = "another"; return r }, "9 first; 3 gone"},
		{"a page without entries", func(a *alone) Resume { return known(a, "") }, "9 first; 8 after 9; 7 after 8"},
		{"a page without entries of another life", func(a *alone) Resume { r := known(a, ""); r.Epoch = "another"; return r }, "reset to; 9; 8; 7"},
		{"a poll", func(a *alone) Resume { r := known(a, ""); r.Poll = true; a.liked(8, 95); return r }, "8 after 9"},
		{"a poll after an entry left", func(a *alone) Resume {
			r := known(a, "")
			r.Poll, a.rv.tombs = true, map[timeline.PostID]tomb{3: {95, 0}}
			return r
		}, "reset to; 9; 8; 7"},
		{"a page with entries after an entry left", func(a *alone) Resume { a.rv.tombs = map[timeline.PostID]tomb{3: {95, 0}}; return known(a, "9 8 7") }, "3 gone"},
		{"a poll from before the floor fell", func(a *alone) Resume { r := known(a, ""); r.Poll, a.rv.lowered = true, 91; return r }, "reset to; 9; 8; 7"},
		{"a poll from when the floor fell", func(a *alone) Resume { r := known(a, ""); r.Poll, a.rv.lowered = true, 90; return r }, ""},
		{"a page with entries from before the floor fell", func(a *alone) Resume { a.rv.lowered = 91; return known(a, "9! 8 7") }, ""},
		{"as much as a patch may tell", func(a *alone) Resume { many(a, mostOps); return known(a, "9! 8 7") }, "as many"},
		{"more than a patch may tell", func(a *alone) Resume { many(a, mostOps+1); return known(a, "9! 8 7") }, "reset to; 160; 159; 158"},
	} {
		a := newAlone(t, everything(1))
		r := test.page(a)
		p, window, err := a.w.Resume(r)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		got := inWords(p)
		if len(p.Ops) == mostOps {
			got = "as many"
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if p.From != r.Counter || p.To != 99 || p.Epoch != "epoch" {
			t.Errorf("%s: from %d to %d of %s", test.name, p.From, p.To, p.Epoch)
		}
		low := cursorAt(7, 30)
		if p.Reset {
			low = p.Entries[2].Cursor
		}
		if window.Low != low || window.Count != 3 {
			t.Errorf("%s: the window is %+v", test.name, window)
		}
	}
}

// TestPageThatComesBackIsAVisit checks that a page that connects again counts as a visit down to its last
// entry, and that the page waits only if the river has marks.
func TestPageThatComesBackIsAVisit(t *testing.T) {
	t.Parallel()
	a := newAlone(t, everything(1))
	a.n.end() // a wait for a turn ends at once
	known := Resume{At: At{Count: 3}, Epoch: "epoch", Counter: 99, Have: a.have("9 8 7")}
	if _, _, err := a.w.Resume(known); err != nil || a.rv.visited.Load() != 5000 || a.rv.reach.entries.Load() != 3 {
		t.Errorf("visited at %d, %d entries: %v", a.rv.visited.Load(), a.rv.reach.entries.Load(), err)
	}
	a.rv.marks = map[timeline.PostID]bool{6: true}
	if _, _, err := a.w.Resume(known); !errors.Is(err, context.Canceled) {
		t.Errorf("a river with a mark: %v, want %v", err, context.Canceled)
	}
	a.rv.marks = nil
	delete(a.st.rivers, 1)
	if _, _, err := a.w.Resume(known); !errors.Is(err, ErrGone) {
		t.Errorf("a river that ended: %v, want %v", err, ErrGone)
	}
}

// TestDifferencesTurnAPageIntoTheWindow: the ops by tags turn any page into the window, which ends at 20.
func TestDifferencesTurnAPageIntoTheWindow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		shows string
		hide  timeline.PostID
		want  string
	}{
		{"9 8 7 6", 0, ""},
		{"", 0, "9 first; 8 after 9; 7 after 8; 6 after 7"},
		{"9 8! 7 6", 0, "8 after 9"},
		{"9 7 6", 0, "8 after 9"},
		{"8 7 6", 0, "9 first"},
		{"9 8 7", 0, "6 after 7"},
		{"9 8 7 6 5", 0, "5 gone"},
		{"9 3 8 7 6", 0, "3 gone"},
		{"3 9 8 7 6 2", 0, "3 gone; 2 gone"},
		{"7 9 8 6", 0, "9 first; 8 after 9"},
		{"6 9 8 7", 0, "9 first; 8 after 9; 7 after 8"},
		{"9 6 8 7", 0, "8 after 9; 7 after 8"},
		{"8 9 7 6", 0, "9 first"},
		{"6 7 8 9", 0, "9 first; 8 after 9; 7 after 8"},
		{"9 8 7 6", 8, "8 gone"},
		{"9 7 6", 8, ""},
		{"9 6", 8, "7 after 9"},
		{"7 6! 6", 0, "9 first; 8 after 9"},
		{"9 5 8 7 6", 0, "5 gone"},
	} {
		a := newAlone(t, everything(1))
		have := a.have(test.shows)
		if test.hide != 0 {
			a.hide(test.hide)
		}
		p, c := a.st.patch(a.rv, 90)
		a.st.differences(a.rv, p, c, Window{High: timeline.Top, Low: cursorAt(6, 20)}, have)
		if diff := cmp.Diff(test.want, inWords(p)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.shows, diff)
		}
		page := make([]timeline.PostID, 0, len(have)) // as the page's script has it
		for _, h := range have {
			if !slices.Contains(page, h.Post) {
				page = append(page, h.Post)
			}
		}
		for _, op := range p.Ops {
			page = slices.DeleteFunc(page, func(post timeline.PostID) bool { return post == op.Post })
			if !op.Gone {
				page = slices.Insert(page, slices.Index(page, op.After)+1, op.Post)
			}
		}
		whole := slices.DeleteFunc([]timeline.PostID{9, 8, 7, 6}, func(post timeline.PostID) bool { return post == test.hide })
		if diff := cmp.Diff(whole, page); diff != "" {
			t.Errorf("%q: the page (-want +got):\n%s", test.shows, diff)
		}
	}
	// The cards of people that only the changed entries show go with the patch.
	a := newAlone(t, everything(1))
	for post := timeline.PostID(6); post <= 9; post++ {
		author := timeline.UserID(post)
		a.entry(post).post.fold = &timeline.Fold{Post: post, Author: author}
		a.st.users[author] = card[*timeline.UserCard]{card: &timeline.UserCard{ID: author}}
	}
	p, c := a.st.patch(a.rv, 90)
	a.st.differences(a.rv, p, c, Window{High: timeline.Top, Low: cursorAt(6, 20)}, a.have("9 8! 7 6"))
	if len(p.Users) != 1 || p.Users[8] == nil {
		t.Errorf("with a change of post 8 go the cards %v", p.Users)
	}
}

// TestWindowOfAPageThatComesBack: the window of a page of 3 entries that connects again. The page has the
// river's epoch, unless the case says otherwise.
func TestWindowOfAPageThatComesBack(t *testing.T) {
	t.Parallel()
	moved := func(posts ...timeline.PostID) func(*alone, *Resume) {
		return func(a *alone, _ *Resume) {
			for _, post := range posts {
				a.entry(post).moved = 95
			}
		}
	}
	top := timeline.Top
	for _, test := range []struct {
		name      string
		shows     string
		at        At
		change    func(*alone, *Resume)
		high, low timeline.Cursor
		stays     bool
	}{
		{"as it was", "9 8 7", At{}, nil, top, cursorAt(7, 30), true},
		{"in any order", "7 9 8", At{}, nil, top, cursorAt(7, 30), true},
		{"a post left", "9 8 3", At{}, nil, top, cursorAt(8, 40), true},
		{"the last one moved up", "9 8 7", At{}, moved(7), top, cursorAt(8, 40), true},
		{"the last one moved before", "9 8 7", At{}, func(a *alone, _ *Resume) { a.entry(7).moved = 90 }, top, cursorAt(7, 30), true},
		{"the last one may not be read", "9 8 7", At{}, func(a *alone, _ *Resume) { a.hide(7) }, top, cursorAt(8, 40), true},
		{"none stays", "3 2", At{}, nil, top, cursorAt(7, 30), false},
		{"one that is not there", "3", At{}, nil, top, cursorAt(7, 30), false},
		{"without entries", "", At{}, nil, top, cursorAt(7, 30), true},
		{"below an entry", "7 6", At{Before: cursorAt(8, 40)}, nil, cursorAt(8, 40), cursorAt(6, 20), true},
		{"by number", "7 8", At{Skip: 1}, nil, cursorAt(9, 40), cursorAt(7, 30), true},
		{"by the number one", "8 7 6", At{Skip: 1}, nil, cursorAt(9, 40), cursorAt(6, 20), true},
		{"above an entry", "9 8", At{After: cursorAt(7, 30)}, nil, top, cursorAt(8, 40), true},
		{"above an entry that it shows", "9 8 7", At{After: cursorAt(7, 30)}, nil, top, cursorAt(8, 30), true},
		{"of another life", "9", At{}, func(_ *alone, r *Resume) { r.Epoch = "another" }, top, cursorAt(7, 30), true},
		{"of another life, farther down", "9 8 7 6", At{}, func(_ *alone, r *Resume) { r.Epoch = "another" }, top, cursorAt(6, 20), true},
		{"of another life, whose last one moved here", "9 8 7 6", At{}, func(a *alone, r *Resume) { r.Epoch = "another"; moved(6)(a, r) }, top, cursorAt(6, 20), true},
		{"of another life, down to the bottom", "9 8 7 6 5", At{}, func(a *alone, r *Resume) { r.Epoch, a.rv.finished = "another", true }, top, timeline.Cursor{}, true},
		{"of another life, with entries below it", "9 8 7", At{}, func(a *alone, r *Resume) { r.Epoch, a.rv.finished = "another", true; moved(6, 5)(a, r) }, top, cursorAt(7, 30), true},
		{"down to the bottom", "9 8 7 6 5", At{}, func(a *alone, _ *Resume) { a.rv.finished = true }, top, timeline.Cursor{}, true},
		{"down to the bottom, below which others came in", "9 8 7", At{}, func(a *alone, r *Resume) { a.rv.finished = true; moved(6, 5)(a, r) }, top, timeline.Cursor{}, true},
		{"to above others", "9 8 7", At{}, func(a *alone, r *Resume) { a.rv.finished = true; moved(5)(a, r) }, top, cursorAt(7, 30), true},
		{"to above others, as well", "9 8 7", At{}, func(a *alone, r *Resume) { a.rv.finished = true; moved(6)(a, r) }, top, cursorAt(7, 30), true},
		{"to above others that moved, in a river that goes on", "9 8 7", At{}, moved(6, 5), top, cursorAt(7, 30), true},
		{"with entries above that did not move", "7 6 5", At{Before: cursorAt(8, 40)}, func(a *alone, _ *Resume) { a.rv.finished = true }, cursorAt(8, 40), timeline.Cursor{}, true},
	} {
		a := newAlone(t, everything(1))
		test.at.Count = 3
		r := Resume{At: test.at, Epoch: "epoch", Counter: 90, Have: a.have(test.shows)}
		if test.change != nil {
			test.change(a, &r)
		}
		w, stays := a.st.resumedWindow(a.rv, r)
		if w.High != test.high || w.Low != test.low || w.Count != 3 || stays != test.stays {
			t.Errorf("%s: from %v to %v, %d entries, stays %v; want %v, %v, 3, %v", test.name, w.High, w.Low, w.Count, stays, test.high, test.low, test.stays)
		}
	}
}

// TestPagesThatLackEntries: pages that connect again with entries that the river does not hold, or that are
// below all entries of the river.
func TestPagesThatLackEntries(t *testing.T) {
	t.Parallel()
	finished := func(a *alone) { a.rv.finished = true }
	for _, test := range []struct {
		name   string
		page   Resume
		shows  string
		change func(*alone)
		want   bool
	}{
		{"all are held", Resume{}, "9 8 7", nil, false},
		{"one is not held", Resume{}, "9 3", nil, true},
		{"one left", Resume{}, "9 3", func(a *alone) { a.rv.tombs = map[timeline.PostID]tomb{3: {95, 0}} }, false},
		{"one left and came back", Resume{}, "9", func(a *alone) { a.rv.tombs = map[timeline.PostID]tomb{9: {95, 0}} }, false},
		{"one is not held by a river that goes to the bottom", Resume{}, "9 3", finished, false},
		{"none is shown at the top", Resume{}, "", nil, false},
		{"none is shown by number", Resume{At: At{Skip: 2}}, "", nil, false},
		{"none is shown past the end", Resume{At: At{Skip: 4}}, "", nil, true},
		{"none is shown past the end by one", Resume{At: At{Skip: 1, Count: 6}}, "", nil, true},
		{"none is shown past the end of a river that goes to the bottom", Resume{At: At{Skip: 4}}, "", finished, false},
		{"none is shown below what is held", Resume{At: At{Before: cursorAt(6, 20)}}, "", nil, true},
		{"none is shown above it", Resume{At: At{Before: cursorAt(8, 40), Count: 1}}, "", nil, false},
		{"none is shown at the top, and too few are held", Resume{At: At{Count: 9}}, "", nil, false},
		{"a poll past the end", Resume{At: At{Skip: 4}, Poll: true}, "", nil, true},
		{"a poll past the end that knows the river", Resume{At: At{Skip: 4}, Poll: true, Epoch: "epoch"}, "", nil, false},
		{"a page past the end that knows the river", Resume{At: At{Skip: 4}, Epoch: "epoch"}, "", nil, true},
		{"one is shown by number", Resume{At: At{Skip: 4}}, "5", nil, false},
		{"one is not held, of a river that ended", Resume{}, "9 3", func(a *alone) { delete(a.st.rivers, 1) }, false},
	} {
		a := newAlone(t, everything(1))
		if test.page.Have = a.have(test.shows); test.page.At.Count == 0 {
			test.page.At.Count = 2
		}
		if test.change != nil {
			test.change(a)
		}
		if lacks := a.w.lacksEntries(test.page); lacks != test.want {
			t.Errorf("%s: %v, want %v", test.name, lacks, test.want)
		}
	}
}

// TestPageThatIsNotHeldWaitsForThePrimary: a page that the river does not hold is read from the primary. Another
// client has all slots for such reads.
func TestPageThatIsNotHeldWaitsForThePrimary(t *testing.T) {
	t.Parallel()
	a := newAlone(t, everything(1))
	// A page that the river can answer although it does not know an entry.
	p, _, err := a.w.Resume(Resume{At: At{Count: 3}, Epoch: "another", Have: a.have("9 8 7 3")})
	if err != nil || p.Reset || inWords(p) != "3 gone" {
		t.Errorf("a page that the river can answer: %v, %v", p, err)
	}
	deep := Resume{At: At{Order: OrderCreated}, Epoch: "epoch", Counter: 90, Have: a.have("9 8 7 6 5")}
	// If the line of reads is full, a page gets an answer from the river alone.
	a.n.builds.members.unkept = turnstile.New(turnstile.Config{Each: 1})
	if p, err := a.w.resetDeep(deep); p != nil || err != nil {
		t.Errorf("a page that can't be read: %v, %v", p, err)
	}
	a.n.builds.members.unkept = turnstile.New(turnstile.Config{Each: 1, Waiting: 1})
	a.n.cfg.Settings.Behind = time.Millisecond
	p, window, err := a.w.Resume(deep)
	if want := (Window{High: timeline.Top, Low: timeline.Top, Still: true}); p != nil || !errors.Is(err, ErrBehind) || window != want {
		t.Errorf("a page that takes too long to be read: %v, %v, %+v", p, err, window)
	}
}
