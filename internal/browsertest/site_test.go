package browsertest

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/attachment"
	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/intake"
	"amstel.dev/amstel/internal/nodetest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

func TestMain(m *testing.M) {
	code := pgtest.Runner(m).Run()
	stopBrowser()
	os.Exit(code)
}

// A site is a running site with people, on a port.
type site struct {
	*testing.T
	*nodetest.Site
	pool   *pgxpool.Pool // the primary
	store  *timeline.Store
	keeper *attachment.Keeper // of uploaded files
	files  filestore.Store
	maker  *picture.Maker // nil: the tool is not installed
	url    string
	ids    map[string]timeline.UserID
	door   door
	feeds  feeds
}

// feeds adds feeds of other sites by a worker that a test sets.
type feeds struct{ *intake.Worker }

// A door stands between a site and its visitors, as a proxy does. A test can make it answer
// requests itself.
type door struct {
	answer atomic.Pointer[func(http.ResponseWriter, *http.Request) bool]
}

// put sets a function that may answer requests, and reports whether it did.
func (d *door) put(answer func(http.ResponseWriter, *http.Request) bool) { d.answer.Store(&answer) }

// open lets all requests through again.
func (d *door) open() { d.answer.Store(nil) }

// before returns a handler that calls h for the requests that the door lets through.
func (d *door) before(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answer := d.answer.Load(); answer == nil || !(*answer)(w, r) {
			h.ServeHTTP(w, r)
		}
	})
}

// mostBytes is how many bytes an uploaded file may have on a site of these tests.
const mostBytes = 64 << 10

// newSite starts a site with public people of these names.
func newSite(t *testing.T, people ...string) *site {
	t.Helper()
	return newSiteAt(t, "", people...)
}

// newSiteAt is newSite with a public address; empty: that of the site's port.
func newSiteAt(t *testing.T, url string, people ...string) *site {
	t.Helper()
	s := &site{T: t, ids: map[string]timeline.UserID{}, pool: pgtest.New(t)}
	s.store = timeline.New(s.pool, timeline.Options{Argon: pgtest.Argon, Mails: true, URL: url})
	for _, name := range people {
		id, err := s.store.SignUp(t.Context(), nodetest.Person(name))
		s.must(err)
		s.ids[name] = id
	}
	files, err := filestore.OpenFolder(t.TempDir())
	s.must(err)
	s.files = files
	t.Cleanup(func() { s.must(files.Close()) })
	maker, err := picture.New(picture.Limits{}, 1)
	if err != nil && (!errors.Is(err, picture.ErrNoTool) || os.Getenv("CI") != "") {
		t.Fatal(err)
	}
	options := attachment.Options{Limits: timeline.AttachmentLimits{File: mostBytes}}
	if err == nil {
		options.Maker, s.maker = maker, maker
	}
	s.keeper = attachment.New(s.store, files, options)
	s.Site = nodetest.Start(t, nodetest.Config{Store: s.store, Web: web.Config{URL: url, Files: s.keeper, Intakes: &s.feeds, PushKey: nodetest.AnyPushKey}, Live: realtime.Config{Limits: realtime.Limits{ByeWithin: 100 * time.Millisecond}}, Before: s.door.before})
	s.url = cmp.Or(url, s.HTTP.URL)
	t.Cleanup(s.HTTP.CloseClientConnections)
	s.shown()
	return s
}

// must ends the test if err is not nil.
func (s *site) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// post publishes a post by a person, in their feed.
func (s *site) post(name, text string) timeline.PostID {
	s.Helper()
	id, err := s.store.CreatePost(s.Context(), s.ids[name], timeline.NewPost{To: []string{"user"}, Text: text})
	s.must(err)
	return id
}

// comment adds a comment by a person to a post.
func (s *site) comment(name string, post timeline.PostID, text string) timeline.CommentID {
	s.Helper()
	id, err := s.store.AddComment(s.Context(), s.ids[name], post, timeline.NewComment{Text: text})
	s.must(err)
	return id
}

// shown waits until pages show all earlier writes. A node on a busy machine may report several
// times that it is behind.
func (s *site) shown() {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), patience)
	defer cancel()
	for {
		err := s.Node.WaitApplied(ctx)
		if err == nil {
			return
		}
		if ctx.Err() != nil || !errors.Is(err, river.ErrBehind) {
			s.Fatal(err)
		}
	}
}
