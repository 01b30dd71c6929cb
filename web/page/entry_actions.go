package page

import (
	"amstel.dev/amstel/timeline"

	"amstel.dev/amstel/web/rights"
)

// What the viewer is offered to do with an entry, as forms.

// reactions returns the reactions with one click.
func (m EntryModel) reactions() []actionForm {
	var all []actionForm
	api := postAPI(m.fold().Post)
	if rights.CanLike(m.Sets, m.Entry) {
		all = append(all, toggle(m.Entry.Liked, api+"/likes.json", m.back(),
			actionForm{Label: m.Words.EntryLike(), Class: "link"}, actionForm{Label: m.Words.EntryUnlike(), Class: "link"}))
	}
	if rights.CanFav(m.Sets, m.Entry) {
		all = append(all, toggle(m.Entry.Faved, api+"/favs.json", m.back(),
			actionForm{Label: m.Words.EntryFavourite(), Class: "link fav", Icon: "star"}, actionForm{Label: m.Words.EntryUnfavourite(), Class: "link fav fav-mine", Icon: "star"}))
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
		one.Ask, one.Sure = m.Words.EntryLeaveAsk(), m.Words.EntryLeaveSure()
		all = append(all, one)
	}
	for _, id := range rights.CanRemoveFrom(m.Sets, m.Entry) {
		name := namedGroup(m.group(id)).Text
		one := deleteForm(m.Words.EntryRemoveFrom(name), api+"/groups/"+pathPart(m.group(id).Name)+".json", m.afterRemoval(id))
		one.Ask = m.Words.EntryRemoveAsk()
		one.Sure = m.Words.EntryRemoveSure()
		all = append(all, one)
	}
	if rights.CanDelete(m.Sets, m.Entry) {
		one := deleteForm(m.Words.EntryDelete(), api+".json", m.afterDelete())
		one.Ask = m.Words.EntryDeleteAsk()
		one.Sure = m.Words.EntryDeleteSure()
		all = append(all, one)
	}
	return all
}

// showAgain returns the action that shows a hidden entry again: the post or, if the
// viewer hides all posts of its author, these.
func (m EntryModel) showAgain() actionForm {
	one := deleteForm(m.Words.EntryShowAgain(), postAPI(m.fold().Post)+"/hide.json", m.back())
	if !rights.CanUnhide(m.Sets, m.Entry) && m.Sets != nil && m.Sets.HiddenUsers[m.fold().Author] {
		one = deleteForm(m.Words.EntryShowPosts(namedUser(m.author()).Text), userAPI(m.author().Name)+"/hide.json", m.back())
	}
	one.Class = "link"
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
