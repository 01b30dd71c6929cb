package page

import (
	"fmt"
	"strconv"

	"amstel.dev/amstel/timeline"
)

// AdminPath is the page for administrators of the site, with the numbers of the site and all people.
const AdminPath = "/admin"

// AdminModel is the content of the page for administrators.
type AdminModel struct {
	Shell
	timeline.Overview
	Name     string // with which the names of the shown people begin
	Accounts []timeline.Account
	People   map[timeline.UserID]*timeline.UserCard
	Older    string // the address of people who came earlier; empty at the end
	Failed   []timeline.FailedMail
}

// A siteNumber is a number of the site with its label, and the address of more about it.
type siteNumber struct {
	Label, Value, Href string
}

// numbers returns the numbers of the site, those that ask for something first.
func (m AdminModel) numbers() []siteNumber {
	n := func(label string, value int, href string) siteNumber {
		return siteNumber{label, strconv.Itoa(value), href}
	}
	words := m.Words
	return []siteNumber{
		n(words.AdminReports(), m.Reports, ReportsPath),
		n(words.AdminApplicants(), m.Applicants, ApplicantsPath),
		n(words.AdminHeld(), m.Held, ReportsPath),
		n(words.AdminSuspended(), m.Suspended, SuspensionsPath),
		n(words.AdminPeople(), m.Overview.People, ""),
		n(words.AdminNew(), m.New, ""),
		n(words.AdminSeen(), m.Seen, ""),
		n(words.AdminGroups(), m.Groups, GroupsPath),
		{words.AdminPosts(), words.AdminAbout(strconv.FormatInt(m.Posts, 10)), ""},
		{words.AdminComments(), words.AdminAbout(strconv.FormatInt(m.Comments, 10)), ""},
		{words.AdminBytes(), fmt.Sprintf("%.1f MB", float64(m.Bytes)/1e6), StatusPath},
		n(words.AdminMails(), m.Mails, ""),
		n(words.AdminFailedMails(), m.FailedMails, m.failedHref()),
		n(words.AdminJobs(), m.Jobs, StatusPath),
		n(words.AdminUploads(), m.Uploads, ""),
	}
}

// failedHref returns the address of the list of mails that failed; empty if there is none.
func (m AdminModel) failedHref() string {
	if len(m.Failed) == 0 {
		return ""
	}
	return "#failed-mails"
}

// mailedTo returns the name of the person to whom a mail was sent.
func (m AdminModel) mailedTo(f timeline.FailedMail) string {
	if who := m.People[f.User]; who != nil {
		return "@" + who.Name
	}
	return m.Words.SuspensionUnknown()
}

// marks returns what the list says about a person besides the name.
func (m AdminModel) marks(a timeline.Account) []string {
	var all []string
	if a.Admin {
		all = append(all, m.Words.AdminIsAdmin())
	}
	if a.Suspended {
		all = append(all, m.Words.AdminIsSuspended())
	}
	if a.EraseAt != nil {
		all = append(all, m.Words.AdminIsLeaving(m.Words.Day(*a.EraseAt)))
	}
	if a.Reports > 0 {
		all = append(all, m.Words.AdminReported(a.Reports))
	}
	if by := m.People[a.InvitedBy]; by != nil {
		all = append(all, m.Words.AdminInvitedBy("@"+by.Name))
	}
	return all
}
