package page

import (
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
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
func (c NoticeChoice) label(words catalogue.Language) string {
	switch c.Kind {
	case timeline.NoticeMention:
		return words.NoticeWantMention()
	case timeline.NoticeDirect:
		return words.NoticeWantDirect()
	case timeline.NoticeComment:
		return words.NoticeWantComment()
	case timeline.NoticeLike:
		return words.NoticeWantLike()
	case timeline.NoticeCommentLike:
		return words.NoticeWantCommentLike()
	case timeline.NoticeRequest:
		return words.NoticeWantRequest()
	case timeline.NoticeInvitation:
		return words.NoticeWantInvitation()
	case timeline.NoticeSubscriber:
		return words.NoticeWantSubscriber()
	}
	return string(c.Kind)
}
