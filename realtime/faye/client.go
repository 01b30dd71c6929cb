package faye

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"amstel.dev/amstel/internal/wirejson"
)

// A client is a program that has shaken hands, and has then connected or subscribed.
type client struct {
	server  *Server
	id      string
	name    string // the name under which it is counted
	foreign *time.Timer

	mu        sync.Mutex
	ended     bool
	left      bool // the client disconnected by a message
	connected bool // its first connect was answered
	channels  map[string]*subscription
	carrier   *carrier    // nil: none is open
	idle      *time.Timer // ends the client; runs while it has no carrier
}

// A subscription is a client's Subscription of a channel.
type subscription struct {
	Subscription
	dirty bool // there may be something to fetch
}

// A carrier takes the messages for a client: a WebSocket, or a waiting request.
type carrier struct {
	wake chan struct{}      // there may be messages to fetch; holds one value
	stop context.CancelFunc // ends the carrier, because the client ended or opened another one
}

func newClient(s *Server, id, name string) *client {
	c := &client{server: s, id: id, name: name, channels: map[string]*subscription{}}
	c.idle = time.AfterFunc(s.config.Idle, c.endIfIdle)
	return c
}

// attach gives the client a new carrier for its messages. It returns false if the client has
// ended.
func (c *client) attach(to *carrier) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return false
	}
	if c.carrier != nil && c.carrier != to {
		c.carrier.stop()
	}
	c.carrier = to
	c.idle.Stop()
	to.ring()
	return true
}

// detach takes a carrier away from the client.
func (c *client) detach(from *carrier) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.carrier == from && !c.ended {
		c.carrier = nil
		c.idle.Reset(c.server.config.Idle)
	}
}

func (to *carrier) ring() {
	select {
	case to.wake <- struct{}{}:
	default:
	}
}

// touch puts off the end of a client without a carrier.
func (c *client) touch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.carrier == nil && !c.ended {
		c.idle.Reset(c.server.config.Idle)
	}
}

// ring wakes the client's carrier.
func (c *client) ring() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.carrier != nil {
		c.carrier.ring()
	}
}

// endIfIdle ends a client that has had no carrier for long.
func (c *client) endIfIdle() {
	c.mu.Lock()
	idle := c.carrier == nil
	c.mu.Unlock()
	if idle {
		c.end()
	}
}

// endIfSilent ends a client of another process that has not subscribed here, because this
// process does not know the client's subscriptions there.
func (c *client) endIfSilent() {
	c.mu.Lock()
	silent := len(c.channels) == 0
	c.mu.Unlock()
	if silent {
		c.end()
	}
}

// end ends the client and its subscriptions. The carrier then tells the client that the client
// is unknown.
func (c *client) end() {
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return
	}
	c.ended = true
	channels, to := c.channels, c.carrier
	c.channels, c.carrier = nil, nil
	c.idle.Stop()
	c.mu.Unlock()
	if c.foreign != nil {
		c.foreign.Stop()
	}
	if to != nil {
		to.stop()
	}
	for _, sub := range channels {
		sub.Close()
	}
	c.server.forget(c)
}

// hasEnded reports whether the client has ended, and whether it disconnected by itself.
func (c *client) hasEnded() (ended, left bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended, c.left
}

// first reports whether this is the client's first connect. The first connect is answered at
// once, so that the client learns that the server knows the client.
func (c *client) first() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.connected
	c.connected = true
	return !was
}

// subscribe opens a channel that is not open yet. The carrier is told later, by [client.ring], so
// that the answer can go out before the channel's messages.
func (c *client) subscribe(ctx context.Context, channel string) (added bool, err error) {
	c.mu.Lock()
	_, there := c.channels[channel]
	many, ended := len(c.channels) >= c.server.config.MaxChannels, c.ended
	c.mu.Unlock()
	switch {
	case ended:
		return false, errUnknown
	case there:
		return false, nil
	case many:
		return false, &Refusal{403, "Too many subscriptions"}
	}
	sub := &subscription{dirty: true}
	changed := func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		sub.dirty = true
		if c.carrier != nil {
			c.carrier.ring()
		}
	}
	opened, err := c.server.config.Listen(ctx, c.name, channel, changed)
	if err != nil {
		return false, err
	}
	c.mu.Lock()
	_, there = c.channels[channel]
	if ended = c.ended; !ended && !there {
		sub.Subscription = opened
		c.channels[channel] = sub
		c.mu.Unlock()
		c.server.stats.subscriptions.Add(1)
		return true, nil
	}
	c.mu.Unlock()
	opened.Close()
	if ended {
		return false, errUnknown
	}
	return false, nil
}

// unsubscribe closes a channel, if it is open.
func (c *client) unsubscribe(channel string) {
	c.mu.Lock()
	sub := c.channels[channel]
	delete(c.channels, channel)
	c.mu.Unlock()
	if sub != nil {
		sub.Close()
	}
}

// fetch returns the unsent messages of one channel, or none if all channels are up to date. It
// ends the client if one of the subscriptions has ended. Only the carrier calls fetch.
func (c *client) fetch() (messages []json.RawMessage, err error) {
	for {
		channel, sub, ended := c.nextDirty()
		switch {
		case ended:
			return nil, errUnknown
		case sub == nil:
			return nil, nil
		}
		found, err := sub.Fetch()
		switch {
		case !c.has(channel, sub): // the client unsubscribed meanwhile
			continue
		case err != nil:
			c.end()
			return nil, errUnknown
		}
		for _, data := range found {
			messages = append(messages, wirejson.MustEncode(push{channel, data}))
		}
		if len(messages) > 0 {
			return messages, nil
		}
	}
}

// has reports whether a subscription is still the client's.
func (c *client) has(channel string, sub *subscription) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.channels[channel] == sub
}

// carriedBy reports whether a carrier is the client's.
func (c *client) carriedBy(by *carrier) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.carrier == by
}

// nextDirty returns a channel that may have something to fetch.
func (c *client) nextDirty() (channel string, sub *subscription, ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, s := range c.channels {
		if s.dirty {
			s.dirty = false
			return name, s, false
		}
	}
	return "", nil, c.ended
}

// wait returns messages for the client. If there are none it waits for some, for the given time at
// most. The error is errUnknown if the client has ended.
func (c *client) wait(ctx context.Context, by *carrier, within time.Duration) ([]json.RawMessage, error) {
	limit := time.NewTimer(within)
	defer limit.Stop()
	for {
		messages, err := c.fetch()
		if err != nil || len(messages) > 0 {
			return messages, err
		}
		select {
		case <-by.wake:
		case <-limit.C:
			return nil, nil
		case <-ctx.Done(): // another carrier took over, the client ended, or the connection broke
			if ended, _ := c.hasEnded(); ended {
				return nil, errUnknown
			}
			return nil, nil
		}
	}
}

// patience returns how long a connect waits for messages.
func (c *client) patience(m *message) time.Duration {
	within := c.server.config.Timeout
	if asked := m.Advice.Timeout; asked != nil && *asked >= 0 && *asked < float64(within.Milliseconds()) {
		within = time.Duration(*asked) * time.Millisecond
	}
	if c.first() {
		within = 0
	}
	return within
}

// connectedReply returns the answer to a connect that is over.
func (c *client) connectedReply(m *message) reply {
	ended, left := c.hasEnded()
	if !left && (ended || c.server.life.Err() != nil) {
		return m.unknown(c.server.bye())
	}
	r := m.answer()
	r.ClientID, r.Successful, r.Advice = c.id, true, c.server.retry()
	if left {
		r.Advice = &advice{Reconnect: "none"}
	}
	return r
}
