package page

import (
	"strconv"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/web/catalogue"
)

// RiverModel is a page that lists posts, or shows one.
type RiverModel struct {
	Shell
	View *river.View
	UUID string // the river's name on the wire; empty: the page isn't live

	Head    KindHead      // which one of its kind
	Search  *SearchModel  // what is searched for, on the pages of that
	Suggest *SuggestModel // whom to follow, in an empty home; nil: nobody
	User    *UserHead     // whose page it is, where it is somebody's
	Group   *GroupHead    // which group's
	Form    *PostForm     // to write a post with; nil: none here

	Older, Newer string // addresses of the pages around this one; empty: none

	LeftOff *LeftOff // where the viewer left off; nil: he never was here
	CatchUp *CatchUp // what happened since; nil: nothing is said of it
	Keeps   bool     // it is kept how far the viewer has seen this page

	// NewUUID makes the _uuid of a comment form; see EntryModel.
	NewUUID func() string
	// Fragment gives the HTML of an entry where it is kept already (as made by
	// EntryHTML); nil, or false: it is rendered.
	Fragment func(*river.Entry) (html string, kept bool)
}

// entry is the model of one entry of the page.
func (m RiverModel) entry(e *river.Entry) EntryModel {
	return EntryModel{Words: m.Words, Entry: e, Sets: m.View.Sets, Cards: m.cards(), ReturnTo: m.Path, NewUUID: m.NewUUID}
}

func (m RiverModel) cards() Cards { return Cards{Users: m.View.Users, Groups: m.View.Groups} }

// kept is the fragment of an entry, where there is one.
func (m RiverModel) kept(e *river.Entry) (string, bool) {
	if m.Fragment == nil {
		return "", false
	}
	return m.Fragment(e)
}

func (m RiverModel) live() string { return strconv.FormatBool(m.View.Live && m.UUID != "") }

// viewer is the name of who looks, as the page's client knows it.
func (m RiverModel) viewer() string { return m.name() }

func (m RiverModel) kind() river.Kind { return m.View.Key.What }

// top says whether this is the first page.
func (m RiverModel) top() bool { return m.Newer == "" }

// subject is whose page it is, in a sentence.
func (m RiverModel) subject() string {
	if m.User == nil {
		return m.Words.EntrySomeone()
	}
	return shownName(m.User.Card.DisplayName, m.User.Card.Name)
}

// called is what the language of the page is called, in the page's words: in English
// its English name, else its own.
func (m RiverModel) called() string {
	if m.Words == catalogue.English {
		return m.Head.Language.Name
	}
	return m.Head.Language.Own
}
