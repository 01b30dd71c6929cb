package web

import (
	"context"
	"errors"
	"strings"
	"time"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/realtime/faye"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// fayePath is the path of Mokum's realtime protocol.
const fayePath = "/faye"

// riverChannels begins the names of the channels of rivers.
const riverChannels = "/rivers/"

// Listen returns the function by which a server of Faye opens the channel /rivers/UUID. The client
// brings nothing but the uuid, which names the river and the session or token that opened the
// page. The client gets the changes that a socket of the session would get, as long as the session
// lasts and its viewer may open the page.
func (s *Server) Listen(live *realtime.Server) func(ctx context.Context, client, channel string, changed func()) (faye.Subscription, error) {
	return func(ctx context.Context, client, channel string, changed func()) (faye.Subscription, error) {
		began := time.Now()
		key, who, err := s.riverOfChannel(ctx, channel)
		if err != nil {
			return nil, err
		}
		l, err := live.Listen(ctx, realtime.Listening{Key: key, Credential: who.Hash, Expires: who.Expires, Began: began, Client: client}, changed)
		if err != nil {
			return nil, refusalOf(err)
		}
		return l, nil
	}
}

// riverOfChannel returns the river of a channel, and the holder of the session or token whose
// river it is; the zero Bearer for viewer 0.
func (s *Server) riverOfChannel(ctx context.Context, channel string) (key river.Key, who timeline.Bearer, err error) {
	uuid, ok := strings.CutPrefix(channel, riverChannels)
	if !ok {
		return key, who, faye.ErrUnknownChannel
	}
	holder, ok := s.rivers.Holder(uuid)
	if !ok {
		return key, who, faye.ErrUnknownChannel
	}
	if holder != (river.Holder{}) {
		who, err = s.store.Bearer(ctx, holder[:])
		if err != nil {
			return key, who, refusalOf(err)
		}
	}
	if key, ok = s.rivers.Named(uuid, who.User, who.Hash); !ok {
		return key, who, faye.ErrUnknownChannel
	}
	return key, who, nil
}

// refusalOf returns an error as a refusal, unless the error is temporary.
func refusalOf(err error) error {
	ended, _ := errors.AsType[*realtime.EndError](err)
	switch {
	case errors.Is(err, timeline.ErrUnauthorized), ended != nil && ended.Code == realtime.CodeSignedOut:
		return faye.ErrSignedOut
	case ended != nil && !ended.Temporary():
		return faye.ErrForbidden
	}
	return err
}
