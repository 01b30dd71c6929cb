package page

import (
	"net/url"
	"strconv"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
	"amstel.dev/amstel/web/catalogue"
)

// The paths of the pages for finding people, groups and posts.
const (
	FindPath   = "/filter/people"
	GroupsPath = "/filter/groups"
)

// The API paths of saved searches, and of a newcomer's first steps.
const (
	savedAPI = "/api/v1/searches"
	stepsAPI = "/api/v1/steps.json"
)

// SearchesPath returns the path of the page of a search; for an empty text, that of the
// empty form.
func SearchesPath(text string) string {
	if text == "" {
		return SearchPath
	}
	return SearchPath + "?q=" + url.QueryEscape(text)
}

// SearchModel is the head of the page of a search, above the results.
type SearchModel struct {
	Text     string // of the search, as it is written
	Tag      string // the hashtag without its sign, if the search is only for it
	Problem  string // what is wrong with the search
	Signed   bool   // the viewer is signed in and can save searches
	Saved    []discover.SavedSearch
	Problems Problems // of the form that saves the search, or that renames search At
	Typed    string
	At       int64
	// Users and Groups match the words of the search by name.
	Users  []*timeline.UserCard
	Groups []*timeline.GroupCard
}

// SearchPageModel is the content of the page of an empty or invalid search.
type SearchPageModel struct {
	Shell
	Search *SearchModel
}

// saved returns this search among the saved ones; nil if it is not saved.
func (m *SearchModel) saved() *discover.SavedSearch {
	for i := range m.Saved {
		if m.Saved[i].Query == m.Text {
			return &m.Saved[i]
		}
	}
	return nil
}

// problemsIn returns the problems of the form of a saved search; 0 is the form that saves this
// one.
func (m *SearchModel) problemsIn(id int64) Problems {
	if m.At == id {
		return m.Problems
	}
	return nil
}

func (m *SearchModel) typedOr(id int64, otherwise string) string {
	if m.problemsIn(id) != nil {
		return m.Typed
	}
	return otherwise
}

func searchAPI(id int64) string { return savedAPI + "/" + strconv.FormatInt(id, 10) + ".json" }

// drop returns the action that deletes a saved search.
func (m *SearchModel) drop(words catalogue.Language, s discover.SavedSearch) actionForm {
	return deleteForm(words.SearchForget(), searchAPI(s.ID), SearchesPath(m.Text))
}

// A searchSign is a sign of the search language, with its meaning.
type searchSign struct{ Sign, Means string }

// searchSigns returns all signs of the search language.
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
		{"has:image", words.SearchHelpHas()},
		{"after:2024-05-01", words.SearchHelpAfter()},
		{"before:2024-06-01", words.SearchHelpBefore()},
	}
}
