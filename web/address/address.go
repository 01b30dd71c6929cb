package address

import (
	"net/url"
	"strconv"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline/query"
	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/page"
)

// An Address is the meaning of a page's address: a river, and the river's owner.
type Address struct {
	Key   river.Key
	Owner Owner      // the person or group of the page; empty on other pages
	Path  string     // the path in links, without .json
	With  url.Values // the part of the query that names the river
	// Name is the subject of the page, in the form that pages show: the name of a list,
	// the text of a search.
	Name   string
	Search query.Search // the parsed search, on the page of one
	Lang   string       // the code of the language, on a page of one language
}

// Ranked reports whether the river is a ranking.
func (a Address) Ranked() bool {
	return a.Key.What == river.KindBestOf || a.Key.What == river.KindMostFaved
}

// ShownKind returns the kind of river that clients are told. The page of a hashtag is always
// of the kind hashtag, so that the kind does not tell whether any post has the tag.
func (a Address) ShownKind() river.Kind {
	if a.Tag() != "" {
		return river.KindHashtag
	}
	return a.Key.What
}

// Tag returns the hashtag, without its sign, if the page is about this tag alone; else it
// returns an empty string.
func (a Address) Tag() string {
	if a.Path != page.SearchPath {
		return ""
	}
	signs := text.Signs(a.Name)
	if len(signs) != 1 || signs[0].Kind != text.SignTag || signs[0].To-signs[0].From != len(a.Name) {
		return ""
	}
	return signs[0].Name
}

// Descriptor returns a readable name of the page, as "user:alice".
func (a Address) Descriptor() string {
	name := []string{string(a.ShownKind())}
	for _, part := range []string{a.Owner.Name, a.Key.Query, a.Lang, a.With.Get("period")} {
		if part != "" {
			name = append(name, part)
		}
	}
	switch a.ShownKind() {
	case river.KindPost:
		name = append(name[:1], strconv.FormatInt(a.Key.TheirID, 10))
	case river.KindHashtag:
		name = append(name[:1], a.Tag())
	case river.KindList:
		name = append(name, a.Name)
	}
	return strings.Join(name, ":")
}

// Link returns the path and query of a part of the page.
func (a Address) Link(part Range) string { return a.Path + a.query(part) }

// Top returns the path and query of the first page.
func (a Address) Top() string { return a.Link(FirstPage) }

// JSONLink returns the path and query of a part of the page as JSON.
func (a Address) JSONLink(part Range) string { return a.LinkAs(".json", part) }

// LinkAs returns the path and query of a part of the page in another form, which the ending of the
// path asks for.
func (a Address) LinkAs(ending string, part Range) string {
	path := a.Path
	if path == "/" {
		path = "/index"
	}
	return path + ending + a.query(part)
}

func (a Address) query(part Range) string {
	if part == FirstPage && len(a.With) == 0 {
		return ""
	}
	query := part.values()
	for name, values := range a.With {
		query[name] = values
	}
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}
