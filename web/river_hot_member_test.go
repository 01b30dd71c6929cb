package web

import (
	"fmt"
	"os"
	"regexp"
	"sync/atomic"

	"github.com/google/go-cmp/cmp"
)

// Of a cached page and a new rendering in the same state, these parts may differ: the node's counter and position, which
// rise while the page stays the same, the time of the answer, and the names of forms.
var mayDiffer = regexp.MustCompile(`"timestamp":"[^"]*"|"(counter|position)":\d+|data-(counter|position)="\d+"|name="_uuid" value="[^"]*"`)

// keptUUID matches the name of a form, as a page has it that is rendered for one answer.
var keptUUID = regexp.MustCompile(`name="_uuid" value="[^"]`)

// verified counts the cached pages of members that were compared with new renderings.
var verified atomic.Int64

// In all tests of this package, a cached page of a member that differs from a new rendering ends the tests.
func init() {
	verifyHot = func(s *Server, q *request, v riverPage, held *hotPage) {
		if !q.who.signedIn() {
			return
		}
		var err error
		if v.view, err = s.rivers.Visit(q.Context(), v.address.Key, v.part.At); err != nil {
			return
		}
		v.facts = s.factsFor(q, v.view.Sets, v.address)
		v.caught = s.caughtUp(q, &v)
		validator, ok := s.hotValidator(q, &v, v.view.CacheKey(), v.view.Sets)
		if !ok || validator != held.validator {
			return // a change came in between
		}
		if v.caught.news {
			v.caught.box = s.catchUpBox(q, v.address.Key, *v.caught.left)
		}
		render := s.renderJSON
		if q.html {
			render = s.renderHTML
		}
		fresh, err := render(q, &v)
		if err != nil {
			return
		}
		// A change may also come while the page is rendered. Then the page is outdated before it is kept.
		if key, sets, known := s.rivers.CacheKey(v.address.Key, v.part.At); known {
			if now, ok := s.hotValidator(q, &v, key, sets); !ok || now != validator {
				return
			}
		}
		verified.Add(1)
		for _, one := range held.pieces {
			if keptUUID.Match(one.bytes) {
				fmt.Fprintf(os.Stderr, "the cached page %s has the name of a form, which must be another one each time\n", v.address.Path)
				os.Exit(1)
			}
		}
		of := func(pieces []piece) string { return mayDiffer.ReplaceAllString(string(wholeBody(pieces)), "") }
		if diff := cmp.Diff(of(held.pieces), of(fresh.pieces)); diff != "" {
			fmt.Fprintf(os.Stderr, "a cached page of a member differs from a new rendering at %s (-cached +new):\n%s\n", v.address.Path, diff)
			os.Exit(1)
		}
	}
}
