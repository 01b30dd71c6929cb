package browsertest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// site is all of Amstel on a port.
type site struct {
	*testing.T
	store *timeline.Store
	node  *river.Node
	web   *web.Server
	live  *realtime.Server
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
	cheap := &argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 8, KeyLength: 16}
	s.store = timeline.New(pgtest.New(t), timeline.Options{Argon: cheap})
	for _, name := range people {
		id, err := s.store.SignUp(t.Context(), timeline.NewUser{
			Name: name, Email: name + "@example.org", Password: "password of " + name, DisplayName: name,
		})
		s.must(err)
		s.ids[name] = id
	}
	var err error
	s.node, err = river.Open(t.Context(), river.Config{
		Store: s.store, Path: filepath.Join(t.TempDir(), "river.db"),
		Ended: func(hash []byte) { s.web.Ended(hash); s.live.Ended(hash) },
	})
	s.must(err)
	server := httptest.NewUnstartedServer(nil)
	s.url = "http://" + server.Listener.Addr().String()
	s.web, err = web.New(web.Config{
		Store: s.store, Rivers: s.node, URL: s.url,
		Live:    http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.live.ServeHTTP(w, r) }),
		Changes: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.live.Changes(w, r) }),
	})
	s.must(err)
	s.live = realtime.New(realtime.Config{
		Rivers: rivers{s.node}, Identify: s.web.Identify, Resolve: s.web.Addresses().Resolve, Render: web.Renderer{},
		Origin: s.url, ByeWithin: 100 * time.Millisecond,
	})
	server.Config.Handler = s.door.before(s.web)
	looping, endLoop := context.WithCancel(context.Background())
	looped := make(chan error, 1)
	go func() { looped <- s.node.Run(looping) }()
	server.Start()
	t.Cleanup(func() {
		closing, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := s.live.Close(closing); err != nil {
			t.Errorf("closing sockets: %v", err)
		}
		server.CloseClientConnections()
		server.Close()
		endLoop()
		if err := <-looped; err != nil {
			t.Errorf("the loop: %v", err)
		}
	})
	s.shown()
	return s
}

// rivers are the node's as sockets see them.
type rivers struct{ *river.Node }

func (r rivers) Watch(ctx context.Context, key river.Key) (realtime.Watch, error) {
	w, err := r.Node.Watch(ctx, key)
	if err != nil {
		return nil, err
	}
	return w, nil
}

func (s *site) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// post has somebody write a post.
func (s *site) post(name, text string) timeline.PostID {
	s.Helper()
	id, err := s.store.CreatePost(s.Context(), s.ids[name], timeline.NewPost{To: []string{"user"}, Text: text})
	s.must(err)
	return id
}

// comment has somebody write a comment.
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
		err := s.node.Sync(ctx)
		if err == nil {
			return
		}
		if ctx.Err() != nil || !errors.Is(err, river.ErrBehind) {
			s.Fatal(err)
		}
	}
}
