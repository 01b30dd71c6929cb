package timeline

import (
	"testing"
	"time"
)

// By FreeFeed's rule a comment makes its post fresh if the post is younger than a day, or had
// more than two comments in the last day. Other comments do not move the post.
func TestFreeFeedBump(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	post := s.post("anna")
	setting := func(bump string) {
		t.Helper()
		_, err := s.ArrangeSite(ctx, SiteEdit{"bump": bump})
		s.must(err)
	}
	comments := func(what string, bumps bool) CommentID {
		t.Helper()
		before := s.state(post).FreshAt
		var id CommentID
		changes := s.changesOf(func() { id = s.comment("bert", post) })
		for _, c := range changes {
			if c.Kind == ChangePost && c.PlaceChanged != bumps {
				t.Errorf("%s: moved is %v", what, c.PlaceChanged)
			}
		}
		if after := s.state(post).FreshAt; (after == s.clock.UnixMilli()) != bumps || !bumps && after != before {
			t.Errorf("%s: fresh at %v, before at %v, now it is %v", what, after, before, s.clock.UnixMilli())
		}
		s.checkPosts()
		return id
	}
	setting(BumpFreeFeed)
	s.wait(23 * time.Hour)
	young := comments("younger than a day", true)
	s.wait(time.Hour)
	comments("a day old, with one comment", false)
	comments("a day old, with two comments", false)
	third := comments("a day old, with three comments", true)
	s.wait(time.Hour)
	lastOne := comments("with four", true)
	s.must(s.DeleteComment(ctx, s.user("bert"), post, lastOne))
	s.must(s.DeleteComment(ctx, s.user("bert"), post, third))
	s.checkPosts()
	if got, want := s.state(post).FreshAt, int64(young)>>idShift+idEpoch; got != want*1000 {
		t.Errorf("without the comments that bumped it is fresh at %d, want %d", got, want*1000)
	}
	s.wait(25 * time.Hour)
	comments("nothing was said for a day", false)
	setting(BumpComment)
	s.wait(time.Minute)
	comments("each comment counts", true)
}
