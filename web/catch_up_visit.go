package web

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/web/page"
)

// placed says under which name it is kept where somebody left off a page, and
// whether it is: of pages that go by what is fresh.
func placed(key river.Key) (placeKey, bool) {
	switch key.What {
	case river.KindPost, river.KindDay, river.KindBestOf, river.KindMostFaved:
		return placeKey{}, false
	}
	query := key.Query
	key.Query = ""
	name := key.Descriptor()
	if query != "" { // what somebody searched for is nothing to keep
		sum := sha256.Sum256([]byte(query))
		name += "?" + base64.RawURLEncoding.EncodeToString(sum[:16])
	}
	return placeKey{key.Viewer, name}, key.Viewer != 0
}

// catchUp finds where somebody left off the page, and notes what he is shown of
// it now. Only the top of a page that is shown to a person is a visit: programs
// look again and again, and browsers fetch what nobody may ever see. A program
// that shows a page to somebody says so itself, see [Server.noteSeen].
func (s *Server) catchUp(q *request, v *visited) {
	key, is := placed(v.address.Key)
	if !is || v.part.Order != river.OrderOwn || v.part.Run != 0 || len(v.view.Entries) == 0 {
		return
	}
	now := s.now()
	l, err := s.places.leftOff(q.Context(), key)
	if err != nil {
		s.logMissedEffect(q, err)
		return
	}
	top := v.part.IsTop()
	v.caught.kept = top
	if place, at, before := l.Before(now); before {
		v.caught.left = &page.LeftOff{Place: place, At: at, Above: v.part.Before}
		if q.html && top && v.address.Key.What == river.KindHome && !putAway(q.Request, at) {
			v.caught.box = s.whatHappened(q, v.address.Key, *v.caught.left)
		}
	}
	if top && q.html && !q.token && q.Method == http.MethodGet && !prefetched(q.Request) {
		s.places.see(key, v.view.Entries[0].Place)
	}
}

// prefetched says whether a browser asks for the page in case somebody goes there.
func prefetched(r *http.Request) bool {
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"} {
		purpose := strings.ToLower(r.Header.Get(name))
		if strings.Contains(purpose, "prefetch") || strings.Contains(purpose, "preview") {
			return true
		}
	}
	return false
}
