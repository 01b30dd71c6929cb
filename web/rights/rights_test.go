package rights

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

const (
	anneke timeline.UserID = iota + 1
	emre
	joost
	sanne
	vera
)

const cooks timeline.GroupID = 1

func feedOf(u timeline.UserID) timeline.Timeline {
	return timeline.Timeline{ID: timeline.TimelineID(u), What: timeline.WhatUser, TheirID: int64(u), Access: timeline.AccessPublic}
}

func groupFeed(g timeline.GroupID) timeline.Timeline {
	return timeline.Timeline{ID: timeline.TimelineID(100 + g), What: timeline.WhatGroup, TheirID: int64(g), Access: timeline.AccessPublic}
}

func directsOf(u timeline.UserID) timeline.Timeline {
	return timeline.Timeline{ID: timeline.TimelineID(200 + u), What: timeline.WhatUserDirects, TheirID: int64(u)}
}

// viewer is a person without any more rights than each has.
func viewer(u timeline.UserID) *timeline.Sets {
	return &timeline.Sets{User: u, Own: map[timeline.What]timeline.TimelineID{timeline.WhatUser: timeline.TimelineID(u)}}
}

// in is a post of Joost's in the places, with a comment by Emre.
func in(places ...timeline.Timeline) river.Entry {
	return river.Entry{Places: places, Fold: &timeline.Fold{
		Author: joost, Comments: timeline.CommentsFold{Comments: []timeline.Comment{{ID: 1, User: emre}}},
	}}
}

func TestRights(t *testing.T) {
	t.Parallel()
	open := in(feedOf(joost), groupFeed(cooks))
	quiet := open
	quiet.Fold = &timeline.Fold{Author: joost, Text: timeline.TextFold{CommentsDisabled: true}, Comments: open.Fold.Comments}
	suspended := viewer(joost)
	suspended.Suspended = true
	admin := viewer(vera)
	admin.Admin = true
	host := viewer(sanne)
	host.Administers = map[timeline.GroupID]bool{cooks: true}

	for _, tt := range []struct {
		name  string
		sets  *timeline.Sets
		entry river.Entry
		want  string // the offered actions: like, comment, edit, delete, moderate; then edit and delete of the comment
	}{
		{"a visitor", nil, open, ""},
		{"viewer 0", viewer(0), open, ""},
		{"a reader", viewer(anneke), open, "like comment"},
		{"a reader where comments are off", viewer(anneke), quiet, "like"},
		{"the author", viewer(joost), open, "comment edit delete moderate c-delete"},
		{"the author where comments are off", viewer(joost), quiet, "comment edit delete moderate c-delete"},
		{"the author, suspended", suspended, open, ""},
		{"the author of the comment", viewer(emre), open, "like comment c-edit c-delete"},
		{"an administrator of the site", admin, open, "like comment delete moderate c-delete"},
		{"an administrator of a group with the post", host, open, "like comment moderate c-delete"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			comment := &tt.entry.Fold.Comments.Comments[0]
			got := ""
			for _, right := range []struct {
				name string
				may  bool
			}{
				{"like", CanLike(tt.sets, &tt.entry)},
				{"comment", CanComment(tt.sets, &tt.entry)},
				{"edit", CanEdit(tt.sets, &tt.entry)},
				{"delete", CanDelete(tt.sets, &tt.entry)},
				{"moderate", CanModerate(tt.sets, &tt.entry)},
				{"c-edit", CanEditComment(tt.sets, comment)},
				{"c-delete", CanDeleteComment(tt.sets, &tt.entry, comment)},
			} {
				if right.may && got != "" {
					got += " "
				}
				if right.may {
					got += right.name
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDirect(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		entry river.Entry
		want  bool
	}{
		{"to a feed", in(feedOf(joost)), false},
		{"to people", in(directsOf(joost), directsOf(emre)), true},
		{"to people and a group", in(directsOf(emre), groupFeed(cooks)), false},
		{"to places that are not known", in(), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Direct(&tt.entry); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}
