package timeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Who may do what: each rule is one function. All but the first suppose that
// what is asked about may be seen, see [Sets.MayRead].

// MayAct says whether the viewer may change anything at all: he is signed in,
// and not suspended.
func (s *Sets) MayAct() bool { return s.User != 0 && !s.Suspended && len(s.Own) > 0 }

// MayPost says whether the viewer may post to a group that he may read: as its
// settings say, everybody signed in, its subscribers, or its administrators.
// Administrators always may.
func (s *Sets) MayPost(group GroupID, feed TimelineID, posting string) bool {
	switch {
	case !s.MayAct():
		return false
	case s.Administers[group] || posting == postingAnybody && !s.Excluded[feed]:
		return true
	}
	return !s.Excluded[feed] && posting == postingMembers && s.Subscribed[feed]
}

// MayEdit says whether the viewer may edit a post or a comment: its author may.
func (s *Sets) MayEdit(author UserID) bool { return s.MayAct() && s.User == author }

// MayDeletePost says whether the viewer may delete a post: its author may, and
// the administrators of the site.
func (s *Sets) MayDeletePost(author UserID) bool {
	return s.MayAct() && (s.User == author || s.Admin)
}

// TakesPart says whether the viewer may add to a post that he may read, by a
// comment, a like, a favourite: its author may, and anybody else unless all the
// places that let him read it exclude him.
func (s *Sets) TakesPart(author UserID, places []Timeline) bool {
	return s.MayAct() && (s.User == author ||
		slices.ContainsFunc(places, func(t Timeline) bool { return s.Readable(t) && !s.Excluded[t.ID] }))
}

// MayLike says whether the viewer may like a post or a comment, or make the post
// a favourite: anybody who takes part but its author.
func (s *Sets) MayLike(author UserID) bool { return s.MayAct() && s.User != author }

// MayComment says whether the viewer may comment on a post: anybody who takes
// part, or its author alone where comments are disabled.
func (s *Sets) MayComment(author UserID, disabled bool) bool {
	return s.MayAct() && (!disabled || s.User == author)
}

// MayDeleteComment says whether the viewer may delete a comment: whoever wrote
// it, the author of the post, the administrators of a group that the post is in,
// and those of the site.
func (s *Sets) MayDeleteComment(commenter, author UserID, places []Timeline) bool {
	return s.MayAct() && (s.User == commenter || s.User == author || s.Admin ||
		slices.ContainsFunc(places, func(t Timeline) bool { return t.What == WhatGroup && s.Administers[GroupID(t.TheirID)] }))
}

// MayRemove says whether the viewer may take a post out of a group: its author
// may, and the administrators of the group.
func (s *Sets) MayRemove(author UserID, group GroupID) bool {
	return s.MayAct() && (s.User == author || s.Administers[group])
}

// MayDirect says whether the viewer may send somebody a direct message: not to
// himself, nobody across a ban, and where the receiver wants directs from his
// subscriptions only, those whom the receiver follows.
func (s *Sets) MayDirect(to UserID, followsBack bool, directsFrom string) bool {
	_, banned := s.Bans[to]
	return s.MayAct() && s.User != to && !banned && (directsFrom == directsFromAnybody || followsBack)
}

// MayKeep says whether the viewer decides who is in a feed, by answering
// requests, inviting, removing and excluding people: the person whose it is, or
// the administrators of the group.
func (s *Sets) MayKeep(feed Timeline) bool {
	if feed.What == WhatGroup {
		return s.MayAct() && s.Administers[GroupID(feed.TheirID)]
	}
	return s.MayAct() && feed.What.OfUser() && UserID(feed.TheirID) == s.User
}

// checkActor answers ErrUnauthorized for who is nobody, suspended or deleted.
func checkActor(ctx context.Context, q primary.Querier, actor UserID) error {
	const query = `select from users where id = $1 and suspended_at is null and status <> 'deleted'`
	err := q.QueryRow(ctx, query, actor).Scan()
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("user %d: %w", actor, ErrUnauthorized)
	}
	return err
}
