package page

import (
	"html"
	"net/url"
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// Shell is what surrounds the content of every page.
type Shell struct {
	Words       catalogue.Language // of the page, but for what people wrote
	Title       string             // of the page; the site's name is added
	Description string             // for search engines and previews; may be empty
	Path        string             // of the page, with its query: forms return to it
	Viewer      *Viewer
	CSRF        string       // the token of the sign-in and sign-up forms; else empty
	Saved       SettingsForm // the form of the settings that was just saved
	Notice      string       // a sentence about what was just done
	Problem     string       // a sentence about what could not be done
	Behind      bool         // the node is behind: show the banner
	NoIndex     bool         // search engines should not index the page
	Offline     bool         // a browser may show the page again while there is no connection
	Bare        bool         // without links and search, as the page is for all readers
	Share       *Share       // what previews of links show; nil: the page has none
}

// Viewer is the signed-in account. A nil Viewer is a viewer without an account.
type Viewer struct {
	Card     *timeline.UserCard
	Requests int      // subscription requests that wait for an answer
	Unread   int      // notices, at most 100
	Admin    bool     // of the site
	Lists    []string // the names of the viewer's lists, sorted
}

// name returns the viewer's name; empty if not signed in.
func (s Shell) name() string {
	if s.Viewer == nil {
		return ""
	}
	return s.Viewer.Card.Name
}

// heading returns the text of the title element.
func (s Shell) heading() string {
	if s.Title == "" {
		return "Amstel"
	}
	return s.Title + " · Amstel"
}

// isPage reports whether this is the page at a path, for the navigation.
func (s Shell) isPage(path string) bool { return isAt(s.Path, path) }

// isAt reports whether an address with a query is the page at a path.
func isAt(address, path string) bool {
	own, _, _ := strings.Cut(address, "?")
	return own == path
}

// A navLink is a link of the navigation.
type navLink struct {
	Href, Text string
	Count      int
}

// mainLinks returns the pages that are read most.
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

// moreLinks returns the other pages to read.
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

// listLinks returns the viewer's lists.
func (s Shell) listLinks() []navLink {
	links := make([]navLink, 0, len(s.Viewer.Lists))
	for _, name := range s.Viewer.Lists {
		links = append(links, navLink{Href: ListPath(name), Text: name})
	}
	return links
}

// ownLinks returns the pages for settings.
func (s Shell) ownLinks() []navLink {
	return []navLink{
		{Href: RequestsPath, Text: s.Words.NavRequests(), Count: s.Viewer.Requests},
		{Href: MyListsPath, Text: s.Words.NavLists()},
		{Href: NewGroupPath, Text: s.Words.NavNewGroup()},
		{Href: SettingsPath, Text: s.Words.NavSettings()},
	}
}

// searched returns the text in the search field: on the page of a search, that search.
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

// unreadText returns a count of notices that fits in a badge.
func unreadText(count int) string {
	if count >= 100 {
		return "99+"
	}
	return strconv.Itoa(count)
}

// csrfMeta returns the element with the CSRF token. It is on a line of its own and ends
// with a slash, because backup scripts look for exactly this.
func csrfMeta(token string) string {
	return "\n" + `<meta name="csrf-token" content="` + html.EscapeString(token) + `" />` + "\n"
}
