package bench

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

// maskKey is what frames of the swarm are masked with; who could be misled by
// a key that is known is not here.
var maskKey = [4]byte{0x61, 0x6d, 0x73, 0x74}

// A door is a page as it was read, and what opens a socket for it.
type door struct {
	openPage
	shown   shownPage
	upgrade []byte
	sub     []byte // a frame
}

// doors reads the pages of an order, a few at a time.
func doors(ctx context.Context, o order) ([]*door, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: openAtOnce}}
	defer client.CloseIdleConnections()
	all := make([]*door, len(o.Pages))
	group, inGroup := errgroup.WithContext(ctx)
	group.SetLimit(openAtOnce)
	for i, page := range o.Pages {
		group.Go(func() error {
			d, err := readDoor(inGroup, client, o.Site, page)
			if err != nil {
				return fmt.Errorf("page %d, %s: %w", i, page.Path, err)
			}
			all[i] = d
			return nil
		})
	}
	return all, group.Wait()
}

func readDoor(ctx context.Context, client *http.Client, site string, page openPage) (*door, error) {
	header := http.Header{}
	if page.Token != "" {
		header.Set("X-API-Token", page.Token)
	}
	shown, err := read(ctx, client, site, page.Path, header)
	if err != nil {
		return nil, err
	}
	if !shown.River.Live {
		return nil, errors.New("it is not live")
	}
	d := &door{openPage: page, shown: shown, upgrade: upgrade(strings.TrimPrefix(site, "http://"), page.Token)}
	have := make([]heldEntry, 0, len(shown.Entries))
	for _, e := range shown.Entries {
		have = append(have, heldEntry(e))
	}
	d.sub = subscription(d, shown.River.Epoch, shown.River.Counter, shown.River.Position, have)
	return d, nil
}

// A heldEntry is an entry that a page shows.
type heldEntry struct {
	ID  timeline.PostID `json:"id"`
	Tag string          `json:"tag"`
}

// subscription is the frame with which a page that stands there says what it
// shows.
func subscription(d *door, epoch string, counter, position int64, shows []heldEntry) []byte {
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
