package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/apitest"
	"amstel.dev/amstel/internal/nodetest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// long skips a test in short mode: a test that compares the pages of all viewers, or runs for
// long.
func long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long")
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }

// bundle is a whole site: a primary, a node, sockets and pages, on a port.
type bundle struct {
	t     *testing.T
	pool  *pgxpool.Pool
	store *timeline.Store
	node  *river.Node
	waits *waits
	site  *web.Server
	http  *httptest.Server
	ids   map[string]timeline.UserID
	river string // the path of the river DB
}

// setup starts a site with these people, all of them public, with the passwords "password of
// NAME". The site sends pushes.
func setup(t *testing.T, people ...string) *bundle {
	t.Helper()
	return setupOn(t, pgtest.New(t), web.Config{PushKey: nodetest.AnyPushKey}, people...)
}

// setupOn is setup on a given database, with settings of the test.
func setupOn(t *testing.T, pool *pgxpool.Pool, config web.Config, people ...string) *bundle {
	t.Helper()
	return setupWith(t, pool, config, river.Settings{}, people...)
}

// setupWith is setupOn with settings of the node.
func setupWith(t *testing.T, pool *pgxpool.Pool, config web.Config, settings river.Settings, people ...string) *bundle {
	t.Helper()
	return setupNode(t, pool, nodetest.Config{Web: config, River: river.Config{Settings: settings}}, people...)
}

// setupNode is setupWith with all settings of a node but those that a bundle sets.
func setupNode(t *testing.T, pool *pgxpool.Pool, config nodetest.Config, people ...string) *bundle {
	t.Helper()
	return setupStore(t, pool, timeline.Options{Argon: pgtest.Argon, Mails: true}, config, people...)
}

// setupStore is setupNode with settings of the store.
func setupStore(t *testing.T, pool *pgxpool.Pool, opts timeline.Options, config nodetest.Config, people ...string) *bundle {
	t.Helper()
	b := &bundle{t: t, pool: pool, ids: make(map[string]timeline.UserID), river: filepath.Join(t.TempDir(), "river.db")}
	b.store = timeline.New(pool, opts)
	for _, name := range people {
		person := nodetest.Person(name)
		person.DisplayName = strings.ToUpper(name[:1]) + name[1:]
		id, err := b.store.SignUp(t.Context(), person)
		if err != nil {
			t.Fatalf("sign up %s: %v", name, err)
		}
		b.ids[name] = id
	}
	config.Store, config.River.Path = b.store, b.river
	config.Rivers = func(node *river.Node) web.Rivers {
		b.waits = &waits{Node: node}
		return b.waits
	}
	site := nodetest.Start(t, config)
	b.node, b.site, b.http = site.Node, site.Web, site.HTTP
	b.ready()
	return b
}

// waits are the node's rivers, and count how often an answer waited until what was
// taken away was gone.
type waits struct {
	*river.Node
	tight atomic.Int64
	late  atomic.Bool // the node seems to be behind, and at an early position
}

func (w *waits) Age() time.Duration {
	if w.late.Load() {
		return time.Hour
	}
	return w.Node.Age()
}

func (w *waits) Position() int64 {
	if w.late.Load() {
		return 1
	}
	return w.Node.Position()
}

func (w *waits) WaitRevoked() {
	w.tight.Add(1)
	w.Node.WaitRevoked()
}

// patience is the limit of what hangs: far longer than a machine with other work
// stands still.
const patience = time.Minute

// ready waits until the node has come through.
func (b *bundle) ready() {
	b.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		if status := b.visitor().get("/readyz").status; status == http.StatusOK {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatal("the node is not ready")
		}
		time.Sleep(20 * time.Millisecond) // a condition of another process: polled
	}
}

// A client is a browser or a program.
type client struct {
	b      *bundle
	http   *http.Client
	token  string
	accept string
	header http.Header
}

// visitor returns a client without a session.
func (b *bundle) visitor() *client {
	transport := &http.Transport{DisableCompression: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return apitest.Tap(b.t, conn, false), nil
	}}
	b.t.Cleanup(transport.CloseIdleConnections)
	return &client{b: b, header: http.Header{}, http: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// as is a program with a token of the person's.
func (b *bundle) as(name string) *client {
	b.t.Helper()
	secret, err := b.store.NewToken(b.t.Context(), b.ids[name], timeline.TokenSpec{Name: "test", Scopes: timeline.AllScopes})
	if err != nil {
		b.t.Fatal(err)
	}
	c := b.visitor()
	c.token = secret
	return c
}

// session returns a client with a session of the person's, which asks for JSON.
func (b *bundle) session(name string) *client {
	b.t.Helper()
	secret, err := b.store.NewSession(b.t.Context(), b.ids[name], true, "")
	if err != nil {
		b.t.Fatal(err)
	}
	c := b.visitor()
	c.header.Set("Cookie", "amstel="+secret)
	return c
}

// browser is a person at a browser without script, signed in.
func (b *bundle) browser(name string) *client {
	b.t.Helper()
	c := b.visitor()
	c.http.Jar = &jar{}
	c.accept = "text/html,application/xhtml+xml"
	a := c.form("POST", "/users/sign_in", "user[email]", name, "user[password]", "password of "+name)
	if a.status != http.StatusSeeOther {
		b.t.Fatalf("%s can't sign in: %d %s", name, a.status, a.body)
	}
	return c
}

// A jar keeps the cookies of one site.
type jar struct {
	mu   sync.Mutex
	held map[string]*http.Cookie
}

func (j *jar) SetCookies(_ *url.URL, cookies []*http.Cookie) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.held == nil {
		j.held = make(map[string]*http.Cookie)
	}
	for _, c := range cookies {
		if j.held[c.Name] = c; c.MaxAge < 0 {
			delete(j.held, c.Name)
		}
	}
}

func (j *jar) Cookies(*url.URL) (all []*http.Cookie) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, c := range j.held {
		all = append(all, c)
	}
	return all
}

// answer is the answer to a request.
type answer struct {
	t      *testing.T
	status int
	header http.Header
	body   string // of a page, without its store
	store  string // the JSON for extensions in a page
}

// json is the answer's object.
func (a answer) json() map[string]any {
	a.t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		a.t.Fatalf("%d is no JSON object: %v\n%s", a.status, err, a.body)
	}
	return v
}

// ok fails the test unless the answer is a success.
func (a answer) ok() answer {
	a.t.Helper()
	if a.status >= 400 {
		a.t.Fatalf("%d %s", a.status, a.body)
	}
	return a
}

// at is the part of the answer under the keys and indexes, nil if there is none.
func (a answer) at(path ...any) any {
	a.t.Helper()
	return at(a.json(), path...)
}

func at(v any, path ...any) any {
	for _, step := range path {
		switch key := step.(type) {
		case string:
			object, _ := v.(map[string]any)
			v = object[key]
		case int:
			list, _ := v.([]any)
			if key >= len(list) {
				return nil
			}
			v = list[key]
		}
	}
	return v
}

// id returns a number in the answer, in the form of addresses.
func (a answer) id(path ...any) string {
	a.t.Helper()
	number, is := a.at(path...).(float64)
	if !is {
		a.t.Fatalf("no number at %v in %s", path, a.body)
	}
	text, _ := json.Marshal(int64(number))
	return string(text)
}

// do sends a request.
func (c *client) do(method, path, kind string, body io.Reader) answer {
	c.b.t.Helper()
	r, err := http.NewRequestWithContext(c.b.t.Context(), method, c.b.http.URL, body)
	if err != nil {
		c.b.t.Fatal(err)
	}
	where, query, _ := strings.Cut(path, "?")
	r.URL.Opaque = "//" + r.URL.Host + where // unchanged, however many slashes
	r.URL.RawQuery = query
	for name, values := range c.header {
		r.Header[name] = values
	}
	for name, value := range map[string]string{"Content-Type": kind, "X-API-Token": c.token, "Accept": c.accept} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	response, err := c.http.Do(r)
	if err != nil {
		c.b.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.b.t.Fatalf("%s %s: %v", method, path, err)
	}
	a := answer{t: c.b.t, status: response.StatusCode, header: response.Header, body: string(text)}
	if before, rest, has := strings.Cut(a.body, `<script type="application/json" data-js-react-on-rails-store="mokumStore">`); has {
		var after string
		a.store, after, _ = strings.Cut(rest, "</script>")
		a.body = before + after
	}
	return a
}

func (c *client) get(path string) answer {
	c.b.t.Helper()
	return c.do("GET", path, "", nil)
}

// send sends a value as JSON, or a string unchanged.
func (c *client) send(method, path string, body any) answer {
	c.b.t.Helper()
	text, is := body.(string)
	if !is && body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			c.b.t.Fatal(err)
		}
		text = string(encoded)
	}
	return c.do(method, path, "application/json", bytes.NewBufferString(text))
}

// form sends names and values as a form.
func (c *client) form(method, path string, fields ...string) answer {
	c.b.t.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	return c.do(method, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
}

// object is short for a JSON object.
type object = map[string]any

// post publishes a post and returns its id.
func (c *client) post(text string, to ...string) string {
	c.b.t.Helper()
	return c.send("POST", "/api/v1/posts.json", object{"post": object{"text": text, "timelines": to}}).ok().id("post", "id")
}

// comment comments on a post and answers the comment's id.
func (c *client) comment(post, text string) string {
	c.b.t.Helper()
	return c.send("POST", "/api/v1/posts/"+post+"/comments.json", object{"comment": object{"text": text}}).ok().id("id")
}

// formatNumber writes a number of JSON without an exponent.
func formatNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// numberText is a number of JSON as a key.
func numberText(n any) string {
	number, _ := n.(float64)
	return formatNumber(number)
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// newPasswordless returns an account without a password, as an import makes it.
func newPasswordless(name string) timeline.NewUser {
	return timeline.NewUser{Name: name, Email: name + "@example.org", NoPassword: true}
}

func mustTime(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
