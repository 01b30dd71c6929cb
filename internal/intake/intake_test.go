package intake

import (
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }

// A desk is a worker with its store, a clock that tests move, and a server of feeds.
type desk struct {
	*Worker
	*http.ServeMux
	t        *testing.T
	url      string
	permit   []netip.AddrPort
	anna     timeline.UserID
	asked    atomic.Int64 // requests to the server
	reached  func(point string)
	mu       sync.Mutex
	clock    time.Time
	outcomes []string
}

func newDesk(t *testing.T) *desk {
	d := &desk{t: t, ServeMux: http.NewServeMux(), clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), reached: func(string) {}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.asked.Add(1)
		d.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	d.url, d.permit = server.URL, []netip.AddrPort{netip.MustParseAddrPort(server.Listener.Addr().String())}
	store := timeline.New(pgtest.New(t), timeline.Options{Argon: pgtest.Argon, Now: d.now, Reached: func(point string) { d.reached(point) }})
	d.Worker = d.another(store)
	var err error
	d.anna, err = store.SignUp(t.Context(), timeline.NewUser{Name: "anna", Email: "anna@example.org", Password: "correct horse"})
	d.must(err)
	return d
}

// another returns a worker of another process.
func (d *desk) another(store *timeline.Store) *Worker {
	return New(store, Options{URL: "https://own.example", Permit: d.permit, Done: func(outcome string) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.outcomes = append(d.outcomes, outcome)
	}})
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

func (d *desk) wait(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clock = d.clock.Add(by)
}

// took returns the outcomes since the last call.
func (d *desk) took() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer func() { d.outcomes = nil }()
	return strings.Join(d.outcomes, " ")
}

// work looks at all feeds that are due.
func (d *desk) work() {
	d.t.Helper()
	for more := true; more; {
		var err error
		more, err = d.Work(d.t.Context())
		d.must(err)
	}
}

// add adds the feed at a path of the server to anna's intakes.
func (d *desk) add(path string) {
	d.t.Helper()
	d.must(d.try(d.anna, "user", d.url+path))
}

// try adds a feed to a person's intakes.
func (d *desk) try(who timeline.UserID, to, address string) error {
	_, err := d.Add(d.t.Context(), who, to, address)
	return err
}

// posts returns the texts of all posts, the oldest first.
func (d *desk) posts() (texts []string) {
	d.t.Helper()
	rows, err := d.store.Pool().Query(d.t.Context(), `select text from posts where deleted_at is null order by id`)
	d.must(err)
	defer rows.Close()
	for rows.Next() {
		var said string
		d.must(rows.Scan(&said))
		texts = append(texts, said)
	}
	d.must(rows.Err())
	return texts
}

// only returns anna's only intake.
func (d *desk) only() timeline.Intake {
	d.t.Helper()
	all, err := d.store.Intakes(d.t.Context(), d.anna)
	d.must(err)
	if len(all) != 1 {
		d.t.Fatalf("there are %d intakes", len(all))
	}
	return all[0]
}

// A blog is a feed that tests change.
type blog struct {
	mu     sync.Mutex
	items  []string // ids, the newest first
	before func(w http.ResponseWriter, r *http.Request) (done bool)
}

// post adds items to the blog.
func (b *blog) post(ids ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range ids {
		b.items = slices.Insert(b.items, 0, id)
	}
}

// answer sets what is done before the feed is served.
func (b *blog) answer(f func(w http.ResponseWriter, r *http.Request) (done bool)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.before = f
}

func (b *blog) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	items, before := slices.Clone(b.items), b.before
	b.mu.Unlock()
	if before != nil && before(w, r) {
		return
	}
	tag := fmt.Sprintf("%q", strings.Join(items, " "))
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	io.WriteString(w, feedOf(items...))
}

// feedOf returns a feed with items of these ids.
func feedOf(ids ...string) string {
	var b strings.Builder
	b.WriteString(`<rss version="2.0"><channel><title>Blog</title><link>https://blog.example/</link>`)
	for _, id := range ids {
		fmt.Fprintf(&b, `<item><guid isPermaLink="false">%[1]s</guid><title>%[1]s</title></item>`, id)
	}
	b.WriteString(`</channel></rss>`)
	return b.String()
}

// newBlog returns a blog at /blog with these items, which anna imports.
func (d *desk) newBlog(ids ...string) *blog {
	d.t.Helper()
	b := &blog{}
	b.post(ids...)
	d.Handle("/blog", b)
	d.add("/blog")
	return b
}

// TestEachItemOnce: a new feed posts its newest items, and from then on each new item once, a few
// at each look, also if another item goes and comes back.
func TestEachItemOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.newBlog("1", "2", "3", "4", "5")
	if diff := gocmp.Diff([]string{"3", "4", "5"}, d.posts()); diff != "" {
		t.Errorf("a new feed (-want +got):\n%s", diff)
	}
	d.work()
	if d.asked.Load() != 1 {
		t.Error("a new feed is looked at again at once")
	}
	d.wait(time.Hour)
	d.work()
	b.post("6")
	d.wait(time.Hour)
	d.work()
	b.post("7", "8", "9", "10", "11", "12", "13")
	d.wait(time.Hour)
	d.work()
	if got := d.posts(); len(got) != 9 || got[8] != "11" {
		t.Errorf("after seven items at once there are %v", got)
	}
	d.wait(time.Hour)
	d.work()
	b.mu.Lock()
	b.items = b.items[:3]
	b.mu.Unlock()
	d.wait(time.Hour)
	d.work()
	b.mu.Lock()
	b.items = []string{"14", "13", "12", "7", "2", "1"}
	b.mu.Unlock()
	for range 3 {
		d.wait(time.Hour)
		d.work()
	}
	if diff := gocmp.Diff([]string{"3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14"}, d.posts()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := d.took(); got != "new same new new new same new same same" {
		t.Errorf("the outcomes are %s", got)
	}
	if n := d.only(); n.Posts != 12 || n.Title != "Blog" || n.Site != "https://blog.example/" || n.Fault != "" {
		t.Errorf("%+v", n)
	}
	// Removed and added again, the feed does not post the same items again.
	d.must(d.store.RemoveIntake(t.Context(), d.anna, d.only().ID))
	d.wait(time.Minute)
	d.add("/blog")
	if got := d.posts(); len(got) != 12 {
		t.Errorf("added again, it posted %v", got[12:])
	}
}

// errKilled is the panic of a process that dies.
var errKilled = errors.New("killed")

// TestKilledBetweenItems: a process dies after it has posted an item, and after it has fetched the
// feed. Another goes on after the lease, and no item is missing or there twice.
func TestKilledBetweenItems(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.newBlog("1")
	b.post("2", "3", "4")
	d.wait(time.Hour)
	die := func(w *Worker) (killed bool) {
		defer func() { killed = recover() != nil }()
		_, err := w.Work(t.Context())
		d.must(err)
		return false
	}
	for range 2 {
		d.reached = func(point string) {
			if point == "timeline: item posted" {
				panic(errKilled)
			}
		}
		if !die(d.Worker) {
			t.Fatal("the process lives")
		}
		d.reached = func(string) {}
		d.work() // nothing: the lease is not over
		d.wait(leaseFor + time.Second)
	}
	if diff := gocmp.Diff([]string{"1", "2", "3"}, d.posts()); diff != "" {
		t.Errorf("killed twice (-want +got):\n%s", diff)
	}
	b.answer(func(http.ResponseWriter, *http.Request) bool { return false })
	d.work()
	if diff := gocmp.Diff([]string{"1", "2", "3", "4"}, d.posts()); diff != "" {
		t.Errorf("gone on (-want +got):\n%s", diff)
	}
}

// TestTwoWorkers: of many workers one looks at a feed; a worker whose lease is over posts nothing.
func TestTwoWorkers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.newBlog("1")
	b.post("2", "3")
	d.wait(time.Hour)
	other := d.another(d.store)
	asked := d.asked.Load()
	var all sync.WaitGroup
	for _, w := range []*Worker{d.Worker, other, d.Worker, other} {
		all.Go(func() {
			if _, err := w.Work(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := d.asked.Load() - asked; n != 1 || len(d.posts()) != 3 {
		t.Errorf("they asked %d times, and there are %v", n, d.posts())
	}
	// While a worker is fetching, its lease ends and another worker posts the items.
	b.post("4", "5")
	d.wait(time.Hour)
	first := true
	b.answer(func(http.ResponseWriter, *http.Request) bool {
		if first {
			first = false
			d.wait(leaseFor + time.Second)
			lease, err := d.store.TakeIntake(t.Context(), leaseFor)
			if err != nil || lease == nil {
				t.Errorf("not taken: %v", err)
				return false
			}
			found := &look{feed: &document{}, every: time.Hour}
			found.feed.Title, found.feed.Items = "Blog", []timeline.IntakeItem{{Key: timeline.IntakeKey{9}, Title: "by the other"}}
			if err := other.take(t.Context(), lease, found); err != nil {
				t.Error(err)
			}
		}
		return false
	})
	d.work()
	if diff := gocmp.Diff([]string{"1", "2", "3", "by the other"}, d.posts()); diff != "" {
		t.Errorf("after the lease (-want +got):\n%s", diff)
	}
}

// TestPoliteness: requests have conditions; a feed is left alone for as long as it says, within
// bounds; and a host is asked for one feed in five seconds.
func TestPoliteness(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.newBlog("1")
	var got []string
	b.answer(func(w http.ResponseWriter, r *http.Request) bool {
		got = append(got, r.Header.Get("If-None-Match")+" "+r.UserAgent()+r.Header.Get("Cookie")+r.Referer())
		w.Header().Set("Set-Cookie", "known=yes; Path=/")
		return false
	})
	d.wait(time.Hour)
	d.work()
	if want := []string{`"1" Amstel (feed import; https://own.example)`}; !slices.Equal(got, want) {
		t.Errorf("the request is %q, want %q", got, want)
	}
	for _, tt := range []struct {
		header, value string
		least         time.Duration
	}{
		{"X", "", usual}, {"Cache-Control", "public, max-age=7200", 2 * time.Hour}, {"Cache-Control", "max-age=1", soonest}, {"Cache-Control", "max-age=99999999", latest},
		{"Cache-Control", "max-age=x", usual},
	} {
		b.answer(func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set(tt.header, tt.value)
			return false
		})
		d.wait(2 * latest)
		d.work()
		if in := d.only().DueAt.Sub(d.now()); in < tt.least || in > tt.least+tt.least/10+time.Second {
			t.Errorf("after %s: %s the next look is in %s", tt.header, tt.value, in)
		}
	}
	for i := range 3 {
		d.Handle(fmt.Sprintf("/other%d", i), b)
		d.add(fmt.Sprintf("/other%d", i))
	}
	d.wait(2 * latest)
	for i := range 4 {
		asked := d.asked.Load()
		d.work()
		if n := d.asked.Load() - asked; n != 1 {
			t.Errorf("the host was asked %d times at once at time %d", n, i)
		}
		d.wait(6 * time.Second)
	}
}

// TestFailures: a feed that fails is asked ever less often, says why to its owner, and recovers;
// Retry-After is heeded; 410 and a month of failures end it, until the owner goes on.
func TestFailures(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.newBlog("1")
	status, after := http.StatusNotFound, ""
	b.answer(func(w http.ResponseWriter, _ *http.Request) bool {
		if status == 0 {
			return false
		}
		w.Header().Set("Retry-After", after)
		w.WriteHeader(status)
		return true
	})
	d.wait(time.Hour)
	began := d.now()
	for i, least := range []time.Duration{15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 16 * time.Hour, 24 * time.Hour, 24 * time.Hour} {
		d.work()
		n := d.only()
		if in := n.DueAt.Sub(d.now()); in < least || in > least+least/10+time.Second || n.Fault != timeline.IntakeStatus || n.Detail != "404 Not Found" || !n.FailingSince.Equal(began) {
			t.Errorf("after failure %d the next look is in %s: %+v", i+1, in, n)
		}
		d.wait(n.DueAt.Sub(d.now()))
	}
	status = 0
	b.post("2")
	d.work()
	if n := d.only(); n.Fault != "" || n.FailingSince != nil || len(d.posts()) != 2 {
		t.Errorf("recovered: %+v", n)
	}
	status, after = http.StatusTooManyRequests, "20000"
	d.wait(time.Hour)
	d.work()
	if in := d.only().DueAt.Sub(d.now()); in != 20000*time.Second {
		t.Errorf("asked to wait 20000 s, it waits %s", in)
	}
	status = http.StatusGone
	d.wait(24 * time.Hour)
	d.work()
	if n := d.only(); n.State != timeline.IntakeStopped || n.Fault != timeline.IntakeGone {
		t.Errorf("gone: %+v", n)
	}
	asked := d.asked.Load()
	d.wait(48 * time.Hour)
	d.work()
	if d.asked.Load() != asked {
		t.Error("a feed that is gone was asked for")
	}
	d.must(d.store.EditIntake(t.Context(), d.anna, d.only().ID, timeline.IntakeEdit{Pause: new(false)}))
	status, after = http.StatusInternalServerError, ""
	for range 60 {
		d.work()
		d.wait(26 * time.Hour)
	}
	if n := d.only(); n.State != timeline.IntakeStopped || d.now().Sub(*n.FailingSince) < givenUp || d.asked.Load() > asked+35 {
		t.Errorf("after two months of failures, and %d requests: %+v", d.asked.Load()-asked, n)
	}
}

// TestMovedFeeds: a redirect that lasts is remembered; another is not; one to a private address is
// refused.
func TestMovedFeeds(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the private server was asked") }))
	defer private.Close()
	b := d.newBlog("1")
	b.answer(func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, "/later", http.StatusFound)
		return true
	})
	d.HandleFunc("/later", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, feedOf("2", "1")) })
	d.wait(time.Hour)
	d.work()
	if got := d.only().Address; got != d.url+"/blog" || len(d.posts()) != 2 {
		t.Errorf("the address is %s", got)
	}
	b.answer(func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, "/later", http.StatusMovedPermanently)
		return true
	})
	d.wait(time.Hour)
	d.work()
	if got := d.only().Address; got != d.url+"/later" {
		t.Errorf("the address is %s", got)
	}
	d.must(d.store.RemoveIntake(t.Context(), d.anna, d.only().ID))
	for path, to := range map[string]string{"/private": private.URL, "/metadata": "http://169.254.169.254/", "/file": "file:///etc/passwd", "/password": "http://u:p@blog.example/"} {
		d.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		})
		err := d.try(d.anna, "user", d.url+path)
		if wrong, is := errors.AsType[*timeline.InvalidError](err); !is || wrong.Code != timeline.IntakeAddress {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestWhatCanBeAdded adds addresses of feeds, of pages that name a feed, and of what is made to do
// harm; what is wrong is said, and nothing is added.
func TestWhatCanBeAdded(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	serve := func(path, mediaType, said string) {
		d.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", mediaType)
			io.WriteString(w, said)
		})
	}
	var over sync.WaitGroup
	forever := func(write func() error) {
		over.Add(1)
		defer over.Done()
		for write() == nil {
		}
	}
	serve("/rss", "text/plain", feedOf("1"))
	serve("/as-page", "text/html", feedOf("1"))
	serve("/page", "text/html", `<!doctype html><link rel="stylesheet" href="x"><link rel="alternate home" type="application/rss+xml" href="/rss"><body>`)
	serve("/page-to-page", "text/html", `<!doctype html><link rel="alternate" type="application/rss+xml" href="/page-to-page">`)
	serve("/page-to-private", "text/html", `<!doctype html><link rel="alternate" type="application/rss+xml" href="http://10.0.0.1/">`)
	serve("/bare-page", "text/html", `<!doctype html><title>x</title><body><link rel=alternate type=application/rss+xml href=/rss>`)
	serve("/json", "application/json", `{"no": "feed"}`)
	serve("/json-list", "application/json", `[1]`)
	serve("/empty", "application/rss+xml", "")
	serve("/picture", "image/png", "\x89PNG\r\n\x1a\n\x00\x00")
	serve("/cut-off", "application/rss+xml", feedOf("1")[:80])
	serve("/other-xml", "application/xml", `<?xml version="1.0"?><sitemap><url/></sitemap>`)
	serve("/deep", "application/rss+xml", `<rss version="2.0"><channel>`+strings.Repeat("<x:a>", 300_000)+strings.Repeat("</x:a>", 300_000)+`</channel></rss>`)
	serve("/deep-json", "application/json", `{"version":"https://jsonfeed.org/version/1","a":`+strings.Repeat("[", 2_000_000))
	serve("/spaces", "application/rss+xml", `<rss version="2.0"`+func() (all string) {
		for i := range 200 {
			all += fmt.Sprintf(` xmlns:a%d="b"`, i)
		}
		return all
	}()+`><channel></channel></rss>`)
	serve("/many", "application/rss+xml", feedOf(make([]string, mostItems+1)...))
	serve("/huge", "application/rss+xml", feedOf(strings.Repeat("x", mostFeed)))
	d.HandleFunc("/endless", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `<rss version="2.0"><channel>`)
		line := strings.Repeat("<item/>", 1000)
		forever(func() error { _, err := io.WriteString(w, line); return err })
	})
	d.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w)
		io.WriteString(packed, `<rss version="2.0"><channel><title>`)
		zeros := make([]byte, 1<<20)
		forever(func() error { _, err := packed.Write(zeros); return err })
	})
	d.HandleFunc("/broken-off", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	d.HandleFunc("/secret", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	for address, code := range map[string]string{
		"/rss": "", "/as-page": "", "/page": "intake_twice", "/page-to-page": timeline.IntakeNoFeed, "/page-to-private": timeline.IntakeAddress,
		"/bare-page": timeline.IntakeNoFeed, "/json": timeline.IntakeNoFeed, "/json-list": timeline.IntakeNoFeed, "/empty": timeline.IntakeNoFeed,
		"/picture": timeline.IntakeNoFeed, "/cut-off": timeline.IntakeBroken, "/other-xml": timeline.IntakeNoFeed, "/deep": timeline.IntakeBroken,
		"/deep-json": timeline.IntakeNoFeed, "/spaces": timeline.IntakeBroken, "/many": timeline.IntakeLarge, "/huge": timeline.IntakeLarge,
		"/endless": timeline.IntakeLarge, "/bomb": timeline.IntakeLarge, "/broken-off": timeline.IntakeAway,
		"/secret": timeline.IntakeStatus, "/absent": timeline.IntakeStatus, "": timeline.IntakeStatus,
		"http://localhost:1/": timeline.IntakeAddress, "http://[::1]/": timeline.IntakeAddress, "10.1.2.3": timeline.IntakeAddress, "ftp://blog.example/": timeline.IntakeAddress,
		"javascript:alert(1)": timeline.IntakeAddress, "http://a%zz/": timeline.IntakeAddress, "http://\x00/": timeline.IntakeAddress,
	} {
		t.Run(cmp.Or(address, "the root"), func(t *testing.T) {
			at := address
			if at == "" || at[0] == '/' {
				at = d.url + at
			}
			if address == "/page" { // after the feed that it names
				d.must(ignore(d.try(d.anna, "user", d.url+"/rss"), "intake_twice"))
			}
			if address == "/rss" {
				d.must(ignore(d.try(d.anna, "user", at), "intake_twice"))
				return
			}
			err := d.try(d.anna, "user", at)
			wrong, is := errors.AsType[*timeline.InvalidError](err)
			if code == "" && err != nil || code != "" && (!is || wrong.Code != code || wrong.Field != "address" || strings.HasPrefix(wrong.Reason, " ") || wrong.Reason == "") {
				t.Errorf("%v, want %q", err, code)
			}
		})
	}
	over.Wait() // the endless answers were cut off
	all, err := d.store.Intakes(t.Context(), d.anna)
	d.must(err)
	if len(all) != 2 {
		t.Errorf("%+v", all)
	}
}

// ignore returns nil for an error with the code.
func ignore(err error, code string) error {
	if wrong, is := errors.AsType[*timeline.InvalidError](err); is && wrong.Code == code {
		return nil
	}
	return err
}

// TestSlowFeeds: a server that answers too slowly fails, and a look ends with its context.
func TestSlowFeeds(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.newBlog("1")
	arrived := make(chan struct{}, 1)
	b.answer(func(w http.ResponseWriter, r *http.Request) bool {
		io.WriteString(w, "<rss>")
		_ = http.NewResponseController(w).Flush()
		arrived <- struct{}{}
		<-r.Context().Done()
		return true
	})
	d.wait(time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { d.Run(ctx, nil) })
	<-arrived
	cancel()
	running.Wait()
	// The worker has given the feed back, and the try does not count.
	if n := d.only(); n.Fault != "" || n.DueAt.After(d.now()) {
		t.Errorf("%+v", n)
	}
	if fault, is := errors.AsType[*timeline.IntakeFault](faultOf(context.DeadlineExceeded)); !is || fault.Code != timeline.IntakeAway {
		t.Errorf("a slow feed is %v", fault)
	}
}

// TestRights: posts go where their author may post, and only while the author may; a suspended
// person's feeds wait; and an account that is deleted takes its feeds along.
func TestRights(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	bert, err := d.store.SignUp(ctx, timeline.NewUser{Name: "bert", Email: "bert@example.org", Password: "correct horse"})
	d.must(err)
	_, err = d.store.CreateGroup(ctx, d.anna, timeline.NewGroup{Name: "cooks", DisplayName: "Cooks", Status: "public", Posting: "members"})
	d.must(err)
	b := &blog{}
	b.post("1")
	d.Handle("/blog", b)
	if err := d.try(bert, "group:cooks", d.url+"/blog"); !errors.Is(err, timeline.ErrForbidden) {
		t.Errorf("no member: %v", err)
	}
	for _, to := range []string{"direct:anna", "x", ""} {
		if _, is := errors.AsType[*timeline.InvalidError](d.try(bert, to, d.url+"/blog")); !is {
			t.Errorf("to %q is no error", to)
		}
	}
	_, err = d.store.Subscribe(ctx, bert, timeline.FeedName{Name: "cooks"}, timeline.SubscribeOptions{})
	d.must(err)
	d.must(d.try(bert, "group:cooks", d.url+"/blog"))
	var author timeline.UserID
	var platform string
	d.must(d.store.Pool().QueryRow(ctx, `select p.user_id, p.platform from posts p join timelines t on t.id = any(p.places) and t.what = 'group'`).Scan(&author, &platform))
	if author != bert || platform != "Blog" {
		t.Errorf("the post is by %d, via %q", author, platform)
	}
	if _, err := d.store.GroupIntakes(ctx, bert, 1); !errors.Is(err, timeline.ErrForbidden) {
		t.Errorf("a member lists them: %v", err)
	}
	seen, err := d.store.GroupIntakes(ctx, d.anna, 1)
	d.must(err)
	if len(seen) != 1 || seen[0].Address != "" || seen[0].User != bert {
		t.Errorf("an administrator sees %+v", seen)
	}
	d.must(d.store.Unsubscribe(ctx, bert, timeline.FeedName{Name: "cooks"}))
	b.post("2")
	d.wait(time.Hour)
	d.work()
	all, err := d.store.Intakes(ctx, bert)
	d.must(err)
	if len(d.posts()) != 1 || all[0].State != timeline.IntakeStopped || all[0].Fault != timeline.IntakeRights {
		t.Errorf("no member any more: %v, %+v", d.posts(), all)
	}
	_, err = d.store.Subscribe(ctx, bert, timeline.FeedName{Name: "cooks"}, timeline.SubscribeOptions{})
	d.must(err)
	d.must(d.store.EditIntake(ctx, bert, all[0].ID, timeline.IntakeEdit{Pause: new(false)}))
	d.wait(time.Hour)
	d.work()
	if got := d.posts(); len(got) != 2 {
		t.Errorf("a member again: %v", got)
	}
	d.must(d.store.Suspend(ctx, bert))
	b.post("3")
	asked := d.asked.Load()
	d.wait(48 * time.Hour)
	d.work()
	if d.asked.Load() != asked {
		t.Error("a suspended person's feed was asked for")
	}
	d.must(d.store.Restore(ctx, bert))
	d.must(d.store.DeleteAccount(ctx, bert, "correct horse"))
	_, err = d.store.Pool().Exec(ctx, `update users set erase_at = 'epoch' where id = $1`, bert)
	d.must(err)
	d.must(d.store.EraseAccounts(ctx))
	var left int
	d.must(d.store.Pool().QueryRow(ctx, `select (select count(*) from intakes) + (select count(*) from intake_items)`).Scan(&left))
	if left != 0 {
		t.Errorf("%d rows are left of a deleted account", left)
	}
}

// TestEditing: the owner pauses a feed, goes on, looks now, and removes it; the administrators of
// its group can remove it; other people can't do any of it.
func TestEditing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	b := d.newBlog("1")
	id := d.only().ID
	bert, err := d.store.SignUp(ctx, timeline.NewUser{Name: "bert", Email: "bert@example.org", Password: "correct horse"})
	d.must(err)
	for what, err := range map[string]error{
		"edit": d.store.EditIntake(ctx, bert, id, timeline.IntakeEdit{Pause: new(true)}), "remove": d.store.RemoveIntake(ctx, bert, id),
		"edit none": d.store.EditIntake(ctx, d.anna, id+1, timeline.IntakeEdit{}), "remove none": d.store.RemoveIntake(ctx, d.anna, id+1),
	} {
		if !errors.Is(err, timeline.ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	b.post("2")
	look := func() { d.must(d.store.EditIntake(ctx, d.anna, id, timeline.IntakeEdit{Look: true})) }
	look()
	d.work()
	if len(d.posts()) != 1 {
		t.Error("a feed is looked at twice in a minute")
	}
	d.wait(lookPauseOfStore)
	d.work()
	if len(d.posts()) != 2 {
		t.Error("a feed is not looked at when its owner asks")
	}
	d.must(d.store.EditIntake(ctx, d.anna, id, timeline.IntakeEdit{Pause: new(true)}))
	b.post("3")
	d.wait(48 * time.Hour)
	look()
	d.work()
	if len(d.posts()) != 2 {
		t.Error("a paused feed is looked at")
	}
	d.must(d.store.EditIntake(ctx, d.anna, id, timeline.IntakeEdit{Pause: new(false)}))
	d.work()
	if len(d.posts()) != 3 {
		t.Error("a feed that goes on is not looked at")
	}
	// The site allows fewer.
	_, err = d.store.ArrangeSite(ctx, timeline.SiteEdit{"intakes": "1"})
	d.must(err)
	d.Handle("/second", b)
	if wrong, is := errors.AsType[*timeline.InvalidError](d.try(d.anna, "user", d.url+"/second")); !is || wrong.Code != "intake_full" {
		t.Errorf("one too many: %v", wrong)
	}
	_, err = d.store.ArrangeSite(ctx, timeline.SiteEdit{"intakes": "0"})
	d.must(err)
	d.wait(48 * time.Hour)
	asked := d.asked.Load()
	d.work()
	if d.asked.Load() != asked {
		t.Error("a site that imports nothing asked for a feed")
	}
}

// lookPauseOfStore is the time after which a feed can be looked at again.
const lookPauseOfStore = time.Minute
