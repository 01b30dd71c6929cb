package timeline

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/racetest"
)

// rename gives a person another name. Tests still use the first name as the key.
func (s *site) rename(name, other string) error {
	s.t.Helper()
	return s.SetProfile(s.t.Context(), s.user(name), ProfileEdit{Name: &other})
}

func TestOldNamesLeadToTheAccount(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	s.must(s.rename("anna", "annabel"))
	s.must(s.rename("anna", "annette"))
	s.must(s.EditGroup(ctx, s.user("eva"), "kitchen", GroupEdit{Name: new("canteen")}))
	kitchen := one[GroupID](s, `select id from groups`)
	for name, want := range map[string]Named{
		"anna":    {Name: "annette", User: s.user("anna")},
		"Annabel": {Name: "annette", User: s.user("anna")},
		"annette": {Name: "annette", User: s.user("anna")},
		"kitchen": {Name: "canteen", Group: kitchen},
		"canteen": {Name: "canteen", Group: kitchen},
	} {
		got, err := s.Lookup(ctx, name)
		if diff := gocmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	cards, err := s.UserCards(ctx, []UserID{s.user("anna")})
	s.must(err)
	if got := cards[s.user("anna")].Name; got != "annette" {
		t.Errorf("the card says %q", got)
	}
	// A message to two names of one person reaches the person once.
	direct := s.post("bert", "direct:anna", "direct:annette")
	if head, err := s.FindPost(ctx, s.user("bert"), direct); err != nil || len(head.Places) != 2 || head.Recipients[0] != "annette" {
		t.Errorf("the direct is %+v, %v", head, err)
	}
	both := s.post("eva", "group:kitchen", "group:canteen")
	if head, err := s.FindPost(ctx, s.user("eva"), both); err != nil || len(head.Places) != 1 || head.GroupNames[0] != "canteen" {
		t.Errorf("the post is %+v, %v", head, err)
	}
	s.follow("carl", "anna")
	if who, err := s.Subscribers(ctx, 0, "annette"); err != nil || len(who) != 2 {
		t.Errorf("subscribers are %v, %v", who, err)
	}
	s.audit()
}

func TestTakenAndReservedNamesAreRefused(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	s.must(s.rename("anna", "annabel"))
	s.must(s.EditGroup(ctx, s.user("eva"), "kitchen", GroupEdit{Name: new("canteen")}))
	// Carl was imported with a name that is reserved today.
	_, err := s.db.Pool.Exec(ctx, `insert into names values ('cj', 'user', $1)`, s.user("carl"))
	s.must(err)
	_, err = s.db.Pool.Exec(ctx, `update users set status = 'deleted' where name = 'dora'`)
	s.must(err)
	user := func(who, name string) func() error { return func() error { return s.rename(who, name) } }
	for _, tt := range []struct {
		name string
		do   func() error
		want error
	}{
		{"another's", user("bert", "annabel"), ErrTaken},
		{"one that another had", user("bert", "anna"), ErrTaken},
		{"a group's", user("bert", "canteen"), ErrTaken},
		{"one that a group had", user("bert", "kitchen"), ErrTaken},
		{"a deleted person's", user("bert", "dora"), ErrTaken},
		{"a reserved one", user("bert", "settings"), errInvalid},
		{"one in upper case", user("bert", "Bertus"), errInvalid},
		{"none", user("bert", ""), errInvalid},
		{"one that is no text", user("bert", "bert\x00"), errInvalid},
		{"a deleted person wants one", user("dora", "theodora"), ErrNotFound},
		{"a person's, for a group", func() error {
			return s.EditGroup(ctx, s.user("eva"), "canteen", GroupEdit{Name: new("anna")})
		}, ErrTaken},
		{"a new person wants one that another had", func() error {
			_, err := s.SignUp(ctx, NewUser{Name: "anna", Email: "x@example.org", NoPassword: true})
			return err
		}, ErrTaken},
		{"a new group wants one that a group had", func() error {
			_, err := s.CreateGroup(ctx, s.user("bert"), NewGroup{Name: "kitchen"})
			return err
		}, ErrTaken},
		{"the current name, which is no longer allowed", user("carl", "cj"), nil},
		{"back to an old one", user("anna", "anna"), nil},
		{"and on to the other", user("anna", "annabel"), nil},
		{"a group goes back, by its old name", func() error {
			return s.EditGroup(ctx, s.user("eva"), "kitchen", GroupEdit{Name: new("kitchen")})
		}, nil},
	} {
		if err := tt.do(); !isErr(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	if _, err := s.Lookup(ctx, "dora"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a deleted person is found by name: %v", err)
	}
}

// isErr reports whether an error is the wanted one; errInvalid stands for any *InvalidError.
func isErr(err, want error) bool {
	if errors.Is(want, errInvalid) {
		_, isInvalid := errors.AsType[*InvalidError](err)
		return isInvalid
	}
	return errors.Is(err, want)
}

func TestSameNameAtOnce(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	s, names := crowd(t, 8)
	s.group(names[0], NewGroup{Name: "kitchen"})
	ctx := t.Context()
	for round := range 5 {
		wanted := fmt.Sprintf("wanted%d", round)
		var won atomic.Int64
		var wg sync.WaitGroup
		try := func(do func() error) {
			wg.Go(func() {
				switch err := do(); {
				case err == nil:
					won.Add(1)
				case !errors.Is(err, ErrTaken):
					t.Error(err)
				}
			})
		}
		for _, name := range names {
			try(func() error { return s.rename(name, wanted) })
		}
		try(func() error { return s.EditGroup(ctx, s.user(names[0]), "kitchen", GroupEdit{Name: &wanted}) })
		wg.Wait()
		if won.Load() != 1 {
			t.Errorf("%d have the name %q", won.Load(), wanted)
		}
	}
	// A person who takes several new names at once has one of them in the end, and
	// keeps all.
	several := s.added("several")
	var wg sync.WaitGroup
	for i := range maxRenames {
		wg.Go(func() {
			if err := s.rename(several, fmt.Sprintf("mine%d", i)); err != nil {
				t.Error(err)
			}
			if _, err := s.CreatePost(ctx, s.user(several), NewPost{To: []string{"user"}, Text: "x"}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := one[int](s, `select count(*) from names where name like 'mine%' and what = 'user' and their_id = $1`, s.user(several)); n != maxRenames {
		t.Errorf("the person has %d names, want %d", n, maxRenames)
	}
	if n := s.deadlocks(); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
	s.audit()
}

func TestDirectsFromSubscriptionsRefusesStrangers(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	set := func(from string) error {
		return s.SetProfile(ctx, s.user("bert"), ProfileEdit{DirectsFrom: &from})
	}
	send := func(who string) error {
		_, err := s.CreatePost(ctx, s.user(who), NewPost{To: []string{"direct:bert"}, Text: "x"})
		return err
	}
	s.must(send("carl"))
	s.must(set("subscriptions"))
	if err := send("carl"); !errors.Is(err, ErrForbidden) {
		t.Errorf("a direct of a stranger's: %v", err)
	}
	s.must(send("anna")) // Bert follows Anna
	if err := set("friends"); !isErr(err, errInvalid) {
		t.Errorf("an unknown setting: %v", err)
	}
	s.must(set("anybody"))
	s.must(send("carl"))
}

// TestEyesOnlyStatus: when a feed becomes one for its owner's eyes only, the owner's likes and comments
// are hidden too, and they come back with the old status.
func TestEyesOnlyStatus(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	own, private, kitchen := s.post("anna"), s.post("anna", "user_private"), s.post("anna", "user", "group:kitchen")
	reads := func(who string, post PostID) bool {
		_, err := s.FindPost(ctx, s.user(who), post)
		if err != nil && !errors.Is(err, ErrNotFound) {
			t.Error(err)
		}
		return err == nil
	}
	access := func() (all []Access) {
		for _, what := range []What{WhatUser, WhatUserLikes, WhatUserComments, WhatUserPrivate, WhatUserFYEO} {
			all = append(all, one[Access](s, `select access from timelines where id = $1`, s.timeline(what, "anna")))
		}
		return all
	}
	s.status("anna", "fyeo")
	if diff := gocmp.Diff([]Access{AccessOwner, AccessOwner, AccessOwner, AccessPrivate, AccessOwner}, access()); diff != "" {
		t.Errorf("access (-want +got):\n%s", diff)
	}
	if !reads("anna", own) || reads("bert", own) || reads("bert", private) || !reads("bert", kitchen) {
		t.Error("the wrong people may read a feed for its owner's eyes only")
	}
	if _, err := s.Subscribers(ctx, s.user("bert"), "anna"); !errors.Is(err, ErrForbidden) {
		t.Errorf("subscribers of a feed for own eyes only: %v", err)
	}
	s.audit()
	s.status("anna", "private")
	if diff := gocmp.Diff([]Access{AccessPrivate, AccessPrivate, AccessPrivate, AccessPrivate, AccessOwner}, access()); diff != "" {
		t.Errorf("access (-want +got):\n%s", diff)
	}
	if !reads("bert", own) || reads("carl", own) {
		t.Error("the subscriber lost the feed, or a stranger may read it")
	}
}

// TestRenamesAreBounded: an account may take only a few new names within some time, because a name stays
// reserved for ever once it was taken.
func TestRenamesAreBounded(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	for what, rename := range map[string]func(name string) error{
		"anna": func(name string) error { return s.rename("anna", name) },
		"kitchen": func(name string) error {
			group := one[string](s, `select name from groups`)
			return s.EditGroup(ctx, s.user("eva"), group, GroupEdit{Name: &name})
		},
	} {
		for i := range maxRenames {
			s.must(rename(fmt.Sprintf("%s%d", what, i)))
			s.wait(24 * time.Hour)
		}
		if err := rename(what + "more"); !isErr(err, errInvalid) {
			t.Errorf("%s is renamed once more: %v", what, err)
		}
		s.must(rename(what)) // back
		s.must(rename(what + "0"))
		s.wait((renamesDays - maxRenames) * 24 * time.Hour)
		s.must(rename(what + "later")) // the first was longer ago
		if err := rename(what + "evenlater"); !isErr(err, errInvalid) {
			t.Errorf("%s is renamed once more after a month: %v", what, err)
		}
	}
	s.audit()
}
