package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/coder/websocket"
)

// The pauses between two tries to connect: the first is up to firstPause, each next one up to
// twice as long, and none longer than longestPause.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 30 * time.Second
)

// stableAfter is how long a connection must last before its end counts as the first failure of a
// series again, so that the pause is short.
const stableAfter = 30 * time.Second

// silence is how long a river waits for a frame before it takes the connection for lost. The server
// sends a beat after 30 s of silence at most.
const silence = time.Minute

// A Change is what happened to a followed page.
type Change struct {
	Added   []Entry // new on the page, from the top
	Changed []Entry // there before, and different
	Gone    []int64 // the posts whose entries have left the page
}

// A River holds the entries of a followed page. Only the function that [Client.Follow] calls may
// use a River, and only while the function runs.
type River struct {
	Users  map[int64]Card // all people that the entries have named
	Groups map[int64]Card

	page    *Page
	entries map[int64]Entry
}

// Entries returns the entries of the page, from the top down.
func (r *River) Entries() []Entry {
	all := make([]Entry, 0, len(r.page.Order))
	for _, post := range r.page.Order {
		all = append(all, r.entries[post])
	}
	return all
}

// Unread returns the number of unread notices, 0 for a visitor.
func (r *River) Unread() int { return r.page.Unread }

// Follow follows the page at a path, over any number of connections, until the context ends. Follow
// calls changed first with all entries of the page as added, and then with each change. Follow
// returns the error of changed; an [Error] if the page can't be loaded; the error of the socket if
// the server ends the page for good (a close code from 4400 on, such as 4401 after the token ended);
// or the error of the context.
func (c *Client) Follow(ctx context.Context, path string, changed func(*River, Change) error) error {
	t, err := c.Timeline(ctx, path)
	if err != nil {
		return err
	}
	if !t.River.Live {
		return fmt.Errorf("the page %s is not kept up to date: follow one that begins with the newest entries", path)
	}
	r := &River{Users: t.Users, Groups: t.Groups, page: NewPage(t.River.UUID, path), entries: map[int64]Entry{}}
	r.page.Epoch, r.page.Counter, r.page.Position = t.River.Epoch, t.River.Counter, t.River.Position
	for _, e := range t.Entries {
		r.page.Order = append(r.page.Order, e.ID)
		r.page.Entries[e.ID] = Shown{Post: e.ID, Tag: e.Tag, Version: e.Version, Text: e.Text}
		r.entries[e.ID] = e
	}
	if err := changed(r, Change{Added: t.Entries}); err != nil {
		return err
	}
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		began := time.Now()
		err := c.followOnce(ctx, r, changed)
		var failed *callbackError
		switch code := websocket.CloseStatus(err); {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &failed):
			return failed.error
		case code >= 4400 && code < 4500:
			return err
		}
		if time.Since(began) > stableAfter {
			pause = firstPause
		}
		if err := sleep(ctx, rand.N(pause)); err != nil { // not all clients come back at the same moment
			return err
		}
	}
}

// A callbackError wraps an error for which [Client.Follow] must not connect again, such as an error of
// the caller's function.
type callbackError struct{ error }

func (e *callbackError) Unwrap() error { return e.error }

// followOnce follows the page over one connection.
func (c *Client) followOnce(ctx context.Context, r *River, changed func(*River, Change) error) error {
	address := c.address.JoinPath("/live")
	conn, answer, err := Dial(ctx, address.String(), c.http, c.header())
	if err != nil {
		if answer != nil && answer.StatusCode == http.StatusForbidden {
			return &callbackError{&Error{Status: answer.StatusCode, Message: "The server refuses the socket."}}
		}
		return err
	}
	defer conn.CloseNow()
	quiet := time.AfterFunc(silence, func() { conn.CloseNow() })
	defer quiet.Stop()
	return Follow(ctx, conn, r.page.Sub, func(frame []byte) (again bool, err error) {
		quiet.Reset(silence)
		return r.take(frame, changed)
	})
}

// frameContent has the fields that a [Frame] leaves out: the whole entries, and the cards.
type frameContent struct {
	Type string `json:"type"`
	Ops  []struct {
		Post  int64 `json:"post"`
		Gone  bool  `json:"gone"`
		Entry Entry `json:"entry"`
	} `json:"ops"`
	Entries []Entry        `json:"entries"`
	Users   map[int64]Card `json:"users"`
	Groups  map[int64]Card `json:"groups"`
}

// take applies a frame, and calls changed with the differences, if there are any.
func (r *River) take(frame []byte, changed func(*River, Change) error) (again bool, err error) {
	was := slices.Clone(r.page.Order)
	verdict, f, err := r.page.Take(frame)
	if f == nil {
		return false, err
	}
	if err != nil || verdict != Applied || f.Type != "patch" && f.Type != "reset" {
		return verdict == Resub, nil // a frame of an unknown type is one of a newer server
	}
	var content frameContent
	if err := json.Unmarshal(frame, &content); err != nil {
		return false, fmt.Errorf("frame %.80q: %w", frame, err)
	}
	maps.Copy(r.Users, content.Users)
	maps.Copy(r.Groups, content.Groups)
	brought := map[int64]Entry{}
	for _, op := range content.Ops {
		if !op.Gone {
			brought[op.Post] = op.Entry
		}
	}
	for _, e := range content.Entries {
		brought[e.ID] = e
	}
	var change Change
	for _, post := range r.page.Order {
		e, new := brought[post]
		before, had := r.entries[post]
		switch {
		case !new:
			continue
		case !had:
			change.Added = append(change.Added, e)
		case before.Tag != e.Tag:
			change.Changed = append(change.Changed, e)
		}
		r.entries[post] = e
	}
	for _, post := range was {
		if !slices.Contains(r.page.Order, post) {
			delete(r.entries, post)
			change.Gone = append(change.Gone, post)
		}
	}
	if len(change.Added)+len(change.Changed)+len(change.Gone) == 0 {
		return false, nil
	}
	if err := changed(r, change); err != nil {
		return false, &callbackError{err}
	}
	return false, nil
}
