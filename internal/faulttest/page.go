package faulttest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/internal/liveclient"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/timeline"
)

// A Page is an open page. When it is cut it reconnects as the protocol demands: it tries
// after random delays, goes to any node that answers, and resumes from the state it has.
type Page struct {
	scenario *Scenario
	Viewer   timeline.UserID
	Path     string // of its JSON
	token    string
	rnd      *rand.Rand

	stop context.CancelFunc
	done chan struct{}

	mu          sync.Mutex
	page        *liveclient.Page // nil: it may not be opened just now
	raw         map[timeline.PostID]string
	node        string // where it is connected, or was last
	whole       bool   // it had the river to its end, when it was last made anew
	refusedWith string // what the page was refused with
	secrets     map[string]bool
	faults      []string
	behind      bool
	stats       PageStats
	conn        *websocket.Conn
	asleep      chan struct{} // closed when it wakes; nil: it is awake
}

// PageStats counts what a page went through.
type PageStats struct {
	Patches, Resets, Beats int
	BehindFrames           int                          // how often it was told that its node is behind
	Closed                 map[websocket.StatusCode]int // how often it was closed with a code, -1 where it was cut
}

// Open opens a page of a viewer; 0 is not signed in. It is for the time
// before things begin to happen, or at rest.
func (s *Scenario) Open(viewer timeline.UserID, path string) *Page {
	s.Helper()
	if s.stopLoad != nil {
		s.Fatal("a page is opened while things happen")
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(s.Context()))
	p := &Page{
		scenario: s, Viewer: viewer, Path: path, token: s.token(viewer), rnd: rand.New(rand.NewPCG(s.rng.Uint64(), 13)),
		stop: stop, done: make(chan struct{}), secrets: make(map[string]bool), stats: PageStats{Closed: make(map[websocket.StatusCode]int)},
	}
	s.pages = append(s.pages, p)
	s.ever.update(s) // before it is shown anything
	go p.run(ctx)
	s.Cleanup(p.Close)
	return p
}

// Close closes the page for good.
func (p *Page) Close() {
	p.stop()
	<-p.done
}

// Cut breaks its connection off, if it has one.
func (p *Page) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != nil {
		p.conn.CloseNow()
	}
}

// Sleep cuts a page off that does not come back before it is woken.
func (p *Page) Sleep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asleep == nil {
		p.asleep = make(chan struct{})
	}
	if p.conn != nil {
		p.conn.CloseNow()
	}
}

// Wake has it come back.
func (p *Page) Wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asleep != nil {
		close(p.asleep)
		p.asleep = nil
	}
}

// Shows says whether a post is on the page.
func (p *Page) Shows(post timeline.PostID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.page != nil && slices.Contains(p.page.Order, post)
}

// Counter is the one that the page was last told.
func (p *Page) Counter() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.page == nil {
		return 0
	}
	return p.page.Counter
}

// Stats is what it went through up to now.
func (p *Page) Stats() PageStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Closed = maps.Clone(s.Closed)
	return s
}

// Behind says whether the page was told that its node is behind, and not since
// that it is no more.
func (p *Page) Behind() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.behind
}

// Live says whether the page is connected and answered.
func (p *Page) Live() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conn != nil && p.page != nil && !p.page.Waiting
}

// run connects, and connects again; the times are those of the protocol, divided
// by ten.
func (p *Page) run(ctx context.Context) {
	defer close(p.done)
	for n := 0; ctx.Err() == nil; n++ {
		p.mu.Lock()
		asleep := p.asleep
		p.mu.Unlock()
		if asleep != nil {
			select {
			case <-asleep:
			case <-ctx.Done():
			}
			continue
		}
		began := time.Now()
		err := p.follow(ctx, p.scenario.nodes.next())
		if time.Since(began) > 3*time.Second {
			n = 0
		}
		most := min(3*time.Second, 50*time.Millisecond<<min(n, 10))
		if errors.Is(err, errRefused) {
			most = 500 * time.Millisecond
		}
		pause := time.NewTimer(time.Duration(p.rnd.Int64N(int64(most) + 1)))
		select {
		case <-pause.C:
		case <-ctx.Done():
		}
		pause.Stop()
	}
}

// addFault notes what must never be.
func (p *Page) addFault(format string, args ...any) {
	p.faults = append(p.faults, fmt.Sprintf(format, args...))
}

// follow connects to a node and follows until that ends.
func (p *Page) follow(ctx context.Context, node string) error {
	if err := p.load(node); err != nil {
		return err
	}
	header := http.Header{}
	if p.token != "" {
		header.Set("X-API-Token", p.token)
	}
	dialing, cancel := context.WithTimeout(ctx, waitLimit())
	conn, answer, err := liveclient.Dial(dialing, node+"/live", p.scenario.web, header)
	cancel()
	if err != nil {
		if answer != nil {
			switch answer.StatusCode {
			case http.StatusUnauthorized, http.StatusForbidden:
				p.refuse(answer.Status)
				return errRefused
			case http.StatusServiceUnavailable:
			default:
				p.mu.Lock()
				p.addFault("the upgrade was answered %s", answer.Status)
				p.mu.Unlock()
			}
		}
		return err
	}
	defer conn.CloseNow()
	p.mu.Lock()
	p.conn, p.node, p.behind = conn, node, false
	p.mu.Unlock()
	err = liveclient.Follow(ctx, conn, p.sub, p.apply)
	p.mu.Lock()
	p.conn = nil
	p.mu.Unlock()
	if ctx.Err() != nil {
		return err
	}
	return p.closed(err)
}

// closed notes how a connection ended.
func (p *Page) closed(err error) error {
	code := websocket.CloseStatus(err)
	p.mu.Lock()
	p.stats.Closed[code]++
	p.mu.Unlock()
	switch code {
	case realtime.CodeBad, realtime.CodeLimit:
		p.mu.Lock()
		p.addFault("was closed: %v", err)
		p.mu.Unlock()
	case realtime.CodeSignedOut, realtime.CodeForbidden:
		p.refuse(err.Error())
		return errRefused
	}
	return err
}

// refuse empties a page that may not be open any more; it is opened again as soon
// as it may be, as by a reader that tries again.
func (p *Page) refuse(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.page, p.raw, p.refusedWith = nil, nil, why
}

// expectOlderState has the page forget in which states it was shown entries: they may be
// older from now on.
func (p *Page) expectOlderState() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.page != nil {
		was := p.page
		p.page = liveclient.NewPage(was.River, was.Path)
		p.page.Returns, p.page.Epoch, p.page.Counter, p.page.Order, p.page.Entries = true, was.Epoch, was.Counter, was.Order, was.Entries
		p.page.Position = was.Position
		p.page.Faults = was.Faults
	}
}
