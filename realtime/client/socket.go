package client

import (
	"bytes"
	"compress/flate"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/coder/websocket"
)

// subscribeInterval is the shortest time between two subs on one socket: the server closes a
// socket that sends more than two frames a second.
const subscribeInterval = 600 * time.Millisecond

// Dial opens a socket at an address. If the server refuses, Dial also returns the answer.
func Dial(ctx context.Context, address string, client *http.Client, header http.Header) (*websocket.Conn, *http.Response, error) {
	conn, answer, err := websocket.Dial(ctx, address, &websocket.DialOptions{
		HTTPClient: client, HTTPHeader: header, Subprotocols: []string{Subprotocol},
	})
	if err == nil {
		conn.SetReadLimit(-1)
	}
	return conn, answer, err
}

// Unpacked returns a message from the server as JSON. It inflates binary messages, which are deflated
// without a header.
func Unpacked(kind websocket.MessageType, message []byte) ([]byte, error) {
	if kind != websocket.MessageBinary {
		return message, nil
	}
	return io.ReadAll(flate.NewReader(bytes.NewReader(message)))
}

// Read waits for a socket's next message, and returns it as JSON.
func Read(ctx context.Context, conn *websocket.Conn) ([]byte, error) {
	kind, message, err := conn.Read(ctx)
	if err != nil {
		return nil, err
	}
	return Unpacked(kind, message)
}

// Follow keeps a page up to date over a socket until the socket ends or take fails. Sub
// returns the frame that the page subscribes with; take applies a frame, and reports
// whether the page has to subscribe again.
func Follow(ctx context.Context, conn *websocket.Conn, sub func() []byte, take func(frame []byte) (again bool, err error)) error {
	for {
		subscribed := time.Now()
		if err := conn.Write(ctx, websocket.MessageText, sub()); err != nil {
			return err
		}
		for again := false; !again; {
			frame, err := Read(ctx, conn)
			if err != nil {
				return err
			}
			if again, err = take(frame); err != nil {
				return err
			}
		}
		pause := time.NewTimer(subscribeInterval - time.Since(subscribed))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		}
	}
}
