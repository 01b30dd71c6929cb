package realtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/internal/livetest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/realtime"
	liveclient "amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

var (
	seed    = flag.Uint64("seed", 1, "of TestPagesFollowANode")
	changes = flag.Int("changes", 150, "how much happens in TestPagesFollowANode")
)

// TestPagesFollowANode is the random test over the real thing: a primary, a
// node, and pages that break off and come back.
func TestPagesFollowANode(t *testing.T) {
	t.Parallel()
	racetest.Long(t)
	rnd := rand.New(rand.NewPCG(*seed, 5))
	s := newSite(t)
	for range 40 {
		s.change(rnd)
	}
	pages := []*follower{
		s.follow(river.Key{What: river.KindEverything}, "/everything/0?count=25", 1),
		s.follow(river.Key{What: river.KindEverything}, "/everything/0?count=7", 2),
	}
	for i, id := range s.people {
		home := river.Key{Viewer: id, What: river.KindHome, TheirID: int64(id)}
		pages = append(pages, s.follow(home, fmt.Sprintf("/home/%d?count=%d", id, 5+10*i), uint64(3+i)))
	}
	for range *changes {
		actor, post := s.change(rnd)
		for _, p := range pages {
			if post != 0 && p.key.Viewer == actor {
				p.acted(post)
			}
		}
		if rnd.IntN(10) == 0 {
			pages[rnd.IntN(len(pages))].breakOff()
		}
	}
	for i, p := range pages {
		if why := p.settled(time.Minute); why != "" {
			t.Errorf("seed %d, page %d (%s): %s", *seed, i, p.page.Path, why)
		}
	}
}

// site is a primary and a node with sockets.
type site struct {
	*testing.T
	store  *timeline.Store
	node   *river.Node
	url    string
	people []timeline.UserID
	posts  []authored
}

type authored struct {
	id     timeline.PostID
	author timeline.UserID
}

var names = []string{"ann", "bob", "eve"}

func newSite(t *testing.T) *site {
	s := &site{T: t}
	s.store = timeline.New(pgtest.New(t), timeline.Options{Argon: pgtest.Argon})
	for _, name := range names {
		id, err := s.store.SignUp(t.Context(), timeline.NewUser{Name: name, Email: name + "@example.org", NoPassword: true, DisplayName: name})
		s.must(err)
		s.people = append(s.people, id)
	}
	var err error
	s.node, err = river.Open(t.Context(), river.Config{
		Store: s.store, Path: filepath.Join(t.TempDir(), "river.db"), Ended: func([]byte) {},
		Settings: river.Settings{Limits: river.Limits{Patience: patience, Tight: patience, Behind: patience, Blind: patience}},
	})
	s.must(err)
	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- s.node.Run(ctx) }()
	config := realtime.Config{Rivers: realtime.OfNode(s.node), Identify: livetest.Identify, Resolve: livetest.Resolve, Render: factRender{}}
	config.Beat = 300 * time.Millisecond
	patient(&config.Limits)
	live := realtime.New(config)
	server := httptest.NewServer(live)
	s.url = server.URL
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := live.Close(ctx); err != nil {
			t.Error(err)
		}
		server.Close()
		stop()
		if err := <-ran; err != nil {
			t.Errorf("the node's loop: %v", err)
		}
	})
	return s
}

func (s *site) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// factRender draws the version and the text.
type factRender struct{ livetest.Render }

func (factRender) EntryJSON(_ *timeline.Sets, e *river.Entry, _ realtime.Users, _ realtime.Groups) json.RawMessage {
	data, err := json.Marshal(shownOf(e))
	if err != nil {
		panic(err)
	}
	return data
}

func shownOf(e *river.Entry) liveclient.Shown {
	return liveclient.Shown{Post: int64(e.Facts.ID), Tag: e.Tag, Version: e.Facts.Version, Text: e.Fold.Text.Text}
}

// change makes a random person do something. It returns the person and the post if the
// person's river can be asked for the result, and zeros otherwise.
func (s *site) change(rnd *rand.Rand) (timeline.UserID, timeline.PostID) {
	ctx, who := s.Context(), rnd.IntN(len(s.people))
	actor := s.people[who]
	if len(s.posts) == 0 || rnd.IntN(4) == 0 {
		id, err := s.store.CreatePost(ctx, actor, timeline.NewPost{To: []string{"user"}, Text: fmt.Sprintf("post %d", len(s.posts))})
		s.must(err)
		s.posts = append(s.posts, authored{id, actor})
		return actor, id
	}
	of := max(0, len(s.posts)-1-int(rnd.ExpFloat64()*12))
	p := s.posts[of]
	other := names[(who+1+rnd.IntN(len(names)-1))%len(names)]
	ignore := func(error) {} // a write that is not allowed at the moment changes nothing
	switch rnd.IntN(16) {
	case 0, 1, 2, 3, 4:
		_, err := s.store.AddComment(ctx, actor, p.id, timeline.NewComment{Text: "so?"})
		ignore(err)
	case 5, 6, 7:
		ignore(s.store.Like(ctx, actor, p.id))
	case 8:
		ignore(s.store.Unlike(ctx, actor, p.id))
	case 9:
		text := fmt.Sprintf("post %d, again", of)
		ignore(s.store.EditPost(ctx, p.author, p.id, timeline.PostEdit{Text: &text}))
		return p.author, p.id
	case 10:
		ignore(s.store.DeletePost(ctx, p.author, p.id))
	case 11, 12, 13:
		_, err := s.store.Subscribe(ctx, actor, timeline.FeedName{Name: other}, timeline.SubscribeOptions{})
		ignore(err)
		return 0, 0
	case 14:
		ignore(s.store.Unsubscribe(ctx, actor, timeline.FeedName{Name: other}))
		return 0, 0
	case 15:
		status := []string{"public", "private", "protected"}[rnd.IntN(3)]
		ignore(s.store.SetProfile(ctx, actor, timeline.ProfileEdit{Status: &status}))
		return 0, 0
	}
	return actor, p.id
}

// A follower is a page with its socket.
type follower struct {
	*site
	key  river.Key
	rnd  *rand.Rand
	done chan struct{}
	stop context.CancelFunc

	mu   sync.Mutex
	page *liveclient.Page
	conn *websocket.Conn
}

// follow opens a page and keeps it open.
func (s *site) follow(key river.Key, path string, seed uint64) *follower {
	s.Helper()
	var credential []byte
	if key.Viewer != 0 {
		credential = fmt.Appendf(nil, "%d-session", key.Viewer)
	}
	_, at, err := livetest.Resolve(s.Context(), key.Viewer, path, nil)
	s.must(err)
	v, err := s.node.Visit(s.Context(), key, at)
	for errors.Is(err, river.ErrBehind) { // a busy machine
		v, err = s.node.Visit(s.Context(), key, at)
	}
	s.must(err)
	p := liveclient.NewPage(s.node.Name(key, credential), path)
	p.Returns, p.Epoch, p.Counter = true, v.Epoch, v.Counter
	for i := range v.Entries {
		shown := shownOf(&v.Entries[i])
		p.Order = append(p.Order, shown.Post)
		p.Entries[shown.Post] = shown
	}
	ctx, stop := context.WithCancel(context.Background())
	f := &follower{site: s, key: key, rnd: rand.New(rand.NewPCG(seed, 3)), done: make(chan struct{}), stop: stop, page: p}
	go f.run(ctx, string(credential))
	s.Cleanup(func() {
		stop()
		<-f.done
	})
	return f
}

// run connects, and connects again.
func (f *follower) run(ctx context.Context, session string) {
	defer close(f.done)
	for ctx.Err() == nil {
		header := map[string][]string{}
		if session != "" {
			header["X-Session"] = []string{session}
		}
		conn, _, err := liveclient.Dial(ctx, f.url, http.DefaultClient, header)
		if err != nil {
			continue
		}
		f.followOn(ctx, conn)
		conn.CloseNow()
	}
}

// followOn follows over one connection.
func (f *follower) followOn(ctx context.Context, conn *websocket.Conn) {
	f.mu.Lock()
	f.conn = conn
	f.mu.Unlock()
	sub := func() []byte {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.page.Sub()
	}
	_ = liveclient.Follow(ctx, conn, sub, func(frame []byte) (again bool, err error) { // it connects again
		f.mu.Lock()
		defer f.mu.Unlock()
		verdict, _, err := f.page.Take(frame)
		if err != nil {
			f.Error(err)
		}
		return verdict == liveclient.Resub, err
	})
}

func (f *follower) breakOff() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conn != nil {
		f.conn.CloseNow()
	}
}

// acted applies the answer to an action of the page's viewer on a post.
func (f *follower) acted(post timeline.PostID) {
	v, err := f.node.EntryAfterWrite(f.Context(), f.key, post)
	if err != nil || len(v.Entries) == 0 || !v.Live {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, there := f.page.Entries[int64(post)]; there {
		f.page.Answer(v.Epoch, v.Counter, shownOf(&v.Entries[0]))
	}
}

// settled waits until the page equals the river, and returns the difference if that never
// happens.
func (f *follower) settled(within time.Duration) (why string) {
	ctx, cancel := context.WithTimeout(f.Context(), within)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		v, err := f.node.Visit(ctx, f.key, river.At{Count: 100})
		if err == nil {
			f.mu.Lock()
			why = differs(f.page, v)
			faults := len(f.page.Faults)
			f.mu.Unlock()
			if why == "" || faults > 0 {
				return why
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Sprint(why, err)
		}
	}
}
