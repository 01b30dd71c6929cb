package client

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sent is a request as a test's server got it.
type sent struct {
	Method, Path, Token string
	Body                any
}

// answering returns a client of a server that answers each request alike, and the requests.
func answering(t *testing.T, status int, header http.Header, body string) (*Client, *[]sent) {
	t.Helper()
	var got []sent
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := sent{Method: r.Method, Path: r.URL.String(), Token: r.Header.Get("X-API-Token")}
		_ = json.NewDecoder(r.Body).Decode(&s.Body) // a request without a body
		got = append(got, s)
		for name, values := range header {
			w.Header()[name] = values
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	c, err := New(server.URL, "ab-12")
	if err != nil {
		t.Fatal(err)
	}
	return c.WithHTTP(server.Client()), &got
}

func TestNewRefusesAnAddressWithoutAServer(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "amstel.example", "ftp://amstel.example", "https:///path", "http://[::1"} {
		if _, err := New(address, ""); err == nil {
			t.Errorf("%q is taken as the address of a server", address)
		}
	}
}

func TestClientSendsItsTokenAndBody(t *testing.T) {
	t.Parallel()
	c, got := answering(t, http.StatusOK, nil, `{"post": {"id": 7}, "user": {"id": 3, "name": "bot"}, "id": 9, "text": "Hi"}`)
	ctx := t.Context()
	post, err := c.Post(ctx, "Hello", "u", "user", "group:cats")
	if err != nil || post != 7 {
		t.Errorf("the post has number %d: %v", post, err)
	}
	comment, err := c.Comment(ctx, 7, "Hi", "")
	if err != nil || comment.ID != 9 || comment.Text != "Hi" {
		t.Errorf("the comment is %+v: %v", comment, err)
	}
	if me, err := c.WhoAmI(ctx); err != nil || me.Name != "bot" {
		t.Errorf("the token is of %+v: %v", me, err)
	}
	if err := errors.Join(c.Like(ctx, 7), c.Unlike(ctx, 7)); err != nil {
		t.Error(err)
	}
	for _, path := range []string{"/", "/anna?count=2", "/s?q=a%20b", "/anna/7.json"} {
		if _, err := c.Timeline(ctx, path); err != nil {
			t.Error(err)
		}
	}
	want := []sent{
		{"POST", "/api/v1/posts", "ab-12", map[string]any{"post": map[string]any{"text": "Hello", "timelines": []any{"user", "group:cats"}}, "_uuid": "u"}},
		{"POST", "/api/v1/posts/7/comments", "ab-12", map[string]any{"comment": map[string]any{"text": "Hi"}, "_uuid": ""}},
		{"GET", "/api/v1/whoami", "ab-12", nil},
		{"POST", "/api/v1/posts/7/likes", "ab-12", nil},
		{"DELETE", "/api/v1/posts/7/likes", "ab-12", nil},
		{"GET", "/index.json", "ab-12", nil},
		{"GET", "/anna.json?count=2", "ab-12", nil},
		{"GET", "/s.json?q=a%20b", "ab-12", nil},
		{"GET", "/anna/7.json", "ab-12", nil},
	}
	if diff := cmp.Diff(want, *got); diff != "" {
		t.Error(diff)
	}
}

func TestRefusalIsAnError(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		status int
		body   string
		want   Error
	}{
		{"of the server", 429, `{"error": "Too many.", "code": "throttled"}`, Error{429, "throttled", "Too many.", nil, 7 * time.Second}},
		{"of a field", 422, `{"error": "Text is empty.", "code": "invalid", "fields": {"text": "is empty"}}`,
			Error{422, "invalid", "Text is empty.", map[string]string{"text": "is empty"}, 7 * time.Second}},
		{"of a proxy", 502, "<html>", Error{502, "", "Bad Gateway", nil, 7 * time.Second}},
	} {
		c, _ := answering(t, tt.status, http.Header{"Retry-After": {"7"}}, tt.body)
		var got *Error
		if err := c.Like(t.Context(), 1); !errors.As(err, &got) {
			t.Errorf("%s: %v, want an Error", tt.name, err)
		} else if diff := cmp.Diff(tt.want, *got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestRequestIsRepeatedIfItMayBe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		refusals := []int{503, 429, 502}
		tried := 0
		c, err := New("http://site.test", "")
		if err != nil {
			t.Fatal(err)
		}
		c = c.WithHTTP(&http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			tried++
			if tried == 1 {
				return nil, errors.New("connection refused")
			}
			if tried <= 1+len(refusals) {
				return &http.Response{StatusCode: refusals[tried-2], Header: http.Header{"Retry-After": {"5"}}, Body: http.NoBody}, nil
			}
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(`{"id": 9}`))}, nil
		})})
		ctx := t.Context()
		for _, tt := range []struct {
			name  string
			send  func() error
			tries int
			fails bool
		}{
			{"a page", func() error { _, err := c.Timeline(ctx, "/"); return err }, 5, false},
			{"a comment with a uuid", func() error { _, err := c.Comment(ctx, 7, "Hi", UUID("one")); return err }, 5, false},
			{"a comment without a uuid", func() error { _, err := c.Comment(ctx, 7, "Hi", ""); return err }, 1, true},
			{"a like", func() error { return c.Like(ctx, 7) }, 1, true},
		} {
			tried = 0
			began := time.Now()
			if err := tt.send(); err != nil != tt.fails || tried != tt.tries {
				t.Errorf("%s is sent %d times, and then %v; want %d", tt.name, tried, err, tt.tries)
			}
			if waited := time.Since(began); tt.tries > 1 && waited < 15*time.Second {
				t.Errorf("%s waits %v, though the server asks for three times 5 s", tt.name, waited)
			}
		}
		tried, refusals = 0, slices.Repeat([]int{503}, 1000)
		if _, err := c.Timeline(ctx, "/"); err == nil || tried > 30 {
			t.Errorf("a server that stays away is asked %d times, and then %v", tried, err)
		}
	})
}

// roundTrip is a transport that a test answers.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestUUIDIsValidAndAlwaysTheSame(t *testing.T) {
	t.Parallel()
	// The test of the package for TypeScript has the same value.
	if got, want := UUID("one"), "7692c3ad-3540-8b80-bc02-0b3aee66cd88"; got != want {
		t.Errorf("the UUID of one is %s, want %s", got, want)
	}
}

func TestRiverTellsWhatChanged(t *testing.T) {
	t.Parallel()
	r := &River{Users: map[int64]Card{}, Groups: map[int64]Card{}, page: three(), entries: map[int64]Entry{}}
	for _, s := range shows(r.page) {
		r.entries[s.Post] = Entry{ID: s.Post, Tag: s.Tag}
	}
	var told []Change
	take := func(frame string) (again bool) {
		t.Helper()
		again, err := r.take([]byte(frame), func(_ *River, c Change) error { told = append(told, c); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return again
	}
	take(`{"type": "patch", "epoch": "e", "from": 5, "to": 6, "users": {"8": {"id": 8, "name": "boris"}}, "ops": [
		{"post": 4, "tag": "d", "after": null, "entry": {"id": 4, "tag": "d", "text": "new"}},
		{"post": 2, "tag": "z", "after": 4, "entry": {"id": 2, "tag": "z", "text": "other"}},
		{"post": 1, "gone": true}]}`)
	take(`{"type": "reset", "epoch": "f", "counter": 2, "entries": [
		{"post": 4, "id": 4, "tag": "d", "text": "new"}, {"post": 9, "id": 9, "tag": "n", "text": "late"}]}`)
	take(`{"type": "unread", "count": 3}`)
	take(`{"type": "greeting"}`)
	want := []Change{
		{Added: []Entry{{ID: 4, Tag: "d", Text: "new"}}, Changed: []Entry{{ID: 2, Tag: "z", Text: "other"}}, Gone: []int64{1}},
		{Added: []Entry{{ID: 9, Tag: "n", Text: "late"}}, Gone: []int64{2, 3}},
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Entry{{ID: 4, Tag: "d", Text: "new"}, {ID: 9, Tag: "n", Text: "late"}}, r.Entries()); diff != "" {
		t.Error(diff)
	}
	if r.Users[8].Name != "boris" || r.Unread() != 3 {
		t.Errorf("the river knows %v and %d unread notices", r.Users, r.Unread())
	}
	if !take(`{"type": "patch", "epoch": "f", "from": 7, "to": 8, "ops": []}`) {
		t.Error("a gap does not make the river subscribe again")
	}
	failure := errors.New("the bot fell over")
	_, err := r.take([]byte(`{"type": "patch", "epoch": "f", "from": 2, "to": 8, "ops": [{"post": 4, "gone": true}]}`),
		func(*River, Change) error { return failure })
	if !errors.Is(err, failure) {
		t.Errorf("the error of the function is lost: %v", err)
	}
}
