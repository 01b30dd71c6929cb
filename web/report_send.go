package web

import (
	"net/http"
	"strconv"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// sendReport sends the report in the body to administrators.
func (s *Server) sendReport(w http.ResponseWriter, q *request) error {
	d, err := q.reportDraft()
	if err != nil {
		return err
	}
	if err := s.store.SendReport(q.Context(), q.who.User, d); err != nil {
		if f, may := fixableByUser(err); q.html && may {
			return s.reportPage(w, q, f.Status, page.ReportModel{Draft: d, Problems: q.problems(f)})
		}
		return err
	}
	return s.saved(w, q, page.ReportForm, map[string]any{"result": "reported"})
}

// reportDraft returns the report in the body.
func (q *request) reportDraft() (d timeline.ReportDraft, err error) {
	in, err := q.body.in("report")
	if err != nil {
		return d, err
	}
	for name, to := range map[string]func(int64){
		"post_id":     func(id int64) { d.Post = timeline.PostID(id) },
		"comment_id":  func(id int64) { d.Comment = timeline.CommentID(id) },
		"decision_id": func(id int64) { d.Objection = id },
	} {
		id, err := in.number(name)
		if err != nil {
			return d, err
		}
		to(id)
	}
	for name, to := range map[string]*string{"name": &d.Person, "group": &d.Group, "reason": &d.Reason} {
		if *to, err = in.text(name); err != nil {
			return d, err
		}
	}
	d.Quote, err = in.set("quote")
	return d, err
}

// showReport shows the form for a report about what the query names, or says that the report was sent.
func (s *Server) showReport(w http.ResponseWriter, q *request) error {
	query := q.URL.Query()
	d := timeline.ReportDraft{Person: query.Get("name")}
	for name, to := range map[string]func(int64){
		"post":     func(id int64) { d.Post = timeline.PostID(id) },
		"comment":  func(id int64) { d.Comment = timeline.CommentID(id) },
		"decision": func(id int64) { d.Objection = id },
	} {
		if text := query.Get(name); text != "" {
			id, err := strconv.ParseInt(text, 10, 64)
			if err != nil || id <= 0 {
				return timeline.ErrNotFound
			}
			to(id)
		}
	}
	if saved, _ := s.justSaved(w, q); d == (timeline.ReportDraft{}) && saved == page.ReportForm {
		return s.showReportPage(w, q, http.StatusOK, page.ReportModel{})
	}
	return s.reportPage(w, q, http.StatusOK, page.ReportModel{Draft: d})
}

// reportPage fills in what the form shows, and shows it.
func (s *Server) reportPage(w http.ResponseWriter, q *request, status int, m page.ReportModel) (err error) {
	if m.Form, err = s.store.ReportForm(q.Context(), q.who.User, m.Draft); err != nil {
		return err
	}
	return s.showReportPage(w, q, status, m)
}

// showReportPage shows the page of a report.
func (s *Server) showReportPage(w http.ResponseWriter, q *request, status int, m page.ReportModel) error {
	m.Shell = s.shell(q, "")
	m.Title = m.Heading()
	m.Path = page.ReportPath
	return s.page(w, q, status, page.Report(m))
}
