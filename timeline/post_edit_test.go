package timeline

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

// newTown returns a village with more places: the group square, to which all people may
// post, and the private group attic with the members Anna and Bert. Dora and Carl have no
// tie to either group.
func newTown(t *testing.T) *site {
	t.Helper()
	s := newVillage(t)
	s.group("eva", NewGroup{Name: "square", Posting: "anybody"})
	s.group("eva", NewGroup{Name: "attic", Status: "private"})
	s.follow("anna", "attic")
	s.follow("bert", "attic")
	s.must(s.Ban(t.Context(), s.user("dora"), "carl"))
	return s
}

// groupTimeline returns the id of a group's timeline.
func (s *site) groupTimeline(name string) TimelineID {
	s.t.Helper()
	return one[TimelineID](s, `select t.id from timelines t join groups g on t.what = 'group' and t.their_id = g.id where g.name = $1`, name)
}

// place returns the id of a place by the name that Anna would use.
func (s *site) place(to string) TimelineID {
	s.t.Helper()
	kind, name, _ := strings.Cut(to, ":")
	switch kind {
	case "everything":
		return s.everything()
	case "group":
		return s.groupTimeline(name)
	case "direct":
		return s.timeline(WhatUserDirects, name)
	}
	return s.timeline(What(kind), "anna")
}

func (s *site) placesOf(to ...string) []TimelineID {
	s.t.Helper()
	var ids []TimelineID
	for _, one := range to {
		ids = append(ids, s.place(one))
	}
	slices.Sort(ids)
	return ids
}

// move moves a post of Anna's to other places.
func (s *site) move(post PostID, to ...string) error {
	s.t.Helper()
	return s.EditPost(s.t.Context(), s.user("anna"), post, PostEdit{To: to})
}

func TestMovePost(t *testing.T) {
	t.Parallel()
	s := newTown(t)
	ctx := t.Context()
	for _, tt := range []struct {
		name          string
		from, to      []string
		entered, left []string
	}{
		{"into a group as well", []string{"user"}, []string{"user", "group:kitchen"}, []string{"group:kitchen"}, nil},
		{"out of a group", []string{"user", "group:kitchen"}, []string{"user"}, nil, []string{"group:kitchen"}},
		{"from one group to another", []string{"group:kitchen"}, []string{"group:attic"}, []string{"group:attic"}, []string{"group:kitchen"}},
		{"into the private sub-feed", []string{"user"}, []string{"user_private"}, []string{"user_private"}, []string{"user"}},
		{"for own eyes only, and so out of everything", []string{"user", "group:square"}, []string{"user_fyeo"},
			[]string{"user_fyeo"}, []string{"user", "group:square", "everything"}},
		{"from own eyes into the world", []string{"user_fyeo"}, []string{"user"}, []string{"user", "everything"}, []string{"user_fyeo"}},
		{"where it is, in another order", []string{"user", "group:kitchen"}, []string{"group:Kitchen", "user", "user"}, nil, nil},
		{"to one person more", []string{"direct:bert"}, []string{"direct:carl", "direct:bert"}, []string{"direct:carl"}, nil},
		{"to the same people", []string{"direct:bert", "direct:carl"}, []string{"direct:carl", "direct:bert"}, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			published := s.clock
			id := s.post("anna", tt.from...)
			before, was := s.state(id), s.in(id)
			s.wait(time.Hour)
			s.must(s.Like(ctx, s.user("anna"), s.post("bert"))) // the clock of others goes on
			got := s.changesOf(func() { s.must(s.move(id, tt.to...)) })
			changed := s.placesOf(append(slices.Clone(tt.entered), tt.left...)...)
			if len(changed) == 0 {
				s.same(nil, got)
				if s.state(id) != before {
					t.Errorf("nothing changed, but %+v", s.state(id))
				}
				return
			}
			s.same([]Change{{Kind: ChangePost, Post: id, Timelines: changed, PlaceChanged: true}}, got)
			entered, left := s.placesOf(tt.entered...), s.placesOf(tt.left...)
			want := slices.DeleteFunc(was, func(id TimelineID) bool { return slices.Contains(left, id) })
			want = append(want, entered...)
			slices.Sort(want)
			if diff := gocmp.Diff(want, s.in(id)); diff != "" {
				t.Errorf("timelines (-want +got):\n%s", diff)
			}
			if st := s.state(id); st.Version != before.Version+1 || st.FreshAt != before.FreshAt {
				t.Errorf("the post is %+v, was %+v", st, before)
			}
			for _, timeline := range want {
				at := published
				if slices.Contains(entered, timeline) {
					at = s.clock
				}
				if got := one[int64](s, `select entered_at from timeline_entries where timeline_id = $1 and post_id = $2`, timeline, id); got != at.UnixMilli() {
					t.Errorf("it entered timeline %d at %d, want %d", timeline, got, at.UnixMilli())
				}
			}
			head, err := s.FindPost(ctx, s.user("anna"), id)
			s.must(err)
			if !head.UpdatedAt.Equal(published) || head.Text != "a post by anna" {
				t.Errorf("a move edited it: %+v", head)
			}
			slices.Sort(head.To)
			if wantTo := slices.Sorted(slices.Values(tt.to)); !slices.Equal(head.To, wantTo) {
				t.Errorf("it is in %v, want %v", head.To, wantTo)
			}
		})
	}
	s.checkPosts()
	s.audit()
}

func TestMoveAndEditAreOneChange(t *testing.T) {
	t.Parallel()
	s := newTown(t)
	post := s.post("anna")
	s.wait(time.Hour)
	s.comment("bert", post)
	s.must(s.Like(t.Context(), s.user("bert"), post))
	was := s.state(post)
	s.wait(time.Hour)
	got := s.changesOf(func() {
		s.must(s.EditPost(t.Context(), s.user("anna"), post, PostEdit{Text: new("other"), CommentsDisabled: new(true), To: []string{"group:attic"}}))
	})
	s.same([]Change{{Kind: ChangePost, Post: post, Timelines: s.placesOf("user", "group:attic"), PlaceChanged: true}}, got)
	if st := s.state(post); st.Version != was.Version+1 || st.FreshAt != was.FreshAt {
		t.Errorf("the post is %+v, was %+v", st, was)
	}
	// The likes and comments remain, and keep the post in the timelines into which they brought
	// it.
	want := append(s.placesOf("group:attic", "everything"), s.timeline(WhatUserLikes, "bert"), s.timeline(WhatUserComments, "bert"),
		s.timeline(WhatDiscussions, "bert"), s.timeline(WhatDiscussions, "anna"))
	slices.Sort(want)
	if diff := gocmp.Diff(want, s.in(post)); diff != "" {
		t.Errorf("timelines (-want +got):\n%s", diff)
	}
	head, err := s.FindPost(t.Context(), s.user("bert"), post)
	if err != nil || head.Text != "other" || !head.CommentsDisabled || !head.UpdatedAt.Equal(s.clock) {
		t.Errorf("the post is %+v, %v", head, err)
	}
	if _, err := s.FindPost(t.Context(), s.user("carl"), post); !errors.Is(err, ErrNotFound) {
		t.Errorf("who can't read the attic: %v", err)
	}
	// The same places with another text are an edit only.
	got = s.changesOf(func() {
		s.must(s.EditPost(t.Context(), s.user("anna"), post, PostEdit{Text: new("a third"), To: []string{"group:attic"}}))
	})
	s.same([]Change{{Kind: ChangePost, Post: post}}, got)
	s.audit()
}

// An edit needs no right to a place that the post has already, but needs the right to a new
// place.
func TestMoveKeepsPlacesOfBefore(t *testing.T) {
	t.Parallel()
	s := newTown(t)
	ctx := t.Context()
	post := s.post("anna", "user", "group:attic", "group:kitchen")
	s.must(s.Unsubscribe(ctx, s.user("anna"), FeedName{Name: "attic"}))
	s.must(s.Unsubscribe(ctx, s.user("anna"), FeedName{Name: "kitchen"}))
	s.must(s.move(post, "group:attic", "group:kitchen", "group:square"))
	s.must(s.move(post, "group:attic"))
	for _, to := range []string{"group:kitchen", "user_fyeo"} {
		if err := s.move(post, "user", "group:attic", to); err == nil {
			t.Errorf("it was moved to %s", to)
		}
	}
	s.must(s.move(post, "user"))
	if err := s.move(post, "group:attic"); !errors.Is(err, ErrForbidden) {
		t.Errorf("back into a group that she left: %v", err)
	}
	s.audit()
}

func TestPostHeadSaysWhereItIs(t *testing.T) {
	t.Parallel()
	s := newTown(t)
	ctx := t.Context()
	both := s.post("anna", "user", "group:attic", "group:square")
	direct := s.post("anna", "direct:bert", "direct:carl", "direct:dora")
	for _, tt := range []struct {
		who        string
		post       PostID
		recipients []string
		to         []string
	}{
		{"anna", both, nil, []string{"user", "group:attic", "group:square"}},
		{"carl", both, nil, []string{"user", "group:square"}}, // is not told of the attic
		{"anna", direct, []string{"bert", "carl", "dora"}, []string{"direct:bert", "direct:carl", "direct:dora"}},
		{"bert", direct, []string{"bert", "carl", "dora"}, []string{"direct:bert", "direct:carl", "direct:dora"}},
		{"carl", direct, []string{"bert", "carl"}, []string{"direct:bert", "direct:carl"}}, // a ban, either way
		{"dora", direct, []string{"bert", "dora"}, []string{"direct:bert", "direct:dora"}},
	} {
		head, err := s.FindPost(ctx, s.user(tt.who), tt.post)
		s.must(err)
		if !slices.Equal(head.Recipients, tt.recipients) || !slices.Equal(head.To, tt.to) {
			t.Errorf("%s: sent to %v, in %v; want %v, %v", tt.who, head.Recipients, head.To, tt.recipients, tt.to)
		}
	}
}
