package page

import (
	"time"

	"amstel.dev/amstel/timeline"
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
func (r Request) asks() string {
	switch {
	case r.To != nil:
		return " asks to join "
	case r.Private:
		return " asks to subscribe to your private feed"
	}
	return " asks to subscribe to you"
}

// asks says what somebody is invited to, before the name of the group.
func (i Invitation) asks() string {
	switch {
	case i.To != nil:
		return " invites you to join "
	case i.Private:
		return " invites you to subscribe to their private feed"
	}
	return " invites you to subscribe to them"
}

func (r Request) deeds(back string) []deed {
	api := "/api/v1/subscription_requests/" + pathPart(r.UUID)
	return []deed{{Label: "Accept", Class: "primary", Action: api, Method: "PUT", ReturnTo: back}, away("Reject", api, back)}
}

func (i Invitation) deeds(back string) []deed {
	api := invitationAPI(i.UUID)
	return []deed{{Label: "Accept", Class: "primary", Action: api, Method: "PUT", ReturnTo: back}, away("Decline", api, back)}
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
func (k *Keeper) marks(who *timeline.UserCard) string {
	if k.Admins[who.ID] {
		return "administrator"
	}
	return ""
}

// deeds are what the keeper can do about a subscriber.
func (k *Keeper) deeds(who *timeline.UserCard, back string) []deed {
	name := pathPart(who.Name)
	if !k.Group {
		remove := away("Remove", userAPI(k.Name)+"/subscribers/"+name+".json", back)
		return []deed{remove, {Label: "Exclude", Action: userAPI(who.Name) + "/exclusion.json", ReturnTo: back}}
	}
	admins := groupAPI(k.Name) + "/admins/" + name + ".json"
	if who.ID == k.Self {
		return []deed{away("Step down", admins, back)}
	}
	promote := deed{Label: "Make administrator", Action: admins, ReturnTo: back}
	if k.Admins[who.ID] {
		promote = away("Not administrator any more", admins, back)
	}
	return []deed{
		promote,
		away("Remove", groupAPI(k.Name)+"/subscribers/"+name+".json", back),
		{Label: "Block", Action: groupAPI(k.Name) + "/exclusions/" + name + ".json", ReturnTo: back},
	}
}

// NewGroupModel is the page on which a group is made.
type NewGroupModel struct {
	Shell
	Name, DisplayName, Description, Status, Posting, Joining string
	Problems                                                 Problems
}

// statuses are the choices of who may read a feed or a group.
func statuses(chosen string, group bool) []choice {
	all := []choice{
		{Value: "public", Label: "Public", Hint: "Everybody reads it, signed in or not."},
		{Value: "disallow-robots", Label: "Public, but not for search engines", Hint: "Everybody reads it; search engines are asked to leave it alone."},
		{Value: "protected", Label: "Protected", Hint: "People who are signed in read it."},
	}
	if group {
		all = append(all, choice{Value: "private", Label: "Private", Hint: "Members you let in read it."})
	} else {
		all = append(all, choice{Value: "private", Label: "Private", Hint: "Approved subscribers read it."},
			choice{Value: "fyeo", Label: "Only you", Hint: "Nobody else reads it, subscribers neither. They stay, and read it again when you open it."})
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
