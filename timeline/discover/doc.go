// Package discover answers those who look for something: people and groups by name
// ([Store.Find]), the directory of groups ([Store.Directory]), people and groups that a
// viewer may want to follow ([Store.Suggest]), the days on which a person wrote
// ([Store.Calendar]), and the searches that a person keeps ([Store.SavedSearches]).
//
// What all of them may know is decided by timeline's visibility rule. Timeline does
// not import discover, and nothing here stands in the change log: no page that is kept
// shows it.
package discover

import (
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// A Store reads what people look for from the primary. It is for use by many
// goroutines.
type Store struct{ store *timeline.Store }

// New returns a store over the primary of another.
func New(store *timeline.Store) *Store { return &Store{store} }

func (s *Store) db() *primary.DB { return s.store.Primary() }
