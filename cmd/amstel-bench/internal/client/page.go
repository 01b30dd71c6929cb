package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/timeline"
)

// maskKey masks the frames of the socket loop. RFC 6455 asks for a random key, to protect proxies from
// frames that look like requests; here is no proxy in between.
var maskKey = [4]byte{0x61, 0x6d, 0x73, 0x74}

// HomePath is the path of the page that shows the viewer's home.
const HomePath = "/"

// A Page is a page to open on one or more sockets.
type Page struct {
	Path  string
	Token string // the viewer's token; empty: the viewer is not signed in
	Times int    // how many sockets open the page; 0: one
}

const (
	// OpenAtOnce is how many pages are requested at a time.
	OpenAtOnce = 8
	// frameLimit is the largest frame that a client reads, in bytes.
	frameLimit = 4 << 20
)

// A loadedPage is a page with what it showed when it was loaded, and with the bytes to send on its
// socket.
type loadedPage struct {
	Page
	shown   pageJSON
	upgrade []byte // the HTTP request that opens the socket
	sub     []byte // the frame that subscribes to the page's river
}

// LoadPages requests pages of a site, a few at a time, and throws the answers away. Afterwards the
// rivers of the pages live.
func LoadPages(ctx context.Context, site string, pages []Page) error {
	_, err := loadPages(ctx, Order{Site: site, Pages: pages})
	return err
}

// loadPages requests the pages of an order, a few at a time.
func loadPages(ctx context.Context, o Order) ([]*loadedPage, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: OpenAtOnce}}
	defer client.CloseIdleConnections()
	all := make([]*loadedPage, len(o.Pages))
	group, inGroup := errgroup.WithContext(ctx)
	group.SetLimit(OpenAtOnce)
	for i, page := range o.Pages {
		group.Go(func() error {
			d, err := loadPage(inGroup, client, o.Site, page)
			if err != nil {
				return fmt.Errorf("page %d, %s: %w", i, page.Path, err)
			}
			all[i] = d
			return nil
		})
	}
	return all, group.Wait()
}

func loadPage(ctx context.Context, client *http.Client, site string, page Page) (*loadedPage, error) {
	header := http.Header{}
	if page.Token != "" {
		header.Set("X-API-Token", page.Token)
	}
	shown, err := readPage(ctx, client, site, page.Path, header)
	if err != nil {
		return nil, err
	}
	if !shown.River.Live {
		return nil, errors.New("the page is not live")
	}
	d := &loadedPage{Page: page, shown: shown, upgrade: upgrade(strings.TrimPrefix(site, "http://"), page.Token)}
	d.sub = newFollowedPage(d).sub()
	return d, nil
}

// An Entry is an entry that a page shows.
type Entry struct {
	ID  timeline.PostID `json:"id"`
	Tag string          `json:"tag"`
}

// pageJSON holds the parts of a page's JSON that a client reads.
type pageJSON struct {
	River struct {
		UUID     string `json:"uuid"`
		Epoch    string `json:"epoch"`
		Counter  int64  `json:"counter"`
		Position int64  `json:"position"`
		Live     bool   `json:"live"`
	} `json:"river"`
	Entries []Entry `json:"entries"`
}

// readPage requests a page as JSON.
func readPage(ctx context.Context, client *http.Client, site, path string, header http.Header) (shown pageJSON, err error) {
	path, query, asks := strings.Cut(path, "?")
	form := path + ".json"
	if path == HomePath {
		form = "/index.json"
	}
	if asks {
		form += "?" + query
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, site+form, nil)
	if err != nil {
		return shown, err
	}
	request.Header = header.Clone()
	response, err := client.Do(request)
	if err != nil {
		return shown, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return shown, fmt.Errorf("the site answers %s", response.Status)
	}
	return shown, json.NewDecoder(response.Body).Decode(&shown)
}
