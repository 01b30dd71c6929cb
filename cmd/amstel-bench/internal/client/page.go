package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/timeline"
)

// maskKey is what frames of the socket loop are masked with. A key protects proxies
// that frames could mislead, and there is none here.
var maskKey = [4]byte{0x61, 0x6d, 0x73, 0x74}

// HomePath is a home's page.
const HomePath = "/"

// A loadedPage is a page as it was read, and what opens a socket for it.
type loadedPage struct {
	Page
	shown   pageJSON
	upgrade []byte
	sub     []byte // a frame
}

// LoadPages reads pages of a site, a few at a time.
func LoadPages(ctx context.Context, site string, pages []Page) error {
	_, err := loadPages(ctx, Order{Site: site, Pages: pages})
	return err
}

// loadPages reads the pages of an order, a few at a time.
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
		return nil, errors.New("it is not live")
	}
	d := &loadedPage{Page: page, shown: shown, upgrade: upgrade(strings.TrimPrefix(site, "http://"), page.Token)}
	have := make([]Entry, 0, len(shown.Entries))
	for _, e := range shown.Entries {
		have = append(have, Entry(e))
	}
	d.sub = subscribeFrame(d, shown.River.Epoch, shown.River.Counter, shown.River.Position, have)
	return d, nil
}

// An Entry is an entry that a page shows.
type Entry struct {
	ID  timeline.PostID `json:"id"`
	Tag string          `json:"tag"`
}

// subscribeFrame returns the frame that a page subscribes with.
func subscribeFrame(d *loadedPage, epoch string, counter, position int64, shows []Entry) []byte {
	have := make([][2]any, 0, len(shows))
	for _, e := range shows {
		have = append(have, [2]any{e.ID, e.Tag})
	}
	sub, _ := json.Marshal(map[string]any{ // strings and numbers can't fail
		"type": "sub", "river": d.shown.River.UUID, "page": d.Path, "epoch": epoch,
		"counter": counter, "position": position, "have": have, "as": realtime.AsHTML,
	})
	return masked(opText, sub, maskKey)
}

// pageJSON is what is read of a page as JSON.
type pageJSON struct {
	River struct {
		UUID     string `json:"uuid"`
		Epoch    string `json:"epoch"`
		Counter  int64  `json:"counter"`
		Position int64  `json:"position"`
		Live     bool   `json:"live"`
	} `json:"river"`
	Entries []struct {
		ID  timeline.PostID `json:"id"`
		Tag string          `json:"tag"`
	} `json:"entries"`
}

// readPage reads a page as JSON.
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
		return shown, fmt.Errorf("it answers %s", response.Status)
	}
	return shown, json.NewDecoder(response.Body).Decode(&shown)
}
