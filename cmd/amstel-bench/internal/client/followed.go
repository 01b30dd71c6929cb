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
	// deepPage is as much of a page as can be asked for.
	deepPage = "?count=100"
	deepest  = 100
)

// FollowedPages are open pages that the measurement follows, each on its own socket.
type FollowedPages struct {
	Sockets *Sockets
	Site    string // of the site
	Pages   []Page // by the sockets' numbers
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
		return nil, fmt.Errorf("%d of %d pages are open after %v, %s", result.Open, len(f.Pages), calmWithin, result.Why)
	}
	result, err = f.Sockets.Do(Order{Do: doShown})
	if err == nil && len(result.Pages) != len(f.Pages) {
		err = fmt.Errorf("%d of %d pages tell what they show", len(result.Pages), len(f.Pages))
	}
	return result.Pages, err
}

// Compare compares each page with its river, as a request of now would return the river, and
// returns the states of the pages, and the names of pages that differ. A page that differs is
// compared again, because a frame may be on its way.
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

// rivers returns the entries of the pages' rivers.
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

// riverOf returns the entries of a page's river.
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

// leastShown is the smallest number of entries that a page may show: the number at its opening,
// less the deleted entries.
const leastShown = 15

// unlike returns a description of the first difference between a page and its river. The river
// goes on below the page's last entry.
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
			return fmt.Sprintf("shows post %d otherwise", e.ID)
		default:
			return fmt.Sprintf("shows post %d at place %d, where %d should be", e.ID, i, held[i].ID)
		}
	}
	return ""
}
