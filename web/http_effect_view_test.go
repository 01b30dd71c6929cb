package web

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// A scripted is a node that answers as a test says, and notes what it was asked.
type scripted struct {
	noRivers
	named          bool        // the request names a river of its visitor
	home, page     *river.View // of EntryAfterWrite, for the river on the screen and the post's own page
	memory         *river.View
	fails, applied error // of EntryAfterWrite, and of WaitApplied
	asked          []string
}

func (n *scripted) Named(string, timeline.UserID, []byte) (river.Key, bool) {
	return river.Key{Viewer: 1, What: river.KindHome, TheirID: 1}, n.named
}

func (n *scripted) EntryAfterWrite(_ context.Context, key river.Key, _ timeline.PostID) (*river.View, error) {
	n.asked = append(n.asked, string(key.What))
	if key.What == river.KindPost {
		return n.page, n.fails
	}
	return n.home, n.fails
}

func (n *scripted) EntryFromMemory(timeline.UserID, timeline.PostID, bool) *river.View {
	n.asked = append(n.asked, "memory")
	return n.memory
}

func (n *scripted) WaitApplied(context.Context) error {
	n.asked = append(n.asked, "applied")
	return n.applied
}

func (n *scripted) WaitRevoked() { n.asked = append(n.asked, "revoked") }

func (n *scripted) Position() int64 { return 5 }

// viewOf returns a view with the entry of a post, or with none.
func viewOf(live bool, posts ...timeline.PostID) *river.View {
	v := &river.View{Live: live, Epoch: "epoch", Counter: 9, Sets: &timeline.Sets{User: 1}}
	for _, post := range posts {
		v.Entries = append(v.Entries, river.Entry{
			Facts: &timeline.Facts{ID: post, Author: 1}, Fold: &timeline.Fold{Post: post, Author: 1, Text: timeline.TextFold{Text: "hoi"}},
		})
	}
	return v
}

// TestViewOfAWrite: the answer to a write has the post from the river on the screen; else from memory, once the node
// shows the write; else from the primary; and if nothing can be read, the answer has no view.
func TestViewOfAWrite(t *testing.T) {
	t.Parallel()
	away := errors.New("our own fault")
	for _, tt := range []struct {
		name   string
		node   scripted
		html   bool
		alone  bool // the request names no river
		left   bool // the client has left
		effect timeline.Effect
		asked  []string
		of     func(*scripted) *river.View
		logged string
	}{
		{name: "on the screen", node: scripted{named: true, home: viewOf(true, 7)}, asked: []string{"home"}, of: func(n *scripted) *river.View { return n.home }},
		{name: "on the screen, read from the primary", node: scripted{named: true, home: viewOf(false, 7)}, asked: []string{"home", "applied"}, of: func(n *scripted) *river.View { return n.home }},
		{name: "in memory", node: scripted{memory: viewOf(false, 7)}, asked: []string{"applied", "memory"}, of: func(n *scripted) *river.View { return n.memory }},
		{name: "not on the screen's river", node: scripted{named: true, home: viewOf(true), memory: viewOf(false, 7)}, asked: []string{"home", "memory"}, of: func(n *scripted) *river.View { return n.memory }},
		{name: "of the primary", node: scripted{page: viewOf(false, 7)}, asked: []string{"applied", "memory", "post"}, of: func(n *scripted) *river.View { return n.page }},
		{name: "of the primary, as the node does not show the write", node: scripted{page: viewOf(false, 7), memory: viewOf(false, 7), applied: river.ErrBehind}, asked: []string{"applied", "post"}, of: func(n *scripted) *river.View { return n.page }, logged: "level=DEBUG"},
		{name: "nowhere", node: scripted{page: viewOf(false)}, asked: []string{"applied", "memory", "post"}},
		{name: "that can't be read", node: scripted{named: true, fails: away}, asked: []string{"home", "applied", "memory", "post"}, logged: "level=ERROR"},
		{name: "that may not be read", node: scripted{fails: timeline.ErrForbidden}, asked: []string{"applied", "memory", "post"}, logged: "level=DEBUG"},
		{name: "without a named river", node: scripted{named: true, home: viewOf(true, 7), memory: viewOf(false, 7)}, alone: true, asked: []string{"applied", "memory"}, of: func(n *scripted) *river.View { return n.memory }},
		{name: "that took a right away", node: scripted{memory: viewOf(false, 7)}, effect: timeline.Effect{Changed: true, Revoked: true}, asked: []string{"revoked", "memory"}, of: func(n *scripted) *river.View { return n.memory }},
		{name: "of a client that left", node: scripted{fails: away}, left: true, asked: []string{"applied", "memory", "post"}, logged: "level=DEBUG"},
		{name: "of a form", node: scripted{memory: viewOf(false, 7)}, html: true, asked: []string{"applied"}},
	} {
		var logged bytes.Buffer
		s, err := New(Config{Rivers: &tt.node, URL: "http://amstel.example", Log: slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/api/v1/posts/7/likes", strings.NewReader(""))
		if !tt.alone {
			r.Header.Set("X-River-Signature", "name/user:ann")
		}
		if tt.left {
			ctx, leave := context.WithCancel(t.Context())
			leave()
			r = r.WithContext(ctx)
		}
		if tt.effect == (timeline.Effect{}) {
			tt.effect.Changed = true
		}
		q := &request{Request: r, html: tt.html, wrote: &tt.effect}
		q.who.User = 1
		_, view := s.effectAndView(httptest.NewRecorder(), q, 7)
		var want *river.View
		if tt.of != nil {
			want = tt.of(&tt.node)
		}
		if view != want || !slices.Equal(tt.node.asked, tt.asked) {
			t.Errorf("%s: view %v, asked for %q, want %q", tt.name, view, tt.node.asked, tt.asked)
		}
		// Each view that can't be read is logged.
		missed := 0
		if tt.node.applied != nil {
			missed++
		}
		for _, what := range tt.asked {
			if tt.node.fails != nil && (what == "home" || what == "post") {
				missed++
			}
		}
		if got := logged.String(); strings.Count(got, "\n") != missed || missed > 0 && strings.Count(got, tt.logged) != missed {
			t.Errorf("%s: logged %q, want %d times %q", tt.name, got, missed, tt.logged)
		}
	}
}

// TestEffectOnThePostThatTheBodyNames: only a request of a page, with a river on its screen and the id of a post, is told
// what became of the post.
func TestEffectOnThePostThatTheBodyNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, post string
		named      bool
		form       bool // the answer is a redirect
		fragments  bool
		told       bool
	}{
		{"a post", "7", true, false, false, true},
		{"a post, as HTML", "7", true, false, true, true},
		{"post 1", "1", true, false, false, true},
		{"no number", "seven", true, false, false, false},
		{"post 0", "0", true, false, false, false},
		{"a negative number", "-7", true, false, false, false},
		{"a form", "7", true, true, false, false},
		{"no river", "7", false, false, false, false},
	} {
		node := &scripted{named: tt.named, home: viewOf(true, 7)}
		s, err := New(Config{Rivers: node, URL: "http://amstel.example"})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/api/v1/users/ann/mute", strings.NewReader(""))
		r.Header.Set("X-River-Signature", "name/user:ann")
		if tt.fragments {
			r.Header.Set("X-Amstel-As", "html")
		}
		q := &request{Request: r, html: tt.form, body: input{"post": tt.post}, wrote: &timeline.Effect{Changed: true}, words: s.readsIn(r, nil)}
		q.who.User = 1
		told := s.effectOnNamed(httptest.NewRecorder(), q)
		if is := len(told.Entries)+len(told.HTML) > 0; is != tt.told || told.Entries == nil {
			t.Errorf("%s: told %v", tt.name, told)
		}
		if tt.told && (len(told.HTML) == 1) != tt.fragments || tt.fragments && len(told.Entries) > 0 {
			t.Errorf("%s: told %d entries as JSON, %d as HTML", tt.name, len(told.Entries), len(told.HTML))
		}
		if asked := len(node.asked) > 0; asked != tt.told {
			t.Errorf("%s: the node was asked for %q", tt.name, node.asked)
		}
	}
}

// TestPositionIsRememberedByBrowsersAfterWrites: an answer to a write tells its position, and a browser keeps it as a cookie.
// Programs with a token keep what they are told by themselves.
func TestPositionIsRememberedByBrowsersAfterWrites(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		wrote    timeline.Effect
		token    bool
		position int64
		cookie   string
	}{
		{"a write", timeline.Effect{Changed: true}, false, 5, positionCookie + "=5"},
		{"a write by a token", timeline.Effect{Changed: true}, true, 5, ""},
		{"nothing written", timeline.Effect{}, false, 0, ""},
	} {
		s, err := New(Config{Rivers: &scripted{}, URL: "http://amstel.example"})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		q := &request{Request: httptest.NewRequestWithContext(t.Context(), "POST", "/", strings.NewReader("")), token: tt.token, wrote: &tt.wrote}
		position := s.await(w, q, nil)
		if cookie := w.Header().Get("Set-Cookie"); position != tt.position || !strings.HasPrefix(cookie, tt.cookie) || tt.cookie == "" && cookie != "" {
			t.Errorf("%s: position %d, cookie %q", tt.name, position, cookie)
		}
	}
}
