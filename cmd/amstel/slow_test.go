package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestSlowHeadersAreNotWaitedFor sends parts of requests and of upgrades, as an attacker does,
// and never the rest. The server closes the connections, and other clients get pages meanwhile.
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
		t.Errorf("a page is answered %d meanwhile", status)
	}
	deadline := time.Now().Add(2 * time.Minute) // far more than a header may take, as the machine may be slow
	for i, conn := range open {
		if err := conn.SetReadDeadline(deadline); err != nil {
			t.Fatal(err)
		}
		_, err := io.Copy(io.Discard, conn)
		if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
			t.Fatalf("connection %d is still open", i)
		}
	}
}
