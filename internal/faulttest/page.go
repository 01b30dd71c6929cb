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

	"amstel.dev/amstel/realtime"
	liveclient "amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/timeline"
)

// A Page is an open page of a viewer. When its connection ends, the page reconnects by the
// rules of the protocol: after a random delay, to any node that answers, and resumes from the
// state that it shows.
type Page struct {
	scenario *Scenario
	Viewer   timeline.UserID
	Path     string // of the page's JSON
	token    string
	rnd      *rand.Rand

	stop context.CancelFunc
	done chan struct{}

	mu          sync.Mutex
	page        *liveclient.Page // nil: not loaded, or the last visit was refused
	raw         map[int64]string
	node        string // the node of the present or last connection
	whole       bool   // the page showed the whole river when it was last loaded or reset
	refusedWith string // the reason of the last refusal
	secrets     map[string]bool
	frames      []notedFrame // the last frames that the page applied
	faults      []string
	behind      bool
	stats       PageStats
	conn        *websocket.Conn
	asleep      chan struct{} // closed by Wake; nil: awake
}

// PageStats counts the frames sent to a page and the ends of its connections.
type PageStats struct {
	Patches, Resets, Beats int
	BehindFrames           int                          // frames that report that the node is behind
	Closed                 map[websocket.StatusCode]int // connections that ended, by close code; -1: without a close frame
}

// Open opens a page of a viewer, 0 for not signed in, and closes the page when the test ends.
// A test opens pages only while there is no load: else a state that the page was shown could
// be missing from what the viewer could read.
func (s *Scenario) Open(viewer timeline.UserID, path string) *Page {
	s.Helper()
	if s.stopLoad != nil {
		s.Fatal("a page may not be opened under load")
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(s.Context()))
	p := &Page{
		scenario: s, Viewer: viewer, Path: path, token: s.token(viewer), rnd: rand.New(rand.NewPCG(s.rng.Uint64(), 13)),
		stop: stop, done: make(chan struct{}), secrets: make(map[string]bool), stats: PageStats{Closed: make(map[websocket.StatusCode]int)},
	}
	s.pages = append(s.pages, p)
	s.ever.update(s) // before the page is shown anything
	go p.run(ctx)
	s.Cleanup(p.Close)
	return p
}

// Close closes the page for good.
func (p *Page) Close() {
	p.stop()
	<-p.done
}

// Cut closes the page's connection without a close frame. The page reconnects.
func (p *Page) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != nil {
		p.conn.CloseNow()
	}
}

// Sleep closes the page's connection without a close frame. The page does not reconnect before
// Wake.
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

// Wake reconnects a sleeping page.
func (p *Page) Wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asleep != nil {
		close(p.asleep)
		p.asleep = nil
	}
}

// Shows reports whether a post is on the page.
func (p *Page) Shows(post timeline.PostID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.page != nil && slices.Contains(p.page.Order, int64(post))
}

// Counter returns the counter up to which the page was told; 0 if the page is not loaded.
func (p *Page) Counter() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.page == nil {
		return 0
	}
	return p.page.Counter
}

// Stats returns what the page counted up to now.
func (p *Page) Stats() PageStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Closed = maps.Clone(s.Closed)
	return s
}

// Behind reports whether the node is behind, by the last frame about that.
func (p *Page) Behind() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.behind
}

// Live reports whether the page is connected, and its subscription is answered.
func (p *Page) Live() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conn != nil && p.page != nil && !p.page.Waiting
}

// run connects, and reconnects each time the connection ends, until ctx ends. Its delays are a
// tenth of the protocol's.
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

// addFault adds a violation of the protocol, for [Scenario.CheckAll]. The caller holds p.mu.
func (p *Page) addFault(format string, args ...any) {
	p.faults = append(p.faults, fmt.Sprintf(format, args...))
}

// follow loads the page if needed, connects to a node, and applies frames until the connection
// ends. It returns errRefused if the viewer may not open the page.
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

// closed counts how a connection ended, and returns errRefused if the node closed it because the
// viewer may no longer open the page.
func (p *Page) closed(err error) error {
	code := websocket.CloseStatus(err)
	p.mu.Lock()
	p.stats.Closed[code]++
	p.mu.Unlock()
	switch code {
	case realtime.CodeBad, realtime.CodeLimit:
		p.mu.Lock()
		p.addFault("its connection was closed: %v", err)
		p.mu.Unlock()
	case realtime.CodeSignedOut, realtime.CodeForbidden:
		p.refuse(err.Error())
		return errRefused
	}
	return err
}

// refuse empties a page that its viewer may not open. The page tries to load again later.
func (p *Page) refuse(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.page, p.raw, p.refusedWith = nil, nil, why
}

// expectOlderState forgets the versions of the shown entries, so that an older state is no
// fault.
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
