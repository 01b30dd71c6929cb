package timeline

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// TestHeldPosts: a post with a link by a new person is read by its author alone until an administrator
// of the site publishes or deletes it.
func TestHeldPosts(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	_, err := s.db.Pool.Exec(ctx, `update users set admin = true where name in ('dora', 'eva')`)
	s.must(err)
	s.follow("bert", "kitchen")
	s.setSite(SiteEdit{"newcomers.days": "1"})
	const linked = "see https://example.org/ now"
	write := func(who string, to ...string) (PostID, error) {
		return s.CreatePost(ctx, s.user(who), NewPost{To: to, Text: linked})
	}
	readers := func(id PostID) (all []string) {
		for _, who := range []string{"anna", "bert", "carl", "dora"} {
			if _, err := readablePlaces(ctx, s.db.Pool, s.sets(who), id); err == nil {
				all = append(all, who)
			}
		}
		return all
	}
	first, err := write("bert", "user", "group:kitchen")
	s.must(err)
	second, err := write("bert", "user")
	s.must(err)
	free, err := write("eva", "user") // an administrator is not new
	s.must(err)
	own, err := write("bert", "user_fyeo")
	s.must(err)
	for id, want := range map[PostID][]string{first: {"bert"}, second: {"bert"}, own: {"bert"}, free: {"anna", "bert", "carl", "dora"}} {
		if got := readers(id); !slices.Equal(got, want) {
			t.Errorf("post %d is read by %v, want %v", id, got, want)
		}
	}
	for name, err := range map[string]error{
		"a direct":          func() error { _, err := write("bert", "direct:anna"); return err }(),
		"a comment":         func() error { _, err := s.AddComment(ctx, s.user("bert"), free, NewComment{Text: linked}); return err }(),
		"an edit of a post": s.EditPost(ctx, s.user("anna"), s.post("anna"), PostEdit{Text: new(linked)}),
	} {
		if wrong, is := errors.AsType[*InvalidError](err); !is || wrong.Code != "newcomer_link" || wrong.N != 1 {
			t.Errorf("%s with a link: %v", name, err)
		}
	}
	if err := s.EditPost(ctx, s.user("bert"), first, PostEdit{To: []string{"user"}}); func() bool {
		wrong, is := errors.AsType[*InvalidError](err)
		return !is || wrong.Code != "held"
	}() {
		t.Errorf("the author moves a post that waits: %v", err)
	}

	held, users, err := s.HeldPosts(ctx, s.user("dora"), 10)
	s.must(err)
	if len(held) != 2 || held[0].ID != first || held[1].ID != second || held[0].Text != linked || !slices.Equal(held[0].To, []string{"user", "group:kitchen"}) || users[s.user("bert")] == nil {
		t.Errorf("the posts that wait are %+v, want %d and %d", held, first, second)
	}
	for who, want := range map[string]error{"anna": ErrForbidden, "bert": ErrForbidden} {
		if _, _, err := s.HeldPosts(ctx, s.user(who), 10); !errors.Is(err, want) {
			t.Errorf("%s reads the posts that wait: %v", who, err)
		}
		if err := s.ReleasePost(ctx, s.user(who), first); !errors.Is(err, want) {
			t.Errorf("%s publishes: %v", who, err)
		}
		if err := s.RefusePost(ctx, s.user(who), first, ""); !errors.Is(err, want) {
			t.Errorf("%s refuses: %v", who, err)
		}
	}
	if err := s.ReleasePost(AsMember(ctx), s.user("dora"), first); !errors.Is(err, ErrForbidden) {
		t.Errorf("an administrator without an administrator's rights publishes: %v", err)
	}
	s.must(s.ReleasePost(ctx, s.user("dora"), first))
	if got, want := readers(first), []string{"anna", "bert", "carl", "dora"}; !slices.Equal(got, want) {
		t.Errorf("the published post is read by %v, want %v", got, want)
	}
	s.must(s.RefusePost(ctx, s.user("dora"), second, "no advertising"))
	if got := readers(second); got != nil {
		t.Errorf("the deleted post is read by %v", got)
	}
	for _, decide := range []func(context.Context, UserID, PostID) error{s.ReleasePost, func(ctx context.Context, who UserID, id PostID) error { return s.RefusePost(ctx, who, id, "") }} {
		for _, id := range []PostID{first, second, free, 1} {
			if err := decide(ctx, s.user("dora"), id); !errors.Is(err, ErrConflict) {
				t.Errorf("post %d, which does not wait: %v, want ErrConflict", id, err)
			}
		}
	}
	journal, err := s.Journal(ctx, s.user("dora"), 2)
	if err != nil || len(journal) != 2 || journal[0].Act != ActDeletePost || journal[0].Reason != "no advertising" || journal[1].Act != ActRelease {
		t.Errorf("the journal has %+v, %v", journal, err)
	}
	s.checkPosts()
}

// TestReleaseOfAPostWithoutAPlace: a post whose author may not post there any more goes on waiting.
func TestReleaseOfAPostWithoutAPlace(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	_, err := s.db.Pool.Exec(ctx, `update users set admin = true where name = 'dora'`)
	s.must(err)
	s.follow("bert", "kitchen")
	s.setSite(SiteEdit{"newcomers.days": "1"})
	id, err := s.CreatePost(ctx, s.user("bert"), NewPost{To: []string{"group:kitchen"}, Text: "http://example.org"})
	s.must(err)
	s.must(s.Exclude(ctx, s.user("eva"), FeedName{Name: "kitchen"}, "bert"))
	if err := s.ReleasePost(ctx, s.user("dora"), id); !errors.Is(err, ErrConflict) {
		t.Errorf("released: %v, want ErrConflict", err)
	}
	if held, _, err := s.HeldPosts(ctx, s.user("dora"), 1); err != nil || len(held) != 1 {
		t.Errorf("the post waits no longer: %v, %v", held, err)
	}
	s.must(s.RefusePost(ctx, s.user("dora"), id, ""))
}

// TestHiddenPost: an administrator of the site hides a reported post: only its author reads it, may change its text and may not
// move it. Published again it is where it was, with its comments.
func TestHiddenPost(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx, anna, bert, dora := t.Context(), s.user("anna"), s.user("bert"), s.user("dora")
	s.exec(`update users set admin = true where name = 'dora'`)
	s.follow("bert", "kitchen")
	report := func(post PostID, group string) int64 {
		t.Helper()
		s.must(s.SendReport(ctx, anna, ReportDraft{Post: post, Group: group, Reason: "hm", Quote: true}))
		return one[int64](s, `select max(id) from reports`)
	}
	hide := Decision{Act: ActHide, Reason: "leave out the address"}
	readers := func(id PostID) (all []string) {
		for _, who := range []string{"anna", "bert", "dora"} {
			if _, err := readablePlaces(ctx, s.db.Pool, s.sets(who), id); err == nil {
				all = append(all, who)
			}
		}
		return all
	}
	id := s.post("bert", "user", "group:kitchen")
	s.comment("anna", id)
	s.must(s.DecideReport(ctx, dora, report(id, ""), hide))
	if got := readers(id); !slices.Equal(got, []string{"bert"}) {
		t.Errorf("the hidden post is read by %v", got)
	}
	if err := s.EditPost(ctx, bert, id, PostEdit{To: []string{"user"}}); !slices.Contains(invalidFields(err), "timelines") {
		t.Errorf("the author moves the post: %v", err)
	}
	s.must(s.EditPost(ctx, bert, id, PostEdit{Text: new("a post by bert")}))
	if told := s.told("dora"); slices.Contains(told, NoticeHeld) {
		t.Errorf("the administrators are told %v of a post that did not change", told)
	}
	s.must(s.EditPost(ctx, bert, id, PostEdit{Text: new("without the address")}))
	if told := s.told("bert"); !slices.Contains(told, NoticeModeration) {
		t.Errorf("the author is told %v", told)
	}
	if told := s.told("dora"); !slices.Contains(told, NoticeHeld) {
		t.Errorf("the administrators are told %v, not that the author has changed the post", told)
	}
	held, _, err := s.HeldPosts(ctx, dora, 10)
	s.must(err)
	if len(held) != 1 || !held[0].Hidden || !held[0].Changed || held[0].Text != "without the address" || !slices.Equal(held[0].To, []string{"user", "group:kitchen"}) {
		t.Errorf("the posts that wait are %+v", held)
	}
	if o, err := s.Overview(ctx, dora); err != nil || o.Held != 1 {
		t.Errorf("the overview counts %d posts that wait: %v", o.Held, err)
	}
	s.must(s.ReleasePost(ctx, dora, id))
	if got := readers(id); !slices.Equal(got, []string{"anna", "bert", "dora"}) {
		t.Errorf("the published post is read by %v", got)
	}
	if told := s.told("dora"); slices.Contains(told, NoticeHeld) {
		t.Errorf("after the publication the administrators are told %v", told)
	}
	if n := one[int](s, `select comments_count from posts where id = $1`, id); n != 1 {
		t.Errorf("the published post has %d comments", n)
	}
	journal, err := s.Journal(ctx, dora, 10)
	s.must(err)
	if len(journal) != 2 || journal[0].Act != ActRelease || journal[1].Act != ActHide || journal[1].Reason != hide.Reason || journal[1].Written.IsZero() {
		t.Errorf("the journal has %+v", journal)
	}

	for what, post := range map[string]PostID{"a private post": s.post("bert", "user_private"), "a direct message": s.post("bert", "direct:anna")} {
		if what == "a private post" {
			s.exec(`insert into subscriptions (user_id, timeline_id, created_at) select $1, id, now() from timelines where what = 'user_private' and their_id = $2`, anna, bert)
		}
		if err := s.DecideReport(ctx, dora, report(post, ""), hide); !slices.Contains(invalidFields(err), "act") {
			t.Errorf("%s is hidden: %v", what, err)
		}
	}
	comment := s.comment("bert", id)
	s.must(s.SendReport(ctx, anna, ReportDraft{Post: id, Comment: comment, Reason: "hm"}))
	if err := s.DecideReport(ctx, dora, one[int64](s, `select max(id) from reports`), hide); !slices.Contains(invalidFields(err), "act") {
		t.Errorf("a comment is hidden: %v", err)
	}
	again := s.post("bert", "group:kitchen")
	if err := s.DecideReport(ctx, s.user("eva"), report(again, "kitchen"), hide); !errors.Is(err, ErrForbidden) {
		t.Errorf("an administrator of a group hides: %v", err)
	}
	s.audit()
	s.checkPosts()
}
