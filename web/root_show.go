package web

import (
	"encoding/json"
	"io"
	"net/http"

	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
	"amstel.dev/amstel/web/static"
)

// robots is robots.txt: the addresses that search engines leave alone. A search engine sees the
// noindex of a page only if it may fetch the page. So robots.txt has no page of a person, a group
// or a post, whose authors may ask for noindex. Pages of hashtags are the only searches to index.
// A pattern that ends with $ does not match names of people and groups that begin with the word.
const robots = `User-agent: *
Allow: /s?q=%23
Disallow: /s?
Disallow: /s$
Disallow: /filter/people
Disallow: /api/
Disallow: /live$
Disallow: /live/
Disallow: /*.json$
Disallow: /*.json?
Disallow: /settings$
Disallow: /settings/
Disallow: /requests$
Disallow: /notifications$
Disallow: /groups/new$
Disallow: /users/
Disallow: /*/edit$
Disallow: /attachments/
Disallow: /feed/
`

// showRobots serves robots.txt.
func showRobots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=3600")
	_, _ = io.WriteString(w, robots) // a client that disconnects is not a server error
}

// showRoot returns a handler that serves a file of package static to clients that look for the
// file at the top of the site.
func showRoot(name, caching string) http.HandlerFunc {
	body, mediaType := static.File(name)
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		w.Header().Set("Cache-Control", caching)
		_, _ = w.Write(body) // a client that disconnects is not a server error
	}
}

// showManifest serves the manifest in the language of the query, or else in the
// site's.
func (s *Server) showManifest(w http.ResponseWriter, r *http.Request) {
	words, known := catalogue.Find(r.URL.Query().Get("lang"))
	if !known {
		words = s.config.Language
	}
	body, err := json.Marshal(page.NewManifest(words, s.siteName()))
	if err != nil {
		panic(err) // texts only
	}
	w.Header().Set("Content-Type", "application/manifest+json")
	w.Header().Set("Content-Language", words.Code())
	w.Header().Set("Cache-Control", "public, max-age=3600")
	_, _ = w.Write(body) // a client that disconnects is not a server error
}
