package page

import (
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// RequestsModel is the page of what waits for the viewer's answer.
type RequestsModel struct {
	Shell
	Requests    []Request
	Invitations []Invitation
}

// Request is somebody's wish to subscribe.
type Request struct {
	UUID    string
	From    *timeline.UserCard
	To      *timeline.GroupCard // nil: the viewer's own feed
	At      time.Time
	Private bool // to the viewer's private sub-feed
}

// Invitation is somebody's being asked into a feed.
type Invitation struct {
	UUID    string
	From    *timeline.UserCard
	Who     *timeline.UserCard  // who is invited
	To      *timeline.GroupCard // nil: a feed of From's
	At      time.Time
	Private bool // to the private sub-feed of From
}

// asks says what somebody wishes, before the name of the group.
func (r Request) asks(words catalogue.Language) string {
	switch {
	case r.To != nil:
		return words.RequestAskJoin()
	case r.Private:
		return words.RequestAskPrivate()
	}
	return words.RequestAskFeed()
}

// asks says what somebody is invited to, before the name of the group.
func (i Invitation) asks(words catalogue.Language) string {
	switch {
	case i.To != nil:
		return words.RequestInviteJoin()
	case i.Private:
		return words.RequestInvitePrivate()
	}
	return words.RequestInviteFeed()
}

func (r Request) deeds(words catalogue.Language, back string) []deed {
	api := "/api/v1/subscription_requests/" + pathPart(r.UUID)
	return []deed{{Label: words.RequestAccept(), Class: "primary", Action: api, Method: "PUT", ReturnTo: back}, away(words.RequestReject(), api, back)}
}

func (i Invitation) deeds(words catalogue.Language, back string) []deed {
	api := invitationAPI(i.UUID)
	return []deed{{Label: words.RequestAccept(), Class: "primary", Action: api, Method: "PUT", ReturnTo: back}, away(words.RequestDecline(), api, back)}
}

// PeopleModel is a list of people, or of people and groups.
type PeopleModel struct {
	Shell
	Heading string
	Head    *UserHead  // whose list it is, where it is a person's
	Group   *GroupHead // or a group's
	Users   []*timeline.UserCard
	Groups  []*timeline.GroupCard
	Empty   string  // a sentence for when there is nobody
	Keeper  *Keeper // of a list of subscribers that the viewer keeps; else nil
}

// Keeper is who decides about the subscribers on a list: the person whose feed
// it is, or an administrator of the group.
type Keeper struct {
	Self   timeline.UserID
	Name   string                   // of the feed
	Group  bool                     // it is a group's
	Admins map[timeline.UserID]bool // of the group
}

// marks says what a subscriber is besides.
func (k *Keeper) marks(words catalogue.Language, who *timeline.UserCard) string {
	if k.Admins[who.ID] {
		return words.RequestAdministrator()
	}
	return ""
}

// deeds are what the keeper can do about a subscriber.
func (k *Keeper) deeds(words catalogue.Language, who *timeline.UserCard, back string) []deed {
	name := pathPart(who.Name)
	if !k.Group {
		remove := away(words.RequestRemove(), userAPI(k.Name)+"/subscribers/"+name+".json", back)
		return []deed{remove, {Label: words.HeadBlock(), Action: userAPI(who.Name) + "/exclusion.json", ReturnTo: back}}
	}
	admins := groupAPI(k.Name) + "/admins/" + name + ".json"
	if who.ID == k.Self {
		return []deed{away(words.GroupStepDown(), admins, back)}
	}
	promote := deed{Label: words.RequestMakeAdmin(), Action: admins, ReturnTo: back}
	if k.Admins[who.ID] {
		promote = away(words.GroupNotAdmin(), admins, back)
	}
	return []deed{
		promote,
		away(words.RequestRemove(), groupAPI(k.Name)+"/subscribers/"+name+".json", back),
		{Label: words.RequestBlock(), Action: groupAPI(k.Name) + "/exclusions/" + name + ".json", ReturnTo: back},
	}
}

// NewGroupModel is the page on which a group is made.
type NewGroupModel struct {
	Shell
	Name, DisplayName, Description, Status, Posting, Joining string
	Problems                                                 Problems
}

// statuses are the choices of who may read a feed or a group.
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

// choose checks one of several choices; where none is named, the first.
func choose(all []choice, chosen string) []choice {
	if chosen == "" {
		chosen = all[0].Value
	}
	for i := range all {
		all[i].Checked = all[i].Value == chosen
	}
	return all
}
