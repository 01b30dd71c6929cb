package faulttest

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/internal/livetest"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/timeline"
)

// A Page is one that somebody has open, and that comes back as the protocol has
// it: by jittered tries, with what it has, to whatever node answers.
type Page struct {
	town   *Town
	Viewer timeline.UserID
	Path   string // of its JSON
	token  string
	rnd    *rand.Rand

	stop context.CancelFunc
	done chan struct{}

	mu       sync.Mutex
	page     *livetest.Page // nil: it may not be opened just now
	raw      map[timeline.PostID]string
	node     string // where it is connected, or was last
	position int64  // of the log, that it has seen
	whole    bool   // it had the river to its end, when it was last made anew
	told     string // what the page was refused with
	secrets  map[string]bool
	faults   []string
	behind   bool
	at       Seen
	conn     *websocket.Conn
	asleep   chan struct{} // closed when it wakes; nil: it is awake
}

// Seen counts what a page went through.
type Seen struct {
	Patches, Resets, Beats int
	Behinds                int                          // how often it was told that its node is behind
	Closed                 map[websocket.StatusCode]int // how often it was closed with a code, -1 where it was cut
}

// Open has somebody open a page; 0 is who is not signed in. It is for the time
// before things begin to happen, or at rest.
func (t *Town) Open(viewer timeline.UserID, path string) *Page {
	t.Helper()
	if t.busy != nil {
		t.Fatal("a page is opened while things happen")
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	p := &Page{
		town: t, Viewer: viewer, Path: path, token: t.token(viewer), rnd: rand.New(rand.NewPCG(t.rng.Uint64(), 13)),
		stop: stop, done: make(chan struct{}), secrets: make(map[string]bool), at: Seen{Closed: make(map[websocket.StatusCode]int)},
	}
	t.pages = append(t.pages, p)
	t.ever.look(t) // before it is shown anything
	go p.run(ctx)
	t.Cleanup(p.Close)
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

// Counter is the one that the page was last told.
func (p *Page) Counter() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.page == nil {
		return 0
	}
	return p.page.Counter
}

// Seen is what it went through up to now.
func (p *Page) Seen() Seen {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.at
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
		err := p.follow(ctx, p.town.nodes.any())
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

// fault notes what must never be.
func (p *Page) fault(format string, args ...any) {
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
	dialing, cancel := context.WithTimeout(ctx, *patience)
	conn, answer, err := websocket.Dial(dialing, node+"/live", &websocket.DialOptions{
		HTTPHeader: header, Subprotocols: []string{realtime.Subprotocol}, HTTPClient: p.town.web,
	})
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
				p.fault("the upgrade was answered %s", answer.Status)
				p.mu.Unlock()
			}
		}
		return err
	}
	conn.SetReadLimit(-1)
	defer conn.CloseNow()
	p.mu.Lock()
	p.conn, p.node, p.behind = conn, node, false
	p.mu.Unlock()
	err = p.read(ctx, conn)
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
	p.at.Closed[code]++
	p.mu.Unlock()
	switch code {
	case realtime.CodeBad, realtime.CodeLimit:
		p.mu.Lock()
		p.fault("was closed: %v", err)
		p.mu.Unlock()
	case realtime.CodeSignedOut, realtime.CodeForbidden:
		p.refuse(err.Error())
		return errRefused
	}
	return err
}

// refuse empties a page that may not be open any more; it is opened again as soon
// as it may be, as by somebody who tries.
func (p *Page) refuse(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.page, p.raw, p.told = nil, nil, why
}

// putBack has the page forget in which states it was shown entries: they may be
// older from now on.
func (p *Page) putBack() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.page != nil {
		was := p.page
		p.page = livetest.NewPage(was.River, was.Path)
		p.page.Returns, p.page.Epoch, p.page.Counter, p.page.Order, p.page.Entries = true, was.Epoch, was.Counter, was.Order, was.Entries
		p.page.Faults = was.Faults
	}
}

// load reads the page, if it is not there.
func (p *Page) load(node string) error {
	p.mu.Lock()
	there := p.page != nil
	p.mu.Unlock()
	if there {
		return nil
	}
	a, err := p.town.Get(node, p.Path, p.token)
	if err != nil {
		return err
	}
	switch a.Status {
	case http.StatusOK:
	case http.StatusServiceUnavailable:
		return errors.New("not now")
	default:
		p.refuse(fmt.Sprint(a.Status))
		return errRefused
	}
	b, err := parsePage(a.Body)
	if err != nil {
		return err
	}
	if !b.River.Live {
		return errors.New("not live") // it was read from the primary, in a hurry
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.page, p.raw = livetest.NewPage(b.River.UUID, p.Path), make(map[timeline.PostID]string)
	p.page.Returns = true // what was taken away may be given back
	p.position, p.whole = b.River.Position, b.Older == ""
	// The model knows from here on which state of each entry it was shown.
	first := map[string]any{"type": "reset", "epoch": b.River.Epoch, "counter": b.River.Counter}
	var entries []livetest.Shown
	for _, text := range b.Entries {
		e, err := parseEntry(text)
		if err != nil {
			return err
		}
		entries = append(entries, e)
		p.raw[e.Post] = string(text)
	}
	first["entries"] = entries
	frame, err := json.Marshal(first)
	if err == nil {
		_, _, err = p.page.Take(frame)
	}
	if err != nil {
		return err
	}
	p.note(a.Body)
	return nil
}

// pageBody is what is read of a page's JSON.
type pageBody struct {
	Entries []json.RawMessage `json:"entries"`
	Older   string            `json:"precise_older_entries_url"`
	River   struct {
		UUID     string `json:"uuid"`
		Epoch    string `json:"epoch"`
		Counter  int64  `json:"counter"`
		Position int64  `json:"position"`
		Live     bool   `json:"live"`
		Behind   bool   `json:"behind"`
	} `json:"river"`
}

func parsePage(text string) (*pageBody, error) {
	b := new(pageBody)
	if err := json.Unmarshal([]byte(text), b); err != nil {
		return nil, fmt.Errorf("page %.80s: %w", text, err)
	}
	return b, nil
}

func parseEntry(text []byte) (e livetest.Shown, err error) {
	var id struct {
		ID timeline.PostID `json:"id"`
	}
	if err := errors.Join(json.Unmarshal(text, &e), json.Unmarshal(text, &id)); err != nil {
		return e, fmt.Errorf("entry %.80s: %w", text, err)
	}
	e.Post = id.ID
	return e, nil
}

// subAgain is the least time between two subs on a socket: two frames a second.
const subAgain = 600 * time.Millisecond

// read subscribes, follows, and subscribes again where the page must.
func (p *Page) read(ctx context.Context, conn *websocket.Conn) error {
	for {
		p.mu.Lock()
		sub := p.sub()
		p.mu.Unlock()
		asked := time.Now()
		if err := conn.Write(ctx, websocket.MessageText, sub); err != nil {
			return err
		}
		for again := false; !again; {
			kind, text, err := conn.Read(ctx)
			if err != nil {
				return err
			}
			if kind == websocket.MessageBinary {
				if text, err = io.ReadAll(flate.NewReader(bytes.NewReader(text))); err != nil {
					return err
				}
			}
			if again, err = p.take(text); err != nil {
				return err
			}
		}
		pause := time.NewTimer(subAgain - time.Since(asked))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		}
	}
}

// sub is the model's, with the position that the page has seen; p.mu is held.
func (p *Page) sub() []byte {
	return append(fmt.Appendf(nil, `{"position":%d,`, p.position), bytes.TrimPrefix(p.page.Sub(), []byte("{"))...)
}

// frame is what is read of a frame beside what the model does.
type frame struct {
	Type     string `json:"type"`
	Position int64  `json:"position"`
	Behind   *bool  `json:"behind"`
	Ops      []struct {
		Post  timeline.PostID `json:"post"`
		Gone  bool            `json:"gone"`
		Entry json.RawMessage `json:"entry"`
	} `json:"ops"`
	Entries []json.RawMessage `json:"entries"`
}

// take does what a frame says; again, the page must subscribe anew.
func (p *Page) take(text []byte) (again bool, err error) {
	var f frame
	if err := json.Unmarshal(text, &f); err != nil {
		return false, fmt.Errorf("frame %.80s: %w", text, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.Behind != nil {
		if p.behind = *f.Behind; p.behind {
			p.at.Behinds++
		}
	}
	if !slices.Contains([]string{"hello", "patch", "reset", "beat", "bye", "unread"}, f.Type) {
		return false, nil // what it does not know it lets be
	}
	epoch := p.page.Epoch
	verdict, _, err := p.page.Take(text)
	if p.page.Epoch != epoch { // of what came in below its end meanwhile nobody knows
		p.whole = false
	}
	if err != nil {
		p.fault("%v", err)
		return false, err
	}
	p.note(string(text))
	if f.Type == "beat" {
		p.at.Beats++
	}
	if verdict != livetest.Applied {
		return verdict == livetest.Resub && !p.page.Waiting, nil
	}
	p.position = max(p.position, f.Position)
	switch f.Type {
	case "patch":
		p.at.Patches++
		for _, op := range f.Ops {
			if delete(p.raw, op.Post); !op.Gone {
				p.raw[op.Post] = string(op.Entry)
			}
		}
	case "reset":
		p.at.Resets++
		clear(p.raw)
		for _, text := range f.Entries {
			e, err := parseEntry(text)
			if err != nil {
				return false, err
			}
			p.raw[e.Post] = string(text)
		}
		p.whole = len(f.Entries) < 25
	}
	return false, nil
}

// note keeps which secrets the viewer was ever shown; p.mu is held.
func (p *Page) note(text string) {
	for _, secret := range world.Secrets(text) {
		p.secrets[secret] = true
	}
}

// differs says how the page is not what a node shows now.
func (p *Page) differs(node string) string {
	p.mu.Lock()
	shown := 0
	if p.page != nil {
		shown = len(p.page.Order)
	}
	p.mu.Unlock()
	uuid, want, status, err := p.fresh(node, shown)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err != nil:
		return err.Error()
	case status != http.StatusOK && p.page != nil && len(p.page.Order) > 0: // that of a post that is gone stays, and is empty
		return fmt.Sprintf("is open, and is refused now: %d", status)
	case status != http.StatusOK:
		return ""
	case p.page == nil:
		return "is not open, and may be: " + p.told
	case p.conn == nil:
		return "is cut"
	case p.page.Waiting:
		return "is not answered"
	case p.page.River != uuid:
		return "" // a tag's page is a search's for who may not read what has it
	}
	var have []string
	for _, id := range p.page.Order {
		have = append(have, fmt.Sprint(id, " ", p.page.Entries[id].Tag))
	}
	if len(have) > len(want) || p.whole && len(have) != len(want) || len(have) == 0 && len(want) > 0 {
		return fmt.Sprintf("shows %d entries of %d (whole: %v)", len(have), len(want), p.whole)
	}
	for i := range have {
		if have[i] != want[i] {
			return fmt.Sprintf("shows at %d post %s, and should %s", i, have[i], want[i])
		}
	}
	return ""
}

// fresh is what a node shows of the river, ids and tags, at least so many and one
// more if there are; or the status that it is refused with.
func (p *Page) fresh(node string, many int) (uuid string, entries []string, status int, err error) {
	for path := p.Path; path != "" && len(entries) <= many; {
		a, err := p.town.Get(node, path, p.token)
		switch {
		case err != nil:
			return "", nil, 0, err
		case a.Status == http.StatusServiceUnavailable:
			return "", nil, 0, fmt.Errorf("can't be compared: %s", a.Body)
		case a.Status != http.StatusOK:
			return "", nil, a.Status, nil
		}
		b, err := parsePage(a.Body)
		if err != nil {
			return "", nil, 0, err
		}
		uuid = b.River.UUID
		for _, text := range b.Entries {
			e, err := parseEntry(text)
			if err != nil {
				return "", nil, 0, err
			}
			entries = append(entries, fmt.Sprint(e.Post, " ", e.Tag))
		}
		path = b.Older
		if strings.HasPrefix(path, "http") {
			path = path[len(node):]
		}
	}
	return uuid, entries, http.StatusOK, nil
}
