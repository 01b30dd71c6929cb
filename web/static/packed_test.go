package static_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/andybalholm/brotli"

	"amstel.dev/amstel/web/static"
)

// TestFilesArePacked checks the encoding in which a file is sent, and that the length, the tag and
// the content are those of this encoding.
func TestFilesArePacked(t *testing.T) {
	t.Parallel()
	whole, _ := static.File("amstel.css")
	tags := map[string]string{} // encoding by tag
	for _, tt := range []struct{ name, file, accepts, want string }{
		{"a browser that takes all", "amstel.css", "gzip, deflate, br, zstd", "br"},
		{"a browser without Brotli", "amstel.css", "gzip, deflate", "gzip"},
		{"a client that says nothing", "amstel.css", "", ""},
		{"a client that refuses Brotli", "amstel.css", "br;q=0, gzip;q=0.5", "gzip"},
		{"a client that refuses both", "amstel.css", "br; q=0.0, gzip; q=0", ""},
		{"a picture, which packing makes no smaller", "icon-512.png", "gzip, br", ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", static.Path(tt.file), nil)
		r.Header.Set("Accept-Encoding", tt.accepts)
		w := httptest.NewRecorder()
		static.Handler().ServeHTTP(w, r)
		if got := w.Header().Get("Content-Encoding"); got != tt.want {
			t.Errorf("%s gets %q, want %q", tt.name, got, tt.want)
			continue
		}
		if got := w.Header().Get("Content-Length"); got != strconv.Itoa(w.Body.Len()) || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: the length is %s, want %d; it varies by %q", tt.name, got, w.Body.Len(), w.Header().Get("Vary"))
		}
		if tt.file != "amstel.css" {
			continue
		}
		if before, known := tags[w.Header().Get("ETag")]; known && before != tt.want {
			t.Errorf("%s: the tag is that of %q", tt.name, before)
		}
		tags[w.Header().Get("ETag")] = tt.want
		if got := unpacked(t, tt.want, w.Body); !bytes.Equal(got, whole) {
			t.Errorf("%s gets %d bytes, want %d", tt.name, len(got), len(whole))
		}
	}
}

func unpacked(t *testing.T, encoding string, body io.Reader) []byte {
	t.Helper()
	var err error
	switch encoding {
	case "br":
		body = brotli.NewReader(body)
	case "gzip":
		body, err = gzip.NewReader(body)
	}
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return got
}
