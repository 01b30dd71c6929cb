package page

import (
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// RequestsModel is the content of the page of the requests and invitations that wait for the viewer's answer.
type RequestsModel struct {
	Shell
	Requests    []Request
	Invitations []Invitation
}

// A Request is a person's request to subscribe.
type Request struct {
	UUID    string
	From    *timeline.UserCard
	To      *timeline.GroupCard // nil: the viewer's own feed
	At      time.Time
	Private bool // to the viewer's private sub-feed
}

// An Invitation is a person's invitation of another to a feed.
type Invitation struct {
	UUID    string
	From    *timeline.UserCard
	Who     *timeline.UserCard  // the invited person
	To      *timeline.GroupCard // nil: a feed of From's
	At      time.Time
	Private bool // to the private sub-feed of From
}

// asks returns in words what the request is for, before the name of the group.
func (r Request) asks(words catalogue.Language) string {
	switch {
	case r.To != nil:
		return words.RequestAskJoin()
	case r.Private:
		return words.RequestAskPrivate()
	}
	return words.RequestAskFeed()
}

// asks returns in words what the invitation is to, before the name of the group.
func (i Invitation) asks(words catalogue.Language) string {
	switch {
	case i.To != nil:
		return words.RequestInviteJoin()
	case i.Private:
		return words.RequestInvitePrivate()
	}
	return words.RequestInviteFeed()
}

func (r Request) actions(words catalogue.Language, back string) []actionForm {
	api := "/api/v1/subscription_requests/" + pathPart(r.UUID)
	return []actionForm{{Label: words.RequestAccept(), Class: "primary", Action: api, Method: "PUT", ReturnTo: back}, deleteForm(words.RequestReject(), api, back)}
}

func (i Invitation) actions(words catalogue.Language, back string) []actionForm {
	api := invitationAPI(i.UUID)
	return []actionForm{{Label: words.RequestAccept(), Class: "primary", Action: api, Method: "PUT", ReturnTo: back}, deleteForm(words.RequestDecline(), api, back)}
}

// PeopleModel is the content of a list of people, or of people and groups.
type PeopleModel struct {
	Shell
	Heading string
	Head    *UserHead  // the person with the list, if it is a person's
	Group   *GroupHead // the group with the list, if it is a group's
	Users   []*timeline.UserCard
	Groups  []*timeline.GroupCard
	Empty   string   // a sentence for an empty list
	Back    string   // the path of the post or comment that the list belongs to; empty for lists of an account
	Manager *Manager // of subscribers of a feed of the viewer's; else nil
}

// A Manager decides about the subscribers on a list: the person with the feed, or an
// administrator of the group.
type Manager struct {
	Self   timeline.UserID
	Name   string                   // of the feed
	Group  bool                     // the feed is a group's
	Admins map[timeline.UserID]bool // of the group
}

// badges returns the words beside the name of a subscriber who is also an administrator; else empty.
func (m *Manager) badges(words catalogue.Language, who *timeline.UserCard) string {
	if m.Admins[who.ID] {
		return words.RequestAdministrator()
	}
	return ""
}

// actions returns what the manager can do about a subscriber.
func (m *Manager) actions(words catalogue.Language, who *timeline.UserCard, back string) []actionForm {
	name := pathPart(who.Name)
	if !m.Group {
		remove := deleteForm(words.RequestRemove(), userAPI(m.Name)+"/subscribers/"+name+".json", back)
		return []actionForm{remove, {Label: words.HeadBlock(), Action: userAPI(who.Name) + "/exclusion.json", ReturnTo: back}}
	}
	admins := groupAPI(m.Name) + "/admins/" + name + ".json"
	if who.ID == m.Self {
		return []actionForm{deleteForm(words.GroupStepDown(), admins, back)}
	}
	promote := actionForm{Label: words.RequestMakeAdmin(), Action: admins, ReturnTo: back}
	if m.Admins[who.ID] {
		promote = deleteForm(words.GroupNotAdmin(), admins, back)
	}
	return []actionForm{
		promote,
		deleteForm(words.RequestRemove(), groupAPI(m.Name)+"/subscribers/"+name+".json", back),
		{Label: words.RequestBlock(), Action: groupAPI(m.Name) + "/exclusions/" + name + ".json", ReturnTo: back},
	}
}

// NewGroupModel is the content of the page for a new group.
type NewGroupModel struct {
	Shell
	Name, DisplayName, Description, Status, Posting, Joining string
	Problems                                                 Problems
}

// statuses returns the choices of the audience of a feed or a group.
func statuses(words catalogue.Language, chosen string, group bool) []choice {
	all := []choice{
		{Value: "public", Label: words.ReadingPublic(), Hint: words.ReadingPublicHint()},
		{Value: "disallow-robots", Label: words.ReadingRobots(), Hint: words.ReadingRobotsHint()},
		{Value: "protected", Label: words.ReadingProtected(), Hint: words.ReadingProtectedHint()},
	}
	if group {
		all = append(all, choice{Value: "private", Label: words.ReadingPrivate(), Hint: words.ReadingPrivateGroupHint()})
	} else {
		all = append(all, choice{Value: "private", Label: words.ReadingPrivate(), Hint: words.ReadingPrivateHint()},
			choice{Value: "fyeo", Label: words.ReadingFyeo(), Hint: words.ReadingFyeoHint()})
	}
	return choose(all, chosen)
}

// choose checks one of several choices, the first if none is named.
func choose(all []choice, chosen string) []choice {
	if chosen == "" {
		chosen = all[0].Value
	}
	for i := range all {
		all[i].Checked = all[i].Value == chosen
	}
	return all
}
