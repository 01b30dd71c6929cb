package timeline

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Statuses that a person or a group can have; see [UserCard].
const (
	statusPublic         = "public"
	statusDisallowRobots = "disallow-robots" // public, but not for search engines
	statusProtected      = "protected"       // for signed-in viewers
	statusPrivate        = "private"         // for approved subscribers
	statusFYEO           = "fyeo"            // for the person's own eyes only
)

// StatusDeleted is the status of a deleted account.
const StatusDeleted = "deleted"

// StatusSuspended is the status on the card of a suspended account. The table users keeps the status that the account
// has before and after.
const StatusSuspended = "suspended"

// accessOf returns the access that a status gives to the feed, the likes and the comments of a
// person, or to a group. The status "deleted", and any text that is no status, closes them.
func accessOf(status string) Access {
	switch status {
	case statusPublic, statusDisallowRobots:
		return AccessPublic
	case statusProtected:
		return AccessProtected
	case statusPrivate:
		return AccessPrivate
	case statusFYEO:
		return AccessOwner
	}
	return AccessClosed
}

// checkStatus returns an [InvalidError] unless a group can have the status.
func checkStatus(status string) error {
	if a := accessOf(status); a == AccessClosed || a == AccessOwner {
		return &InvalidError{Field: "status", Reason: "must be public, disallow-robots, protected or private", Code: "choice"}
	}
	return nil
}

// checkUserStatus returns an [InvalidError] unless a person can have the status.
func checkUserStatus(status string) error {
	if accessOf(status) == AccessClosed {
		return &InvalidError{Field: "status", Reason: "must be public, disallow-robots, protected, private or fyeo", Code: "choice"}
	}
	return nil
}

// needsApproval reports whether the owner of a feed with that status must approve each
// subscription.
func needsApproval(status string) bool { return accessOf(status) != AccessPublic }

// userTimelines returns the timelines to make for a new person with a status: the kinds of the
// timelines, and in the same order the access of each. With the status "deleted" all of them are closed.
func userTimelines(status string) (kinds []What, access []Access) {
	feedAccess := accessOf(status)
	for what, a := range map[What]Access{
		WhatUser: feedAccess, WhatUserLikes: feedAccess, WhatUserComments: feedAccess,
		WhatUserPrivate: AccessPrivate,
		WhatUserFYEO:    AccessOwner, WhatUserDirects: AccessOwner, WhatUserFavs: AccessOwner, WhatDiscussions: AccessOwner, WhatMentions: AccessOwner,
	} {
		if status == StatusDeleted {
			a = AccessClosed
		}
		kinds, access = append(kinds, what), append(access, a)
	}
	return kinds, access
}

// setAccess sets an access for the timelines of the given kinds that belong to the person or
// group; see [setAccesses].
func setAccess(ctx context.Context, q primary.Querier, access Access, their int64, kinds ...What) ([]TimelineID, error) {
	return setAccesses(ctx, q, their, kinds, slices.Repeat([]Access{access}, len(kinds)))
}

// setAccesses sets the access of the timelines of the given kinds that belong to the person or
// group, and returns the ids of the timelines that had another access. The timelines are locked in
// the order of their ids first; see [postBatch.syncFreshness].
func setAccesses(ctx context.Context, q primary.Querier, their int64, kinds []What, access []Access) ([]TimelineID, error) {
	const lock = `select id from timelines where their_id = $1 and what = any($2) order by id for no key update`
	const query = `
		update timelines t set access = k.access from unnest($2::text[], $3::text[]) k(what, access)
		where t.their_id = $1 and t.what = k.what and t.access <> k.access
		returning t.id`
	if _, err := q.Exec(ctx, lock, their, kinds); err != nil {
		return nil, err
	}
	rows, err := q.Query(ctx, query, their, kinds, access)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[TimelineID])
}
