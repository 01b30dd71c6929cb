package river

import (
	"encoding/json"
	"slices"

	"amstel.dev/amstel/timeline"
)

// setsRow is the form of a viewer's sets in SQLite. It has lists instead of
// objects: a home with 500 subscriptions has 1,500 feeds, and writing an object
// with so many keys costs more than the rest of the home's first visit.
type setsRow struct {
	User           timeline.UserID                       `json:"user"`
	Admin          bool                                  `json:"admin,omitempty"`
	Suspended      bool                                  `json:"suspended,omitempty"`
	Own            map[timeline.What]timeline.TimelineID `json:"own,omitempty"`
	Subscribed     []timeline.TimelineID                 `json:"subscribed,omitempty"`
	Feeds          []timeline.TimelineID                 `json:"feeds,omitempty"`
	SubscribedAt   []int64                               `json:"subscribed_at,omitempty"` // of each of Feeds; 0: not by a subscription
	Since          map[timeline.TimelineID]int64         `json:"since,omitempty"`
	Requested      []timeline.TimelineID                 `json:"requested,omitempty"`
	Invited        []timeline.TimelineID                 `json:"invited,omitempty"`
	Incoming       int                                   `json:"incoming,omitempty"`
	Banned         []timeline.UserID                     `json:"banned,omitempty"`    // by the viewer
	BannedBy       []timeline.UserID                     `json:"banned_by,omitempty"` // people who banned the viewer without being banned by the viewer
	Excluded       []timeline.TimelineID                 `json:"excluded,omitempty"`
	Administers    []timeline.GroupID                    `json:"administers,omitempty"`
	HiddenPosts    []timeline.PostID                     `json:"hidden_posts,omitempty"`
	HiddenUsers    []timeline.UserID                     `json:"hidden_users,omitempty"`
	HiddenComments []timeline.UserID                     `json:"hidden_comments,omitempty"`
	Muted          []timeline.TimelineID                 `json:"muted,omitempty"`
	OwnLeftOut     bool                                  `json:"own_left_out,omitempty"`
	Lists          []listRow                             `json:"lists,omitempty"`
}

// listRow is one of the viewer's lists.
type listRow struct {
	ID      timeline.ListID       `json:"id"`
	Name    string                `json:"name"`
	Members []timeline.TimelineID `json:"members,omitempty"`
	Feeds   []timeline.TimelineID `json:"feeds,omitempty"`
}

// setsText returns a viewer's sets as the JSON of a setsRow.
func setsText(s *timeline.Sets) ([]byte, error) {
	row := setsRow{User: s.User, Admin: s.Admin, Suspended: s.Suspended, Own: s.Own, Incoming: s.Incoming,
		Subscribed: list(s.Subscribed), Feeds: list(s.Feeds), Requested: list(s.Requested), Excluded: list(s.Excluded),
		Administers: list(s.Administers), HiddenPosts: list(s.HiddenPosts), HiddenUsers: list(s.HiddenUsers),
		Since: s.Since, Invited: list(s.Invited), HiddenComments: list(s.HiddenComments), Muted: list(s.Muted), OwnLeftOut: s.OwnLeftOut}
	for _, id := range row.Feeds {
		row.SubscribedAt = append(row.SubscribedAt, s.SubscribedAt[id])
	}
	for _, l := range s.Lists {
		row.Lists = append(row.Lists, listRow{l.ID, l.Name, list(l.Members), list(l.Feeds)})
	}
	for u, mine := range s.Bans {
		if mine {
			row.Banned = append(row.Banned, u)
		} else {
			row.BannedBy = append(row.BannedBy, u)
		}
	}
	return json.Marshal(row)
}

// setsOf parses the JSON that setsText returned.
func setsOf(text []byte) (*timeline.Sets, error) {
	var row setsRow
	if err := json.Unmarshal(text, &row); err != nil {
		return nil, err
	}
	s := &timeline.Sets{User: row.User, Admin: row.Admin, Suspended: row.Suspended, Own: row.Own, Incoming: row.Incoming,
		Subscribed: set(row.Subscribed), Feeds: set(row.Feeds), Requested: set(row.Requested), Excluded: set(row.Excluded),
		Administers: set(row.Administers), HiddenPosts: set(row.HiddenPosts), HiddenUsers: set(row.HiddenUsers),
		Since: row.Since, Invited: set(row.Invited), HiddenComments: set(row.HiddenComments), Muted: set(row.Muted), OwnLeftOut: row.OwnLeftOut}
	for i, at := range row.SubscribedAt[:min(len(row.SubscribedAt), len(row.Feeds))] {
		if at != 0 {
			put(&s.SubscribedAt, row.Feeds[i], at)
		}
	}
	for _, l := range row.Lists {
		put(&s.Lists, l.ID, &timeline.List{ID: l.ID, Name: l.Name, Members: set(l.Members), Feeds: set(l.Feeds)})
	}
	for _, u := range row.Banned {
		put(&s.Bans, u, true)
	}
	for _, u := range row.BannedBy {
		put(&s.Bans, u, false)
	}
	return s, nil
}

func list[K ~int64](m map[K]bool) []K {
	if len(m) == 0 {
		return nil
	}
	ids := make([]K, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func set[K ~int64](ids []K) map[K]bool {
	if len(ids) == 0 {
		return nil
	}
	m := make(map[K]bool, len(ids))
	for _, id := range ids {
		m[id] = true
	}
	return m
}
