package page

import (
	"strconv"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// Paths of notices and their settings, and the API path that marks notices as read.
const (
	NoticeSettingsPath = "/settings/notices"
	readNoticesAPI     = "/api/v1/notifications/read.json"
	receiversAPI       = "/api/v1/notifications/receivers"
)

// NoticesModel is the content of the page of notices.
type NoticesModel struct {
	Shell
	Notices []Notice
	Unread  int    // of all pages
	Upto    string // the id of the newest notice on the page
	Older   string // the address of older notices; empty at the end
}

// A Notice is one act of another person, an imported feed of the viewer that fails, something about a report or a decision, or a task of an administrator.
type Notice struct {
	By      *timeline.UserCard // nil: the viewer may not know
	Own     bool               // it is about something of the viewer's own, and no person acted
	Did     string             // what the person did, in words that follow their name; if Own, the whole sentence
	About   string             // the text of the link; may be empty
	Quote   bool               // About is the beginning of a text
	Href    string             // the address of the link
	Comment string             // the beginning of the comment that caused the notice, what is wrong, or the reason of a decision; may be empty
	Answer  string             // the text of a link below, with the same address; may be empty
	At      time.Time
	New     bool // not read yet
}

// NoticeSettingsModel is the content of the page for choosing kinds of notices.
type NoticeSettingsModel struct {
	Shell
	Kinds    []NoticeChoice
	Mail     *MailWish // nil: the site sends no mail
	Pushes   *Pushes   // nil: the site sends no pushes
	Problems Problems
}

// Pushes are the browsers of the viewer that get pushes.
type Pushes struct {
	Key       string // with which a browser asks for pushes
	On        bool   // the browser of this request gets pushes
	Receivers []PushReceiver
}

// A PushReceiver is a browser that gets pushes.
type PushReceiver struct {
	ID              int64
	Browser, System string // empty: unknown
	CreatedAt       time.Time
	Current         bool // of the session of the request
}

func (r PushReceiver) api() string { return receiversAPI + "/" + strconv.FormatInt(r.ID, 10) + ".json" }

// A MailWish says when the viewer wants mail about notices.
type MailWish struct {
	Often     string // as in [timeline.MailWish]
	Hour      int    // of daily and weekly mails
	Confirmed bool   // the viewer has confirmed their address
}

// choices returns how often mail can come.
func (w MailWish) choices(words catalogue.Language) []choice {
	labels := map[string]string{
		timeline.MailSoon: words.NoticeMailSoon(), timeline.MailHourly: words.NoticeMailHourly(), timeline.MailDaily: words.NoticeMailDaily(),
		timeline.MailWeekly: words.NoticeMailWeekly(), timeline.MailNever: words.NoticeMailNever(),
	}
	var all []choice
	for _, often := range timeline.MailOften() {
		all = append(all, choice{Value: often, Label: labels[often]})
	}
	return choose(all, w.Often)
}

// hours returns the hours of a day.
func (w MailWish) hours() []choice {
	var all []choice
	for hour := range 24 {
		all = append(all, choice{Value: strconv.Itoa(hour), Label: strconv.Itoa(hour) + ":00"})
	}
	return choose(all, strconv.Itoa(w.Hour))
}

// StopModel is the content of the page that stops mails about notices.
type StopModel struct {
	Shell
	Path string // of the link
	Done bool   // the mails are stopped
}

// A NoticeChoice is a kind of notice, and whether the viewer wants it.
type NoticeChoice struct {
	Kind   timeline.NoticeKind
	Wanted bool
}

func (c NoticeChoice) field() string { return "notifications[" + string(c.Kind) + "]" }

// initial returns the value of the field, see [Initial].
func (c NoticeChoice) initial() Initial {
	value := "0"
	if c.Wanted {
		value = "1"
	}
	return Initial{{Name: "notifications[was][" + string(c.Kind) + "]", Value: value}}
}

// label returns the label of the field.
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
	case timeline.NoticeIntake:
		return words.NoticeWantIntake()
	case timeline.NoticeAccepted:
		return words.NoticeWantAccepted()
	case timeline.NoticeLeft:
		return words.NoticeWantLeft()
	}
	return string(c.Kind)
}
