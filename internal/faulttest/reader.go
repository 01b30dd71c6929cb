package faulttest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"

	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
)

// runReader visits pages at random until ctx ends. Most of them are in no river that a node
// has, so most visits make a build. Any answer but a page, a redirect, a refusal or 503 fails
// the test.
func (s *Scenario) runReader(ctx context.Context, rnd *rand.Rand) {
	viewers := append([]timeline.UserID{0}, s.writers...)
	for n := 0; s.waitPace(ctx); n++ {
		var path string
		switch rnd.IntN(5) {
		case 0:
			path = fmt.Sprintf("/person%d.json", rnd.IntN(8))
		case 1:
			path = fmt.Sprintf("/group%d.json", rnd.IntN(3))
		case 2:
			path = "/s.json?q=" + url.QueryEscape(world.Words[rnd.IntN(len(world.Words))]+fmt.Sprintf(" -word%d", n))
		case 3:
			path = "/s.json?q=" + url.QueryEscape("#"+world.Tags[rnd.IntN(len(world.Tags))])
		case 4:
			path = fmt.Sprintf("/person%d/%s.json", rnd.IntN(8), []string{"likes", "comments"}[rnd.IntN(2)])
		}
		a, err := s.Get(s.nodes.next(), path, s.existingToken(viewers[rnd.IntN(len(viewers))]))
		if err != nil {
			continue
		}
		switch a.Status {
		case http.StatusOK, http.StatusFound, http.StatusMovedPermanently, http.StatusForbidden, http.StatusNotFound, http.StatusServiceUnavailable:
		default:
			s.Errorf("%s: %d %.300s", path, a.Status, a.Body)
		}
	}
}
