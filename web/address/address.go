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

// An Address is what the address of a page means: which river, and whose.
type Address struct {
	Key   river.Key
	Owner Owner      // of a person's or group's page
	Path  string     // as links have it, without .json
	With  url.Values // what else of the address says which river it is
	// Name is what the page is about, as pages have it: the name of a list, a
	// search as it is written.
	Name   string
	Search query.Search // as it was read
	Lang   string       // of the pages of a language
}

// Ranked reports whether the river is a ranking.
func (a Address) Ranked() bool {
	return a.Key.What == river.KindBestOf || a.Key.What == river.KindMostFaved
}

// What returns the kind that clients are told: the page of a tag is a hashtag's,
// whether or not there is anything with that tag.
func (a Address) What() river.Kind {
	if a.Tag() != "" {
		return river.KindHashtag
	}
	return a.Key.What
}

// Tag returns the hashtag, without its sign, of which alone the page is; empty
// where the page is of something else.
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

// Descriptor returns the page's name in words, as "user:alice".
func (a Address) Descriptor() string {
	name := []string{string(a.What())}
	for _, part := range []string{a.Owner.Name, a.Key.Query, a.Lang, a.With.Get("period")} {
		if part != "" {
			name = append(name, part)
		}
	}
	switch a.What() {
	case river.KindPost:
		name = append(name[:1], strconv.FormatInt(a.Key.TheirID, 10))
	case river.KindHashtag:
		name = append(name[:1], a.Tag())
	case river.KindList:
		name = append(name, a.Name)
	}
	return strings.Join(name, ":")
}

// Link returns the address of a part of the page.
func (a Address) Link(part Range) string { return a.Path + a.query(part) }

// Top returns the address of the page from the top.
func (a Address) Top() string { return a.Link(FirstPage) }

// JSONLink returns the address of a part of the page as JSON.
func (a Address) JSONLink(part Range) string {
	path := a.Path
	if path == "/" {
		path = "/index"
	}
	return path + ".json" + a.query(part)
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
