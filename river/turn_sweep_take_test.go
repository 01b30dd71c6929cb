package river

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// routing returns a router of a turn that begins at the state of an applied.
func (a *applied) routing() *router {
	a.st.checks = checks{}
	n := &Node{st: a.st, loop: loop{stale: make(map[*river]bool)}}
	n.cfg.Settings.chunk = 2
	return &router{node: n, draft: a.d, asked: &asks{refresh: make(map[*river]bool)}}
}

// decides returns the posts that a draft decides in a river, in order.
func (d *draft) decides(rv *river) []timeline.PostID {
	posts := keysOf(d.riverDraft(rv).decide)
	slices.Sort(posts)
	return posts
}

// TestSweepTakesAChunk: a sweep takes chunks of the river of an applied, which holds the posts 6, 7
// and 8 at 30, 20 and 12, down to 10. The primary also has the posts 9 and 11, at 25 and 5.
func TestSweepTakesAChunk(t *testing.T) {
	t.Parallel()
	const none = "none asked for" // the primary is not asked
	for _, test := range []struct {
		name   string
		change func(*applied)
		posts  []timeline.Cursor // of the primary's answer
		low    timeline.Cursor
		want   string // the place below which the turn asks, the decided posts, the place down to which, and whether that is all
	}{
		{
			"the first chunk", func(a *applied) { a.rd.swept = new(timeline.Top) },
			[]timeline.Cursor{cursorAt(6, 30), cursorAt(9, 25)}, cursorAt(9, 25), "all; [6 9] down to 25, false",
		},
		{
			"the last chunk", func(a *applied) { a.rv.swept = cursorAt(9, 25) },
			[]timeline.Cursor{cursorAt(7, 20), cursorAt(8, 12), cursorAt(11, 5)}, cursorAt(11, 5), "25; [7 8] down to 10, true",
		},
		{
			"the primary has no more posts", func(a *applied) { a.rv.swept = cursorAt(9, 25) },
			nil, timeline.Cursor{}, "25; [7 8] down to 10, true",
		},
		{
			"an entry at the end of the chunk", func(a *applied) { a.rv.swept = cursorAt(9, 25) },
			nil, cursorAt(7, 20), "25; [7] down to 20, false",
		},
		{
			"nothing is left", func(a *applied) { a.rv.swept = cursorAt(0, 10) }, nil, timeline.Cursor{}, none + "; [] down to 10, true",
		},
		{
			"a river that goes to the bottom", func(a *applied) { a.rv.finished, a.rv.swept = true, cursorAt(8, 12) },
			[]timeline.Cursor{cursorAt(11, 5)}, timeline.Cursor{}, "12; [8 11] down to 0, true",
		},
		{
			"the turn lifts the floor", func(a *applied) {
				a.rv.finished, a.rd.floor, a.rd.swept = true, new(cursorAt(0, 15)), new(timeline.Top)
			},
			[]timeline.Cursor{cursorAt(7, 20), cursorAt(8, 12)}, cursorAt(8, 12), "all; [6 7] down to 15, true",
		},
		{
			"the turn takes the river to the bottom", func(a *applied) {
				a.rd.floor, a.rd.finished, a.rd.swept = new(cursorAt(0, 10)), true, new(cursorAt(0, 20))
			},
			[]timeline.Cursor{cursorAt(11, 5)}, timeline.Cursor{}, "20; [8 11] down to 0, true",
		},
		{
			"the page of one post", func(a *applied) { a.rv.key, a.rv.finished, a.rd.swept = single(1, 44), true, new(timeline.Top) },
			nil, timeline.Cursor{}, none + "; [44] down to 0, true",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			a := newApplied(t)
			r := a.routing()
			test.change(a)
			asked := none
			err := r.sweep(func(c timeline.Choice, below timeline.Cursor, want int) (timeline.Chosen, error) {
				if asked = fmt.Sprint(below.FreshAt); below == timeline.Top {
					asked = "all"
				}
				if diff := cmp.Diff(map[timeline.TimelineID]bool{10: true, 12: true}, c.Timelines); diff != "" || want != 2 {
					t.Errorf("%d posts are asked for, of these timelines (-want +got):\n%s", want, diff)
				}
				return timeline.Chosen{Posts: test.posts, Low: test.low}, nil
			}, a.rv)
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%s; %v down to %d, %v", asked, a.d.decides(a.rv), a.rd.swept.FreshAt, a.rd.sweepDone)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSweepFails: if the primary does not answer, the chunk is not taken and the turn fails. One
// turn takes the chunks of all rivers that are due.
func TestSweepFails(t *testing.T) {
	t.Parallel()
	a := newApplied(t)
	r := a.routing()
	other := a.make(2, everything(2), 10)
	a.apply()
	a.begin()
	r.draft = a.d
	for _, rv := range []*river{a.rv, other} {
		rv.watching.Store(1)
		rv.stale, rv.swept = 98, timeline.Top
		r.node.stale[rv] = true
	}
	away := errors.New("away")
	if err := r.sweeps(func(timeline.Choice, timeline.Cursor, int) (timeline.Chosen, error) { return timeline.Chosen{}, away }); !errors.Is(err, away) {
		t.Errorf("the primary does not answer: %v", err)
	}
	if one, two := a.rd.swept, a.d.riverDraft(other).swept; one != nil || two != nil {
		t.Errorf("then the rivers are swept down to %v and %v", one, two)
	}
	if err := r.sweeps(func(timeline.Choice, timeline.Cursor, int) (timeline.Chosen, error) { return timeline.Chosen{}, nil }); err != nil {
		t.Error(err)
	}
	if one, two := a.rd.sweepDone, a.d.riverDraft(other).sweepDone; !one || !two {
		t.Errorf("two rivers are due: swept to their ends %v and %v", one, two)
	}
}
