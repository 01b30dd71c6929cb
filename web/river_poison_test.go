package web

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// A poisonous is a node with three posts, one of which can't be rendered.
type poisonous struct {
	still
	out []timeline.PostID
}

func (r *poisonous) Quarantine(post timeline.PostID, _ any) { r.out = append(r.out, post) }

func (r *poisonous) WaitApplied(context.Context) error { return nil }

func (r *poisonous) CacheKey(river.Key, river.At) (river.CacheKey, *timeline.Sets, bool) {
	return river.CacheKey{}, nil, false
}

func (r *poisonous) Visit(ctx context.Context, key river.Key, at river.At) (*river.View, error) {
	v, err := r.still.Visit(ctx, key, at)
	one := v.Entries[0]
	bad := river.Entry{Facts: &timeline.Facts{ID: 78, Author: 3}} // no fold
	last := one
	last.Facts, last.Fold = &timeline.Facts{ID: 79, Author: 3}, &timeline.Fold{Post: 79, Author: 3, Text: timeline.TextFold{Text: "doei"}}
	v.Entries = []river.Entry{one, bad, last}
	v.Entries = slices.DeleteFunc(v.Entries, func(e river.Entry) bool { return slices.Contains(r.out, e.Facts.ID) })
	return v, err
}

// TestPageLeavesOutPostsThatCannotBeRendered: the page leaves out a post that can't be rendered,
// and has all others, from the first request on. The request is routed twice, and is reported
// by its route all the same.
func TestPageLeavesOutPostsThatCannotBeRendered(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/index.json", "/filter/everything.json"} {
		r := &poisonous{}
		var o observed
		s, err := New(Config{Rivers: r, URL: "http://amstel.example", Observer: &o})
		if err != nil {
			t.Fatal(err)
		}
		withoutPrimary(s)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
		body := w.Body.String()
		if w.Code != 200 || !strings.Contains(body, "hoi") || !strings.Contains(body, "doei") {
			t.Errorf("%s: %d %s", path, w.Code, body[:min(300, len(body))])
		}
		if !slices.Equal(r.out, []timeline.PostID{78}) {
			t.Errorf("%s: left out are %v", path, r.out)
		}
		if want := []string{"GET " + strings.TrimSuffix(path, ".json") + " OK"}; !slices.Equal(o.requests, want) {
			t.Errorf("%s is reported as %q, want %q", path, o.requests, want)
		}
	}
}
