package page

import (
	"amstel.dev/amstel/timeline"

	"amstel.dev/amstel/web/rights"
)

// What the viewer is offered to do with an entry, as forms.

// regards are how he can answer it with one click.
func (m EntryModel) regards() []deed {
	var all []deed
	api := postAPI(m.fold().Post)
	if rights.CanLike(m.Sets, m.Entry) {
		all = append(all, onOff(m.Entry.Liked, api+"/likes.json", m.back(),
			deed{Label: m.Words.EntryLike(), Class: "link"}, deed{Label: m.Words.EntryUnlike(), Class: "link"}))
	}
	if rights.CanFav(m.Sets, m.Entry) {
		all = append(all, onOff(m.Entry.Faved, api+"/favs.json", m.back(),
			deed{Label: m.Words.EntryFavourite(), Class: "link fav", Icon: "star"}, deed{Label: m.Words.EntryUnfavourite(), Class: "link fav fav-mine", Icon: "star"}))
	}
	return all
}

// ends are how it goes out of his sight, or altogether.
func (m EntryModel) ends() []deed {
	var all []deed
	api := postAPI(m.fold().Post)
	if rights.CanHide(m.Sets, m.Entry) && !m.Entry.Hidden {
		all = append(all, deed{Label: m.Words.EntryHide(), Class: "link", Action: api + "/hide.json", ReturnTo: m.back()})
	}
	if rights.CanLeave(m.Sets, m.Entry) {
		one := away(m.Words.EntryLeave(), api+"/recipients.json", m.afterLeaving())
		one.Ask, one.Sure = m.Words.EntryLeaveAsk(), m.Words.EntryLeaveSure()
		all = append(all, one)
	}
	for _, id := range rights.CanRemoveFrom(m.Sets, m.Entry) {
		name := namedGroup(m.group(id)).Text
		one := away(m.Words.EntryRemoveFrom(name), api+"/groups/"+pathPart(m.group(id).Name)+".json", m.afterRemoval(id))
		one.Ask = m.Words.EntryRemoveAsk()
		one.Sure = m.Words.EntryRemoveSure()
		all = append(all, one)
	}
	if rights.CanDelete(m.Sets, m.Entry) {
		one := away(m.Words.EntryDelete(), api+".json", m.afterDelete())
		one.Ask = m.Words.EntryDeleteAsk()
		one.Sure = m.Words.EntryDeleteSure()
		all = append(all, one)
	}
	return all
}

// showAgain unfolds a hidden entry: the post itself, or, where all posts of its
// author are hidden, those.
func (m EntryModel) showAgain() deed {
	one := away(m.Words.EntryShowAgain(), postAPI(m.fold().Post)+"/hide.json", m.back())
	if !rights.CanUnhide(m.Sets, m.Entry) && m.Sets != nil && m.Sets.HiddenUsers[m.fold().Author] {
		one = away(m.Words.EntryShowPosts(namedUser(m.author()).Text), userAPI(m.author().Name)+"/hide.json", m.back())
	}
	one.Class = "link"
	return one
}

// afterRemoval is where removing the post from a group leads. Whoever looks at
// the post itself may not see it any more.
func (m EntryModel) afterRemoval(from timeline.GroupID) string {
	if m.single() {
		return NamePath(m.group(from).Name)
	}
	return m.back()
}

// afterLeaving is where leaving a direct leads: there is nothing to come back to.
func (m EntryModel) afterLeaving() string {
	if m.single() {
		return DirectsPath
	}
	return m.afterDelete()
}
