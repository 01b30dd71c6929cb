package river

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// TestTurnChoosesRiversToSweep has rivers named by their kind, o for open, c for closed and a for
// asked for, and by the turn in which their sets changed. The turn is number 9.
func TestTurnChoosesRiversToSweep(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		rivers string // "+" before a name: the sweep begins in this turn
		change func(r *router, rivers map[string]*river)
		want   string
	}{
		{name: "none"},
		{name: "the open and the closed one that waited longest come first", rivers: "c3 o2 a4 o1 c1", want: "o1 c1 a4 o2"},
		{name: "asked for in the order of their waits, and five in all", rivers: "a5 a3 a4 a2 a1 o1 o2 c2 c1", want: "o1 c1 a1 a2 a3"},
		{name: "open ones in the order of their waits", rivers: "o5 o3 o4 o2 o6 o1 o7", want: "o1 o2 o3 o4 o5"},
		{name: "of closed ones only one", rivers: "c3 c2 c4", want: "c2"},
		{name: "asked for and open", rivers: "a2 o3 a1", want: "o3 a1 a2", change: func(_ *router, rivers map[string]*river) { rivers["a1"].watching.Store(1) }},
		{name: "what begins now has waited least", rivers: "+o1 o8 +c1 c7", want: "o8 c7 o1"},
		{name: "what begins again has waited least", rivers: "o1 o8", want: "o8 o1", change: func(r *router, rivers map[string]*river) {
			r.draft.riverDraft(rivers["o1"]).sweepStarted = true
		}},
		{name: "a draft that begins no sweep", rivers: "o1 o8", want: "o1 o8", change: func(r *router, rivers map[string]*river) {
			r.draft.riverDraft(rivers["o1"]).changed = true
			r.draft.riverDraft(rivers["o8"]).changed = true
		}},
		{name: "a draft of a river that is not swept", rivers: "o1", want: "o1", change: func(r *router, _ map[string]*river) {
			r.draft.riverDraft(&river{id: 99}).changed = true
		}},
		{name: "rivers that the turn drops", rivers: "o1 +o2 o3 +o4", want: "o3 o4", change: func(r *router, rivers map[string]*river) {
			r.draft.riverDraft(rivers["o1"]).dropped = true
			r.draft.riverDraft(rivers["o2"]).dropped = true
		}},
		{name: "a river that is gone, and one that another has followed", rivers: "o1 o2 o3", want: "o3", change: func(r *router, rivers map[string]*river) {
			delete(r.node.st.rivers, rivers["o1"].id)
			r.node.st.rivers[rivers["o2"].id] = &river{}
		}},
	} {
		r := &router{node: &Node{st: newState(), loop: loop{stale: make(map[*river]bool)}}, asked: &asks{refresh: make(map[*river]bool)}}
		r.draft = newDraft(r.node.st)
		r.draft.counter = 9
		rivers, names := make(map[string]*river), make(map[*river]string)
		for i, word := range strings.Fields(test.rivers) {
			name, begins := strings.CutPrefix(word, "+")
			rv := &river{id: int64(i + 1)}
			rv.stale = int64(name[1] - '0')
			rivers[name], names[rv] = rv, name
			switch name[0] {
			case 'o':
				rv.watching.Store(1)
			case 'a':
				r.asked.refresh[rv] = true
			}
			r.node.st.rivers[rv.id] = rv
			if begins {
				r.draft.riverDraft(rv).sweepStarted = true
			} else {
				r.node.stale[rv] = true
			}
		}
		if test.change != nil {
			test.change(r, rivers)
		}
		var got []string
		for _, rv := range r.toSweep() {
			got = append(got, names[rv])
		}
		if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestChangedSetsAreRouted has viewer 1, with a home of the posts 6 and 7 and a river of
// everything with post 7. The viewer has hidden post 6.
func TestChangedSetsAreRouted(t *testing.T) {
	t.Parallel()
	hidden := func(posts ...timeline.PostID) map[timeline.PostID]bool {
		set := make(map[timeline.PostID]bool)
		for _, post := range posts {
			set[post] = true
		}
		return set
	}
	for _, test := range []struct {
		name string
		now  timeline.Sets
		want string // of the home, and of everything
	}{
		{"a request", timeline.Sets{HiddenPosts: hidden(6), Incoming: 1}, "shown anew; shown anew"},
		{"a ban", timeline.Sets{HiddenPosts: hidden(6), Bans: map[timeline.UserID]bool{2: true}}, "swept; swept"},
		{"a muted timeline", timeline.Sets{HiddenPosts: hidden(6), Muted: map[timeline.TimelineID]bool{10: true}}, "swept; shown anew"},
		{"another hidden post", timeline.Sets{HiddenPosts: hidden(6, 7)}, "shown anew, decides [7]; shown anew, decides [7]"},
		{"a post unhidden", timeline.Sets{}, "shown anew, decides [6]; shown anew"},
		{"a ban and another hidden post", timeline.Sets{HiddenPosts: hidden(6, 7), Bans: map[timeline.UserID]bool{2: true}}, "swept; swept"},
		{"a hidden post that no river holds", timeline.Sets{HiddenPosts: hidden(6, 8)}, "shown anew; shown anew"},
	} {
		feeds := map[timeline.TimelineID]bool{10: true, 11: true}
		was := &timeline.Sets{User: 1, Feeds: feeds, HiddenPosts: hidden(6)}
		test.now.User, test.now.Feeds = 1, feeds
		st := newState()
		d := newDraft(st)
		d.sets[1] = &test.now
		home := &river{id: 1, key: Key{Viewer: 1, What: KindHome, TheirID: 1}}
		all := &river{id: 2, key: everything(1)}
		st.held[6], st.held[7] = &held{entries: map[*river]*entry{home: {}}}, &held{entries: map[*river]*entry{home: {}, all: {}}}
		v := &viewer{sets: was, rivers: map[*river]bool{home: true, all: true}}
		for rv := range v.rivers {
			rv.watching.Store(1)
		}
		(&router{node: &Node{st: st}, draft: d, asked: &asks{}}).routeViewer(v)
		var got []string
		for _, rv := range []*river{home, all} {
			rd, text := d.riverDraft(rv), "untouched"
			switch {
			case rd.sweepStarted:
				text = "swept"
			case rd.changed:
				text = "shown anew"
			}
			if len(rd.decide) > 0 {
				posts := keysOf(rd.decide)
				slices.Sort(posts)
				text += fmt.Sprint(", decides ", posts)
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(test.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
