package browsertest

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/internal/nodetest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// site is all of Amstel on a port.
type site struct {
	*testing.T
	*nodetest.Site
	store *timeline.Store
	url   string
	ids   map[string]timeline.UserID
	door  door
}

// door is what stands between a site and its visitors: a proxy, or nothing. It
// says whether it has answered a request itself.
type door struct {
	answer atomic.Pointer[func(http.ResponseWriter, *http.Request) bool]
}

func (d *door) put(answer func(http.ResponseWriter, *http.Request) bool) { d.answer.Store(&answer) }

func (d *door) open() { d.answer.Store(nil) }

// before has requests come to a handler through the door.
func (d *door) before(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answer := d.answer.Load(); answer == nil || !(*answer)(w, r) {
			h.ServeHTTP(w, r)
		}
	})
}

// newSite starts a site with those people, all public.
func newSite(t *testing.T, people ...string) *site {
	t.Helper()
	s := &site{T: t, ids: map[string]timeline.UserID{}}
	s.store = timeline.New(pgtest.New(t), timeline.Options{Argon: pgtest.Argon})
	for _, name := range people {
		id, err := s.store.SignUp(t.Context(), nodetest.Person(name))
		s.must(err)
		s.ids[name] = id
	}
	s.Site = nodetest.Start(t, nodetest.Config{Store: s.store, Live: realtime.Config{Limits: realtime.Limits{ByeWithin: 100 * time.Millisecond}}, Before: s.door.before})
	s.url = s.HTTP.URL
	t.Cleanup(s.HTTP.CloseClientConnections)
	s.shown()
	return s
}

func (s *site) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// post writes a post in the name of a person.
func (s *site) post(name, text string) timeline.PostID {
	s.Helper()
	id, err := s.store.CreatePost(s.Context(), s.ids[name], timeline.NewPost{To: []string{"user"}, Text: text})
	s.must(err)
	return id
}

// comment writes a comment in the name of a person.
func (s *site) comment(name string, post timeline.PostID, text string) timeline.CommentID {
	s.Helper()
	id, err := s.store.AddComment(s.Context(), s.ids[name], post, timeline.NewComment{Text: text})
	s.must(err)
	return id
}

// shown waits until pages show what was written so far; a busy machine may need
// more than the moment that the node grants a request.
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
