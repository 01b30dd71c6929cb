package page

import (
	"net/url"
	"strconv"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
	"amstel.dev/amstel/web/catalogue"
)

// The pages on which people, groups and posts are found.
const (
	FindPath   = "/filter/people"
	GroupsPath = "/filter/groups"
)

// savedAPI is where searches are kept.
const savedAPI = "/api/v1/searches"

// SearchesPath is the page of a search, as it is written; empty: the page of none.
func SearchesPath(text string) string {
	if text == "" {
		return SearchPath
	}
	return SearchPath + "?q=" + url.QueryEscape(text)
}

// SearchModel is what stands above what a search found.
type SearchModel struct {
	Text     string // as it was written
	Tag      string // of which alone the page is, without its sign; empty: none
	Problem  string // what is wrong with it
	Signed   bool   // somebody is signed in: searches can be kept
	Saved    []discover.SavedSearch
	Problems Problems // of the form to keep it, or of that to rename At
	Typed    string
	At       int64
	// People and groups whom the words of the search may mean.
	Users  []*timeline.UserCard
	Groups []*timeline.GroupCard
}

// SearchPageModel is the page of a search that finds nothing, as it is empty or
// can't be understood.
type SearchPageModel struct {
	Shell
	Search *SearchModel
}

// kept is the search among those that are kept under a name; nil: it is not.
func (m *SearchModel) kept() *discover.SavedSearch {
	for i := range m.Saved {
		if m.Saved[i].Query == m.Text {
			return &m.Saved[i]
		}
	}
	return nil
}

// of is what is wrong with the form of a search that is kept; 0 is that to keep
// this one.
func (m *SearchModel) of(id int64) Problems {
	if m.At == id {
		return m.Problems
	}
	return nil
}

func (m *SearchModel) typed(id int64, otherwise string) string {
	if m.of(id) != nil {
		return m.Typed
	}
	return otherwise
}

func searchAPI(id int64) string { return savedAPI + "/" + strconv.FormatInt(id, 10) + ".json" }

// drop keeps the search no longer.
func (m *SearchModel) drop(words catalogue.Language, s discover.SavedSearch) deed {
	return away(words.SearchForget(), searchAPI(s.ID), SearchesPath(m.Text))
}

// A searchSign is something that can be written in a search, and what it means.
type searchSign struct{ Sign, Means string }

// searchSigns are all of them.
func searchSigns(words catalogue.Language) []searchSign {
	return []searchSign{
		{"boats harbour", words.SearchHelpWords()},
		{`"red boat"`, words.SearchHelpPhrase()},
		{"-sail", words.SearchHelpNot()},
		{"from:anna", words.SearchHelpFrom()},
		{"group:rowing", words.SearchHelpGroup()},
		{"in:comments", words.SearchHelpIn()},
		{"liked-by:anna", words.SearchHelpLiked()},
		{"commented-by:anna", words.SearchHelpCommented()},
		{"#amstel", words.SearchHelpTag()},
		{"after:2024-05-01", words.SearchHelpAfter()},
		{"before:2024-06-01", words.SearchHelpBefore()},
	}
}

// FindModel is the page on which people and groups are found by name.
type FindModel struct {
	Shell
	Text    string
	Problem string
	Users   []*timeline.UserCard
	Groups  []*timeline.GroupCard
	More    bool          // there are others of that name
	Suggest *SuggestModel // while nothing is looked for; nil: none
}

// DirectoryModel is a page of the directory of groups.
type DirectoryModel struct {
	Shell
	Text         string
	Problem      string
	Groups       []GroupListed
	Older, Newer string // addresses of the pages around this one
}

// GroupListed is a group and how many are in it.
type GroupListed struct {
	Card    *timeline.GroupCard
	Members int
}

// about is what the directory says of a group beside its name.
func (g GroupListed) about(words catalogue.Language) string {
	switch g.Card.Status {
	case "private":
		return words.FindMembersPrivate(g.Members)
	case "protected":
		return words.FindMembersProtected(g.Members)
	}
	return words.FindMembers(g.Members)
}

// SuggestModel is whom and what somebody may want to follow.
type SuggestModel struct {
	ReturnTo string // the page that they stand on
	Users    []SuggestedUser
	Groups   []SuggestedGroup
}

// SuggestedUser is a person to follow, and how many friends do.
type SuggestedUser struct {
	Card    *timeline.UserCard
	Friends int
}

// SuggestedGroup is a group to join, and how many friends did.
type SuggestedGroup struct {
	Card    *timeline.GroupCard
	Friends int
}

// becauseFriends is why something is suggested.
func becauseFriends(words catalogue.Language, friends int) string {
	if friends == 0 {
		return words.FindActive()
	}
	return words.FindFriends(friends)
}

func (s SuggestedUser) deeds(words catalogue.Language, returnTo string) []deed {
	h := UserHead{Card: s.Card, Signed: true, ReturnTo: returnTo}
	return h.main(words)
}

func (s SuggestedGroup) deeds(words catalogue.Language, returnTo string) []deed {
	h := GroupHead{Card: s.Card, Signed: true, ReturnTo: returnTo}
	return h.main(words)
}
