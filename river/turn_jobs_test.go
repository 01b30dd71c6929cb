package river

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// said returns jobs in words: the kind, the timeline, since when, and down to where.
func said(jobs []job) string {
	var all []string
	for _, j := range jobs {
		at := fmt.Sprint(j.at.FreshAt)
		if j.at == timeline.Top {
			at = "top"
		}
		all = append(all, fmt.Sprintf("%s %d since %d at %s", j.kind, j.timeline, j.since, at))
	}
	return strings.Join(all, "; ")
}

func TestJobsReplaceThoseOfTheSameKind(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kinds []jobKind
		want  string
	}{
		{[]jobKind{jobRecheck}, "walk 10 since 1 at 20; sweep 11 since 3 at 20; sweep 10 since 100 at top"},
		{[]jobKind{jobRecheck, jobWalk}, "sweep 11 since 3 at 20; sweep 10 since 100 at top; walk 10 since 100 at top"},
	} {
		a := newApplied(t)
		for i, j := range []job{{kind: jobWalk, timeline: 10}, {kind: jobRecheck, timeline: 10}, {kind: jobRecheck, timeline: 11}} {
			j.since, j.at = int64(i+1), cursorAt(7, 20)
			a.d.log.jobs = append(a.d.log.jobs, j)
		}
		a.routing().replaceJobs(10, test.kinds...)
		if diff := cmp.Diff(test.want, said(a.d.log.jobs)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.kinds, diff)
		}
	}
}

// TestJobTakesAChunk: a job takes chunks of the river of an applied, with the posts 6, 7 and 8 at
// 30, 20 and 12, and of eleven other rivers of timeline 10 without these posts. A job may decide
// 20 entries in a turn.
func TestJobTakesAChunk(t *testing.T) {
	t.Parallel()
	all := []timeline.Cursor{cursorAt(6, 30), cursorAt(7, 20), cursorAt(8, 12)}
	away := errors.New("away")
	none := func(*applied, *router) {}
	for _, test := range []struct {
		name   string
		jobs   []job
		rivers int
		change func(*applied, *router)
		chosen timeline.Chosen
		fails  error
		want   string // the marks in the first of the other rivers, in the applied's, and the jobs that are left
	}{
		{"no job", nil, 1, none, timeline.Chosen{}, nil, "0 0; "},
		{"a walk to its end", []job{{kind: jobWalk}}, 1, none, timeline.Chosen{Posts: all}, nil, "3 0; "},
		{"a walk with more below", []job{{kind: jobWalk}, {kind: jobRecheck, timeline: 11}}, 1, none, timeline.Chosen{Posts: all[:2], Low: all[1]}, nil, "2 0; sweep 11 since 0 at 0; walk 10 since 0 at 20"},
		{"a walk that would decide too much", []job{{kind: jobWalk}}, 11, none, timeline.Chosen{Posts: all}, nil, "2 0; walk 10 since 0 at 20"},
		{"a walk that decides just as much as it may", []job{{kind: jobWalk}}, 10, none, timeline.Chosen{Posts: all}, nil, "2 0; walk 10 since 0 at 20"},
		{
			"a walk with the page of a post", []job{{kind: jobWalk}}, 1, func(a *applied, r *router) {
				page := &river{id: 99, key: single(1, 7)}
				page.finished = true
				link(a.st, a.st.single, 7, page)
				r.asked.refresh[page] = true
			}, timeline.Chosen{Posts: all}, nil, "3 0; , page of 7",
		},
		{
			"a walk below all rivers", []job{{kind: jobWalk}}, 1, func(a *applied, _ *router) {
				for _, rv := range a.st.rivers {
					rv.finished, rv.floor = false, cursorAt(0, 25)
				}
			}, timeline.Chosen{Posts: all[:2], Low: all[1]}, nil, "1 0; ",
		},
		{
			"a walk past a post that is not to be shown", []job{{kind: jobWalk}}, 1, func(a *applied, _ *router) { a.d.facts[7] = nil },
			timeline.Chosen{Posts: all}, nil, "2 0; ",
		},
		{"a walk that the primary does not answer", []job{{kind: jobWalk}, {kind: jobRecheck, timeline: 11}}, 1, none, timeline.Chosen{}, away, "0 0; walk 10 since 0 at top; sweep 11 since 0 at 0"},
		{"a recheck", []job{{kind: jobRecheck}}, 1, none, timeline.Chosen{}, nil, "0 3; "},
		{
			"a recheck that goes on", []job{{kind: jobRecheck, at: cursorAt(6, 30)}}, 1, func(a *applied, _ *router) { a.d.log.jobs[0].at = cursorAt(6, 30) },
			timeline.Chosen{}, nil, "0 2; ",
		},
		{
			"a recheck of posts of which one is no longer held", []job{{kind: jobRecheck}}, 1, func(a *applied, _ *router) {
				a.d.log.jobs[0].known, a.d.log.jobs[0].pending = true, []timeline.PostID{99, 7}
			}, timeline.Chosen{}, nil, "0 1; ",
		},
		{
			"a recheck that would decide too much", []job{{kind: jobRecheck}, {kind: jobWalk, timeline: 11}}, 1, func(a *applied, r *router) {
				r.node.cfg.Settings.chunk = 0
			}, timeline.Chosen{}, nil, "0 0; walk 11 since 0 at 0; sweep 10 since 0 at top",
		},
		{
			"a recheck that stops in between", []job{{kind: jobRecheck}}, 1, func(a *applied, _ *router) {
				for post := timeline.PostID(6); post <= 7; post++ { // each is decided in ten rivers
					for i := range int64(9) {
						link(a.st, a.st.single, post, &river{id: 100*int64(post) + i})
					}
				}
			}, timeline.Chosen{}, nil, "0 2; sweep 10 since 0 at 20",
		},
		{
			"a recheck with the page of a post", []job{{kind: jobRecheck}}, 1, func(a *applied, r *router) {
				page := &river{id: 99, key: single(1, 7)}
				link(a.st, a.st.single, 7, page)
				r.asked.refresh[page] = true
			}, timeline.Chosen{}, nil, "0 3; , page of 7",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			a := newApplied(t)
			var others []*river
			for i := range test.rivers {
				rv := a.make(int64(i+2), everything(timeline.UserID(i+2)), 10)
				a.d.riverDraft(rv).floor, a.d.riverDraft(rv).finished = new(timeline.Cursor{}), true
				others = append(others, rv)
			}
			a.apply()
			a.begin()
			for i, j := range test.jobs {
				if i == 0 {
					j.timeline, j.at = 10, timeline.Top
				}
				a.d.log.jobs = append(a.d.log.jobs, j)
			}
			a.rv.marks = nil
			r := a.routing()
			r.node.cfg.Settings.chunk = 1
			test.change(a, r)
			err := r.runJob(t.Context(), nil, func(c timeline.Choice, below timeline.Cursor, want int) (timeline.Chosen, error) {
				if diff := cmp.Diff(map[timeline.TimelineID]bool{10: true}, c.Timelines); diff != "" || below != timeline.Top || want != 1 {
					t.Errorf("%d posts are asked for below %v, of these timelines (-want +got):\n%s", want, below, diff)
				}
				return test.chosen, test.fails
			})
			if !errors.Is(err, test.fails) {
				t.Errorf("the job fails with %v, want %v", err, test.fails)
			}
			if a.d.handling != nil {
				t.Errorf("after the job the turn is still at %v", a.d.handling)
			}
			for _, j := range a.d.log.jobs {
				if j.kind == jobRecheck && j.timeline == 10 && !j.known {
					t.Error("the posts that are left would be looked for again")
				}
			}
			got := fmt.Sprintf("%d %d; %s", len(a.d.riverDraft(others[0]).mark), len(a.d.riverDraft(a.rv).mark), said(a.d.log.jobs))
			for rv, rd := range a.d.rivers {
				if kinds[rv.key.What].single && len(rd.decide) > 0 {
					got += fmt.Sprint(", page of ", rv.key.TheirID)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestHeldPostsOfATimeline finds the held posts of timeline 10: two of the posts 6, 7 and 8, which
// are at 30, 20 and 12.
func TestHeldPostsOfATimeline(t *testing.T) {
	t.Parallel()
	a := newApplied(t)
	a.st.held[7].facts.Places = []timeline.TimelineID{12}
	for below, want := range map[timeline.Cursor]string{timeline.Top: "[6 8]", cursorAt(6, 30): "[8]", cursorAt(8, 12): "[]"} {
		if diff := cmp.Diff(want, fmt.Sprint(a.st.heldIn(10, below))); diff != "" {
			t.Errorf("below %v (-want +got):\n%s", below, diff)
		}
	}
}

// TestLowestFloor finds the lowest floor of rivers, some of which reach the bottom.
func TestLowestFloor(t *testing.T) {
	t.Parallel()
	at := func(ms int64) *river {
		rv := &river{floor: cursorAt(1, ms)}
		rv.sorted = timeline.OrderFresh
		return rv
	}
	finished, ranked := at(20), at(20)
	finished.finished, ranked.sorted = true, timeline.OrderRanked
	for _, test := range []struct {
		name   string
		rivers []*river
		want   timeline.Cursor
	}{
		{"none", nil, timeline.Top},
		{"two", []*river{at(30), at(12)}, cursorAt(1, 12)},
		{"one that goes to the bottom", []*river{at(30), finished}, timeline.Cursor{}},
		{"one in another order", []*river{at(30), ranked}, timeline.Cursor{}},
	} {
		st := newState()
		for i, rv := range test.rivers {
			st.rivers[int64(i)] = rv
		}
		if got := st.lowest(); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestWalksThatMayStillAddEntries tests which walks may add entries to a page that ends at 20, of a
// river that is swept down to 50.
func TestWalksThatMayStillAddEntries(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		order timeline.Order
		jobs  []job
		want  bool
	}{
		{"no job", timeline.OrderFresh, nil, true},
		{"a walk above", timeline.OrderFresh, []job{{kind: jobWalk, since: 51, at: cursorAt(1, 30)}}, false},
		{"a walk that came to the end of the page", timeline.OrderFresh, []job{{kind: jobWalk, since: 51, at: cursorAt(1, 20)}}, true},
		{"a walk from before the sweep", timeline.OrderFresh, []job{{kind: jobWalk, since: 50, at: cursorAt(1, 30)}}, true},
		{"a recheck", timeline.OrderFresh, []job{{kind: jobRecheck, since: 51, at: cursorAt(1, 30)}}, true},
		{"a walk, by the day of publication", timeline.OrderCreated, []job{{kind: jobWalk, since: 51, at: cursorAt(1, 20)}}, true},
		{"a walk in another order", timeline.OrderRanked, []job{{kind: jobWalk, since: 51, at: cursorAt(1, 20)}}, false},
	} {
		st, rv := newState(), &river{}
		rv.sorted, rv.sweptSince, st.jobs = test.order, 50, test.jobs
		if got := st.walked(rv, cursorAt(1, 20)); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestWalkLetsPostsIntoSearches: a walk adds posts to a search that finds every post and is held
// down to 15, with post 7 already in it, and none to a search for images, which no post has.
func TestWalkLetsPostsIntoSearches(t *testing.T) {
	t.Parallel()
	a := newApplied(t)
	all := a.make(3, Key{Viewer: 3, What: KindSearch, Query: "all"})
	images := a.make(4, Key{Viewer: 4, What: KindSearch, Query: "images"})
	all.query, images.query = new(timeline.Query), timeline.ImagesIn([]timeline.TimelineID{10})
	for _, rv := range []*river{all, images} {
		rv.sorted = timeline.OrderFresh
		a.d.riverDraft(rv).floor, a.d.riverDraft(rv).finished = new(timeline.Cursor{}), true
	}
	a.apply()
	a.begin()
	all.floor, all.finished = cursorAt(0, 15), false
	a.st.held[7].entries[all] = &entry{}
	r := a.routing()
	for _, post := range []timeline.PostID{6, 7, 8} {
		r.admit(post)
	}
	got := fmt.Sprint(keysOf(a.d.riverDraft(all).mark), keysOf(a.d.riverDraft(images).mark))
	if diff := cmp.Diff("[6] []", got); diff != "" {
		t.Errorf("the marks of both searches (-want +got):\n%s", diff)
	}
}

// noted are hooks that note which posts are handled.
type noted []string

func (n *noted) reached(point) error { return nil }

func (n *noted) handles(stage string, posts []timeline.PostID) {
	*n = append(*n, fmt.Sprint(stage, " ", posts))
}

// TestWalkNotesThePostThatItDecides: the quarantine has to find the post if deciding it panics.
func TestWalkNotesThePostThatItDecides(t *testing.T) {
	t.Parallel()
	a, handled := newApplied(t), new(noted)
	a.st.quarantine.hooks = handled
	a.routing().admit(7)
	if diff := cmp.Diff(noted{"let in [7]"}, *handled); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
