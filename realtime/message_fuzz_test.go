package realtime

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// nowhere is a node without a river: all that a client says is read, and then
// refused.
type nowhere struct{ Rivers }

func (nowhere) Name(river.Key, []byte) string             { return "r" }
func (nowhere) Named(string) (river.Key, bool)            { return river.Key{}, false }
func (nowhere) WaitPosition(context.Context, int64) error { return nil }
func (nowhere) Age() time.Duration                        { return 0 }
func (nowhere) Watch(context.Context, river.Key) (Watch, error) {
	return nil, timeline.ErrForbidden
}

// fuzzed returns a server on such a node. A page whose address is valid has a river, which the
// client may not open.
func fuzzed(f *testing.F) *Server {
	f.Helper()
	s := New(Config{
		Rivers:   nowhere{},
		Identify: func(*http.Request) (timeline.Bearer, error) { return timeline.Bearer{}, nil },
		Resolve: func(_ context.Context, _ timeline.UserID, page string, _ func(river.Key) bool) (river.Key, river.At, error) {
			switch at, err := url.ParseRequestURI(page); {
			case err != nil:
				return river.Key{}, river.At{}, &timeline.InvalidError{Field: "page", Reason: "is no address: " + strings.ToValidUTF8(page, "")}
			case at.Path == "/fault":
				return river.Key{}, river.At{}, errors.New("a fault of ours")
			case at.Path == "/nothing":
				return river.Key{}, river.At{}, timeline.ErrNotFound
			}
			return river.Key{What: river.KindEverything}, river.At{}, nil
		},
	})
	f.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			f.Error(err)
		}
	})
	return s
}

// FuzzPoll: each poll with random parameters is refused in JSON, with one of the codes of
// the protocol's table.
func FuzzPoll(f *testing.F) {
	for _, query := range []string{
		"", "river=r", "river=r&page=/", "river=r&page=/&as=xml", "river=r&page=/&as=html&epoch=e&counter=7&position=8", "river=r&page=/&counter=-9223372036854775808", "river=r&page=/&counter=9223372036854775808",
		"river=r&page=nothing", "river=r&page=/nothing", "river=r&page=/fault", "river=x&page=/", "river=%ff&page=%ff", "river=r&river=x&page=/&page=//", "river=r;page=/", "counter=%00&river=r&page=/", "position=x&river=r&page=/",
		"river=r&page=" + strings.Repeat("ж", 100),
	} {
		f.Add(query)
	}
	s := fuzzed(f)
	f.Fuzz(func(t *testing.T, query string) {
		w := httptest.NewRecorder()
		s.Changes(w, &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/live/changes", RawQuery: query}, Header: http.Header{}})
		var said struct{ Error, Code string }
		if err := json.Unmarshal(w.Body.Bytes(), &said); err != nil || said.Error == "" || len(said.Error) > 200 || !utf8.ValidString(said.Error) {
			t.Fatalf("%q is answered %q: %v", query, w.Body, err)
		}
		switch {
		case w.Code == 401 && said.Code == "unauthorized", w.Code == 403 && said.Code == "forbidden", w.Code == 422 && said.Code == "invalid":
		case w.Code == 503 && strings.Contains(query, "fault"):
		default:
			t.Errorf("%q is answered %d %q", query, w.Code, w.Body)
		}
	})
}

// FuzzOrigin: where a cookie is sent, a socket is for a page of our own scheme and
// host alone.
func FuzzOrigin(f *testing.F) {
	for _, origin := range []string{"", "null", "https://amstel.example", "https://amstel.example/", "HTTPS://AMSTEL.EXAMPLE", "https://amstel.example.evil.example", "https://evil.example/https://amstel.example", "http://amstel.example", "https://amstel.example:443",
		"https://amstel.example https://evil.example", "https://amstel.example@evil.example", "https://amſtel.example", "\u212a"} {
		f.Add(origin, "amstel=x", "https://amstel.example/")
		f.Add(origin, "theme=dark", "")
		f.Add(origin, "", "https://amstel.example")
	}
	f.Fuzz(func(t *testing.T, origin, cookie, own string) {
		s := &Server{config: Config{Origin: own}}
		r := &http.Request{Host: "amstel.example", Header: http.Header{"Origin": {origin}, "Cookie": {cookie}}}
		if !s.sameOrigin(r) || len(r.Cookies()) == 0 || !utf8.ValidString(own) { // ours was read as an address
			return
		}
		if own == "" {
			own = "http://amstel.example"
		}
		a, errA := url.Parse(origin)
		b, errB := url.Parse(strings.TrimSuffix(own, "/"))
		if errA != nil || errB != nil || !strings.EqualFold(a.Scheme, b.Scheme) || !strings.EqualFold(a.Host, b.Host) {
			if origin != strings.TrimSuffix(own, "/") { // unchanged
				t.Errorf("a page of %q passes for one of %q", origin, own)
			}
		}
	})
}

// FuzzHave: an entry of a page parses as a post and a tag, or fails to parse. Writing and
// parsing it again gives the same entry.
func FuzzHave(f *testing.F) {
	for _, text := range []string{`[1,"a"]`, `[1]`, `[1,"a",2]`, `null`, `[null,null]`, `["1","a"]`, `[1.0,"a"]`, `[1e3,"a"]`, `[-1,""]`, `[9223372036854775808,"a"]`, `{}`, `[1,"\ud800"]`, `[[1,"a"],[2,"b"]]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var h have
		if err := json.Unmarshal(text, &h); err != nil {
			return
		}
		again, err := json.Marshal([]any{h.Post, h.Tag})
		if err != nil {
			t.Fatal(err)
		}
		var same have
		if err := json.Unmarshal(again, &same); err != nil || same != h {
			t.Errorf("%s is %+v, written %s, and that %+v: %v", text, h, again, same, err)
		}
	})
}

// FuzzAddPostAndTag: adding the post and the tag leaves the other members of an entry unchanged.
func FuzzAddPostAndTag(f *testing.F) {
	for _, object := range []string{"{}", `{"a":1}`, ` { "a" : [1,2] } `, "{ }", "null", "[]", `{"post":7}`} {
		f.Add([]byte(object), int64(7), "tag\"")
	}
	f.Fuzz(func(t *testing.T, object []byte, post int64, tag string) {
		if !json.Valid(object) || !utf8.ValidString(tag) {
			return
		}
		var was, is map[string]json.RawMessage
		if json.Unmarshal(object, &was) != nil {
			was = nil
		}
		text := withField(addPostAndTag(timeline.PostID(post), tag, object), "unread", 7)
		if err := json.Unmarshal(text, &is); err != nil {
			t.Fatalf("%s with a head is %s: %v", object, text, err)
		}
		for name, value := range was {
			if name != "post" && name != "tag" && name != "unread" && string(is[name]) != string(value) {
				t.Errorf("%s with a head is %s", object, text)
			}
		}
	})
}

// FuzzBytesOfAClient sends random bytes after an upgrade. The socket ends. Before the end, the
// server sends only whole frames: JSON, answers to pings, and at most one closing frame, with a
// code and a reason that browsers accept.
func FuzzBytesOfAClient(f *testing.F) {
	masked := func(first byte, payload string) []byte {
		b := []byte{first, 0x80 | byte(len(payload)), 0, 0, 0, 0}
		if n := len(payload); n > 125 {
			b = []byte{first, 0x80 | 126, byte(n >> 8), byte(n), 0, 0, 0, 0}
		}
		return append(b, payload...)
	}
	sub := `{"type":"sub","river":"r","page":"/"}`
	for _, bytes := range [][]byte{
		nil, {0}, masked(0x81, sub), masked(0x81, `{"type":"vis","hidden":true}`), masked(0x82, sub), append(masked(0x01, sub[:5]), masked(0x80, sub[5:])...), masked(0x89, "ping"), masked(0x8a, "pong"),
		masked(0x88, ""), masked(0x88, "\x03"), masked(0x88, "\x03\xe8bye"), masked(0x88, "\x00\x00"), masked(0x88, "\x03\xe8\xff"), masked(0xc1, sub), masked(0x83, ""), masked(0x80, ""), {0x81, 5, 'h', 'e', 'l', 'l', 'o'},
		{0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}, {0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}, {0x81, 0xfe, 0, 1, 0, 0, 0, 0, 'x'},
		masked(0x81, `{"type":"sub","river":"r","page":"`+strings.Repeat("ж", 60)+`"}`), masked(0x81, `{"type":"sub","river":"r","page":"/fault"}`), masked(0x81, "\xff"), []byte("GET / HTTP/1.1\r\n\r\n"),
		append(masked(0x81, sub), masked(0x81, sub)...), append(masked(0x01, ""), masked(0x89, "x")...),
	} {
		f.Add(bytes)
	}
	s := fuzzed(f)
	site := httptest.NewServer(s)
	f.Cleanup(site.Close)
	f.Fuzz(func(t *testing.T, bytes []byte) {
		conn, err := net.Dial("tcp", site.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil { // far longer than needed
			t.Fatal(err)
		}
		const upgrade = "GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: amstel.v1\r\n\r\n"
		if _, err := conn.Write(append([]byte(upgrade), bytes...)); err != nil {
			t.Fatal(err)
		}
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(conn)
		if answer, err := http.ReadResponse(in, nil); err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
			t.Fatalf("no socket: %v, %v", answer, err)
		}
		closed := false
		for {
			op, payload, err := frameFrom(in)
			switch {
			case errors.Is(err, net.ErrClosed) || errors.Is(err, io.EOF) || isReset(err):
				return
			case err != nil:
				t.Fatalf("after %q: %v", bytes, err)
			case closed:
				t.Fatalf("behind the closing: %x %q", op, payload)
			case op == opText:
				if !json.Valid(payload) {
					t.Errorf("a frame that is no JSON: %q", payload)
				}
			case op == 0x8a: // a pong
			case op == opClose:
				closed = true
				wellClosed(t, payload, strings.Contains(string(bytes), "\x88"))
			default:
				t.Fatalf("%x %q", op, payload)
			}
		}
	})
}

// wellClosed fails the test unless a browser can use the closing frame: its code is one of the
// protocol's, one of the library's, or, if the client closed first, the client's own with its
// reason.
func wellClosed(t *testing.T, payload []byte, byClient bool) {
	t.Helper()
	if len(payload) == 0 {
		return
	}
	if len(payload) < 2 || len(payload) > 125 || !byClient && !utf8.Valid(payload[2:]) {
		t.Errorf("closed with %q", payload)
		return
	}
	if code := websocket.StatusCode(binary.BigEndian.Uint16(payload)); code < 1000 || code == 1005 || code == 1006 || code == 1015 || code > 4999 {
		t.Errorf("closed with %d", code)
	}
}

// isReset says whether the connection was cut off.
func isReset(err error) bool {
	op := new(net.OpError)
	return errors.As(err, &op) && !op.Timeout()
}

// frameFrom reads a frame of the server's.
func frameFrom(in *bufio.Reader) (op byte, payload []byte, err error) {
	if op, err = in.ReadByte(); err != nil {
		return 0, nil, err
	}
	short, err := in.ReadByte()
	if err != nil {
		return op, nil, err
	}
	n := uint64(short)
	for more := map[byte]int{126: 2, 127: 8}[short]; more > 0; more-- {
		if short > 125 {
			n, short = 0, 0
		}
		c, err := in.ReadByte()
		if err != nil {
			return op, nil, err
		}
		n = n<<8 | uint64(c)
	}
	if n > 1<<20 {
		return op, nil, errors.New("a frame without an end")
	}
	payload = make([]byte, n)
	_, err = io.ReadFull(in, payload)
	return op, payload, err
}
