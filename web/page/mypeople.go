package page

import (
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// MyPeopleModel is the page of whom the viewer keeps away, or lets in.
type MyPeopleModel struct {
	Shell
	Name        string               // the viewer's own
	Banned      []*timeline.UserCard // by him
	Hidden      []HiddenPerson
	Muted       []MutedPerson
	Excluded    []*timeline.UserCard // from his feed
	Subscribers []*timeline.UserCard // of his private sub-feed
	Invited     []Invitation         // by him, to the feed or the private sub-feed
}

// HiddenPerson is somebody whose posts or comments stand folded.
type HiddenPerson struct {
	Card            *timeline.UserCard
	Posts, Comments bool
}

// what of the person is hidden.
func (h HiddenPerson) what(words catalogue.Language) string {
	switch {
	case h.Posts && h.Comments:
		return words.MyPeoplePostsAndComments()
	case h.Comments:
		return words.MyPeopleComments()
	}
	return words.MyPeoplePosts()
}

func (h HiddenPerson) deeds(words catalogue.Language) []deed {
	var all []deed
	if h.Posts {
		all = append(all, away(words.MyPeopleShowPosts(), userAPI(h.Card.Name)+"/hide.json", MyPeoplePath))
	}
	if h.Comments {
		all = append(all, away(words.MyPeopleShowComments(), userAPI(h.Card.Name)+"/hide_comments.json", MyPeoplePath))
	}
	return all
}

// MutedPerson is somebody whose likes or comments bring nothing into one's home.
type MutedPerson struct {
	Card            *timeline.UserCard
	Likes, Comments bool
}

// what of the person is muted.
func (p MutedPerson) what(words catalogue.Language) string {
	switch {
	case p.Likes && p.Comments:
		return words.MyPeopleLikesAndComments()
	case p.Comments:
		return words.MyPeopleComments()
	}
	return words.MyPeopleLikes()
}

func (p MutedPerson) deeds(words catalogue.Language) []deed {
	var all []deed
	for _, part := range []struct {
		on           bool
		label, field string
	}{{p.Likes, words.MyPeopleUnmuteLikes(), "likes"}, {p.Comments, words.MyPeopleUnmuteComments(), "comments"}} {
		if part.on {
			one := away(part.label, userAPI(p.Card.Name)+"/mute.json", MyPeoplePath)
			one.Fields = []sending{{part.field, "1"}}
			all = append(all, one)
		}
	}
	return all
}

func unban(words catalogue.Language, who *timeline.UserCard) []deed {
	return []deed{away(words.MyPeopleUnban(), userAPI(who.Name)+"/ban.json", MyPeoplePath)}
}

func readmit(words catalogue.Language, who *timeline.UserCard) []deed {
	return []deed{away(words.MyPeopleUnblock(), userAPI(who.Name)+"/exclusion.json", MyPeoplePath)}
}

func (m MyPeopleModel) remove(who *timeline.UserCard) []deed {
	return []deed{away(m.Words.MyPeopleRemove(), userAPI(m.Name)+"/private/subscribers/"+pathPart(who.Name)+".json", MyPeoplePath)}
}

// to says what somebody was invited to.
func (i Invitation) to(words catalogue.Language) string {
	if i.Private {
		return words.MyPeopleToPrivate()
	}
	return words.MyPeopleToFeed()
}

func (i Invitation) takeBack(words catalogue.Language, returnTo string) []deed {
	return []deed{away(words.MyPeopleWithdraw(), invitationAPI(i.UUID), returnTo)}
}
