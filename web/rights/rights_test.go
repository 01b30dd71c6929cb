package page

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

func TestRights(t *testing.T) {
	t.Parallel()
	open := post(1, joost, "x", to(feedOf(joost), groupFeed(cooks)), commented(0, said{emre, "a"}))
	quiet := open
	quiet.Fold = &timeline.Fold{Author: joost, Text: timeline.TextFold{CommentsDisabled: true}, Comments: open.Fold.Comments}
	suspended := sampleSets(joost)
	suspended.Suspended = true
	admin := sampleSets(vera)
	admin.Admin = true
	host := sampleSets(sanne)
	host.Administers = map[timeline.GroupID]bool{cooks: true}

	for _, tt := range []struct {
		name  string
		sets  *timeline.Sets
		entry river.Entry
		want  string // what is offered: like, comment, edit, delete, moderate; then of the comment: edit, delete
	}{
		{"nobody at all", nil, open, ""},
		{"nobody in particular", sampleSets(0), open, ""},
		{"a reader", sampleSets(anneke), open, "like comment"},
		{"a reader where comments are off", sampleSets(anneke), quiet, "like"},
		{"the author", sampleSets(joost), open, "comment edit delete moderate c-delete"},
		{"the author where comments are off", sampleSets(joost), quiet, "comment edit delete moderate c-delete"},
		{"the author, suspended", suspended, open, ""},
		{"who wrote the comment", sampleSets(emre), open, "like comment c-edit c-delete"},
		{"an administrator of the site", admin, open, "like comment delete moderate c-delete"},
		{"who runs the group it is in", host, open, "like comment moderate c-delete"},
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
		{"to a feed", post(1, joost, "x"), false},
		{"to people", post(1, joost, "x", to(directsOf(joost), directsOf(emre))), true},
		{"to people and a group", post(1, joost, "x", to(directsOf(emre), groupFeed(cooks))), false},
		{"to places that are not known", post(1, joost, "x", to()), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Direct(&tt.entry); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}
