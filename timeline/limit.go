package timeline

import (
	"context"
	"fmt"
)

// How much of its kind one person or one feed has at most. Sets are read whole,
// and lists are shown whole, so that none may grow without an end. Two who add at
// the same moment may go one beyond.
const (
	maxInvitations  = 1_000  // to one feed, that wait for an answer
	maxExcluded     = 10_000 // from one feed
	maxBans         = 10_000 // by one person
	maxHiddenPeople = 10_000 // by one person
	maxHiddenPosts  = 10_000 // by one person; beyond that the oldest are shown again
	maxMuted        = 10_000 // likes, or comments, of people, by one person
)

// checkRoom answers an [InvalidError] after a row was added where there was no
// room for it: the query counts them, up to its second argument.
func checkRoom(ctx context.Context, q querier, query string, whose any, limit int, whatThere string) error {
	var n int
	if err := q.QueryRow(ctx, query, whose, limit+1).Scan(&n); err != nil {
		return err
	}
	if n > limit {
		return &InvalidError{"name", fmt.Sprintf("can't be added: %s %d already, as many as there can be", whatThere, limit)}
	}
	return nil
}
