package client

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// A Request is a request for a page in one form.
type Request struct {
	Name, Path, Accept, Encoding string
}

// HTTP returns the request as a server gets it.
func (a Request) HTTP(ctx context.Context, address string) *http.Request {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, address+a.Path, nil)
	if err != nil {
		panic(err) // constants, and the address of a listener
	}
	q.RequestURI = a.Path
	q.RemoteAddr = "127.0.0.1:40000"
	q.Header.Set("Accept", a.Accept)
	q.Header.Set("Accept-Encoding", a.Encoding)
	return q
}

// text returns the request as a client writes it.
func (a Request) text(address string) string {
	return fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nAccept: %s\r\nAccept-Encoding: %s\r\n\r\n",
		a.Path, strings.TrimPrefix(address, "http://"), a.Accept, a.Encoding)
}
