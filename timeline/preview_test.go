package timeline

import (
	"context"
	"errors"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

// The pages that the posts of these tests link to, and the previews that the fetches find.
const (
	page      = "https://pages.example/one"
	otherPage = "https://pages.example/two"
)

var found = Preview{Title: "One", Site: "Pages", About: "The first.", Picture: &Rendition{
	Name: PreviewPicture, File: named("picture of a page"), MediaType: "image/webp", Size: 9, Width: 300, Height: 200,
}}

// linking publishes a post of a person with a text.
func (s *site) linking(who, text string, to ...string) PostID {
	s.t.Helper()
	if to == nil {
		to = []string{"user"}
	}
	id, err := s.CreatePost(s.t.Context(), s.user(who), NewPost{To: to, Text: text})
	s.must(err)
	return id
}

// take takes a page from the queue, and fails the test unless it is the page at the address. If the
// address is empty, the queue must be empty.
func (s *site) take(address string) *PreviewLease {
	s.t.Helper()
	l, err := s.TakePreview(s.t.Context(), time.Minute)
	s.must(err)
	switch {
	case l == nil && address != "":
		s.t.Fatalf("nothing is in the queue, want %s", address)
	case l != nil && l.Address != address:
		s.t.Fatalf("%s is in the queue, want %q", l.Address, address)
	}
	return l
}

// previewOf returns the preview in the fold of a post.
func (s *site) previewOf(id PostID) *Preview {
	s.t.Helper()
	folds, err := readFolds(s.t.Context(), s.db.Pool, []PostID{id}, FoldOptions{})
	s.must(err)
	return folds[id].Text.Preview
}

// shows fails the test unless a post shows the preview of an address; with "", unless the post
// shows none.
func (s *site) shows(id PostID, address string) {
	s.t.Helper()
	var want *Preview
	if address != "" {
		one := found
		one.Address = address
		want = &one
	}
	if diff := gocmp.Diff(want, s.previewOf(id)); diff != "" {
		s.t.Errorf("post %d (-want +got):\n%s", id, diff)
	}
}

// TestPreview follows the pages that posts link to through the queue and into the folds.
func TestPreview(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	s.url = "https://own.example"
	ctx := t.Context()
	bell, stop := s.ListenPreviews()
	defer stop()
	first := s.linking("anna", "no https://own.example/anna, but "+page+"#part, and "+otherPage)
	select {
	case <-bell:
	default:
		t.Error("did not ring for the page")
	}
	second := s.linking("bert", "the same: "+page)
	plain := s.linking("bert", "no link")
	off, err := s.CreatePost(ctx, s.user("bert"), NewPost{To: []string{"user"}, Text: page, LinkPreview: new(false)})
	s.must(err)

	lease := s.take(page)
	s.linking("anna", "of the same host: "+otherPage)
	elsewhere := "http://elsewhere.example/"
	s.linking("anna", elsewhere)
	other := s.take(elsewhere) // the host of the older page is busy
	s.take("")
	s.must(s.FinishPreview(ctx, *other, nil, always))
	if err := s.FinishPreview(ctx, *lease, &found, never); !errors.Is(err, ErrFileGone) {
		t.Errorf("without its picture: %v", err)
	}
	stale := *lease
	stale.Try--
	s.must(s.FinishPreview(ctx, stale, &found, always))
	s.shows(first, "")
	changes := s.changesOf(func() { s.must(s.FinishPreview(ctx, *lease, &found, always)) })
	s.same([]Change{{Kind: ChangePost, Post: first}, {Kind: ChangePost, Post: second}}, changes)
	s.shows(first, page)
	s.shows(second, page)
	s.shows(plain, "")
	s.shows(off, "")

	// The host is free again. The page can't be fetched, and later has nothing to show.
	lease = s.take(otherPage)
	s.must(s.PostponePreview(ctx, *lease, time.Minute, true))
	s.take("")
	s.wait(time.Minute)
	lease = s.take(otherPage)
	if lease.Try != 2 {
		t.Errorf("it is try %d, want 2", lease.Try)
	}
	s.must(s.PostponePreview(ctx, *lease, 0, false))
	if lease = s.take(otherPage); lease.Try != 2 {
		t.Errorf("it is try %d, want 2 after one that does not count", lease.Try)
	}
	s.wait(time.Hour) // the worker died
	if lease = s.take(otherPage); lease.Try != 3 {
		t.Errorf("it is try %d, want 3 after the lease was over", lease.Try)
	}
	s.same(nil, s.changesOf(func() { s.must(s.FinishPreview(ctx, *lease, nil, nil)) }))
	s.take("")

	// New posts share a fetched preview for some hours.
	third := s.linking("bert", page)
	s.shows(third, page)
	s.linking("bert", otherPage)
	s.take("")
	s.wait(sharedFor)
	fourth := s.linking("bert", page)
	s.shows(fourth, "")
	s.must(s.FinishPreview(ctx, *s.take(page), nil, nil))
	s.shows(third, page)
	s.audit()
}

// TestPreviewOfAnEdit edits posts with previews.
func TestPreviewOfAnEdit(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx, anna := t.Context(), s.user("anna")
	id := s.linking("anna", page)
	s.must(s.FinishPreview(ctx, *s.take(page), &found, always))
	edit := func(what string, e PostEdit, address string, changed bool) {
		t.Helper()
		changes := s.changesOf(func() { s.must(s.EditPost(ctx, anna, id, e)) })
		if changed == (len(changes) == 0) {
			t.Errorf("%s: it has the changes %v", what, changes)
		}
		s.shows(id, address)
	}
	edit("nothing", PostEdit{LinkPreview: new(true)}, page, false)
	s.wait(2 * sharedFor)
	edit("the text, and not the link", PostEdit{Text: new("here: " + page)}, page, true)
	s.take("")
	edit("off", PostEdit{LinkPreview: new(false)}, "", true)
	head, err := s.FindPost(ctx, anna, id)
	s.must(err)
	if head.LinkPreview {
		t.Error("it says that it is on")
	}
	edit("the text, while it is off", PostEdit{Text: new(otherPage)}, "", true)
	s.take("")
	edit("on, and another link", PostEdit{LinkPreview: new(true), Text: new("there: " + otherPage)}, "", true)
	s.must(s.FinishPreview(ctx, *s.take(otherPage), &found, always))
	s.shows(id, otherPage)
	edit("no link", PostEdit{Text: new("nothing")}, "", true)
	edit("the link again", PostEdit{Text: new(otherPage)}, otherPage, true)

	s.must(s.DeletePost(ctx, anna, id))
	count := func() int { return one[int](s, `select count(*)::int from previews`) }
	s.must(s.PrunePrimary(ctx, Ages{}))
	if n := count(); n != 1 {
		t.Errorf("%d previews are left, want the one that new posts would share", n)
	}
	s.wait(2 * sharedFor)
	s.must(s.PrunePrimary(ctx, Ages{}))
	if n := count(); n != 0 {
		t.Errorf("%d previews are left", n)
	}
}

// TestPreviewsOfASiteWithout switches previews off on the site, and on again.
func TestPreviewsOfASiteWithout(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx := t.Context()
	id := s.linking("anna", page)
	s.must(s.FinishPreview(ctx, *s.take(page), &found, always))
	s.linking("anna", otherPage)
	log := func() string { return one[string](s, `select uuid::text from log_head`) }
	before := log()
	set := func(value string) {
		t.Helper()
		_, err := s.ArrangeSite(ctx, SiteEdit{"link_previews": value})
		s.must(err)
	}
	set("off")
	if log() == before {
		t.Error("nodes keep their rivers")
	}
	s.take("")
	s.shows(id, "")
	if _, err := s.PublicFile(ctx, 0, found.Picture.File); !errors.Is(err, ErrNotFound) {
		t.Errorf("the picture: %v", err)
	}
	without := s.linking("anna", page)
	set("on")
	s.shows(id, page)
	s.shows(without, "")
	s.take(otherPage)
}

// TestPreviewFiles asks for the pictures of previews, of posts that all may read and of posts that only
// some may read.
func TestPreviewFiles(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	ctx := t.Context()
	open := s.linking("anna", page)
	own := s.linking("anna", otherPage, "user_fyeo")
	s.must(s.FinishPreview(ctx, *s.take(page), &found, always))
	secret := found
	secret.Picture = &Rendition{File: named("of a secret page"), MediaType: "image/webp", Size: 9, Width: 300, Height: 200}
	s.must(s.FinishPreview(ctx, *s.take(otherPage), &secret, always))
	s.must(s.Ban(ctx, s.user("anna"), "carl"))
	for _, tt := range []struct {
		who  string
		open bool
		own  bool
	}{{"", true, false}, {"anna", true, true}, {"bert", true, false}, {"carl", false, false}} {
		viewer := UserID(0)
		if tt.who != "" {
			viewer = s.user(tt.who)
		}
		for _, asked := range []struct {
			what string
			may  bool
			ask  func() (AttachedFile, error)
		}{
			{"by its name", tt.open, func() (AttachedFile, error) { return s.PublicFile(ctx, viewer, found.Picture.File) }},
			{"by its post", tt.open, func() (AttachedFile, error) { return s.PreviewFile(ctx, viewer, open) }},
			{"of the secret page, by its name", false, func() (AttachedFile, error) { return s.PublicFile(ctx, viewer, secret.Picture.File) }},
			{"of the secret page, by its post", tt.own, func() (AttachedFile, error) { return s.PreviewFile(ctx, viewer, own) }},
		} {
			if f, err := asked.ask(); asked.may != (err == nil) || err != nil && !errors.Is(err, ErrNotFound) || err == nil && f.Width != 300 {
				t.Errorf("%q gets the picture %s: %v, %v", tt.who, asked.what, f, err)
			}
		}
	}
	if unneeded, err := s.UnneededFiles(ctx, []FileName{found.Picture.File}); err != nil || len(unneeded) > 0 {
		t.Errorf("the sweep would remove the picture, %v", err)
	}
	uses := 0
	s.must(s.FileUses(ctx, func(FileUse) error { uses++; return nil }))
	if uses != 2 {
		t.Errorf("rows name %d files, want 2", uses)
	}
}

// TestPreviewThatMeetsAPost finishes a preview while a post that shares the preview is being
// written. The log has a change of the post too, because a node may have read the post without
// the preview.
func TestPreviewThatMeetsAPost(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	first := s.linking("anna", page)
	lease := s.take(page)
	to, err := parseDestinations([]string{"user"})
	s.must(err)
	var second PostID
	s.must(s.meanwhile(func(tx *txn) (err error) {
		second, err = s.createPost(ctx, tx, s.user("bert"), NewPost{Text: page, Linebreaks: new(true), LinkPreview: new(true)}, to)
		return err
	}, func() error { return s.FinishPreview(context.WithoutCancel(ctx), *lease, &found, always) }))
	s.shows(first, page)
	s.shows(second, page)
	changes := one[int](s, `select count(*)::int from changes where kind = 'post' and post_id = $1`, second)
	if changes != 2 {
		t.Errorf("the post has %d changes, want 2: written, and with a preview", changes)
	}
}
