package timeline

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// readers returns the accounts that may act and that may read something by the visibility rule,
// except but. Key 0 stands for readers without an account.
func (s *site) readers(but UserID, may func(*Sets) bool) map[UserID]bool {
	s.t.Helper()
	sn, err := s.Snapshot(s.t.Context())
	s.must(err)
	defer sn.Close()
	viewers := []UserID{0}
	for _, id := range s.people {
		viewers = append(viewers, id)
	}
	all, _, err := sn.Sets(s.t.Context(), viewers)
	s.must(err)
	readers := make(map[UserID]bool)
	for id, sets := range all {
		if (id == 0 || sets.MayAct()) && id != but && may(sets) {
			readers[id] = true
		}
	}
	return readers
}

// readersOf returns the readers of a post.
func (s *site) readersOf(author UserID, post PostID) map[UserID]bool {
	s.t.Helper()
	sn, err := s.Snapshot(s.t.Context())
	s.must(err)
	defer sn.Close()
	deciding, timelines, err := sn.AccessFacts(s.t.Context(), []PostID{post})
	s.must(err)
	return s.readers(author, func(sets *Sets) bool {
		return sets.MayRead(deciding[post], func(id TimelineID) (Timeline, bool) { t, ok := timelines[id]; return t, ok })
	})
}

// audienceOf returns the Audience for a change from one set of readers to another.
func audienceOf(before, after map[UserID]bool) Audience {
	a := Audience{Everybody: after[0], Opens: after[0] && !before[0], Closes: before[0] && !after[0]}
	for id := range after {
		if id != 0 {
			a.People++
			if !before[id] {
				a.Gain++
			}
		}
	}
	for id := range before {
		if id != 0 && !after[id] {
			a.Lose++
		}
	}
	return a
}

// randomSite makes a site with random relations between people.
func randomSite(t *testing.T, random *rand.Rand) (s *site, names, groups []string) {
	t.Helper()
	s = newSite(t)
	for i := range 14 {
		names = append(names, fmt.Sprintf("person%d", i))
		s.add(names[i])
	}
	for i := range 4 {
		groups = append(groups, fmt.Sprintf("group%d", i))
		status := []string{statusPublic, statusProtected, statusPrivate, statusPrivate}[random.IntN(4)]
		s.group(names[0], NewGroup{Name: groups[i], Status: status, Posting: postingAnybody})
	}
	statuses := []string{statusPublic, statusDisallowRobots, statusProtected, statusPrivate, statusFYEO}
	for _, name := range names {
		s.status(name, statuses[random.IntN(len(statuses))])
	}
	// Insert with SQL: the rules of the store would prevent some of these rows.
	const some = `random() < $1`
	s.exec(`select setseed($1)`, random.Float64()*2-1)
	s.exec(`insert into subscriptions (user_id, timeline_id)
		select u.id, t.id from users u, timelines t
		where t.what in ('user', 'user_private', 'group') and (t.what = 'group' or t.their_id <> u.id) and `+some+` on conflict do nothing`, 0.4)
	s.exec(`insert into timeline_excluded
		select t.id, u.id from users u, timelines t
		where t.what in ('user', 'user_private', 'group') and (t.what = 'group' or t.their_id <> u.id) and `+some, 0.15)
	s.exec(`insert into bans select a.id, b.id from users a, users b where a.id <> b.id and `+some, 0.08)
	s.exec(`update users set suspended_at = now() where id > 1 and `+some, 0.1)
	return s, names, groups
}

// TestAudienceIsWhoMayRead makes random sites, asks for the audience of a change, makes the
// change, and compares with what the visibility rule says of each account.
func TestAudienceIsWhoMayRead(t *testing.T) {
	long(t)
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 3))
			s, names, groups := randomSite(t, random)
			ctx := t.Context()
			places := func() []string {
				switch random.IntN(8) {
				case 0:
					return []string{"user_fyeo"}
				case 1:
					return []string{"direct:" + names[random.IntN(len(names))], "direct:" + names[random.IntN(len(names))]}
				}
				var to []string
				for _, place := range append([]string{"user", "user_private"}, groups...) {
					if place != "user" && random.IntN(3) == 0 || place == "user" && random.IntN(2) == 0 {
						if _, isGroup := s.groupNamed(place); isGroup {
							place = "group:" + place
						}
						to = append(to, place)
					}
				}
				return append(to, "user_private")
			}
			done := 0
			for range 60 {
				author := s.user(names[random.IntN(len(names))])
				to := places()
				got, refused := s.AudienceOfPost(ctx, author, 0, to)
				post, err := s.CreatePost(ctx, author, NewPost{To: to, Text: "x"})
				sameRefusal(t, refused, err)
				if err != nil {
					continue
				}
				now := s.readersOf(author, post)
				if diff := gocmp.Diff(audienceOf(nil, now), got); diff != "" {
					t.Errorf("a new post of user %d to %q (-want +got):\n%s", author, to, diff)
				}
				to = places()
				got, refused = s.AudienceOfPost(ctx, author, post, to)
				err = s.EditPost(ctx, author, post, PostEdit{To: to})
				sameRefusal(t, refused, err)
				if err != nil {
					continue
				}
				if diff := gocmp.Diff(audienceOf(now, s.readersOf(author, post)), got); diff != "" {
					t.Errorf("a post of user %d moved to %q (-want +got):\n%s", author, to, diff)
				}
				done++
			}
			if done < 2 {
				t.Errorf("only %d posts were moved", done)
			}
			for _, name := range append(names, groups...) {
				s.flip(name, random)
			}
		})
	}
}

// flip asks for the audience of a feed with another status, sets the status, and compares.
func (s *site) flip(name string, random *rand.Rand) {
	s.t.Helper()
	ctx := s.t.Context()
	keeper, person := s.people[name]
	what, their := WhatUser, int64(keeper)
	if !person {
		group, _ := s.groupNamed(name)
		keeper, what, their = s.user("person0"), WhatGroup, int64(group)
	}
	readers := func() map[UserID]bool {
		var t Timeline
		s.must(s.db.Pool.QueryRow(ctx, `select id, what, their_id, access from timelines where what = $1 and their_id = $2`, what, their).
			Scan(&t.ID, &t.What, &t.TheirID, &t.Access))
		return s.readers(keeper, func(sets *Sets) bool { return sets.Readable(t) })
	}
	for range 3 {
		status := []string{statusPublic, statusDisallowRobots, statusProtected, statusPrivate, statusFYEO, StatusDeleted, ""}[random.IntN(7)]
		before := readers()
		got, refused := s.AudienceOfStatus(ctx, keeper, name, status)
		var err error
		if person {
			err = s.SetProfile(ctx, keeper, ProfileEdit{Status: &status})
		} else {
			err = s.EditGroup(ctx, keeper, name, GroupEdit{Status: &status})
		}
		if one[bool](s, `select suspended_at is not null from users where id = $1`, keeper) {
			if !errors.Is(refused, ErrUnauthorized) {
				s.t.Errorf("a suspended person asks: %v", refused)
			}
			continue
		}
		sameRefusal(s.t, refused, err)
		if err != nil {
			continue
		}
		if diff := gocmp.Diff(audienceOf(before, readers()), got); diff != "" {
			s.t.Errorf("%s as %s (-want +got):\n%s", name, status, diff)
		}
	}
}

// groupNamed returns the id of a group.
func (s *site) groupNamed(name string) (GroupID, bool) {
	s.t.Helper()
	id := one[GroupID](s, `select coalesce((select id from groups where name = $1), 0)`, name)
	return id, id != 0
}

// sameRefusal reports whether the question and the change were refused alike.
func sameRefusal(t testing.TB, asked, did error) {
	t.Helper()
	reason := func(err error) string {
		invalid, is := errors.AsType[*InvalidError](err)
		for _, known := range []error{nil, ErrNotFound, ErrForbidden, ErrUnauthorized} {
			if errors.Is(err, known) {
				return fmt.Sprint(known)
			}
		}
		if is {
			return invalid.Error()
		}
		return "a fault: " + err.Error()
	}
	if reason(asked) != reason(did) {
		t.Errorf("asked: %v, did: %v", asked, did)
	}
}

func TestAudienceIsRefusedToOthers(t *testing.T) {
	t.Parallel()
	s := newVillage(t)
	ctx := t.Context()
	post := s.post("anna")
	secret := s.post("anna", "user_fyeo")
	for _, tt := range []struct {
		name string
		ask  func() (Audience, error)
		want error
	}{
		{"a visitor, of a post", func() (Audience, error) { return s.AudienceOfPost(ctx, 0, 0, []string{"user"}) }, ErrUnauthorized},
		{"another, of a post", func() (Audience, error) { return s.AudienceOfPost(ctx, s.user("bert"), post, []string{"user"}) }, ErrForbidden},
		{"another person, of a post that they can't read", func() (Audience, error) { return s.AudienceOfPost(ctx, s.user("bert"), secret, []string{"user"}) }, ErrNotFound},
		{"of a group that is not hers", func() (Audience, error) { return s.AudienceOfPost(ctx, s.user("bert"), 0, []string{"group:kitchen"}) }, ErrForbidden},
		{"a visitor, of a status", func() (Audience, error) { return s.AudienceOfStatus(ctx, 0, "anna", "public") }, ErrUnauthorized},
		{"another, of a status", func() (Audience, error) { return s.AudienceOfStatus(ctx, s.user("bert"), "anna", "public") }, ErrForbidden},
		{"a member, of a group's", func() (Audience, error) { return s.AudienceOfStatus(ctx, s.user("anna"), "kitchen", "public") }, ErrForbidden},
		{"of an unknown name", func() (Audience, error) { return s.AudienceOfStatus(ctx, s.user("anna"), "xyz", "public") }, ErrNotFound},
	} {
		if _, err := tt.ask(); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	a, err := s.AudienceOfStatus(ctx, s.user("anna"), "", statusPrivate)
	if want := (Audience{People: 1, Lose: 3, Closes: true}); err != nil || a != want {
		t.Errorf("her own feed: %+v, %v, want %+v", a, err, want)
	}
}
