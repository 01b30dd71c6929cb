package timeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// maxDestinations is the largest number of places to which a post can be sent at once.
const maxDestinations = 50

// destinations are the places that an author names for a post.
type destinations struct {
	own     []What   // the author's own timelines
	groups  []string // by name
	directs []string // by name
}

// parseDestinations reads destinations: "user", "user_private", "user_fyeo", "group:NAME" and
// "direct:NAME". It refuses to combine direct messages, or the author's eyes only, with any other
// destination: an author who does so has made a mistake, which can't be undone once other people
// have read the post.
func parseDestinations(to []string) (destinations, error) {
	var d destinations
	if len(to) == 0 {
		return d, &InvalidError{Field: "timelines", Reason: "are empty: choose where to post", Code: "where"}
	}
	if len(to) > maxDestinations {
		return d, &InvalidError{Field: "timelines", Reason: fmt.Sprintf("are more than %d", maxDestinations), Code: "places"}
	}
	for _, place := range to {
		kind, name, named := strings.Cut(place, ":")
		name = strings.ToLower(name)
		switch {
		case !text.Valid(place):
			return d, &InvalidError{Field: "timelines", Reason: "are not valid UTF-8 text", Code: "characters"}
		case kind == "group" && name != "":
			d.groups = append(d.groups, name)
		case kind == "direct" && name != "":
			d.directs = append(d.directs, name)
		case !named && (kind == string(WhatUser) || kind == string(WhatUserPrivate) || kind == string(WhatUserFYEO)):
			d.own = append(d.own, What(kind))
		default:
			return d, &InvalidError{Field: "timelines", Reason: fmt.Sprintf("have %.60q, which is none of user, user_private, user_fyeo, group:NAME, direct:NAME", place)}
		}
	}
	d.own, d.groups, d.directs = unique(d.own), unique(d.groups), unique(d.directs)
	public := len(d.own)+len(d.groups) > 0
	switch {
	case len(d.directs) > 0 && public:
		return d, &InvalidError{Field: "timelines", Reason: "mix direct messages with other places", Code: "mixed_direct"}
	case slices.Contains(d.own, WhatUserFYEO) && len(d.own)+len(d.groups) > 1:
		return d, &InvalidError{Field: "timelines", Reason: "mix your eyes only with other places", Code: "mixed_fyeo"}
	}
	return d, nil
}

func unique[T ~string](list []T) []T {
	slices.Sort(list)
	return slices.Compact(list)
}

// everything reports whether a post with these destinations enters the timeline of everything.
// Readers of that timeline see only the posts that they may read.
func (d destinations) everything() bool {
	return len(d.groups) > 0 || slices.Contains(d.own, WhatUser) || slices.Contains(d.own, WhatUserPrivate)
}

// resolve returns the decisive timelines of the destinations, sorted. It returns an
// error if the author may not post to one of them; timelines in already are not checked
// again.
func (d destinations) resolve(ctx context.Context, q primary.Querier, author *Sets, already []TimelineID) ([]TimelineID, error) {
	var places []TimelineID
	for _, what := range d.own {
		places = append(places, author.Own[what])
	}
	groups, err := d.resolveGroups(ctx, q, author, already)
	if err != nil {
		return nil, err
	}
	directs, err := d.resolveDirects(ctx, q, author, already)
	if err != nil {
		return nil, err
	}
	places = append(append(places, groups...), directs...)
	slices.Sort(places)
	return slices.Compact(places), nil // two names may be one person's: the present name and an earlier one
}

func (d destinations) resolveGroups(ctx context.Context, q primary.Querier, author *Sets, already []TimelineID) ([]TimelineID, error) {
	const query = `
		select n.name, g.posting, t.id, t.what, t.their_id, t.access
		from names n
		join groups g on n.what = 'group' and g.id = n.their_id
		join timelines t on t.what = 'group' and t.their_id = g.id
		where n.name = any($1) and g.status <> 'deleted'`
	type target struct {
		name, posting string
		feed          Timeline
	}
	if len(d.groups) == 0 {
		return nil, nil
	}
	rows, err := q.Query(ctx, query, d.groups)
	if err != nil {
		return nil, err
	}
	var t target
	found := make(map[string]target)
	_, err = pgx.ForEachRow(rows, []any{&t.name, &t.posting, &t.feed.ID, &t.feed.What, &t.feed.TheirID, &t.feed.Access}, func() error {
		found[t.name] = t
		return nil
	})
	if err != nil {
		return nil, err
	}
	var places []TimelineID
	for _, name := range d.groups {
		t, known := found[name]
		if !known {
			return nil, &InvalidError{Field: "timelines", Reason: fmt.Sprintf("name a group that does not exist: %.60q", name), Code: "no_group", Name: name}
		}
		may := author.Readable(t.feed) && author.MayPost(GroupID(t.feed.TheirID), t.feed.ID, t.posting)
		if !may && !slices.Contains(already, t.feed.ID) {
			return nil, fmt.Errorf("to group %q: %w", name, ErrForbidden)
		}
		places = append(places, t.feed.ID)
	}
	return places, nil
}

func (d destinations) resolveDirects(ctx context.Context, q primary.Querier, author *Sets, already []TimelineID) ([]TimelineID, error) {
	const query = `
		select n.name, u.id, u.directs_from, t.id, exists (
			select from subscriptions s where s.user_id = u.id and s.timeline_id = $2)
		from names n
		join users u on n.what = 'user' and u.id = n.their_id
		join timelines t on t.what = 'user_directs' and t.their_id = u.id
		where n.name = any($1) and u.status <> 'deleted'`
	type target struct {
		name, from string
		user       UserID
		directs    TimelineID
		follows    bool
	}
	if len(d.directs) == 0 {
		return nil, nil
	}
	rows, err := q.Query(ctx, query, d.directs, author.Own[WhatUser])
	if err != nil {
		return nil, err
	}
	var t target
	found := make(map[string]target)
	_, err = pgx.ForEachRow(rows, []any{&t.name, &t.user, &t.from, &t.directs, &t.follows}, func() error {
		found[t.name] = t
		return nil
	})
	if err != nil {
		return nil, err
	}
	places := []TimelineID{author.Own[WhatUserDirects]}
	for _, name := range d.directs {
		t, known := found[name]
		switch {
		case !known:
			return nil, &InvalidError{Field: "timelines", Reason: fmt.Sprintf("name a person who does not exist: %.60q", name), Code: "no_person", Name: name}
		case t.user == author.User:
			return nil, &InvalidError{Field: "timelines", Reason: "have a direct message to yourself", Code: "self_direct"}
		case !author.MayDirect(t.user, t.follows, t.from) && !slices.Contains(already, t.directs):
			return nil, fmt.Errorf("direct to %q: %w", name, ErrForbidden)
		}
		places = append(places, t.directs)
	}
	return places, nil
}

// AddRecipients sends a direct message of the actor's to more people, by their names. The error is
// [ErrNotFound] if the actor may not read the post, [ErrForbidden] if another person wrote the
// post, and an [InvalidError] if the post is not a direct message.
func (s *Store) AddRecipients(ctx context.Context, actor UserID, post PostID, names []string) (err error) {
	defer primary.Wrap(&err, "add recipients of post %d", post)
	to := make([]string, len(names))
	for i, name := range names {
		to[i] = "direct:" + name
	}
	d, err := parseDestinations(to)
	if err != nil {
		return err
	}
	return s.withPost(ctx, actor, post, func(tx *txn, p *lockedPost) error {
		if !p.sets.MayEdit(p.Author) {
			return ErrForbidden
		}
		if !p.direct() {
			return errNoDirect
		}
		places, err := p.directPlaces(ctx, tx, d, true)
		if err != nil {
			return err
		}
		if err := s.changePost(ctx, tx, p, postChange{places: places}); err != nil {
			return err
		}
		return tx.notifyOfPost(ctx, s.db.Now(), post, actor)
	})
}

// errNoDirect is the error of an action that is only for direct messages.
var errNoDirect = &InvalidError{Field: "post", Reason: "is not a direct message"}

// directPlaces returns the places of a direct message after its author sends the message to
// these people. The author can't take a direct message back from a recipient: without more,
// people must include each recipient whom the author can see. With more, people are additional
// recipients.
func (p *lockedPost) directPlaces(ctx context.Context, q primary.Querier, to destinations, more bool) ([]TimelineID, error) {
	places, err := to.resolve(ctx, q, p.sets, p.placeIDs())
	if err != nil {
		return nil, err
	}
	for _, t := range p.places {
		if slices.Contains(places, t.ID) {
			continue
		}
		_, banned := p.sets.Bans[UserID(t.TheirID)]
		if !more && !banned && t.Access != AccessClosed {
			return nil, &InvalidError{Field: "timelines", Reason: "leave out a recipient of the direct message: recipients can't be removed", Code: "recipients"}
		}
		places = append(places, t.ID)
	}
	if len(places) > maxDestinations+1 {
		return nil, &InvalidError{Field: "timelines", Reason: fmt.Sprintf("are more than %d", maxDestinations), Code: "places"}
	}
	slices.Sort(places)
	return places, nil
}

// LeaveDirect removes the actor from the recipients of a direct message. It returns [ErrForbidden]
// for the author of the message, who can delete it instead, [ErrNotFound] if the actor may not read
// the post, and an [InvalidError] if the post is not a direct message.
func (s *Store) LeaveDirect(ctx context.Context, actor UserID, post PostID) (err error) {
	defer primary.Wrap(&err, "leave direct message %d", post)
	return s.withPost(ctx, actor, post, func(tx *txn, p *lockedPost) error {
		switch {
		case !p.direct():
			return errNoDirect
		case actor == p.Author:
			return fmt.Errorf("its author deletes a direct message, and does not leave it: %w", ErrForbidden)
		}
		tx.Revokes()
		places := slices.DeleteFunc(p.placeIDs(), func(id TimelineID) bool { return id == p.sets.Own[WhatUserDirects] })
		if err := s.changePost(ctx, tx, p, postChange{places: places}); err != nil {
			return err
		}
		return tx.notifyOfLeaving(ctx, s.db.Now(), post, actor)
	})
}

// RemoveFromGroup removes a post from a group. The author of the post may do so, and so may the
// administrators of the group, even across a ban. The post stays in its other places. If the group
// was the only place, the post moves to the timeline for its author's eyes only. The error is
// [ErrNotFound] if there is no such group or the actor sees no such post, and [ErrForbidden] if the
// actor may not remove the post.
func (s *Store) RemoveFromGroup(ctx context.Context, actor UserID, post PostID, group string) (err error) {
	defer primary.Wrap(&err, "post %d in group %q", post, group)
	return s.write(ctx, func(tx *txn) error {
		id, err := findGroup(ctx, tx, group)
		if err != nil {
			return err
		}
		p, err := lockPost(ctx, tx, actor, post)
		if err != nil {
			return err
		}
		return s.removeFromGroup(ctx, tx, p, id)
	})
}

// removeFromGroup removes a locked post from a group, and records that if an administrator of the group does it.
func (s *Store) removeFromGroup(ctx context.Context, tx *txn, p *lockedPost, group GroupID) error {
	tx.Revokes()
	is, may := p.isIn(group), p.sets.MayRemove(p.Author, group)
	switch {
	case !p.readable && !(is && may):
		return ErrNotFound
	case !may:
		return ErrForbidden
	case !is:
		return nil
	case p.sets.User == p.Author:
		return s.leaveGroup(ctx, tx, p, group)
	}
	_, err := s.takeOut(ctx, tx, p, group, JournalEntry{By: p.sets.User, User: p.Author, Group: group})
	return err
}

// isIn reports whether a post is in a group.
func (p *lockedPost) isIn(group GroupID) bool {
	return slices.ContainsFunc(p.places, func(t Timeline) bool { return t.What == WhatGroup && GroupID(t.TheirID) == group })
}

// takeOut removes a post of the entry's person from a group for an administrator of the group, and records the entry.
func (s *Store) takeOut(ctx context.Context, tx *txn, p *lockedPost, group GroupID, e JournalEntry) (entry int64, err error) {
	const written = `select published_at from posts where id = $1`
	tx.Revokes()
	if err := tx.QueryRow(ctx, written, p.ID).Scan(&e.Written); err != nil {
		return 0, err
	}
	if err := s.leaveGroup(ctx, tx, p, group); err != nil {
		return 0, err
	}
	e.Act, e.Until, e.Post = ActTakeOut, time.Time{}, p.ID
	return s.record(ctx, tx, e)
}

// leaveGroup removes a post from a group that has it. A post without another place is for its author's eyes only then.
func (s *Store) leaveGroup(ctx context.Context, tx *txn, p *lockedPost, group GroupID) error {
	const eyesOnly = `select id from timelines where what = 'user_fyeo' and their_id = $1`
	var change postChange
	for _, t := range p.places {
		if t.What != WhatGroup || GroupID(t.TheirID) != group {
			change.places = append(change.places, t.ID)
			change.everything = true // a post in a group is no direct message, so each other place is a feed or a group
		}
	}
	if len(change.places) == 0 {
		var id TimelineID
		if err := tx.QueryRow(ctx, eyesOnly, p.Author).Scan(&id); err != nil {
			return err
		}
		change.places = []TimelineID{id}
	}
	return s.changePost(ctx, tx, p, change)
}
