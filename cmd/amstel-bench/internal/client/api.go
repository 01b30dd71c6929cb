package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/timeline"
)

// apiAtOnce is how many connections a client of the API keeps at most.
const apiAtOnce = 100

// An api makes requests to a site in the names of people.
type api struct {
	client   *http.Client
	site     string
	received atomic.Int64 // how many bytes the site sent
}

// newAPI returns an api without a site.
func newAPI() *api {
	a := &api{}
	a.client = &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: apiAtOnce, DialContext: a.dial}}
	return a
}

// dial makes a connection of which the received bytes are counted.
func (a *api) dial(ctx context.Context, network, address string) (net.Conn, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return countedConn{conn, &a.received}, nil
}

// A countedConn is a connection that counts the bytes that it receives.
type countedConn struct {
	net.Conn
	received *atomic.Int64
}

// Read reads and counts bytes.
func (c countedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.received.Add(int64(n))
	return n, err
}

// request sends a request of the person to whom the token belongs, or of a visitor if it is empty, and reads the answer. A
// status other than 200 and 201 is an error.
func (a *api) request(ctx context.Context, token, method, path string, body []byte) (took time.Duration, answer []byte, err error) {
	begun := time.Now()
	request, err := http.NewRequestWithContext(ctx, method, a.site+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	if token != "" {
		request.Header.Set("X-API-Token", token)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := a.client.Do(request)
	if err != nil {
		return time.Since(begun), nil, err
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(response.Body)
	took = time.Since(begun)
	if err == nil && response.StatusCode != http.StatusOK && response.StatusCode != http.StatusCreated {
		kind, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		if !strings.HasPrefix(path, "/api/") {
			kind = "page"
		}
		err = fmt.Errorf("%s %s: %s: %.120s", method, kind, response.Status, answer)
	}
	return took, answer, err
}

// newPost returns the path and the body of a request that publishes a post in its author's feed.
func newPost(text string) (path string, body []byte) {
	return "/api/v1/posts", encoded(map[string]any{"post": map[string]any{"text": text, "timelines": []string{"user"}}})
}

// newComment returns the path and the body of a request that comments on a post.
func newComment(post timeline.PostID, text string) (path string, body []byte) {
	return fmt.Sprintf("/api/v1/posts/%d/comments", post), encoded(map[string]any{"comment": map[string]any{"text": text}})
}

// createdPost returns the id of the post in the answer to a request that published it.
func createdPost(answer []byte) (timeline.PostID, error) {
	var made struct {
		Post struct {
			ID timeline.PostID `json:"id"`
		} `json:"post"`
	}
	err := json.Unmarshal(answer, &made)
	return made.Post.ID, err
}

// encoded returns texts and lists of texts as JSON.
func encoded(value map[string]any) []byte {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err) // impossible: text can be encoded
	}
	return body
}
