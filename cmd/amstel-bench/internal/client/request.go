package client

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// A Request is a request for a page in one form. It is made by the member with the session, or by a
// visitor without an account if Session is empty.
type Request struct {
	Name, Path, Accept, Encoding, Session string
}

// cookie returns the value of the Cookie header that has the session.
func (a Request) cookie() string { return "amstel=" + a.Session }

// HTTP returns the request as a handler gets it.
func (a Request) HTTP(ctx context.Context, address string) *http.Request {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, address+a.Path, nil)
	if err != nil {
		panic(err) // impossible: the path is a constant, and the address that of a listener
	}
	q.RequestURI = a.Path
	q.RemoteAddr = "127.0.0.1:40000"
	q.Header.Set("Accept", a.Accept)
	q.Header.Set("Accept-Encoding", a.Encoding)
	if a.Session != "" {
		q.Header.Set("Cookie", a.cookie())
	}
	return q
}

// text returns the request as a client writes it to a connection.
func (a Request) text(address string) string {
	text := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nAccept: %s\r\nAccept-Encoding: %s\r\n",
		a.Path, strings.TrimPrefix(address, "http://"), a.Accept, a.Encoding)
	if a.Session != "" {
		text += "Cookie: " + a.cookie() + "\r\n"
	}
	return text + "\r\n"
}
