package page

import (
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// DirectoryModel is the content of a page of the directory of people or of groups, or of
// those that were found by a text.
type DirectoryModel struct {
	Shell
	At           string // the path: FindPath or GroupsPath
	Text         string
	Problem      string
	Rows         []Row
	More         bool          // there are more matches than rows
	Orders       Picker        // no choices: the rows have one order
	Suggest      *SuggestModel // nil: none
	Older, Newer string        // addresses of the pages around this one
}

func (m DirectoryModel) groups() bool { return m.At == GroupsPath }

// label returns the label of the field for a text.
func (m DirectoryModel) label() string {
	if m.groups() {
		return m.Words.FindGroupsLabel()
	}
	return m.Words.FindLabel()
}

// none returns the sentence of a page without rows.
func (m DirectoryModel) none() string {
	switch {
	case m.groups():
		return m.Words.FindGroupsNone()
	case m.Text == "":
		return m.Words.FindNobody()
	}
	return m.Words.FindNone()
}

// kinds returns the links to the two directories.
func (m DirectoryModel) kinds() Picker {
	return Picker{Label: m.Words.FindTitle(), Choices: []PickerLink{
		{Text: m.Words.NavPeople(), Href: FindPath, Current: !m.groups()},
		{Text: m.Words.FindGroupsTitle(), Href: GroupsPath, Current: m.groups()},
	}}
}

// A Row is a person or a group on a list from which a viewer chooses.
type Row struct {
	User      *timeline.UserCard  // nil: a group
	Group     *timeline.GroupCard // nil: a person
	Members   int                 // subscribers of a person
	Active    time.Time           // zero: unknown
	Why       string              // why the row is on the list; may be empty
	Following Following           // how the viewer follows the feed
	Suggested bool                // it is on a list of suggestions, which may have it beside another list
	Self      bool                // it is the viewer
	Signed    bool                // the viewer is signed in
}

// ID returns the id of the person or of the group.
func (r Row) ID() int64 {
	if r.Group != nil {
		return int64(r.Group.ID)
	}
	return int64(r.User.ID)
}

// elementID returns the id of the row's element, to which the browser returns after a click.
func (r Row) elementID() string {
	id := "u"
	if r.Group != nil {
		id = "g"
	}
	if r.Suggested {
		id = "suggested-" + id
	}
	return id + strconv.FormatInt(r.ID(), 10)
}

// A rowFace has the parts of a row that people and groups have in common.
type rowFace struct {
	named
	Name, AvatarURL, Description string
	Standing                     standing
}

func (r Row) face(words catalogue.Language) rowFace {
	if g := r.Group; g != nil {
		return rowFace{namedGroup(g), g.Name, g.AvatarURL, g.Description, standingOf(words, g.Status, true)}
	}
	u := r.User
	return rowFace{namedUser(u), u.Name, u.AvatarURL, u.Description, standingOf(words, u.Status, false)}
}

// size returns in words how many members or subscribers there are, and who may read a group.
func (r Row) size(words catalogue.Language) string {
	if r.Group == nil {
		return words.HeadSubscribers(r.Members)
	}
	switch r.Group.Status {
	case "private":
		return words.FindMembersPrivate(r.Members)
	case "protected":
		return words.FindMembersProtected(r.Members)
	}
	return words.FindMembers(r.Members)
}

// actions returns the action that follows the feed, or the action that stops following it. The
// script changes one into the other in place.
func (r Row) actions(words catalogue.Language, returnTo string) []actionForm {
	if !r.Signed || r.Self {
		return nil
	}
	now := r.Following
	done := words.FindJoined()
	if r.Group == nil {
		done = words.FindSubscribed()
	}
	other := r
	if followed := now.Subscribed || now.Requested; followed {
		other.Following = Following{}
	} else {
		other.Following.Subscribed = true
	}
	shown, then := r.main(words, returnTo), other.main(words, returnTo)
	if len(shown) != 1 || len(then) != 1 {
		return shown
	}
	one := shown[0]
	if r.asks() && !now.Subscribed {
		done = words.FindAsked()
	}
	if one.Method == "" {
		one.Then, one.Class = done, ""
	} else {
		one.Label, one.Then, one.Class = done, then[0].Label, "quiet"
	}
	return []actionForm{one}
}

// asks reports whether following the feed needs a request.
func (r Row) asks() bool {
	if r.Group != nil {
		return asks(r.Group.Status) || r.Group.Joining == "request"
	}
	return asks(r.User.Status)
}

// main returns the first action of the page of the person or group.
func (r Row) main(words catalogue.Language, returnTo string) []actionForm {
	f, back := r.Following, returnTo+"#"+r.elementID()
	stands := Relation{Subscribed: f.Subscribed, ForwardOnly: f.ForwardOnly, Requested: f.Requested, Barred: f.Barred}
	if r.Group != nil {
		return (&GroupHead{Card: r.Group, Relation: stands, Signed: true, ReturnTo: back}).main(words)
	}
	return (&UserHead{Card: r.User, Relation: stands, Signed: true, ReturnTo: back}).main(words)
}

// SuggestModel holds people and groups that the viewer may want to follow.
type SuggestModel struct {
	ReturnTo      string // the page that shows them
	Users, Groups []Row
}

// first returns the first rows, at most n of them.
func first(rows []Row, n int) []Row { return rows[:min(n, len(rows))] }

// followed reports whether the viewer has followed any of them.
func (m *SuggestModel) followed() bool {
	for _, rows := range [][]Row{m.Users, m.Groups} {
		for _, r := range rows {
			if r.Following.Subscribed || r.Following.Requested {
				return true
			}
		}
	}
	return false
}

// SuggestedBecause returns in words why something is suggested: because of friends, one of
// whom has the card, or because of its recent posts. The card may be nil.
func SuggestedBecause(words catalogue.Language, friends int, friend *timeline.UserCard, posts int) string {
	switch {
	case friends == 1 && friend != nil:
		return words.FindFriend(namedUser(friend).Text)
	case friends > 1 && friend != nil:
		return words.FindFriendAnd(friends-1, namedUser(friend).Text)
	case friends > 0:
		return words.FindFriends(friends)
	case posts > 0:
		return words.FindPostsLately(posts)
	}
	return ""
}

// Steps are the first steps of a newcomer.
type Steps struct {
	Follows  int  // subscriptions
	Wrote    bool // the newcomer has a post
	Pictured bool // the newcomer has a picture
	Pictures bool // the site takes pictures
}

// followed reports whether the first step is done.
func (s *Steps) followed() bool { return s.Follows >= timeline.NewcomerFollows }

// Done reports whether all steps are done.
func (s *Steps) Done() bool { return s.followed() && s.Wrote && (s.Pictured || !s.Pictures) }

// firstLine returns the beginning of a description, for a list.
func firstLine(text string) string {
	line, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	const most = 160
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	if more {
		line += " …"
	}
	return line
}
