package preview

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/netip"
	"strings"
	"time"

	"amstel.dev/amstel/internal/fetch"
)

// The errors of addresses with nothing to show, and of those to which the server must not connect.
var (
	errNothing = fetch.ErrNothing
	errRefused = fetch.ErrRefused
)

// A fetcher reads pages and pictures of strangers.
type fetcher struct{ *fetch.Client }

// newFetcher returns a fetcher of a site. The fetcher may also connect to the permitted addresses.
func newFetcher(site string, permitted []netip.AddrPort) *fetcher {
	return &fetcher{fetch.New("link previews", site, permitted)}
}

// The limits of a page and of its picture: the time for each, with all redirects, and the bytes
// to read.
const (
	pageWithin    = 10 * time.Second
	pictureWithin = 10 * time.Second
	mostPage      = 1 << 20
	mostPicture   = 5 << 20
)

// page fetches a page, and returns the page's description of itself.
func (f *fetcher) page(ctx context.Context, address string) (said *said, err error) {
	ctx, cancel := context.WithTimeout(ctx, pageWithin)
	defer cancel()
	err = f.Get(ctx, fetch.Request{Address: address, Accept: "text/html", Most: mostPage}, func(a *fetch.Answer) error {
		given := a.Header.Get("Content-Type")
		if mediaType, _, err := mime.ParseMediaType(given); err != nil || mediaType != "text/html" {
			return fmt.Errorf("%w: the page is %q", errNothing, given)
		}
		var err error
		said, err = parse(a.At, given, a.Body)
		return err
	})
	return said, err
}

// picture fetches the bytes of a picture. If the picture is too large, it returns one byte more
// than allowed.
func (f *fetcher) picture(ctx context.Context, address string) (data []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, pictureWithin)
	defer cancel()
	err = f.Get(ctx, fetch.Request{Address: address, Accept: "image/avif,image/webp,image/*", Most: mostPicture + 1}, func(a *fetch.Answer) error {
		if given := a.Header.Get("Content-Type"); !strings.HasPrefix(given, "image/") {
			return fmt.Errorf("%w: the picture is %q", errNothing, given)
		}
		data, err = io.ReadAll(a.Body)
		return err
	})
	return data, err
}
