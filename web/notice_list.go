package web

import (
	"net/http"
	"net/url"
	"strconv"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// A noticeJSON is one act of another person, an imported feed that fails, something about a report or a decision, or a task of an administrator.
type noticeJSON struct {
	ID        int64               `json:"id"`
	Kind      timeline.NoticeKind `json:"kind"`
	CreatedAt string              `json:"created_at"`
	Read      bool                `json:"read,omitempty"`
	UserID    timeline.UserID     `json:"user_id,omitempty"` // the person who acted; left out if the viewer may not know
	PostID    timeline.PostID     `json:"post_id,omitempty"`
	CommentID timeline.CommentID  `json:"comment_id,omitempty"`
	IntakeID  int64               `json:"intake_id,omitempty"`
	ReportID  int64               `json:"report_id,omitempty"`
	Decided   *noticedJSON        `json:"decided,omitempty"`
	What      timeline.What       `json:"what,omitempty"` // the feed that was asked for, or subscribed to, or the place of an imported feed
	TheirID   int64               `json:"their_id,omitempty"`
	Text      string              `json:"text,omitempty"`         // how the post begins; the title of an imported feed
	Comment   string              `json:"comment_text,omitempty"` // how the comment begins
	URL       string              `json:"url"`
}

// A noticedJSON is what was decided about the viewer, or about a report of the viewer.
type noticedJSON struct {
	ID     int64  `json:"id,omitempty"`     // of the decision about the viewer
	Act    string `json:"act"`              // of the decision about a report only dismiss, or acted
	Reason string `json:"reason,omitempty"` // for the person whom the decision is about
}

// acted stands for any decision but to leave everything as it is, in the answer to a report.
const acted = "acted"

// noticedIn returns the decision of a notice; nil if the notice is about something else.
func noticedIn(n *timeline.Notice, p *timeline.NoticePage) *noticedJSON {
	switch {
	case n.Decided == nil:
		return nil
	case n.Kind == timeline.NoticeAnswer && n.Decided.Act == timeline.ActDismiss:
		return &noticedJSON{Act: timeline.ActDismiss, Reason: answerReason(n, p)}
	case n.Kind == timeline.NoticeAnswer: // what was done is between the person and the administrators
		return &noticedJSON{Act: acted}
	}
	return &noticedJSON{ID: n.Decided.ID, Act: n.Decided.Act, Reason: n.Decided.Reason}
}

// askedNotices reads the part of the visitor's notices that the query asks for.
func (s *Server) askedNotices(q *request) (*timeline.NoticePage, int, error) {
	query := q.URL.Query()
	count, err := address.ReadCount(query)
	if err != nil {
		return nil, 0, err
	}
	before, err := q.idInQuery("before")
	if err != nil {
		return nil, 0, err
	}
	p, err := s.store.NoticesOf(q.Context(), q.who.User, before, count)
	return p, count, err
}

// olderNotices returns the address of the next page of notices; empty at the end.
func olderNotices(path string, p *timeline.NoticePage, count int) string {
	if p.Older == 0 {
		return ""
	}
	values := url.Values{"before": {strconv.FormatInt(p.Older, 10)}}
	if count != address.PageCount {
		values.Set("count", strconv.Itoa(count))
	}
	return path + "?" + values.Encode()
}

// listNotices serves the visitor's notices.
func (s *Server) listNotices(w http.ResponseWriter, q *request) error {
	p, count, err := s.askedNotices(q)
	if err != nil {
		return err
	}
	list := make([]noticeJSON, 0, len(p.Notices))
	for i := range p.Notices {
		n := &p.Notices[i]
		post, comment := noticeTexts(q.words, n)
		var intake int64
		if n.Intake != nil {
			intake, post = n.Intake.ID, n.Intake.Title
		}
		list = append(list, noticeJSON{
			ID: n.ID, Kind: n.Kind, CreatedAt: mokum.Stamp(n.At), Read: n.Read, UserID: n.By, PostID: n.Post, CommentID: n.Comment, IntakeID: intake, ReportID: n.Report, Decided: noticedIn(n, p),
			What: n.Feed.What, TheirID: n.Feed.TheirID,
			Text: post, Comment: comment, URL: noticeURL(n, p),
		})
	}
	users, groups := mokum.Cards{Users: p.Users, Groups: p.Groups}.Shapes(p.Sets)
	users.Add(p.Sets, q.who.card())
	body := map[string]any{"notifications": list, "unread": p.Unread, "directs": p.Directs, "users": users, "groups": groups}
	if older := olderNotices(pagePath(q.Request)+".json", p, count); older != "" {
		body["older_notifications_url"] = older
	}
	s.json(w, q, http.StatusOK, body)
	return nil
}

// showNotices shows the visitor's notices.
func (s *Server) showNotices(w http.ResponseWriter, q *request) error {
	if !q.html {
		return s.listNotices(w, q)
	}
	p, count, err := s.askedNotices(q)
	if err != nil {
		return err
	}
	m := page.NoticesModel{Shell: s.shell(q, q.words.NoticeTitle()), Unread: p.Unread, Older: olderNotices(page.NoticesPath, p, count)}
	m.Viewer.Unread = river.Unread{Notices: p.Unread, Directs: p.Directs}
	for i := range p.Notices {
		m.Notices = append(m.Notices, noticeOf(q.words, &p.Notices[i], p))
	}
	if len(p.Notices) > 0 {
		m.Upto = strconv.FormatInt(p.Notices[0].ID, 10)
	}
	return s.page(w, q, http.StatusOK, page.Notices(m))
}

// countNotices serves the numbers of unread notices, and of directs with unread notices.
func (s *Server) countNotices(w http.ResponseWriter, q *request) error {
	unread, directs, err := s.store.Unread(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	s.json(w, q, http.StatusOK, map[string]any{"unread": unread, "directs": directs})
	return nil
}

// readNotices marks the visitor's notices as read: up to one notice, those about one post, or
// those about directs.
func (s *Server) readNotices(w http.ResponseWriter, q *request) error {
	upto, err := q.body.number("upto")
	if err != nil {
		return err
	}
	post, err := q.body.number("post")
	if err != nil {
		return err
	}
	directs, err := q.body.set("directs")
	switch {
	case err != nil:
		return err
	case upto == 0 && post == 0 && !directs:
		return &timeline.InvalidError{Field: "upto", Reason: "is missing: say up to which notification, of which post, or that of directs you read them"}
	}
	if upto != 0 {
		err = s.store.ReadNotices(q.Context(), q.who.User, upto)
	}
	if post != 0 && err == nil {
		err = s.store.ReadNoticesOf(q.Context(), q.who.User, timeline.PostID(post))
	}
	if directs && err == nil {
		err = s.store.ReadNoticesOfDirects(q.Context(), q.who.User)
	}
	if err != nil {
		return err
	}
	if q.html {
		return s.done(w, q, page.NoticesPath, nil)
	}
	unread, ofDirects, err := s.store.Unread(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	return s.done(w, q, page.NoticesPath, map[string]any{"result": "read", "unread": unread, "directs": ofDirects})
}

// number returns a whole number above 0, also from a text; 0 if there is none.
func (in input) number(name string) (int64, error) {
	var text string
	switch value := in[name].(type) {
	case nil:
		return 0, nil
	case interface{ String() string }: // JSON's
		text = value.String()
	case string:
		text = value
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return 0, &timeline.InvalidError{Field: name, Reason: "is not an id"}
	}
	return n, nil
}
