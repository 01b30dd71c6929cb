package page

import (
	"strconv"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/web/catalogue"
)

// RiverModel is the content of a page that lists posts, or shows one.
type RiverModel struct {
	Shell
	View *river.View
	UUID string // the river's name on the wire; empty: the page isn't live

	Head    KindHead      // which page of its kind it is
	Search  *SearchModel  // on the pages of searches
	Suggest *SuggestModel // suggestions in an empty home or for a newcomer; nil: none
	Steps   *Steps        // the first steps of a newcomer at home; nil: none
	Front   *Front        // on the front page of visitors without an account; else nil
	User    *UserHead     // on the pages of a person
	Group   *GroupHead    // on the pages of a group
	Form    *PostForm     // for a new post; nil: none

	Older, Newer string // addresses of the pages around this one; empty: none
	AskFeed      string // where a member makes a private address for the page's web feed; empty: not offered

	LeftOff *LeftOff // where the last visit ended; nil: there was none
	CatchUp *CatchUp // what happened since; nil: not shown
	Keeps   bool     // visits of this page are recorded

	// Store is a JSON object with the entries of the page, for browser extensions; empty: there
	// is none.
	Store string

	// NewUUID returns the _uuid of a comment form; see EntryModel.
	NewUUID func() string
	// Fragment returns HTML that stands for an entry, such as the kept HTML of the entry or a mark in its
	// place, and reports whether there is any; nil: entries are rendered.
	Fragment func(*river.Entry) (html string, kept bool)
}

// entry returns the model of an entry of the page.
func (m RiverModel) entry(e *river.Entry) EntryModel {
	return EntryModel{Words: m.Words, Entry: e, Sets: m.View.Sets, Cards: m.cards(), NewUUID: m.NewUUID}
}

func (m RiverModel) cards() Cards { return Cards{Users: m.View.Users, Groups: m.View.Groups} }

// cached returns the cached HTML of an entry, if there is any.
func (m RiverModel) cached(e *river.Entry) (string, bool) {
	if m.Fragment == nil {
		return "", false
	}
	return m.Fragment(e)
}

func (m RiverModel) live() string { return strconv.FormatBool(m.View.Live && m.UUID != "") }

// viewer returns the viewer's name, for the client.
func (m RiverModel) viewer() string { return m.name() }

func (m RiverModel) kind() river.Kind { return m.View.Key.What }

// top reports whether this is the first page.
func (m RiverModel) top() bool { return m.Newer == "" }

// subject returns the owner of the page in words.
func (m RiverModel) subject() string {
	if m.User == nil {
		return m.Words.EntrySomeone()
	}
	return shownName(m.User.Card.DisplayName, m.User.Card.Name)
}

// languageCalled returns what the page calls its language: in English its English name,
// else its own.
func (m RiverModel) languageCalled() string {
	if m.Words == catalogue.English {
		return m.Head.Language.Name
	}
	return m.Head.Language.Own
}
