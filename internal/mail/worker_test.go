package mail

import (
	"context"
	netmail "net/mail"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }

// A desk is a site that sends mail to a mail server, with a clock that tests move.
type desk struct {
	t     *testing.T
	store *timeline.Store
	smtp  *mailServer
	anna  timeline.UserID

	mu       sync.Mutex
	clock    time.Time
	outcomes []string
}

func newDesk(t *testing.T) *desk {
	d := &desk{t: t, smtp: startMailServer(t), clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	d.store = timeline.New(pgtest.New(t), timeline.Options{Argon: pgtest.Argon, Now: d.now, Mails: true})
	var err error
	d.anna, err = d.store.SignUp(t.Context(), timeline.NewUser{Name: "anna", Email: "anna@example.org", Password: "correct horse"})
	d.must(err)
	_, err = d.store.Pool().Exec(t.Context(), `delete from mails`) // from signing up
	d.must(err)
	return d
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.clock
}

func (d *desk) wait(time time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clock = d.clock.Add(time)
}

// worker returns a worker that sends over a transport.
func (d *desk) worker(transport Transport, reached func(point string)) *Worker {
	return New(d.store, transport, Options{URL: "https://amstel.example", Now: d.now, Reached: reached, Done: func(outcome string) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.outcomes = append(d.outcomes, outcome)
	}})
}

// work has a worker send all mails that are due, and returns what became of them.
func (d *desk) work(w *Worker) (outcomes []string) {
	d.t.Helper()
	d.outcomes = nil
	for more := true; more; {
		var err error
		if more, err = w.Work(d.t.Context()); err != nil {
			d.t.Log("a mail was not sent:", err)
		}
	}
	return d.outcomes
}

// forgot asks for a link for Anna.
func (d *desk) forgot() {
	d.t.Helper()
	d.must(d.store.MailLink(d.t.Context(), "anna", timeline.Client{}))
}

// state returns the state of the only mail, and its fault.
func (d *desk) state() (state, fault string) {
	d.t.Helper()
	d.must(d.store.Pool().QueryRow(d.t.Context(), `select state, fault from mails`).Scan(&state, &fault))
	return state, fault
}

func (d *desk) wantOutcomes(got []string, want ...string) {
	d.t.Helper()
	if !slices.Equal(got, want) {
		d.t.Errorf("what became of the mails: %q, want %q", got, want)
	}
}

// linkIn returns the secret of the sign-in link in a text.
func linkIn(t *testing.T, text string) string {
	t.Helper()
	found := regexp.MustCompile(`https://amstel\.example/users/link/([\w-]+)`).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("there is no link in %q", text)
	}
	return found[1]
}

// TestLinkIsMailed checks the mail to a person who forgot their password, in each language, and that the link in it signs
// them in.
func TestLinkIsMailed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		language, subject, said string
	}{
		{"", "Sign in to amstel.example", "Hello @anna."},
		{"ru", "Вход на amstel.example", "Здравствуйте, @anna!"},
	} {
		t.Run("language "+test.language, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.must(d.store.SetProfile(t.Context(), d.anna, timeline.ProfileEdit{PageLanguage: &test.language}))
			d.forgot()
			d.wantOutcomes(d.work(d.worker(d.smtp.transport(t), nil)), "sent")
			mail := d.smtp.only(t)
			if mail.from != "site@amstel.example" || !slices.Equal(mail.to, []string{"anna@example.org"}) {
				t.Errorf("sent from %s to %q", mail.from, mail.to)
			}
			header := mail.msg(t).Header
			var id string
			d.must(d.store.Pool().QueryRow(t.Context(), `select message::text from mails`).Scan(&id))
			for name, want := range map[string]string{
				"Subject": test.subject, "From": `"Amstel" <site@amstel.example>`, "To": "<anna@example.org>",
				"Message-Id": "<" + id + "@amstel.example>", "Auto-Submitted": "auto-generated", "Date": d.now().Format(time.RFC1123Z),
			} {
				if got := decoded(t, header.Get(name)); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			plain, html := mail.parts(t)
			secret := linkIn(t, plain)
			if linkIn(t, html) != secret || !strings.Contains(plain, test.said) || !strings.Contains(html, test.said) {
				t.Errorf("the mail says:\n%s\n%s", plain, html)
			}
			session, err := d.store.UseLink(t.Context(), secret, true, "")
			d.must(err)
			if who, err := d.store.Session(t.Context(), session); err != nil || who.User != d.anna || !who.Forgot(d.now()) {
				t.Errorf("the link signs in %+v, %v", who, err)
			}
		})
	}
}

// TestChangedPasswordIsMailed: a mail tells of a changed password, and has no link that signs anyone in.
func TestChangedPasswordIsMailed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.must(d.store.SetPassword(t.Context(), d.anna, "another horse"))
	d.wantOutcomes(d.work(d.worker(d.smtp.transport(t), nil)), "sent")
	plain, html := d.smtp.only(t).parts(t)
	for _, text := range []string{plain, html} {
		if !strings.Contains(text, "was just changed") || !strings.Contains(text, "https://amstel.example/users/forgot") || strings.Contains(text, "/users/link/") {
			t.Errorf("the mail says:\n%s", text)
		}
	}
}

// TestMailThatIsRefusedIsTriedAgain: a mail that the server does not take now is tried again, less and less often, and given
// up in the end. A mail to an address that the server does not know is given up at once.
func TestMailThatIsRefusedIsTriedAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := d.worker(d.smtp.transport(t), nil)
	d.smtp.refuse(451, "try again")
	d.forgot()
	d.wantOutcomes(d.work(w), "later")
	d.wantOutcomes(d.work(w)) // not due yet
	d.wait(time.Minute)
	d.wantOutcomes(d.work(w), "later")
	d.smtp.refuse(0, "")
	d.wait(time.Minute)
	d.wantOutcomes(d.work(w))
	d.wait(3 * time.Minute)
	d.wantOutcomes(d.work(w), "sent")
	d.smtp.only(t)

	d.smtp.refuse(451, "try again")
	d.must(d.store.SetPassword(t.Context(), d.anna, "another horse"))
	all := d.work(w)
	for range 40 {
		d.wait(4 * time.Hour)
		all = append(all, d.work(w)...)
	}
	if last := all[len(all)-1]; last != "failed" || slices.Contains(all[:len(all)-1], "failed") || len(all) < 5 {
		t.Errorf("a server that refuses for a week: %q", all)
	}
	d.smtp.refuse(550, "no such mailbox")
	d.forgot()
	d.wantOutcomes(d.work(w), "failed")
	if n := d.smtp.count(); n != 1 {
		t.Errorf("%d mails arrived, want 1", n)
	}
}

// TestLinkIsNotMailedLate: a mail with a link is given up after two hours; a new request makes another mail.
func TestLinkIsNotMailedLate(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := d.worker(d.smtp.transport(t), nil)
	d.smtp.refuse(451, "try again")
	d.forgot()
	d.wantOutcomes(d.work(w), "later")
	d.wait(2 * time.Hour)
	d.wantOutcomes(d.work(w), "failed")
	d.smtp.refuse(0, "")
	d.forgot()
	d.wantOutcomes(d.work(w), "sent")
}

// TestLinkOfASuspendedPersonIsNotMailed: a mail to a person who was suspended after it was queued is dropped.
func TestLinkOfASuspendedPersonIsNotMailed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.forgot()
	_, err := d.store.Pool().Exec(t.Context(), `update users set suspended_at = now()`)
	d.must(err)
	d.wantOutcomes(d.work(d.worker(d.smtp.transport(t), nil)), "dropped")
	if n := d.smtp.count(); n != 0 {
		t.Errorf("%d mails arrived", n)
	}
}

// TestWorkerDies ends a worker at each point of its work. When its lease is over, another worker sends the mail: a folder has
// it once, and a mail server is sent it at most twice, with one Message-ID.
func TestWorkerDies(t *testing.T) {
	t.Parallel()
	for _, point := range []string{pointTaken, pointSent, pointNoted} {
		for _, to := range []string{"a folder", "a server"} {
			t.Run(point+", "+to, func(t *testing.T) {
				t.Parallel()
				d := newDesk(t)
				path := filepath.Join(t.TempDir(), "mails")
				transport := d.smtp.transport(t)
				if to == "a folder" {
					var err error
					transport, err = Open("file:"+path, "site@amstel.example")
					d.must(err)
				}
				d.forgot()
				dead := make(chan struct{})
				go func() {
					defer close(dead)
					_, _ = d.worker(transport, func(at string) {
						if at == point {
							runtime.Goexit()
						}
					}).Work(context.WithoutCancel(t.Context()))
				}()
				<-dead
				other := d.worker(transport, nil)
				d.wantOutcomes(d.work(other)) // the lease of the dead worker is not over
				d.wait(leaseFor)
				if got := d.work(other); (point == pointNoted) != (len(got) == 0) {
					t.Errorf("after the lease: %q", got)
				}
				if state, fault := d.state(); state != "sent" || fault != "" {
					t.Errorf("in the end the mail is %s, %q", state, fault)
				}
				if to == "a folder" {
					files, err := os.ReadDir(path)
					if err != nil || len(files) != 1 {
						t.Errorf("the folder has %v, %v; want one mail", files, err)
					}
					return
				}
				ids := make(map[string]bool)
				for _, mail := range d.smtp.all() {
					ids[mail.msg(t).Header.Get("Message-Id")] = true
				}
				if len(ids) != 1 || d.smtp.count() > 2 {
					t.Errorf("%d mails arrived, with the ids %v", d.smtp.count(), ids)
				}
			})
		}
	}
}

// TestRunSendsAtOnce: a running worker sends a mail without waiting for a tick.
func TestRunSendsAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	sent := make(chan struct{}, 1)
	w := d.worker(d.smtp.transport(t), func(at string) {
		if at == pointNoted {
			sent <- struct{}{}
		}
	})
	ctx, end := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		w.Run(ctx, nil)
	}()
	d.forgot()
	<-sent
	end()
	<-over
	d.smtp.only(t)
}

// TestPlainAndHTMLSayTheSame compares the two forms of each letter, in each language.
func TestPlainAndHTMLSayTheSame(t *testing.T) {
	t.Parallel()
	for _, words := range catalogue.All {
		l := letter{
			Words: words, Subject: "<b>", Said: []string{"one & two", "<three>"}, Link: "https://amstel.example/users/link/a?b&c", Label: "go", Notes: []string{"four"},
		}
		var html strings.Builder
		if err := l.page().Render(t.Context(), &html); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"one &amp; two", "&lt;three&gt;", `href="https://amstel.example/users/link/a?b&amp;c"`, `lang="` + words.Code() + `"`, ">go</a>", "four"} {
			if !strings.Contains(html.String(), want) {
				t.Errorf("the HTML lacks %q:\n%s", want, html.String())
			}
		}
		if want := "one & two\n\n<three>\n\ngo:\nhttps://amstel.example/users/link/a?b&c\n\nfour\n"; l.plain() != want {
			t.Errorf("the plain text is %q, want %q", l.plain(), want)
		}
	}
}

// TestOpenRefusesBadSettings checks which settings are refused at the start. No error shows a password.
func TestOpenRefusesBadSettings(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"", "mail.example", "http://mail.example", "smtp://", "smtp://anna:secret@", "smtp://anna:secret@mail.example:x", "smtp://anna:secret@mail.example/path",
		"smtp://anna:secret@mail.example:99999", "file:",
	} {
		if _, err := Open(address, "site@amstel.example"); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, from := range []string{"", "Amstel", "a@b, c@d"} {
		if _, err := Open("smtp://mail.example", from); err == nil {
			t.Errorf("the sender %q is taken", from)
		}
	}
	for address, want := range map[string]string{
		"smtp://mail.example": "mail.example:587", "smtps://mail.example": "mail.example:465", "smtp://mail.example:25": "mail.example:25",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		s, err := openSMTP(u, &netmail.Address{Address: "site@amstel.example"}, reach{})
		if err != nil {
			t.Fatal(err)
		}
		client, err := s.client()
		if err != nil || client.ServerAddr() != want {
			t.Errorf("%s leads to %s, %v; want %s", address, client.ServerAddr(), err, want)
		}
	}
}

// TestFolderListsItsMails: a site that keeps its mails in a folder shows the newest first, with their texts.
func TestFolderListsItsMails(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	transport, err := Open("file:"+filepath.Join(t.TempDir(), "mails"), "Amstel <site@amstel.example>")
	d.must(err)
	keeper := transport.(Keeper)
	if all, err := keeper.Kept(); err != nil || len(all) != 0 {
		t.Fatalf("an empty folder has %v, %v", all, err)
	}
	ru := "ru"
	d.must(d.store.SetProfile(t.Context(), d.anna, timeline.ProfileEdit{PageLanguage: &ru}))
	d.forgot()
	w := d.worker(transport, nil)
	d.wantOutcomes(d.work(w), "sent")
	d.wait(time.Minute)
	d.must(d.store.SetPassword(t.Context(), d.anna, "another horse"))
	d.wantOutcomes(d.work(w), "sent")
	all, err := keeper.Kept()
	if err != nil || len(all) != 2 || all[0].Subject != "Пароль на amstel.example изменён" || all[1].Subject != "Вход на amstel.example" || all[1].To != "anna@example.org" || !all[0].At.Equal(d.now()) {
		t.Fatalf("the folder has %+v, %v", all, err)
	}
	linkIn(t, all[1].Text)
}

// TestUnknownMailboxStopsMailsAboutNotices: when a server says that there is no mailbox of the person's address, they get no more mail about
// notices, and are told so, until they confirm an address again. A server that refuses the text of a mail stops nothing.
func TestUnknownMailboxStopsMailsAboutNotices(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	w := d.worker(d.smtp.transport(t), nil)
	confirm := func() {
		t.Helper()
		secret, err := d.store.NewEmailLink(ctx, d.anna, "anna@example.org")
		d.must(err)
		d.must(d.store.ConfirmEmail(ctx, secret))
	}
	failed := func(want bool) {
		t.Helper()
		if email, err := d.store.Email(ctx, d.anna); err != nil || email.Failed != want {
			t.Errorf("the address is %+v, %v; failed: want %v", email, err, want)
		}
		if _, _, err := d.store.NoticesToMail(ctx, d.anna); (err != nil) != want {
			t.Errorf("notices to mail: %v", err)
		}
	}
	confirm()
	failed(false)
	d.smtp.refuse(550, "no such mailbox")
	d.forgot()
	d.wantOutcomes(d.work(w), "failed")
	failed(true)
	d.smtp.refuse(0, "")
	d.must(d.store.MailConfirmation(ctx, d.anna))
	d.wantOutcomes(d.work(w), "sent")
	confirm()
	failed(false)

	// Mail to an address that the person does not have yet says nothing about theirs.
	d.smtp.refuse(550, "no such mailbox")
	d.must(d.store.SetEmail(ctx, d.anna, "new@example.org"))
	d.must(d.store.KeepEmail(ctx, d.anna))
	_, err := d.store.Pool().Exec(ctx, `update mails set address = 'new@example.org' where state = 'queued'`)
	d.must(err)
	d.work(w)
	failed(false)
}

// TestNewDeviceIsMailed: a sign-in with the password from a new device is mailed to a confirmed address, with the device; one from a known
// device is not.
func TestNewDeviceIsMailed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	w := d.worker(d.smtp.transport(t), nil)
	signIn := func(from timeline.Client) {
		t.Helper()
		_, err := d.store.SignIn(ctx, "anna", "correct horse", from, true, "Mozilla/5.0 (Android 14; Mobile) Firefox/130.0")
		d.must(err)
	}
	signIn(timeline.Client{})
	d.wantOutcomes(d.work(w)) // the address is not confirmed
	secret, err := d.store.NewEmailLink(ctx, d.anna, "anna@example.org")
	d.must(err)
	d.must(d.store.ConfirmEmail(ctx, secret))
	signIn(timeline.Client{Devices: map[timeline.UserID]string{d.anna: "a laptop"}})
	d.wantOutcomes(d.work(w))
	d.wait(time.Minute)
	signIn(timeline.Client{Devices: map[timeline.UserID]string{d.anna + 1: "another account's"}})
	d.wantOutcomes(d.work(w), "sent")
	plain, _ := d.smtp.only(t).parts(t)
	if !strings.Contains(plain, "Firefox on Android") || strings.Contains(plain, signInLink) {
		t.Errorf("the mail says:\n%s", plain)
	}
}
