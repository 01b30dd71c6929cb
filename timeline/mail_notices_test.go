package timeline

import (
	"errors"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the test knows the time zones everywhere
)

// confirmed confirms the addresses of people.
func (s *site) confirmed(names ...string) {
	s.t.Helper()
	for _, name := range names {
		s.must(s.confirm(name, name+"@example.org"))
	}
	s.kinds()
}

// toMail returns the ids of the posts of the notices that a mail would tell of, the newest first.
func (s *site) toMail(name string) (posts []PostID, upto int64) {
	s.t.Helper()
	p, upto, err := s.NoticesToMail(s.t.Context(), s.user(name))
	s.must(err)
	for _, n := range p.Notices {
		posts = append(posts, n.Post)
	}
	return posts, upto
}

// dueMails queues the mails about notices that are due, and returns who gets one.
func (s *site) dueMails() map[string]string {
	s.t.Helper()
	for more := true; more; {
		var err error
		more, err = s.QueueNoticeMails(s.t.Context(), 2)
		s.must(err)
	}
	return s.kinds()
}

// TestNoticeMailsAreQueuedWhenDue: a person with a confirmed address gets a mail when it is due, if there is an unread notice that no mail
// has told of, and not otherwise.
func TestNoticeMailsAreQueuedWhenDue(t *testing.T) {
	t.Parallel()
	s := newMailSite(t, "anna", "bert", "carl", "dirk", "emma", "fred")
	ctx := t.Context()
	post := s.post("anna")
	s.comment("bert", post) // before the address is confirmed
	s.confirmed("anna", "carl", "dirk", "emma", "fred")
	s.must(s.SetMailWish(ctx, s.user("anna"), MailWish{Often: MailSoon}))
	s.must(s.SetMailWish(ctx, s.user("dirk"), MailWish{Often: MailNever}))
	s.wait(25 * time.Hour)
	wantKinds(t, "notices from before the confirmation", s.dueMails(), nil)

	for _, name := range []string{"anna", "dirk", "emma", "bert"} { // carl and fred get none
		s.comment("fred", s.post(name))
	}
	s.must(s.Suspend(ctx, s.user("emma")))
	s.wait(time.Minute)
	wantKinds(t, "a fresh notice", s.dueMails(), nil)
	s.wait(10 * time.Minute)
	wantKinds(t, "a notice of ten minutes ago", s.dueMails(), map[string]string{"notices anna": "anna@example.org"})
	s.wait(10 * time.Minute)
	wantKinds(t, "a mail that was not noted as sent", s.dueMails(), map[string]string{"notices anna": "anna@example.org"})
	_, upto := s.toMail("anna")
	_, err := s.db.Pool.Exec(ctx, `update mails set state = 'queued', ended_at = null where kind = 'notices'`)
	s.must(err)
	lease, err := s.TakeMail(ctx, time.Minute)
	s.must(err)
	s.must(s.FinishMail(ctx, *lease, upto))
	s.kinds()
	s.wait(10 * time.Minute)
	wantKinds(t, "after the mail", s.dueMails(), nil)

	s.comment("carl", post)
	s.must(s.ReadNoticesOf(ctx, s.user("anna"), post))
	s.wait(10 * time.Minute)
	wantKinds(t, "a notice that was read", s.dueMails(), nil)
}

// TestMailTellsOnlyWhatItsReaderMaySee: a mail tells of the unread notices that the reader may see at that moment, once each.
func TestMailTellsOnlyWhatItsReaderMaySee(t *testing.T) {
	t.Parallel()
	s := newMailSite(t, "anna", "bert", "carl")
	ctx := t.Context()
	s.confirmed("anna")
	s.must(s.SetMailWish(ctx, s.user("anna"), MailWish{Often: MailSoon}))
	own := s.post("anna")
	s.comment("bert", own)
	s.comment("carl", own)
	direct := s.post("bert", "direct:anna")
	mention, err := s.CreatePost(ctx, s.user("carl"), NewPost{To: []string{"user"}, Text: "hello @anna"})
	s.must(err)
	wantPosts := func(what string, want ...PostID) {
		t.Helper()
		got, _ := s.toMail("anna")
		if len(got) != len(want) {
			t.Errorf("%s: a mail tells of %v, want %v", what, got, want)
			return
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: a mail tells of %v, want %v", what, got, want)
				return
			}
		}
	}
	wantPosts("at once") // a lower id may still be committed
	s.wait(2 * time.Minute)
	wantPosts("at first", mention, direct, own, own)
	s.must(s.SetProfile(ctx, s.user("carl"), ProfileEdit{Status: new("private")}))
	wantPosts("when a feed is private", direct, own, own)
	s.must(s.Ban(ctx, s.user("anna"), "bert"))
	wantPosts("across a ban", own)
	s.must(s.Unban(ctx, s.user("anna"), "bert"))
	s.must(s.ReadNoticesOf(ctx, s.user("anna"), direct))
	wantPosts("when one was read", own, own)
	_, upto := s.toMail("anna")
	s.dueMails()
	_, err = s.db.Pool.Exec(ctx, `update users set mailed_upto = $1 where name = 'anna'`, upto)
	s.must(err)
	wantPosts("after a mail")
	s.comment("bert", own)
	s.wait(2 * time.Minute)
	wantPosts("a new one", own)
	s.must(s.SetMailWish(ctx, s.user("anna"), MailWish{Often: MailNever}))
	if _, _, err := s.NoticesToMail(ctx, s.user("anna")); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a person who wants no mail: %v, want %v", err, ErrUnauthorized)
	}
}

// TestMailWishNext checks when the next mail is due, on days when clocks change too.
func TestMailWishNext(t *testing.T) {
	t.Parallel()
	const zone = "Europe/Amsterdam"
	for _, test := range []struct {
		wish  MailWish
		after string
		want  string
	}{
		{MailWish{MailSoon, 8}, "2026-11-26T10:00:00Z", "2026-11-26T10:03:00Z"},
		{MailWish{MailHourly, 8}, "2026-11-26T10:00:00Z", "2026-11-26T10:05:00Z"},
		{MailWish{MailHourly, 8}, "2026-11-26T10:05:00Z", "2026-11-26T11:05:00Z"},
		{MailWish{MailDaily, 8}, "2026-11-26T07:04:59Z", "2026-11-26T07:05:00Z"},
		{MailWish{MailDaily, 8}, "2026-11-26T07:05:00Z", "2026-11-27T07:05:00Z"},
		{MailWish{MailDaily, 8}, "2026-03-28T12:00:00Z", "2026-03-29T06:05:00Z"}, // summer time began in between
		{MailWish{MailDaily, 8}, "2026-10-24T12:00:00Z", "2026-10-25T07:05:00Z"}, // and ended
		{MailWish{MailDaily, 2}, "2026-03-29T00:30:00Z", "2026-03-29T01:05:00Z"}, // an hour that this day does not have
		{MailWish{MailDaily, 0}, "2026-12-31T12:00:00Z", "2026-12-31T23:05:00Z"}, // at midnight of the new year there
		{MailWish{MailWeekly, 8}, "2026-11-26T10:00:00Z", "2026-11-30T07:05:00Z"},
		{MailWish{MailWeekly, 8}, "2026-11-30T07:05:00Z", "2026-12-07T07:05:00Z"},
	} {
		after, err := time.Parse(time.RFC3339, test.after)
		if err != nil {
			t.Fatal(err)
		}
		if got := test.wish.next(5, after, zone).UTC().Format(time.RFC3339); got != test.want {
			t.Errorf("%v after %s: %s, want %s", test.wish, test.after, got, test.want)
		}
	}
	after := time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)
	if got := (MailWish{MailDaily, 11}).next(5, after, "Nowhere/At_All").UTC(); !got.Equal(time.Date(2026, 11, 26, 11, 5, 0, 0, time.UTC)) {
		t.Errorf("in an unknown time zone: %v", got)
	}
}

// TestMailWishIsChecked: a wish that does not exist changes nothing.
func TestMailWishIsChecked(t *testing.T) {
	t.Parallel()
	s := newMailSite(t, "anna")
	ctx := t.Context()
	if got, err := s.MailWish(ctx, s.user("anna")); err != nil || got != (MailWish{MailDaily, 8}) {
		t.Errorf("at first: %+v, %v", got, err)
	}
	for _, wish := range []MailWish{{}, {"often", 8}, {MailDaily, -1}, {MailDaily, 24}} {
		if _, invalid := errors.AsType[*InvalidError](s.SetMailWish(ctx, s.user("anna"), wish)); !invalid {
			t.Errorf("%+v is accepted", wish)
		}
	}
	s.must(s.SetMailWish(ctx, s.user("anna"), MailWish{MailWeekly, 23}))
	if got, err := s.MailWish(ctx, s.user("anna")); err != nil || got != (MailWish{MailWeekly, 23}) {
		t.Errorf("after a change: %+v, %v", got, err)
	}
	s.must(s.Suspend(ctx, s.user("anna")))
	if err := s.SetMailWish(ctx, s.user("anna"), MailWish{MailDaily, 8}); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a suspended person: %v", err)
	}
}

// TestStopTokenStopsMails: only a person's own token stops their mails.
func TestStopTokenStopsMails(t *testing.T) {
	t.Parallel()
	s := newMailSite(t, "anna", "bert")
	ctx := t.Context()
	s.confirmed("anna", "bert")
	token, err := s.StopToken(ctx, s.user("anna"))
	s.must(err)
	id, signature, _ := strings.Cut(token, ".")
	other, err := s.StopToken(ctx, s.user("bert"))
	s.must(err)
	otherID, _, _ := strings.Cut(other, ".")
	for _, bad := range []string{"", ".", id, id + ".", signature, otherID + "." + signature, token + "x", "0" + token, "9999999999999999999999." + signature} {
		if err := s.StopMails(ctx, bad); !errors.Is(err, ErrUnauthorized) {
			t.Errorf("the token %q: %v", bad, err)
		}
	}
	s.must(s.StopMails(ctx, token))
	for name, want := range map[string]string{"anna": MailNever, "bert": MailDaily} {
		if got, err := s.MailWish(ctx, s.user(name)); err != nil || got.Often != want {
			t.Errorf("%s gets mails %q, %v; want %q", name, got.Often, err, want)
		}
	}
	s.must(s.StopMails(ctx, token)) // again
}
