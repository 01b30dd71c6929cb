package page

import (
	"strconv"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// ListsModel is the content of the page for editing lists.
type ListsModel struct {
	Shell
	Lists []OwnList
	// Problems and Typed belong to the form of a new list, or to that of list At.
	Problems Problems
	Typed    string
	At       timeline.ListID // 0: a new list
	Adding   bool            // the form adds a feed to the list
}

// An OwnList is one of the viewer's lists with its feeds.
type OwnList struct {
	ID      timeline.ListID
	Name    string
	Users   []*timeline.UserCard // their feeds, likes and comments are in the list
	Private []*timeline.UserCard // their private sub-feeds are in the list
	Groups  []*timeline.GroupCard
}

// elementID returns the id of an element of the list.
func (l OwnList) elementID(what string) string {
	return what + "-" + strconv.FormatInt(int64(l.ID), 10)
}

func (l OwnList) api() string     { return listAPI(l.ID) + ".json" }
func (l OwnList) members() string { return listAPI(l.ID) + "/members.json" }

// problemsIn returns the problems of a list's form; 0 is the form of a new list.
func (m ListsModel) problemsIn(list timeline.ListID, adding bool) Problems {
	if m.At == list && m.Adding == adding {
		return m.Problems
	}
	return nil
}

// typedOr returns the name that was typed into a list's form, or otherwise if none was.
func (m ListsModel) typedOr(list timeline.ListID, adding bool, otherwise string) string {
	if m.problemsIn(list, adding) != nil {
		return m.Typed
	}
	return otherwise
}

// removeFeed returns the action that removes a feed from the list.
func (l OwnList) removeFeed(words catalogue.Language, name string, private bool) []actionForm {
	one := deleteForm(words.ListTakeOut(), l.members(), MyListsPath)
	one.Fields = []sending{{"name", name}}
	if private {
		one.Fields = append(one.Fields, sending{"private", "1"})
	}
	return []actionForm{one}
}

// remove returns the action that deletes the list.
func (l OwnList) remove(words catalogue.Language) actionForm {
	one := deleteForm(words.FormDelete(), l.api(), MyListsPath)
	one.Ask = words.ListDeleteAsk()
	one.Sure = words.ListDeleteSure()
	return one
}

// A ListChoice is one of the viewer's lists, and whether a feed is in it.
type ListChoice struct {
	ID         timeline.ListID
	Name       string
	In         bool // the feed is in the list
	May        bool // the viewer may add the feed
	PrivateIn  bool // the same of a person's private sub-feed
	PrivateMay bool
}

// listActions returns the actions that add the feeds of an owner to lists and remove
// them.
func listActions(words catalogue.Language, lists []ListChoice, name, back string) []actionForm {
	var all []actionForm
	for _, l := range lists {
		for _, part := range []struct {
			private, in, may bool
			put, take        string
		}{
			{false, l.In, l.May, words.ListPut(l.Name), words.ListTake(l.Name)},
			{true, l.PrivateIn, l.PrivateMay, words.ListPutPrivate(l.Name), words.ListTakePrivate(l.Name)},
		} {
			if !part.in && !part.may {
				continue
			}
			one := toggle(part.in, listAPI(l.ID)+"/members.json", back, actionForm{Label: part.put, Class: "link"}, actionForm{Label: part.take, Class: "link"})
			one.Fields = []sending{{"name", name}}
			if part.private {
				one.Fields = append(one.Fields, sending{"private", "1"})
			}
			all = append(all, one)
		}
	}
	return all
}

// lists returns the viewer's lists for which there is an action: feeds that the viewer
// may not read can only be removed.
func (h *UserHead) lists() []ListChoice { return listsFor(h.Relation.Lists, h.Closed) }

func (h *GroupHead) lists() []ListChoice { return listsFor(h.Relation.Lists, h.Closed) }

func listsFor(all []ListChoice, closed bool) []ListChoice {
	var some []ListChoice
	for _, l := range all {
		l.May = l.May && !closed
		if l.In || l.May || l.PrivateIn || l.PrivateMay {
			some = append(some, l)
		}
	}
	return some
}
