package river

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// TestPostIsDecidedOrMarked: a turn decides a changed post or marks it, in the river of an applied, in
// which post 8 is marked already.
func TestPostIsDecidedOrMarked(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func(*router, *river)
		post   timeline.PostID
		want   string
	}{
		{"a closed river", func(*router, *river) {}, 6, "decides [], marks [6]"},
		{"a closed river that has the mark", func(*router, *river) {}, 8, "decides [], marks []"},
		{"an open river", func(_ *router, rv *river) { rv.watching.Store(1) }, 6, "decides [6], marks []"},
		{"a river that a visitor waits for", func(r *router, rv *river) { r.asked.refresh[rv] = true }, 6, "decides [6], marks []"},
		{"a post that is decided in this turn", func(r *router, rv *river) { r.draft.enqueue(rv, 6) }, 6, "decides [6], marks []"},
	} {
		a := newApplied(t)
		r := a.routing()
		test.change(r, a.rv)
		r.decideOrMark(a.rv, test.post)
		got := fmt.Sprintf("decides %v, marks %v", a.d.decides(a.rv), keysOf(a.rd.mark))
		if diff := cmp.Diff(test.want, got); diff != "" || r.routed != 1 {
			t.Errorf("%s: %d routed (-want +got):\n%s", test.name, r.routed, diff)
		}
	}
}

// TestMarksAreDecided: a turn decides three marks, and all marks of the rivers that visitors wait for.
// The rivers are named after the number of their marked posts.
func TestMarksAreDecided(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name        string
		asked, ends string // rivers that a visitor waits for, and dropped rivers
		queue       string
		want        string // how many marks are decided in each, and which rivers are left for the next turn
	}{
		{"none", "", "", "", "; next "},
		{"some", "", "", "a1 b2", "a1:1 b2:2; next "},
		{"more than there may be", "", "", "a1 b2 c1 d1", "a1:1 b2:2; next c1 d1"},
		{"more in one river than there may be", "", "", "a2 b2 c1", "a2:2 b2:1; next b2 c1"},
		{"a river without marks", "", "", "a3 b0", "a3:3; next "},
		{"all of those that a visitor waits for", "a5 b4", "", "c1", "a5:5 b4:4 c1:1; next "},
		{"rivers that are gone", "a5 b1", "a5 c2", "c2 d3", "b1:1 d3:3; next "},
	} {
		n := &Node{st: newState()}
		n.cfg.Settings.Marks = 3
		r := &router{node: n, draft: newDraft(n.st), asked: &asks{refresh: make(map[*river]bool)}}
		rivers, names := make(map[string]*river), make(map[*river]string)
		find := func(name string) *river {
			if rivers[name] == nil {
				rv := &river{id: int64(len(rivers) + 1)}
				for post := range timeline.PostID(name[1] - '0') {
					put(&rv.marks, post+1, true)
				}
				rivers[name], names[rv] = rv, name
				if !strings.Contains(test.ends, name) {
					n.st.rivers[rv.id] = rv
				}
			}
			return rivers[name]
		}
		for name := range strings.FieldsSeq(test.asked) {
			r.asked.refresh[find(name)] = true
		}
		for name := range strings.FieldsSeq(test.queue) {
			n.queue = append(n.queue, find(name))
		}
		r.decideMarks()
		var decided, next []string
		for name := range strings.FieldsSeq(test.asked + " " + test.queue) {
			if rd := r.draft.rivers[rivers[name]]; rd != nil && len(rd.decide) > 0 {
				if len(rd.unmark) != len(rd.decide) {
					t.Errorf("%s: of %d decided posts %d lose their mark", test.name, len(rd.decide), len(rd.unmark))
				}
				decided = append(decided, fmt.Sprintf("%s:%d", name, len(rd.decide)))
			}
		}
		for _, rv := range r.draft.queue {
			next = append(next, names[rv])
		}
		if diff := cmp.Diff(test.want, strings.Join(decided, " ")+"; next "+strings.Join(next, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestRiverOpenedDuringATurnIsAskedFor: a page opens a river during a turn that treats the river as
// closed, so the node asks the next turn to refresh the river.
func TestRiverOpenedDuringATurnIsAskedFor(t *testing.T) {
	t.Parallel()
	n, closed, open := &Node{}, &river{}, &river{}
	open.watching.Store(1)
	n.updateNextTurn(closed)
	n.updateNextTurn(open)
	if diff := cmp.Diff(1, len(n.asks.refresh)); diff != "" || !n.asks.refresh[open] {
		t.Errorf("asked for are %d rivers, and the open one %v", len(n.asks.refresh), n.asks.refresh[open])
	}
}
