package preview

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
)

// errNothing marks addresses with nothing to show, now and later: another try would have the
// same result.
var errNothing = errors.New("there is nothing to show")

// errRefused is the [errNothing] of addresses to which the server must not connect.
var errRefused = fmt.Errorf("%w: the server must not connect there", errNothing)

// mostRedirects is how often an address may lead to another.
const mostRedirects = 5

// A fetcher reads pages and pictures of strangers. It connects to public addresses only, on the
// ports of http and https, and tells servers nothing but its name: it keeps no cookies, and
// sends no referrer and no password. A fetcher has one connection to a host at a time.
type fetcher struct {
	agent     string
	transport *http.Transport

	mu   sync.Mutex
	busy map[string]chan struct{} // closed when the host is free again
}

// newFetcher returns a fetcher with the name agent. It may also connect to the permitted
// addresses.
func newFetcher(agent string, permitted []netip.AddrPort) *fetcher {
	guard := ssrf.New()
	dialer := &net.Dialer{Control: func(network, address string, _ syscall.RawConn) error {
		// address is the resolved address to which the kernel is about to connect: a second
		// answer of the name server can't change it.
		if to, err := netip.ParseAddrPort(address); err == nil && slices.Contains(permitted, to) {
			return nil
		}
		if err := guard.Safe(network, address, nil); err != nil {
			return fmt.Errorf("%w: %w", errRefused, err)
		}
		return nil
	}}
	return &fetcher{
		agent: agent,
		busy:  make(map[string]chan struct{}),
		transport: &http.Transport{ // without a Proxy, also of the environment
			DialContext:            dialer.DialContext,
			DisableKeepAlives:      true,
			MaxResponseHeaderBytes: 64 << 10,
		},
	}
}

// get fetches an address, follows its redirects, and calls read with the final address, the
// answer, and at most most bytes of its body, decompressed.
func (f *fetcher) get(ctx context.Context, address, mediaTypes string, most int64, read func(*url.URL, *http.Response, io.Reader) error) error {
	at, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("%w: %w", errNothing, err)
	}
	for range mostRedirects + 1 {
		next, err := f.once(ctx, at, mediaTypes, most, read)
		if err != nil || next == nil {
			return err
		}
		at = next
	}
	return fmt.Errorf("%w: it leads on more than %d times", errNothing, mostRedirects)
}

// once fetches an address. It returns the next address instead if the answer is a redirect.
func (f *fetcher) once(ctx context.Context, at *url.URL, mediaTypes string, most int64, read func(*url.URL, *http.Response, io.Reader) error) (next *url.URL, err error) {
	if at.Scheme != "http" && at.Scheme != "https" || at.User != nil || at.Hostname() == "" {
		return nil, fmt.Errorf("%w: %s", errRefused, at.Redacted())
	}
	leave, err := f.enter(ctx, at.Host)
	if err != nil {
		return nil, err
	}
	defer leave()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNothing, err)
	}
	r.Header.Set("User-Agent", f.agent)
	r.Header.Set("Accept", mediaTypes)
	// Use the transport without a client, which has rules of its own for redirects, referrers
	// and passwords. The transport decompresses gzip.
	answer, err := f.transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	switch code := answer.StatusCode; {
	case code == http.StatusOK:
		return nil, read(at, answer, io.LimitReader(answer.Body, most))
	case code == http.StatusMovedPermanently, code == http.StatusFound, code == http.StatusSeeOther,
		code == http.StatusTemporaryRedirect, code == http.StatusPermanentRedirect:
		if next, err = at.Parse(answer.Header.Get("Location")); err != nil {
			return nil, fmt.Errorf("%w: %w", errNothing, err)
		}
		return next, nil
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500:
		return nil, errors.New("the server answers " + answer.Status)
	}
	return nil, fmt.Errorf("%w: the server answers %s", errNothing, answer.Status)
}

// enter waits until no other request to a host is under way. The caller calls leave after its own.
func (f *fetcher) enter(ctx context.Context, host string) (leave func(), err error) {
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

// The limits of a page and of its picture: the time for each, with all redirects, and the bytes
// to read.
const (
	pageWithin    = 10 * time.Second
	pictureWithin = 10 * time.Second
	mostPage      = 1 << 20
	mostPicture   = 5 << 20
)

// page fetches a page, and returns what the page says of itself.
func (f *fetcher) page(ctx context.Context, address string) (said *said, err error) {
	ctx, cancel := context.WithTimeout(ctx, pageWithin)
	defer cancel()
	err = f.get(ctx, address, "text/html", mostPage, func(at *url.URL, answer *http.Response, body io.Reader) error {
		given := answer.Header.Get("Content-Type")
		if mediaType, _, err := mime.ParseMediaType(given); err != nil || mediaType != "text/html" {
			return fmt.Errorf("%w: the page is %q", errNothing, given)
		}
		var err error
		said, err = parse(at, given, body)
		return err
	})
	return said, err
}

// picture fetches the bytes of a picture. If the picture is too large, it returns one byte more
// than allowed.
func (f *fetcher) picture(ctx context.Context, address string) (data []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, pictureWithin)
	defer cancel()
	err = f.get(ctx, address, "image/avif,image/webp,image/*", mostPicture+1, func(_ *url.URL, answer *http.Response, body io.Reader) error {
		if given := answer.Header.Get("Content-Type"); !strings.HasPrefix(given, "image/") {
			return fmt.Errorf("%w: the picture is %q", errNothing, given)
		}
		data, err = io.ReadAll(body)
		return err
	})
	return data, err
}
