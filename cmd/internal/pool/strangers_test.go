package pool

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/nodetest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/timeline"
)

// TestStrangersWaitForConnectionsOfStrangers: strangers wait while both connections that strangers may use
// are in use. Members do not wait.
func TestStrangersWaitForConnectionsOfStrangers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStrangers(2)
		acquire := func(ctx context.Context, err error) *pgx.Conn {
			ctx = s.TraceAcquireStart(ctx, nil, pgxpool.TraceAcquireStartData{})
			conn := &pgx.Conn{}
			if err != nil {
				conn = nil
			}
			s.TraceAcquireEnd(ctx, nil, pgxpool.TraceAcquireEndData{Conn: conn, Err: err})
			return conn
		}
		release := func(conn *pgx.Conn) { s.TraceRelease(nil, pgxpool.TraceReleaseData{Conn: conn}) }
		stranger := func(name string) context.Context {
			return turnstile.WithStranger(turnstile.WithClient(t.Context(), name))
		}
		if acquire(stranger("one"), errors.New("away")) != nil {
			t.Error("a connection that can't be had")
		}
		first, second := acquire(stranger("one"), nil), acquire(stranger("one"), nil)
		waiting := make(chan *pgx.Conn, 3)
		for _, name := range []string{"one", "two"} {
			go func() { waiting <- acquire(stranger(name), nil) }()
			synctest.Wait()
		}
		late, cancel := context.WithCancel(stranger("late"))
		ended := make(chan struct{})
		go func() { acquire(late, context.Canceled); close(ended) }()
		synctest.Wait()
		if n := len(waiting); n != 0 {
			t.Errorf("%d strangers more than two have a connection", n)
		}
		cancel()
		<-ended                            // a departed stranger does not wait
		release(acquire(t.Context(), nil)) // a member does not wait, and makes no room for strangers
		synctest.Wait()
		if n := len(waiting); n != 0 {
			t.Errorf("%d strangers have the connection of a member", n)
		}
		release(first)
		third := <-waiting
		release(second)
		release(<-waiting)
		release(third)
		if fourth, fifth := acquire(stranger("one"), nil), acquire(stranger("one"), nil); fourth == nil || fifth == nil || len(s.leave) != 2 {
			t.Errorf("in the end %d strangers have a connection, want 2", len(s.leave))
		}
	})
}

// TestMostConnectionsAreForMembers: of few connections, one is for strangers.
func TestMostConnectionsAreForMembers(t *testing.T) {
	t.Parallel()
	for connections, most := range map[int]int{1: 1, 4: 1, 7: 1, 8: 2} {
		if got := strangersMost(connections); got != most {
			t.Errorf("of %d connections %d work for strangers, want %d", connections, got, most)
		}
	}
}

// A counting tracer counts the connections acquired for strangers.
type counting struct {
	*strangers
	asked atomic.Int64
}

func (c *counting) TraceAcquireStart(ctx context.Context, pool *pgxpool.Pool, data pgxpool.TraceAcquireStartData) context.Context {
	if turnstile.Stranger(ctx) {
		c.asked.Add(1)
	}
	return c.strangers.TraceAcquireStart(ctx, pool, data)
}

// TestRequestsOfStrangersUseTheirConnections requests pages, lists and more, first without a session and then
// as a member. Only the first requests use connections of strangers.
func TestRequestsOfStrangersUseTheirConnections(t *testing.T) {
	t.Parallel()
	config, err := Config(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	seen := &counting{strangers: config.ConnConfig.Tracer.(*strangers)}
	config.ConnConfig.Tracer = seen
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	store := timeline.New(pool, timeline.Options{})
	ann, err := store.SignUp(t.Context(), nodetest.Person("ann"))
	if err != nil {
		t.Fatal(err)
	}
	token, err := store.NewToken(t.Context(), ann, timeline.TokenSpec{Name: "test", Scopes: timeline.AllScopes})
	if err != nil {
		t.Fatal(err)
	}
	site := nodetest.Start(t, nodetest.Config{Store: store})
	ask := func(token, method, path, body string) (connections int64) {
		before := seen.asked.Load()
		request, err := http.NewRequestWithContext(t.Context(), method, site.HTTP.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json")
		if token != "" {
			request.Header.Set("X-API-Token", token)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return seen.asked.Load() - before
	}
	for _, test := range []struct{ name, method, path, body string }{
		{"a first visit", "GET", "/ann", ""},
		{"another page that is built", "GET", "/ann/likes.json", ""},
		{"a page that is not kept", "GET", "/ann.json?order=created", ""},
		{"a list", "GET", "/ann/subscribers", ""},
		{"a name that does not exist", "GET", "/nowhere", ""},
		{"a guess of a password", "POST", "/users/sign_in", `{"user":{"login":"ann","password":"guess"}}`},
		{"the changes of a page with a name that does not exist", "GET", "/live/changes?river=x&page=/elsewhere", ""},
	} {
		if ask("", test.method, test.path, test.body) == 0 {
			t.Errorf("%s: no connection was asked for as a stranger", test.name)
		}
		if n := ask(token, test.method, test.path, test.body); n != 0 && test.method == "GET" {
			t.Errorf("%s: a member asked for %d connections of strangers", test.name, n)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}
