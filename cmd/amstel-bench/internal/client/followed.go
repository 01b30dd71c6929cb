package client

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// calmFor is the silence after which the pages count as calm. calmWithin is the longest
	// wait for such a silence.
	calmFor    = 300 * time.Millisecond
	calmWithin = 30 * time.Second
	// deepPage requests as many entries as a page may have: deepest.
	deepPage = "?count=100"
	deepest  = 100
)

// FollowedPages are open pages that the measurement follows, each on its own socket.
type FollowedPages struct {
	Sockets *Sockets
	Site    string // the site's address
	Pages   []Page // the page with index i is open on the socket with number i
}

// Open opens the pages.
func (f *FollowedPages) Open(pages []Page) error {
	f.Pages = pages
	return f.Sockets.Follow(f.Site, pages)
}

// WaitCalm waits until no frame arrives any more, and returns the state of each page then.
func (f *FollowedPages) WaitCalm() ([]PageState, error) {
	result, err := f.Sockets.Do(Order{Do: doCalm, Calm: calmFor, Within: calmWithin})
	if err != nil {
		return nil, err
	}
	if result.Open != len(f.Pages) {
		return nil, fmt.Errorf("%d of %d pages are open after %v: %s", result.Open, len(f.Pages), calmWithin, result.Why)
	}
	result, err = f.Sockets.Do(Order{Do: doShown})
	if err == nil && len(result.Pages) != len(f.Pages) {
		err = fmt.Errorf("%d of %d pages reported what they show", len(result.Pages), len(f.Pages))
	}
	return result.Pages, err
}

// Compare compares each page with what a new request for the page returns. It returns the states of
// all pages, and for each page that differs a description of the difference. While any page differs,
// it compares again for up to lastFrameWithin, because a frame may be on its way.
func (f *FollowedPages) Compare(ctx context.Context) (shown []PageState, unequal []string, err error) {
	for until := time.Now().Add(lastFrameWithin); ; {
		rivers, err := f.rivers(ctx)
		if err != nil {
			return nil, nil, err
		}
		if shown, err = f.WaitCalm(); err != nil {
			return nil, nil, err
		}
		unequal = nil
		for i, p := range shown {
			if fault := unlike(p, rivers[i]); fault != "" {
				unequal = append(unequal, fmt.Sprintf("page %d, %s, %s", i, f.Pages[i].Path, fault))
			}
		}
		if len(unequal) == 0 || time.Now().After(until) {
			return shown, unequal, nil
		}
	}
}

// rivers requests each page anew, and returns the entries, in the order of the pages. Equal pages that
// follow each other are requested once.
func (f *FollowedPages) rivers(ctx context.Context) ([][]Entry, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: OpenAtOnce}}
	defer client.CloseIdleConnections()
	rivers := make([][]Entry, len(f.Pages))
	group, inGroup := errgroup.WithContext(ctx)
	group.SetLimit(OpenAtOnce)
	same := func(i int) bool { return i > 0 && f.Pages[i] == f.Pages[i-1] }
	for i, p := range f.Pages {
		if !same(i) {
			group.Go(func() (err error) {
				rivers[i], err = riverOf(inGroup, client, f.Site, p)
				return err
			})
		}
	}
	err := group.Wait()
	for i := range rivers {
		if same(i) {
			rivers[i] = rivers[i-1]
		}
	}
	return rivers, err
}

// riverOf requests a page anew, and returns its first 100 entries.
func riverOf(ctx context.Context, client *http.Client, site string, p Page) ([]Entry, error) {
	header := http.Header{}
	if p.Token != "" {
		header.Set("X-API-Token", p.Token)
	}
	shown, err := readPage(ctx, client, site, p.Path+deepPage, header)
	if err != nil {
		return nil, err
	}
	return shown.Entries, nil
}

// leastShown is the smallest number of entries that a page may show, if its river has as many. A page
// opens with 25 entries, and loses one when a measurement deletes a post.
const leastShown = 15

// unlike describes the first difference between what a page shows and what its river holds; "" if
// there is none. The river may have more entries below the page's last entry.
func unlike(p PageState, held []Entry) string {
	switch {
	case p.Wrong != "":
		return p.Wrong
	case len(p.Shown) < min(leastShown, len(held)):
		return fmt.Sprintf("shows %d entries of %d", len(p.Shown), len(held))
	case len(p.Shown) > len(held) && len(held) < deepest:
		return fmt.Sprintf("shows %d entries, its river has %d", len(p.Shown), len(held))
	}
	for i, e := range p.Shown[:min(len(p.Shown), len(held))] {
		switch {
		case e == held[i]:
		case e.ID == held[i].ID:
			return fmt.Sprintf("shows another version of post %d", e.ID)
		default:
			return fmt.Sprintf("shows post %d at place %d, where %d should be", e.ID, i, held[i].ID)
		}
	}
	return ""
}
