package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"testing"
)

// FuzzOwnPath: in every browser, a redirect leads to a path of this site. The path names no
// other host, neither as it is nor after a redirect has shortened it.
func FuzzOwnPath(f *testing.F) {
	for _, text := range []string{"/", "/alice?page=2#c5", "//evil.example", "/\\evil.example", "/.//evil.example", "/..//evil.example", "/%2f/evil.example", "/%5c/evil.example", "/\u2028/x", "/a/../../evil", "/x?//y", "/#//z",
		"/@evil.example", "/:80", "https:/alice", "/%", "/\t/evil.example", "/;//evil", "/a//b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		own, is := ownPath(text)
		if !is {
			return
		}
		base, err := url.Parse("https://amstel.example/alice")
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		http.Redirect(w, httptest.NewRequest(http.MethodPost, "/alice", nil), own, http.StatusSeeOther)
		for _, to := range []string{own, path.Clean(own), w.Header().Get("Location")} {
			at, err := base.Parse(to)
			if err != nil || at.Host != base.Host || at.Scheme != base.Scheme || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
				t.Errorf("%q leads to %q: %v, %v", text, to, at, err)
			}
		}
	})
}

// FuzzHeaders: the form of an answer depends only on what the client accepts and has cached, by
// its headers.
func FuzzHeaders(f *testing.F) {
	for _, header := range []string{"", "*", "gzip", "gzip;q=0", "gzip; q=0.0", "br, gzip;q=0.5", `W/"x"`, `"x", W/"y"`, "text/html,application/xhtml+xml", "application/json", "text/html;q=0", ",,,", ";", strings.Repeat(",", 1000)} {
		f.Add(header, "/alice.json")
		f.Add(header, "//api/v1/posts")
	}
	f.Fuzz(func(t *testing.T, header, address string) {
		acceptsGzip(header)
		hasTag(header, `W/"x"`)
		r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: address}, Header: http.Header{"Accept": {header}}}
		if at := pagePath(r); !strings.HasPrefix(at, "/") || strings.HasPrefix(at, "//") || len(at) > len(address)+1 {
			t.Errorf("%q is routed as %q", address, at)
		}
		if html := prefersHTML(r); html && strings.HasSuffix(address, ".json") {
			t.Errorf("%q is answered as a page", address)
		}
	})
}
