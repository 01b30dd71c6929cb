package bench

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

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/timeline"
)

const (
	// mark begins the text of each comment that is waited for; its number follows,
	// and a full stop.
	mark = "amstel-bench-"
	// frameLimit is the largest frame that is read.
	frameLimit = 4 << 20
	// openAtOnce is how many pages are opened at a time.
	openAtOnce = 8
)

// markOf is the text of the comment with a number.
func markOf(comment int) string { return fmt.Sprintf("%s%d.", mark, comment) }

// marked is the number of the newest comment that a frame shows; -1: none.
func marked(frame []byte) int {
	newest := -1
	for {
		_, rest, found := bytes.Cut(frame, []byte(mark))
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

// A followedPage is an open page: its socket, and when which comments came.
type followedPage struct {
	conn   *websocket.Conn
	shared *inflater

	mu     sync.Mutex
	all    []sighting
	newest int
	more   chan struct{} // closed when something came; then there is another
	gone   bool
}

// openAll opens the pages of a task, a few at a time, in its order.
func openAll(ctx context.Context, todo task) ([]*followedPage, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: openAtOnce}}
	defer client.CloseIdleConnections()
	shared := &inflater{}
	pages := make([]*followedPage, len(todo.Pages))
	group, inGroup := errgroup.WithContext(ctx)
	group.SetLimit(openAtOnce)
	for i, page := range todo.Pages {
		group.Go(func() error {
			if err := inGroup.Err(); err != nil {
				return err
			}
			p, err := open(inGroup, client, todo, page)
			if err != nil {
				return fmt.Errorf("page %d, %s: %w", i, page.Path, err)
			}
			p.shared = shared
			pages[i] = p
			return nil
		})
	}
	err := group.Wait()
	return slices.DeleteFunc(pages, func(p *followedPage) bool { return p == nil }), err
}

// shownPage is what is read of a page as JSON.
type shownPage struct {
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

// open reads a page and opens its socket, as the page's script would.
func open(ctx context.Context, client *http.Client, todo task, page openPage) (*followedPage, error) {
	header := http.Header{}
	if page.Token != "" {
		header.Set("X-API-Token", page.Token)
	}
	shown, err := read(ctx, client, todo.Site, page.Path, header)
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
	return &followedPage{conn: conn, newest: -1, more: make(chan struct{})}, nil
}

// read reads a page as JSON.
func read(ctx context.Context, client *http.Client, site, path string, header http.Header) (shown shownPage, err error) {
	path, query, asks := strings.Cut(path, "?")
	form := path + ".json"
	if path == homePath {
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

// follow reads the page's frames until its socket or the context ends.
func (p *followedPage) follow(ctx context.Context) {
	defer p.conn.CloseNow()
	for {
		kind, frame, err := p.conn.Read(ctx)
		at := time.Now()
		if err == nil && kind == websocket.MessageBinary {
			frame, err = p.shared.inflate(frame)
		}
		p.note(marked(frame), at, err != nil)
		if err != nil {
			return // what did not come is counted
		}
	}
}

// note keeps what a frame showed, if it is new here.
func (p *followedPage) note(comment int, at time.Time, gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = p.gone || gone
	if comment > p.newest {
		p.newest = comment
		p.all = append(p.all, sighting{comment, at.UnixNano()})
	} else if !gone {
		return
	}
	close(p.more)
	p.more = make(chan struct{})
}

// await waits until the page has shown a comment, or can't any more.
func (p *followedPage) await(ctx context.Context, comment int) {
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

func (p *followedPage) seen() []sighting {
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
