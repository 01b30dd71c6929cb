package web

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// leftOffKeyOf returns the name under which the ends of visits of a page are recorded, and
// reports whether they are recorded: only for pages in the order of freshness, for signed-in
// viewers.
func leftOffKeyOf(key river.Key) (leftOffKey, bool) {
	switch key.What {
	case river.KindPost, river.KindDay, river.KindBestOf, river.KindMostFaved:
		return leftOffKey{}, false
	}
	query := key.Query
	key.Query = ""
	name := key.Descriptor()
	if query != "" { // the words of a search are private: only their hash is stored
		sum := sha256.Sum256([]byte(query))
		name += "?" + base64.RawURLEncoding.EncodeToString(sum[:16])
	}
	return leftOffKey{key.Viewer, name}, key.Viewer != 0
}

// caughtUp returns where the viewer left off the page, which has entries.
func (s *Server) caughtUp(q *request, v *riverPage) (caught caughtUpWith) {
	key, is := leftOffKeyOf(v.address.Key)
	if !is || v.part.Order != river.OrderOwn || v.part.Run != 0 {
		return caught
	}
	l, err := s.leftOffs.leftOff(q.Context(), key)
	if err != nil {
		s.logMissedEffect(q, err)
		return caught
	}
	top := v.part.IsTop()
	caught.kept = top
	if place, at, before := l.LastVisit(s.now()); before {
		caught.left = &page.LeftOff{Cursor: place, At: at, Above: v.part.Before}
		caught.news = q.html && top && v.address.Key.What == river.KindHome && !dismissed(q.Request, at)
	}
	return caught
}

// recordVisit records that the viewer is shown the page down from its first entry, which stands at the place. Only the
// top of a page that is shown to a person is a visit: programs read again and again, and browsers
// prefetch pages that no person may look at. A program that shows a page to a person reports the
// visit itself, see noteSeen.
func (s *Server) recordVisit(q *request, v *riverPage, place timeline.Cursor) {
	if !v.caught.kept || !q.html || q.token || q.Method != http.MethodGet || prefetched(q.Request) {
		return
	}
	key, _ := leftOffKeyOf(v.address.Key)
	s.leftOffs.record(key, place)
	if v.address.Key.What == river.KindHome && s.config.Visited != nil {
		s.config.Visited(key.user)
	}
}

// prefetched reports whether a browser fetches the page only in case the viewer goes
// there.
func prefetched(r *http.Request) bool {
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"} {
		purpose := strings.ToLower(r.Header.Get(name))
		if strings.Contains(purpose, "prefetch") || strings.Contains(purpose, "preview") {
			return true
		}
	}
	return false
}
