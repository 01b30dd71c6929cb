package page

import (
	"html"
	"net/url"
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// Shell is what every page has around its content.
type Shell struct {
	Words       catalogue.Language // that the page is written in, but for what people wrote
	Title       string             // of the page; the site's name is added
	Description string             // for search engines and previews; may be empty
	Path        string             // of the page, with its query: where forms come back to
	Viewer      *Viewer
	CSRF        string // the token of the sign-in and sign-up forms; else empty
	Notice      string // a sentence on what was just done
	Problem     string // a sentence on what could not be done
	Behind      bool   // the node can't say how things are now: show the banner
	NoIndex     bool   // search engines should leave the page alone
}

// Viewer is who is signed in. A nil Viewer is everybody who is not.
type Viewer struct {
	Card     *timeline.UserCard
	Requests int      // subscription requests that wait for an answer
	Unread   int      // notices, at most 100
	Lists    []string // the names of his lists, in their order
}

// name of the viewer, empty for everybody who is not signed in.
func (s Shell) name() string {
	if s.Viewer == nil {
		return ""
	}
	return s.Viewer.Card.Name
}

// heading is the text of the title element.
func (s Shell) heading() string {
	if s.Title == "" {
		return "Amstel"
	}
	return s.Title + " · Amstel"
}

// at says whether the page is the one at that path, for the navigation.
func (s Shell) at(path string) bool { return isAt(s.Path, path) }

// isAt says whether an address, with its query, is the page at that path.
func isAt(address, path string) bool {
	own, _, _ := strings.Cut(address, "?")
	return own == path
}

// A link of the navigation.
type navLink struct {
	Href, Text string
	Count      int
}

// mainLinks are the pages people read most.
func (s Shell) mainLinks() []navLink {
	if s.Viewer == nil {
		return []navLink{{Href: "/", Text: s.Words.NavEverything()}, {Href: BestOfPath, Text: s.Words.NavBest()}, {Href: GroupsPath, Text: s.Words.NavGroups()}, {Href: AboutPath, Text: s.Words.NavAbout()}}
	}
	return []navLink{
		{Href: "/", Text: s.Words.NavHome()},
		{Href: DiscussionsPath, Text: s.Words.NavDiscussions()},
		{Href: DirectsPath, Text: s.Words.NavDirects()},
		{Href: EverythingPath, Text: s.Words.NavEverything()},
		{Href: BestOfPath, Text: s.Words.NavBest()},
	}
}

// moreLinks are the other pages to read.
func (s Shell) moreLinks() []navLink {
	return []navLink{
		{Href: NamePath(s.Viewer.Card.Name), Text: s.Viewer.Card.DisplayName},
		{Href: MentionsPath, Text: s.Words.NavMentions()},
		{Href: FavsPath, Text: s.Words.NavFavourites()},
		{Href: FYEOPath, Text: s.Words.NavFyeo()},
		{Href: GroupsPath, Text: s.Words.NavGroups()},
		{Href: FindPath, Text: s.Words.NavPeople()},
	}
}

// listLinks are the viewer's lists.
func (s Shell) listLinks() []navLink {
	links := make([]navLink, 0, len(s.Viewer.Lists))
	for _, name := range s.Viewer.Lists {
		links = append(links, navLink{Href: ListPath(name), Text: name})
	}
	return links
}

// ownLinks are the pages on which people arrange things.
func (s Shell) ownLinks() []navLink {
	return []navLink{
		{Href: RequestsPath, Text: s.Words.NavRequests(), Count: s.Viewer.Requests},
		{Href: MyListsPath, Text: s.Words.NavLists()},
		{Href: NewGroupPath, Text: s.Words.NavNewGroup()},
		{Href: SettingsPath, Text: s.Words.NavSettings()},
	}
}

// searched is what the field for a search has on the page of one.
func (s Shell) searched() string {
	path, query, _ := strings.Cut(s.Path, "?")
	if path != SearchPath {
		return ""
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return ""
	}
	return values.Get("q")
}

// unreadText is a count of notices in the space of a badge.
func unreadText(count int) string {
	if count >= 100 {
		return "99+"
	}
	return strconv.Itoa(count)
}

// csrfMeta stands on a line of its own and is closed by a slash, because backup
// scripts look for just that.
func csrfMeta(token string) string {
	return "\n" + `<meta name="csrf-token" content="` + html.EscapeString(token) + `" />` + "\n"
}
