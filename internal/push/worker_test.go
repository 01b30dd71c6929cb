package push

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/pushtest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }

// A desk is a site with a worker and a push service, and a clock that tests move. Anna has a post on which Bert comments.
type desk struct {
	t          *testing.T
	store      *timeline.Store
	service    *pushtest.Service
	worker     *Worker
	anna, bert timeline.UserID
	post       timeline.PostID

	mu       sync.Mutex
	clock    time.Time
	outcomes []string
}

func newDesk(t *testing.T) *desk {
	d := &desk{t: t, clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	d.service = pushtest.Start(t, d.now)
	d.store = timeline.New(pgtest.New(t), timeline.Options{Argon: pgtest.Argon, Now: d.now})
	var err error
	d.anna, err = d.store.SignUp(t.Context(), timeline.NewUser{Name: "anna", Email: "anna@example.org", NoPassword: true})
	d.must(err)
	d.bert, err = d.store.SignUp(t.Context(), timeline.NewUser{Name: "bert", Email: "bert@example.org", NoPassword: true})
	d.must(err)
	d.post, err = d.store.CreatePost(t.Context(), d.anna, timeline.NewPost{To: []string{"user"}, Text: "Low water today."})
	d.must(err)
	d.worker = d.workerTo(d.service.Address())
	return d
}

// workerTo returns a worker that may connect to an address beside public ones.
func (d *desk) workerTo(permitted ...netip.AddrPort) *Worker {
	w := New(d.store, Options{
		URL: "https://amstel.example", Now: d.now, Permit: permitted, Roots: d.service.Roots(),
		Write: func(words catalogue.Language, p *timeline.NoticePage) Message {
			n := p.Notices[0]
			return Message{Title: words.Code() + " " + string(n.Kind), Body: n.CommentText, Path: "/anna"}
		},
		Done: func(outcome string) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.outcomes = append(d.outcomes, outcome)
		},
	})
	d.t.Cleanup(w.client.CloseIdleConnections)
	return w
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

// browser makes a browser of Anna with pushes on.
func (d *desk) browser() *pushtest.Browser {
	d.t.Helper()
	b := d.service.Browser()
	d.add(b.Endpoint, b)
	return b
}

// add has a browser get pushes at an address.
func (d *desk) add(address string, b *pushtest.Browser) {
	d.t.Helper()
	d.must(d.store.AddPushReceiver(d.t.Context(), d.anna, d.session(), timeline.PushEndpoint{Address: strings.Replace(address, d.service.URL, "https://push.example", 1), PublicKey: b.Public, Auth: b.Auth}))
	// No browser has an endpoint at another port, so the store takes none.
	_, err := d.store.Pool().Exec(d.t.Context(), `update push_receivers set endpoint = replace(endpoint, 'https://push.example', $1)`, d.service.URL)
	d.must(err)
}

// session starts a session of Anna and returns its hash.
func (d *desk) session() []byte {
	d.t.Helper()
	secret, err := d.store.NewSession(d.t.Context(), d.anna, true, "Firefox Linux")
	d.must(err)
	who, err := d.store.Session(d.t.Context(), secret)
	d.must(err)
	return who.Hash
}

// comment has Bert comment on Anna's post, and waits until the push is due.
func (d *desk) comment(text string) {
	d.t.Helper()
	_, err := d.store.AddComment(d.t.Context(), d.bert, d.post, timeline.NewComment{Text: text})
	d.must(err)
	d.wait(10 * time.Second)
}

// work has a worker send all pushes that are due, and checks what became of them.
func (d *desk) work(w *Worker, want ...string) {
	d.t.Helper()
	d.outcomes = nil
	for more := true; more; {
		var err error
		if more, err = w.Work(context.WithoutCancel(d.t.Context())); err != nil {
			d.t.Log("a push was not sent:", err)
		}
	}
	if !slices.Equal(d.outcomes, want) {
		d.t.Errorf("what became of the pushes: %q, want %q", d.outcomes, want)
	}
}

// left returns how many pushes wait, and how many browsers get pushes.
func (d *desk) left() (pushes, browsers int) {
	d.t.Helper()
	d.must(d.store.Pool().QueryRow(d.t.Context(), `select (select count(*) from pushes), (select count(*) from push_receivers)`).Scan(&pushes, &browsers))
	return pushes, browsers
}

func (d *desk) wantLeft(what string, pushes, browsers int) {
	d.t.Helper()
	if p, b := d.left(); p != pushes || b != browsers {
		d.t.Errorf("%s: %d pushes wait and %d browsers are left, want %d and %d", what, p, b, pushes, browsers)
	}
}

// TestPushIsSentOnce: each browser of a person gets each push once, in the language of the person, by the one key of the site.
func TestPushIsSentOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first, second := d.browser(), d.browser()
	_, err := d.store.Pool().Exec(t.Context(), `update users set page_language = 'ru' where name = 'anna'`)
	d.must(err)
	d.comment("Bring boots.")
	d.work(d.worker, "sent", "sent")
	d.work(d.workerTo(d.service.Address()))
	for _, b := range []*pushtest.Browser{first, second} {
		got := b.Messages()
		if len(got) != 1 || got[0].Title != "ru comment" || got[0].Body != "Bring boots." || got[0].Lang != "ru" || got[0].Path != "/anna" || got[0].Tag == "" {
			t.Errorf("a browser has got %+v", got)
		}
	}
	if first.Messages()[0].Tag == second.Messages()[0].Tag {
		t.Error("the push service can tell that two browsers are of one person")
	}
	d.wantLeft("after the pushes", 0, 2)
	one, err := d.worker.PublicKey(t.Context())
	d.must(err)
	other, err := d.workerTo().PublicKey(t.Context())
	if err != nil || one != other || len(bytesOf(t, one)) != 65 {
		t.Errorf("the keys of two workers are %q and %q, %v", one, other, err)
	}
}

// TestPushReplacesItsDouble: a worker that dies after the push service's answer leaves the push for another one; the service keeps one message.
func TestPushReplacesItsDouble(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.browser()
	d.comment("Bring boots.")
	lease, err := d.store.TakePush(t.Context(), leaseFor)
	d.must(err)
	p, err := d.store.NoticeToPush(t.Context(), *lease)
	d.must(err)
	d.must(d.worker.pass(t.Context(), *lease, p))
	d.work(d.worker) // the lease is not over
	d.wait(leaseFor + time.Second)
	d.work(d.worker, "sent")
	d.must(d.store.FinishPush(t.Context(), *lease)) // the first worker is not dead, but late
	if got := b.Messages(); len(got) != 1 || d.service.Asked() != 2 {
		t.Errorf("after %d requests the browser has %+v", d.service.Asked(), got)
	}
}

// TestPushServiceRefuses: what becomes of a push and its browser by the answer of the push service.
func TestPushServiceRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status           int
		outcome          string
		pushes, browsers int
	}{
		{http.StatusNotFound, "gone", 0, 0},
		{http.StatusGone, "gone", 0, 0},
		{http.StatusTooManyRequests, "later", 1, 1},
		{http.StatusInternalServerError, "later", 1, 1},
		{http.StatusServiceUnavailable, "later", 1, 1},
		{http.StatusBadRequest, "failed", 0, 1},
		{http.StatusForbidden, "failed", 0, 1},
		{http.StatusRequestEntityTooLarge, "failed", 0, 1},
		{http.StatusTemporaryRedirect, "failed", 0, 1},
	} {
		t.Run(http.StatusText(test.status), func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.browser()
			d.service.Answer(func(w http.ResponseWriter) bool {
				w.Header().Set("Location", d.service.URL+"/elsewhere")
				w.WriteHeader(test.status)
				return true
			})
			d.comment("Bring boots.")
			d.work(d.worker, test.outcome)
			d.wantLeft("after the answer", test.pushes, test.browsers)
			if asked := d.service.Asked(); asked != 1 {
				t.Errorf("%d requests, want one: redirects are not followed", asked)
			}
		})
	}
}

// TestPushIsTriedAgain: a push that the service does not take now is tried ever less often, not before the service wants, and for half a day; meanwhile
// no other push goes to the browser.
func TestPushIsTriedAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.browser()
	after := ""
	d.service.Answer(func(w http.ResponseWriter) bool {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	})
	d.comment("First.")
	d.comment("Second.")
	d.work(d.worker, "later")
	d.wait(firstWait - time.Second)
	d.work(d.worker)
	d.wait(time.Second)
	after = "300"
	d.work(d.worker, "later")
	d.wait(4 * time.Minute) // the second wait is 2 minutes
	d.work(d.worker)
	d.service.Answer(nil)
	d.wait(time.Minute)
	d.work(d.worker, "sent", "sent")
	if got := b.Messages(); len(got) != 2 {
		t.Errorf("the browser has got %+v", got)
	}

	d.service.Answer(func(w http.ResponseWriter) bool { w.WriteHeader(http.StatusBadGateway); return true })
	d.comment("Third.")
	tries, began := 0, d.now()
	for pushes := 1; pushes > 0; pushes, _ = d.left() {
		d.outcomes = nil
		if more, _ := d.worker.Work(t.Context()); more {
			tries++
		}
		d.wait(10 * time.Minute)
	}
	if took := d.now().Sub(began); tries < 6 || tries > 15 || took > givenUp+time.Hour || took < givenUp/2 {
		t.Errorf("given up after %d tries in %v", tries, took)
	}
	d.wantLeft("after a push was given up", 0, 1)
	d.service.Answer(nil)
	d.comment("Fourth.")
	d.work(d.worker, "sent")
	d.service.Answer(func(w http.ResponseWriter) bool { w.WriteHeader(http.StatusForbidden); return true })
	for range 5 {
		d.wantLeft("before the fifth push in a row was given up", 0, 1)
		d.comment("More.")
		d.work(d.worker, "failed")
	}
	d.wantLeft("after the fifth push in a row was given up", 0, 0)
}

// TestPushGoesToPublicAddresses: the worker connects to no address of a private network, and its endpoint is forgotten.
func TestPushGoesToPublicAddresses(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.browser()
	d.comment("Bring boots.")
	d.work(d.workerTo(), "gone")
	if asked := d.service.Asked(); asked != 0 {
		t.Errorf("%d requests to this machine", asked)
	}
	d.wantLeft("after a private address", 0, 0)
}

// TestPushIsDropped: a push is not sent if its reader may not see the notice at that moment, or has read it, or wants none of its kind.
func TestPushIsDropped(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(d *desk) error{
		"read":               func(d *desk) error { return d.store.ReadNoticesOf(d.t.Context(), d.anna, d.post) },
		"a ban":              func(d *desk) error { return d.store.Ban(d.t.Context(), d.anna, "bert") },
		"a suspended author": func(d *desk) error { return d.store.Suspend(d.t.Context(), d.bert) },
		"a kind that is off": func(d *desk) error {
			return d.store.SetNoticeKinds(d.t.Context(), d.anna, map[timeline.NoticeKind]bool{timeline.NoticeComment: false})
		},
		"a session that is over": func(d *desk) error {
			d.wait(40 * 24 * time.Hour)
			_, err := d.store.Pool().Exec(d.t.Context(), `update pushes set created_at = $1`, d.now())
			return err
		},
		"two days ago": func(d *desk) error { d.wait(48 * time.Hour); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			b := d.browser()
			d.comment("Bring boots.")
			d.must(change(d))
			d.work(d.worker, "dropped")
			if got := b.Messages(); len(got) > 0 || d.service.Asked() > 0 {
				t.Errorf("the browser has got %+v", got)
			}
			d.wantLeft("afterwards", 0, 1)
		})
	}
}

// TestRunSendsPushes: Run sends on its tick what waits, and stops.
func TestRunSendsPushes(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.browser()
	d.comment("Bring boots.")
	sent := make(chan struct{})
	d.worker.opts.Done = func(string) { close(sent) }
	ctx, stop := context.WithCancel(t.Context())
	tick, done := make(chan time.Time), make(chan struct{})
	go func() { d.worker.Run(ctx, tick); close(done) }()
	tick <- d.now()
	<-sent
	stop()
	<-done
	d.wantLeft("after Run", 0, 1)
}
