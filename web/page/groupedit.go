package page

import (
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// EditGroupModel is the content of the page on which administrators edit a group.
type EditGroupModel struct {
	Shell
	Refused  RefusedInvite
	Self     timeline.UserID
	Group    *timeline.GroupCard // as it is
	Typed    timeline.GroupCard  // as the form has it
	Initial  Initial             // the values of its fields when the form was made
	Audience *Audience           // of the group as the form has it; nil: not asked
	Admins   []*timeline.UserCard
	Blocked  []*timeline.UserCard
	Invited  []Invitation
	Intakes  []Intake // into the group
	Problems Problems
	Pictures *Pictures // nil: nothing can be uploaded
}

func (m EditGroupModel) api() string  { return groupAPI(m.Group.Name) }
func (m EditGroupModel) path() string { return EditGroupPath(m.Group.Name) }

// resign returns the action that ends a person's administration: the viewer's or
// another's.
func (m EditGroupModel) resign(who *timeline.UserCard) []actionForm {
	one := deleteForm(m.Words.GroupNotAdmin(), m.api()+"/admins/"+pathPart(who.Name)+".json", m.path())
	if who.ID == m.Self {
		one.Label, one.ReturnTo = m.Words.GroupStepDown(), NamePath(m.Group.Name)
	}
	return []actionForm{one}
}

func (m EditGroupModel) unblock(who *timeline.UserCard) []actionForm {
	return []actionForm{deleteForm(m.Words.GroupUnblock(), m.api()+"/exclusions/"+pathPart(who.Name)+".json", m.path())}
}

// postings returns the choices of the setting for the right to post to a group.
func postings(words catalogue.Language, chosen string) []choice {
	if chosen == "" {
		chosen = "members"
	}
	return choose([]choice{
		{Value: "anybody", Label: words.GroupAnybody()},
		{Value: "members", Label: words.GroupOnlyMembers()},
		{Value: "admins", Label: words.GroupOnlyAdmins()},
	}, chosen)
}

// joinings returns the choices of how people join a group.
func joinings(words catalogue.Language, chosen string) []choice {
	return choose([]choice{
		{Value: "open", Label: words.GroupJoinOpen(), Hint: words.GroupJoinOpenHint()},
		{Value: "request", Label: words.GroupJoinRequest(), Hint: words.GroupJoinRequestHint()},
	}, chosen)
}
