package web

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"

	"amstel.dev/amstel/web/page"
)

// showOffline shows the page that replaces all others while the browser has no connection. All
// readers of a language get the same page, because the next reader of the browser may see it.
func (s *Server) showOffline(w http.ResponseWriter, q *request) error {
	return s.page(w, q, http.StatusOK, page.Offline(q.words))
}

// readerHeader is the header by which a page names its reader, so that a service worker keeps
// each reader's pages apart.
const readerHeader = "Amstel-Reader"

// setReader sets the name of a page's reader. The name is a hash of the session, which does not
// reveal the session's secret; all readers without a session have the same name.
func setReader(w http.ResponseWriter, q *request) {
	name := "anyone"
	if q.who.signedIn() {
		sum := sha256.Sum256(append([]byte("reader "), q.who.Hash...))
		name = base64.RawURLEncoding.EncodeToString(sum[:12])
	}
	w.Header().Set(readerHeader, name)
}
