package timeline

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"
)

// newMailSite makes a site that sends mail, with people who have addresses.
func newMailSite(t *testing.T, names ...string) *site {
	t.Helper()
	s := newSite(t, names...)
	s.mails = true
	_, err := s.db.Pool.Exec(t.Context(), `update users set email = name || '@example.org'`)
	s.must(err)
	return s
}

// queued returns how many mails are in a state.
func (s *site) queued(state string) int {
	return one[int](s, fmt.Sprintf(`select count(*) from mails where state = '%s'`, state))
}

// clientFrom returns a client of a network of its own.
func clientFrom(n int) Client {
	return Client{Network: netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(n >> 8), byte(n)}), 32)}
}

// TestMailLinkFindsTheAccount: a request for a link queues one mail, by the name and by the address of an account; none if there is no such account,
// if it is closed, or if it has no address. A stranger can't tell the difference.
func TestMailLinkFindsTheAccount(t *testing.T) {
	t.Parallel()
	s := newMailSite(t, "anna", "bert", "carl", "dirk")
	for query, name := range map[string]string{
		`update users set suspended_at = now() where id = $1`: "bert", `update users set status = 'deleted' where id = $1`: "carl", `update users set email = null where id = $1`: "dirk",
	} {
		_, err := s.db.Pool.Exec(t.Context(), query, s.user(name))
		s.must(err)
	}
	for n, login := range []string{"bert", "carl", "dirk", "dirk@example.org", "nobody", "nobody@example.org", "' or true --"} {
		s.must(s.MailLink(t.Context(), login, clientFrom(n)))
	}
	if n := s.queued("queued"); n != 0 {
		t.Fatalf("%d mails for accounts that can't sign in or have no address", n)
	}
	for n, login := range []string{"anna", " Anna@EXAMPLE.org ", "ANNA"} {
		s.must(s.MailLink(t.Context(), login, clientFrom(n)))
	}
	if n := s.queued("queued"); n != 1 {
		t.Fatalf("three requests before the first mail was sent queue %d mails, want 1", n)
	}
	lease, err := s.TakeMail(t.Context(), time.Minute)
	s.must(err)
	if lease.User != s.user("anna") || lease.Name != "anna" || lease.Kind != MailSignIn || lease.Address != "anna@example.org" || lease.Message == "" || lease.Take != 1 || !lease.CreatedAt.Equal(s.clock) {
		t.Errorf("the mail is %+v", lease)
	}
	for _, login := range []string{"", "  ", "a\x00b", "a\xffb"} {
		if _, invalid := errors.AsType[*InvalidError](s.MailLink(t.Context(), login, clientFrom(1))); !invalid {
			t.Errorf("the login %q is accepted", login)
		}
	}
}

// TestMailLinkIsThrottled: three links in a row for a login, from everywhere; ten from a network. What is refused queues no mail.
func TestMailLinkIsThrottled(t *testing.T) {
	t.Parallel()
	s := newMailSite(t, "anna")
	for n := range 3 {
		s.must(s.MailLink(t.Context(), "anna", clientFrom(n)))
		lease, err := s.TakeMail(t.Context(), time.Minute)
		s.must(err)
		s.must(s.FinishMail(t.Context(), *lease, 0))
	}
	if err := s.MailLink(t.Context(), "anna", clientFrom(100)); !errors.Is(err, ErrThrottled) || s.queued("queued") != 0 {
		t.Errorf("a fourth: %v, and %d mails are queued", err, s.queued("queued"))
	}
	s.wait(20 * time.Minute)
	s.must(s.MailLink(t.Context(), "anna", clientFrom(100)))
	for n := range 10 {
		s.must(s.MailLink(t.Context(), fmt.Sprint("nobody", n), clientFrom(500)))
	}
	if err := s.MailLink(t.Context(), "nobody", clientFrom(500)); !errors.Is(err, ErrThrottled) {
		t.Errorf("an eleventh of a network: %v, want %v", err, ErrThrottled)
	}
	wide := Client{Network: netip.MustParsePrefix("2001:db8:1:1::/64")}
	for n := range 40 {
		wide.Network = netip.PrefixFrom(netip.MustParseAddr(fmt.Sprintf("2001:db8:1:%x::", n)), 64)
		s.must(s.MailLink(t.Context(), fmt.Sprint("another", n), wide))
	}
	if err := s.MailLink(t.Context(), "nobody else", Client{Network: netip.MustParsePrefix("2001:db8:1:ffff::/64")}); !errors.Is(err, ErrThrottled) {
		t.Errorf("a forty-first of a wide network: %v, want %v", err, ErrThrottled)
	}
}

// TestMailHasOneWorker: a mail is taken by one worker at a time. A worker whose lease is over changes nothing any more.
func TestMailHasOneWorker(t *testing.T) {
	t.Parallel()
	s := newMailSite(t, "anna")
	ctx := t.Context()
	take := func() *MailLease {
		t.Helper()
		lease, err := s.TakeMail(ctx, time.Minute)
		s.must(err)
		return lease
	}
	s.must(s.MailLink(ctx, "anna", Client{}))
	first := take()
	if again := take(); again != nil {
		t.Fatalf("a second worker is given %+v", again)
	}
	s.wait(time.Minute)
	second := take()
	if second == nil || second.Take != 2 || second.Message != first.Message {
		t.Fatalf("when the lease is over another worker is given %+v", second)
	}
	s.must(s.FinishMail(ctx, *first, 0))
	s.must(s.FailMail(ctx, *first, "late", 0, true))
	s.must(s.DropMail(ctx, *first))
	if s.queued("queued") != 1 {
		t.Fatal("a worker whose lease is over changed the mail")
	}
	s.must(s.FailMail(ctx, *second, "away", time.Hour, false))
	if early := take(); early != nil {
		t.Errorf("before the next try a worker is given %+v", early)
	}
	s.wait(time.Hour)
	third := take()
	s.must(s.FailMail(ctx, *third, "gone", 0, true))
	if s.queued("failed") != 1 || take() != nil {
		t.Error("a mail that was given up is tried again")
	}
	s.must(s.PrunePrimary(ctx, Ages{}))
	if s.queued("failed") != 1 {
		t.Error("a mail is pruned at once")
	}
	s.wait(31 * 24 * time.Hour)
	s.must(s.PrunePrimary(ctx, Ages{}))
	if s.queued("failed") != 0 {
		t.Error("a mail stays for more than a month")
	}
}

// TestChangedPasswordQueuesAMail, on a site that sends mail, to a person with an address.
func TestChangedPasswordQueuesAMail(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		mails   bool
		address any
		want    int
	}{{"a site with mail", true, "anna@example.org", 1}, {"a site without mail", false, "anna@example.org", 0}, {"a person without an address", true, nil, 0}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, "anna")
			s.mails = test.mails
			_, err := s.db.Pool.Exec(t.Context(), `update users set email = $1`, test.address)
			s.must(err)
			bell, stop := s.ListenMails()
			defer stop()
			s.must(s.SetPassword(t.Context(), s.user("anna"), "another horse"))
			<-bell
			if n := s.queued("queued"); n != test.want {
				t.Errorf("%d mails are queued, want %d", n, test.want)
			}
		})
	}
}

// TestForgotLastsAnHour: only a session that began by a link stands for the password, and only for an hour.
func TestForgotLastsAnHour(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	link, err := s.NewLink(t.Context(), s.user("anna"))
	s.must(err)
	byLink, err := s.UseLink(t.Context(), link, true, "")
	s.must(err)
	byPassword, err := s.NewSession(t.Context(), s.user("anna"), true, "")
	s.must(err)
	for _, test := range []struct {
		session string
		after   time.Duration
		want    bool
	}{{byLink, 0, true}, {byPassword, 0, false}, {byLink, 59 * time.Minute, true}, {byLink, time.Minute, false}} {
		s.wait(test.after)
		who, err := s.Session(t.Context(), test.session)
		s.must(err)
		if got := who.Forgot(s.clock); got != test.want {
			t.Errorf("at %v, by a link: %v; may set a password: %v, want %v", s.clock, test.session == byLink, got, test.want)
		}
	}
}
