package faulttest

import (
	"context"
	"fmt"

	"amstel.dev/amstel/internal/plainrule"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
)

// everReadable holds the secrets of the texts that each viewer could read at any time, by
// the plain rule. A frame that shows a viewer another secret is a leak.
type everReadable struct {
	secrets map[timeline.UserID]map[string]bool
	stale   bool // a write was made after the last update
}

// update adds the secrets that each viewer may read now. If the primary is away, e stays
// stale, and [Scenario.step] makes no further write before an update succeeds: so no state
// is missed.
func (e *everReadable) update(s *Scenario) {
	e.stale = true
	site, err := plainrule.Read(context.WithoutCancel(s.Context()), s.Pool)
	if err != nil {
		return // the primary is away
	}
	e.stale = false
	for _, p := range s.pages {
		may := e.secrets[p.Viewer]
		if may == nil {
			may = make(map[string]bool)
			e.secrets[p.Viewer] = may
		}
		// A job of a node may show something again after the write that ended a suspension, and before the next write.
		for _, state := range []*plainrule.Site{site, site.Restored()} {
			for secret := range readable(state, p.Viewer) {
				may[secret] = true
			}
		}
	}
}

// readable returns the secrets of the texts that a viewer may read now.
func readable(site *plainrule.Site, viewer timeline.UserID) map[string]bool {
	may := make(map[string]bool)
	for _, text := range site.Texts(int64(viewer)) {
		for _, secret := range world.Secrets(text) {
			may[secret] = true
		}
	}
	return may
}

// leaks returns a line for each secret that an open page was shown though its viewer could never
// read the text, for each secret on a page now that the viewer may not read now, and for each
// contradiction that the plain rule finds in the primary.
func (s *Scenario) leaks() (found []string) {
	s.Helper()
	site, err := plainrule.Read(s.Context(), s.Pool)
	s.Must(err)
	s.ever.update(s)
	for _, fault := range site.Check() {
		found = append(found, "the primary: "+fault)
	}
	for _, p := range s.pages {
		p.mu.Lock()
		for secret := range p.secrets {
			if !s.ever.secrets[p.Viewer][secret] {
				found = append(found, fmt.Sprintf("the page %s of %s was shown %s", p.Path, s.viewerName(p.Viewer), secret))
			}
		}
		may := readable(site, p.Viewer)
		for post, text := range p.raw {
			for _, secret := range world.Secrets(text) {
				if !may[secret] {
					found = append(found, fmt.Sprintf("the page %s of %s still shows %s of post %d", p.Path, s.viewerName(p.Viewer), secret, post))
				}
			}
		}
		p.mu.Unlock()
	}
	return found
}
