package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/realtime"
)

// The orders to strangers, and the strangers' answers.
type (
	StrangersOrder struct {
		Do     string // [DoVisit], [DoTell] or [DoStop]
		Site   string
		Crowds []Strangers
		Names  []string // names of people and groups
		Posts  []string // paths of posts' pages
		Words  []string // words to search for
	}
	// Strangers is a number of strangers who all repeat the same action.
	Strangers struct {
		What string // a key of strangerActions
		Many int
	}
	StrangersResult struct {
		Strangers int
		Answers   map[string]map[string]int // by action, how often each answer came
	}
)

// Strangers returns the number of strangers in all crowds.
func (o *StrangersOrder) Strangers() (n int) {
	for _, c := range o.Crowds {
		n += c.Many
	}
	return n
}

// Requests returns how many requests were made.
func (t *StrangersResult) Requests() (n int) {
	for _, answers := range t.Answers {
		for _, times := range answers {
			n += times
		}
	}
	return n
}

// afterRefusal is how long a stranger waits after a request that was refused or failed. The site asks
// for a longer wait, in Retry-After, but strangers do not obey.
const afterRefusal = 50 * time.Millisecond

// strangers are hostile clients, each with an address of its own on the loopback network. They
// answer an order with the results of all their requests so far. Their process has the lowest
// priority ([startProcess]), because the machines of real strangers do not share the server's
// cores.
type strangers struct {
	StrangersOrder
	mu   sync.Mutex
	told StrangersResult
}

func (*strangers) does(o StrangersOrder) string { return o.Do }

func (s *strangers) visit(ctx context.Context, run *sync.WaitGroup, o StrangersOrder) error {
	s.StrangersOrder = o
	s.told = StrangersResult{Strangers: o.Strangers(), Answers: map[string]map[string]int{}}
	number := 0
	for _, c := range o.Crowds {
		do, known := strangerActions[c.What]
		if !known {
			return fmt.Errorf("strangers have no action %q", c.What)
		}
		for range c.Many {
			number++
			mine := number
			run.Go(func() { s.live(ctx, c.What, mine, do) })
		}
	}
	return nil
}

// result returns a copy of the counts, because strangers go on counting while the answer is written.
func (s *strangers) result() StrangersResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	told := StrangersResult{Strangers: s.told.Strangers, Answers: map[string]map[string]int{}}
	for what, answers := range s.told.Answers {
		told.Answers[what] = maps.Clone(answers)
	}
	return told
}

// A stranger is one hostile client.
type stranger struct {
	*strangers
	from   net.Addr
	random *rand.Rand
	client *http.Client
	n      int // requests made
}

// A strangerAction is an action that a stranger repeats. It returns the answer as a word, mostly the
// status code.
type strangerAction func(*stranger, context.Context) (string, error)

var strangerActions = map[string]strangerAction{
	"crawl":     (*stranger).crawl,
	"deep":      (*stranger).deep,
	"search":    (*stranger).search,
	"sockets":   (*stranger).socket,
	"slow":      (*stranger).slow,
	"cookies":   (*stranger).cookie,
	"passwords": (*stranger).password,
	"accounts":  (*stranger).account,
}

// live is the life of one stranger, who repeats an action until the context ends.
func (s *strangers) live(ctx context.Context, what string, number int, do strangerAction) {
	one := &stranger{
		strangers: s, random: rand.New(rand.NewPCG(uint64(number), 13)),
		from: &net.TCPAddr{IP: net.IPv4(127, 0, byte(1+number/200), byte(1+number%200))},
	}
	one.client = &http.Client{
		Timeout:       time.Minute,
		Transport:     &http.Transport{DialContext: one.dial, MaxIdleConnsPerHost: 1},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	defer one.client.CloseIdleConnections()
	for ctx.Err() == nil {
		answer, err := do(one, ctx)
		switch {
		case ctx.Err() != nil:
			answer = "under way"
		case err != nil:
			answer = "failed"
		}
		s.mu.Lock()
		if s.told.Answers[what] == nil {
			s.told.Answers[what] = map[string]int{}
		}
		s.told.Answers[what][answer]++
		s.mu.Unlock()
		one.n++
		if err != nil || answer > "400" {
			_ = Pause(ctx, afterRefusal) // the loop checks the context
		}
	}
}

func (s *stranger) dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{LocalAddr: s.from}
	return d.DialContext(ctx, network, address)
}

// get requests a page, and returns the status code.
func (s *stranger) get(ctx context.Context, path string, header http.Header) (string, error) {
	return s.do(ctx, http.MethodGet, path, header, nil)
}

func (s *stranger) do(ctx context.Context, method, path string, header http.Header, body []byte) (string, error) {
	request, err := http.NewRequestWithContext(ctx, method, s.Site+path, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	if header != nil {
		request.Header = header
	}
	response, err := s.client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return fmt.Sprint(response.StatusCode), err
}

// pick returns a random element of a list.
func pick[T any](random *rand.Rand, of []T) T { return of[random.IntN(len(of))] }

// crawl requests random pages of the community.
func (s *stranger) crawl(ctx context.Context) (string, error) {
	name := pick(s.random, s.Names)
	switch s.random.IntN(6) {
	case 0:
		return s.get(ctx, "/"+name+"/likes", nil)
	case 1:
		return s.get(ctx, "/"+name+"/comments", nil)
	case 2:
		return s.get(ctx, fmt.Sprintf("/%s/calendar/%d/%d", name, 2005+s.random.IntN(20), 1+s.random.IntN(12)), nil)
	case 3:
		return s.get(ctx, "/"+name, nil)
	}
	return s.get(ctx, pick(s.random, s.Posts), nil)
}

// deep requests pages far down, and the page in orders other than the usual one.
func (s *stranger) deep(ctx context.Context) (string, error) {
	switch s.random.IntN(4) {
	case 0:
		return s.get(ctx, "/?order=top", nil)
	case 1:
		return s.get(ctx, "/?order=created", nil)
	}
	return s.get(ctx, fmt.Sprintf("/?page=%d", 380+s.random.IntN(20)), nil)
}

// search searches for two random words.
func (s *stranger) search(ctx context.Context) (string, error) {
	return s.get(ctx, "/s?q="+pick(s.random, s.Words)+"+"+pick(s.random, s.Words), nil)
}

// cookie requests a page with cookies that it makes up.
func (s *stranger) cookie(ctx context.Context) (string, error) {
	header := http.Header{"Cookie": {fmt.Sprintf("amstel-position=%d; amstel=%x", 1_000_000_000+s.random.IntN(1000), s.random.Uint64())}}
	return s.get(ctx, "/", header)
}

// password tries to sign in with a wrong password.
func (s *stranger) password(ctx context.Context) (string, error) {
	body, err := json.Marshal(map[string]any{"user": map[string]any{"login": pick(s.random, s.Names), "password": fmt.Sprintf("guess %d", s.n)}})
	if err != nil {
		return "", err
	}
	return s.do(ctx, http.MethodPost, "/users/sign_in", jsonHeader(), body)
}

// account signs up with a random name.
func (s *stranger) account(ctx context.Context) (string, error) {
	name := fmt.Sprintf("stranger%x", s.random.Uint32())
	body, err := json.Marshal(map[string]any{"user": map[string]any{"name": name, "email": name + "@strangers.example", "password": "correct horse"}})
	if err != nil {
		return "", err
	}
	return s.do(ctx, http.MethodPost, "/users/sign_up", jsonHeader(), body)
}

func jsonHeader() http.Header {
	return http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
}

// socket opens a socket, subscribes with a made-up river to a real page, waits for the first answer,
// and leaves.
func (s *stranger) socket(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	conn, response, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(s.Site, "http")+"/live", &websocket.DialOptions{
		HTTPClient: s.client, Subprotocols: []string{realtime.Subprotocol},
	})
	if err != nil {
		if response != nil {
			return fmt.Sprint(response.StatusCode), nil
		}
		return "", err
	}
	defer conn.CloseNow()
	conn.SetReadLimit(frameLimit)
	sub := fmt.Sprintf(`{"type":"sub","river":"%x","page":"/%s","epoch":"x","counter":1,"position":%d,"have":[],"as":"html"}`,
		s.random.Uint64(), pick(s.random, s.Names), s.random.Int64N(1<<40))
	if err := conn.Write(ctx, websocket.MessageText, []byte(sub)); err != nil {
		return "", err
	}
	if _, _, err := conn.Read(ctx); err != nil {
		return fmt.Sprint(int(websocket.CloseStatus(err))), nil
	}
	return "101", nil
}

// slow requests a page and reads the answer very slowly.
func (s *stranger) slow(ctx context.Context) (string, error) {
	conn, err := s.dial(ctx, "tcp", strings.TrimPrefix(s.Site, "http://"))
	if err != nil {
		return "", err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if tcp, is := conn.(*net.TCPConn); is {
		_ = tcp.SetReadBuffer(2048) // with a large buffer the kernel would take the whole answer at once
	}
	if _, err := fmt.Fprintf(conn, "GET /%s?count=100 HTTP/1.1\r\nHost: localhost\r\n\r\n", pick(s.random, s.Names)); err != nil {
		return "", err
	}
	some := make([]byte, 64)
	for range 100 {
		if _, err := conn.Read(some); err != nil {
			return "", err
		}
		if err := Pause(ctx, 100*time.Millisecond); err != nil {
			return "", err
		}
	}
	return "200", nil
}
