package timeline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// maxDestinations is how many places a post can be sent to at once.
const maxDestinations = 50

// Destinations are where a post is to go, as its author says it.
type destinations struct {
	own     []What   // the author's own timelines
	groups  []string // by name
	directs []string // by name
}

// parseDestinations reads "user", "user_private", "user_fyeo", "group:NAME" and
// "direct:NAME". Direct messages, and what is for one's own eyes, go nowhere
// else: whoever mixes them has made a mistake that nobody can take back.
func parseDestinations(to []string) (destinations, error) {
	var d destinations
	if len(to) == 0 {
		return d, &InvalidError{"timelines", "are empty: say where the post shall go"}
	}
	if len(to) > maxDestinations {
		return d, &InvalidError{"timelines", fmt.Sprintf("are more than %d", maxDestinations)}
	}
	for _, place := range to {
		kind, name, named := strings.Cut(place, ":")
		name = strings.ToLower(name)
		switch {
		case !validText(place):
			return d, &InvalidError{"timelines", "are not valid UTF-8 text"}
		case kind == "group" && name != "":
			d.groups = append(d.groups, name)
		case kind == "direct" && name != "":
			d.directs = append(d.directs, name)
		case !named && (kind == string(WhatUser) || kind == string(WhatUserPrivate) || kind == string(WhatUserFYEO)):
			d.own = append(d.own, What(kind))
		default:
			return d, &InvalidError{"timelines", fmt.Sprintf("have %.60q, which is none of user, user_private, user_fyeo, group:NAME, direct:NAME", place)}
		}
	}
	d.own, d.groups, d.directs = unique(d.own), unique(d.groups), unique(d.directs)
	public := len(d.own)+len(d.groups) > 0
	switch {
	case len(d.directs) > 0 && public:
		return d, &InvalidError{"timelines", "mix direct messages with other places"}
	case slices.Contains(d.own, WhatUserFYEO) && len(d.own)+len(d.groups) > 1:
		return d, &InvalidError{"timelines", "mix your eyes only with other places"}
	}
	return d, nil
}

func unique[T ~string](list []T) []T {
	slices.Sort(list)
	return slices.Compact(list)
}

// everything says whether such a post is one of those of the whole site; whoever
// reads that timeline filters it by what he may read.
func (d destinations) everything() bool {
	return len(d.groups) > 0 || slices.Contains(d.own, WhatUser) || slices.Contains(d.own, WhatUserPrivate)
}

// resolve finds the decisive timelines, sorted, and whether the author may post
// to each of them where the post is not already.
func (d destinations) resolve(ctx context.Context, q querier, author *Sets, already []TimelineID) ([]TimelineID, error) {
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
	return slices.Compact(places), nil // somebody may have been named twice, by an old name
}

func (d destinations) resolveGroups(ctx context.Context, q querier, author *Sets, already []TimelineID) ([]TimelineID, error) {
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
			return nil, &InvalidError{"timelines", fmt.Sprintf("name a group that does not exist: %.60q", name)}
		}
		may := author.Readable(t.feed) && author.MayPost(GroupID(t.feed.TheirID), t.feed.ID, t.posting)
		if !may && !slices.Contains(already, t.feed.ID) {
			return nil, fmt.Errorf("to group %q: %w", name, ErrForbidden)
		}
		places = append(places, t.feed.ID)
	}
	return places, nil
}

func (d destinations) resolveDirects(ctx context.Context, q querier, author *Sets, already []TimelineID) ([]TimelineID, error) {
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
			return nil, &InvalidError{"timelines", fmt.Sprintf("name a person who does not exist: %.60q", name)}
		case t.user == author.User:
			return nil, &InvalidError{"timelines", "have a direct message to yourself"}
		case !author.MayDirect(t.user, t.follows, t.from) && !slices.Contains(already, t.directs):
			return nil, fmt.Errorf("direct to %q: %w", name, ErrForbidden)
		}
		places = append(places, t.directs)
	}
	return places, nil
}
