package main

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestSlowHeadersAreNotWaitedFor opens connections on which a request never comes
// to its end, as who wants to keep others out does, upgrades among them: they are
// closed, and a page is to be had meanwhile.
func TestSlowHeadersAreNotWaitedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as a header may")
	}
	t.Parallel()
	_, db := fresh(t)
	s := start(t, "serve", "--listen=127.0.0.1:0", "--data", t.TempDir(), db)
	host := strings.TrimPrefix(s.url, "http://")
	var open []net.Conn
	for _, half := range []string{
		"", "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: " + host + "\r\nX-A: b\r\n",
		"GET /live HTTP/1.1\r\nHost: " + host + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
		"POST /users/sign_in HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 10\r\n",
	} {
		for range 20 {
			conn, err := net.Dial("tcp", host)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			if _, err := io.WriteString(conn, half); err != nil {
				t.Fatal(err)
			}
			open = append(open, conn)
		}
	}
	if status, _ := get(t, http.DefaultClient, s.url+"/"); status != 200 {
		t.Errorf("meanwhile a page is answered with %d", status)
	}
	deadline := time.Now().Add(headerWithin + time.Minute) // the machine may be slow
	for i, conn := range open {
		if err := conn.SetReadDeadline(deadline); err != nil {
			t.Fatal(err)
		}
		_, err := io.Copy(io.Discard, conn)
		if timeout, is := err.(net.Error); is && timeout.Timeout() {
			t.Fatalf("connection %d is still waited for", i)
		}
	}
}

// TestSlowBodiesAreNotWaitedFor: a server of ours has limits for bodies and for
// answers that nobody reads; what they are, hastened, ends both.
func TestSlowBodiesAreNotWaitedFor(t *testing.T) {
	t.Parallel()
	read := make(chan error, 1)
	server := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil || r.Method == http.MethodPost {
			read <- err
			return
		}
		large := make([]byte, 1<<20)
		for {
			if _, err := w.Write(large); err != nil {
				read <- err
				return
			}
		}
	}))
	if server.ReadTimeout <= 0 || server.ReadTimeout > time.Minute || server.WriteTimeout <= 0 || server.WriteTimeout > 2*time.Minute {
		t.Fatalf("a request may take %v, and its answer %v", server.ReadTimeout, server.WriteTimeout)
	}
	server.ReadTimeout, server.WriteTimeout = server.ReadTimeout/100, server.WriteTimeout/100
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Close()
		if err := <-ended; err != http.ErrServerClosed {
			t.Error(err)
		}
	})
	for _, request := range []string{
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc",
		"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
		"GET / HTTP/1.1\r\nHost: a\r\n\r\n", // and nobody reads
	} {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-read:
			if err == nil {
				t.Errorf("%q came to its end", request)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%q is still waited for", request)
		}
	}
}
