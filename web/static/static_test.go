package static_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"amstel.dev/amstel/web/static"
)

func get(t *testing.T, method, path, etag string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
	if etag != "" {
		r.Header.Set("If-None-Match", etag)
	}
	w := httptest.NewRecorder()
	static.Handler().ServeHTTP(w, r)
	return w
}

func TestPathCarriesAHash(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"amstel.css", "favicon.svg"} {
		stem, ext, _ := strings.Cut(name, ".")
		want := regexp.MustCompile(`^/static/` + stem + `\.[0-9a-f]{12}\.` + ext + `$`)
		if got := static.Path(name); !want.MatchString(got) {
			t.Errorf("Path(%q) = %q, want it to match %v", name, got, want)
		}
	}
	if got := static.Path("nothing.css"); got != "/static/nothing.css" {
		t.Errorf("a file that is not there has the address %q", got)
	}
}

func TestHandler(t *testing.T) {
	t.Parallel()
	const forEver = "public, max-age=31536000, immutable"
	for _, tt := range []struct {
		name, method, path string
		status             int
		kind, cache        string
	}{
		{"a stylesheet by its hash", "GET", static.Path("amstel.css"), 200, "text/css; charset=utf-8", forEver},
		{"an icon by its hash", "GET", static.Path("favicon.svg"), 200, "image/svg+xml", forEver},
		{"a PNG by its hash", "GET", static.Path("icon-512.png"), 200, "image/png", forEver},
		{"an ICO by its hash", "GET", static.Path("favicon.ico"), 200, "image/vnd.microsoft.icon", forEver},
		{"a head has no body", "HEAD", static.Path("amstel.css"), 200, "text/css; charset=utf-8", forEver},
		{"a plain name is asked for again", "GET", "/static/amstel.css", 200, "text/css; charset=utf-8", "no-cache"},
		{"the hash of another build is served as of now", "GET", "/static/amstel.0123456789ab.css", 200, "text/css; charset=utf-8", "no-cache"},
		{"what is not there is not found", "GET", "/static/secret.css", 404, "", ""},
		{"our sources are not served", "GET", "/static/static.go", 404, "", ""},
		{"nothing outside is reached", "GET", "/static/../static/doc.go", 404, "", ""},
		{"writing is refused", "POST", static.Path("amstel.css"), 405, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := get(t, tt.method, tt.path, "")
			if w.Code != tt.status {
				t.Fatalf("status %d, want %d", w.Code, tt.status)
			}
			if tt.status != http.StatusOK {
				return
			}
			if got := w.Header().Get("Content-Type"); got != tt.kind {
				t.Errorf("type %q, want %q", got, tt.kind)
			}
			if got := w.Header().Get("Cache-Control"); got != tt.cache {
				t.Errorf("caching %q, want %q", got, tt.cache)
			}
			if empty := w.Body.Len() == 0; empty != (tt.method == "HEAD") {
				t.Errorf("%d bytes in answer to %s", w.Body.Len(), tt.method)
			}
		})
	}
}

func TestNotModified(t *testing.T) {
	t.Parallel()
	first := get(t, "GET", static.Path("amstel.css"), "")
	again := get(t, "GET", static.Path("amstel.css"), first.Header().Get("ETag"))
	if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("%d with %d bytes, want 304 with none", again.Code, again.Body.Len())
	}
}
