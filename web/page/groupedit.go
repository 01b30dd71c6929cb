package page

import (
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// EditGroupModel is the page on which a group's administrators arrange it.
type EditGroupModel struct {
	Shell
	Self     timeline.UserID
	Group    *timeline.GroupCard // as it is
	Typed    timeline.GroupCard  // as the form has it
	Was      Was                 // what its fields were
	Audience *Audience           // who would read it, where that was asked
	Admins   []*timeline.UserCard
	Blocked  []*timeline.UserCard
	Invited  []Invitation
	Problems Problems
}

func (m EditGroupModel) api() string  { return groupAPI(m.Group.Name) }
func (m EditGroupModel) path() string { return EditGroupPath(m.Group.Name) }

// resign ends somebody's administration: one's own or another's.
func (m EditGroupModel) resign(who *timeline.UserCard) []deed {
	one := away(m.Words.GroupNotAdmin(), m.api()+"/admins/"+pathPart(who.Name)+".json", m.path())
	if who.ID == m.Self {
		one.Label, one.ReturnTo = m.Words.GroupStepDown(), NamePath(m.Group.Name)
	}
	return []deed{one}
}

func (m EditGroupModel) unblock(who *timeline.UserCard) []deed {
	return []deed{away(m.Words.GroupUnblock(), m.api()+"/exclusions/"+pathPart(who.Name)+".json", m.path())}
}

// postings are the choices of who may post to a group.
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

// joinings are the choices of how one joins a group.
func joinings(words catalogue.Language, chosen string) []choice {
	return choose([]choice{
		{Value: "open", Label: words.GroupJoinOpen(), Hint: words.GroupJoinOpenHint()},
		{Value: "request", Label: words.GroupJoinRequest(), Hint: words.GroupJoinRequestHint()},
	}, chosen)
}
