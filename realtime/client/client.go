package client

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// answerSize is how many bytes of an answer a Client reads at most.
const answerSize = 32 << 20

// A Client sends requests to one server, for one person or for a visitor. Any number of
// goroutines may use it.
type Client struct {
	address *url.URL
	token   string
	http    *http.Client
}

// New returns a client of the server at an address, such as "https://amstel.example". A person makes
// tokens on their settings page, and the site with `amstel user token`; without a token the client is a
// visitor. New returns an error if the address is not one of HTTP or HTTPS.
func New(address, token string) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is not the address of a server, such as https://amstel.example", address)
	}
	return &Client{address: u, token: token, http: http.DefaultClient}, nil
}

// WithHTTP returns a copy of the client that sends its requests through another HTTP client.
func (c *Client) WithHTTP(h *http.Client) *Client {
	other := *c
	other.http = h
	return &other
}

// An Error is the answer of the server to a request that failed.
type Error struct {
	Status     int               // of HTTP
	Code       string            // stable, such as "not_found"; empty if the server did not name one
	Message    string            // a sentence in English
	Fields     map[string]string // why each field was refused, with the code "invalid"
	RetryAfter time.Duration     // until the request may be sent again; 0 if the server did not say
}

func (e *Error) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// header returns the header of each request.
func (c *Client) header() http.Header {
	h := http.Header{"Accept": {"application/json, */*;q=0.1"}}
	if c.token != "" {
		h.Set("X-API-Token", c.token)
	}
	return h
}

// Do sends a request and reads its answer. The path may have a query. Do encodes body as JSON
// unless it is nil, and decodes the answer into answer unless that is nil. Do returns an [Error]
// if the server refuses the request.
//
// A request that may be sent twice is sent again for up to two minutes while the server can't be
// reached, restarts, or asks to wait: each GET, and a body that is a map with a "_uuid".
func (c *Client) Do(ctx context.Context, method, path string, body, answer any) error {
	relative, err := url.Parse(path)
	if err != nil {
		return err
	}
	var data []byte
	if body != nil {
		if data, err = json.Marshal(body); err != nil {
			return err
		}
	}
	fields, _ := body.(map[string]any)
	uuid, _ := fields["_uuid"].(string)
	began := time.Now()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := c.send(ctx, method, c.address.ResolveReference(relative).String(), data, answer)
		wait := max(rand.N(pause), retryAfter(err))
		if err == nil || method != http.MethodGet && uuid == "" || !passing(err) || time.Since(began)+wait > retryFor {
			return err
		}
		if sleep(ctx, wait) != nil {
			return err
		}
	}
}

// retryFor is how long a request is sent again.
const retryFor = 2 * time.Minute

// passing reports whether the same request may succeed a moment later: the server could not be
// reached, was restarting, or asked to wait.
func passing(err error) bool {
	var refused *Error
	if !errors.As(err, &refused) {
		return !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
	}
	switch refused.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// retryAfter returns how long the server asks to wait; 0 if it does not ask.
func retryAfter(err error) time.Duration {
	var refused *Error
	if errors.As(err, &refused) {
		return refused.RetryAfter
	}
	return 0
}

// sleep waits for a duration. If the context ends first, sleep returns the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	wait := time.NewTimer(d)
	defer wait.Stop()
	select {
	case <-wait.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// send sends a request once.
func (c *Client) send(ctx context.Context, method, address string, body []byte, answer any) error {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if r.Header = c.header(); body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, answerSize))
	switch {
	case err != nil:
		return err
	case res.StatusCode != http.StatusOK:
		return errorOf(res, data)
	case answer == nil:
		return nil
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return fmt.Errorf("answer to %s %s: %w", method, r.URL.Path, err)
	}
	return nil
}

// errorOf returns an answer other than 200 as an [Error].
func errorOf(res *http.Response, body []byte) error {
	var said struct {
		Error  string            `json:"error"`
		Code   string            `json:"code"`
		Fields map[string]string `json:"fields"`
	}
	if json.Unmarshal(body, &said) != nil || said.Error == "" {
		said.Error = http.StatusText(res.StatusCode) // a proxy answered, not the server
	}
	e := &Error{Status: res.StatusCode, Code: said.Code, Message: said.Error, Fields: said.Fields}
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	return e
}

// WhoAmI returns the person whose token the client has.
func (c *Client) WhoAmI(ctx context.Context) (*Card, error) {
	var answer struct{ User *Card }
	if err := c.Do(ctx, http.MethodGet, "/api/v1/whoami", nil, &answer); err != nil {
		return nil, err
	}
	if answer.User == nil {
		return nil, errors.New("the answer to whoami names no person")
	}
	return answer.User, nil
}

// Timeline returns a page by its path, such as "/", "/anna", "/filter/mentions", "/s?q=bridge" or the
// URL of an entry.
func (c *Client) Timeline(ctx context.Context, path string) (*Timeline, error) {
	at, err := jsonPath(path)
	if err != nil {
		return nil, err
	}
	t := &Timeline{}
	return t, c.Do(ctx, http.MethodGet, at, nil, t)
}

// jsonPath returns the path of a page as JSON: /anna?count=2 becomes /anna.json?count=2.
func jsonPath(path string) (string, error) {
	u, err := url.Parse(path)
	if err != nil {
		return "", err
	}
	if u.Path == "/" {
		u.Path = "/index"
	}
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, ".json")+".json", ""
	return u.String(), nil
}

// Post makes a post in timelines, such as "user", "user_private", "group:NAME" or "direct:NAME", and
// returns its number. The uuid may be empty; a post that is sent twice with the same uuid is made
// once.
func (c *Client) Post(ctx context.Context, text, uuid string, timelines ...string) (int64, error) {
	var answer struct{ Post struct{ ID int64 } }
	body := map[string]any{"post": map[string]any{"text": text, "timelines": timelines}, "_uuid": uuid}
	err := c.Do(ctx, http.MethodPost, "/api/v1/posts", body, &answer)
	return answer.Post.ID, err
}

// Comment writes a comment on a post. The uuid may be empty; a comment that is sent twice with the
// same uuid is written once.
func (c *Client) Comment(ctx context.Context, post int64, text, uuid string) (*Comment, error) {
	comment := &Comment{}
	body := map[string]any{"comment": map[string]any{"text": text}, "_uuid": uuid}
	return comment, c.Do(ctx, http.MethodPost, fmt.Sprintf("/api/v1/posts/%d/comments", post), body, comment)
}

// Like likes a post.
func (c *Client) Like(ctx context.Context, post int64) error {
	return c.Do(ctx, http.MethodPost, fmt.Sprintf("/api/v1/posts/%d/likes", post), nil, nil)
}

// Unlike takes a like back.
func (c *Client) Unlike(ctx context.Context, post int64) error {
	return c.Do(ctx, http.MethodDelete, fmt.Sprintf("/api/v1/posts/%d/likes", post), nil, nil)
}

// UUID returns the UUID of a name, always the same for the same name (RFC 9562, version 8, by
// SHA-256). The package for TypeScript has the same function.
func UUID(name string) string {
	h := sha256.Sum256([]byte(name))
	h[6], h[8] = h[6]&0x0f|0x80, h[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])
}
