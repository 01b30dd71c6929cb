package page

import "amstel.dev/amstel/timeline"

// Front is what the front page shows visitors without an account of the people and groups
// in its posts.
type Front struct {
	People []*timeline.UserCard
	Groups []Row
}
