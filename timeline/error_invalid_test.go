package timeline

import (
	"errors"
	"strings"
	"testing"
)

// errInvalid matches any InvalidError in the table below.
var errInvalid = errors.New("an InvalidError")

// TestBadInputChangesNothing calls each exported write with input that the write must refuse,
// and compares the whole database before and after.
func TestBadInputChangesNothing(t *testing.T) {
	long(t)
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	anna, bert, carl, dora, eva := s.user("anna"), s.user("bert"), s.user("carl"), s.user("dora"), s.user("eva")
	const unknown = UserID(999)
	suspended := s.add("suspended")
	_, err := s.db.Pool.Exec(ctx, `update users set suspended_at = now() where id = $1`, suspended)
	s.must(err)
	s.group("eva", NewGroup{Name: "board", Posting: "admins"})
	s.group("eva", NewGroup{Name: "attic", Status: "private"})
	s.must(s.Ban(ctx, dora, "carl"))
	_, err = s.db.Pool.Exec(ctx, `update users set directs_from = 'subscriptions' where id = $1`, eva)
	s.must(err)

	public := s.post("anna")
	closed, err := s.CreatePost(ctx, anna, NewPost{To: []string{"user"}, Text: "no comment", CommentsDisabled: true})
	s.must(err)
	secret := s.post("anna", "direct:bert")
	doras := s.post("dora")
	gone := s.post("anna")
	comment := s.comment("bert", public)
	other := s.comment("bert", closedToBert(s))
	hidden := s.comment("dora", public) // across Carl's ban
	wordless := s.comment("bert", secret)
	s.must(s.DeletePost(ctx, anna, gone))
	_, err = s.Subscribe(ctx, bert, FeedName{Name: "dora"}, SubscribeOptions{})
	s.must(err)
	request := one[string](s, `select id::text from subscription_requests`)
	const claimed = "0f8fad5b-d9cb-469f-a165-70867728950e"
	_, err = s.CreatePost(ctx, anna, NewPost{To: []string{"user"}, Text: "x", UUID: claimed})
	s.must(err)

	long := strings.Repeat("ж", 3001)
	to := func(to ...string) NewPost { return NewPost{To: to, Text: "x"} }
	text := func(text string) NewPost { return NewPost{To: []string{"user"}, Text: text} }
	post := func(actor UserID, p NewPost) func() error {
		return func() error { _, err := s.CreatePost(ctx, actor, p); return err }
	}
	say := func(actor UserID, on PostID, c NewComment) func() error {
		return func() error { _, err := s.AddComment(ctx, actor, on, c); return err }
	}
	signUp := func(u NewUser) func() error { return func() error { _, err := s.SignUp(ctx, u); return err } }
	found := func(actor UserID, g NewGroup) func() error {
		return func() error { _, err := s.CreateGroup(ctx, actor, g); return err }
	}
	subscribe := func(actor UserID, name string) func() error {
		return func() error {
			_, err := s.Subscribe(ctx, actor, FeedName{Name: name}, SubscribeOptions{})
			return err
		}
	}
	good := NewUser{Name: "frank", Email: "frank@example.org", Password: "correct horse"}
	with := func(change func(*NewUser)) NewUser { u := good; change(&u); return u }

	tests := []struct {
		name string
		do   func() error
		want error
	}{
		{"a post by a visitor", post(0, text("x")), ErrUnauthorized},
		{"a post by an unknown person", post(unknown, text("x")), ErrUnauthorized},
		{"a post of a suspended person's", post(suspended, text("x")), ErrUnauthorized},
		{"an empty post", post(anna, text("")), errInvalid},
		{"a post of space", post(anna, text(" \t\r\n\u00a0")), errInvalid},
		{"a long post", post(anna, text(long)), errInvalid},
		{"a post that is no UTF-8", post(anna, text("\xff")), errInvalid},
		{"a post with NUL", post(anna, text("a\x00b")), errInvalid},
		{"a post to nowhere", post(anna, to()), errInvalid},
		{"a post to everything", post(anna, to("everything")), errInvalid},
		{"a post to a timeline of the system", post(anna, to("user_likes")), errInvalid},
		{"a post to another person's feed", post(anna, to("user:bert")), errInvalid},
		{"a post to no group", post(anna, to("group:")), errInvalid},
		{"a post to an unknown group", post(anna, to("group:cellar")), errInvalid},
		{"a post to a person as a group", post(anna, to("group:bert")), errInvalid},
		{"a direct to an unknown person", post(anna, to("direct:zoe")), errInvalid},
		{"a direct to a group", post(anna, to("direct:kitchen")), errInvalid},
		{"a direct to oneself", post(anna, to("direct:anna")), errInvalid},
		{"a direct to a name that is no UTF-8", post(anna, to("direct:\xff")), errInvalid},
		{"a direct that is public too", post(anna, to("direct:bert", "user")), errInvalid},
		{"own eyes that are public too", post(anna, to("user_fyeo", "user")), errInvalid},
		{"a post to too many places", post(anna, to(strings.Split(strings.Repeat("user ", 51), " ")...)), errInvalid},
		{"a post to a group that one is not in", post(carl, to("group:kitchen")), ErrForbidden},
		{"a post to a group whose administrators post", post(anna, to("group:board")), ErrForbidden},
		{"a post to a group that one can't read", post(anna, to("group:attic")), ErrForbidden},
		{"a post of which one place is forbidden", post(anna, to("user", "group:attic")), ErrForbidden},
		{"a direct across a ban", post(carl, to("direct:dora")), ErrForbidden},
		{"a direct across a ban, the other way", post(dora, to("direct:carl")), ErrForbidden},
		{"a direct of a stranger to a person who takes none of strangers", post(carl, to("direct:eva")), ErrForbidden},
		{"a post with a bad uuid", post(anna, NewPost{To: []string{"user"}, Text: "x", UUID: "1"}), errInvalid},
		{"a post with a long platform", post(anna, NewPost{To: []string{"user"}, Text: "x", Platform: long}), errInvalid},

		{"an edit of another's", func() error { return s.EditPost(ctx, bert, public, PostEdit{Text: new("x")}) }, ErrForbidden},
		{"an edit of what one can't see", func() error { return s.EditPost(ctx, carl, secret, PostEdit{Text: new("x")}) }, ErrNotFound},
		{"an edit of what is gone", func() error { return s.EditPost(ctx, anna, gone, PostEdit{Text: new("x")}) }, ErrNotFound},
		{"an edit to nothing", func() error { return s.EditPost(ctx, anna, public, PostEdit{Text: new(" ")}) }, errInvalid},
		{"a deletion of another's", func() error { return s.DeletePost(ctx, bert, public) }, ErrForbidden},
		{"a deletion of what one can't see", func() error { return s.DeletePost(ctx, carl, doras) }, ErrNotFound},
		{"a deletion by a visitor", func() error { return s.DeletePost(ctx, 0, public) }, ErrUnauthorized},
		{"a second deletion", func() error { return s.DeletePost(ctx, anna, gone) }, ErrNotFound},

		{"a comment by a visitor", say(0, public, NewComment{Text: "x"}), ErrUnauthorized},
		{"a comment of a suspended person's", say(suspended, public, NewComment{Text: "x"}), ErrUnauthorized},
		{"an empty comment", say(bert, public, NewComment{Text: "\n"}), errInvalid},
		{"a long comment", say(bert, public, NewComment{Text: long}), errInvalid},
		{"a comment that is no UTF-8", say(bert, public, NewComment{Text: "\xc3"}), errInvalid},
		{"a comment with a bad uuid", say(bert, public, NewComment{Text: "x", UUID: "nonsense"}), errInvalid},
		{"a comment under a post's uuid", say(anna, public, NewComment{Text: "x", UUID: claimed}), ErrConflict},
		{"a comment on what is not there", say(bert, 1, NewComment{Text: "x"}), ErrNotFound},
		{"a comment on what is gone", say(anna, gone, NewComment{Text: "x"}), ErrNotFound},
		{"a comment on what one can't see", say(carl, secret, NewComment{Text: "x"}), ErrNotFound},
		{"a comment across a ban", say(carl, doras, NewComment{Text: "x"}), ErrNotFound},
		{"a comment where they are disabled", say(bert, closed, NewComment{Text: "x"}), ErrForbidden},
		{"an edit of another's comment", func() error { return s.EditComment(ctx, anna, public, comment, CommentEdit{Text: new("x")}) }, ErrForbidden},
		{"an edit of a comment to nothing", func() error { return s.EditComment(ctx, bert, public, comment, CommentEdit{Text: new("")}) }, errInvalid},
		{"an edit of a comment of another post", func() error { return s.EditComment(ctx, bert, public, other, CommentEdit{Text: new("x")}) }, ErrNotFound},
		{"an edit of a comment one can't see", func() error { return s.EditComment(ctx, carl, secret, wordless, CommentEdit{Text: new("x")}) }, ErrNotFound},
		{"a deletion of another's comment", func() error { return s.DeleteComment(ctx, carl, public, comment) }, ErrForbidden},
		{"a deletion of a comment of another post", func() error { return s.DeleteComment(ctx, anna, public, other) }, ErrNotFound},
		{"a deletion of a comment across a ban", func() error { return s.DeleteComment(ctx, carl, public, hidden) }, ErrNotFound},

		{"a like of one's own", func() error { return s.Like(ctx, anna, public) }, errInvalid},
		{"a like by a visitor", func() error { return s.Like(ctx, 0, public) }, ErrUnauthorized},
		{"a like of what one can't see", func() error { return s.Like(ctx, carl, secret) }, ErrNotFound},
		{"a like of what is gone", func() error { return s.Like(ctx, bert, gone) }, ErrNotFound},
		{"an unlike of what one can't see", func() error { return s.Unlike(ctx, carl, doras) }, ErrNotFound},
		{"a like of one's own comment", func() error { return s.LikeComment(ctx, bert, public, comment) }, errInvalid},
		{"a like of a comment of another post", func() error { return s.LikeComment(ctx, anna, public, other) }, ErrNotFound},
		{"a like of a comment across a ban", func() error { return s.LikeComment(ctx, carl, public, hidden) }, ErrNotFound},
		{"an unlike of a comment one can't see", func() error { return s.UnlikeComment(ctx, carl, secret, wordless) }, ErrNotFound},

		{"a subscription to oneself", subscribe(anna, "anna"), errInvalid},
		{"a subscription to an unknown name", subscribe(anna, "zoe"), ErrNotFound},
		{"a subscription of a visitor", subscribe(0, "anna"), ErrUnauthorized},
		{"a subscription of a suspended person's", subscribe(suspended, "anna"), ErrUnauthorized},
		{"a subscription of an unknown person to a group", subscribe(unknown, "kitchen"), ErrUnauthorized},
		{"a subscription across a ban", subscribe(carl, "dora"), ErrNotFound},
		{"a subscription across a ban, the other way", subscribe(dora, "carl"), ErrForbidden},
		{"an end of a subscription to an unknown name", func() error { return s.Unsubscribe(ctx, anna, FeedName{Name: "zoe"}) }, ErrNotFound},
		{"the last administrator leaves", func() error { return s.Unsubscribe(ctx, eva, FeedName{Name: "kitchen"}) }, ErrConflict},
		{"another accepts", func() error { return s.Accept(ctx, carl, request) }, ErrNotFound},
		{"the person who asked accepts", func() error { return s.Accept(ctx, bert, request) }, ErrNotFound},
		{"another rejects", func() error { return s.Reject(ctx, anna, request) }, ErrNotFound},
		{"a visitor accepts", func() error { return s.Accept(ctx, 0, request) }, ErrNotFound},
		{"an unknown request is accepted", func() error { return s.Accept(ctx, dora, claimed) }, ErrNotFound},
		{"no uuid is rejected", func() error { return s.Reject(ctx, dora, "1'; drop table users") }, ErrNotFound},
		{"a request to an unknown name withdrawn", func() error { return s.Withdraw(ctx, dora, FeedName{Name: "zoe"}) }, ErrNotFound},

		{"a ban of oneself", func() error { return s.Ban(ctx, anna, "anna") }, errInvalid},
		{"a ban of a group", func() error { return s.Ban(ctx, anna, "kitchen") }, errInvalid},
		{"a ban of an unknown name", func() error { return s.Ban(ctx, anna, "zoe") }, ErrNotFound},
		{"a ban by a visitor", func() error { return s.Ban(ctx, 0, "anna") }, ErrUnauthorized},
		{"an end of a ban of an unknown name", func() error { return s.Unban(ctx, anna, "zoe") }, ErrNotFound},

		{"a short name", signUp(with(func(u *NewUser) { u.Name = "ab" })), errInvalid},
		{"a long name", signUp(with(func(u *NewUser) { u.Name = strings.Repeat("a", 50) })), errInvalid},
		{"an upper-case name", signUp(with(func(u *NewUser) { u.Name = "Frank" })), errInvalid},
		{"a name that begins with a hyphen", signUp(with(func(u *NewUser) { u.Name = "-frank" })), errInvalid},
		{"a name with a dot", signUp(with(func(u *NewUser) { u.Name = "fra.nk" })), errInvalid},
		{"a reserved name", signUp(with(func(u *NewUser) { u.Name = "settings" })), errInvalid},
		{"a taken name", signUp(with(func(u *NewUser) { u.Name = "anna" })), ErrTaken},
		{"a group's name", signUp(with(func(u *NewUser) { u.Name = "kitchen" })), ErrTaken},
		{"a short password", signUp(with(func(u *NewUser) { u.Password = "1234567" })), errInvalid},
		{"a long password", signUp(with(func(u *NewUser) { u.Password = strings.Repeat("a", 201) })), errInvalid},
		{"no password", signUp(with(func(u *NewUser) { u.Password = "" })), errInvalid},
		{"no address", signUp(with(func(u *NewUser) { u.Email = "" })), errInvalid},
		{"an address without @", signUp(with(func(u *NewUser) { u.Email = "frank" })), errInvalid},
		{"an address with a name", signUp(with(func(u *NewUser) { u.Email = "Frank <frank@example.org>" })), errInvalid},
		{"a long display name", signUp(with(func(u *NewUser) { u.DisplayName = strings.Repeat("ж", 51) })), errInvalid},
		{"a display name of two lines", signUp(with(func(u *NewUser) { u.DisplayName = "a\nb" })), errInvalid},
		{"a short new password", func() error { return s.SetPassword(ctx, anna, "x") }, errInvalid},
		{"a new password of an unknown person", func() error { return s.SetPassword(ctx, unknown, "correct horse") }, ErrNotFound},
		{"an empty display name", func() error { return s.SetProfile(ctx, anna, ProfileEdit{DisplayName: new(" ")}) }, errInvalid},
		{"a long description", func() error { return s.SetProfile(ctx, anna, ProfileEdit{Description: &long}) }, errInvalid},
		{"a status that there is not", func() error { return s.SetProfile(ctx, anna, ProfileEdit{Status: new("open")}) }, errInvalid},
		{"a status that can't be chosen", func() error { return s.SetProfile(ctx, anna, ProfileEdit{Status: new("deleted")}) }, errInvalid},
		{"the profile of an unknown person", func() error { return s.SetProfile(ctx, unknown, ProfileEdit{Status: new("private")}) }, ErrNotFound},

		{"a group founded by a visitor", found(0, NewGroup{Name: "cellar"}), ErrUnauthorized},
		{"a group of a suspended person's", found(suspended, NewGroup{Name: "cellar"}), ErrUnauthorized},
		{"a group of a taken name", found(anna, NewGroup{Name: "bert"}), ErrTaken},
		{"a group of a reserved name", found(anna, NewGroup{Name: "groups"}), errInvalid},
		{"a group of a status that there is not", found(anna, NewGroup{Name: "cellar", Status: "x"}), errInvalid},
		{"a group whose posting there is not", found(anna, NewGroup{Name: "cellar", Posting: "x"}), errInvalid},
		{"a group whose joining there is not", found(anna, NewGroup{Name: "cellar", Joining: "x"}), errInvalid},

		{"a session of an unknown person", func() error { _, err := s.NewSession(ctx, unknown, true, ""); return err }, ErrUnauthorized},
		{"a token of an unknown person", func() error { _, err := s.NewToken(ctx, unknown, TokenSpec{Name: "", Scopes: AllScopes}); return err }, ErrUnauthorized},
		{"a token of a long name", func() error { _, err := s.NewToken(ctx, anna, TokenSpec{Name: long, Scopes: AllScopes}); return err }, errInvalid},
		{"a token that there is not", func() error { return s.RevokeToken(ctx, anna, 1) }, ErrNotFound},
		{"a link of an unknown person", func() error { _, err := s.NewLink(ctx, unknown); return err }, ErrUnauthorized},
		{"a link that there is not", func() error { _, err := s.UseLink(ctx, "x", true, ""); return err }, ErrUnauthorized},
		{"a password that is wrong", func() error { _, err := s.Authenticate(ctx, "anna", "x", Client{}); return err }, ErrUnauthorized},
	}
	before := s.fingerprint(ctx)
	for _, tt := range tests {
		err := tt.do()
		if !isErr(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if after := s.fingerprint(ctx); after != before {
			t.Errorf("%s changed something", tt.name)
			before = after
		}
	}
}

// closedToBert returns another post of Anna's, for comments on the wrong post.
func closedToBert(s *site) PostID { return s.post("anna", "user", "group:kitchen") }
