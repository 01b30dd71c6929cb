package timeline

import (
	"strings"
	"testing"
)

// TestBadEditsChangeNothing does with edits of places, groups and names what TestBadInputChangesNothing
// does with other writes.
func TestBadEditsChangeNothing(t *testing.T) {
	long(t)
	t.Parallel()
	s := newTown(t)
	ctx := t.Context()
	s.group("eva", NewGroup{Name: "board", Posting: "admins"})
	s.group("eva", NewGroup{Name: "vault", Status: "private"})
	s.must(s.Ban(ctx, s.user("carl"), "anna"))
	s.must(s.SetProfile(ctx, s.user("eva"), ProfileEdit{DirectsFrom: new("subscriptions")}))
	suspended := s.add("suspended")
	s.follow("suspended", "kitchen")
	_, err := s.db.Pool.Exec(ctx, `update users set suspended_at = now() where id = $1`, suspended)
	s.must(err)
	post, direct, gone := s.post("anna", "user", "group:kitchen"), s.post("anna", "direct:bert", "direct:dora"), s.post("anna")
	s.must(s.DeletePost(ctx, s.user("anna"), gone))

	move := func(post PostID, to ...string) func() error {
		return func() error { return s.move(post, append([]string{}, to...)...) }
	}
	moves := func(who string, post PostID, to ...string) func() error {
		return func() error { return s.EditPost(ctx, s.user(who), post, PostEdit{To: to}) }
	}
	add := func(who string, post PostID, names ...string) func() error {
		return func() error { return s.AddRecipients(ctx, s.user(who), post, names) }
	}
	leave := func(who string, post PostID) func() error {
		return func() error { return s.LeaveDirect(ctx, s.user(who), post) }
	}
	edit := func(who string, e GroupEdit) func() error {
		return func() error { return s.EditGroup(ctx, s.user(who), "kitchen", e) }
	}
	admin := func(actor, group, name string) func() error {
		return func() error { return s.AddAdmin(ctx, s.user(actor), group, name) }
	}
	unadmin := func(actor, group, name string) func() error {
		return func() error { return s.RemoveAdmin(ctx, s.user(actor), group, name) }
	}
	s.people["visitor"], s.people["suspended"] = 0, suspended
	tests := []struct {
		name string
		do   func() error
		want error
	}{
		{"a move to nowhere", func() error { return s.EditPost(ctx, s.user("anna"), post, PostEdit{To: []string{}}) }, errInvalid},
		{"a move to a timeline of the system", move(post, "user_likes"), errInvalid},
		{"a move into a group that is none", move(post, "group:cellar"), errInvalid},
		{"a move into a person", move(post, "group:bert"), errInvalid},
		{"a move for own eyes and others", move(post, "user_fyeo", "group:kitchen"), errInvalid},
		{"a move among directs", move(post, "direct:bert"), errInvalid},
		{"a direct's move into the world", move(direct, "user"), errInvalid},
		{"a direct's move to own eyes", move(direct, "user_fyeo"), errInvalid},
		{"a direct's move to both", move(direct, "direct:bert", "user"), errInvalid},
		{"a direct's move away from a recipient", move(direct, "direct:bert"), errInvalid},
		{"a direct's move to who is not there", move(direct, "direct:bert", "direct:dora", "direct:zoe"), errInvalid},
		{"a direct's move across a ban", move(direct, "direct:bert", "direct:dora", "direct:carl"), ErrForbidden},
		{"a move into a group where administrators post", move(post, "group:board"), ErrForbidden},
		{"a move into a group that one can't read", move(post, "user", "group:vault"), ErrForbidden},
		{"a move of another's", moves("bert", post, "user"), ErrForbidden},
		{"a move by an administrator", moves("eva", post, "group:square"), ErrForbidden},
		{"a move of what one can't see", moves("carl", post, "user"), ErrNotFound},
		{"a move of what is gone", move(gone, "user_fyeo"), ErrNotFound},
		{"a visitor's move", moves("visitor", post, "user"), ErrUnauthorized},
		{"a suspended person's move", moves("suspended", post, "user"), ErrUnauthorized},
		{"a bad text with a good move", func() error {
			return s.EditPost(ctx, s.user("anna"), post, PostEdit{Text: new(" "), To: []string{"user"}})
		}, errInvalid},
		{"a good text with a bad move", func() error {
			return s.EditPost(ctx, s.user("anna"), post, PostEdit{Text: new("other"), To: []string{"group:vault"}})
		}, ErrForbidden},

		{"no recipients", add("anna", direct), errInvalid},
		{"a recipient who is not there", add("anna", direct, "zoe"), errInvalid},
		{"a recipient that is a group", add("anna", direct, "kitchen"), errInvalid},
		{"a recipient without a name", add("anna", direct, ""), errInvalid},
		{"a recipient who is no text", add("anna", direct, "\xff"), errInvalid},
		{"oneself as a recipient", add("anna", direct, "anna"), errInvalid},
		{"a recipient across a ban", add("anna", direct, "carl"), ErrForbidden},
		{"a recipient who takes none of strangers'", add("anna", direct, "eva"), ErrForbidden},
		{"one recipient of two", add("anna", direct, "suspended", "carl"), ErrForbidden},
		{"recipients of a post", add("anna", post, "bert"), errInvalid},
		{"recipients by a recipient", add("bert", direct, "eva"), ErrForbidden},
		{"recipients by who does not have it", add("carl", direct, "eva"), ErrNotFound},
		{"leaving a post", leave("bert", post), errInvalid},
		{"leaving one's own", leave("anna", direct), ErrForbidden},
		{"leaving what one does not have", leave("eva", direct), ErrNotFound},
		{"a visitor leaves", leave("visitor", direct), ErrUnauthorized},

		{"a group's edit by a member", edit("anna", GroupEdit{NSFW: new(true)}), ErrForbidden},
		{"a group's status by a stranger", edit("carl", GroupEdit{Status: new("private")}), ErrForbidden},
		{"a group's edit by a visitor", edit("visitor", GroupEdit{NSFW: new(true)}), ErrUnauthorized},
		{"a group's edit by a suspended person", edit("suspended", GroupEdit{NSFW: new(true)}), ErrUnauthorized},
		{"an edit of a group that is none", func() error { return s.EditGroup(ctx, s.user("eva"), "cellar", GroupEdit{}) }, ErrNotFound},
		{"an edit of a person", func() error { return s.EditGroup(ctx, s.user("eva"), "eva", GroupEdit{NSFW: new(true)}) }, ErrNotFound},
		{"a group for own eyes only", edit("eva", GroupEdit{Status: new("fyeo")}), errInvalid},
		{"a group deleted by its status", edit("eva", GroupEdit{Status: new("deleted")}), errInvalid},
		{"an unknown posting", edit("eva", GroupEdit{Posting: new("all")}), errInvalid},
		{"an unknown joining", edit("eva", GroupEdit{Joining: new("")}), errInvalid},
		{"a group without a display name", edit("eva", GroupEdit{DisplayName: new(" ")}), errInvalid},
		{"a group of a long description", edit("eva", GroupEdit{Description: new(strings.Repeat("ж", 3001))}), errInvalid},
		{"a group of a taken name", edit("eva", GroupEdit{Status: new("private"), Name: new("anna")}), ErrTaken},
		{"a group of a reserved name", edit("eva", GroupEdit{Name: new("groups")}), errInvalid},
		{"a person of a taken name", func() error {
			return s.SetProfile(ctx, s.user("anna"), ProfileEdit{Status: new("fyeo"), Name: new("bert")})
		}, ErrTaken},
		{"an unknown setting of directs", func() error {
			return s.SetProfile(ctx, s.user("anna"), ProfileEdit{DirectsFrom: new("")})
		}, errInvalid},

		{"a stranger as administrator", admin("eva", "kitchen", "carl"), errInvalid},
		{"an administrator by a member", admin("anna", "kitchen", "anna"), ErrForbidden},
		{"an administrator made by a visitor", admin("visitor", "kitchen", "anna"), ErrUnauthorized},
		{"an administrator who is not there", admin("eva", "kitchen", "zoe"), ErrNotFound},
		{"an administrator that is a group", admin("eva", "kitchen", "attic"), ErrNotFound},
		{"an administrator of a person", admin("eva", "eva", "anna"), ErrNotFound},
		{"the last administrator steps down", unadmin("eva", "kitchen", "eva"), ErrConflict},
		{"an administrator removed by a member", unadmin("anna", "kitchen", "eva"), ErrForbidden},
		{"a visitor removes an administrator", unadmin("visitor", "kitchen", "eva"), ErrUnauthorized},
	}
	before := s.fingerprint(ctx)
	for _, tt := range tests {
		if err := tt.do(); !isErr(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if after := s.fingerprint(ctx); after != before {
			t.Errorf("%s changed something", tt.name)
			before = after
		}
	}
}
