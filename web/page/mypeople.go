package page

import (
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// MyPeopleModel is the content of the page with the people the viewer bans,
// excludes, hides, mutes or invites.
type MyPeopleModel struct {
	Shell
	Name        string               // the viewer's own
	Banned      []*timeline.UserCard // by the viewer
	Hidden      []HiddenPerson
	Muted       []MutedPerson
	Excluded    []*timeline.UserCard // from the viewer's feed
	Subscribers []*timeline.UserCard // of the viewer's private sub-feed
	Invited     []Invitation         // by the viewer, to the feed or the private sub-feed
	Refused     RefusedInvite
}

// A RefusedInvite is a form that invited a person and was refused; the zero value: none was.
type RefusedInvite struct {
	Action         string // by which the form is known
	Typed, Problem string
}

func (m RefusedInvite) typed(action string) string {
	if m.Action != action {
		return ""
	}
	return m.Typed
}

func (m RefusedInvite) problem(action string) string {
	if m.Action != action {
		return ""
	}
	return m.Problem
}

// A HiddenPerson is a person with posts or comments that the viewer hides.
type HiddenPerson struct {
	Card            *timeline.UserCard
	Posts, Comments bool
}

// parts returns in words which texts of the person are hidden.
func (h HiddenPerson) parts(words catalogue.Language) string {
	switch {
	case h.Posts && h.Comments:
		return words.MyPeoplePostsAndComments()
	case h.Comments:
		return words.MyPeopleComments()
	}
	return words.MyPeoplePosts()
}

func (h HiddenPerson) actions(words catalogue.Language) []actionForm {
	var all []actionForm
	if h.Posts {
		all = append(all, deleteForm(words.MyPeopleShowPosts(), userAPI(h.Card.Name)+"/hide.json", MyPeoplePath))
	}
	if h.Comments {
		all = append(all, deleteForm(words.MyPeopleShowComments(), userAPI(h.Card.Name)+"/hide_comments.json", MyPeoplePath))
	}
	return all
}

// A MutedPerson is a person with likes or comments that bring nothing into the viewer's
// home.
type MutedPerson struct {
	Card            *timeline.UserCard
	Likes, Comments bool
}

// parts returns in words whether likes, comments or both are muted.
func (p MutedPerson) parts(words catalogue.Language) string {
	switch {
	case p.Likes && p.Comments:
		return words.MyPeopleLikesAndComments()
	case p.Comments:
		return words.MyPeopleComments()
	}
	return words.MyPeopleLikes()
}

func (p MutedPerson) actions(words catalogue.Language) []actionForm {
	var all []actionForm
	for _, part := range []struct {
		on           bool
		label, field string
	}{{p.Likes, words.MyPeopleUnmuteLikes(), "likes"}, {p.Comments, words.MyPeopleUnmuteComments(), "comments"}} {
		if part.on {
			one := deleteForm(part.label, userAPI(p.Card.Name)+"/mute.json", MyPeoplePath)
			one.Fields = []sending{{part.field, "1"}}
			all = append(all, one)
		}
	}
	return all
}

func unban(words catalogue.Language, who *timeline.UserCard) []actionForm {
	return []actionForm{deleteForm(words.MyPeopleUnban(), userAPI(who.Name)+"/ban.json", MyPeoplePath)}
}

func readmit(words catalogue.Language, who *timeline.UserCard) []actionForm {
	return []actionForm{deleteForm(words.MyPeopleUnblock(), userAPI(who.Name)+"/exclusion.json", MyPeoplePath)}
}

func (m MyPeopleModel) remove(who *timeline.UserCard) []actionForm {
	return []actionForm{deleteForm(m.Words.MyPeopleRemove(), userAPI(m.Name)+"/private/subscribers/"+pathPart(who.Name)+".json", MyPeoplePath)}
}

// target returns in words which feed the invitation is to.
func (i Invitation) target(words catalogue.Language) string {
	if i.Private {
		return words.MyPeopleToPrivate()
	}
	return words.MyPeopleToFeed()
}

func (i Invitation) takeBack(words catalogue.Language, returnTo string) []actionForm {
	return []actionForm{deleteForm(words.MyPeopleWithdraw(), invitationAPI(i.UUID), returnTo)}
}
