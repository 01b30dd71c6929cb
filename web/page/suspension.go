package page

import (
	"net/url"
	"strings"

	"amstel.dev/amstel/timeline"
)

// SuspensionsPath is the page on which administrators of the site suspend and restore accounts.
const SuspensionsPath = "/settings/suspensions"

// SuspensionsModel is the content of the page of suspended accounts.
type SuspensionsModel struct {
	Shell
	Name, Reason, Days string   // as typed, or of the link that led here
	Problems           Problems // of the form, by its fields
	Suspended          []timeline.Suspension
	Journal            []timeline.JournalEntry // the newest first
	People             map[timeline.UserID]*timeline.UserCard
	Groups             map[timeline.GroupID]*timeline.GroupCard
}

// suspendPath returns the address of the form with a name filled in.
func suspendPath(name string) string {
	return SuspensionsPath + "?" + url.Values{"name": {name}}.Encode()
}

// restore returns the form that ends a suspension.
func (m SuspensionsModel) restore(who *timeline.UserCard) []actionForm {
	return []actionForm{deleteForm(m.Words.SuspensionRestore(), "/api/v1/suspensions/"+pathPart(who.Name)+".json", SuspensionsPath)}
}

// lines returns the entries of the journal.
func (m SuspensionsModel) lines() []JournalLine {
	var all []JournalLine
	for _, e := range m.Journal {
		all = append(all, JournalLine{m.Words, e, m.People, m.Groups})
	}
	return all
}

// about returns why a person is suspended, and until when.
func (m SuspensionsModel) about(e timeline.Suspension) string {
	if e.Until.IsZero() {
		return e.Reason
	}
	return strings.TrimSpace(m.Words.SuspensionUntil(m.Words.Day(e.Until)) + " " + e.Reason)
}
