package realtime_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/internal/livetest"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

func TestBadFramesCloseTheSocket(t *testing.T) {
	good := func(b *bench) string { return string(b.visit(everything, "", "").Sub()) }
	text := func(frames ...string) func(*bench) []string {
		return func(*bench) []string { return frames }
	}
	for _, tt := range []struct {
		name   string
		frames func(*bench) []string
		want   websocket.StatusCode
	}{
		{"not JSON", text("hello"), realtime.CodeBad},
		{"no UTF-8", text("{\"type\":\"vis\",\"x\":\"\xd0\"}"), realtime.CodeBad},
		{"an empty frame", text(""), realtime.CodeBad},
		{"an array", text(`[]`), realtime.CodeBad},
		{"no type", text(`{}`), realtime.CodeBad},
		{"an unknown type", text(`{"type":"post"}`), realtime.CodeBad},
		{"a sub of nothing", text(`{"type":"sub"}`), realtime.CodeBad},
		{"a counter that is no number", text(`{"type":"sub","river":"r","page":"/","counter":"x"}`), realtime.CodeBad},
		{"an unknown form", text(`{"type":"sub","river":"r","page":"/","as":"xml"}`), realtime.CodeBad},
		{"have that is no pairs", text(`{"type":"sub","river":"r","page":"/","have":[[1]]}`), realtime.CodeBad},
		{"have of wrong types", text(`{"type":"sub","river":"r","page":"/","have":[["a",1]]}`), realtime.CodeBad},
		{"an oversized frame", text(`{"type":"vis","hidden":true,"x":"` + strings.Repeat("x", 40_000) + `"}`), realtime.CodeBad},
		{"three frames in a second", text(`{"type":"vis"}`, `{"type":"vis"}`, `{"type":"vis"}`), realtime.CodeBad},
		{"a second river", func(b *bench) []string {
			return []string{good(b), string(b.visit(river.Key{What: river.KindUser, TheirID: 1}, "", "").Sub())}
		}, realtime.CodeBad},
		{"a river of another's", func(b *bench) []string {
			b.rivers.Name(everything, []byte("other"))
			return []string{strings.Replace(good(b), `#"`, `#6f74686572"`, 1)}
		}, realtime.CodeSignedOut},
		{"a river that is another page's", func(b *bench) []string {
			return []string{strings.Replace(good(b), `"page":"/everything/0"`, `"page":"/user/5"`, 1)}
		}, realtime.CodeSignedOut},
		{"a page that is not there", func(b *bench) []string {
			return []string{strings.Replace(good(b), `"page":"/everything/0"`, `"page":"/nothing"`, 1)}
		}, realtime.CodeForbidden},
		{"a person's river asked for by a visitor", func(b *bench) []string {
			return []string{string(b.visit(river.Key{Viewer: 7, What: river.KindHome, TheirID: 7}, "7-s", "").Sub())}
		}, realtime.CodeSignedOut},
		{"a river that may not be opened", func(b *bench) []string {
			b.rivers.Deny(everything, timeline.ErrForbidden)
			return []string{good(b)}
		}, realtime.CodeForbidden},
		{"a river that is not there", func(b *bench) []string {
			b.rivers.Deny(everything, timeline.ErrNotFound)
			return []string{good(b)}
		}, realtime.CodeForbidden},
		{"a fault of ours", func(b *bench) []string {
			b.rivers.Deny(everything, errors.New("disk on fire"))
			return []string{good(b)}
		}, realtime.CodeBehind},
		{"a position not reached", func(b *bench) []string {
			b.rivers.SetBehind(true)
			return []string{strings.Replace(good(b), `"page"`, `"position":9,"page"`, 1)}
		}, realtime.CodeBehind},
		{"a node that is far behind", func(b *bench) []string {
			b.rivers.SetAge(31 * time.Second)
			return []string{good(b)}
		}, realtime.CodeBehind},
		{"nothing at all", text(), realtime.CodeBad},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			within(t, nil, func(b *bench) {
				b.fill(everything, 3)
				frames := tt.frames(b)
				c := b.dial("")
				go func() {
					for _, f := range frames {
						if c.conn.Write(b.Context(), websocket.MessageText, []byte(f)) != nil {
							return // closed by then
						}
					}
				}()
				if code := c.ended(); code != tt.want {
					t.Errorf("closed with %d, want %d", code, tt.want)
				}
			})
		})
	}
}

func TestBinaryFramesAreRefused(t *testing.T) {
	within(t, nil, func(b *bench) {
		c := b.dial("")
		if err := c.conn.Write(b.Context(), websocket.MessageBinary, []byte(`{"type":"vis"}`)); err != nil {
			t.Fatal(err)
		}
		if code := c.ended(); code != realtime.CodeBad {
			t.Errorf("closed with %d", code)
		}
	})
}

func TestTwoFramesASecondAreTaken(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		c := b.open(everything, "", "")
		for range 20 {
			time.Sleep(500 * time.Millisecond)
			c.write(`{"type":"vis","hidden":false}`)
		}
		synctest.Wait()
		b.rivers.Put(everything, fold(9, 1, 9000, "still listening"))
		c.nextPatch()
		c.same(everything)
	})
}

func TestOriginIsOursWhereACookieIsSent(t *testing.T) {
	for _, tt := range []struct {
		name, cookie, origin string
		header               http.Header
		want                 int
	}{
		{"our page, signed in", "session=7-s", "http://site.test", nil, 101},
		{"another page, signed in", "session=7-s", "http://evil.test", nil, 403},
		{"another scheme", "session=7-s", "https://site.test", nil, 403},
		{"another port", "session=7-s", "http://site.test:81", nil, 403},
		{"a longer host", "session=7-s", "http://site.test.evil.test", nil, 403},
		{"no origin, but a cookie", "session=7-s", "", nil, 403},
		{"an opaque origin", "session=7-s", "null", nil, 403},
		{"two origins", "session=7-s", "http://site.test", http.Header{"Origin": {"http://site.test", "http://evil.test"}}, 403},
		{"another page, a visitor", "", "http://evil.test", nil, 101},
		{"another page, by token", "", "http://evil.test", http.Header{"X-Session": {"7-token"}}, 101},
	} {
		t.Run(tt.name, func(t *testing.T) {
			within(t, nil, func(b *bench) {
				header := http.Header{}
				if tt.cookie != "" {
					header.Set("Cookie", tt.cookie)
				}
				if tt.origin != "" {
					header.Set("Origin", tt.origin)
				}
				for name, values := range tt.header {
					header[name] = values
				}
				conn, answer, err := b.net.Dial(b.Context(), header)
				if answer == nil || answer.StatusCode != tt.want {
					t.Fatalf("answer %+v (%v), want %d", answer, err, tt.want)
				}
				if err == nil {
					conn.CloseNow()
				}
			})
		})
	}
}

func TestAnotherProtocolIsRefused(t *testing.T) {
	within(t, nil, func(b *bench) {
		conn, _, err := websocket.Dial(b.Context(), "ws://site.test/live", &websocket.DialOptions{
			HTTPClient: b.net.HTTP(), Subprotocols: []string{"amstel.v9"},
		})
		if err != nil {
			t.Fatal(err)
		}
		if code := (&client{b, conn, nil}).ended(); code != realtime.CodeBad {
			t.Errorf("closed with %d", code)
		}
	})
}

func TestLimits(t *testing.T) {
	within(t, func(c *realtime.Config) { c.MaxPerViewer, c.MaxSockets = 2, 4 }, func(b *bench) {
		b.fill(everything, 1)
		b.dial("7-a")
		b.dial("7-b")
		if code := b.dial("7-c").ended(); code != realtime.CodeLimit {
			t.Errorf("a person's third socket closed with %d", code)
		}
		b.dial("8-a")
		b.dial("9-a")
		if code := b.dial("").ended(); code != realtime.CodeOverload {
			t.Errorf("the fifth socket closed with %d", code)
		}
	})
}

func TestPolling(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		page := b.visit(everything, "", "")
		get := func(query string) (int, string) {
			t.Helper()
			url := "http://site.test/live/changes?" + strings.ReplaceAll(query, "RIVER", "0%2Feverything%3A0%3F%23")
			answer, err := b.net.HTTP().Get(url)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			var body strings.Builder
			if err := answer.Write(&body); err != nil {
				t.Fatal(err)
			}
			_, text, _ := strings.Cut(body.String(), "\r\n\r\n")
			return answer.StatusCode, text
		}
		const good = "river=RIVER&page=/everything/0"
		take := func(query, want string) {
			t.Helper()
			status, body := get(query)
			if status != 200 || !strings.HasPrefix(body, want) {
				t.Fatalf("%d %s, want %s", status, body, want)
			}
			if _, _, err := page.Take([]byte(body)); err != nil {
				t.Fatal(err)
			}
		}
		take(good+"&epoch=epoch-1&counter=2", `{"type":"beat","counter":2}`)
		b.rivers.Put(everything, fold(4, 1, 4000, "new"))
		take(good+"&epoch=epoch-1&counter=2", `{"type":"patch","epoch":"epoch-1","from":2,"to":3,"ops":[{"post":4,`)
		take(good, `{"type":"reset","epoch":"epoch-1","counter":3,`)
		take(good+"&epoch=epoch-0&counter=2", `{"type":"reset"`)
		if why := differs(page, b.rivers.View(everything, river.At{})); why != "" {
			t.Error(why)
		}
		if status, body := get(good + "&as=html"); status != 200 || !strings.Contains(body, `"html":"<article class=`) {
			t.Errorf("%d %s", status, body)
		}
		for query, want := range map[string]int{
			"":                                    422,
			"river=RIVER":                         422,
			good + "&counter=x":                   422,
			good + "&as=xml":                      422,
			"river=RIVER&page=/user/5":            401,
			"river=RIVER&page=/nothing":           403,
			"river=nonsense&page=/everything/0":   401,
			"river=7%2Fhome%3A7%3F%23&page=/home": 403,
		} {
			if status, body := get(query); status != want || !strings.Contains(body, `"error":"`) {
				t.Errorf("%s: %d %s, want %d", query, status, body, want)
			}
		}
		b.rivers.SetAge(time.Minute)
		if status, _ := get(good); status != 503 {
			t.Errorf("a node far behind: %d", status)
		}
		if open, _ := b.rivers.Watches(); open != 0 {
			t.Errorf("%d rivers left open", open)
		}
	})
}

var _ realtime.Rivers = (*livetest.Rivers)(nil)
