package page

import "amstel.dev/amstel/timeline"

// Cards holds the cards of the people and groups that a page names.
type Cards struct {
	Users  map[timeline.UserID]*timeline.UserCard
	Groups map[timeline.GroupID]*timeline.GroupCard
}

// user returns the card of a person, or an empty card if it is missing: a page with a gap
// is better than none.
func (m EntryModel) user(id timeline.UserID) *timeline.UserCard {
	if card := m.Users[id]; card != nil {
		return card
	}
	return &timeline.UserCard{ID: id, Name: "-", DisplayName: m.Words.EntrySomeone(), Status: "deleted"}
}

// group returns the card of a group, or an empty card if it is missing.
func (m EntryModel) group(id timeline.GroupID) *timeline.GroupCard {
	if card := m.Groups[id]; card != nil {
		return card
	}
	return &timeline.GroupCard{ID: id, Name: "-", DisplayName: m.Words.EntryAGroup(), Status: "deleted"}
}

// A named is a person or group by name, with the address of their page.
type named struct{ Href, Text string }

func namedUser(c *timeline.UserCard) named {
	return named{Href: NamePath(c.Name), Text: shownName(c.DisplayName, c.Name)}
}

func namedGroup(c *timeline.GroupCard) named {
	return named{Href: NamePath(c.Name), Text: shownName(c.DisplayName, c.Name)}
}

// shownName returns the display name, or the name if there is none.
func shownName(display, name string) string {
	if display == "" {
		return name
	}
	return display
}
