// Package fetch fetches pages, pictures and feeds from servers of strangers.
//
// Each person can make this server fetch any address, by a post or by an intake, so the package
// trusts nothing: it connects to public addresses only, and bounds bytes, redirects and
// connections. The caller bounds the time, by the context.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
)

// ErrNothing marks addresses that have nothing to read, now and later: another try would have the
// same result.
var ErrNothing = errors.New("there is nothing to read")

// ErrRefused is the [ErrNothing] of addresses to which the server must not connect.
var ErrRefused = fmt.Errorf("%w: the server must not connect there", ErrNothing)

// A StatusError is an answer that is neither a document nor a redirect. It is an [ErrNothing],
// except for statuses after which another try may help.
type StatusError struct {
	Code   int
	Status string        // like "404 Not Found"
	After  time.Duration // how long the server asks to wait before the next try; 0: it does not ask
}

func (e *StatusError) Error() string { return "the server answers " + e.Status }

// Is reports whether target is [ErrNothing], and the status lasts.
func (e *StatusError) Is(target error) bool {
	return target == ErrNothing && e.Code != http.StatusTooManyRequests && e.Code != http.StatusRequestTimeout && e.Code < 500
}

// mostRedirects is how often an address may lead to another.
const mostRedirects = 5

// A Client fetches documents of strangers. It connects to public addresses only, on the ports of
// http and https, and tells servers nothing but its name: it keeps no cookies, and sends no
// referrer and no password. A Client has one connection to a host at a time.
type Client struct {
	agent     string
	transport *http.Transport

	mu   sync.Mutex
	busy map[string]chan struct{} // closed when the host is free again
}

// New returns a Client whose User-Agent names the purpose of its requests, and the public address
// of the site if there is one. The Client may also connect to the permitted addresses, which are
// those of servers of tests.
func New(purpose, site string, permitted []netip.AddrPort) *Client {
	agent := "Amstel (" + purpose + ")"
	if site != "" {
		agent = "Amstel (" + purpose + "; " + site + ")"
	}
	return &Client{
		agent: agent,
		busy:  make(map[string]chan struct{}),
		transport: &http.Transport{ // without a Proxy, also of the environment
			DialContext:            Dialer(permitted).DialContext,
			DisableKeepAlives:      true,
			MaxResponseHeaderBytes: 64 << 10,
		},
	}
}

// Dialer returns a dialer that connects to public addresses only, on the ports of http and https, and to the permitted addresses.
// Other connections fail with [ErrRefused].
func Dialer(permitted []netip.AddrPort) *net.Dialer {
	guard := ssrf.New()
	return &net.Dialer{Control: func(network, address string, _ syscall.RawConn) error {
		// address is the resolved address to which the kernel is about to connect: a second
		// answer of the name server can't change it.
		if to, err := netip.ParseAddrPort(address); err == nil && slices.Contains(permitted, to) {
			return nil
		}
		if err := guard.Safe(network, address, nil); err != nil {
			return fmt.Errorf("%w: %w", ErrRefused, err)
		}
		return nil
	}}
}

// A Request describes a document to fetch.
type Request struct {
	Address  string
	Accept   string // the media types that the caller can read
	Most     int64  // how many bytes of the body to read, decompressed
	ETag     string // of the last answer; empty: none
	Modified string // the Last-Modified of the last answer; empty: none
}

// An Answer is a document. If the Request had an ETag or Modified, Status may be 304: the document
// has not changed, and Body is empty.
type Answer struct {
	Status int
	Header http.Header
	Body   io.Reader // at most [Request.Most] bytes, decompressed
	At     *url.URL  // where the document is, after all redirects
	Moved  *url.URL  // where the document is for good, after redirects that last (301, 308); nil: at the address of the Request
}

// Get fetches an address, follows its redirects, and calls read with the answer.
func (f *Client) Get(ctx context.Context, r Request, read func(*Answer) error) error {
	at, err := url.Parse(r.Address)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNothing, err)
	}
	answer, lasting := &Answer{}, true
	for range mostRedirects + 1 {
		answer.At = at
		next, code, err := f.once(ctx, at, r, answer, read)
		if err != nil || next == nil {
			return err
		}
		at = next
		if lasting = lasting && (code == http.StatusMovedPermanently || code == http.StatusPermanentRedirect); lasting {
			answer.Moved = at
		}
	}
	return fmt.Errorf("%w: it leads on more than %d times", ErrNothing, mostRedirects)
}

// once fetches an address. It returns the next address and the status instead if the answer is a
// redirect.
func (f *Client) once(ctx context.Context, at *url.URL, asked Request, a *Answer, read func(*Answer) error) (next *url.URL, code int, err error) {
	if at.Scheme != "http" && at.Scheme != "https" || at.User != nil || at.Hostname() == "" {
		return nil, 0, fmt.Errorf("%w: scheme %q, host %q", ErrRefused, at.Scheme, at.Hostname()) // the rest may be a secret
	}
	leave, err := f.enter(ctx, at.Host)
	if err != nil {
		return nil, 0, err
	}
	defer leave()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", ErrNothing, err)
	}
	r.Header.Set("User-Agent", f.agent)
	r.Header.Set("Accept", asked.Accept)
	if asked.ETag != "" {
		r.Header.Set("If-None-Match", asked.ETag)
	}
	if asked.Modified != "" {
		r.Header.Set("If-Modified-Since", asked.Modified)
	}
	// Use the transport without a client, which has rules of its own for redirects, referrers
	// and passwords. The transport decompresses gzip.
	answer, err := f.transport.RoundTrip(r)
	if err != nil {
		return nil, 0, err
	}
	defer answer.Body.Close()
	a.Status, a.Header = answer.StatusCode, answer.Header
	switch code := answer.StatusCode; {
	case code == http.StatusOK, code == http.StatusNotModified && asked.ETag+asked.Modified != "":
		a.Body = io.LimitReader(answer.Body, asked.Most)
		return nil, code, read(a)
	case code == http.StatusMovedPermanently, code == http.StatusFound, code == http.StatusSeeOther,
		code == http.StatusTemporaryRedirect, code == http.StatusPermanentRedirect:
		if next, err = at.Parse(answer.Header.Get("Location")); err != nil {
			return nil, 0, fmt.Errorf("%w: %w", ErrNothing, err)
		}
		return next, code, nil
	}
	return nil, 0, &StatusError{Code: answer.StatusCode, Status: answer.Status, After: RetryAfter(answer.Header)}
}

// RetryAfter returns the time of a Retry-After header, in seconds or as a date (RFC 9110, 10.2.3);
// 0 if there is none.
func RetryAfter(h http.Header) time.Duration {
	given := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(given, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(given); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}

// enter waits until no other request to a host is under way. The caller calls leave when its own
// request is over.
func (f *Client) enter(ctx context.Context, host string) (leave func(), err error) {
	for {
		f.mu.Lock()
		others, busy := f.busy[host]
		if !busy {
			mine := make(chan struct{})
			f.busy[host] = mine
			f.mu.Unlock()
			return func() {
				f.mu.Lock()
				delete(f.busy, host)
				f.mu.Unlock()
				close(mine)
			}, nil
		}
		f.mu.Unlock()
		select {
		case <-others:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
