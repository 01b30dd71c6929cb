package river

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// TestChangesThatMayChangeTheCount has viewer 1 with a notice about post 6 by person 2 in timeline
// 10, viewer 3 with one about post 7 by person 4 in timeline 11, viewer 2 without a count,
// and readers who are not signed in.
func TestChangesThatMayChangeTheCount(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change timeline.Change
		want   string
	}{
		{"a notice", timeline.Change{Kind: timeline.ChangeNotice, User: 1}, "[1]"},
		{"a notice of a viewer without a count", timeline.Change{Kind: timeline.ChangeNotice, User: 2}, "[2]"},
		{"a notice of a person who has no river", timeline.Change{Kind: timeline.ChangeNotice, User: 9}, "[]"},
		{"no viewer", timeline.Change{Kind: timeline.ChangeNotice}, "[]"},
		{"the rights of a viewer", timeline.Change{Kind: timeline.ChangeViewer, User: 3}, "[3]"},
		{"a post", timeline.Change{Kind: timeline.ChangePost, Post: 6}, "[1]"},
		{"a post that no notice is about", timeline.Change{Kind: timeline.ChangePost, Post: 8}, "[]"},
		{"the access of a timeline", timeline.Change{Kind: timeline.ChangeAccess, Timelines: []timeline.TimelineID{9, 11}}, "[3]"},
		{"the access of all", timeline.Change{Kind: timeline.ChangeAccess, Timelines: []timeline.TimelineID{10, 11}}, "[1 3]"},
		{"the access of another timeline", timeline.Change{Kind: timeline.ChangeAccess, Timelines: []timeline.TimelineID{12}}, "[]"},
		{"a card", timeline.Change{Kind: timeline.ChangeCard, User: 2}, "[1]"},
		{"the card of a person whom no notice is about", timeline.Change{Kind: timeline.ChangeCard, User: 1}, "[]"},
		{"a session", timeline.Change{Kind: timeline.ChangeSession, User: 1, Post: 6}, "[]"},
	} {
		st := newState()
		for user, unread := range map[timeline.UserID]*timeline.Unread{
			0: nil, 2: nil,
			1: {Posts: []timeline.PostID{6}, People: []timeline.UserID{2}, Places: []timeline.TimelineID{10}},
			3: {Posts: []timeline.PostID{7}, People: []timeline.UserID{4}, Places: []timeline.TimelineID{11}},
		} {
			st.viewers[user] = &viewer{unread: unread}
			st.linkNotices(user, nil, unread)
		}
		r := &router{node: &Node{st: st}}
		r.recount([]timeline.Change{test.change})
		users := keysOf(r.unread)
		slices.Sort(users)
		if diff := cmp.Diff(test.want, fmt.Sprint(users)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestViewersThatATurnCounts: a turn counts for viewers whose count may have changed, for
// viewers not counted yet, and for new viewers, as far as their sets are known.
func TestViewersThatATurnCounts(t *testing.T) {
	t.Parallel()
	st := newState()
	st.viewers[1] = &viewer{sets: &timeline.Sets{User: 1}}
	st.viewers[2] = &viewer{sets: &timeline.Sets{User: 2}}
	st.viewers[3] = &viewer{sets: &timeline.Sets{User: 3}}
	st.uncounted = map[timeline.UserID]bool{2: true}
	r := &router{node: &Node{st: st}, draft: newDraft(st), unread: map[timeline.UserID]bool{1: true, 9: true}}
	for _, user := range []timeline.UserID{0, 3, 4} { // 3 has new sets, 4 has the first river
		r.draft.sets[user] = &timeline.Sets{User: user}
	}
	got := make(map[timeline.UserID]timeline.UserID)
	for user, sets := range r.toCount() {
		got[user] = sets.User
	}
	if diff := cmp.Diff(map[timeline.UserID]timeline.UserID{1: 1, 2: 2, 4: 4}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAppliedCount has viewer 1 with a count of 2, for posts 6 and 7.
func TestAppliedCount(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		before *timeline.Unread
		now    *timeline.Unread
		wakes  bool
		want   string // the count, and the posts with notices
	}{
		{"the first count", nil, &timeline.Unread{}, true, "{0 0} []"},
		{"more", &timeline.Unread{Count: 1, Posts: []timeline.PostID{6}}, &timeline.Unread{Count: 2, Posts: []timeline.PostID{6, 7}}, true, "{2 0} [6 7]"},
		{"none any more", &timeline.Unread{Count: 1, Posts: []timeline.PostID{6}}, &timeline.Unread{}, true, "{0 0} []"},
		{"as many, about another post", &timeline.Unread{Count: 1, Posts: []timeline.PostID{6}}, &timeline.Unread{Count: 1, Posts: []timeline.PostID{7}}, false, "{1 0} [7]"},
		{"as many, of more directs", &timeline.Unread{Count: 2, Directs: 1}, &timeline.Unread{Count: 2, Directs: 2}, true, "{2 2} []"},
	} {
		a := newApplied(t)
		other := a.make(2, everything(2), 10)
		put(&a.d.unread, 1, test.before)
		if test.before == nil {
			delete(a.d.unread, 1)
			put(&a.st.uncounted, 1, true)
		}
		put(&a.d.unread, 2, &timeline.Unread{Count: 1, Posts: []timeline.PostID{9}})
		a.apply()
		a.begin()
		put(&a.d.unread, 1, test.now)
		put(&a.d.unread, 8, &timeline.Unread{Count: 1, Posts: []timeline.PostID{8}}) // has no river
		if wakes := a.apply(); wakes != test.wakes || a.st.uncounted[1] {
			t.Errorf("%s: wakes %v, to be counted %v", test.name, wakes, a.st.uncounted[1])
		}
		posts := []timeline.PostID{}
		for post, users := range a.st.notice {
			if users[1] {
				posts = append(posts, post)
			}
			if len(users) == 0 || users[8] {
				t.Errorf("%s: notices about post %d are of %v", test.name, post, users)
			}
		}
		slices.Sort(posts)
		n, known := (&Watch{node: &Node{st: a.st}, rv: a.rv}).Unread()
		if diff := cmp.Diff(test.want, fmt.Sprint(n, posts)); diff != "" || !known {
			t.Errorf("%s: known %v (-want +got):\n%s", test.name, known, diff)
		}
		if n := a.st.unread(other.key.Viewer); n.Notices != 1 || !a.st.notice[9][2] {
			t.Errorf("%s: another viewer has %v", test.name, n)
		}
	}
	a := newApplied(t)
	if n, known := (&Watch{node: &Node{st: a.st}, rv: a.rv}).Unread(); n != (Unread{}) || !known {
		t.Errorf("a viewer without a count: %v, %v", n, known)
	}
	if n, known := (&Watch{node: &Node{st: a.st}, rv: &river{}}).Unread(); n != (Unread{}) || known {
		t.Errorf("a reader who is not signed in: %v, %v", n, known)
	}
	a.st.linkNotices(1, nil, &timeline.Unread{Posts: []timeline.PostID{6}})
	a.st.linkNotices(2, nil, &timeline.Unread{Posts: []timeline.PostID{6}})
	a.st.linkNotices(1, &timeline.Unread{Posts: []timeline.PostID{6}}, nil)
	if diff := cmp.Diff(map[timeline.UserID]bool{2: true}, a.st.notice[6]); diff != "" {
		t.Errorf("the viewers with a notice about one post (-want +got):\n%s", diff)
	}
}

// TestAnswerFromThePrimaryTakesTheCountOfTheNode: no statement is needed for a viewer whom the
// node has counted, or who has no notices. The test has no snapshot that a statement could use.
func TestAnswerFromThePrimaryTakesTheCountOfTheNode(t *testing.T) {
	t.Parallel()
	n, counted := &Node{st: newState()}, &timeline.Unread{Count: 3}
	n.st.viewers[1] = &viewer{unread: counted}
	n.st.viewers[0] = &viewer{}
	for user, want := range map[timeline.UserID]*timeline.Unread{1: counted, 0: nil} {
		d := newDraft(newState())
		if err := n.countFresh(t.Context(), nil, d, user); err != nil || d.unread[user] != want {
			t.Errorf("viewer %d: %v, %v, want %v", user, d.unread[user], err, want)
		}
	}
	if d := newDraft(newState()); d.countUnread(t.Context(), nil, nil) != nil || d.unread != nil {
		t.Errorf("for no viewers: %v", d.unread)
	}
}
