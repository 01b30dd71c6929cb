package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
)

func TestHotPages(t *testing.T) {
	t.Parallel()
	h := newHotPages(10_000)
	current := func(address string, validator hotValidator) (*hotPage, bool) {
		page, held := h.get(address)
		return page, held && page.validator == validator
	}
	seven := river.CacheKey{Epoch: "e", Changed: 7}
	validator := hotValidator{page: seven}
	body := []byte(strings.Repeat("<p>amstel</p>", 50))
	page := newHotPage("h/alice", validator, "build", rendering{body: body, kind: htmlType, language: "en"})
	h.put(page)
	if got, held := current("h/alice", validator); !held || got != page {
		t.Error("a page that was put is not there")
	}
	for name, other := range map[string]hotValidator{
		"another epoch":         {page: river.CacheKey{Epoch: "f", Changed: 7}},
		"a later state":         {page: river.CacheKey{Epoch: "e", Changed: 8}},
		"with a banner":         {page: seven, behind: true},
		"with more readers":     {page: seven, counts: headCounts{true, 1, 0}},
		"with another language": {page: seven, around: "nl"},
	} {
		if _, held := current("h/alice", other); held {
			t.Errorf("%s: the old page is served", name)
		}
		if newHotPage("h/alice", other, "build", rendering{body: body, kind: htmlType, language: "en"}).etag == page.etag {
			t.Errorf("%s: the tag is the same", name)
		}
	}
	if _, held := current("j/alice", validator); held {
		t.Error("HTML is served as JSON")
	}
	if newHotPage("h/alice", validator, "another build", rendering{body: body, kind: htmlType, language: "en"}).etag == page.etag {
		t.Error("another build's page has the same tag")
	}

	// The cache is bounded, and requested pages stay in it.
	for i := range 100 {
		h.put(newHotPage(fmt.Sprint("h/", i), validator, "build", rendering{body: body, kind: htmlType, language: "en"}))
		if _, held := current("h/alice", validator); !held {
			t.Fatalf("the page that all visitors ask for was dropped after %d others", i)
		}
	}
	if bytes := h.held.Bytes(); bytes > 10_000 || bytes < 5*page.size() {
		t.Errorf("%d bytes are held", bytes)
	}
	h.put(newHotPage("h/huge", validator, "build", rendering{body: bytes.Repeat([]byte("no gain "), 10_000), kind: htmlType, language: "en"}))
	if bytes := h.held.Bytes(); bytes > 10_000 {
		t.Errorf("%d bytes are held", bytes)
	}
}

var defaultSite = timeline.DefaultSite()

// A still is a node with one river of one post. It counts the visits of the river.
type still struct {
	noRivers
	visits int
	age    time.Duration
}

func (r *still) Age() time.Duration            { return r.age }
func (r *still) Name(river.Key, []byte) string { return "name" }
func (r *still) Site() timeline.SiteSettings   { return defaultSite }

func (r *still) CacheKey(river.Key, river.At) (river.CacheKey, *timeline.Sets, bool) {
	return river.CacheKey{Epoch: "epoch", Changed: 7}, &timeline.Sets{}, true
}

func (r *still) Visit(_ context.Context, key river.Key, _ river.At) (*river.View, error) {
	r.visits++
	fold := &timeline.Fold{Post: 77, Author: 3, Text: timeline.TextFold{Text: "hoi"}}
	return &river.View{
		Key: key, Epoch: "epoch", Changed: 7, Live: true, Sets: &timeline.Sets{},
		Entries: []river.Entry{{Facts: &timeline.Facts{ID: 77, Author: 3}, Fold: fold}},
		Users:   map[timeline.UserID]*timeline.UserCard{3: {ID: 3, Name: "alice", DisplayName: "Alice"}},
	}, nil
}

// The test counts allocations, so it does not run in parallel with others.
func TestHotPageCostsNoVisit(t *testing.T) {
	r := &still{}
	s, err := New(Config{Rivers: r, URL: "http://amstel.example"})
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string) string {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
		if w.Code != 200 || !strings.Contains(w.Body.String(), "hoi") {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		return w.Body.String()
	}
	// Without a primary the numbers of readers can't be counted, so they are cached.
	withoutPrimary(s)
	alice := address.Account{User: 3}
	for _, follows := range []bool{false, true} {
		s.counts.held.Put(counter{whose: alice, follows: follows}, counted{n: 2}, s.now())
	}
	for i, path := range []string{"/", "/index.json", "/alice/77", "/?page=2", "/alice", "/alice.json?count=5",
		"/filter/everything/nl", "/filter/best_of", "/filter/best_of?period=day", "/filter/best_of/nl", "/filter/most_faved/nl.json?period=day", "/s?q=%23hoi+%23daar", "/s?q=%23hoi+%23daar&page=2"} {
		first := get(path)
		if again := get(path); again != first || r.visits != i+1 {
			t.Errorf("%s took %d visits", path, r.visits-i)
		}
		// Parameters that do not belong to the address make no separate page.
		if get(path + map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")] + "utm_source=somewhere"); r.visits != i+1 {
			t.Errorf("%s with something else in the query is another page", path)
		}
	}
	r.age = time.Minute
	if page := get("/"); strings.Contains(page, `id="banner" role="status" hidden`) {
		t.Error("a page from before is shown without the banner")
	}
	if testing.Short() {
		return // the short tests are compiled without inlining, and so have more allocations
	}
	request := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
	if n := testing.AllocsPerRun(100, func() { s.ServeHTTP(httptest.NewRecorder(), request) }); n > 60 {
		t.Errorf("a hot page takes %v allocations", n)
	}
}

func TestHotPageIsServed(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("<p>amstel</p>", 500)
	page := newHotPage("h/alice", hotValidator{}, "build", rendering{body: []byte(body), kind: htmlType, language: "en"})
	for _, tt := range []struct {
		name, accept, match string
		status              int
		packed              bool
	}{
		{"plain", "", "", 200, false},
		{"packed", "br, gzip;q=0.8", "", 200, true},
		{"gzip refused", "gzip;q=0", "", 200, false},
		{"held already", "gzip", `W/"other", ` + page.etag, 304, false},
		{"held already, said strongly", "", strings.TrimPrefix(page.etag, "W/"), 304, false},
		{"another held", "", `"other"`, 200, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("GET", "/alice", nil)
			r.Header.Set("Accept-Encoding", tt.accept)
			r.Header.Set("If-None-Match", tt.match)
			w := httptest.NewRecorder()
			page.serve(w, r)
			if w.Code != tt.status || w.Header().Get("ETag") != page.etag || (w.Header().Get("Content-Encoding") == "gzip") != tt.packed {
				t.Fatalf("%d %v", w.Code, w.Header())
			}
			var got io.Reader = w.Body
			if tt.packed {
				z, err := gzip.NewReader(w.Body)
				if err != nil {
					t.Fatal(err)
				}
				got = z
			}
			text, err := io.ReadAll(got)
			if err != nil {
				t.Fatal(err)
			}
			if want := body; tt.status == 200 && string(text) != want || tt.status == 304 && len(text) > 0 {
				t.Errorf("%d bytes", len(text))
			}
		})
	}
}
