package timeline

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// list makes a list with these feeds for a person.
func (s *site) list(owner, name string, feeds ...FeedName) ListID {
	s.t.Helper()
	id, err := s.CreateList(s.t.Context(), s.user(owner), name)
	s.must(err)
	for _, feed := range feeds {
		s.must(s.AddToList(s.t.Context(), s.user(owner), id, feed))
	}
	return id
}

// listed returns a person's lists in words: "cats: anna.user kitchen.group".
func (s *site) listed(owner string) (all []string) {
	s.t.Helper()
	lists, err := s.Lists(s.t.Context(), s.user(owner))
	s.must(err)
	for _, l := range lists {
		words := l.Name + ":"
		var members []string
		for _, t := range l.Members {
			name := one[string](s, `select coalesce((select name from users where $1 <> 'group' and id = $2), (select name from groups where id = $2))`, string(t.What), t.TheirID)
			members = append(members, name+"."+string(t.What))
		}
		slices.Sort(members)
		all = append(all, strings.TrimSpace(words+" "+strings.Join(members, " ")))
	}
	return all
}

func (s *site) wantLists(owner string, want ...string) {
	s.t.Helper()
	if diff := cmp.Diff(want, s.listed(owner)); diff != "" {
		s.t.Errorf("lists of %s (-want +got):\n%s", owner, diff)
	}
}

func TestListNames(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx, anna := t.Context(), s.user("anna")
	for name, kept := range map[string]string{
		"cats": "cats", " Old friends ": "Old friends", "Кошки": "Кошки", "100%?#&": "100%?#&", "...": "...", "a.json b": "a.json b",
		"cafe\u0301": "caf\u00e9", strings.Repeat("я", 50): strings.Repeat("я", 50),
	} {
		id, err := s.CreateList(ctx, anna, name)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		for _, as := range []string{name, strings.ToUpper(kept), kept} {
			found, called, err := s.FindList(ctx, anna, strings.TrimSpace(as))
			if found != id || called != kept || err != nil {
				t.Errorf("%q is found by %q as %d %q, %v; want %d %q", name, as, found, called, err, id, kept)
			}
		}
	}
	before := s.fingerprint(ctx)
	for _, name := range []string{
		"", " ", "a\nb", "a\x00", "a\xff", strings.Repeat("x", 51), "a/b", `a\b`, ".", "..", "cats.json", "cats.JSON", "\u2060", "\u202e",
	} {
		_, err := s.CreateList(ctx, anna, name)
		if invalid, is := errors.AsType[*InvalidError](err); !is || invalid.Field != "name" {
			t.Errorf("%q: %v, want an InvalidError of the name", name, err)
		}
	}
	for _, name := range []string{"cats", "CATS", "кошки"} {
		if _, err := s.CreateList(ctx, anna, name); !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "name: ") {
			t.Errorf("%q a second time: %v, want ErrTaken of the name", name, err)
		}
	}
	if _, err := s.CreateList(ctx, 99, "cats"); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("the lists of a visitor: %v", err)
	}
	if s.fingerprint(ctx) != before {
		t.Error("what was refused changed something")
	}
	s.list("bert", "cats") // each person has names of their own
	for _, name := range []string{"dogs", "", "\xff", "cats\x00"} {
		if _, _, err := s.FindList(ctx, anna, name); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q is found: %v", name, err)
		}
	}
}

func TestListChanges(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	s.group("bert", NewGroup{Name: "kitchen", DisplayName: "Kitchen", Status: statusPublic})
	ctx, anna := t.Context(), s.user("anna")
	seen := []Change{{Kind: ChangeViewer, User: anna}}
	var cats, dogs ListID
	s.same(seen, s.changesOf(func() { cats = s.list("anna", "cats") }))
	dogs = s.list("anna", "dogs")
	for _, feed := range []FeedName{{Name: "BERT"}, {Name: "kitchen"}, {Name: "anna"}, {Name: "anna", Private: true}} {
		s.same(seen, s.changesOf(func() { s.must(s.AddToList(ctx, anna, cats, feed)) }))
		s.same(nil, s.changesOf(func() { s.must(s.AddToList(ctx, anna, cats, feed)) }))
	}
	s.wantLists("anna", "cats: anna.user anna.user_private bert.user kitchen.group", "dogs:")
	sets := s.sets("anna").Lists[cats]
	want := map[TimelineID]bool{}
	for _, what := range []What{WhatUser, WhatUserLikes, WhatUserComments} {
		want[s.timeline(what, "bert")], want[s.timeline(what, "anna")] = true, true
	}
	want[s.feed(FeedName{Name: "kitchen"}).ID], want[s.timeline(WhatUserPrivate, "anna")] = true, true
	if diff := cmp.Diff(want, sets.Feeds); diff != "" || sets.Name != "cats" {
		t.Errorf("%s (-want +got):\n%s", sets.Name, diff)
	}

	s.same(nil, s.changesOf(func() { s.must(s.RenameList(ctx, anna, cats, "cats")) }))
	s.same(seen, s.changesOf(func() { s.must(s.RenameList(ctx, anna, cats, "Cats")) }))
	if err := s.RenameList(ctx, anna, cats, "DOGS"); !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "name: "+ErrTaken.Error()) {
		t.Errorf("the name of another of hers: %v", err)
	}
	if err := s.RenameList(ctx, anna, cats, "a/b"); err == nil {
		t.Error("a name that can't be")
	}
	s.same(seen, s.changesOf(func() { s.must(s.RemoveFromList(ctx, anna, cats, FeedName{Name: "bert"})) }))
	s.same(nil, s.changesOf(func() { s.must(s.RemoveFromList(ctx, anna, cats, FeedName{Name: "bert"})) }))
	s.must(s.RemoveFromList(ctx, anna, cats, FeedName{Name: "anna"}))
	s.wantLists("anna", "Cats: anna.user_private kitchen.group", "dogs:")

	// For another person the lists do not exist, and nothing changes.
	before := s.fingerprint(ctx)
	bert := s.user("bert")
	for what, err := range map[string]error{
		"rename":  s.RenameList(ctx, bert, cats, "mice"),
		"delete":  s.DeleteList(ctx, bert, cats),
		"add":     s.AddToList(ctx, bert, cats, FeedName{Name: "carl"}),
		"remove":  s.RemoveFromList(ctx, bert, cats, FeedName{Name: "kitchen"}),
		"no such": s.DeleteList(ctx, anna, cats+99),
	} {
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("%s another's: %v, want ErrNotFound", what, err)
		}
	}
	if s.fingerprint(ctx) != before {
		t.Error("what was refused changed something")
	}
	s.wantLists("bert")
	s.same(seen, s.changesOf(func() { s.must(s.DeleteList(ctx, anna, cats)) }))
	if err := s.DeleteList(ctx, anna, cats); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
	s.wantLists("anna", "dogs:")
	s.must(s.DeleteList(ctx, anna, dogs))
	if n := one[int](s, `select count(*) from list_members`); n != 0 {
		t.Errorf("%d feeds are left of lists", n)
	}
}

// TestListsHoldWhatMayBeRead: a list takes only feeds that its owner may read. A feed that its
// owner may no longer read stays in the list.
func TestListsHoldWhatMayBeRead(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "shut", "closed", "eyes", "banned", "banner", "out")
	ctx, anna := t.Context(), s.user("anna")
	s.group("bert", NewGroup{Name: "cellar", DisplayName: "Cellar", Status: statusPrivate})
	s.group("bert", NewGroup{Name: "kitchen", DisplayName: "Kitchen", Status: statusPublic})
	s.status("shut", statusPrivate)
	s.status("closed", statusPrivate)
	s.status("eyes", "fyeo")
	s.status("out", "protected")
	s.follow("anna", "shut")
	s.must(s.Ban(ctx, anna, "banned"))
	s.must(s.Ban(ctx, s.user("banner"), "anna"))
	s.must(s.Exclude(ctx, s.user("out"), FeedName{Name: "out"}, "anna"))
	cats := s.list("anna", "cats")
	for _, tt := range []struct {
		feed FeedName
		want error
	}{
		{FeedName{Name: "bert"}, nil},
		{FeedName{Name: "shut"}, nil},
		{FeedName{Name: "kitchen"}, nil},
		{FeedName{Name: "closed"}, ErrForbidden},
		{FeedName{Name: "bert", Private: true}, ErrForbidden},
		{FeedName{Name: "cellar"}, ErrForbidden},
		{FeedName{Name: "eyes"}, ErrForbidden},
		{FeedName{Name: "out"}, ErrForbidden},
		{FeedName{Name: "banned"}, ErrForbidden},
		{FeedName{Name: "banner"}, ErrNotFound},
		{FeedName{Name: "banner", Private: true}, ErrNotFound},
		{FeedName{Name: "no-such-name"}, ErrNotFound},
		{FeedName{Name: "\xff"}, ErrNotFound},
	} {
		if err := s.AddToList(ctx, anna, cats, tt.feed); !errors.Is(err, tt.want) {
			t.Errorf("%v: %v, want %v", tt.feed, err, tt.want)
		}
	}
	if _, is := errors.AsType[*InvalidError](s.AddToList(ctx, anna, cats, FeedName{Name: "kitchen", Private: true})); !is {
		t.Error("a group's private sub-feed was added")
	}
	s.wantLists("anna", "cats: bert.user kitchen.group shut.user")

	s.must(s.RemoveSubscriber(ctx, s.user("shut"), FeedName{Name: "shut"}, "anna"))
	sets, shut := s.sets("anna"), s.feed(FeedName{Name: "shut"})
	if list := sets.Lists[cats]; !list.Members[shut.ID] || !list.Feeds[shut.ID] || sets.Readable(shut) {
		t.Errorf("what she may not read any more: %+v", list)
	}
	s.wantLists("anna", "cats: bert.user kitchen.group shut.user")
	// A person who bans her disappears from her lists, until the ban ends.
	s.must(s.Ban(ctx, s.user("bert"), "anna"))
	s.wantLists("anna", "cats: kitchen.group shut.user")
	s.must(s.Unban(ctx, s.user("bert"), "anna"))
	s.wantLists("anna", "cats: bert.user kitchen.group shut.user")
	s.must(s.Ban(ctx, anna, "bert"))
	s.must(s.RemoveFromList(ctx, anna, cats, FeedName{Name: "bert"}))
	s.must(s.RemoveFromList(ctx, anna, cats, FeedName{Name: "shut"}))
	s.wantLists("anna", "cats: kitchen.group")

	s.exec(`update users set suspended_at = now() where id = $1`, anna)
	for what, err := range map[string]error{
		"add":    s.AddToList(ctx, anna, cats, FeedName{Name: "out"}),
		"remove": s.RemoveFromList(ctx, anna, cats, FeedName{Name: "kitchen"}),
		"rename": s.RenameList(ctx, anna, cats, "dogs"),
		"delete": s.DeleteList(ctx, anna, cats),
	} {
		if !errors.Is(err, ErrUnauthorized) {
			t.Errorf("%s while suspended: %v", what, err)
		}
	}
}

func TestListsHaveLimits(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx, anna := t.Context(), s.user("anna")
	cats := s.list("anna", "cats")
	s.exec(`insert into lists (user_id, name) select $1, 'list ' || n from generate_series(2, $2::int) n`, anna, maxLists)
	s.exec(`insert into timelines (what, their_id, access) select 'hashtag', n, 'public' from generate_series(1, $1::int) n`, maxListMembers)
	s.exec(`insert into list_members select $1, id from timelines where what = 'hashtag'`, cats)
	before := s.fingerprint(ctx)
	_, err := s.CreateList(ctx, anna, "one more")
	if invalid, is := errors.AsType[*InvalidError](err); !is || !strings.Contains(invalid.Reason, fmt.Sprint(maxLists)) {
		t.Errorf("one list more: %v", err)
	}
	err = s.AddToList(ctx, anna, cats, FeedName{Name: "bert"})
	if invalid, is := errors.AsType[*InvalidError](err); !is || !strings.Contains(invalid.Reason, fmt.Sprint(maxListMembers)) {
		t.Errorf("one feed more: %v", err)
	}
	if s.fingerprint(ctx) != before {
		t.Error("what was refused changed something")
	}
}

// TestListsMeanwhile runs two writes about one list at the same time, one of which waits for the other:
// a ban of the list's owner by a person, and that person's feed put on the list; the deletion of an
// account, and its feed put on the list; the deletion of the list, and a feed put on it.
func TestListsMeanwhile(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newSite(t, "anna")
	anna := s.user("anna")
	cats := s.list("anna", "cats")
	zoe := s.add("zoe")
	s.must(s.SetPassword(ctx, zoe, zoesPassword))
	s.add("bert")

	err := s.meanwhile(func(tx *txn) error {
		if err := lockPair(ctx, tx, s.user("bert"), anna, pairAlone); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `insert into bans (user_id, target_id, created_at) values ($1, $2, now())`, s.user("bert"), anna)
		return err
	}, func() error { return s.AddToList(ctx, anna, cats, FeedName{Name: "bert"}) })
	if !errors.Is(err, ErrNotFound) {
		t.Errorf("added while the person bans the list's owner: %v", err)
	}

	err = s.meanwhile(func(tx *txn) error {
		hash := one[string](s, `select password_hash from users where id = $1`, zoe)
		return s.deleteAccount(ctx, tx, zoe, hash)
	}, func() error { return s.AddToList(ctx, anna, cats, FeedName{Name: "zoe"}) })
	if !errors.Is(err, ErrForbidden) {
		t.Errorf("added while the person's account is deleted: %v", err)
	}
	s.runAccountJobs()

	s.add("carl")
	err = s.meanwhile(func(tx *txn) error {
		if err := lockList(ctx, tx, anna, cats); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `delete from lists where id = $1`, cats)
		return err
	}, func() error { return s.AddToList(ctx, anna, cats, FeedName{Name: "carl"}) })
	if !errors.Is(err, ErrNotFound) {
		t.Errorf("added to a list that ends: %v", err)
	}
	if n := one[int](s, `select count(*) from list_members`); n != 0 {
		t.Errorf("%d feeds are in no list", n)
	}
}
