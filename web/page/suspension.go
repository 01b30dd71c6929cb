package page

import (
	"net/url"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// SuspensionsPath is the page on which administrators of the site suspend and restore accounts.
const SuspensionsPath = "/settings/suspensions"

// SuspensionsModel is the content of the page of suspended accounts.
type SuspensionsModel struct {
	Shell
	Name, Reason string   // as typed, or of the link that led here
	Problems     Problems // of the form, by its fields
	Suspended    []timeline.Suspension
	Journal      []timeline.JournalEntry // the newest first
	People       map[timeline.UserID]*timeline.UserCard
}

// suspendPath returns the address of the form with a name filled in.
func suspendPath(name string) string {
	return SuspensionsPath + "?" + url.Values{"name": {name}}.Encode()
}

// by returns the name of the administrator who acted, or words for the operator of the server.
func (m SuspensionsModel) by(e timeline.JournalEntry) string {
	if who := m.People[e.By]; who != nil {
		return "@" + who.Name
	}
	return m.Words.SuspensionOperator()
}

// restore returns the form that ends a suspension.
func (m SuspensionsModel) restore(who *timeline.UserCard) []actionForm {
	return []actionForm{deleteForm(m.Words.SuspensionRestore(), "/api/v1/suspensions/"+pathPart(who.Name)+".json", SuspensionsPath)}
}

// done returns in words what an entry of the journal says was done.
func (m SuspensionsModel) done(e timeline.JournalEntry) string {
	name := m.Words.SuspensionUnknown()
	if who := m.People[e.User]; who != nil {
		name = "@" + who.Name
	}
	if e.Act == timeline.ActRestore {
		return m.Words.SuspensionRestored(m.by(e), name)
	}
	return m.Words.SuspensionSuspended(m.by(e), name)
}

// suspendLink returns the link to the form about a person, for administrators of the site.
func (h *UserHead) suspendLink(words catalogue.Language) PickerLink {
	return PickerLink{Text: words.HeadSuspend(), Href: suspendPath(h.Card.Name)}
}
