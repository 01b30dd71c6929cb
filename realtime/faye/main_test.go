package faye

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// patience is how long a test waits for an event that must happen.
const patience = time.Minute

// A source has the channels of a test: /rivers/NAME for each name that the test opens, with the
// last published value. Each subscription gets the values since its last Fetch, merged into one
// message for each post.
type source struct {
	mu       sync.Mutex
	channels map[string]bool
	refused  map[string]error
	subs     map[*sourceSub]struct{}
	fetched  int
}

type sourceSub struct {
	of      *source
	channel string
	changed func()
	posts   map[int]string
	ended   bool
}

func newSource(channels ...string) *source {
	s := &source{channels: map[string]bool{}, refused: map[string]error{}, subs: map[*sourceSub]struct{}{}}
	for _, channel := range channels {
		s.channels[channel] = true
	}
	return s
}

func (s *source) listen(_ context.Context, _, channel string, changed func()) (Subscription, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refused[channel]; err != nil {
		return nil, err
	}
	if !s.channels[channel] {
		return nil, &Refusal{404, "Unknown channel"}
	}
	sub := &sourceSub{of: s, channel: channel, changed: changed, posts: map[int]string{}}
	s.subs[sub] = struct{}{}
	return sub, nil
}

// publish changes a post in a channel.
func (s *source) publish(channel string, post int, text string) {
	s.each(channel, func(sub *sourceSub) { sub.posts[post] = text })
}

func (s *source) refuse(channel string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused[channel] = err
}

func (s *source) each(channel string, change func(*sourceSub)) {
	s.mu.Lock()
	var told []func()
	for sub := range s.subs {
		if sub.channel == channel {
			change(sub)
			told = append(told, sub.changed)
		}
	}
	s.mu.Unlock()
	for _, changed := range told {
		changed()
	}
}

// open returns the number of subscriptions.
func (s *source) open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.subs)
}

func (sub *sourceSub) Fetch() (data []json.RawMessage, err error) {
	sub.of.mu.Lock()
	defer sub.of.mu.Unlock()
	if sub.ended {
		return nil, errors.New("the right has ended")
	}
	for _, post := range slices.Sorted(maps.Keys(sub.posts)) {
		data = append(data, fmt.Appendf(nil, `{"post":{"id":%d,"text":%q}}`, post, sub.posts[post]))
	}
	sub.posts = map[int]string{}
	sub.of.fetched++
	return data, nil
}

func (sub *sourceSub) Close() {
	sub.of.mu.Lock()
	defer sub.of.mu.Unlock()
	delete(sub.of.subs, sub)
}

// A bench is a server over HTTP with a source.
type bench struct {
	*testing.T
	*source
	faye *Server
	http *httptest.Server
}

func newBench(t *testing.T, limits Limits) *bench {
	t.Helper()
	b := &bench{T: t, source: newSource("/rivers/one", "/rivers/two")}
	b.faye = New(Config{Listen: b.listen, Secret: []byte("secret"), Limits: limits, Client: func(r *http.Request) string { return r.Header.Get("X-Client") }})
	b.http = httptest.NewServer(b.faye)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := b.faye.Close(ctx); err != nil {
			t.Error(err)
		}
		b.http.Close()
		if n := b.open(); n > 0 {
			t.Errorf("%d subscriptions are left", n)
		}
	})
	return b
}

// received is a message from the server.
type received map[string]any

func (r received) String() string {
	text, _ := json.Marshal(map[string]any(r))
	return string(text)
}

// with returns the message without the fields that differ from run to run.
func (r received) with(client string) string {
	if client != "" && r["clientId"] == client {
		r["clientId"] = "ID"
	}
	return strings.ReplaceAll(r.String(), client, "ID")
}

// send makes a request and returns the answer's status and body.
func (b *bench) send(method, query, kind, body string) (int, http.Header, string) {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), method, b.http.URL+"/faye"+query, strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	answer, err := b.http.Client().Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		b.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(text)
}

// post sends messages by POST and returns the answers.
func (b *bench) post(messages string) []received {
	b.Helper()
	status, _, body := b.send("POST", "", "application/json", messages)
	var all []received
	if err := json.Unmarshal([]byte(body), &all); status != 200 || err != nil {
		b.Fatalf("%s is answered %d %s", messages, status, body)
	}
	return all
}

// handshake returns a new clientId.
func (b *bench) handshake() string {
	b.Helper()
	return b.post(`[{"channel":"/meta/handshake","version":"1.0","supportedConnectionTypes":["long-polling","websocket"]}]`)[0]["clientId"].(string)
}

// subscribed returns a polling client with these subscriptions.
func (b *bench) subscribed(channels ...string) string {
	b.Helper()
	id := b.handshake()
	for _, channel := range channels {
		b.mustSucceed(b.post(subscribe(id, channel)))
	}
	b.mustSucceed(b.post(connect(id, byPOST)))
	return id
}

func (b *bench) mustSucceed(all []received) {
	b.Helper()
	for _, r := range all {
		if r["successful"] == false {
			b.Fatalf("refused: %s", r)
		}
	}
}

func connect(id, kind string) string {
	return fmt.Sprintf(`[{"channel":"/meta/connect","clientId":%q,"connectionType":%q,"id":"c"}]`, id, kind)
}

func subscribe(id, channel string) string {
	return fmt.Sprintf(`[{"channel":"/meta/subscribe","clientId":%q,"subscription":%q,"id":"s"}]`, id, channel)
}

// dial opens a WebSocket.
func (b *bench) dial() *websocket.Conn {
	b.Helper()
	conn, _, err := websocket.Dial(b.Context(), b.http.URL+"/faye", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"https://elsewhere.example"}}})
	if err != nil {
		b.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	b.Cleanup(func() { conn.CloseNow() })
	return conn
}

func (b *bench) write(conn *websocket.Conn, frame string) {
	b.Helper()
	if err := conn.Write(b.Context(), websocket.MessageText, []byte(frame)); err != nil {
		b.Fatal(err)
	}
}

// read returns the messages of the next frame.
func (b *bench) read(conn *websocket.Conn) []received {
	b.Helper()
	all, err := b.tryRead(conn)
	if err != nil {
		b.Fatal(err)
	}
	return all
}

func (b *bench) tryRead(conn *websocket.Conn) (all []received, err error) {
	ctx, cancel := context.WithTimeout(b.Context(), patience)
	defer cancel()
	_, text, err := conn.Read(ctx)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(text, []byte("[")) {
		b.Errorf("frame %s is no array", text)
	}
	return all, json.Unmarshal(text, &all)
}

// eventually waits until a condition holds.
func (b *bench) eventually(what string, is func() bool) {
	b.Helper()
	limit := time.After(patience)
	for !is() {
		select {
		case <-limit:
			b.Fatalf("never: %s", what)
		case <-time.After(time.Millisecond):
		}
	}
}
