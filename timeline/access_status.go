package timeline

import (
	"context"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Statuses that a person or a group can have; see [UserCard].
const (
	statusPublic         = "public"
	statusDisallowRobots = "disallow-robots" // public, but not for search engines
	statusProtected      = "protected"       // everybody signed in
	statusPrivate        = "private"         // approved subscribers
	statusFYEO           = "fyeo"            // nobody but the person
)

// StatusDeleted is that of an account that is not there any more.
const StatusDeleted = "deleted"

// accessOf is the access that a status gives to the feed, the likes and the
// comments of a person, and to a group. A status nobody can choose is closed.
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

// checkStatus says whether a group can have the status, and checkUserStatus
// whether a person can.
func checkStatus(status string) error {
	if a := accessOf(status); a == AccessClosed || a == AccessOwner {
		return &InvalidError{Field: "status", Reason: "must be public, disallow-robots, protected or private", Code: "choice"}
	}
	return nil
}

func checkUserStatus(status string) error {
	if accessOf(status) == AccessClosed {
		return &InvalidError{Field: "status", Reason: "must be public, disallow-robots, protected, private or fyeo", Code: "choice"}
	}
	return nil
}

// approves says whether subscribing to a feed of that status takes its owner's
// consent.
func approves(status string) bool { return accessOf(status) != AccessPublic }

// userTimelines are the timelines that are made with a person, and who may
// read them.
func userTimelines(status string) (kinds []What, access []Access) {
	shown := accessOf(status)
	for what, who := range map[What]Access{
		WhatUser: shown, WhatUserLikes: shown, WhatUserComments: shown,
		WhatUserPrivate: AccessPrivate,
		WhatUserFYEO:    AccessOwner, WhatUserDirects: AccessOwner, WhatUserFavs: AccessOwner, WhatDiscussions: AccessOwner, WhatMentions: AccessOwner,
	} {
		kinds, access = append(kinds, what), append(access, who)
	}
	return kinds, access
}

// setAccess gives timelines an access, and answers those that had another. They
// are locked in the order of their ids first; see [edit.follow].
func setAccess(ctx context.Context, q primary.Querier, access Access, their int64, kinds ...What) ([]TimelineID, error) {
	const lock = `select id from timelines where their_id = $1 and what = any($2) order by id for no key update`
	const query = `
		update timelines set access = $3 where their_id = $1 and what = any($2) and access <> $3 returning id`
	if _, err := q.Exec(ctx, lock, their, kinds); err != nil {
		return nil, err
	}
	rows, err := q.Query(ctx, query, their, kinds, access)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[TimelineID])
}
