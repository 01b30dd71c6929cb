package client

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/timeline"
)

// Arrivals works out how long each comment took to each page: until the first
// frame there that shows it, or a later one. Clocks of two processes on one
// machine are the same clock. A frame that is there before the writer knows of
// the commit took no time.
func Arrivals(committed []time.Time, seen [][]Sighting) (took report.Times, lost int) {
	for _, page := range seen {
		at := 0
		for i, commit := range committed {
			for at < len(page) && page[at].Comment < i {
				at++
			}
			if at == len(page) {
				lost++
				continue
			}
			took = append(took, max(0, time.Unix(0, page[at].At).Sub(commit.Round(0))))
		}
	}
	return took, lost
}

const (
	// markPrefix begins the text of each comment that is waited for; its number follows,
	// and a full stop.
	markPrefix = "amstel-bench-"
	// frameLimit is the largest frame that is read.
	frameLimit = 4 << 20
	// OpenAtOnce is how many pages are opened at a time.
	OpenAtOnce = 8
)

// Mark is the text of the comment with a number.
func Mark(comment int) string { return fmt.Sprintf("%s%d.", markPrefix, comment) }

// newestMark is the number of the newest comment that a frame shows; -1: none.
func newestMark(frame []byte) int {
	newest := -1
	for {
		_, rest, found := bytes.Cut(frame, []byte(markPrefix))
		if !found {
			return newest
		}
		digits, _, _ := bytes.Cut(rest[:min(20, len(rest))], []byte("."))
		if n, err := strconv.Atoi(string(digits)); err == nil {
			newest = max(newest, n)
		}
		frame = rest
	}
}

// A commentPage is an open page: its socket, and when which comments came.
type commentPage struct {
	conn   *websocket.Conn
	shared *inflater

	mu     sync.Mutex
	all    []Sighting
	newest int
	more   chan struct{} // closed when something came; then there is another
	gone   bool
}

// openCommentPages opens the pages of a task, a few at a time, in its order.
func openCommentPages(ctx context.Context, todo PagesOrder) ([]*commentPage, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: OpenAtOnce}}
	defer client.CloseIdleConnections()
	shared := &inflater{}
	pages := make([]*commentPage, len(todo.Pages))
	group, inGroup := errgroup.WithContext(ctx)
	group.SetLimit(OpenAtOnce)
	for i, page := range todo.Pages {
		group.Go(func() error {
			if err := inGroup.Err(); err != nil {
				return err
			}
			p, err := openCommentPage(inGroup, client, todo, page)
			if err != nil {
				return fmt.Errorf("page %d, %s: %w", i, page.Path, err)
			}
			p.shared = shared
			pages[i] = p
			return nil
		})
	}
	err := group.Wait()
	return slices.DeleteFunc(pages, func(p *commentPage) bool { return p == nil }), err
}

// openCommentPage reads a page and opens its socket, as the page's script would.
func openCommentPage(ctx context.Context, client *http.Client, todo PagesOrder, page Page) (*commentPage, error) {
	header := http.Header{}
	if page.Token != "" {
		header.Set("X-API-Token", page.Token)
	}
	shown, err := readPage(ctx, client, todo.Site, page.Path, header)
	if err != nil {
		return nil, err
	}
	have := make([][2]any, 0, len(shown.Entries))
	there := false
	for _, e := range shown.Entries {
		have = append(have, [2]any{e.ID, e.Tag})
		there = there || e.ID == todo.Post
	}
	if !shown.River.Live || !there {
		return nil, errors.New("it is not live, or does not show the post that is commented on")
	}
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(todo.Site, "http")+"/live", &websocket.DialOptions{
		HTTPHeader: header, Subprotocols: []string{realtime.Subprotocol},
	})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(frameLimit)
	sub, err := json.Marshal(map[string]any{
		"type": "sub", "river": shown.River.UUID, "page": page.Path, "epoch": shown.River.Epoch,
		"counter": shown.River.Counter, "position": shown.River.Position, "have": have, "as": realtime.AsHTML,
	})
	if err == nil {
		err = conn.Write(ctx, websocket.MessageText, sub)
	}
	if err == nil {
		_, _, err = conn.Read(ctx) // hello: the page is open
	}
	if err != nil {
		return nil, errors.Join(err, conn.CloseNow())
	}
	return &commentPage{conn: conn, newest: -1, more: make(chan struct{})}, nil
}

// follow reads the page's frames until its socket or the context ends.
func (p *commentPage) follow(ctx context.Context) {
	defer p.conn.CloseNow()
	for {
		kind, frame, err := p.conn.Read(ctx)
		at := time.Now()
		if err == nil && kind == websocket.MessageBinary {
			frame, err = p.shared.inflate(frame)
		}
		p.note(newestMark(frame), at, err != nil)
		if err != nil {
			return // what did not come is counted
		}
	}
}

// note keeps what a frame showed, if it is new here.
func (p *commentPage) note(comment int, at time.Time, gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = p.gone || gone
	if comment > p.newest {
		p.newest = comment
		p.all = append(p.all, Sighting{comment, at.UnixNano()})
	} else if !gone {
		return
	}
	close(p.more)
	p.more = make(chan struct{})
}

// await waits until the page has shown a comment, or can't any more.
func (p *commentPage) await(ctx context.Context, comment int) {
	for {
		p.mu.Lock()
		there, more := p.newest >= comment || p.gone, p.more
		p.mu.Unlock()
		if there {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			return
		}
	}
}

func (p *commentPage) seen() []Sighting {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.all)
}

// An inflater unpacks frames that many pages are sent alike, and remembers the
// last one, as the clients of real life are machines of their own.
type inflater struct {
	mu           sync.Mutex
	packed, text []byte
}

func (i *inflater) inflate(packed []byte) ([]byte, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if bytes.Equal(packed, i.packed) {
		return i.text, nil
	}
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return nil, err
	}
	i.packed, i.text = bytes.Clone(packed), text // what was read into is read into again
	return text, nil
}

// What the two processes say to each other, a JSON object each: a PagesOrder, word
// that all pages are open, how many comments there were, and what came of them.
type (
	PagesOrder struct {
		Site  string
		Post  timeline.PostID // that every page shows
		Pages []Page
	}
	Page struct {
		Path  string
		Token string // whose page it is; empty: everybody's
		Times int    // how often sockets open it; 0: once
	}
	pagesOpened struct {
		Open  int
		Error string
	}
	commentsWritten struct{ Comments int }
	pagesSeen       struct{ Seen [][]Sighting } // page by page
	// A Sighting is a frame that shows a comment for the first time.
	Sighting struct {
		Comment int
		At      int64 // nanoseconds since 1970
	}
)

// OpenPages has the pages opened, and returns when all are.
func (r *Process) OpenPages(todo PagesOrder) error {
	if err := r.to.Encode(todo); err != nil {
		return fmt.Errorf("process of the open pages: %w", err)
	}
	var answer pagesOpened
	if err := r.from.Decode(&answer); err != nil {
		return fmt.Errorf("process of the open pages: %w", err)
	}
	if answer.Error != "" || answer.Open != len(todo.Pages) {
		return fmt.Errorf("%d of %d pages are open: %s", answer.Open, len(todo.Pages), answer.Error)
	}
	return nil
}

// Arrivals has the pages wait for the last of so many comments and tell what came.
func (r *Process) Arrivals(comments int) ([][]Sighting, error) {
	if err := r.to.Encode(commentsWritten{comments}); err != nil {
		return nil, fmt.Errorf("process of the open pages: %w", err)
	}
	var answer pagesSeen
	if err := r.from.Decode(&answer); err != nil {
		return nil, fmt.Errorf("process of the open pages: %w", err)
	}
	return answer.Seen, nil
}

// servePages opens pages, and notes when which comments arrive.
func servePages(ctx context.Context, from *json.Decoder, to *json.Encoder) error {
	var todo PagesOrder
	if err := from.Decode(&todo); err != nil {
		return fmt.Errorf("what pages to open: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	pages, err := openCommentPages(ctx, todo)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for _, p := range pages {
		wg.Go(func() { p.follow(ctx) })
	}
	answer := pagesOpened{Open: len(pages)}
	if err != nil {
		answer.Error = err.Error()
	}
	if err := errors.Join(to.Encode(answer), err); err != nil {
		return err
	}
	var done commentsWritten
	if err := from.Decode(&done); err != nil {
		return fmt.Errorf("how many comments there were: %w", err)
	}
	limit, stop := context.WithTimeout(ctx, lastFrameWithin)
	defer stop()
	result := pagesSeen{Seen: make([][]Sighting, len(pages))}
	for i, p := range pages {
		p.await(limit, done.Comments-1)
		result.Seen[i] = p.seen()
	}
	return to.Encode(result)
}
