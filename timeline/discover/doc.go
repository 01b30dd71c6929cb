// Package discover finds what people look for: people and groups by name ([Store.Find]), the
// directory of groups ([Store.Directory]), people and groups that a viewer may want to follow
// ([Store.Suggest]), the days on which a person wrote ([Store.Calendar]), and the searches that
// a person has saved ([Store.SavedSearches]).
//
// The visibility rule of package timeline decides what each viewer may know. Timeline does not
// import discover. No page of a river shows these results, so their changes are not in the
// change log.
package discover

import (
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// A Store reads the primary for this package. Many goroutines may use it at once.
type Store struct{ store *timeline.Store }

// New returns a store that reads the same primary as the given store.
func New(store *timeline.Store) *Store { return &Store{store} }

func (s *Store) db() *primary.DB { return s.store.Primary() }
