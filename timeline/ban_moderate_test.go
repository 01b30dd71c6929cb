package timeline

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// TestModerationAcrossBans: the author of a post reads and deletes comments across a ban, and an
// administrator of a group also posts across a ban; no other person does.
func TestModerationAcrossBans(t *testing.T) {
	t.Parallel()
	s := newVillage(t) // eva administers the kitchen
	ctx := t.Context()
	_, err := s.db.Pool.Exec(ctx, `update users set admin = true where name = 'carl'`)
	s.must(err)
	s.must(s.Ban(ctx, s.user("eva"), "bert"))
	s.must(s.Ban(ctx, s.user("bert"), "dora"))

	annas := s.post("anna", "user", "group:kitchen")
	s.comment("carl", annas)
	berts := s.comment("bert", annas)
	s.must(s.Ban(ctx, s.user("anna"), "bert"))

	read := func(ctx context.Context, who string, post PostID) ([]CommentID, error) {
		a, err := s.PostAcrossBans(ctx, s.user(who), post, 0, 10)
		if err != nil {
			return nil, err
		}
		var ids []CommentID
		for _, c := range a.Comments {
			ids = append(ids, c.ID)
		}
		if a.Posts[0].Text != "" {
			t.Errorf("%s is shown the text of a post that is on their pages: %q", who, a.Posts[0].Text)
		}
		return ids, nil
	}
	for _, tt := range []struct {
		who  string
		want error
	}{{"anna", nil}, {"eva", nil}, {"carl", ErrNotFound}, {"bert", ErrNotFound}, {"dora", ErrNotFound}} {
		got, err := read(ctx, tt.who, annas)
		if !errors.Is(err, tt.want) || err == nil && !slices.Equal(got, []CommentID{berts}) {
			t.Errorf("%s reads %v, %v; want the comment across the ban, %v", tt.who, got, err, tt.want)
		}
	}
	if _, err := read(AsMember(ctx), "eva", annas); !errors.Is(err, ErrNotFound) {
		t.Errorf("an administrator without an administrator's rights: %v, want ErrNotFound", err)
	}
	if err := s.DeleteComment(AsMember(ctx), s.user("eva"), annas, berts); !errors.Is(err, ErrNotFound) {
		t.Errorf("a deletion without an administrator's rights: %v, want ErrNotFound", err)
	}
	if err := s.DeleteComment(ctx, s.user("dora"), annas, berts); !errors.Is(err, ErrNotFound) {
		t.Errorf("a deletion across a ban by a reader: %v, want ErrNotFound", err)
	}
	s.must(s.DeleteComment(ctx, s.user("eva"), annas, berts))
	if got, err := read(ctx, "anna", annas); err != nil || len(got) != 0 {
		t.Errorf("after the deletion: %v, %v", got, err)
	}
	journal, err := s.Journal(ctx, s.user("eva"), 1)
	if err != nil || len(journal) != 1 || journal[0].Act != ActDeleteComment || journal[0].User != s.user("bert") {
		t.Errorf("the journal has %+v, %v; want the deletion", journal, err)
	}
	s.checkPosts()
}

// TestGroupAcrossBans: an administrator reads the posts of the group across bans, in pages, and the
// comments of such a post, also those that no ban hides; posts of suspended people are left out.
func TestGroupAcrossBans(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	var in []PostID
	s.follow("bert", "kitchen")
	for range 3 {
		in = append(in, s.post("bert", "group:kitchen"))
	}
	s.post("bert", "user")
	s.post("anna", "group:kitchen")
	carls := s.comment("carl", in[1])
	s.must(s.Ban(ctx, s.user("bert"), "eva"))

	first, err := s.GroupAcrossBans(ctx, s.user("eva"), "kitchen", 0, 2)
	s.must(err)
	second, err := s.GroupAcrossBans(ctx, s.user("eva"), "kitchen", first.Posts[1].ID, 2)
	s.must(err)
	var got []PostID
	for _, p := range append(first.Posts, second.Posts...) {
		got = append(got, p.ID)
	}
	if want := []PostID{in[2], in[1], in[0]}; !slices.Equal(got, want) || !first.More || second.More {
		t.Errorf("the posts across the ban are %v, %v, %v; want %v in two pages", got, first.More, second.More, want)
	}
	a, err := s.PostAcrossBans(ctx, s.user("eva"), in[1], 0, 10)
	s.must(err)
	if len(a.Comments) != 1 || a.Comments[0].ID != carls || a.Posts[0].Text == "" {
		t.Errorf("the post across the ban has %+v, want its text and the comment", a)
	}
	annas := s.comment("anna", in[1])
	if a, err := s.PostAcrossBans(ctx, s.user("eva"), in[1], 0, 1); err != nil || !a.More || len(a.Comments) != 1 || a.Comments[0].ID != carls {
		t.Errorf("the first comment: %+v, %v", a, err)
	}
	if a, err := s.PostAcrossBans(ctx, s.user("eva"), in[1], carls, 1); err != nil || a.More || len(a.Comments) != 1 || a.Comments[0].ID != annas {
		t.Errorf("the comments after the first: %+v, %v", a, err)
	}
	s.must(s.DeleteComment(ctx, s.user("eva"), in[1], carls))
	for _, who := range []string{"anna", "bert", "carl"} {
		if _, err := s.GroupAcrossBans(ctx, s.user(who), "kitchen", 0, 2); !errors.Is(err, ErrForbidden) {
			t.Errorf("%s, who does not administer the group: %v, want ErrForbidden", who, err)
		}
	}
	s.must(s.RemoveFromGroup(ctx, s.user("eva"), in[1], "kitchen"))
	if _, err := s.PostAcrossBans(ctx, s.user("eva"), in[1], 0, 10); !errors.Is(err, ErrNotFound) {
		t.Errorf("the post that was taken out: %v, want ErrNotFound", err)
	}
	_, err = s.db.Pool.Exec(ctx, `update users set admin = true where name in ('carl', 'dora')`)
	s.must(err)
	s.must(s.SuspendPerson(ctx, s.user("carl"), "bert", "", 0))
	if a, err := s.GroupAcrossBans(ctx, s.user("eva"), "kitchen", 0, 5); err != nil || len(a.Posts) != 0 {
		t.Errorf("posts of a suspended person: %+v, %v; want none", a, err)
	}
	if err := s.DeleteComment(ctx, s.user("eva"), in[0], carls); !errors.Is(err, ErrNotFound) {
		t.Errorf("a deletion under the post of a suspended person: %v, want ErrNotFound", err)
	}
}
