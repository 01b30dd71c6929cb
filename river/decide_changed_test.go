package river

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// An unseen is an event of carol's post that some readers of the post may not know of: bob acts
// across a ban from ann, or a private group that also has the post changes.
type unseen struct {
	name string
	do   func(p *testSite, post timeline.PostID, said timeline.CommentID) error
}

// acts are bob's actions, in an order in which each of them changes something.
var acts = func() []unseen {
	var comment timeline.CommentID
	name := "Robert"
	return []unseen{
		{"likes", func(p *testSite, post timeline.PostID, _ timeline.CommentID) error {
			return p.store.Like(p.t.Context(), p.user("bob"), post)
		}},
		{"is called otherwise", func(p *testSite, _ timeline.PostID, _ timeline.CommentID) error {
			return p.store.SetProfile(p.t.Context(), p.user("bob"), timeline.ProfileEdit{DisplayName: &name})
		}},
		{"comments", func(p *testSite, post timeline.PostID, _ timeline.CommentID) (err error) {
			p.clock.advance(time.Second)
			comment, err = p.store.AddComment(p.t.Context(), p.user("bob"), post, timeline.NewComment{Text: "unseen"})
			return err
		}},
		{"comments again", func(p *testSite, post timeline.PostID, _ timeline.CommentID) error {
			p.clock.advance(time.Second)
			_, err := p.store.AddComment(p.t.Context(), p.user("bob"), post, timeline.NewComment{Text: "unseen, too"})
			return err
		}},
		{"edits a comment", func(p *testSite, post timeline.PostID, _ timeline.CommentID) error {
			return p.store.EditComment(p.t.Context(), p.user("bob"), post, comment, timeline.CommentEdit{Text: new("still unseen")})
		}},
		{"makes it a favourite", func(p *testSite, post timeline.PostID, _ timeline.CommentID) error {
			return p.store.Fav(p.t.Context(), p.user("bob"), post)
		}},
		{"likes a comment", func(p *testSite, post timeline.PostID, said timeline.CommentID) error {
			return p.store.LikeComment(p.t.Context(), p.user("bob"), post, said)
		}},
		{"likes a comment no more", func(p *testSite, post timeline.PostID, said timeline.CommentID) error {
			return p.store.UnlikeComment(p.t.Context(), p.user("bob"), post, said)
		}},
		{"has it as a favourite no more", func(p *testSite, post timeline.PostID, _ timeline.CommentID) error {
			return p.store.Unfav(p.t.Context(), p.user("bob"), post)
		}},
		{"likes it no more", func(p *testSite, post timeline.PostID, _ timeline.CommentID) error {
			return p.store.Unlike(p.t.Context(), p.user("bob"), post)
		}},
		{"deletes a comment", func(p *testSite, post timeline.PostID, _ timeline.CommentID) error {
			return p.store.DeleteComment(p.t.Context(), p.user("bob"), post, comment)
		}},
	}
}

// A still is an open page that is to show the same all the time.
type still struct {
	key    Key
	watch  *Watch
	window Window
	from   int64
	shown  string
}

// shownOn returns the content of a page, without the numbers that rise with each change of a
// post.
func (p *testSite) shownOn(key Key) string {
	p.t.Helper()
	v, err := p.node.Visit(p.t.Context(), key, At{})
	p.must(err)
	var all []any
	for _, e := range v.Entries {
		all = append(all, e.Tag, foldHash(e.Fold), e.Fold.Likes, e.Fold.Comments, e.Reasons, e.Places)
	}
	text, err := json.Marshal(all)
	p.must(err)
	return string(text)
}

func (p *testSite) still(key Key) *still {
	p.t.Helper()
	s := &still{key: key, shown: p.shownOn(key)}
	var err error
	s.watch, err = p.node.Watch(p.t.Context(), key)
	p.must(err)
	p.t.Cleanup(s.watch.Close)
	patch, window, err := s.watch.Resume(Resume{})
	p.must(err)
	s.window, s.from = window, patch.To
	return s
}

// same fails the test if the page gets a patch, or if opening the page again shows something
// else.
func (s *still) same(p *testSite, after string) {
	p.t.Helper()
	patch, err := s.watch.Patch(s.from, s.window)
	p.must(err)
	for _, op := range patch.Ops {
		p.t.Errorf("%s of %d, after %s: told of post %d (gone: %v)", s.key.Descriptor(), s.key.Viewer, after, op.Post, op.Gone)
	}
	if now := p.shownOn(s.key); now != s.shown {
		p.t.Errorf("%s of %d, after %s: shows\n%s\nafter\n%s", s.key.Descriptor(), s.key.Viewer, after, now, s.shown)
		s.shown = now
	}
	s.from = s.watch.Counter()
}

// TestActAcrossABanIsNotTold has bob do everything that is possible with a post
// that ann has open on all kinds of pages, with a ban between the two and the post
// topmost. None of ann's pages gets a frame or shows anything else.
func TestActAcrossABanIsNotTold(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "carol", "dave")
	p.follow("ann", "carol")
	for i := range 3 {
		p.post("carol", fmt.Sprint("older ", i))
	}
	post := p.post("carol", "for all")
	said := p.comment("dave", post, "hear, hear")
	p.must(p.store.Ban(p.t.Context(), p.user("ann"), "bob"))
	p.waitSettled()
	var pages []*still
	for _, key := range []Key{
		single(p.user("ann"), post), p.home("ann"), p.page("ann", KindUser, "carol"), everything(p.user("ann")),
		p.page("ann", KindComments, "dave"),
	} {
		pages = append(pages, p.still(key))
	}
	for round := range 2 { // the second time, other people have seen bob act on these pages
		for _, act := range acts() {
			p.must(act.do(p, post, said))
			p.waitSettled()
			for _, s := range pages {
				s.same(p, fmt.Sprint("bob ", act.name, ", ", round))
			}
		}
	}
	// Eve gets the changes that she may know of.
	p.must(p.store.LikeComment(p.t.Context(), p.user("carol"), post, said))
	p.waitSettled()
	for _, s := range pages {
		if patch, err := s.watch.Patch(s.from, s.window); err != nil || len(patch.Ops) != 1 || patch.Ops[0].Gone {
			t.Errorf("%s is not told that a comment is liked: %+v, %v", s.key.Descriptor(), patch, err)
		}
	}
	if n := p.compareAll(); n != len(pages) {
		t.Errorf("%d rivers, want %d", n, len(pages))
	}
}

// TestHiddenPlaceIsNotTold renames a private group that also holds a public post, opens the
// group to all signed-in viewers, and closes the group again. Viewers who may not know of the
// group get no frame, and their pages do not count as changed.
func TestHiddenPlaceIsNotTold(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "carol")
	p.follow("ann", "carol")
	ctx := t.Context()
	_, err := p.store.CreateGroup(ctx, p.user("carol"), timeline.NewGroup{Name: "closed", Status: "private"})
	p.must(err)
	post := p.post("carol", "for all", "user", "group:closed")
	p.waitSettled()
	visitors := []*still{p.still(everything(0)), p.still(single(0, post))}
	ann := []*still{p.still(single(p.user("ann"), post)), p.still(p.home("ann"))}
	carol := p.still(p.home("carol"))
	told := func(s *still) int {
		t.Helper()
		patch, err := s.watch.Patch(s.from, s.window)
		p.must(err)
		s.from = s.watch.Counter()
		return len(patch.Ops)
	}
	edit := func(what string, edit timeline.GroupEdit, unseen ...*still) {
		t.Helper()
		var before []int64
		for _, s := range unseen {
			k, _, ok := p.node.CacheKey(s.key, At{})
			if !ok {
				t.Fatalf("there is no key of %v", s.key)
			}
			before = append(before, k.Changed)
		}
		p.must(p.store.EditGroup(ctx, p.user("carol"), "closed", edit))
		p.waitSettled()
		for i, s := range unseen {
			s.same(p, what)
			if now, _, ok := p.node.CacheKey(s.key, At{}); !ok || now.Changed != before[i] {
				t.Errorf("%s of %d, after %s: changed at %d, before at %d", s.key.Descriptor(), s.key.Viewer, what, now.Changed, before[i])
			}
		}
		if told(carol) != 1 {
			t.Errorf("who keeps the group is not told that %s", what)
		}
	}
	called, protected, private := "Another", "protected", "private"
	edit("it is called otherwise", timeline.GroupEdit{DisplayName: &called}, append(visitors, ann...)...)
	edit("it was opened to the signed in", timeline.GroupEdit{Status: &protected}, visitors...)
	for _, s := range ann {
		if told(s) != 1 {
			t.Errorf("%s: ann is not told that the group is open to her", s.key.Descriptor())
		}
	}
	edit("it was shut again", timeline.GroupEdit{Status: &private}, visitors...)
	for _, s := range ann {
		if told(s) != 1 {
			t.Errorf("%s: ann is not told that the group is shut to her", s.key.Descriptor())
		}
	}
	if n := p.compareAll(); n != 5 {
		t.Errorf("%d rivers", n)
	}
}
