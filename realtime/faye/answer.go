package faye

import (
	"context"
	"errors"
	"slices"
)

// A conversation is the messages of one request, or of one WebSocket.
type conversation struct {
	server *Server
	name   string // the name under which its clients are counted
}

// An answered is the result of some messages: their answers, and the connect that has to wait.
type answered struct {
	replies []reply
	clients []*client // that were named, each once
	connect *message  // nil: none
	by      *client   // the client that connects
}

// answer answers messages, except a connect in order, which the caller answers. Of several
// connects the last counts. If answer returns an error, nothing was answered, and the client may
// try again.
func (on *conversation) answer(ctx context.Context, all []message, connection func(*message) bool) (a answered, err error) {
	for i := range all {
		m := &all[i]
		if m.Channel == metaHandshake {
			a.replies = append(a.replies, on.server.handshake(m))
			continue
		}
		r, c, err := on.answerOne(ctx, m, connection)
		if err != nil {
			return a, err
		}
		if c != nil && !slices.Contains(a.clients, c) {
			a.clients = append(a.clients, c)
		}
		if r == nil {
			if a.connect != nil {
				a.replies = append(a.replies, a.by.connectedReply(a.connect))
			}
			a.connect, a.by = m, c
			continue
		}
		a.replies = append(a.replies, *r)
	}
	return a, nil
}

// answerOne answers a message other than a handshake. It returns no reply to a valid connect.
func (on *conversation) answerOne(ctx context.Context, m *message, connection func(*message) bool) (*reply, *client, error) {
	if r := checkMeta(m); r != nil {
		return r, nil, nil
	}
	c, err := on.server.find(m.ClientID, on.name)
	if errors.Is(err, errUnknown) {
		r := m.unknown(on.server.bye())
		return &r, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if ended, _ := c.hasEnded(); ended {
		r := m.unknown(on.server.bye())
		return &r, nil, nil
	}
	c.touch()
	r := m.answer()
	r.ClientID, r.Successful = c.id, true
	switch m.Channel {
	case metaConnect:
		if !connection(m) {
			r := m.refused(301, m.ConnectionType, "Connection types not supported")
			return &r, c, nil
		}
		return nil, c, nil
	case metaDisconnect:
		c.mu.Lock()
		c.left = true
		c.mu.Unlock()
		c.end()
	case metaSubscribe, metaUnsubscribe:
		r.Subscription = m.Subscription
		if err := on.changeSubscriptions(ctx, m, c); err != nil {
			refused, ok := errors.AsType[*channelError](err)
			switch {
			case errors.Is(err, errUnknown):
				r = m.unknown(on.server.bye())
				return &r, nil, nil
			case !ok:
				return nil, nil, err
			}
			r = m.refused(refused.Code, refused.channel, refused.Words)
			r.ClientID, r.Subscription = c.id, m.Subscription
			if refused.Code == 401 || refused.Code == 403 {
				r.AuthSuccessful = new(bool)
			}
		}
	}
	return &r, c, nil
}

// checkMeta returns the refusal of a message that clients may not send, or that lacks a field; nil
// for a message to be answered.
func checkMeta(m *message) *reply {
	refused := func(r reply) *reply { return &r }
	switch m.Channel {
	case metaConnect, metaSubscribe, metaUnsubscribe, metaDisconnect:
	case "":
		return refused(m.missing("channel"))
	default:
		code, words := checkChannel(m.Channel)
		if code == 0 { // clients may not publish
			code, words = 403, "Forbidden channel"
		}
		return refused(m.refused(code, m.Channel, words))
	}
	switch {
	case m.ClientID == "":
		return refused(m.missing("clientId"))
	case m.Channel == metaConnect && m.ConnectionType == "":
		return refused(m.missing("connectionType"))
	}
	if m.Channel == metaSubscribe || m.Channel == metaUnsubscribe {
		if _, ok := m.channels(); !ok {
			return refused(m.missing("subscription"))
		}
	}
	return nil
}

// A channelError is the Refusal of one of a message's channels.
type channelError struct {
	*Refusal
	channel string
}

// changeSubscriptions subscribes a client to the channels of a message, or ends its subscriptions. All of
// them count, or none.
func (on *conversation) changeSubscriptions(ctx context.Context, m *message, c *client) error {
	channels, _ := m.channels()
	for _, channel := range channels {
		if code, words := checkChannel(channel); code != 0 {
			return &channelError{&Refusal{code, words}, channel}
		}
	}
	if m.Channel == metaUnsubscribe {
		for _, channel := range channels {
			c.unsubscribe(channel)
		}
		return nil
	}
	var added []string
	for _, channel := range channels {
		is, err := c.subscribe(ctx, channel)
		if err != nil {
			for _, channel := range added {
				c.unsubscribe(channel)
			}
			if refused, ok := errors.AsType[*Refusal](err); ok {
				return &channelError{refused, channel}
			}
			return err
		}
		if is {
			added = append(added, channel)
		}
	}
	return nil
}
