package timeline

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/internal/racetest"
)

// tolerable reports whether a random action may fail with this error.
func tolerable(err error) bool {
	return err == nil || errors.Is(err, ErrNotFound) || errors.Is(err, ErrForbidden) || errors.Is(err, ErrConflict) ||
		errors.Is(err, ErrTaken) || isErr(err, errInvalid)
}

// A mover makes random writes: moves of posts, and other writes at the same time.
type mover struct {
	*site
	names  []string
	groups []string
	random *rand.Rand
}

func (m *mover) any(of []string) string { return of[m.random.IntN(len(of))] }

// places returns random places for a post. Some of them may be refused.
func (m *mover) places() (to []string) {
	if m.random.IntN(6) == 0 {
		return []string{"user_fyeo"}
	}
	for _, p := range []string{"user", "user_private", "group:" + m.any(m.groups), "group:" + m.any(m.groups)} {
		if m.random.IntN(2) == 0 {
			to = append(to, p)
		}
	}
	return append(to, "group:"+m.any(m.groups))
}

// move makes a random change of a post, which may be a direct message.
func (m *mover) move(who UserID, post PostID) error {
	ctx := m.t.Context()
	switch m.random.IntN(10) {
	case 0, 1, 2:
		return m.EditPost(ctx, who, post, PostEdit{To: m.places()})
	case 3:
		return m.EditPost(ctx, who, post, PostEdit{To: m.places(), Text: new(fmt.Sprint(m.random.Int()))})
	case 4, 5:
		return m.RemoveFromGroup(ctx, who, post, m.any(m.groups))
	case 6, 7:
		return m.AddRecipients(ctx, who, post, []string{m.any(m.names), m.any(m.names)})
	case 8:
		return m.LeaveDirect(ctx, who, post)
	}
	return m.EditPost(ctx, who, post, PostEdit{CommentsDisabled: new(m.random.IntN(2) == 0)})
}

// rest makes a random write other than a move.
func (m *mover) rest(who UserID, post PostID) error {
	ctx := m.t.Context()
	group := m.any(m.groups)
	switch m.random.IntN(12) {
	case 0, 1:
		_, err := m.AddComment(ctx, who, post, NewComment{Text: "hm"})
		return err
	case 2, 3:
		return m.Like(ctx, who, post)
	case 4:
		return m.Unlike(ctx, who, post)
	case 5:
		_, err := m.Subscribe(ctx, who, FeedName{Name: group}, SubscribeOptions{})
		return err
	case 6:
		return m.Unsubscribe(ctx, who, FeedName{Name: group})
	case 7:
		return m.AddAdmin(ctx, who, group, m.any(m.names))
	case 8:
		return m.RemoveAdmin(ctx, who, group, m.any(m.names))
	case 9:
		return m.EditGroup(ctx, who, group, GroupEdit{Status: new(m.any([]string{"public", "protected", "private"})), Posting: new(m.any([]string{"anybody", "members"}))})
	case 10:
		return m.SetProfile(ctx, who, ProfileEdit{Status: new(m.any([]string{"public", "private", "fyeo"}))})
	}
	return m.SetProfile(ctx, who, ProfileEdit{Name: new("name-" + m.any(m.names))})
}

// movers makes people, groups with all of them as members, and posts by them, the last two of
// which are direct messages.
func movers(t *testing.T) (*mover, []PostID) {
	t.Helper()
	s, names := crowd(t, 6)
	m := &mover{site: s, names: names, groups: []string{"kitchen", "square", "attic"}, random: rand.New(rand.NewPCG(3, 0))}
	for i, group := range m.groups {
		s.group(names[i], NewGroup{Name: group, Posting: []string{"members", "anybody", "members"}[i]})
		for _, name := range names {
			s.follow(name, group)
		}
	}
	var posts []PostID
	for i := range 6 {
		posts = append(posts, s.post(names[i], "user", "group:kitchen"))
	}
	return m, append(posts, s.post(names[0], "direct:"+names[1]), s.post(names[1], "direct:"+names[2], "direct:"+names[3]))
}

// TestMoveLogsTheTimelinesEnteredAndLeft: each move of a post adds one row to the log. The row
// names exactly the timelines that the post entered or left.
func TestMoveLogsTheTimelinesEnteredAndLeft(t *testing.T) {
	long(t)
	t.Parallel()
	m, posts := movers(t)
	moved := 0
	for range 400 {
		who, post := m.user(m.any(m.names)), posts[m.random.IntN(len(posts))]
		before, was := m.in(post), m.state(post)
		var err error
		got := m.changesOf(func() { err = m.move(who, post) })
		if !tolerable(err) {
			t.Fatal(err)
		}
		after, is := m.in(post), m.state(post)
		var differ []TimelineID
		for _, id := range append(slices.Clone(before), after...) {
			if slices.Contains(before, id) != slices.Contains(after, id) {
				differ = append(differ, id)
			}
		}
		var want []Change
		if is.Version != was.Version {
			want = []Change{{Kind: ChangePost, Post: post, Timelines: differ, PlaceChanged: len(differ) > 0}}
		} else if len(differ) > 0 {
			t.Fatalf("post %d moved in one version", post)
		}
		if m.same(want, got); t.Failed() {
			t.FailNow()
		}
		if is.FreshAt != was.FreshAt || is.Version > was.Version+1 {
			t.Fatalf("the post is %+v, was %+v", is, was)
		}
		if len(differ) > 0 {
			moved++
		}
		if err := m.rest(m.user(m.any(m.names)), post); !tolerable(err) {
			t.Fatal(err)
		}
	}
	if moved < 20 {
		t.Errorf("%d moves: nothing was tested", moved)
	}
	m.checkPosts()
	m.audit()
}

// TestMovesAtOnce: posts are moved while they are commented on and deleted, and
// groups change under them.
func TestMovesAtOnce(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	all, posts := movers(t)
	var done atomic.Int64
	var wg sync.WaitGroup
	for i := range 10 {
		m := &mover{site: all.site, names: all.names, groups: all.groups, random: rand.New(rand.NewPCG(4, uint64(i)))}
		wg.Go(func() {
			for round := range 40 {
				who, post := m.user(m.any(m.names)), posts[m.random.IntN(len(posts))]
				var err error
				switch {
				case round == 30 && i < len(posts)/2:
					err = m.DeletePost(t.Context(), m.user(m.names[i]), posts[i])
				case i%2 == 0:
					err = m.move(who, post)
				default:
					err = m.rest(who, post)
				}
				if err == nil {
					done.Add(1)
				} else if !tolerable(err) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if done.Load() < 40 {
		t.Errorf("%d things were done: nothing was tested", done.Load())
	}
	for _, post := range posts {
		if n, version := one[int](all.site, `select count(*) from changes where post_id = $1`, post), all.state(post).Version; n != version {
			t.Errorf("post %d: %d changes for %d versions", post, n, version)
		}
	}
	if n := all.deadlocks(); n != 0 {
		t.Errorf("%d deadlocks: locks are not taken in one order", n)
	}
	all.checkPosts()
	all.audit()
}

// TestMoveAtTheSameTimeAsAnotherWrite moves a post while another write comments on it, deletes
// it or removes it from a group.
func TestMoveAtTheSameTimeAsAnotherWrite(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	s := newTown(t)
	s.pace = time.Second
	ctx := t.Context()
	anna := s.user("anna")
	for name, against := range map[string]func(PostID) error{
		"a comment": func(post PostID) error {
			_, err := s.AddComment(ctx, s.user("bert"), post, NewComment{Text: "hm"})
			return err
		},
		"a deletion": func(post PostID) error { return s.DeletePost(ctx, anna, post) },
		"a removal":  func(post PostID) error { return s.RemoveFromGroup(ctx, s.user("eva"), post, "kitchen") },
	} {
		for range 15 {
			post := s.post("anna", "user", "group:kitchen")
			var wg sync.WaitGroup
			var moved, other error
			wg.Go(func() { moved = s.move(post, "group:square") })
			wg.Go(func() { other = against(post) })
			wg.Wait()
			if moved != nil && !errors.Is(moved, ErrNotFound) || other != nil {
				t.Fatalf("against %s: %v; it: %v", name, moved, other)
			}
			deleted := one[bool](s, `select deleted_at is not null from posts where id = $1`, post)
			head, err := s.FindPost(ctx, anna, post)
			if deleted != errors.Is(err, ErrNotFound) || err == nil && !slices.Equal(head.To, []string{"group:square"}) {
				t.Fatalf("against %s it is in %v, %v", name, head.To, err)
			}
		}
	}
	s.checkPosts()
	s.audit()
}
