package timeline

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"amstel.dev/amstel/internal/racetest"
)

// TestEachGroupWriteAppendsItsChanges is TestEachWriteAppendsItsChanges for writes about groups.
func TestEachGroupWriteAppendsItsChanges(t *testing.T) {
	t.Parallel()
	edit := func(e GroupEdit) func(*site) {
		return func(s *site) { s.must(s.EditGroup(t.Context(), s.user("eva"), "kitchen", e)) }
	}
	add := func(s *site) { s.must(s.AddAdmin(t.Context(), s.user("eva"), "kitchen", "anna")) }
	remove := func(who string) func(*site) {
		return func(s *site) { s.must(s.RemoveAdmin(t.Context(), s.user("eva"), "kitchen", who)) }
	}
	card := func(s *site) []Change {
		return []Change{{Kind: ChangeCard, Group: one[GroupID](s, `select id from groups`)}}
	}
	flip := func(s *site) []Change {
		c := card(s)
		return append(c, Change{Kind: ChangeAccess, Group: c[0].Group, Timelines: []TimelineID{s.groupTimeline("kitchen")}})
	}
	viewer := func(names ...string) func(*site) []Change {
		return func(s *site) (cs []Change) {
			for _, name := range names {
				cs = append(cs, Change{Kind: ChangeViewer, User: s.user(name)})
			}
			return cs
		}
	}
	person := func(e ProfileEdit) func(*site) {
		return func(s *site) { s.must(s.SetProfile(t.Context(), s.user("anna"), e)) }
	}
	annasCard := func(s *site) []Change { return []Change{{Kind: ChangeCard, User: s.user("anna")}} }
	for _, tt := range []struct {
		name string
		do   []func(*site)
		want func(*site) []Change
	}{
		{"a status that is another access", []func(*site){edit(GroupEdit{Status: new("private")})}, flip},
		{"a status of the same access", []func(*site){edit(GroupEdit{Status: new("disallow-robots")})}, card},
		{"everything at once", []func(*site){edit(GroupEdit{
			Name: new("canteen"), DisplayName: new(" The Canteen "), Description: new("soup\r\n"), Status: new("protected"),
			Posting: new("admins"), Joining: new("open"), NSFW: new(true),
		}), func(s *site) { s.must(s.rename("anna", "anna")) }}, func(s *site) []Change {
			c := card(s)
			return append(c, Change{Kind: ChangeAccess, Group: c[0].Group, Timelines: []TimelineID{s.groupTimeline("canteen")}})
		}},
		{"a name", []func(*site){edit(GroupEdit{Name: new("canteen")})}, card},
		{"who posts", []func(*site){edit(GroupEdit{Posting: new("anybody")})}, card},
		{"how one joins", []func(*site){edit(GroupEdit{Joining: new("open")})}, card},
		{"what it was", []func(*site){edit(GroupEdit{
			Name: new("kitchen"), DisplayName: new("kitchen"), Description: new(""), Status: new("public"),
			Posting: new("members"), Joining: new("request"), NSFW: new(false),
		}), edit(GroupEdit{})}, nil},
		{"an administrator, once", []func(*site){add, add}, viewer("anna")},
		{"and one no more, once", []func(*site){add, remove("anna"), remove("anna")}, viewer("anna", "anna")},
		{"one who steps down", []func(*site){add, remove("eva")}, viewer("anna", "eva")},
		{"a person's name", []func(*site){person(ProfileEdit{Name: new("annabel")})}, annasCard},
		{"whose directs are taken", []func(*site){person(ProfileEdit{DirectsFrom: new("subscriptions")})}, annasCard},
		{"neither", []func(*site){person(ProfileEdit{Name: new("anna"), DirectsFrom: new("anybody")})}, nil},
		{"a feed for own eyes only", []func(*site){person(ProfileEdit{Status: new("fyeo")})}, func(s *site) []Change {
			return append(annasCard(s), Change{Kind: ChangeAccess, User: s.user("anna"), Timelines: []TimelineID{
				s.timeline(WhatUser, "anna"), s.timeline(WhatUserLikes, "anna"), s.timeline(WhatUserComments, "anna"),
			}})
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newVillage(t)
			got := s.changesOf(func() {
				for _, do := range tt.do {
					do(s)
				}
			})
			var want []Change
			if tt.want != nil {
				want = tt.want(s)
			}
			s.same(want, got)
			s.audit()
		})
	}
}

func TestEditGroup(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	post := s.post("anna", "group:kitchen")
	s.must(s.EditGroup(ctx, s.user("eva"), "kitchen", GroupEdit{
		Name: new("canteen"), DisplayName: new(" The Canteen "), Description: new("soup\r\n"), Status: new("private"),
		Posting: new("admins"), Joining: new("open"), NSFW: new(true),
	}))
	got := one[string](s, `select name || '|' || display_name || '|' || description || '|' || status || '|' || posting || '|' || joining || '|' || nsfw from groups`)
	if want := "canteen|The Canteen|soup|private|admins|open|true"; got != want {
		t.Errorf("the group is %s, want %s", got, want)
	}
	// Members may still read, and no longer post; others may do neither.
	if _, err := s.FindPost(ctx, s.user("anna"), post); err != nil {
		t.Error(err)
	}
	if _, err := s.FindPost(ctx, s.user("carl"), post); !errors.Is(err, ErrNotFound) {
		t.Errorf("who is no member: %v", err)
	}
	if _, err := s.CreatePost(ctx, s.user("anna"), NewPost{To: []string{"group:canteen"}, Text: "x"}); !errors.Is(err, ErrForbidden) {
		t.Errorf("a member posts where administrators do: %v", err)
	}
}

func TestAdmins(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	s.follow("bert", "kitchen")
	s.must(s.AddAdmin(ctx, s.user("eva"), "kitchen", "bert"))
	s.must(s.AddAdmin(ctx, s.user("bert"), "kitchen", "Anna"))
	list := func(viewer UserID, want ...string) {
		t.Helper()
		var ids []UserID
		for _, name := range want {
			ids = append(ids, s.user(name))
		}
		if got, err := s.Admins(ctx, viewer, "kitchen"); err != nil || !slices.Equal(got, ids) {
			t.Errorf("administrators are %v, %v; want %v", got, err, ids)
		}
	}
	list(0, "anna", "bert", "eva")
	s.must(s.Ban(ctx, s.user("carl"), "bert"))
	list(s.user("carl"), "anna", "eva")
	list(s.user("bert"), "anna", "bert", "eva")
	// Eva is no administrator any more, but still a member, with a member's rights.
	s.must(s.RemoveAdmin(ctx, s.user("anna"), "kitchen", "eva"))
	list(0, "anna", "bert")
	s.must(s.move(s.post("anna"), "group:kitchen"))
	if err := s.EditGroup(ctx, s.user("eva"), "kitchen", GroupEdit{NSFW: new(true)}); !errors.Is(err, ErrForbidden) {
		t.Errorf("who is no administrator any more edits: %v", err)
	}
	s.post("eva", "group:kitchen")
	// An administrator who leaves the group is no longer an administrator.
	s.must(s.Unsubscribe(ctx, s.user("bert"), FeedName{Name: "kitchen"}))
	list(0, "anna")
	if err := s.RemoveAdmin(ctx, s.user("anna"), "kitchen", "anna"); !errors.Is(err, ErrConflict) {
		t.Errorf("the last steps down: %v", err)
	}
	s.must(s.EditGroup(ctx, s.user("anna"), "kitchen", GroupEdit{Status: new("private")}))
	if _, err := s.Admins(ctx, s.user("carl"), "kitchen"); !errors.Is(err, ErrForbidden) {
		t.Errorf("who can't read the group: %v", err)
	}
	list(s.user("eva"), "anna")
	if _, err := s.Admins(ctx, 0, "anna"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the administrators of a person: %v", err)
	}
	s.audit()
}

// TestAdministratorsAtOnce has the administrators of a group remove each other at the same time:
// one of them remains.
func TestAdministratorsAtOnce(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	s, names := crowd(t, 4)
	ctx := t.Context()
	s.group(names[0], NewGroup{Name: "kitchen"})
	for _, name := range names[1:] {
		s.follow(name, "kitchen")
	}
	kitchen := FeedName{Name: "kitchen"}
	for round := range 12 {
		first := one[UserID](s, `select user_id from group_admins limit 1`)
		s.must(s.EditGroup(ctx, first, "kitchen", GroupEdit{Status: new("public")}))
		for _, name := range names {
			_, err := s.Subscribe(ctx, s.user(name), kitchen, SubscribeOptions{})
			s.must(err)
		}
		for _, name := range names {
			s.must(s.AddAdmin(ctx, first, "kitchen", name))
		}
		var wg sync.WaitGroup
		for i, name := range names {
			who, next := s.user(name), names[(i+1)%len(names)]
			do := []func() error{
				func() error { return s.RemoveAdmin(ctx, who, "kitchen", name) },
				func() error { return s.RemoveAdmin(ctx, who, "kitchen", next) },
				func() error { return s.Unsubscribe(ctx, who, kitchen) },
				func() error { return s.AddAdmin(ctx, who, "kitchen", next) },
				func() error {
					return s.EditGroup(ctx, who, "kitchen", GroupEdit{NSFW: new(round%2 == 0), Status: new([]string{"public", "protected"}[i%2])})
				},
			}
			if round < 4 {
				do = do[:1] // all step down
			}
			for _, f := range do {
				wg.Go(func() {
					err := f()
					if err != nil && !errors.Is(err, ErrConflict) && !errors.Is(err, ErrForbidden) && !isErr(err, errInvalid) {
						t.Error(err)
					}
				})
			}
		}
		wg.Wait()
		n := one[int](s, `select count(*) from group_admins`)
		if n == 0 || round < 4 && n != 1 {
			t.Fatalf("round %d: %d administrators", round, n)
		}
		if n := one[int](s, `
			select count(*) from group_admins a join timelines t on t.what = 'group' and t.their_id = a.group_id
			where not exists (select from subscriptions s where s.user_id = a.user_id and s.timeline_id = t.id)`); n != 0 {
			t.Fatalf("round %d: %d administrators are not in the group", round, n)
		}
	}
	if n := s.deadlocks(); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
	s.audit()
}

// If an account is deleted while it is made an administrator, the appointment fails or ends with
// the account. The account is never the group's only administrator.
func TestAdministratorIsDeletedAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx := t.Context()
	s.group("anna", NewGroup{Name: "kitchen"})
	_, err := s.SignUp(ctx, NewUser{Name: "boss", Email: "boss@example.org", NoPassword: true}) // the first administers the site
	s.must(err)
	for round := range 8 {
		name := fmt.Sprintf("person%d", round)
		who, err := s.SignUp(ctx, NewUser{Name: name, Email: name + "@example.org", Password: "correct horse"})
		s.must(err)
		s.people[name] = who
		s.follow(name, "kitchen")
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := s.AddAdmin(ctx, s.user("anna"), "kitchen", name); err != nil && !isErr(err, errInvalid) {
				t.Error(err)
			}
		})
		wg.Go(func() {
			if err := s.DeleteAccount(ctx, who, "correct horse"); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		s.exec(`update users set erase_at = $2 where id = $1`, who, s.db.Now())
		s.must(s.EraseAccounts(ctx))
		if n := one[int](s, `select count(*) from group_admins where user_id = $1`, who); n != 0 {
			t.Errorf("a deleted account administers the group")
		}
	}
}

// TestSuspendedAdministrators: a suspended administrator does not count, so the only other
// one is the last.
func TestSuspendedAdministrators(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	ctx := t.Context()
	anna, kitchen := s.user("anna"), FeedName{Name: "kitchen"}
	s.group("anna", NewGroup{Name: "kitchen"})
	for _, name := range []string{"bert", "carl"} {
		s.follow(name, "kitchen")
	}
	s.must(s.AddAdmin(ctx, anna, "kitchen", "bert"))
	s.must(s.Suspend(ctx, s.user("bert")))
	s.must(s.Suspend(ctx, s.user("carl")))
	for what, err := range map[string]error{
		"leaves":     s.Unsubscribe(ctx, anna, kitchen),
		"steps down": s.RemoveAdmin(ctx, anna, "kitchen", "anna"),
	} {
		if !errors.Is(err, ErrConflict) {
			t.Errorf("the last one who can act %s: %v, want %v", what, err, ErrConflict)
		}
	}
	if err := s.AddAdmin(ctx, anna, "kitchen", "carl"); !isErr(err, errInvalid) {
		t.Errorf("a suspended person becomes an administrator: %v", err)
	}
	s.must(s.RemoveAdmin(ctx, anna, "kitchen", "bert"))
	s.audit()
}
