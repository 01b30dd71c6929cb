package node

import (
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// TestSlowBodiesAreNotWaitedFor: a server limits the wait for slow bodies, and for clients that
// do not read their answers. The test lowers the limits.
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
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	for _, request := range []string{
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc",
		"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
		"GET / HTTP/1.1\r\nHost: a\r\n\r\n", // and the client does not read
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
