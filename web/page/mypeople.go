package page

import "amstel.dev/amstel/timeline"

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
func (h HiddenPerson) what() string {
	switch {
	case h.Posts && h.Comments:
		return "posts and comments"
	case h.Comments:
		return "comments"
	}
	return "posts"
}

func (h HiddenPerson) deeds() []deed {
	var all []deed
	if h.Posts {
		all = append(all, away("Show posts", userAPI(h.Card.Name)+"/hide.json", MyPeoplePath))
	}
	if h.Comments {
		all = append(all, away("Show comments", userAPI(h.Card.Name)+"/hide_comments.json", MyPeoplePath))
	}
	return all
}

// MutedPerson is somebody whose likes or comments bring nothing into one's home.
type MutedPerson struct {
	Card            *timeline.UserCard
	Likes, Comments bool
}

// what of the person is muted.
func (p MutedPerson) what() string {
	switch {
	case p.Likes && p.Comments:
		return "likes and comments"
	case p.Comments:
		return "comments"
	}
	return "likes"
}

func (p MutedPerson) deeds() []deed {
	var all []deed
	for _, part := range []struct {
		on           bool
		label, field string
	}{{p.Likes, "Show what they like", "likes"}, {p.Comments, "Show what they comment on", "comments"}} {
		if part.on {
			one := away(part.label, userAPI(p.Card.Name)+"/mute.json", MyPeoplePath)
			one.Fields = []sending{{part.field, "1"}}
			all = append(all, one)
		}
	}
	return all
}

func unban(who *timeline.UserCard) []deed {
	return []deed{away("Unban", userAPI(who.Name)+"/ban.json", MyPeoplePath)}
}

func readmit(who *timeline.UserCard) []deed {
	return []deed{away("Let in again", userAPI(who.Name)+"/exclusion.json", MyPeoplePath)}
}

func (m MyPeopleModel) remove(who *timeline.UserCard) []deed {
	return []deed{away("Remove", userAPI(m.Name)+"/private/subscribers/"+pathPart(who.Name)+".json", MyPeoplePath)}
}

// to says what somebody was invited to.
func (i Invitation) to() string {
	if i.Private {
		return "to your private feed"
	}
	return "to your feed"
}

func (i Invitation) takeBack(returnTo string) []deed {
	return []deed{away("Take back", invitationAPI(i.UUID), returnTo)}
}
