package static

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

// FuzzFiles asks for files by any name. Only the embedded files are served, each by its own
// name and by its name with a hash.
func FuzzFiles(f *testing.F) {
	for name, file := range files() {
		f.Add(name)
		f.Add(file.alias)
	}
	for _, name := range []string{"", ".", "..", "../static.go", "static.go", "a.0123456789ab", "amstel.zzzzzzzzzzzz.css", "amstel..css", "/etc/passwd", "\x00", "amstel.0123456789ab.0123456789ab.css"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, &http.Request{Method: http.MethodGet, URL: &url.URL{Path: Prefix + name}, Header: http.Header{}})
		if w.Code != http.StatusOK {
			return
		}
		for _, file := range files() {
			if w.Body.String() == string(file.body) {
				return
			}
		}
		t.Errorf("%q is %q", name, w.Body)
	})
}
