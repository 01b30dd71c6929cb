package page

import (
	"strconv"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// RiverModel is a page that lists posts, or shows one.
type RiverModel struct {
	Shell
	View *river.View
	UUID string // the river's name on the wire; empty: the page isn't live
	Page string // the page's path and query, by which it is asked for again; "" is Shell.Path

	User  *UserHead  // whose page it is, where it is somebody's
	Group *GroupHead // which group's
	Form  *PostForm  // to write a post with; nil: none here

	Older, Newer string // addresses of the pages around this one; empty: none

	// NewUUID makes the _uuid of a comment form; see EntryModel.
	NewUUID func() string
	// Fragment gives the HTML of an entry where it is kept already (as made by
	// EntryHTML); nil, or false: it is rendered.
	Fragment func(*river.Entry) (html string, kept bool)
}

// entry is the model of one entry of the page.
func (m RiverModel) entry(e *river.Entry) EntryModel {
	return EntryModel{Entry: e, Sets: m.View.Sets, Cards: m.cards(), ReturnTo: m.Path, NewUUID: m.NewUUID}
}

func (m RiverModel) cards() Cards { return Cards{Users: m.View.Users, Groups: m.View.Groups} }

// kept is the fragment of an entry, where there is one.
func (m RiverModel) kept(e *river.Entry) (string, bool) {
	if m.Fragment == nil {
		return "", false
	}
	return m.Fragment(e)
}

func (m RiverModel) page() string {
	if m.Page == "" {
		return m.Path
	}
	return m.Page
}

func (m RiverModel) live() string { return strconv.FormatBool(m.View.Live && m.UUID != "") }

// viewer is the name of who looks, as the page's client knows it.
func (m RiverModel) viewer() string { return m.name() }

func (m RiverModel) kind() river.Kind { return m.View.Key.What }

// top says whether this is the first page.
func (m RiverModel) top() bool { return m.Newer == "" }

// Tab is one of the pages about a person.
type Tab string

// The tabs of a person's page.
const (
	TabPosts    Tab = "posts"
	TabComments Tab = "comments"
	TabLikes    Tab = "likes"
	TabPeople   Tab = "people"
)

// Relation is how the viewer stands to a person or a group.
type Relation struct {
	Self            bool // it is the viewer
	Subscribed      bool
	Requested       bool // asked to subscribe, and not answered yet
	Banned          bool // by the viewer
	SubscribedToYou bool
	Admin           bool // the viewer administers the group
}

// Counts are the numbers shown about a person or a group; nil: not known.
type Counts struct {
	Subscribers, Subscriptions *int
}

// UserHead is the top of the pages about a person.
type UserHead struct {
	Card     *timeline.UserCard
	Counts   Counts
	Relation Relation
	Tab      Tab
	Signed   bool   // somebody is signed in: offer to subscribe
	Closed   bool   // the viewer may not read it: no tabs
	ReturnTo string // where its forms lead back to
}

// GroupHead is the top of a group's page.
type GroupHead struct {
	Card     *timeline.GroupCard
	Counts   Counts
	Relation Relation
	Admins   []*timeline.UserCard
	Signed   bool
	Closed   bool
	ReturnTo string
}

// standing is what a status means, for people: the icon's name (and the class
// that browser extensions look for), and words.
type standing struct{ Icon, Class, Words string }

func standingOf(status string, group bool) standing {
	switch status {
	case "private":
		if group {
			return standing{"lock", "fa-lock", "Private group: only members read it"}
		}
		return standing{"lock", "fa-lock", "Private feed: only approved subscribers read it"}
	case "protected":
		if group {
			return standing{"shield", "fa-shield", "Protected group: only people who are signed in read it"}
		}
		return standing{"shield", "fa-shield", "Protected feed: only people who are signed in read it"}
	case "fyeo":
		return standing{"eye", "fa-eye", "For your eyes only"}
	}
	return standing{}
}

// asks says whether subscribing is by request.
func asks(status string) bool { return status == "private" || status == "protected" }

// PostForm is the form to write a post with.
type PostForm struct {
	Text             string
	Problems         Problems
	To               []Destination // where it may go; one alone is not asked about
	Names            *string       // of directs: to whom, as typed; nil: not a direct
	Label            string        // "Post to Cooks"; empty: "Post"
	ReturnTo         string
	UUID             string
	CommentsDisabled bool
}

// Destination is a place to post to: "user", "group:NAME", "direct:NAME".
type Destination struct {
	Value, Label string
	Checked      bool
}

func (f *PostForm) label() string {
	if f.Label == "" {
		return "Post"
	}
	return f.Label
}

// subject is whose page it is, in a sentence.
func (m RiverModel) subject() string {
	switch {
	case m.User == nil:
		return "somebody"
	case m.User.Relation.Self:
		return "you"
	}
	return shownName(m.User.Card.DisplayName, m.User.Card.Name)
}

func (h *GroupHead) admins() []named {
	all := make([]named, len(h.Admins))
	for i, card := range h.Admins {
		all[i] = namedUser(card)
	}
	return all
}

// goesTo says where a post goes that is sent as the form stands.
func (f *PostForm) goesTo() string {
	var to []string
	for _, d := range f.To {
		if d.Checked {
			to = append(to, d.Label)
		}
	}
	if len(to) == 0 {
		return "Choose where it goes"
	}
	return "To " + strings.Join(to, ", ")
}
