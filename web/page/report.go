package page

import (
	"net/url"
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
)

// Paths of the form for a report, and of the reports about which the viewer decides.
const (
	ReportPath  = "/settings/report"
	ReportsPath = "/settings/reports"
)

// ReportModel is the content of the page on which a person reports something, or objects to a decision.
type ReportModel struct {
	Shell
	Draft    timeline.ReportDraft
	Form     *timeline.ReportForm // nil: the report was sent
	Problems Problems
}

// Heading returns the title of the page.
func (m ReportModel) Heading() string {
	switch {
	case m.Form == nil:
		return m.Words.ReportSentTitle()
	case m.Draft.Objection != 0:
		return m.Words.ReportOfDecision()
	case m.Draft.Comment != 0:
		return m.Words.ReportOfComment("@" + m.Form.Who)
	case m.Draft.Post != 0:
		return m.Words.ReportOfPost("@" + m.Form.Who)
	}
	return m.Words.ReportOfPerson("@" + m.Form.Who)
}

// lead returns what happens with the report.
func (m ReportModel) lead() string {
	if m.Draft.Objection != 0 {
		return m.Words.ReportLeadDecision()
	}
	return m.Words.ReportLead("@" + m.Form.Who)
}

// fields returns what the report is about, as hidden fields.
func (m ReportModel) fields() []sending {
	var all []sending
	for _, one := range []struct {
		name string
		id   int64
	}{{"post_id", int64(m.Draft.Post)}, {"comment_id", int64(m.Draft.Comment)}, {"decision_id", m.Draft.Objection}} {
		if one.id != 0 {
			all = append(all, sending{"report[" + one.name + "]", strconv.FormatInt(one.id, 10)})
		}
	}
	if m.Draft.Person != "" {
		all = append(all, sending{"report[name]", m.Draft.Person})
	}
	return all
}

// to returns the administrators who may get the report.
func (m ReportModel) to() []choice {
	all := []choice{{Label: m.Words.ReportToSite()}}
	for _, g := range m.Form.Groups {
		all = append(all, choice{Value: g.Name, Label: m.Words.ReportToGroup(namedGroup(g).Text)})
	}
	return choose(all, m.Draft.Group)
}

// quotes reports whether the form offers to pass the text on.
func (m ReportModel) quotes() bool { return m.Form.Private && m.Form.Text != "" }

// back returns the address of what is reported.
func (m ReportModel) back() string {
	switch {
	case m.Draft.Objection != 0:
		return NoticesPath
	case m.Draft.Comment != 0:
		return CommentPath(m.Form.Author, m.Draft.Post, m.Draft.Comment)
	case m.Draft.Post != 0:
		return PostPath(m.Form.Author, m.Draft.Post)
	}
	return NamePath(m.Form.Who)
}

// reportQuery returns the address of the form with what is reported.
func reportQuery(fields ...string) string {
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	return ReportPath + "?" + values.Encode()
}

// reportPostPath returns the address of the form about a post, or about a comment that is not 0.
func reportPostPath(post timeline.PostID, comment timeline.CommentID) string {
	id := strconv.FormatInt(int64(post), 10)
	if comment == 0 {
		return reportQuery("post", id)
	}
	return reportQuery("post", id, "comment", strconv.FormatInt(int64(comment), 10))
}

// ObjectionPath returns the address of the form that objects to an entry of the journal.
func ObjectionPath(entry int64) string { return reportQuery("decision", strconv.FormatInt(entry, 10)) }

// ReportsModel is the content of the page of reports.
type ReportsModel struct {
	Shell
	Open, Closed *timeline.ReportPage
	Older        string // the address of older open reports; empty at the end
	Refused      Refused
	Held         []timeline.HeldPost                    // for administrators of the site
	Authors      map[timeline.UserID]*timeline.UserCard // of the held posts
}

// author returns the name of the author of a held post.
func (m ReportsModel) author(h timeline.HeldPost) string {
	if who := m.Authors[h.Author]; who != nil {
		return "@" + who.Name
	}
	return m.Words.SuspensionUnknown()
}

// heldTo returns where the author of a held post posts to, in words.
func (m ReportsModel) heldTo(h timeline.HeldPost) string {
	var places []string
	for _, to := range h.To {
		switch _, group, named := strings.Cut(to, ":"); {
		case named:
			places = append(places, "@"+group)
		case to == string(timeline.WhatUserPrivate):
			places = append(places, m.Words.EntryPrivateFeed())
		default:
			places = append(places, m.Words.HeldFeed())
		}
	}
	return listing(m.Words, places)
}

// release returns the button that publishes a held post.
func (m ReportsModel) release(h timeline.HeldPost) actionForm {
	return actionForm{Label: m.Words.HeldRelease(), Action: heldAPI(h.ID), ReturnTo: ReportsPath}
}

// heldAPI returns the address of the API that decides about a held post.
func heldAPI(id timeline.PostID) string {
	return "/api/v1/held_posts/" + strconv.FormatInt(int64(id), 10) + ".json"
}

// Refused is a decision that was refused, and what is wrong with it.
type Refused struct {
	ID       int64 // of the report; 0: no decision was refused
	Decision timeline.Decision
	Days     string // as typed
	Problems Problems
}

// A shownReport is a report as the page shows it.
type shownReport struct {
	timeline.Report
	m    ReportsModel
	page *timeline.ReportPage
}

// shown returns the reports of a page.
func (m ReportsModel) shown(p *timeline.ReportPage) []shownReport {
	var all []shownReport
	for _, r := range p.Reports {
		all = append(all, shownReport{r, m, p})
	}
	return all
}

// person returns the name of a person of the page, or words for an account that is deleted.
func (r shownReport) person(id timeline.UserID) string {
	if who := r.page.Users[id]; who != nil {
		return "@" + who.Name
	}
	return r.m.Words.SuspensionUnknown()
}

// group returns the shown name of the group whose administrators decide.
func (r shownReport) group() string {
	if g := r.page.Groups[r.Group]; g != nil {
		return namedGroup(g).Text
	}
	return r.m.Words.NoticeAGroup()
}

// said returns who reported what.
func (r shownReport) said() string {
	by, who := r.person(r.By), r.person(r.User)
	switch {
	case r.Objection != 0:
		return r.m.Words.ReportSaidDecision(by)
	case r.Comment != 0:
		return r.m.Words.ReportSaidComment(by, who)
	case r.Post != 0:
		return r.m.Words.ReportSaidPost(by, who)
	}
	return r.m.Words.ReportSaidPerson(by, who)
}

// href returns the address of what is reported; empty if the viewer may not read it.
func (r shownReport) href() string {
	author, who := r.page.Users[r.Author], r.page.Users[r.User]
	switch {
	case r.Comment != 0 && author != nil:
		return CommentPath(author.Name, r.Post, r.Comment)
	case r.Post != 0 && author != nil:
		return PostPath(author.Name, r.Post)
	case r.Post == 0 && who != nil:
		return NamePath(who.Name)
	}
	return ""
}

// hidden reports whether the report is about a post or comment that the viewer does not see.
func (r shownReport) hidden() bool { return r.Post != 0 && r.Author == 0 }

// id returns the beginning of the ids of the report's fields.
func (r shownReport) id() string { return "report-" + strconv.FormatInt(r.ID, 10) }

// acts returns the decisions that the viewer can make.
func (r shownReport) acts() []choice {
	words, who := r.m.Words, r.person(r.User)
	all := []choice{{Value: timeline.ActDismiss, Label: words.ReportActDismiss()}}
	if r.Objection != 0 {
		return choose(all, timeline.ActDismiss)
	}
	switch {
	case r.Comment != 0:
		all = append(all, choice{Value: timeline.DecideDelete, Label: words.ReportActComment()})
	case r.Post != 0 && r.Group != 0:
		all = append(all, choice{Value: timeline.DecideDelete, Label: words.ReportActTakeOut(r.group())})
	case r.Post != 0:
		all = append(all, choice{Value: timeline.ActHide, Label: words.ReportActHide(), Hint: words.ReportActHideHint()}, choice{Value: timeline.DecideDelete, Label: words.ReportActPost()})
	}
	all = append(all, choice{Value: timeline.ActWarn, Label: words.ReportActWarn(who)})
	if r.Group == 0 {
		all = append(all, choice{Value: timeline.ActSuspend, Label: words.ReportActSuspend(who)})
	}
	return choose(all, r.refused().Decision.Act)
}

// refused returns the refused decision about the report, if there is one.
func (r shownReport) refused() Refused {
	if r.m.Refused.ID == r.ID {
		return r.m.Refused
	}
	return Refused{Decision: timeline.Decision{Act: timeline.ActDismiss}}
}

// reasonHint returns who is told the reason.
func (r shownReport) reasonHint() string { return r.m.Words.ReportReasonTold(r.person(r.User)) }

// journal returns the entry that closed the report as its page shows it.
func (r shownReport) journal() JournalLine {
	return JournalLine{Words: r.m.Words, Entry: *r.Closed, People: r.page.Users, Groups: r.page.Groups}
}
