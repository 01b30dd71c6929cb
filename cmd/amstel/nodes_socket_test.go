package main

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/realtime"
)

// TestNoSocketOutlivesItsSession opens sockets of a session on two nodes around the moment at
// which the session ends on one of them. Every socket is closed with CodeSignedOut, whether its
// request was accepted before or after the end.
func TestNoSocketOutlivesItsSession(t *testing.T) {
	t.Parallel()
	const rounds, many = 8, 6
	c := newCluster(t, 2)
	anna, _ := c.person("anna")
	for range rounds {
		who := c.session(anna)
		home, err := c.page(t.Context(), c.nodes[0].url, "/index.json", who)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		var wg sync.WaitGroup
		for i := range many {
			for _, m := range c.nodes {
				wg.Go(func() {
					select {
					case <-time.After(time.Duration(i) * 2 * time.Millisecond): // before, during and after the end of the session
					case <-ctx.Done():
					}
					if err := c.openUntilEnd(ctx, m, who, home.River.UUID); websocket.CloseStatus(err) != realtime.CodeSignedOut {
						t.Errorf("a socket at %s ended with %v, want CodeSignedOut", m.url, err)
					}
				})
			}
		}
		c.form(who, "/users/sign_out")
		wg.Wait()
		cancel()
	}
}

// openUntilEnd opens a socket, subscribes to a river, and returns the error with which the
// socket ends.
func (c *cluster) openUntilEnd(ctx context.Context, m *member, who credential, river string) error {
	header := http.Header{"Origin": {m.url}}
	who.set(header)
	conn, _, err := websocket.Dial(ctx, m.url+"/live", &websocket.DialOptions{HTTPHeader: header, Subprotocols: []string{realtime.Subprotocol}})
	if err != nil {
		return err
	}
	defer func() { _ = conn.CloseNow() }()
	sub, err := json.Marshal(map[string]any{"type": "sub", "river": river, "page": "/index.json", "as": "json"})
	if err != nil {
		return err
	}
	if err := conn.Write(ctx, websocket.MessageText, sub); err != nil {
		return err
	}
	for {
		if _, _, err := conn.Read(ctx); err != nil {
			return err
		}
	}
}
