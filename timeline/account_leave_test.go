package timeline

import (
	"errors"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

// leaving returns the error of a sign-in by the right password, which must be a [LeavingError].
func (s *site) leaving(name string) *LeavingError {
	s.t.Helper()
	_, err := s.SignIn(s.t.Context(), name, zoesPassword, Client{}, true, "")
	leaving, is := errors.AsType[*LeavingError](err)
	if !is || !errors.Is(err, ErrUnauthorized) {
		s.t.Fatalf("the sign-in of a person who deleted the account: %v", err)
	}
	return leaving
}

// TestComingBackShowsAll deletes Zoe's account, who has written and liked in every way; she comes back on the last day.
func TestComingBackShowsAll(t *testing.T) {
	long(t)
	t.Parallel()
	s := newCircle(t, 120) // more than a chunk of each kind
	ctx, zoe := t.Context(), s.user("zoe")
	before, named := s.unchanged(), s.namesOf(zoe)
	s.must(s.DeleteAccount(ctx, zoe, zoesPassword))
	s.runAccountJobs()
	if left := s.namesOf(zoe); left != 0 {
		t.Errorf("the folds name Zoe %d times", left)
	}
	s.checkPosts()
	s.audit()
	s.wait(ComeBackDays*24*time.Hour - time.Minute)
	s.must(s.EraseAccounts(ctx))
	session, err := s.ComeBack(ctx, s.leaving("zoe").Secret, "")
	s.must(err)
	if who, err := s.Session(ctx, session); err != nil || who.User != zoe {
		t.Errorf("her session is of %+v, %v", who, err)
	}
	s.runAccountJobs()
	if diff := gocmp.Diff(before, s.unchanged()); diff != "" {
		t.Errorf("after Zoe came back (-before +after):\n%s", diff)
	}
	if now := s.namesOf(zoe); now != named {
		t.Errorf("the folds name Zoe %d times, %d times before", now, named)
	}
	s.wait(time.Hour)
	s.must(s.EraseAccounts(ctx))
	if _, err := s.SignIn(ctx, "zoe", zoesPassword, Client{}, true, ""); err != nil {
		t.Errorf("she signs in after the time is over: %v", err)
	}
	s.checkPosts()
	s.audit()
}

// TestLeaving: a person who deleted the account signs in to come back, and to nothing else; after the time is over, not at all.
func TestLeaving(t *testing.T) {
	t.Parallel()
	s := newCircle(t, 1)
	ctx, zoe := t.Context(), s.user("zoe")
	s.must(s.DeleteAccount(ctx, zoe, zoesPassword))
	erased := s.db.Now().AddDate(0, 0, ComeBackDays)
	first := s.leaving("zoe")
	if !first.EraseAt.Equal(erased) {
		t.Errorf("to be erased at %v, not %v", first.EraseAt, erased)
	}
	if at, err := s.Leaving(ctx, zoe); err != nil || !at.Equal(erased) {
		t.Errorf("to be erased at %v, %v", at, err)
	}
	if _, err := s.SignIn(ctx, "zoe", "wrong horse", Client{}, true, ""); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a wrong password: %v", err)
	} else if leaving, is := errors.AsType[*LeavingError](err); is {
		t.Errorf("a wrong password tells of the deletion: %v", leaving)
	}
	if _, err := s.UseLink(ctx, first.Secret, true, ""); !errors.As(err, new(*LeavingError)) {
		t.Errorf("to sign in by the link: %v", err)
	}
	if _, err := s.SignUp(ctx, NewUser{Name: "zoe", Email: "other@example.org", NoPassword: true}); !errors.Is(err, ErrTaken) {
		t.Errorf("another person takes the name: %v", err)
	}
	if _, err := s.ComeBack(ctx, newSecret(), ""); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("to come back by an unknown link: %v", err)
	}
	_, err := s.ComeBack(ctx, first.Secret, "")
	s.must(err)
	if _, err := s.ComeBack(ctx, first.Secret, ""); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("to come back twice: %v", err)
	}

	// A link for signing in, made before, does not bring a person back.
	s.wait(time.Hour)
	s.must(s.DeleteAccount(ctx, zoe, zoesPassword))
	again := s.leaving("zoe")
	if !again.EraseAt.After(erased) {
		t.Errorf("deleted again, and to be erased at %v", again.EraseAt)
	}
	s.wait(ComeBackDays*24*time.Hour - time.Second)
	last := s.leaving("zoe")
	s.wait(time.Second)
	if _, err := s.ComeBack(ctx, last.Secret, ""); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("to come back when the time is over: %v", err)
	}
	s.must(s.EraseAccounts(ctx))
	s.must(s.EraseAccounts(ctx))
	s.runAccountJobs()
	if _, err := s.SignIn(ctx, "zoe", zoesPassword, Client{}, true, ""); !errors.Is(err, ErrUnauthorized) || errors.As(err, new(*LeavingError)) {
		t.Errorf("to sign in when the account is erased: %v", err)
	}
	if _, err := s.SignUp(ctx, NewUser{Name: "zoe", Email: "other@example.org", NoPassword: true}); !errors.Is(err, ErrTaken) {
		t.Errorf("another person takes the name later: %v", err)
	}
	s.audit()
}

// TestSuspendedWhileLeaving: an administrator suspends a person who deleted the account. The person can't come back until the
// suspension ends, and the account is erased when it was to be.
func TestSuspendedWhileLeaving(t *testing.T) {
	t.Parallel()
	s := newCircle(t, 1)
	ctx, zoe, anna := t.Context(), s.user("zoe"), s.user("anna")
	s.exec(`update users set admin = true where id = $1`, anna)
	suspended := func() int {
		all, err := s.Suspensions(ctx, anna, 10)
		s.must(err)
		return len(all)
	}
	before := s.unchanged()
	s.must(s.DeleteAccount(ctx, zoe, zoesPassword))
	s.must(s.RestorePerson(ctx, anna, "zoe")) // she is not suspended
	secret := s.leaving("zoe").Secret
	if n := suspended(); n != 0 {
		t.Errorf("%d suspensions of a person who deleted the account", n)
	}
	s.must(s.SuspendPerson(ctx, anna, "zoe", "spam", 3))
	s.must(s.SuspendPerson(ctx, anna, "zoe", "spam", 3))
	if n := suspended(); n != 1 {
		t.Errorf("%d suspensions", n)
	}
	if _, err := s.SignIn(ctx, "zoe", zoesPassword, Client{}, true, ""); !errors.Is(err, ErrSuspended) {
		t.Errorf("the sign-in while suspended: %v", err)
	}
	if _, err := s.ComeBack(ctx, secret, ""); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("to come back while suspended: %v", err)
	}
	s.wait(4 * 24 * time.Hour)
	s.must(s.EndSuspensions(ctx))
	s.runAccountJobs()
	s.audit()
	if left := s.namesOf(zoe); left != 0 {
		t.Errorf("the folds name Zoe %d times after the suspension", left)
	}
	_, err := s.ComeBack(ctx, s.leaving("zoe").Secret, "")
	s.must(err)
	s.runAccountJobs()
	if diff := gocmp.Diff(before, s.unchanged()); diff != "" {
		t.Errorf("after Zoe came back (-before +after):\n%s", diff)
	}

	s.must(s.DeleteAccount(ctx, zoe, zoesPassword))
	s.must(s.SuspendPerson(ctx, anna, "zoe", "spam", 0))
	s.wait(ComeBackDays * 24 * time.Hour)
	s.must(s.EraseAccounts(ctx))
	s.runAccountJobs()
	if n := suspended(); n != 0 {
		t.Errorf("%d suspensions of an erased account", n)
	}
	if status := one[string](s, `select status from users where id = $1`, zoe); status != StatusDeleted {
		t.Errorf("the status is %q", status)
	}
	s.audit()
}

// TestGroupsOfADeletedAccount: the longest-standing member who can act takes over a group, and a group without one is closed when
// the account is erased.
func TestGroupsOfADeletedAccount(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl", "dora")
	ctx, anna := t.Context(), s.user("anna")
	s.must(s.SetPassword(ctx, anna, zoesPassword))
	for _, name := range []string{"shared", "kitchen", "empty"} {
		s.group("anna", NewGroup{Name: name})
	}
	s.follow("dora", "kitchen")
	s.wait(time.Minute)
	s.follow("carl", "kitchen")
	s.wait(time.Minute)
	s.follow("bert", "kitchen")
	s.follow("bert", "shared")
	s.must(s.AddAdmin(ctx, anna, "shared", "bert"))
	s.must(s.Suspend(ctx, s.user("dora")))
	s.runAccountJobs()
	group := func(name string) GroupID { return one[GroupID](s, `select id from groups where name = $1`, name) }
	left, err := s.GroupsLeft(ctx, anna)
	s.must(err)
	if diff := gocmp.Diff([]GroupLeft{{group("kitchen"), s.user("carl")}, {group("empty"), 0}}, left); diff != "" {
		t.Errorf("the groups that Anna leaves (-want +got):\n%s", diff)
	}
	post := s.post("anna", "group:empty")
	s.must(s.DeleteAccount(ctx, anna, zoesPassword))
	if admins, err := s.Admins(ctx, 0, "kitchen"); err != nil || len(admins) != 2 {
		t.Errorf("administrators of the kitchen: %v, %v", admins, err)
	}
	s.must(s.RemoveAdmin(ctx, s.user("carl"), "kitchen", "anna"))
	if _, err := s.Lookup(ctx, "empty"); err != nil {
		t.Errorf("the group without other members, meanwhile: %v", err)
	}
	_, err = s.ComeBack(ctx, s.leaving("anna").Secret, "")
	s.must(err)
	s.runAccountJobs()
	if _, err := s.FindPost(ctx, s.user("bert"), post); err != nil {
		t.Errorf("the post in the group, after she came back: %v", err)
	}

	s.endAccount(anna)
	s.runAccountJobs()
	if _, err := s.Lookup(ctx, "empty"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the group without members: %v", err)
	}
	if admins, err := s.Admins(ctx, 0, "shared"); err != nil || len(admins) != 1 {
		t.Errorf("administrators of the shared group: %v, %v", admins, err)
	}
	s.checkPosts()
	s.audit()
}

// TestHeirsWhoGo: whoever takes over a group may delete the account as well, so that the next member takes over.
func TestHeirsWhoGo(t *testing.T) {
	t.Parallel()
	s := newSite(t, "boss", "anna", "bert", "carl")
	s.exec(`update users set admin = name = 'boss'`)
	s.group("anna", NewGroup{Name: "kitchen"})
	for _, name := range []string{"bert", "carl"} {
		s.wait(time.Minute)
		s.follow(name, "kitchen")
	}
	for _, name := range []string{"anna", "bert", "carl"} {
		s.must(s.SetPassword(t.Context(), s.user(name), zoesPassword))
		s.must(s.DeleteAccount(t.Context(), s.user(name), zoesPassword))
		s.runAccountJobs()
		s.audit()
	}
	s.wait(ComeBackDays * 24 * time.Hour)
	s.must(s.EraseAccounts(t.Context()))
	s.runAccountJobs()
	s.audit()
	if status := one[string](s, `select status from groups`); status != StatusDeleted {
		t.Errorf("the status of a group without members is %q", status)
	}
}

// TestDeletionIsMailed: a person with a confirmed address is told when the account is erased; others are not.
func TestDeletionIsMailed(t *testing.T) {
	t.Parallel()
	s := newMailSite(t, "anna")
	ctx, anna := t.Context(), s.user("anna")
	s.must(s.SetPassword(ctx, anna, zoesPassword))
	s.exec(`delete from mails`)
	s.exec(`update users set email = 'anna@example.org', email_confirmed_at = null, admin = false`)
	count := func() int { return one[int](s, `select count(*) from mails where kind = 'leaving'`) }
	s.must(s.DeleteAccount(ctx, anna, zoesPassword))
	if n := count(); n != 0 {
		t.Errorf("%d mails to an address that is not confirmed", n)
	}
	_, err := s.ComeBack(ctx, s.leaving("anna").Secret, "")
	s.must(err)
	s.exec(`update users set email_confirmed_at = now()`)
	s.must(s.DeleteAccount(ctx, anna, zoesPassword))
	if n := count(); n != 1 {
		t.Errorf("%d mails", n)
	}
	s.must(s.MailLink(ctx, "anna", Client{}))
	if n := one[int](s, `select count(*) from mails where kind = 'sign_in'`); n != 1 {
		t.Errorf("%d links for a person who forgot the password", n)
	}
}
