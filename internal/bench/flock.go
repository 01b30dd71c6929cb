package bench

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// calmFor is the silence after which all is said to be over, and calmWithin
	// what it is given up after.
	calmFor    = 300 * time.Millisecond
	calmWithin = 30 * time.Second
	// deepPage is as much of a page as can be asked for.
	deepPage = "?count=100"
	deepest  = 100
)

// A flock is pages that are followed, each on a socket of a swarm.
type flock struct {
	swarm   *remote
	address string     // of the site
	pages   []openPage // by the sockets' numbers
}

// open opens the pages.
func (f *flock) open(pages []openPage) error {
	f.pages = pages
	return f.swarm.follow(f.address, pages)
}

// calm waits until nothing happens any more, and answers what pages show then.
func (f *flock) calm() ([]pageShown, error) {
	result, err := f.swarm.do(order{Do: doCalm, Calm: calmFor, Within: calmWithin})
	if err != nil {
		return nil, err
	}
	if result.Open != len(f.pages) {
		return nil, fmt.Errorf("%d of %d pages are open after %v, %s", result.Open, len(f.pages), calmWithin, result.Why)
	}
	result, err = f.swarm.do(order{Do: doShown})
	if err == nil && len(result.Pages) != len(f.pages) {
		err = fmt.Errorf("%d of %d pages tell what they show", len(result.Pages), len(f.pages))
	}
	return result.Pages, err
}

// compare holds each page against its river, as somebody sees it who asks for it
// now, and answers what they show and which are not as they should be. Such a page
// is looked at again, for it may be told yet.
func (f *flock) compare(ctx context.Context) (shown []pageShown, unequal []string, err error) {
	for until := time.Now().Add(lastFrameWithin); ; {
		rivers, err := f.rivers(ctx)
		if err != nil {
			return nil, nil, err
		}
		if shown, err = f.calm(); err != nil {
			return nil, nil, err
		}
		unequal = nil
		for i, p := range shown {
			if fault := differs(p, rivers[i]); fault != "" {
				unequal = append(unequal, fmt.Sprintf("page %d, %s, %s", i, f.pages[i].Path, fault))
			}
		}
		if len(unequal) == 0 || time.Now().After(until) {
			return shown, unequal, nil
		}
	}
}

// rivers are what the pages' rivers have.
func (f *flock) rivers(ctx context.Context) ([][]heldEntry, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: openAtOnce}}
	defer client.CloseIdleConnections()
	rivers := make([][]heldEntry, len(f.pages))
	group, inGroup := errgroup.WithContext(ctx)
	group.SetLimit(openAtOnce)
	same := func(i int) bool { return i > 0 && f.pages[i] == f.pages[i-1] }
	for i, p := range f.pages {
		if !same(i) {
			group.Go(func() (err error) {
				rivers[i], err = riverOf(inGroup, client, f.address, p)
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

// riverOf is what a page's river has.
func riverOf(ctx context.Context, client *http.Client, site string, p openPage) ([]heldEntry, error) {
	header := http.Header{}
	if p.Token != "" {
		header.Set("X-API-Token", p.Token)
	}
	shown, err := read(ctx, client, site, p.Path+deepPage, header)
	if err != nil {
		return nil, err
	}
	all := make([]heldEntry, 0, len(shown.Entries))
	for _, e := range shown.Entries {
		all = append(all, heldEntry(e))
	}
	return all, nil
}

// leastShown is how many entries a page has at least: those it was opened with,
// less those deleted.
const leastShown = 15

// differs says how a page is not its river, which goes on below it.
func differs(p pageShown, held []heldEntry) string {
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
