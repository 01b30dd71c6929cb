package page

import (
	"html"
	"net/url"
	"strconv"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// Shell is the frame around the content of every page.
type Shell struct {
	Words       catalogue.Language // the language of the page, except for the texts of people
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
	Bare        bool         // without links and search, because all readers get the same page
	Share       *Share       // what previews of links show; nil: the page has none
	Feeds       []FeedLink   // the web feeds of the page
}

// Viewer is the signed-in account. A nil Viewer is a viewer without an account.
type Viewer struct {
	Card     *timeline.UserCard
	Requests int // subscription requests that wait for an answer
	Unread   river.Unread
	Admin    bool                  // of the site
	Lists    []string              // the names of the viewer's lists, sorted
	Groups   []*timeline.GroupCard // the groups that the viewer joined last, the newest first; at most [ShownGroups]
}

// ShownGroups is how many of the viewer's groups the navigation shows.
const ShownGroups = 5

// name returns the viewer's name; empty if not signed in.
func (s Shell) name() string {
	if s.Viewer == nil {
		return ""
	}
	return s.Viewer.Card.Name
}

// heading returns the text of the title element. It begins with the number of unread notices,
// so that the number is visible in the browser's tabs; the page's script keeps it up to date.
func (s Shell) heading(site string) string {
	heading := site
	if s.Title != "" {
		heading = s.Title + " · " + heading
	}
	if s.Viewer != nil && s.Viewer.Unread.Notices > 0 {
		heading = "(" + unreadText(s.Viewer.Unread.Notices) + ") " + heading
	}
	return heading
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
	Href, Text  string
	Icon, Class string // may be empty
	Count       int
	Named       bool // by people: the text may be of another direction than the page
}

// mainLinks returns the pages that are read most. On phones those of a member are a bar at the
// bottom of the window, which also leads to the form for a post.
func (s Shell) mainLinks() []navLink {
	if s.Viewer == nil {
		return []navLink{{Href: "/", Text: s.Words.NavEverything()}, {Href: BestOfPath, Text: s.Words.NavBest()}, {Href: GroupsPath, Text: s.Words.NavGroups()}, {Href: AboutPath, Text: s.Words.NavAbout()}}
	}
	return []navLink{
		{Href: "/", Text: s.Words.NavHome(), Icon: "home"},
		{Href: DiscussionsPath, Text: s.Words.NavDiscussions(), Icon: "talk"},
		{Href: "/#post-form", Text: s.Words.NavWrite(), Icon: "pen", Class: "nav-write"},
		{Href: DirectsPath, Text: s.Words.NavDirects(), Icon: "envelope"},
		{Href: NoticesPath, Text: s.Words.LayoutNotifications(), Icon: "bell"},
	}
}

// readLinks returns the other pages to read.
func (s Shell) readLinks() []navLink {
	return []navLink{
		{Href: FavsPath, Text: s.Words.NavFavourites()},
		{Href: MentionsPath, Text: s.Words.NavMentions()},
		{Href: EverythingPath, Text: s.Words.NavEverything()},
		{Href: BestOfPath, Text: s.Words.NavBest()},
		{Href: FYEOPath, Text: s.Words.NavFyeo()},
		{Href: FindPath, Text: s.Words.NavPeople()},
	}
}

// groupLinks returns the groups that the viewer joined last, and the pages of all groups and for a
// new one.
func (s Shell) groupLinks() []navLink {
	links := make([]navLink, 0, len(s.Viewer.Groups)+1)
	for _, card := range s.Viewer.Groups {
		group := namedGroup(card)
		links = append(links, navLink{Href: group.Href, Text: group.Text, Named: true})
	}
	return append(links,
		navLink{Href: GroupsPath, Text: s.Words.NavAllGroups(), Class: "nav-all"}, navLink{Href: NewGroupPath, Text: s.Words.NavNewGroup(), Class: "nav-all"})
}

// listLinks returns the viewer's lists, and the page on which they are made and edited.
func (s Shell) listLinks() []navLink {
	links := make([]navLink, 0, len(s.Viewer.Lists)+1)
	for _, name := range s.Viewer.Lists {
		links = append(links, navLink{Href: ListPath(name), Text: name, Named: true})
	}
	return append(links, navLink{Href: MyListsPath, Text: s.Words.NavEditLists(), Class: "nav-all"})
}

// ownLinks returns the pages for settings.
func (s Shell) ownLinks() []navLink {
	return []navLink{{Href: SettingsPath, Text: s.Words.NavSettings()}}
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
