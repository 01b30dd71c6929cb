package timeline

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestFilesWithoutText writes and edits posts and comments that have files and no text. Posts
// and comments without files and text are refused.
func TestFilesWithoutText(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	anna, bert := s.user("anna"), s.user("bert")
	empty := func(what string, err error) {
		t.Helper()
		if !isErr(err, errInvalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
	id, err := s.CreatePost(ctx, anna, NewPost{To: []string{"user"}, Text: " \n", Files: Files{IDs: []AttachmentID{s.ready("anna", "a")}}})
	s.must(err)
	comment, err := s.AddComment(ctx, bert, id, NewComment{Files: Files{IDs: []AttachmentID{s.ready("bert", "b")}, Alts: map[AttachmentID]string{}}})
	s.must(err)
	shown := func() [2]string {
		t.Helper()
		folds, err := s.snap().Folds(ctx, []PostID{id}, FoldOptions{})
		s.must(err)
		return [2]string{folds[id].Text.Text, folds[id].Comments.Comments[0].Text}
	}
	if got := shown(); got != [2]string{"", ""} {
		t.Errorf("the texts are %q", got)
	}

	t.Log("notices name the files")
	s.must(s.Like(ctx, bert, id))
	p, err := s.NoticesOf(ctx, anna, 0, 10)
	s.must(err)
	for _, n := range p.Notices {
		if n.PostText != "" || n.PostFile != (FirstFile{Kind: "image", FileName: "soup.jpg"}) {
			t.Errorf("%s: the post is %q, %+v", n.Kind, n.PostText, n.PostFile)
		}
		if want := (FirstFile{Kind: "image", FileName: "soup.jpg"}); n.Kind == NoticeComment && n.CommentFile != want {
			t.Errorf("the comment is %q, %+v", n.CommentText, n.CommentFile)
		}
	}
	if len(p.Notices) != 2 {
		t.Errorf("notices: %+v", p.Notices)
	}

	t.Log("without a file there has to be text, and an edit that is refused changes nothing")
	before := s.fingerprint(ctx)
	_, err = s.CreatePost(ctx, anna, NewPost{To: []string{"user"}, Text: " \n"})
	empty("a post", err)
	_, err = s.AddComment(ctx, bert, id, NewComment{})
	empty("a comment", err)
	empty("a post without its file", s.EditPost(ctx, anna, id, PostEdit{Files: &Files{}}))
	empty("a comment without its file", s.EditComment(ctx, bert, id, comment, CommentEdit{Files: &Files{}}))
	if diff := gocmp.Diff(before, s.fingerprint(ctx)); diff != "" {
		t.Errorf("what was refused changed something: %s", diff)
	}

	t.Log("text comes and goes while there is a file")
	s.must(s.EditPost(ctx, anna, id, PostEdit{Text: new("a soup")}))
	s.must(s.EditComment(ctx, bert, id, comment, CommentEdit{Text: new("a spoon")}))
	if got := shown(); got != [2]string{"a soup", "a spoon"} {
		t.Errorf("the texts are %q", got)
	}
	s.must(s.EditPost(ctx, anna, id, PostEdit{Text: new("")}))
	s.must(s.EditComment(ctx, bert, id, comment, CommentEdit{Text: new("")}))
	s.must(s.EditPost(ctx, anna, id, PostEdit{Text: new("a soup"), Files: &Files{}}))
	s.must(s.EditComment(ctx, bert, id, comment, CommentEdit{Text: new("a spoon"), Files: &Files{}}))
	empty("the text of a post without file", s.EditPost(ctx, anna, id, PostEdit{Text: new("")}))
	empty("the text of a comment without file", s.EditComment(ctx, bert, id, comment, CommentEdit{Text: new("")}))
	s.must(s.EditPost(ctx, anna, id, PostEdit{Text: new(""), Files: &Files{IDs: []AttachmentID{s.upload("anna", "c")}}}))
	if got := shown(); got != [2]string{"", "a spoon"} {
		t.Errorf("the texts are %q", got)
	}

	t.Log("a file that was refused is no content")
	refused := s.upload("anna", "d")
	s.must(s.EditPost(ctx, anna, id, PostEdit{Text: new("text"), Files: &Files{IDs: []AttachmentID{refused}}}))
	s.must(s.RefuseAttachment(ctx, refused, RefusedDamaged))
	empty("a post with a file that was refused", s.EditPost(ctx, anna, id, PostEdit{Text: new("")}))
	s.audit()
}

// TestImpossibleRenditionIsNotFound asks for renditions by names that PostgreSQL can't store as a text.
func TestImpossibleRenditionIsNotFound(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	id := s.ready("anna", "a")
	for _, name := range []string{"\x00", "thumb\x00", "\xff\xfe"} {
		if _, err := s.AttachmentFile(t.Context(), s.user("anna"), id, name); !isErr(err, ErrNotFound) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
