package faye

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// TestMessages sends each message as a polling client, and compares the answers.
func TestMessages(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{MaxChannels: 3})
	b.refuse("/rivers/ended", &Refusal{401, "Signed out"})
	b.refuse("/rivers/private", &Refusal{403, "Not visible to you"})
	const types = `"supportedConnectionTypes":["long-polling","cross-origin-long-polling","callback-polling","websocket"]`
	const retry = `"advice":{"interval":0,"reconnect":"retry","timeout":45000}`
	id := b.handshake()
	for _, tt := range []struct{ name, send, want string }{
		{"a handshake", `[{"channel":"/meta/handshake","version":"1.0","supportedConnectionTypes":["websocket"],"id":"1","ext":{"token":"x"}}]`,
			`{` + retry + `,"authSuccessful":true,"channel":"/meta/handshake","clientId":"NEW","id":"1","successful":true,` + types + `,"version":"1.0"}`},
		{"a single object", `{"channel":"/meta/handshake","version":"1.0","minimumVersion":"1.0beta","supportedConnectionTypes":["callback-polling"],"id":7}`,
			`{` + retry + `,"authSuccessful":true,"channel":"/meta/handshake","clientId":"NEW","id":7,"successful":true,` + types + `,"version":"1.0"}`},
		{"a handshake of a later version", `[{"channel":"/meta/handshake","version":"2.0","supportedConnectionTypes":["websocket"]}]`,
			`{"advice":{"interval":0,"reconnect":"none"},"authSuccessful":false,"channel":"/meta/handshake","error":"300:2.0:Version mismatch","successful":false,` + types + `,"version":"1.0"}`},
		{"a handshake that wants a later version", `[{"channel":"/meta/handshake","version":"1.0","minimumVersion":"2","supportedConnectionTypes":["websocket"]}]`,
			`{"advice":{"interval":0,"reconnect":"none"},"authSuccessful":false,"channel":"/meta/handshake","error":"300:1.0:Version mismatch","successful":false,` + types + `,"version":"1.0"}`},
		{"a handshake without a version", `[{"channel":"/meta/handshake","supportedConnectionTypes":["websocket"]}]`,
			`{"advice":{"interval":0,"reconnect":"none"},"authSuccessful":false,"channel":"/meta/handshake","error":"402:version:Missing required parameter","successful":false,` + types + `,"version":"1.0"}`},
		{"a handshake without types", `[{"channel":"/meta/handshake","version":"1.0"}]`,
			`{"advice":{"interval":0,"reconnect":"none"},"authSuccessful":false,"channel":"/meta/handshake","error":"402:supportedConnectionTypes:Missing required parameter","successful":false,` + types + `,"version":"1.0"}`},
		{"a handshake of other types", `[{"channel":"/meta/handshake","version":"1.0","supportedConnectionTypes":["iframe","flash"]}]`,
			`{"advice":{"interval":0,"reconnect":"none"},"authSuccessful":false,"channel":"/meta/handshake","error":"301:iframe,flash:Connection types not supported","successful":false,` + types + `,"version":"1.0"}`},
		{"the first connect is answered at once", `[{"channel":"/meta/connect","clientId":"ID","connectionType":"long-polling","id":"2"}]`,
			`{` + retry + `,"channel":"/meta/connect","clientId":"ID","id":"2","successful":true}`},
		{"a connect that does not wait", `[{"channel":"/meta/connect","clientId":"ID","connectionType":"callback-polling","advice":{"timeout":0}}]`,
			`{` + retry + `,"channel":"/meta/connect","clientId":"ID","successful":true}`},
		{"a connect from another site", `[{"channel":"/meta/connect","clientId":"ID","connectionType":"cross-origin-long-polling","advice":{"timeout":0}}]`,
			`{` + retry + `,"channel":"/meta/connect","clientId":"ID","successful":true}`},
		{"a connect without a type", `[{"channel":"/meta/connect","clientId":"ID"}]`,
			`{"channel":"/meta/connect","error":"402:connectionType:Missing required parameter","successful":false}`},
		{"a connect of another type", `[{"channel":"/meta/connect","clientId":"ID","connectionType":"websocket"}]`,
			`{"channel":"/meta/connect","error":"301:websocket:Connection types not supported","successful":false}`},
		{"a connect without a client", `[{"channel":"/meta/connect","connectionType":"long-polling"}]`,
			`{"channel":"/meta/connect","error":"402:clientId:Missing required parameter","successful":false}`},
		{"a connect of no client", `[{"channel":"/meta/connect","clientId":"x","connectionType":"long-polling","id":"3"}]`,
			`{"advice":{"interval":0,"reconnect":"handshake"},"channel":"/meta/connect","error":"401:x:Unknown client","id":"3","successful":false}`},
		{"a subscription", `[{"channel":"/meta/subscribe","clientId":"ID","subscription":"/rivers/one","id":"4"}]`,
			`{"channel":"/meta/subscribe","clientId":"ID","id":"4","subscription":"/rivers/one","successful":true}`},
		{"a second one of the same channel", `[{"channel":"/meta/subscribe","clientId":"ID","subscription":["/rivers/one","/rivers/two"]}]`,
			`{"channel":"/meta/subscribe","clientId":"ID","subscription":["/rivers/one","/rivers/two"],"successful":true}`},
		{"a subscription of no client", `[{"channel":"/meta/subscribe","clientId":"x","subscription":"/rivers/one"}]`,
			`{"advice":{"interval":0,"reconnect":"handshake"},"channel":"/meta/subscribe","error":"401:x:Unknown client","successful":false}`},
		{"a subscription to nothing", `[{"channel":"/meta/subscribe","clientId":"ID"}]`,
			`{"channel":"/meta/subscribe","error":"402:subscription:Missing required parameter","successful":false}`},
		{"a subscription to a number", `[{"channel":"/meta/subscribe","clientId":"ID","subscription":7}]`,
			`{"channel":"/meta/subscribe","error":"402:subscription:Missing required parameter","successful":false}`},
		{"a subscription to what is not there", `[{"channel":"/meta/subscribe","clientId":"ID","subscription":"/rivers/three"}]`,
			`{"channel":"/meta/subscribe","clientId":"ID","error":"404:/rivers/three:Unknown channel","subscription":"/rivers/three","successful":false}`},
		{"a subscription of a session that has ended", `[{"channel":"/meta/subscribe","clientId":"ID","subscription":"/rivers/ended"}]`,
			`{"authSuccessful":false,"channel":"/meta/subscribe","clientId":"ID","error":"401:/rivers/ended:Signed out","subscription":"/rivers/ended","successful":false}`},
		{"a subscription to what may not be seen", `[{"channel":"/meta/subscribe","clientId":"ID","subscription":"/rivers/private"}]`,
			`{"authSuccessful":false,"channel":"/meta/subscribe","clientId":"ID","error":"403:/rivers/private:Not visible to you","subscription":"/rivers/private","successful":false}`},
		{"a subscription to all", `[{"channel":"/meta/subscribe","clientId":"ID","subscription":"/rivers/*"}]`,
			`{"authSuccessful":false,"channel":"/meta/subscribe","clientId":"ID","error":"403:/rivers/*:Forbidden channel","subscription":"/rivers/*","successful":false}`},
		{"a subscription to a meta channel", `[{"channel":"/meta/subscribe","clientId":"ID","subscription":"/meta/connect"}]`,
			`{"authSuccessful":false,"channel":"/meta/subscribe","clientId":"ID","error":"403:/meta/connect:Forbidden channel","subscription":"/meta/connect","successful":false}`},
		{"a subscription to no channel", `[{"channel":"/meta/subscribe","clientId":"ID","subscription":"rivers"}]`,
			`{"channel":"/meta/subscribe","clientId":"ID","error":"405:rivers:Invalid channel","subscription":"rivers","successful":false}`},
		{"an unsubscription", `[{"channel":"/meta/unsubscribe","clientId":"ID","subscription":"/rivers/two","id":"5"}]`,
			`{"channel":"/meta/unsubscribe","clientId":"ID","id":"5","subscription":"/rivers/two","successful":true}`},
		{"a publication", `[{"channel":"/rivers/one","clientId":"ID","data":{"deleted":1},"id":"6"}]`,
			`{"channel":"/rivers/one","error":"403:/rivers/one:Forbidden channel","id":"6","successful":false}`},
		{"another meta channel", `[{"channel":"/meta/ping","clientId":"ID"}]`,
			`{"channel":"/meta/ping","error":"403:/meta/ping:Forbidden channel","successful":false}`},
		{"no channel", `[{"clientId":"ID","id":{"a":1}}]`,
			`{"channel":"","error":"402:channel:Missing required parameter","successful":false}`},
		{"no message", `[]`, ``},
		{"a disconnection", `[{"channel":"/meta/disconnect","clientId":"ID","id":"8"}]`,
			`{"channel":"/meta/disconnect","clientId":"ID","id":"8","successful":true}`},
		{"a client that has disconnected", `[{"channel":"/meta/connect","clientId":"ID","connectionType":"long-polling"}]`,
			`{"advice":{"interval":0,"reconnect":"handshake"},"channel":"/meta/connect","error":"401:ID:Unknown client","successful":false}`},
	} {
		var got []string
		for _, r := range b.post(strings.ReplaceAll(tt.send, `"ID"`, `"`+id+`"`)) {
			if made, is := r["clientId"].(string); is && made != id && made != "" {
				r["clientId"] = "NEW"
			}
			got = append(got, r.with(id))
		}
		if text := strings.Join(got, "\n"); text != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, text, tt.want)
		}
	}
	if n := b.open(); n != 0 {
		t.Errorf("%d subscriptions of a client that disconnected", n)
	}
}

// TestLongPolling: a connect waits for messages, and its answer has them.
func TestLongPolling(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{})
	id := b.subscribed("/rivers/one")
	came := make(chan []received)
	go func() { came <- b.post(connect(id, byPOST)) }()
	b.eventually("the connect waits", func() bool { return b.carried(id) })
	b.publish("/rivers/one", 1, "first")
	all := <-came
	if len(all) != 2 || all[0]["successful"] != true || all[1].String() != `{"channel":"/rivers/one","data":{"post":{"id":1,"text":"first"}}}` {
		t.Errorf("answered %v", all)
	}
	b.publish("/rivers/one", 1, "second") // while no connect waits
	b.publish("/rivers/one", 1, "third")
	b.publish("/rivers/two", 2, "of no concern")
	all = b.post(connect(id, byPOST))
	if len(all) != 2 || all[1].String() != `{"channel":"/rivers/one","data":{"post":{"id":1,"text":"third"}}}` {
		t.Errorf("answered %v", all)
	}
}

// carried reports whether a client has a carrier.
func (b *bench) carried(id string) bool {
	b.faye.mu.Lock()
	c := b.faye.clients[id]
	b.faye.mu.Unlock()
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.carrier != nil
}

// TestWaitsNoLongerThanAdvised: a connect without messages is answered after the advised time,
// and a second connect ends the first.
func TestWaitsNoLongerThanAdvised(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{Timeout: time.Millisecond})
	if all := b.post(connect(b.subscribed("/rivers/one"), byPOST)); len(all) != 1 || all[0]["successful"] != true {
		t.Errorf("answered %v", all)
	}
	b = newBench(t, Limits{Timeout: time.Hour})
	id := b.subscribed("/rivers/one")
	came := make(chan []received)
	go func() { came <- b.post(connect(id, byPOST)) }()
	b.eventually("the connect waits", func() bool { return b.carried(id) })
	second := make(chan []received)
	go func() { second <- b.post(connect(id, byPOST)) }()
	if all := <-came; len(all) != 1 || all[0]["successful"] != true {
		t.Errorf("the first connect is answered %v", all)
	}
	b.eventually("the second connect waits", func() bool { return b.carried(id) })
	b.post(`[{"channel":"/meta/disconnect","clientId":"` + id + `"}]`)
	if all := <-second; len(all) != 1 || all[0]["successful"] != true || fmt.Sprint(all[0]["advice"]) != "map[interval:0 reconnect:none]" {
		t.Errorf("the connect of a client that disconnects is answered %v", all)
	}
}

// TestCallbackPolling: the answer to a GET is a script.
func TestCallbackPolling(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{})
	id := b.subscribed("/rivers/one")
	b.publish("/rivers/one", 1, "a\u2028b</script>")
	query := func(message, name string) string {
		return "?" + url.Values{"message": {message}, "jsonp": {name}}.Encode()
	}
	status, header, body := b.send("GET", query(connect(id, byGET), "__jsonp1__"), "", "")
	want := `/**/__jsonp1__([{"channel":"/meta/connect","id":"c","clientId":"` + id + `","successful":true,"advice":{"reconnect":"retry","interval":0,"timeout":45000}},` +
		`{"channel":"/rivers/one","data":{"post":{"id":1,"text":"a\u2028b</script>"}}}]);`
	if status != 200 || body != want || header.Get("Content-Type") != "text/javascript; charset=utf-8" {
		t.Errorf("%d %s %s, want %s", status, header, body, want)
	}
	for _, name := range []string{"alert(1)//", "a b", "1a", strings.Repeat("a", 100), "a..b", "<"} {
		if status, _, body := b.send("GET", query(`[]`, name), "", ""); status != 400 || strings.Contains(body, name) {
			t.Errorf("the callback %q is answered %d %s", name, status, body)
		}
	}
	if status, _, body := b.send("GET", "?message=[]", "", ""); status != 200 || body != "/**/jsonpcallback([]);" {
		t.Errorf("without a name: %d %s", status, body)
	}
}

// TestBodies: a POST may have these forms; others are refused.
func TestBodies(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{ReadLimit: 1000})
	const message = `[{"channel":"/meta/disconnect","clientId":"x"}]`
	const answer = `[{"channel":"/meta/disconnect","successful":false,"error":"401:x:Unknown client","advice":{"reconnect":"handshake","interval":0}}]`
	form := url.Values{"message": {message}}.Encode()
	for _, tt := range []struct {
		name, method, query, kind, body string
		status                          int
		want                            string
	}{
		{"JSON", "POST", "", "application/json;charset=UTF-8", message, 200, answer},
		{"no type", "POST", "", "", message, 200, answer},
		{"plain text", "POST", "", "text/plain", message, 200, answer},
		{"a form", "POST", "", "application/x-www-form-urlencoded", form, 200, answer},
		{"a form as plain text", "POST", "", "text/plain", form, 200, answer},
		{"a ping", "POST", "", "application/json", `[]`, 200, `[]`},
		{"nothing", "POST", "", "application/json", ``, 400, ""},
		{"null", "POST", "", "application/json", `null`, 400, ""},
		{"a string", "POST", "", "application/json", `"x"`, 400, ""},
		{"an array of numbers", "POST", "", "application/json", `[1]`, 400, ""},
		{"wrong types", "POST", "", "application/json", `[{"channel":5}]`, 400, ""},
		{"half an object", "POST", "", "application/json", `[{"channel":"/meta/`, 400, ""},
		{"no UTF-8", "POST", "", "application/json", "[{\"channel\":\"\xff\"}]", 400, ""},
		{"an empty form", "POST", "", "application/x-www-form-urlencoded", ``, 400, ""},
		{"a bad form", "POST", "", "application/x-www-form-urlencoded", `message=%zz`, 400, ""},
		{"too long", "POST", "", "application/json", `[` + strings.Repeat(" ", 1000) + `]`, 413, ""},
		{"a form too long", "POST", "", "text/plain", "message=[" + strings.Repeat("+", 1000) + "]", 413, ""},
		{"too many", "POST", "", "application/json", `[{}` + strings.Repeat(",{}", mostMessages) + `]`, 400, ""},
		{"a GET without a message", "GET", "", "", "", 400, ""},
		{"a GET too long", "GET", "?message=" + strings.Repeat("x", 1001), "", "", 413, ""},
		{"a GET with nonsense", "GET", "?message=x", "", "", 400, ""},
		{"another method", "PUT", "", "application/json", message, 405, ""},
	} {
		status, header, body := b.send(tt.method, tt.query, tt.kind, tt.body)
		if status != tt.status || tt.want != "" && body != tt.want {
			t.Errorf("%s: %d %s", tt.name, status, body)
		}
		if status != 200 && (!strings.Contains(body, `"code":"`) || !strings.HasPrefix(header.Get("Content-Type"), "application/json")) {
			t.Errorf("%s: %d %s is no error of the API", tt.name, status, body)
		}
	}
}

// TestSocket: a client that shook hands by POST can use a WebSocket. Each message comes in a
// frame of its own, and pings are answered at once.
func TestSocket(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{})
	id := b.handshake()
	conn := b.dial()
	b.write(conn, connect(id, overWebSocket))
	if all := b.read(conn); len(all) != 1 || all[0]["channel"] != metaConnect || all[0]["successful"] != true {
		t.Fatalf("the connect is answered %v", all)
	}
	b.write(conn, subscribe(id, "/rivers/one"))
	if all := b.read(conn); len(all) != 1 || all[0]["subscription"] != "/rivers/one" || all[0]["successful"] != true {
		t.Fatalf("the subscription is answered %v", all)
	}
	b.write(conn, "[]")
	if all := b.read(conn); len(all) != 0 {
		t.Fatalf("the ping is answered %v", all)
	}
	b.publish("/rivers/one", 1, "hello")
	if all := b.read(conn); len(all) != 1 || all[0].String() != `{"channel":"/rivers/one","data":{"post":{"id":1,"text":"hello"}}}` {
		t.Fatalf("told %v", all)
	}
	b.write(conn, connect(id, overWebSocket)) // waits
	b.write(conn, connect(id, overWebSocket)) // ends the wait of the first
	if all := b.read(conn); len(all) != 1 || all[0]["channel"] != metaConnect || all[0]["successful"] != true {
		t.Fatalf("the second connect is answered %v", all)
	}
	b.write(conn, `[{"channel":"/meta/unsubscribe","clientId":"`+id+`","subscription":"/rivers/one"},{"channel":"/meta/subscribe","clientId":"`+id+`","subscription":"/rivers/two"}]`)
	if one, two := b.read(conn), b.read(conn); len(one) != 1 || len(two) != 1 || two[0]["subscription"] != "/rivers/two" {
		t.Fatalf("answered %v and %v", one, two)
	}
	b.publish("/rivers/one", 1, "no more")
	b.publish("/rivers/two", 2, "instead")
	if all := b.read(conn); len(all) != 1 || all[0]["channel"] != "/rivers/two" {
		t.Fatalf("told %v", all)
	}
	if stats := b.faye.Stats(); stats.Clients != 1 || stats.Sockets != 1 || stats.Subscriptions != 2 || stats.Messages != 2 || stats.Handshakes != 1 {
		t.Errorf("stats are %+v", stats)
	}
	conn.CloseNow()
	b.eventually("the client of a broken socket ends", func() bool { return b.open() == 0 && b.faye.Stats().Sockets == 0 })
	if all := b.post(connect(id, byPOST)); all[0]["successful"] != false {
		t.Errorf("its connect is answered %v", all)
	}
}

// TestAnswerComesBeforeMessages: the answer to a subscription comes before the subscription's
// first messages.
func TestAnswerComesBeforeMessages(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{})
	id, conn := b.handshake(), b.dial()
	listen := b.faye.config.Listen
	b.faye.config.Listen = func(ctx context.Context, client, channel string, changed func()) (Subscription, error) {
		sub, err := listen(ctx, client, channel, changed)
		sub.(*sourceSub).posts[1] = "from the start"
		changed()
		return sub, err
	}
	b.write(conn, connect(id, overWebSocket))
	b.read(conn)
	b.write(conn, subscribe(id, "/rivers/one"))
	if all := b.read(conn); all[0]["channel"] != metaSubscribe {
		t.Errorf("first came %v", all)
	}
	if all := b.read(conn); all[0]["channel"] != "/rivers/one" {
		t.Errorf("then came %v", all)
	}
}

// TestRightTakenAway: a client whose subscription has ended learns, by polling and by socket,
// only that the client is unknown. Later requests are refused.
func TestRightTakenAway(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{})
	poll, conn := b.subscribed("/rivers/one", "/rivers/two"), b.dial()
	came := make(chan []received)
	go func() { came <- b.post(connect(poll, byPOST)) }()
	id := b.handshake()
	b.write(conn, connect(id, overWebSocket))
	b.read(conn)
	b.write(conn, subscribe(id, "/rivers/one"))
	b.read(conn)
	b.write(conn, connect(id, overWebSocket))
	b.write(conn, "[]") // is answered after the connect has begun to wait
	b.read(conn)
	b.eventually("both wait", func() bool { return b.carried(poll) })
	b.each("/rivers/one", func(sub *sourceSub) { sub.posts[1], sub.ended = "secret", true })
	b.refuse("/rivers/one", &Refusal{403, "Not visible to you"})
	for _, all := range [][]received{<-came, b.read(conn)} {
		if len(all) != 1 || all[0]["successful"] != false || !strings.HasPrefix(fmt.Sprint(all[0]["error"]), "401:") || fmt.Sprint(all[0]["advice"]) != "map[interval:0 reconnect:handshake]" {
			t.Errorf("told %v", all)
		}
	}
	if _, err := b.tryRead(conn); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("the socket ends with %v", err)
	}
	for _, id := range []string{poll, id} { // also just after its handshake
		if all := b.post(connect(id, byPOST)); all[0]["successful"] != false {
			t.Errorf("the client goes on: %v", all)
		}
	}
	if all := b.post(subscribe(b.handshake(), "/rivers/one")); all[0]["error"] != "403:/rivers/one:Not visible to you" {
		t.Errorf("a new client is told %v", all)
	}
	b.eventually("no subscription is left", func() bool { return b.open() == 0 })
}

// TestWhatPasses: a subscription that can't be served now gets no answer, so that clients send
// it again.
func TestWhatPasses(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{})
	b.refuse("/rivers/one", errors.New("the node is behind"))
	id, conn := b.handshake(), b.dial()
	if status, header, body := b.send("POST", "", "application/json", subscribe(id, "/rivers/one")); status != 503 || header.Get("Retry-After") == "" || !strings.Contains(body, `"code":"unavailable"`) {
		t.Errorf("answered %d %s", status, body)
	}
	b.write(conn, subscribe(id, "/rivers/one"))
	if all, err := b.tryRead(conn); websocket.CloseStatus(err) != websocket.StatusTryAgainLater {
		t.Errorf("the socket is told %v, %v", all, err)
	}
	b.refuse("/rivers/one", nil)
	if all := b.post(subscribe(id, "/rivers/one")); all[0]["successful"] != true {
		t.Errorf("the next one is answered %v", all)
	}
}

// TestClientsOfOtherProcesses: a process accepts the clients of another process only just after
// their handshakes, unless they subscribe to nothing.
func TestClientsOfOtherProcesses(t *testing.T) {
	t.Parallel()
	one, other := newBench(t, Limits{}), newBench(t, Limits{})
	id := one.handshake()
	conn := other.dial()
	other.write(conn, `[{"channel":"/meta/connect","clientId":"`+id+`","connectionType":"websocket"},{"channel":"/meta/subscribe","clientId":"`+id+`","subscription":"/rivers/one"}]`)
	other.eventually("the client has subscribed", func() bool { return other.open() == 1 })
	other.publish("/rivers/one", 1, "hello")
	for range 3 {
		if all := other.read(conn); all[0]["channel"] == "/rivers/one" {
			break
		}
	}
	// On a busy machine the time of a client without a subscription may be over before its first message is answered.
	brief, silent := newBench(t, Limits{Foreign: time.Millisecond}), one.handshake()
	brief.eventually("a client whose subscriptions are elsewhere waits no longer", func() bool {
		return brief.post(connect(silent, byPOST))[0]["successful"] == false
	})
	late := newBench(t, Limits{Adopt: time.Nanosecond})
	if all := late.post(connect(one.handshake(), byPOST)); all[0]["successful"] != false {
		t.Errorf("a client that shook hands long ago is taken: %v", all)
	}
	stranger := New(Config{Secret: []byte("another")})
	if all := one.post(connect(stranger.ids.make(time.Now()), byPOST)); all[0]["successful"] != false {
		t.Errorf("a client of another site is taken: %v", all)
	}
}

// TestClosing: a closing server tells its clients to shake hands again, and accepts no new
// clients.
func TestClosing(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{})
	poll, conn, idle := b.subscribed("/rivers/one"), b.dial(), b.dial()
	came := make(chan []received)
	go func() { came <- b.post(connect(poll, byPOST)) }()
	id := b.handshake()
	b.write(conn, connect(id, overWebSocket))
	b.read(conn)
	b.write(conn, connect(id, overWebSocket))
	for _, conn := range []*websocket.Conn{conn, idle} {
		b.write(conn, "[]") // is answered after the connect has begun to wait
		b.read(conn)
	}
	b.eventually("both wait", func() bool { return b.carried(poll) })
	closed := make(chan error)
	go func() { closed <- b.faye.Close(b.Context()) }()
	for _, all := range [][]received{<-came, b.read(conn)} {
		advised, _ := all[0]["advice"].(map[string]any)
		if all[0]["successful"] != false || advised["reconnect"] != "handshake" {
			t.Errorf("told %v", all)
		}
	}
	for _, conn := range []*websocket.Conn{conn, idle} {
		if all, err := b.tryRead(conn); err == nil {
			t.Errorf("the socket goes on with %v", all)
		}
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if status, _, _ := b.send("POST", "", "application/json", `[]`); status != 503 {
		t.Errorf("a request is answered %d", status)
	}
}
