package page

import "amstel.dev/amstel/timeline"

// AcrossModel is the content of the page of posts or comments that bans hide from a viewer who
// moderates them.
type AcrossModel struct {
	Shell
	*timeline.AcrossBans
	More string // the address of the next page; empty: there is none
}

// PostAcrossPath returns the path of the page with the comments of a post that bans hide from a
// viewer who moderates the post.
func PostAcrossPath(author string, id timeline.PostID) string {
	return PostPath(author, id) + "/across_bans"
}

// GroupAcrossPath returns the path of the page with the posts of a group that bans hide from an
// administrator.
func GroupAcrossPath(group string) string { return NamePath(group) + "/across_bans" }

// ofPost returns the post whose comments the page lists, or nil on the page of a group.
func (m AcrossModel) ofPost() *timeline.PostAcrossBan {
	if m.Group != 0 {
		return nil
	}
	return &m.Posts[0]
}

// user returns the card of a person.
func (m AcrossModel) user(id timeline.UserID) *timeline.UserCard {
	return EntryModel{Words: m.Words, Cards: Cards{Users: m.Users}}.user(id)
}

// group returns the card of a group.
func (m AcrossModel) group(id timeline.GroupID) *timeline.GroupCard {
	return EntryModel{Words: m.Words, Cards: Cards{Groups: m.Groups}}.group(id)
}

// back returns the page that the posts or comments are hidden on; the viewer can't open the page of a post across a ban,
// so the group of the post takes its place.
func (m AcrossModel) back() named {
	p := m.ofPost()
	switch {
	case p == nil:
		g := m.group(m.Group)
		return named{Text: namedGroup(g).Text, Href: NamePath(g.Name)}
	case p.Text != "" || p.Files > 0:
		for _, id := range p.Groups {
			g := m.group(id)
			return named{Text: namedGroup(g).Text, Href: GroupAcrossPath(g.Name)}
		}
	}
	return named{Text: m.Words.EntryMenuBack(), Href: PostPath(m.user(p.Author).Name, p.ID)}
}

// takeOut returns the buttons with which the viewer takes a post out of groups.
func (m AcrossModel) takeOut(p *timeline.PostAcrossBan) (all []actionForm) {
	for _, id := range p.Groups {
		g := m.group(id)
		name := namedGroup(g).Text
		one := deleteForm(m.Words.EntryRemoveFrom(name), postAPI(p.ID)+"/groups/"+pathPart(g.Name)+".json", GroupAcrossPath(g.Name))
		one.Ask, one.Sure = m.Words.EntryRemoveAsk(), m.Words.EntryRemoveSure()
		all = append(all, one)
	}
	return all
}

// removal returns the button that deletes a comment.
func (m AcrossModel) removal(c *timeline.CommentAcrossBan) actionForm {
	one := deleteForm(m.Words.CommentDelete(), commentAPI(m.Posts[0].ID, c.ID), m.Path)
	one.Ask, one.Sure = m.Words.CommentDeleteAsk(), m.Words.CommentDelete()
	return one
}

// block returns the button that blocks a person from the group whose posts are listed.
func (m AcrossModel) block(id timeline.UserID) actionForm {
	who := m.user(id)
	return actionForm{
		Label: m.Words.AcrossBlock("@" + who.Name), Action: groupAPI(m.group(m.Group).Name) + "/exclusions/" + pathPart(who.Name) + ".json", ReturnTo: m.Path,
		Ask: m.Words.GroupBlockedLead(), Sure: m.Words.AcrossBlock("@" + who.Name),
	}
}
