package page

import "amstel.dev/amstel/timeline"

// Front has the people and groups that the front page shows to visitors without an account:
// those of its posts.
type Front struct {
	People []*timeline.UserCard
	Groups []Row
}
