package web

import (
	"net/http"
	"net/url"
	"strconv"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// manyAccounts is how many people the page for administrators shows.
const manyAccounts = 50

// manyFailedMails is how many mails that failed the page shows.
const manyFailedMails = 20

// A failedMailJSON is a mail that failed.
type failedMailJSON struct {
	Name  string `json:"name,omitempty"`
	At    string `json:"at"`
	Fault string `json:"fault"`
}

// An accountJSON is a person as administrators of the site get them.
type accountJSON struct {
	Name      string `json:"name"`
	CreatedAt string `json:"created_at"`
	SeenAt    string `json:"seen_at,omitempty"`
	InvitedBy string `json:"invited_by,omitempty"`
	Suspended bool   `json:"suspended,omitempty"`
	EraseAt   string `json:"erase_at,omitempty"` // of a deleted account that is not erased yet
	Admin     bool   `json:"admin,omitempty"`
	Reports   int    `json:"reports,omitempty"`
}

// showAdmin shows the numbers of the site and its people to administrators of the site.
func (s *Server) showAdmin(w http.ResponseWriter, q *request) error {
	query := q.URL.Query()
	m := page.AdminModel{Name: query.Get("q")}
	before, err := q.idInQuery("before")
	if err != nil {
		return err
	}
	overview, err := s.store.Overview(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	m.Overview = *overview
	if m.Accounts, err = s.store.Accounts(q.Context(), q.who.User, m.Name, timeline.UserID(before), manyAccounts+1); err != nil {
		return err
	}
	if len(m.Accounts) > manyAccounts {
		m.Accounts = m.Accounts[:manyAccounts]
		values := url.Values{"before": {strconv.FormatInt(int64(m.Accounts[manyAccounts-1].ID), 10)}}
		if m.Name != "" {
			values.Set("q", m.Name)
		}
		m.Older = "?" + values.Encode()
	}
	if m.Failed, err = s.store.FailedMails(q.Context(), q.who.User, manyFailedMails); err != nil {
		return err
	}
	var people []timeline.UserID
	for _, f := range m.Failed {
		people = append(people, f.User)
	}
	for _, a := range m.Accounts {
		people = append(people, a.ID, a.InvitedBy)
	}
	c, err := s.cards(q.Context(), people, nil)
	if err != nil {
		return err
	}
	m.People = c.Users
	if !q.html {
		s.json(w, q, http.StatusOK, adminBody(m))
		return nil
	}
	if m.Older != "" {
		m.Older = page.AdminPath + m.Older
	}
	m.Shell = s.settingsShell(q, page.AdminPath)
	m.Viewer.Admin = true
	return s.page(w, q, http.StatusOK, page.Admin(m))
}

// adminBody returns the page for administrators as programs get it.
func adminBody(m page.AdminModel) map[string]any {
	list := make([]accountJSON, 0, len(m.Accounts))
	for _, a := range m.Accounts {
		one := accountJSON{CreatedAt: mokum.Stamp(a.CreatedAt), Suspended: a.Suspended, Admin: a.Admin, Reports: a.Reports}
		if a.EraseAt != nil {
			one.EraseAt = mokum.Stamp(*a.EraseAt)
		}
		if who := m.People[a.ID]; who != nil {
			one.Name = who.Name
		}
		if a.SeenAt != nil {
			one.SeenAt = mokum.Stamp(*a.SeenAt)
		}
		if by := m.People[a.InvitedBy]; by != nil {
			one.InvitedBy = by.Name
		}
		list = append(list, one)
	}
	failed := make([]failedMailJSON, 0, len(m.Failed))
	for _, f := range m.Failed {
		one := failedMailJSON{At: mokum.Stamp(f.At), Fault: f.Fault}
		if who := m.People[f.User]; who != nil {
			one.Name = who.Name
		}
		failed = append(failed, one)
	}
	body := map[string]any{
		"numbers": map[string]any{
			"people": m.Overview.People, "new": m.New, "seen": m.Seen, "suspended": m.Suspended, "groups": m.Groups, "reports": m.Reports, "applicants": m.Applicants, "held_posts": m.Held,
			"posts": m.Posts, "comments": m.Comments, "bytes": m.Bytes, "mails": m.Mails, "failed_mails": m.FailedMails, "jobs": m.Jobs, "uploads": m.Uploads,
		},
		"people": list, "failed_mails": failed,
	}
	if m.Older != "" {
		body["older_people_url"] = page.AdminPath + ".json" + m.Older
	}
	return body
}
