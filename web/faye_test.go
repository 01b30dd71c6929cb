package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

// A fayeEar is a client of Faye on a WebSocket, which keeps all its messages.
type fayeEar struct {
	*testing.T
	on   *bundle
	id   string
	conn *websocket.Conn
	end  context.CancelFunc
	done chan struct{}

	mu      sync.Mutex
	replies []object
	told    []object // messages of channels
	raw     []string // the same as text
	closed  websocket.StatusCode
}

// faye sends a request to /faye without cookies or token, as pages of another site do.
func (b *bundle) faye(body string) (status int, header http.Header, answer string) {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), "POST", b.http.URL+"/faye", strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Origin", "https://elsewhere.example")
	res, err := b.http.Client().Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(text)
}

// fayeMeta sends one message by POST and returns the first answer.
func (b *bundle) fayeMeta(message object) object {
	b.t.Helper()
	text, _ := json.Marshal([]object{message})
	status, _, body := b.faye(string(text))
	var all []object
	if err := json.Unmarshal([]byte(body), &all); status != 200 || err != nil || len(all) == 0 {
		b.t.Fatalf("%s is answered %d %s", text, status, body)
	}
	return all[0]
}

func (b *bundle) fayeHandshake() string {
	b.t.Helper()
	return b.fayeMeta(object{"channel": "/meta/handshake", "version": "1.0", "supportedConnectionTypes": []string{"websocket"}})["clientId"].(string)
}

// listen shakes hands by POST, opens a WebSocket from another origin, and subscribes to rivers.
func (b *bundle) listen(uuids ...string) *fayeEar {
	b.t.Helper()
	ctx, end := context.WithCancel(context.Background())
	conn, _, err := websocket.Dial(ctx, b.http.URL+"/faye", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"https://elsewhere.example"}}})
	if err != nil {
		b.t.Fatal(err)
	}
	conn.SetReadLimit(8 << 20)
	e := &fayeEar{T: b.t, on: b, id: b.fayeHandshake(), conn: conn, end: end, done: make(chan struct{})}
	b.t.Cleanup(e.close)
	go e.run(ctx)
	e.send(object{"channel": "/meta/connect", "clientId": e.id, "connectionType": "websocket"})
	for _, uuid := range uuids {
		e.send(object{"channel": "/meta/subscribe", "clientId": e.id, "subscription": "/rivers/" + uuid})
	}
	b.waitUntilNothingWrong(func() string {
		e.mu.Lock()
		defer e.mu.Unlock()
		if len(e.replies) < 1+len(uuids) && e.closed == 0 {
			return "the subscriptions are not answered"
		}
		return ""
	})
	return e
}

func (e *fayeEar) send(messages ...object) {
	e.Helper()
	text, _ := json.Marshal(messages)
	if err := e.conn.Write(e.Context(), websocket.MessageText, text); err != nil {
		e.Fatal(err)
	}
}

// close closes the socket, and waits until run has ended.
func (e *fayeEar) close() {
	e.end()
	_ = e.conn.CloseNow()
	<-e.done
}

func (e *fayeEar) run(ctx context.Context) {
	defer close(e.done)
	for {
		_, text, err := e.conn.Read(ctx)
		var all []object
		if err == nil {
			err = json.NewDecoder(bytes.NewReader(text)).Decode(&all)
		}
		e.mu.Lock()
		if err != nil {
			if e.closed = websocket.CloseStatus(err); e.closed == 0 {
				e.closed = -1
			}
			e.mu.Unlock()
			return
		}
		if len(all) != 1 {
			e.Errorf("a frame has %d messages: %s", len(all), text)
		}
		for _, m := range all {
			if strings.HasPrefix(fmt.Sprint(m["channel"]), "/meta/") {
				e.replies = append(e.replies, m)
			} else {
				e.told, e.raw = append(e.told, m), append(e.raw, string(text))
			}
		}
		e.mu.Unlock()
	}
}

// ended reports whether the server has closed the socket.
func (e *fayeEar) ended() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.closed != 0
}

// texts returns the texts of the ear's messages from a number on, and the number of messages.
func (e *fayeEar) texts(from int) (string, int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(e.raw[from:], "\n"), len(e.raw)
}

// next waits for the first message after the given number that meets a condition, and returns
// its data.
func (e *fayeEar) next(from int, what string, is func(data object) bool) (data object) {
	e.Helper()
	e.on.waitUntilNothingWrong(func() string {
		e.mu.Lock()
		defer e.mu.Unlock()
		for _, m := range e.told[min(from, len(e.told)):] {
			if data, _ = m["data"].(object); is(data) {
				return ""
			}
		}
		return fmt.Sprintf("not told of %s: %v", what, e.told)
	})
	return data
}

// TestFaye: a client of Faye gets each change of a river as its viewer would see the change on
// the page, in Mokum's shape. The client needs no credential except the river's uuid.
func TestFaye(t *testing.T) {
	t.Parallel()
	b := setup(t, "anna", "boris", "carol")
	anna, boris, carol := b.as("anna"), b.as("boris"), b.as("carol")
	anna.send("POST", "/api/v1/users/boris/subscribers.json", nil).ok()
	boris.send("POST", "/api/v1/users/anna/subscribers.json", nil).ok()
	first := boris.post("the first", "user")
	uuid := anna.get("/index.json").ok().at("river", "uuid").(string)
	e := b.listen(uuid)

	entry := func() object { return anna.get("/index.json").ok().at("entries", 0).(object) }
	from := 0
	check := func(what string) {
		t.Helper()
		want := entry()
		data := e.next(from, what, func(data object) bool { return cmp.Equal(data["post"], any(want)) })
		users, _ := data["users"].(object)
		groups, _ := data["groups"].(object)
		if len(data) != 3 || users == nil || groups == nil {
			t.Errorf("%s: the data is %v", what, data)
		}
		ids := []any{want["user_id"], float64(b.ids["anna"])}
		ids = append(ids, want["likes"].([]any)...)
		for _, comment := range want["comments"].([]any) {
			ids = append(ids, at(comment, "user_id"))
		}
		for _, id := range ids {
			if users[numberText(id)] == nil {
				t.Errorf("%s: user %v has no card in %v", what, id, users)
			}
		}
		if users["3"] != nil && !slices.Contains(ids, any(3.0)) {
			t.Errorf("%s: the cards have more than the entry: %v", what, users)
		}
		_, from = e.texts(0)
	}
	check("the newest post, from the start")
	second := boris.post("the second", "user")
	check("a new post")
	boris.send("PATCH", "/api/v1/posts/"+second+".json", object{"post": object{"text": "edited"}}).ok()
	check("an edit")
	comment := carol.comment(second, "well")
	check("a comment")
	anna.send("POST", "/api/v1/posts/"+second+"/likes.json", nil).ok()
	check("a like")
	boris.send("POST", "/api/v1/posts/boris/"+second+"/clike/"+comment+".json", nil).ok()
	check("a like of a comment")
	direct := boris.post("for anna", "direct:anna")
	check("a direct")
	boris.send("DELETE", "/api/v1/posts/"+direct+".json", nil).ok()
	e.next(from, "a deletion", func(data object) bool { return numberText(data["deleted"]) == direct && len(data) == 1 })
	carol.send("POST", "/api/v1/users/anna/ban.json", nil).ok()
	check("a ban of who commented")
	if text, _ := e.texts(from - 1); strings.Contains(text, "well") {
		t.Errorf("the comment across the ban is told: %s", text)
	}
	if id := numberText(entry()["id"]); id != second || first == second {
		t.Errorf("the first entry is %s", id)
	}

	visitor := b.listen(b.visitor().get("/boris.json").ok().at("river", "uuid").(string))
	boris.post("for all", "user")
	boris.post("for anna again", "direct:anna")
	visitor.next(0, "a public post", func(data object) bool { return at(data, "post", "text") == "for all" })
	boris.post("the end", "user")
	visitor.next(0, "a public post", func(data object) bool { return at(data, "post", "text") == "the end" })
	if text, _ := visitor.texts(0); strings.Contains(text, "again") || strings.Contains(text, "is_you") {
		t.Errorf("a visitor is told %s", text)
	}
}

// TestFayeOfOtherSites: pages of other sites may use /faye, without cookies.
func TestFayeOfOtherSites(t *testing.T) {
	t.Parallel()
	b := setup(t, "anna")
	c := b.visitor()
	c.header.Set("Origin", "https://elsewhere.example")
	c.header.Set("Access-Control-Request-Method", "POST")
	if a := c.do("OPTIONS", "/faye", "", nil); a.status != 204 || a.header.Get("Access-Control-Allow-Origin") != "https://elsewhere.example" ||
		a.header.Get("Access-Control-Allow-Credentials") != "true" || !strings.HasSuffix(a.header.Get("Access-Control-Allow-Headers"), "Pragma") {
		t.Errorf("the preflight is answered %d %v", a.status, a.header)
	}
	status, header, body := b.faye(`[{"channel":"/meta/handshake","version":"1.0","supportedConnectionTypes":["websocket"]}]`)
	if status != 200 || header.Get("Access-Control-Allow-Origin") != "https://elsewhere.example" || header.Get("Set-Cookie") != "" {
		t.Errorf("the handshake is answered %d %v %s", status, header, body)
	}
	if status, header, _ := b.faye(`nonsense`); status != 400 || header.Get("Access-Control-Allow-Origin") != "https://elsewhere.example" {
		t.Errorf("nonsense is answered %d %v", status, header)
	}
	if a := b.visitor().get("//faye?message=[]&jsonp=f"); a.status != 200 || a.body != "/**/f([]);" {
		t.Errorf("callback-polling is answered %d %s", a.status, a.body)
	}
	form := b.visitor().form("POST", "/faye", "message", `[]`)
	if form.status != 200 || form.body != "[]" {
		t.Errorf("a form is answered %d %s", form.status, form.body)
	}
	if status, _, body := b.faye(`[` + strings.Repeat(" ", 40<<10) + `]`); status != 413 {
		t.Errorf("a long body is answered %d %s", status, body)
	}
}

// TestFayeSubscriptions: a client may listen to the uuid of a river while its session or token
// is valid and its viewer may open the page, and to no other.
func TestFayeSubscriptions(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "boris", "anna")
	other := b.twin()
	session, token, anna := b.session("anna"), b.as("anna"), b.as("anna")
	anna.post("hello", "user")
	uuid := func(c *client, path string) string { return c.get(path).ok().at("river", "uuid").(string) }
	of := map[string]string{
		"a session": uuid(session, "/index.json"), "a token": uuid(token, "/index.json"), "a visitor": uuid(b.visitor(), "/anna.json"),
		"a page": uuid(b.as("boris"), "/anna.json"),
	}
	// One name in some 200 that a node does not know deciphers to a missing session: see
	// river.Node.Holder. So the test looks for names that do not, in case of a calendar for
	// one that the other node reads so.
	for year := 2026; of["a calendar"] == ""; year-- {
		name := uuid(anna, fmt.Sprintf("/anna/calendar/%d.json", year))
		if _, ok := other.node.Holder(name); !ok {
			of["a calendar"] = name
		}
	}
	made := uuid(anna, "/index.json")
	for i := 0; of["nothing"] == ""; i++ {
		name := made[:24] + fmt.Sprintf("%012x", i)
		if _, ok := b.node.Holder(name); !ok {
			of["nothing"] = name
		}
	}
	subscribe := func(on *bundle, name string) string {
		t.Helper()
		r := on.fayeMeta(object{"channel": "/meta/subscribe", "clientId": on.fayeHandshake(), "subscription": "/rivers/" + of[name]})
		if r["successful"] == true {
			return "successful"
		}
		return strings.ReplaceAll(fmt.Sprint(r["error"]), of[name], "UUID")
	}
	check := func(when, name, want string, on ...*bundle) {
		t.Helper()
		for _, node := range on {
			if got := subscribe(node, name); got != want {
				t.Errorf("%s: %s is answered %q, want %q (the other node's: %v)", when, name, got, want, node == other)
			}
		}
	}
	for _, name := range []string{"a session", "a token", "a visitor", "a page"} {
		check("at first", name, "successful", b, other)
	}
	check("at first", "a calendar", "successful", b)
	check("at first", "a calendar", "404:/rivers/UUID:Unknown channel", other)
	check("at first", "nothing", "404:/rivers/UUID:Unknown channel", b, other)
	of["a session"] = strings.ToUpper(of["a session"])
	check("in capitals", "a session", "404:/rivers/UUID:Unknown channel", b)
	of["a session"] = strings.ToLower(of["a session"])

	anna.send("PATCH", "/api/v1/users/"+numberText(float64(b.ids["anna"]))+".json", object{"user": object{"status": "private"}}).ok()
	if err := other.node.WaitPosition(t.Context(), b.node.Position()); err != nil {
		t.Fatal(err)
	}
	check("of a private feed", "a page", "403:/rivers/UUID:Not visible to you", b, other)
	check("of a private feed", "a visitor", "403:/rivers/UUID:Not visible to you", b, other)
	session.form("POST", "/users/sign_out")
	check("after signing out", "a session", "401:/rivers/UUID:Signed out", b, other)
	check("after signing out", "a token", "successful", b, other)
	if err := b.store.Suspend(t.Context(), b.ids["anna"]); err != nil {
		t.Fatal(err)
	}
	check("of a suspended account", "a token", "401:/rivers/UUID:Signed out", b, other)
}

// TestFayeRightTakenAway: when the right to a river ends, a client of Faye gets no more changes,
// on the node of the change and on another. It is told to shake hands again, and its socket is
// closed.
func TestFayeRightTakenAway(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	b := setup(t, "anna", "boris", "carol", "david", "erika")
	other := b.twin()
	author := b.as("anna")
	author.post("hello", "user")
	status := func(status string) object { return object{"user": object{"status": status}} }
	me := "/api/v1/users/" + numberText(float64(b.ids["anna"])) + ".json"
	for _, tt := range []struct {
		name, who string
		how       func(c *client)
	}{
		{"signing out", "boris", func(c *client) { c.form("POST", "/users/sign_out") }},
		{"signing out everywhere", "carol", func(*client) { b.session("carol").send("DELETE", "/api/v1/sessions", nil).ok() }},
		{"suspension", "david", func(*client) {
			if err := b.store.Suspend(t.Context(), b.ids["david"]); err != nil {
				t.Error(err)
			}
		}},
		{"a feed gone private", "erika", func(*client) { author.send("PATCH", me, status("private")).ok() }},
	} {
		c := b.session(tt.who)
		uuid := c.get("/anna.json").ok().at("river", "uuid").(string)
		ears := []*fayeEar{b.listen(uuid), other.listen(uuid)}
		author.comment(author.post("before "+tt.name, "user"), "before "+tt.name)
		for _, e := range ears {
			e.next(0, "what came before", func(data object) bool { return at(data, "post", "comments_count") == 1.0 })
		}
		tt.how(c)
		for _, e := range ears {
			b.waitUntilNothingWrong(func() string {
				if !e.ended() {
					return "the client goes on after " + tt.name
				}
				return ""
			})
		}
		secret := "a secret after " + tt.name
		author.post(secret, "user")
		for _, e := range ears {
			if text, _ := e.texts(0); strings.Contains(text, secret) {
				t.Errorf("%s: the client is told of it", tt.name)
			}
			if r := e.on.fayeMeta(object{"channel": "/meta/connect", "clientId": e.id, "connectionType": "long-polling"}); r["successful"] != false {
				t.Errorf("%s: the client goes on: %v", tt.name, r)
			}
		}
	}
}

// TestFayeManyChangesAtOnce: a client is told of all posts that leave its river, however many.
func TestFayeManyChangesAtOnce(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	b := setup(t, "anna", "boris")
	anna, boris := b.as("anna"), b.as("boris")
	anna.send("POST", "/api/v1/users/boris/subscribers.json", nil).ok()
	posts := map[string]bool{}
	for i := range 70 {
		id, err := b.store.CreatePost(t.Context(), b.ids["boris"], timeline.NewPost{To: []string{"user"}, Text: fmt.Sprint(i)})
		if err != nil {
			t.Fatal(err)
		}
		posts[fmt.Sprint(id)] = true
	}
	e := b.listen(anna.get("/index.json?count=100").ok().at("river", "uuid").(string))
	boris.send("POST", "/api/v1/users/anna/ban.json", nil).ok()
	b.waitUntilNothingWrong(func() string {
		e.mu.Lock()
		defer e.mu.Unlock()
		left := len(posts)
		for _, m := range e.told {
			if posts[numberText(at(m, "data", "deleted"))] {
				left--
			}
		}
		if left > 0 {
			return fmt.Sprintf("%d posts are not told of", left)
		}
		return ""
	})
}
