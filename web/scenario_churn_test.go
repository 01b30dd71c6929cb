package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/web"
)

// TestChurnLeavesNothing lets many people come, look, search, write, sign in and out, and leave in
// every possible way. When they are gone, goroutines, files and the database's connections are as
// before, on the site that goes on; and when the site has closed, as before the site began. The
// test is about the whole process, and so parallel to no other test.
func TestChurnLeavesNothing(t *testing.T) {
	racetest.Long(t)
	pgtest.New(t) // the cluster stays
	l := lookForLeaks(t, nil)
	t.Run("site", func(t *testing.T) {
		pool := pgtest.New(t)
		t.Cleanup(pool.Close) // so that no connection is kept for another test
		b := setupOn(t, pool, web.Config{}, "alice", "bobby", "carol", "dora")
		for _, name := range []string{"alice", "bobby"} {
			b.as(name).post("#harbour by "+name, "user")
		}
		b.churn(t, 1) // opens files and goroutines that stay
		running := lookForLeaks(t, b.pool)
		acquired := b.pool.Stat().AcquiredConns()
		for round := range 5 {
			b.churn(t, round+2)
		}
		running.none("after the churn")
		comesBack(t, "connections to the database", func() string {
			if now := b.pool.Stat().AcquiredConns(); now > acquired {
				return fmt.Sprintf("%d are in use instead of %d", now, acquired)
			}
			return ""
		})
	})
	l.none("after the end")
}

// churn makes some hundred visits, and opens some dozen sockets.
func (b *bundle) churn(t *testing.T, round int) {
	t.Helper()
	var churners sync.WaitGroup
	for i, name := range []string{"alice", "bobby", "carol", "dora", ""} {
		churners.Go(func() {
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			c := b.visitor()
			c.http.Transport = transport
			if name != "" {
				c.http.Jar = &jar{}
				c.accept = "text/html"
				if a := c.form("POST", "/users/sign_in", "user[email]", name, "user[password]", "password of "+name); a.status != http.StatusSeeOther {
					t.Errorf("%s signs in: %d %s", name, a.status, a.body)
					return
				}
			}
			for _, path := range []string{
				"/", "/alice", "/bobby.json", "/alice?page=2", "/filter/everything", "/filter/best_of", "/s?q=" + url.QueryEscape(fmt.Sprintf("harbour round%d%d", round, i)),
				"/s?q=%23harbour", "/alice/calendar", "/alice/calendar/2026", "/no-such-name", "/alice/1", "/settings", "/notifications", "/about", "/live/changes", "/bobby/subscribers",
				"/static/nothing", "/s?q=", "/filter/everything/nl",
			} {
				c.get(path)
			}
			if name == "" {
				return
			}
			w := &wire{t: t}
			for n := range 6 {
				w = c.cookieWire(t)
				uuid := attribute(c.get("/alice").body, "data-river")
				w.text(subOf(uuid, "/alice", object{"as": "html"}))
				switch n {
				case 0:
					w.conn.Close()
				case 1:
					w.text(strings.Repeat("x", 40_000))
					w.readClose()
				case 2:
					w.hears("harbour")
					w.send(frameOf(whole|opClose, nil))
					w.readClose()
				case 3:
					w.hears("harbour")
					w.send(frameOf(opText, []byte("{")))
					w.conn.Close()
				case 4:
					w.text(subOf("another", "/bobby", nil))
					w.readClose()
				default:
					w.hears("harbour") // and stays until its session ends
				}
				if n < 5 {
					w.conn.Close()
				}
			}
			c.form("POST", "/api/v1/posts.json", "post[text]", fmt.Sprintf("round %d", round), "post[timelines][]", "user")
			c.form("POST", "/users/sign_out")
			if code, _, _ := w.readClose(); code != 4401 {
				t.Errorf("signed out: closed with %d", code)
			}
			w.conn.Close()
		})
	}
	churners.Wait()
}

// cookieWire is a socket of a browser's.
func (c *client) cookieWire(t *testing.T) *wire {
	t.Helper()
	at, err := url.Parse(c.b.http.URL)
	if err != nil {
		t.Fatal(err)
	}
	var cookies []string
	for _, one := range c.http.Jar.Cookies(at) {
		cookies = append(cookies, one.Name+"="+one.Value)
	}
	as := &client{b: c.b, header: http.Header{"Origin": {c.b.http.URL}, "Cookie": {strings.Join(cookies, "; ")}}}
	return as.wire(t)
}
