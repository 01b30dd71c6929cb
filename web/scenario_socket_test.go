package web_test

import (
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// socket is an open page's.
type socket struct {
	t    *testing.T
	conn *websocket.Conn
}

// A frame is one message of a socket, unchanged.
type frame string

func (f frame) kind() string {
	var message struct{ Type string }
	_ = json.Unmarshal([]byte(f), &message)
	return message.Type
}

// open connects as a page without entries, and returns the first frame about entries. It returns
// false if the socket is refused.
func (c *client) open(path, uuid, as string) (*socket, frame, bool) {
	c.b.t.Helper()
	header := http.Header{}
	if c.token != "" {
		header.Set("X-API-Token", c.token)
	}
	conn, _, err := websocket.Dial(c.b.t.Context(), c.b.http.URL+"/live", &websocket.DialOptions{
		HTTPHeader: header, Subprotocols: []string{"amstel.v1"}, HTTPClient: c.http,
	})
	if err != nil {
		c.b.t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	c.b.t.Cleanup(func() { _ = conn.CloseNow() })
	s := &socket{c.b.t, conn}
	sub, err := json.Marshal(object{"type": "sub", "river": uuid, "page": path, "as": as})
	if err != nil {
		c.b.t.Fatal(err)
	}
	if err := conn.Write(c.b.t.Context(), websocket.MessageText, sub); err != nil {
		c.b.t.Fatal(err)
	}
	for {
		f, ok := s.read()
		if !ok || f.kind() == "reset" || f.kind() == "patch" || f.kind() == "beat" {
			return s, f, ok
		}
	}
}

// read waits for a frame; false: the socket was closed.
func (s *socket) read() (frame, bool) {
	_, text, err := s.conn.Read(s.t.Context())
	if websocket.CloseStatus(err) != -1 {
		return "", false
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return frame(text), true
}

// until reads frames up to the first that contains the text, and returns all of them.
func (s *socket) until(text string) string {
	s.t.Helper()
	var all strings.Builder
	for {
		f, ok := s.read()
		if !ok {
			s.t.Fatalf("closed before %q came", text)
		}
		all.WriteString(string(f))
		if strings.Contains(string(f), text) {
			return all.String()
		}
	}
}

var riverTag = regexp.MustCompile(`<div id="river"[^>]*>`)

// attribute returns an attribute of the river in a page.
func attribute(page, name string) string {
	found := regexp.MustCompile(name + `="([^"]*)"`).FindStringSubmatch(riverTag.FindString(page))
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}

func TestPageConnects(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	bobby := b.as("bobby")
	b.as("alice").post("before", "user")

	// As our own page does, and as another client.
	for _, path := range []string{"/alice", "/", "/filter/everything", "/alice/comments"} {
		page := bobby.get(path).html()
		if attribute(page, "data-live") != "true" || attribute(page, "data-viewer") != "bobby" {
			t.Fatalf("%s is not live: %s", path, riverTag.FindString(page))
		}
		if _, f, ok := bobby.open(attribute(page, "data-page"), attribute(page, "data-river"), "html"); !ok || f.kind() != "reset" {
			t.Errorf("%s: %v %s", path, ok, f)
		}
	}
	a := bobby.get("/alice.json?count=5").ok()
	s, f, ok := bobby.open("/alice.json?count=5", a.at("river", "uuid").(string), "json")
	if !ok || !strings.Contains(string(f), "before") {
		t.Fatalf("%v %s", ok, f)
	}
	b.as("alice").post("after", "user")
	s.until("after")
	// For another viewer's river a client gets a refusal without details.
	if _, f, ok := b.visitor().open("/alice", a.at("river", "uuid").(string), "json"); ok {
		t.Errorf("another viewer's river: %s", f)
	}
	// The end of a session ends its sockets.
	browser := b.browser("bobby")
	page := browser.get("/alice").html()
	browser.header.Set("Origin", b.http.URL)
	conn, _, err := websocket.Dial(t.Context(), b.http.URL+"/live", &websocket.DialOptions{
		HTTPClient: browser.http, HTTPHeader: http.Header{"Origin": {b.http.URL}}, Subprotocols: []string{"amstel.v1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	sub, _ := json.Marshal(object{"type": "sub", "river": attribute(page, "data-river"), "page": "/alice", "as": "html"})
	if err := conn.Write(t.Context(), websocket.MessageText, sub); err != nil {
		t.Fatal(err)
	}
	browser.form("POST", "/users/sign_out").leadsTo("/")
	for {
		if _, _, err := conn.Read(t.Context()); err != nil {
			if status := websocket.CloseStatus(err); status != 4401 {
				t.Errorf("closed with %d: %v", status, err)
			}
			break
		}
	}
}

// TestTokenAsSubprotocol opens sockets as a script of another site does, which can set no header: the
// token is the name of a second subprotocol. Elsewhere such a name gives no rights.
func TestTokenAsSubprotocol(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice := b.as("alice")
	alice.post("for my eyes only", "user_fyeo")
	uuid := alice.get("/filter/fyeo.json").ok().at("river", "uuid").(string)
	for _, tt := range []struct {
		name, token string
		end         websocket.StatusCode // 0: the page is shown
	}{
		{"a token", alice.token, 0},
		{"an unknown token", strings.Repeat("0", len(alice.token)), 4401},
		{"an empty token", "", 4401},
	} {
		conn, _, err := websocket.Dial(t.Context(), b.http.URL+"/live", &websocket.DialOptions{
			HTTPHeader:   http.Header{"Origin": {"https://elsewhere.example"}},
			Subprotocols: []string{"amstel.v1", "amstel.token." + tt.token},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.CloseNow()
		if got := conn.Subprotocol(); got != "amstel.v1" && tt.end == 0 {
			t.Errorf("%s: the server chose the protocol %q", tt.name, got)
		}
		sub, _ := json.Marshal(object{"type": "sub", "river": uuid, "page": "/filter/fyeo", "as": "json"})
		_ = conn.Write(t.Context(), websocket.MessageText, sub) // the socket may be closed by now
		s := &socket{t, conn}
		switch {
		case tt.end == 0:
			s.until("for my eyes only")
		default:
			_, _, err := conn.Read(t.Context())
			if got := websocket.CloseStatus(err); got != tt.end {
				t.Errorf("%s: the socket is closed with %d (%v), want %d", tt.name, got, err, tt.end)
			}
		}
	}
	polled, err := http.NewRequestWithContext(t.Context(), "GET", b.http.URL+"/api/v1/whoami", nil)
	if err != nil {
		t.Fatal(err)
	}
	polled.Header.Set("Sec-WebSocket-Protocol", "amstel.token."+alice.token)
	answer, err := http.DefaultClient.Do(polled)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("away from /live a subprotocol gives rights: %s", answer.Status)
	}
}

// TestOpenPageIsToldVersionsThatOnlyRise likes a post, and takes the like back. The entry
// looks as before and has its old tag again, but a higher version.
func TestOpenPageIsToldVersionsThatOnlyRise(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	post := alice.post("it is liked, and then it is not", "user")
	uuid := alice.get("/alice.json").ok().at("river", "uuid").(string)
	var pages []*socket
	for _, as := range []string{"json", "json", "html", "html"} { // nothing is kept for a single page
		page, f, ok := alice.open("/alice.json", uuid, as)
		if !ok || f.kind() != "reset" {
			t.Fatalf("the page is told %v %s, want a reset", ok, f)
		}
		pages = append(pages, page)
	}
	version := regexp.MustCompile(`"version":(\d+),`)
	for want := 2; want <= 5; want++ {
		bobby.send([]string{"POST", "DELETE"}[want%2], "/api/v1/posts/"+post+"/likes", nil).ok()
		for i, page := range pages {
			f, ok := page.read()
			for ok && f.kind() != "patch" {
				f, ok = page.read()
			}
			if i > 1 { // HTML names no version
				if liked := want%2 == 0; !ok || strings.Contains(string(f), "liked this") != liked {
					t.Errorf("page %d is told %v %s, want a patch; liked: %v", i, ok, f, liked)
				}
				continue
			}
			told := version.FindStringSubmatch(string(f))
			if !ok || told == nil {
				t.Fatalf("page %d is told %v %s, want a patch with a version", i, ok, f)
			}
			if told[1] != strconv.Itoa(want) {
				t.Errorf("page %d is told version %s, want %d", i, told[1], want)
			}
		}
	}
}
