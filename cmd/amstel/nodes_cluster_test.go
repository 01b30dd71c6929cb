package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// A cluster is several nodes on one primary, behind a proxy that sends requests to the running
// nodes in turn.
type cluster struct {
	t     *testing.T
	db    string // the argument that names the database
	data  string
	pool  *pgxpool.Pool
	store *timeline.Store // the test writes through it, like another process
	flags []string        // further flags of every node
	nodes []*member
	proxy *httptest.Server

	mu   sync.Mutex
	turn int
}

// A member is one of the nodes. It keeps its address over restarts.
type member struct {
	site
	address string
	db      string // the argument that names its database; empty: the cluster's
	down    bool   // the proxy sends no requests; guarded by the cluster's mu
}

// newCluster starts a number of nodes and the proxy before them. The test is skipped with -short.
func newCluster(t *testing.T, count int, flags ...string) *cluster {
	t.Helper()
	if testing.Short() {
		t.Skip("runs several nodes")
	}
	c := &cluster{t: t, data: t.TempDir(), flags: flags}
	c.pool, c.db = fresh(t)
	c.store = timeline.New(c.pool, timeline.Options{Argon: pgtest.Argon})
	for range count {
		m := &member{address: steadyAddress(t)}
		c.start(m)
		c.nodes = append(c.nodes, m)
	}
	c.proxy = httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(c.next())
			r.SetXForwarded()
			r.Out.Host = r.In.Host // nodes compare the Origin of sockets with the host
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	})
	t.Cleanup(c.proxy.Close)
	return c
}

// start starts a node, with the river DB of its last run.
func (c *cluster) start(m *member) {
	c.t.Helper()
	db := m.db
	if db == "" {
		db = c.db
	}
	m.site = start(c.t, append([]string{"web", "--listen", m.address, "--data", c.data, "--log=error", db}, c.flags...)...)
	m.url = "http://" + m.address // start returned the address of the site, which may be the proxy's
	c.mark(m, false)
}

// stopNode takes a node out of the proxy and stops it, as SIGTERM does.
func (c *cluster) stopNode(m *member) {
	c.t.Helper()
	c.mark(m, true)
	if code, said := m.stop(); code != 0 {
		c.t.Errorf("a node stopped with exit %d: %s", code, said)
	}
}

// addresses numbers the steady addresses of this process.
var addresses atomic.Int64

// steadyAddress returns an address on which no process listens. The system gives its port to no
// connection, so a node can listen on the address again after a restart.
func steadyAddress(t *testing.T) string {
	t.Helper()
	const first, many = 20_000, 12_000 // below the ports that the system gives to connections
	for {
		port := first + (int64(os.Getpid())*97+addresses.Add(1))%many
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		defer listener.Close()
		return listener.Addr().String()
	}
}

// mark tells the proxy whether a node is down.
func (c *cluster) mark(m *member, down bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m.down = down
}

// next returns the address of the next running node in turn.
func (c *cluster) next() *url.URL {
	c.mu.Lock()
	defer c.mu.Unlock()
	for range c.nodes {
		c.turn++
		if m := c.nodes[c.turn%len(c.nodes)]; !m.down {
			return &url.URL{Scheme: "http", Host: m.address}
		}
	}
	return &url.URL{Scheme: "http", Host: "127.0.0.1:1"}
}

// person makes an account, and returns its id and an API token.
func (c *cluster) person(name string) (timeline.UserID, credential) {
	c.t.Helper()
	id, err := c.store.SignUp(c.t.Context(), timeline.NewUser{Name: name, Email: name + "@example.org", NoPassword: true})
	if err != nil {
		c.t.Fatal(err)
	}
	return id, c.token(id)
}

// token returns a new API token of an account.
func (c *cluster) token(id timeline.UserID) credential {
	c.t.Helper()
	token, err := c.store.NewToken(c.t.Context(), id, timeline.TokenSpec{Name: "test", Scopes: timeline.AllScopes})
	if err != nil {
		c.t.Fatal(err)
	}
	return credential{token: token}
}

// session returns a new session of an account.
func (c *cluster) session(id timeline.UserID) credential {
	c.t.Helper()
	secret, err := c.store.NewSession(c.t.Context(), id, true, "test")
	if err != nil {
		c.t.Fatal(err)
	}
	return credential{session: secret}
}

// reply is the answer to a request.
type reply struct {
	status int
	header http.Header
	body   string
}

// A credential is what a client sends to identify a person: an API token or a session's
// secret. Both are empty for a visitor. position is the newest log position that the
// browser has seen.
type credential struct{ token, session, position string }

// set adds the credential and the position to the header of a request.
func (c credential) set(header http.Header) {
	if c.token != "" {
		header.Set("X-API-Token", c.token)
	}
	if c.session != "" {
		header.Set("Cookie", "amstel="+c.session)
	}
	if c.position != "" {
		header.Add("Cookie", "amstel-position="+c.position)
	}
}

// ask sends a request with body as JSON, unless body is nil, and returns the answer.
func ask(ctx context.Context, method, address string, who credential, body any) (reply, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return reply{}, err
		}
		content = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, address, content)
	if err != nil {
		return reply{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	who.set(r.Header)
	return send(r)
}

// send sends a request and returns the answer with its body.
func send(r *http.Request) (reply, error) {
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return reply{response.StatusCode, response.Header, string(text)}, err
}

// A shown has the fields of a page's JSON that tests read.
type shown struct {
	River struct {
		UUID, Epoch       string
		Counter, Position int64
		Behind            bool
	}
	Entries []entry
}

type entry struct {
	ID        int64
	Version   int
	Tag, Text string
}

// minute is the limit of a wait for something that takes milliseconds on an idle machine.
const minute = time.Minute

// page reads a page as JSON from a node or the proxy. Any status but 200 is an error.
func (c *cluster) page(ctx context.Context, site, path string, who credential) (*shown, error) {
	a, err := ask(ctx, http.MethodGet, site+path, who, nil)
	if err != nil {
		return nil, err
	}
	if a.status != http.StatusOK {
		return nil, fmt.Errorf("%s answers %d: %.200s", path, a.status, a.body)
	}
	var page shown
	return &page, json.Unmarshal([]byte(a.body), &page)
}

// form sends a form to the first node, with names and values of fields in pairs, and returns
// the answer. It ends the test at an error.
func (c *cluster) form(who credential, path string, fields ...string) reply {
	c.t.Helper()
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.nodes[0].url+path, strings.NewReader(values.Encode()))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/json")
	who.set(r.Header)
	a, err := send(r)
	if err != nil || a.status >= 400 {
		c.t.Fatalf("%s: %v, %d %s", path, err, a.status, a.body)
	}
	return a
}

// whyUnknown returns how a node fails to recognise the person of a credential, empty if it does
// not.
func (c *cluster) whyUnknown(m *member, name string, who credential) string {
	a, err := ask(c.t.Context(), http.MethodGet, m.url+"/api/v1/whoami", who, nil)
	switch {
	case err != nil:
		return err.Error()
	case a.status != http.StatusOK || !strings.Contains(a.body, `"`+name+`"`):
		return fmt.Sprintf("%s answers whoami of %s with %d %s", m.url, name, a.status, a.body)
	}
	return ""
}

// until calls problem every 20 ms until it returns an empty string. If it does not within the
// limit, until fails the test with the last problem, and the test goes on.
func until(t *testing.T, within time.Duration, problem func() string) {
	t.Helper()
	limit := time.NewTimer(within)
	defer limit.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		why := problem()
		if why == "" {
			return
		}
		select {
		case <-tick.C:
		case <-limit.C:
			t.Error(why)
			return
		}
	}
}
