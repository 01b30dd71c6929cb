package preview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/timeline"
)

// A desk is a worker with its store, its files, a clock that tests move, and a server of pages
// that it may fetch.
type desk struct {
	*Worker
	*stranger
	t        *testing.T
	anna     timeline.UserID
	mu       sync.Mutex
	clock    time.Time
	outcomes []string
}

// newDesk returns a desk whose worker has the real tool for pictures, if it is installed.
func newDesk(t *testing.T) *desk {
	d := &desk{t: t, clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), stranger: newStranger(t)}
	store := timeline.New(pgtest.New(t), timeline.Options{Argon: pgtest.Argon, Now: func() time.Time {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.clock
	}})
	files, err := filestore.OpenFolder(t.TempDir())
	d.must(err)
	t.Cleanup(func() { d.must(files.Close()) })
	options := Options{URL: "https://own.example", Permit: []netip.AddrPort{d.address()}, Done: func(outcome string) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.outcomes = append(d.outcomes, outcome)
	}}
	maker, err := picture.New(picture.Limits{}, 1)
	switch {
	case err == nil:
		options.Maker = maker
	case !errors.Is(err, picture.ErrNoTool) || os.Getenv("CI") != "":
		t.Fatal(err)
	}
	d.Worker = New(store, files, options)
	d.anna, err = store.SignUp(t.Context(), timeline.NewUser{Name: "anna", Email: "anna@example.org", Password: "correct horse"})
	d.must(err)
	return d
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) wait(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clock = d.clock.Add(by)
}

// took returns the outcomes of the tries since the last call.
func (d *desk) took() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer func() { d.outcomes = nil }()
	return strings.Join(d.outcomes, " ")
}

// link publishes a post that links to a page of the server.
func (d *desk) link(path string) timeline.PostID {
	d.t.Helper()
	id, err := d.store.CreatePost(d.t.Context(), d.anna, timeline.NewPost{To: []string{"user"}, Text: d.URL + path})
	d.must(err)
	return id
}

// work fetches all pages that are due.
func (d *desk) work() {
	d.t.Helper()
	for more := true; more; {
		var err error
		more, err = d.Work(d.t.Context())
		d.must(err)
	}
}

// title returns the primary's data about the page that a post links to: its title and the size
// of its picture.
func (d *desk) title(post timeline.PostID) (title string, width, height int) {
	d.t.Helper()
	d.must(d.store.Pool().QueryRow(d.t.Context(), `
		select v.title, v.width, v.height from previews v join posts p on p.preview_id = v.id where p.id = $1`, post).Scan(&title, &width, &height))
	return title, width, height
}

// painting returns a picture of this size.
func painting(t *testing.T, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPicturesOfPages fetches pages with valid and with unusable pictures.
func TestPicturesOfPages(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes that make pictures")
	}
	t.Parallel()
	d := newDesk(t)
	if d.opts.Maker == nil {
		t.Skip(picture.ErrNoTool)
	}
	bomb := painting(t, 8, 8)
	copy(bomb[16:], "\x00\x00\xc3\x50\x00\x00\xc3\x50") // its header claims 50,000 x 50,000
	private := newStranger(t)
	private.page("/", "image/png", string(painting(t, 100, 60)))
	for name, tt := range map[string]struct {
		mediaType string
		data      []byte
		address   string // of another server
		width     int
	}{
		"good":     {"image/png", painting(t, 1500, 900), "", 660},
		"tiny":     {"image/gif", painting(t, 1, 1), "", 0},
		"bomb":     {"image/png", bomb, "", 0},
		"svg":      {"image/svg+xml", []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), "", 0},
		"html":     {"text/html", painting(t, 100, 60), "", 0},
		"too long": {"image/png", append(painting(t, 100, 60), make([]byte, mostPicture)...), "", 0},
		"private":  {"", nil, private.URL, 0},
		"script":   {"", nil, "javascript:alert(1)", 0},
		"absent":   {"", nil, "/absent", 0},
	} {
		path := "/" + strings.ReplaceAll(name, " ", "-")
		address := tt.address
		if address == "" {
			address = path + ".png"
			d.page(address, tt.mediaType, string(tt.data))
		}
		d.page(path, "", fmt.Sprintf(`<title>%s</title><meta property=og:image content="%s">`, name, address))
		post := d.link(path)
		d.work()
		title, width, _ := d.title(post)
		if title != name || width != tt.width {
			t.Errorf("%s: the title is %q, and the picture %d wide; want %d", name, title, width, tt.width)
		}
		f, err := d.store.PreviewFile(t.Context(), 0, post)
		if tt.width == 0 {
			if !errors.Is(err, timeline.ErrNotFound) {
				t.Errorf("%s: it has the picture %v, %v", name, f, err)
			}
			continue
		}
		d.must(err)
		if is, err := filestore.Has(t.Context(), d.files, filestore.Name(f.File)); !is || err != nil || f.MediaType != "image/webp" {
			t.Errorf("%s: the file is kept: %v, as %s, %v", name, is, f.MediaType, err)
		}
	}
	if n := private.asked.Load(); n > 0 {
		t.Errorf("the private server was asked %d times", n)
	}
}

// TestTries fetches pages that fail for a time, pages that always fail, and pages with nothing
// to show.
func TestTries(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ok := false
	d.HandleFunc("/away", func(w http.ResponseWriter, _ *http.Request) {
		if !ok {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>back</title>")
	})
	d.HandleFunc("/broken", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	d.leads("/private", "http://169.254.169.254/")
	away := d.link("/away")
	d.work()
	d.work()
	if got := d.took(); got != "failed" {
		t.Errorf("the first try: %s", got)
	}
	ok = true
	d.wait(waits[0])
	d.work()
	if title, _, _ := d.title(away); title != "back" || d.took() != "ready" {
		t.Errorf("the second try: %q", title)
	}
	broken := d.link("/broken")
	d.link("/absent")
	d.link("/private")
	for range 5 {
		d.work()
		d.wait(time.Hour)
	}
	got := strings.Fields(d.took())
	slices.Sort(got)
	if want := []string{"failed", "failed", "failed", "none", "refused"}; !slices.Equal(got, want) {
		t.Errorf("the outcomes are %v, want %v", got, want)
	}
	if title, _, _ := d.title(broken); title != "" {
		t.Errorf("a page that can't be had has the title %q", title)
	}
}

// TestRun: a running worker fetches the pages of posts, besides a page that never answers. When
// the worker ends, it puts that page back.
func TestRun(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.opts.Workers = 2
	done := make(chan string, 10)
	d.opts.Done = func(outcome string) { done <- outcome }
	stuck := make(chan struct{})
	hanging := newStranger(t)
	hanging.HandleFunc("/", func(_ http.ResponseWriter, r *http.Request) {
		stuck <- struct{}{}
		<-r.Context().Done()
	})
	d.fetch = newFetcher("", []netip.AddrPort{d.address(), hanging.address()})
	d.page("/a", "", "<title>a</title>")
	d.page("/b", "", "<title>b</title>")
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { d.Run(ctx, nil) })
	_, err := d.store.CreatePost(t.Context(), d.anna, timeline.NewPost{To: []string{"user"}, Text: hanging.URL})
	d.must(err)
	<-stuck
	d.link("/a")
	d.link("/b")
	for range 2 {
		if outcome := <-done; outcome != "ready" {
			t.Error(outcome)
		}
	}
	cancel()
	running.Wait()
	lease, err := d.store.TakePreview(t.Context(), time.Minute)
	d.must(err)
	if lease == nil || lease.Address != hanging.URL+"/" || lease.Try != 1 {
		t.Errorf("%v was given back", lease)
	}
}
