package page

import (
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// A JournalLine is an entry of the journal, with the cards of those in it.
type JournalLine struct {
	Words  catalogue.Language
	Entry  timeline.JournalEntry
	People map[timeline.UserID]*timeline.UserCard
	Groups map[timeline.GroupID]*timeline.GroupCard
}

// by returns the name of the administrator who acted, or words for the operator of the server.
func (l JournalLine) by() string {
	if who := l.People[l.Entry.By]; who != nil {
		return "@" + who.Name
	}
	return l.Words.SuspensionOperator()
}

// done returns in words what an entry of the journal says was done.
func (l JournalLine) done() string {
	by, name, words := l.by(), l.Words.SuspensionUnknown(), l.Words
	if who := l.People[l.Entry.User]; who != nil {
		name = "@" + who.Name
	}
	switch l.Entry.Act {
	case timeline.ActRestore:
		if l.Entry.By == 0 {
			return words.SuspensionEnded(name)
		}
		return words.SuspensionRestored(by, name)
	case timeline.ActWarn:
		return words.JournalWarned(by, name)
	case timeline.ActHide:
		return words.JournalHid(by, name)
	case timeline.ActDeletePost:
		return words.JournalDeletedPost(by, name)
	case timeline.ActDeleteComment:
		return words.JournalDeletedComment(by, name)
	case timeline.ActTakeOut:
		return words.JournalTookOut(by, name, l.group())
	case timeline.ActRelease:
		return words.JournalReleased(by, name)
	case timeline.ActAccept:
		return words.JournalAccepted(by, name)
	case timeline.ActRefuse:
		return words.JournalRefused(by)
	case timeline.ActDismiss:
		return words.JournalDismissed(by, name)
	}
	if l.Entry.Until.IsZero() {
		return words.SuspensionSuspended(by, name)
	}
	return words.SuspensionSuspendedUntil(by, name, words.Day(l.Entry.Until))
}

// group returns the shown name of the group whose administrators acted.
func (l JournalLine) group() string {
	if g := l.Groups[l.Entry.Group]; g != nil {
		return namedGroup(g).Text
	}
	return l.Words.NoticeAGroup()
}
