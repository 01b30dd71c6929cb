package page

import (
	"strconv"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// ListsModel is the page on which somebody arranges his lists.
type ListsModel struct {
	Shell
	Lists []OwnList
	// What is wrong, and what was typed: with a new list, or with one by its id.
	Problems Problems
	Typed    string
	At       timeline.ListID // 0: a new one
	Adding   bool            // it was a feed that was to go into the list
}

// OwnList is one of somebody's lists with the feeds in it.
type OwnList struct {
	ID      timeline.ListID
	Name    string
	Users   []*timeline.UserCard // whose feeds, likes and comments are in it
	Private []*timeline.UserCard // whose private sub-feeds are
	Groups  []*timeline.GroupCard
}

// at is an id of an element of the list's.
func (l OwnList) at(what string) string { return what + "-" + strconv.FormatInt(int64(l.ID), 10) }

func (l OwnList) api() string     { return listAPI(l.ID) + ".json" }
func (l OwnList) members() string { return listAPI(l.ID) + "/members.json" }

// of is what is wrong with the form of a list; 0 is that of a new one.
func (m ListsModel) of(list timeline.ListID, adding bool) Problems {
	if m.At == list && m.Adding == adding {
		return m.Problems
	}
	return nil
}

// typed shows again what was typed into the form of a list.
func (m ListsModel) typed(list timeline.ListID, adding bool, otherwise string) string {
	if m.of(list, adding) != nil {
		return m.Typed
	}
	return otherwise
}

// takeOut takes a feed out of the list.
func (l OwnList) takeOut(words catalogue.Language, name string, private bool) []deed {
	one := away(words.ListTakeOut(), l.members(), MyListsPath)
	one.Fields = []sending{{"name", name}}
	if private {
		one.Fields = append(one.Fields, sending{"private", "1"})
	}
	return []deed{one}
}

// remove deletes the list.
func (l OwnList) remove(words catalogue.Language) deed {
	one := away(words.FormDelete(), l.api(), MyListsPath)
	one.Ask = words.ListDeleteAsk()
	one.Sure = words.ListDeleteSure()
	return one
}

// ListChoice is one of the viewer's lists beside a feed that can be in it.
type ListChoice struct {
	ID         timeline.ListID
	Name       string
	In         bool // the feed is in the list
	May        bool // the viewer may put it in
	PrivateIn  bool // the same of a person's private sub-feed
	PrivateMay bool
}

// listDeeds are what puts the feeds of a name into lists and takes them out.
func listDeeds(words catalogue.Language, lists []ListChoice, name, back string) []deed {
	var all []deed
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
			one := onOff(part.in, listAPI(l.ID)+"/members.json", back, deed{Label: part.put, Class: "link"}, deed{Label: part.take, Class: "link"})
			one.Fields = []sending{{"name", name}}
			if part.private {
				one.Fields = append(one.Fields, sending{"private", "1"})
			}
			all = append(all, one)
		}
	}
	return all
}

// lists are the viewer's, as far as there is something to do with them here: what
// he may not read he can only take out.
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
