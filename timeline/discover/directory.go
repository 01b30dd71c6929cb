package discover

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// A ListedGroup is a group of the directory.
type ListedGroup struct {
	ID      timeline.GroupID
	Members int
}

// GroupSizes are the numbers of members of groups, as [Store.GroupSizes] returned them.
// They may be kept for a while and never change; a group that is not among them is
// counted when it is shown.
type GroupSizes map[timeline.GroupID]int

// GroupSizes returns the number of members of each group, without accounts that are
// being deleted. It reads every subscription to a group.
func (s *Store) GroupSizes(ctx context.Context) (_ GroupSizes, err error) {
	defer primary.Wrap(&err, "sizes of groups")
	const query = `
		select t.their_id, count(s.user_id)
		from timelines t left join subscriptions s
			on s.timeline_id = t.id and s.user_id not in (select user_id from jobs where kind = 'delete account')
		where t.what = 'group'
		group by 1`
	return groupSizes(ctx, s.db().Pool, query)
}

func groupSizes(ctx context.Context, q primary.Querier, query string, args ...any) (GroupSizes, error) {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	sizes := make(GroupSizes)
	if err := primary.CollectMap(sizes)(rows); err != nil {
		return nil, err
	}
	return sizes, nil
}

// Directory returns groups, beginning at an offset, the groups with the most members first. If
// a text is given, it returns only the groups that [Store.Find] finds by the text. The number
// of members is the same as [timeline.Store.CountSubscribers] returns: the given size less the
// members across a ban from the viewer.
func (s *Store) Directory(ctx context.Context, viewer timeline.UserID, text string, sizes GroupSizes, offset, want int) (_ []ListedGroup, err error) {
	defer primary.Wrap(&err, "groups")
	const query = `
		select g.id from groups g
		where g.status <> 'deleted' and ($1 = '' or g.name >= $1 and g.name < $2
			or $3 <> '' and to_tsvector('simple', g.name || ' ' || g.display_name || ' ' || g.description) @@ $3::tsquery)`
	const unknown = `
		select t.their_id, count(s.user_id)
		from timelines t left join subscriptions s
			on s.timeline_id = t.id and s.user_id not in (select user_id from jobs where kind = 'delete account')
		where t.what = 'group' and t.their_id = any($1)
		group by 1`
	const unseen = `
		select t.their_id, count(*)
		from subscriptions s join timelines t on t.id = s.timeline_id and t.what = 'group'
		where s.user_id in (
				select target_id from bans where user_id = $1
				union select user_id from bans where target_id = $1)
			and s.user_id not in (select user_id from jobs where kind = 'delete account')
		group by 1`
	if strings.TrimSpace(text) != "" {
		var err error
		if text, err = cleanFindText(text); err != nil {
			return nil, err
		}
	} else {
		text = ""
	}
	var groups []ListedGroup
	err = s.db().View(ctx, func(q primary.Querier) error {
		rows, err := q.Query(ctx, query, primary.Planned, text, text+"\U0010ffff", prefixQuery(text))
		if err != nil {
			return err
		}
		var ids, missing []timeline.GroupID
		if err := primary.Collect(&ids)(rows); err != nil {
			return err
		}
		for _, id := range ids {
			if _, known := sizes[id]; !known {
				missing = append(missing, id)
			}
		}
		counted, banned := GroupSizes{}, GroupSizes{}
		if len(missing) > 0 {
			if counted, err = groupSizes(ctx, q, unknown, missing); err != nil {
				return err
			}
		}
		if viewer != 0 {
			if banned, err = groupSizes(ctx, q, unseen, viewer); err != nil {
				return err
			}
		}
		for _, id := range ids {
			// Members who came or left since the sizes were counted may make the
			// difference negative.
			groups = append(groups, ListedGroup{id, max(0, sizes[id]+counted[id]-banned[id])})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(groups, func(a, b ListedGroup) int {
		return cmp.Or(cmp.Compare(b.Members, a.Members), cmp.Compare(a.ID, b.ID))
	})
	offset = min(offset, len(groups))
	return groups[offset:min(offset+want, len(groups))], nil
}

// Without returns the sizes without the size of one group. The next call of Directory counts
// this group again.
func (sizes GroupSizes) Without(id timeline.GroupID) GroupSizes {
	if _, known := sizes[id]; !known {
		return sizes
	}
	others := maps.Clone(sizes)
	delete(others, id)
	return others
}
