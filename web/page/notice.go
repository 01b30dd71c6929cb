package page

import (
	"time"

	"amstel.dev/amstel/timeline"
)

// Where notices are arranged, and where they are said to have been read.
const (
	NoticeSettingsPath = "/settings/notices"
	readNoticesAPI     = "/api/v1/notifications/read.json"
	noticeSettingsAPI  = "/api/v1/notifications/settings.json"
)

// NoticesModel is the page of what the viewer is told.
type NoticesModel struct {
	Shell
	Notices []Notice
	Unread  int    // of all pages
	Upto    string // the newest that the page shows
	Older   string // the address of those before; empty at the end
}

// Notice is one thing that somebody did.
type Notice struct {
	By    *timeline.UserCard // nil: it is not told who
	Did   string             // what he did, in words that follow his name
	About string             // what it is about, as the text of a link; may be empty
	Quote bool               // that is how a text begins
	Href  string             // where it leads
	Said  string             // how the comment begins that it was done by; may be empty
	At    time.Time
	New   bool // it has not been read
}

// NoticeSettingsModel is the page of which notices the viewer wants.
type NoticeSettingsModel struct {
	Shell
	Kinds    []NoticeChoice
	Problems Problems
}

// NoticeChoice is whether the viewer wants notices of a kind.
type NoticeChoice struct {
	Kind   timeline.NoticeKind
	Wanted bool
}

func (c NoticeChoice) field() string { return "notifications[" + string(c.Kind) + "]" }

// was is what the field was, see [Was].
func (c NoticeChoice) was() Was {
	value := "0"
	if c.Wanted {
		value = "1"
	}
	return Was{{Name: "notifications[was][" + string(c.Kind) + "]", Value: value}}
}

// label says of what one is told.
func (c NoticeChoice) label() string {
	switch c.Kind {
	case timeline.NoticeMention:
		return "Somebody mentions me"
	case timeline.NoticeDirect:
		return "Direct messages to me, and comments on them"
	case timeline.NoticeComment:
		return "Comments on my posts"
	case timeline.NoticeLike:
		return "Likes of my posts"
	case timeline.NoticeCommentLike:
		return "Likes of my comments"
	case timeline.NoticeRequest:
		return "Somebody asks to subscribe to me, or to join a group that I run"
	case timeline.NoticeInvitation:
		return "Somebody invites me"
	case timeline.NoticeSubscriber:
		return "Somebody subscribes to me"
	}
	return string(c.Kind)
}
