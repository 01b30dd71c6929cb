package web

import (
	"net/http"
	"net/url"
	"strconv"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// manyReports is how many reports a page has.
const manyReports = 30

// decideReport decides about the report that the path names, or the body in a form of the page.
func (s *Server) decideReport(w http.ResponseWriter, q *request) error {
	in, err := q.body.in("decision")
	if err != nil {
		return err
	}
	refused := page.Refused{}
	if named := q.param("id"); named != "" {
		refused.ID, err = strconv.ParseInt(named, 10, 64)
	} else {
		refused.ID, err = in.number("id")
	}
	if err != nil || refused.ID <= 0 {
		return timeline.ErrNotFound
	}
	d := &refused.Decision
	if d.Act, err = in.text("act"); err != nil {
		return err
	}
	if d.Reason, err = in.text("reason"); err != nil {
		return err
	}
	if refused.Days, err = in.text("days"); err == nil {
		d.Days, err = readDays(refused.Days)
	}
	if err == nil {
		err = s.store.DecideReport(q.Context(), q.who.User, refused.ID, *d)
	}
	if err != nil {
		if f, may := fixableByUser(err); q.html && may && f.Status == http.StatusUnprocessableEntity {
			refused.Problems = q.problems(f)
			return s.reportsPage(w, q, f.Status, refused)
		}
		return err
	}
	if d.Act == timeline.ActSuspend {
		s.finishSuspensions(q)
	}
	return s.saved(w, q, page.DecideForm, map[string]any{"result": "decided"})
}

// readDays returns a number of days as it was typed; 0 for an empty text.
func readDays(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	days, err := strconv.Atoi(text)
	if err != nil || days < 1 {
		return 0, timeline.ErrDays
	}
	return days, nil
}

// showReports shows the reports about which the visitor decides.
func (s *Server) showReports(w http.ResponseWriter, q *request) error {
	if !q.html {
		return s.listReports(w, q)
	}
	return s.reportsPage(w, q, http.StatusOK, page.Refused{})
}

// askedReports reads the part of the open or closed reports that the query asks for.
func (s *Server) askedReports(q *request, closed bool) (*timeline.ReportPage, error) {
	before, err := q.idInQuery("before")
	if err != nil {
		return nil, err
	}
	return s.store.Reports(q.Context(), q.who.User, closed, before, manyReports)
}

// olderReports returns the address of the next page of reports; empty at the end.
func olderReports(path string, p *timeline.ReportPage, values url.Values) string {
	if p.Older == 0 {
		return ""
	}
	values.Set("before", strconv.FormatInt(p.Older, 10))
	return path + "?" + values.Encode()
}

// reportsPage shows the reports, and the refused decision if there is one.
func (s *Server) reportsPage(w http.ResponseWriter, q *request, status int, refused page.Refused) error {
	open, err := s.askedReports(q, false)
	if err != nil {
		return err
	}
	closed, err := s.store.Reports(q.Context(), q.who.User, true, 0, manyReports)
	if err != nil {
		return err
	}
	m := page.ReportsModel{Shell: s.settingsShell(q, page.ReportsPath), Open: open, Closed: closed, Older: olderReports(page.ReportsPath, open, url.Values{}), Refused: refused}
	if m.Viewer.Admin = open.Sets.Admin; open.Sets.Admin {
		if m.Held, m.Authors, err = s.store.HeldPosts(q.Context(), q.who.User, manyHeld); err != nil {
			return err
		}
	}
	return s.page(w, q, status, page.Reports(m))
}

// A reportJSON is a report as administrators get it.
type reportJSON struct {
	ID        int64              `json:"id"`
	At        string             `json:"at"`
	By        timeline.UserID    `json:"user_id"`     // the person who reported
	About     timeline.UserID    `json:"reported_id"` // the person who was reported, or wrote what was reported
	GroupID   timeline.GroupID   `json:"group_id,omitempty"`
	PostID    timeline.PostID    `json:"post_id,omitempty"`
	CommentID timeline.CommentID `json:"comment_id,omitempty"`
	Decision  int64              `json:"decision_id,omitempty"` // the decision to which the person objects
	Reason    string             `json:"reason"`
	Text      string             `json:"text,omitempty"`  // how the post or comment begins, if you may read it
	Quote     string             `json:"quote,omitempty"` // what the person who reported passed on
	Before    int                `json:"earlier_decisions"`
	Decided   *decidedJSON       `json:"decided,omitempty"`
}

// A decidedJSON is what was decided about a report.
type decidedJSON struct {
	ID     int64           `json:"id"`
	At     string          `json:"at"`
	By     timeline.UserID `json:"user_id"`
	Act    string          `json:"act"`
	Reason string          `json:"reason,omitempty"`
	Until  string          `json:"until,omitempty"`
}

// listReports serves the reports about which the visitor decides; with closed=1 those that are decided.
func (s *Server) listReports(w http.ResponseWriter, q *request) error {
	closed := q.URL.Query().Get("closed") == "1"
	p, err := s.askedReports(q, closed)
	if err != nil {
		return err
	}
	list := make([]reportJSON, 0, len(p.Reports))
	for _, r := range p.Reports {
		one := reportJSON{
			ID: r.ID, At: mokum.Stamp(r.At), By: r.By, About: r.User, GroupID: r.Group, PostID: r.Post, CommentID: r.Comment, Decision: r.Objection,
			Reason: r.Reason, Text: r.Text, Quote: r.Quote, Before: r.Before,
		}
		if e := r.Closed; e != nil {
			one.Decided = &decidedJSON{ID: e.ID, At: mokum.Stamp(e.At), By: e.By, Act: e.Act, Reason: e.Reason}
			if !e.Until.IsZero() {
				one.Decided.Until = mokum.Stamp(e.Until)
			}
		}
		list = append(list, one)
	}
	users, groups := mokum.Cards{Users: p.Users, Groups: p.Groups}.Shapes(p.Sets)
	body := map[string]any{"reports": list, "open": p.Open, "users": users, "groups": groups}
	values := url.Values{}
	if closed {
		values.Set("closed", "1")
	}
	if older := olderReports(pagePath(q.Request)+".json", p, values); older != "" {
		body["older_reports_url"] = older
	}
	s.json(w, q, http.StatusOK, body)
	return nil
}
