package timeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// The rights of a viewer: each rule is one function. Except for MayAct, a rule assumes that the
// viewer may read the post or the group; see [Sets.MayRead].

// MayAct reports whether the viewer may change anything at all: the viewer is signed in and
// not suspended.
func (s *Sets) MayAct() bool { return s.User != 0 && !s.Suspended && len(s.Own) > 0 }

// MayPost reports whether the viewer may post to a group that the viewer may read. feed is the
// group's timeline; posting is the group's setting: "anybody" lets all signed-in viewers post,
// "members" its subscribers, "admins" its administrators. Administrators always may; a viewer
// the group excludes may not.
func (s *Sets) MayPost(group GroupID, feed TimelineID, posting string) bool {
	switch {
	case !s.MayAct():
		return false
	case s.Administers[group] || posting == postingAnybody && !s.Excluded[feed]:
		return true
	}
	return !s.Excluded[feed] && posting == postingMembers && s.Subscribed[feed]
}

// MayEdit reports whether the viewer may edit a post or a comment: its author may.
func (s *Sets) MayEdit(author UserID) bool { return s.MayAct() && s.User == author }

// MayDeletePost reports whether the viewer may delete a post: its author may, and the
// administrators of the site.
func (s *Sets) MayDeletePost(author UserID) bool {
	return s.MayAct() && (s.User == author || s.Admin && !s.AsMember)
}

// TakesPart reports whether the viewer may add a comment, a like or a favourite to a post that the
// viewer may read. The author may; another viewer may if one of the post's places both lets the
// viewer read the post and does not exclude the viewer. places are the decisive timelines of the
// post.
//
// For example, bob may read the posts of a public group that excludes bob, as all people may. Bob
// can't comment on a post in this group alone, but may comment on a post that is also in a public
// feed that does not exclude bob.
func (s *Sets) TakesPart(author UserID, places []Timeline) bool {
	return s.MayAct() && (s.User == author ||
		slices.ContainsFunc(places, func(t Timeline) bool { return s.Readable(t) && !s.Excluded[t.ID] }))
}

// MayLike reports whether the viewer may like a post or a comment: all may, except its
// author, if they may take part. The caller asks [Sets.TakesPart] too.
func (s *Sets) MayLike(author UserID) bool { return s.MayAct() && s.User != author }

// MayComment reports whether the viewer may comment on a post: all may, or its author alone
// where comments are disabled, if they may take part. The caller asks [Sets.TakesPart] too.
func (s *Sets) MayComment(author UserID, disabled bool) bool {
	return s.MayAct() && (!disabled || s.User == author)
}

// MayDeleteComment reports whether the viewer may delete a comment: the commenter may, the
// people who moderate the post, and the administrators of the site. places are the decisive
// timelines of the post.
func (s *Sets) MayDeleteComment(commenter, author UserID, places []Timeline) bool {
	return s.MayAct() && (s.User == commenter || s.Admin && !s.AsMember) || s.Moderates(author, places)
}

// Moderates reports whether the viewer moderates a post: the author of the post does, and the
// administrators of a group that the post is in. places are the decisive timelines of the post.
// A person who moderates a post may read and delete its comments across a ban; an administrator
// may also read the post across a ban, and take it out of the group. See [Store.PostAcrossBans].
func (s *Sets) Moderates(author UserID, places []Timeline) bool {
	return s.MayAct() && (s.User == author ||
		slices.ContainsFunc(places, func(t Timeline) bool { return t.What == WhatGroup && s.runs(GroupID(t.TheirID)) }))
}

// Across returns the people of a list who are across a ban from the viewer.
func (s *Sets) Across(people []UserID) (across []UserID) {
	if len(s.Bans) == 0 {
		return nil
	}
	for _, id := range people {
		if _, banned := s.Bans[id]; banned {
			across = append(across, id)
		}
	}
	return across
}

// runs reports whether the viewer administers a group, and acts as its administrator.
func (s *Sets) runs(group GroupID) bool { return s.Administers[group] && !s.AsMember }

// MayRemove reports whether the viewer may take a post out of a group: its author may, and
// the administrators of the group.
func (s *Sets) MayRemove(author UserID, group GroupID) bool {
	return s.MayAct() && (s.User == author || s.runs(group))
}

// MayDirect reports whether the viewer may send a direct message to another person, the receiver.
// A message across a ban is refused. directsFrom is the receiver's setting: "anybody", or
// "subscriptions", which refuses messages from people whom the receiver does not follow.
// followsBack says whether the receiver follows the viewer.
func (s *Sets) MayDirect(to UserID, followsBack bool, directsFrom string) bool {
	_, banned := s.Bans[to]
	return s.MayAct() && s.User != to && !banned && (directsFrom == directsFromAnybody || followsBack)
}

// MayManage reports whether the viewer manages a feed, that is, answers requests, invites,
// removes and excludes people: the owner manages a person's feed, and administrators manage
// a group.
func (s *Sets) MayManage(feed Timeline) bool {
	if feed.What == WhatGroup {
		return s.MayAct() && s.runs(GroupID(feed.TheirID))
	}
	return s.MayAct() && feed.What.OfUser() && UserID(feed.TheirID) == s.User
}

// checkActor returns ErrUnauthorized unless the actor is an account that is neither
// suspended nor deleted.
func checkActor(ctx context.Context, q primary.Querier, actor UserID) error {
	const query = `select from users where id = $1 and suspended_at is null and status <> 'deleted'`
	err := q.QueryRow(ctx, query, actor).Scan()
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("user %d: %w", actor, ErrUnauthorized)
	}
	return err
}
