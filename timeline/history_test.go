package timeline

import (
	"errors"
	"fmt"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

// edit changes the text of a post of Anna's, and its places if any are given.
func (s *site) edit(post PostID, text string, to ...string) {
	s.t.Helper()
	s.wait(time.Minute)
	s.must(s.EditPost(s.t.Context(), s.user("anna"), post, PostEdit{Text: &text, To: to}))
}

// texts returns the texts of a history for a person, the oldest first.
func (s *site) texts(name string, post PostID, comment CommentID) (all []string) {
	s.t.Helper()
	viewer := UserID(0)
	if name != "" {
		viewer = s.user(name)
	}
	h, err := s.History(s.t.Context(), viewer, post, comment)
	s.must(err)
	for _, v := range h.Versions {
		all = append(all, v.Text)
	}
	return all
}

func (s *site) isHistory(what, name string, post PostID, comment CommentID, want ...string) {
	s.t.Helper()
	if diff := gocmp.Diff(want, s.texts(name, post, comment)); diff != "" {
		s.t.Errorf("%s: the history for %q (-want +got):\n%s", what, name, diff)
	}
}

// TestHistoryIsForThoseWhoCouldReadIt: readers see an earlier text if today's rights let them
// read the post in one of the places it had when the text was replaced.
func TestHistoryIsForThoseWhoCouldReadIt(t *testing.T) {
	t.Parallel()
	s := newTown(t)
	ctx := t.Context()
	post := s.post("anna", "group:attic")
	first := s.texts("anna", post, 0)[0]
	s.edit(post, "second")
	s.edit(post, "third", "user") // the second text was never outside of the attic
	s.edit(post, "fourth")
	for _, name := range []string{"anna", "bert"} { // Bert is in the attic
		s.isHistory("after the move", name, post, 0, first, "second", "third", "fourth")
	}
	s.isHistory("after the move", "carl", post, 0, "third", "fourth")
	s.isHistory("after the move", "", post, 0, "third", "fourth")
	s.must(s.Unsubscribe(ctx, s.user("bert"), FeedName{Name: "attic"}))
	s.isHistory("after leaving the attic", "bert", post, 0, "third", "fourth")

	// A move replaces no text, nor does an edit to the same text.
	s.must(s.move(post, "user", "group:kitchen"))
	s.edit(post, "fourth")
	s.isHistory("after a move", "carl", post, 0, "third", "fourth")

	s.must(s.Ban(ctx, s.user("anna"), "carl"))
	if _, err := s.History(ctx, s.user("carl"), post, 0); !errors.Is(err, ErrNotFound) {
		t.Errorf("across a ban: %v", err)
	}
	s.must(s.move(post, "user_fyeo"))
	for _, viewer := range []UserID{0, s.user("bert")} {
		if _, err := s.History(ctx, viewer, post, 0); !errors.Is(err, ErrNotFound) {
			t.Errorf("of a post that closed, for %d: %v", viewer, err)
		}
	}
}

func TestHistoryOfComment(t *testing.T) {
	t.Parallel()
	s := newTown(t)
	ctx := t.Context()
	post := s.post("anna", "group:attic")
	comment, err := s.AddComment(ctx, s.user("bert"), post, NewComment{Text: "first"})
	s.must(err)
	say := func(text string) {
		t.Helper()
		s.wait(time.Minute)
		s.must(s.EditComment(ctx, s.user("bert"), post, comment, CommentEdit{Text: &text}))
	}
	say("second")
	say("second")
	s.must(s.move(post, "user"))
	s.isHistory("before the next edit", "carl", post, comment, "second")
	say("third")
	s.isHistory("after the post became public", "bert", post, comment, "first", "second", "third")
	s.isHistory("after the post became public", "anna", post, comment, "first", "second", "third")
	s.isHistory("after the post became public", "carl", post, comment, "second", "third")
	h, err := s.History(ctx, s.user("bert"), post, comment)
	s.must(err)
	if got, want := h.Versions[2].WrittenAt.Sub(h.Versions[0].WrittenAt), 3*time.Minute; got != want || !h.Mine {
		t.Errorf("from the first to the last text: %v, want %v; mine: %v", got, want, h.Mine)
	}
	for _, tt := range []struct {
		name    string
		actor   UserID
		comment CommentID
		want    error
	}{
		{"by the post's author", s.user("anna"), comment, ErrForbidden},
		{"by a visitor", 0, comment, ErrUnauthorized},
		{"of another's post", s.user("bert"), 0, ErrForbidden},
		{"of a comment that is not there", s.user("bert"), 1, ErrNotFound},
	} {
		if err := s.DeleteHistory(ctx, tt.actor, post, tt.comment); !errors.Is(err, tt.want) {
			t.Errorf("deletion %s: %v, want %v", tt.name, err, tt.want)
		}
	}
	s.must(s.Ban(ctx, s.user("carl"), "bert"))
	if _, err := s.History(ctx, s.user("carl"), post, comment); !errors.Is(err, ErrNotFound) {
		t.Errorf("of a comment across a ban: %v", err)
	}
	s.must(s.DeleteHistory(ctx, s.user("bert"), post, comment))
	s.isHistory("after its deletion", "bert", post, comment, "third")
	say("fourth")
	s.must(s.DeleteComment(ctx, s.user("anna"), post, comment))
	if n := one[int](s, `select count(*) from earlier_texts`); n != 0 {
		t.Errorf("%d earlier texts of a deleted comment are left", n)
	}
}

func TestHistoryIsBoundedAndErased(t *testing.T) {
	t.Parallel()
	s := newTown(t)
	ctx := t.Context()
	post, other := s.post("anna", "user"), s.post("anna", "user")
	for i := range maxEarlier + 3 {
		s.edit(post, fmt.Sprint("text ", i))
	}
	s.edit(other, "edited")
	all := s.texts("carl", post, 0)
	if len(all) != maxEarlier+1 || all[0] != "text 2" || all[maxEarlier] != fmt.Sprint("text ", maxEarlier+2) {
		t.Errorf("%d texts are kept: %q", len(all), all)
	}
	if got := s.texts("carl", other, 0); len(got) != 2 {
		t.Errorf("the other post has %q", got)
	}
	s.must(s.DeletePost(ctx, s.user("anna"), post))
	if n := one[int](s, `select count(*) from earlier_texts`); n != 1 {
		t.Errorf("%d earlier texts are left after one of two posts was deleted, want 1", n)
	}
}
