package page

import (
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"

	"amstel.dev/amstel/web/rights"
)

// What the viewer is offered to do with an entry.

// An entryAction is a button that stands in the entry itself.
type entryAction struct {
	Label, Class string
	Glyph        bool // a sign stands for the label, which only screen readers read
	Count        int  // how many people did the same; 0: not shown
	Action       string
	Method       string // "": POST
}

// spoken returns the label of a button with a sign, and its count, for screen readers.
func (b entryAction) spoken() string {
	if b.Count == 0 {
		return b.Label
	}
	return b.Label + " " + strconv.Itoa(b.Count)
}

// actsID is the id of the form that sends the buttons of all entries.
const actsID = "act"

// toEntry returns the return_to of a form that serves all entries of a page: the handler leads to the entry
// that the form was used for.
func toEntry(page string) string {
	path, _, _ := strings.Cut(page, "#")
	return path + "#"
}

// switched returns one of two buttons for the same address: set, or, if on, the undo button,
// which sends DELETE.
func switched(on bool, action string, set, undo entryAction) entryAction {
	one := set
	if on {
		one = undo
		one.Method = "DELETE"
	}
	one.Action = action
	return one
}

// reactions returns the reactions with one click.
func (m EntryModel) reactions() []entryAction {
	var all []entryAction
	api := postAPI(m.fold().Post)
	if rights.CanLike(m.Sets, m.Entry) {
		n := m.likesCount()
		all = append(all, switched(m.Entry.Liked, api+"/likes.json",
			entryAction{Label: m.Words.EntryLike(), Count: n}, entryAction{Label: m.Words.EntryUnlike(), Count: n}))
	}
	if rights.CanFav(m.Sets, m.Entry) {
		n := m.fold().Likes.Favs
		all = append(all, switched(m.Entry.Faved, api+"/favs.json",
			entryAction{Label: m.Words.EntryFavourite(), Class: "fav", Glyph: true, Count: n},
			entryAction{Label: m.Words.EntryUnfavourite(), Class: "fav fav-mine", Glyph: true, Count: n}))
	}
	return all
}

// removals returns the actions that remove the entry from the viewer's page, or from all
// pages.
func (m EntryModel) removals() []actionForm {
	var all []actionForm
	api := postAPI(m.fold().Post)
	if rights.CanHide(m.Sets, m.Entry) && !m.Entry.Hidden {
		all = append(all, actionForm{Label: m.Words.EntryHide(), Class: "link", Action: api + "/hide.json", ReturnTo: m.back()})
	}
	if rights.CanLeave(m.Sets, m.Entry) {
		one := deleteForm(m.Words.EntryLeave(), api+"/recipients.json", m.afterLeaving())
		one.Ask, one.Sure, one.Cancel = m.Words.EntryLeaveAsk(), m.Words.EntryLeaveSure(), m.Words.FormCancel()
		all = append(all, one)
	}
	for _, id := range rights.CanRemoveFrom(m.Sets, m.Entry) {
		name := namedGroup(m.group(id)).Text
		one := deleteForm(m.Words.EntryRemoveFrom(name), api+"/groups/"+pathPart(m.group(id).Name)+".json", m.afterRemoval(id))
		one.Ask = m.Words.EntryRemoveAsk()
		one.Sure, one.Cancel = m.Words.EntryRemoveSure(), m.Words.FormCancel()
		all = append(all, one)
	}
	if rights.CanDelete(m.Sets, m.Entry) {
		one := deleteForm(m.Words.EntryDelete(), api+".json", m.afterDelete())
		one.Ask = m.Words.EntryDeleteAsk()
		one.Sure, one.Cancel = m.Words.EntryDeleteSure(), m.Words.FormCancel()
		all = append(all, one)
	}
	return all
}

// showAgain returns the action that shows a hidden entry again: the post or, if the
// viewer hides all posts of its author, these.
func (m EntryModel) showAgain() entryAction {
	one := entryAction{Label: m.Words.EntryShowAgain(), Method: "DELETE", Action: postAPI(m.fold().Post) + "/hide.json"}
	if !rights.CanUnhide(m.Sets, m.Entry) && m.Sets != nil && m.Sets.HiddenUsers[m.fold().Author] {
		one.Label, one.Action = m.Words.EntryShowPosts(namedUser(m.author()).Text), userAPI(m.author().Name)+"/hide.json"
	}
	return one
}

// afterRemoval returns the path to which removing the post from a group leads. The actor
// may no longer be able to see the post's own page.
func (m EntryModel) afterRemoval(from timeline.GroupID) string {
	if m.single() {
		return NamePath(m.group(from).Name)
	}
	return m.back()
}

// afterLeaving returns the path to which leaving a direct leads: away from its own page,
// which is closed then.
func (m EntryModel) afterLeaving() string {
	if m.single() {
		return DirectsPath
	}
	return m.afterDelete()
}
