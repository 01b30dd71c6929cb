package page

import (
	"time"

	"amstel.dev/amstel/timeline"
)

// RequestsModel is the page of the requests that wait for the viewer's answer.
type RequestsModel struct {
	Shell
	Requests []Request
}

// Request is somebody's wish to subscribe.
type Request struct {
	UUID string
	From *timeline.UserCard
	To   *timeline.GroupCard // nil: the viewer's own feed
	At   time.Time
}

// PeopleModel is a list of people, or of people and groups.
type PeopleModel struct {
	Shell
	Heading string
	Head    *UserHead  // whose list it is, where it is a person's
	Group   *GroupHead // or a group's
	Users   []*timeline.UserCard
	Groups  []*timeline.GroupCard
	Empty   string // a sentence for when there is nobody
}

// EditModel is the page on which a post or a comment is edited without script.
type EditModel struct {
	Shell
	Author   string // the post's author's name
	Post     timeline.PostID
	Comment  timeline.CommentID // 0: it is the post itself
	Text     string
	Problems Problems
}

// NewGroupModel is the page on which a group is made.
type NewGroupModel struct {
	Shell
	Name, DisplayName, Description, Status string
	Problems                               Problems
}

// statuses are the choices of who may read a feed or a group.
func statuses(chosen string, group bool) []choice {
	if chosen == "" {
		chosen = "public"
	}
	who := "Approved subscribers"
	if group {
		who = "Members you let in"
	}
	all := []choice{
		{Value: "public", Label: "Public", Hint: "Everybody reads it, signed in or not."},
		{Value: "protected", Label: "Protected", Hint: "People who are signed in read it."},
		{Value: "private", Label: "Private", Hint: who + " read it."},
	}
	if chosen == "disallow-robots" {
		all = append(all, choice{Value: "disallow-robots", Label: "Public, but not for search engines"})
	}
	for i := range all {
		all[i].Checked = all[i].Value == chosen
	}
	return all
}
